//! Which instances and cells stand out, with p-values that count how many were looked at.

use super::cells::Scale;
use super::variance::{Decomposition, MeanSquare};
use crate::special::student_t_two_sided_tail;

/// An instance against the mean of the others.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct InstanceContrast {
    /// Position of the instance.
    pub instance: usize,
    /// Its mean minus that of the others, on the scale of the decomposition.
    pub difference: f64,
    /// On the log scale: how many times as long it takes as the others.
    pub factor: Option<f64>,
    /// t statistic of the difference; `None` without residual variation.
    pub t: Option<f64>,
    /// Two-sided p-value.
    pub p: Option<f64>,
    /// p times the number of instances (Bonferroni), at most 1.
    pub p_adjusted: Option<f64>,
}

/// A cell, and the prediction from its run and its instance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CellResidual {
    /// Position of the run.
    pub run: usize,
    /// Position of the instance.
    pub instance: usize,
    /// Cell mean minus prediction, on the scale of the decomposition.
    pub residual: f64,
    /// The residual over its standard deviation, estimated without this cell (externally studentised).
    /// `None` when the other cells leave nothing to estimate it from.
    pub studentized: Option<f64>,
    /// p-value, times the number of independent residuals: I·R, or I for two runs, whose residuals mirror
    /// each other. At most 1.
    pub p_adjusted: Option<f64>,
    /// Robust z within its run: a hint when above 3.5, never a proof.
    pub robust_z: Option<f64>,
}

/// Something to look at.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Flag {
    /// An instance takes consistently longer or shorter than the others.
    SensitiveInstance {
        /// Position of the instance.
        instance: usize,
        /// Difference to the others, on the scale of the decomposition.
        difference: f64,
        /// On the log scale: how many times as long.
        factor: Option<f64>,
        /// p-value after correction for the number of instances.
        p_adjusted: f64,
    },
    /// One instance in one run is out of line with its run and its instance: look at that run.
    OddCell {
        /// Position of the run.
        run: usize,
        /// Position of the instance.
        instance: usize,
        /// Externally studentised residual.
        studentized: f64,
        /// p-value after correction.
        p_adjusted: f64,
        /// With two runs it cannot be known which of them is out of line: both cells are flagged.
        mirrored: bool,
    },
    /// A cell lies far from the rest of its run, but the table cannot prove that it is odd.
    Suspect {
        /// Position of the run.
        run: usize,
        /// Position of the instance.
        instance: usize,
        /// Robust z in its run.
        robust_z: f64,
        /// p-value of the cell as odd, after correction, where there is one.
        p_adjusted: Option<f64>,
    },
}

/// Robust z from which on a cell is suspect (Iglewicz & Hoaglin 1993).
const SUSPECT_Z: f64 = 3.5;

impl Decomposition {
    /// Returns the cells that stand out at a significance level such as 0.05: proven effects first, then hints.
    pub fn flags(&self, level: f64) -> Vec<Flag> {
        let mut flags: Vec<Flag> = Vec::new();
        for c in &self.contrasts {
            if let Some(p_adjusted) = c.p_adjusted.filter(|p| *p < level) {
                let (instance, difference, factor) = (c.instance, c.difference, c.factor);
                flags.push(Flag::SensitiveInstance { instance, difference, factor, p_adjusted });
            }
        }
        for c in &self.cells {
            if let Some((studentized, p_adjusted)) =
                c.studentized.zip(c.p_adjusted).filter(|(_, p)| *p < level)
            {
                let (run, instance, mirrored) = (c.run, c.instance, self.runs == 2);
                flags.push(Flag::OddCell { run, instance, studentized, p_adjusted, mirrored });
            } else if let Some(robust_z) = c.robust_z.filter(|z| z.abs() > SUSPECT_Z) {
                let (run, instance, p_adjusted) = (c.run, c.instance, c.p_adjusted);
                flags.push(Flag::Suspect { run, instance, robust_z, p_adjusted });
            }
        }
        flags
    }
}

/// Contrasts of all instances. `per_instance` is the number of values behind an instance mean.
pub(super) fn contrasts(
    scale: Scale,
    means: &[f64],
    grand_mean: f64,
    interaction: MeanSquare,
    per_instance: f64,
) -> Vec<InstanceContrast> {
    let count = means.len() as f64;
    let u = (interaction.mean_square() / per_instance * (1.0 + 1.0 / (count - 1.0))).sqrt();
    means
        .iter()
        .enumerate()
        .map(|(instance, mean)| {
            let difference = (mean - grand_mean) * count / (count - 1.0);
            let t = Some(difference / u).filter(|t| t.is_finite());
            let p = t.map(|t| student_t_two_sided_tail(t, interaction.degrees_of_freedom));
            InstanceContrast {
                instance,
                difference,
                factor: (scale == Scale::Log)
                    .then(|| libm::exp(difference))
                    .filter(|f| f.is_finite()),
                t,
                p,
                p_adjusted: p.map(|p| (p * count).min(1.0)),
            }
        })
        .collect()
}

/// Residuals of all cells, studentised without the cell itself.
pub(super) fn cell_residuals(
    residuals: &[f64],
    instances: usize,
    sum_of_squares: f64,
    robust_z: &[Option<f64>],
) -> Vec<CellResidual> {
    let runs = residuals.len() / instances;
    let (i, r) = (instances as f64, runs as f64);
    let leverage = 1.0 / r + 1.0 / i - 1.0 / (r * i);
    let degrees = (i - 1.0) * (r - 1.0) - 1.0;
    let looked_at = if runs == 2 { i } else { i * r };
    residuals
        .iter()
        .enumerate()
        .map(|(cell, residual)| {
            // Without this cell the residual sum of squares loses e²/(1−h) and one degree of freedom.
            let rest = sum_of_squares - residual * residual / (1.0 - leverage);
            // A remainder that is rounding alone estimates nothing.
            let known = degrees > 0.0 && rest > 1e-12 * sum_of_squares;
            let studentized = known.then(|| residual / (rest / degrees * (1.0 - leverage)).sqrt());
            CellResidual {
                run: cell / instances,
                instance: cell % instances,
                residual: *residual,
                studentized,
                p_adjusted: studentized
                    .map(|t| (student_t_two_sided_tail(t, degrees) * looked_at).min(1.0)),
                robust_z: robust_z[cell],
            }
        })
        .collect()
}
