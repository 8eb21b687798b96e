//! Mean squares, variance components, F tests, and the uncertainty of the mean that follows from them.

use super::cells::{Cells, Scale, robust_z};
use super::flags::{CellResidual, InstanceContrast, cell_residuals, contrasts};
use crate::error::{Result, check_count, finite};
use crate::estimate::Estimate;
use crate::special::f_upper_tail;
use crate::sums;

/// A sum of squares with its degrees of freedom.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MeanSquare {
    /// Sum of squares.
    pub sum_of_squares: f64,
    /// Degrees of freedom.
    pub degrees_of_freedom: f64,
}

impl MeanSquare {
    /// Sum of squares per degree of freedom.
    pub fn mean_square(&self) -> f64 {
        self.sum_of_squares / self.degrees_of_freedom
    }
}

/// A test whether an effect is larger than chance would make it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FTest {
    /// Ratio of the mean squares.
    pub f: f64,
    /// Degrees of freedom of numerator and denominator.
    pub degrees_of_freedom: (f64, f64),
    /// Probability of such a ratio or a larger one without an effect.
    pub p: f64,
}

/// A variance component.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Component {
    /// The variance, not below 0. Zero reads "not detectable".
    pub variance: f64,
    /// The estimate before it was cut off at 0.
    pub unclipped: f64,
}

impl Component {
    pub(crate) fn new(unclipped: f64) -> Self {
        Self { variance: unclipped.max(0.0), unclipped }
    }
}

/// The population that the instances represent, which decides how sure their mean is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Instances {
    /// These instances are all that matters: their differences are no uncertainty.
    Fixed,
    /// They are a random sample of a population to which the mean is to apply.
    Random,
}

/// Where the variance of runs × instances comes from.
#[derive(Debug, Clone, PartialEq)]
pub struct Decomposition {
    /// Scale of all means, effects and variances below.
    pub scale: Scale,
    /// Number of runs R.
    pub runs: usize,
    /// Number of instances I.
    pub instances: usize,
    /// Number of repeats K. With one, interaction and error are the same residual.
    pub repeats: usize,
    /// Mean of all cells.
    pub mean: f64,
    /// Mean of each instance over the runs.
    pub instance_means: Vec<f64>,
    /// Mean of each run over the instances.
    pub run_means: Vec<f64>,
    /// Between instances, MS_I.
    pub instance: MeanSquare,
    /// Between runs, MS_R.
    pub run: MeanSquare,
    /// Interaction, MS_IR; the residual when K = 1.
    pub interaction: MeanSquare,
    /// Between repeats, MS_E; `None` when K = 1.
    pub error: Option<MeanSquare>,
    /// Do instances differ? MS_I/MS_IR. `None` when there is no residual to compare with.
    pub f_instance: Option<FTest>,
    /// Do runs differ as a whole? MS_R/MS_IR.
    pub f_run: Option<FTest>,
    /// Do runs treat instances differently? MS_IR/MS_E; `None` when K = 1.
    pub f_interaction: Option<FTest>,
    /// σ_α²: between instances.
    pub variance_instance: Component,
    /// σ_β²: between runs.
    pub variance_run: Component,
    /// σ_γ²: interaction; with K = 1 the whole residual.
    pub variance_interaction: Component,
    /// σ_ε²: between repeats; `None` when K = 1.
    pub variance_error: Option<Component>,
    /// Intraclass correlation σ_α²/(σ_α²+σ_γ²+σ_ε²): how consistently the instances keep their ranking.
    pub icc: Option<f64>,
    /// Each instance against the others.
    pub contrasts: Vec<InstanceContrast>,
    /// Each cell and its prediction from run and instance, run by run.
    pub cells: Vec<CellResidual>,
}

/// Decomposes a table of at least 2 runs × 2 instances.
///
/// # Errors
/// When there is one run or one instance only (effects then cannot be separated), or a value is not positive on the
/// log scale.
pub fn decompose(table: &Cells<'_>, scale: Scale) -> Result<Decomposition> {
    check_count("runs", table.runs(), 2)?;
    check_count("instances", table.instances(), 2)?;
    let (runs, instances, repeats) = (table.runs(), table.instances(), table.repeats());
    let (r, i, k) = (runs as f64, instances as f64, repeats as f64);
    let values = table.on(scale)?;
    let cells = table.cell_means(scale)?;
    let mean = sums::mean_and_spread(&cells).0;
    let run_means: Vec<f64> =
        cells.chunks_exact(instances).map(|row| sums::mean_and_spread(row).0).collect();
    let instance_means: Vec<f64> = (0..instances)
        .map(|i| {
            let column: Vec<f64> = cells.iter().skip(i).step_by(instances).copied().collect();
            sums::mean_and_spread(&column).0
        })
        .collect();
    let residuals: Vec<f64> = cells
        .iter()
        .enumerate()
        .map(|(c, y)| (y - run_means[c / instances]) - (instance_means[c % instances] - mean))
        .collect();
    let square = |values: &mut dyn Iterator<Item = f64>| sums::sum(values.map(|d| d * d));
    let between = |means: &[f64]| square(&mut means.iter().map(|m| m - mean));

    let degrees = (i - 1.0) * (r - 1.0);
    let instance = MeanSquare {
        sum_of_squares: r * k * between(&instance_means),
        degrees_of_freedom: i - 1.0,
    };
    let run =
        MeanSquare { sum_of_squares: i * k * between(&run_means), degrees_of_freedom: r - 1.0 };
    let interaction = MeanSquare {
        sum_of_squares: k * square(&mut residuals.iter().copied()),
        degrees_of_freedom: degrees,
    };
    let error = (repeats > 1).then(|| MeanSquare {
        sum_of_squares: square(&mut values.iter().enumerate().map(|(n, y)| y - cells[n / repeats])),
        degrees_of_freedom: i * r * (k - 1.0),
    });

    for part in [Some(instance), Some(run), Some(interaction), error].into_iter().flatten() {
        finite(part.sum_of_squares, "the values are too large to be squared: use another unit")?;
    }

    let (ms_i, ms_r) = (instance.mean_square(), run.mean_square());
    let (ms_ir, ms_e) = (interaction.mean_square(), error.map(|e| e.mean_square()));
    let variance_instance = Component::new((ms_i - ms_ir) / (r * k));
    let variance_interaction = Component::new(match ms_e {
        Some(ms_e) => (ms_ir - ms_e) / k,
        None => ms_ir,
    });
    let variance_error = ms_e.map(Component::new);
    let total = variance_instance.variance
        + variance_interaction.variance
        + variance_error.map_or(0.0, |e| e.variance);
    Ok(Decomposition {
        scale,
        runs,
        instances,
        repeats,
        mean,
        f_instance: f_test(instance, interaction),
        f_run: f_test(run, interaction),
        f_interaction: error.and_then(|error| f_test(interaction, error)),
        variance_instance,
        variance_run: Component::new((ms_r - ms_ir) / (i * k)),
        variance_interaction,
        variance_error,
        icc: (total > 0.0).then(|| variance_instance.variance / total),
        contrasts: contrasts(scale, &instance_means, mean, interaction, r * k),
        cells: cell_residuals(
            &residuals,
            instances,
            interaction.sum_of_squares / k,
            &suspicion(&cells, instances)?,
        ),
        instance_means,
        run_means,
        instance,
        run,
        interaction,
        error,
    })
}

impl Decomposition {
    /// Standard uncertainty of the mean over the instances, on [`Self::scale`].
    ///
    /// σ_fixed² = σ_β²/R + σ_γ²/(IR) + σ_ε²/(IRK); with random instances σ_α²/I is added.
    pub fn sigma(&self, instances: Instances) -> f64 {
        let (r, i, k) = (self.runs as f64, self.instances as f64, self.repeats as f64);
        let fixed = self.variance_run.variance / r
            + self.variance_interaction.variance / (i * r)
            + self.variance_error.map_or(0.0, |e| e.variance) / (i * r * k);
        match instances {
            Instances::Fixed => fixed.sqrt(),
            Instances::Random => (fixed + self.variance_instance.variance / i).sqrt(),
        }
    }

    /// The mean over the instances with its uncertainty, on [`Self::scale`]; on the log scale, exp of the
    /// value is a geometric mean and u its relative uncertainty.
    ///
    /// Degrees of freedom by Satterthwaite from the mean squares that make up the variance.
    pub fn estimate(&self, instances: Instances) -> Estimate {
        let base = if self.variance_run.variance > 0.0 { self.run } else { self.interaction };
        let mut parts = vec![(base.mean_square(), base.degrees_of_freedom)];
        if instances == Instances::Random && self.variance_instance.variance > 0.0 {
            parts.push((self.instance.mean_square(), self.instance.degrees_of_freedom));
            parts.push((-self.interaction.mean_square(), self.interaction.degrees_of_freedom));
        }
        let total: f64 = parts.iter().map(|(ms, _)| ms).sum();
        let weighted: f64 = parts.iter().map(|(ms, nu)| ms * ms / nu).sum();
        Estimate {
            value: self.mean,
            u: Some(self.sigma(instances)),
            degrees_of_freedom: Some(total * total / weighted).filter(|nu| *nu > 0.0),
        }
    }

    /// Shares of instance, run, interaction and error in the sum of the variance components; `None` when
    /// nothing varies. Error is 0 when K = 1.
    pub fn shares(&self) -> Option<[f64; 4]> {
        let parts = [
            self.variance_instance.variance,
            self.variance_run.variance,
            self.variance_interaction.variance,
            self.variance_error.map_or(0.0, |e| e.variance),
        ];
        let total: f64 = parts.iter().sum();
        (total > 0.0).then(|| parts.map(|part| part / total))
    }
}

/// `None` when the denominator is 0: then there is no chance variation to compare with.
fn f_test(effect: MeanSquare, noise: MeanSquare) -> Option<FTest> {
    let f = effect.mean_square() / noise.mean_square();
    f.is_finite().then(|| FTest {
        f,
        degrees_of_freedom: (effect.degrees_of_freedom, noise.degrees_of_freedom),
        p: f_upper_tail(f, effect.degrees_of_freedom, noise.degrees_of_freedom),
    })
}

/// Robust z of each cell within its run; `None` if it is unknown.
fn suspicion(cells: &[f64], instances: usize) -> Result<Vec<Option<f64>>> {
    let mut all = Vec::with_capacity(cells.len());
    for row in cells.chunks_exact(instances) {
        let z = if instances < 3 { None } else { robust_z(row)? };
        all.extend((0..instances).map(|i| z.as_ref().map(|z| z[i])));
    }
    Ok(all)
}
