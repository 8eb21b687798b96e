//! Performance Complexity (Strohmaier): how well a model explains measured performance, as one number that a
//! reader can compare between programs. Rates or times in; dimensionless factors out.
//!
//! ```
//! use plusminus_analysis::complexity::{performance_complexity, ComplexityOptions};
//!
//! let measured = [1e9, 8e8, 5e8, 2e8, 1e8];
//! let model = [9.5e8, 8.4e8, 4.6e8, 2.3e8, 0.9e8];
//! let pc = performance_complexity(&measured, &model, &ComplexityOptions::default()).unwrap();
//! // Typically off by a factor of 1.097, 7 % of what a model without any features would miss.
//! assert!((pc.pc_a - 0.0967).abs() < 1e-4 && (pc.pc_ratio.unwrap() - 0.0701).abs() < 1e-4);
//! ```

mod resample;

pub use resample::{Modelled, Transparency, transparency};

use crate::error::{Result, check_count, check_finite, check_positive, check_shape, finite};
use crate::sums;

/// Further facts about the measurements.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ComplexityOptions {
    /// Number of parameters q that were fitted on these measurements.
    pub fitted_parameters: usize,
    /// Relative standard uncertainty of each measurement, for the noise floor; empty if unknown.
    pub rsu: Vec<f64>,
    /// Peak of each benchmark in the unit of the measurements: performance is then taken relative to it,
    /// which changes the mean and pc_r but never pc_a. Empty for none.
    pub peaks: Vec<f64>,
}

/// The complexity that noise alone gives to a perfect model.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NoiseFloor {
    /// exp(√(mean of u_j²)) − 1.
    pub pc_noise: f64,
    /// pc_a with the noise taken off, exp(√max(0, SSE' − mean of u_j²)) − 1.
    pub pc_a_corrected: f64,
    /// The pc_r that noise alone would give a perfect model, exp(√(mean of u_j²/SS')) − 1; `None` when the measurements do
    /// not vary.
    pub pc_r_noise: Option<f64>,
    /// pc_r with the noise taken off both of its parts, exp(√(max(0, SSE' − mean of u_j²)/(SS' − mean of u_j²))) − 1;
    /// `None` when the measurements vary no more than noise does.
    pub pc_r_corrected: Option<f64>,
    /// pc_noise over the pc_a of the best flat model: the pc_ratio of a perfect model.
    pub pc_ratio_noise: Option<f64>,
    /// pc_a exceeds the floor. If not: not distinguishable from a perfect model.
    pub distinguishable: bool,
}

/// All named quantities of a set of (performance, model) pairs. Logarithms are natural.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Complexity {
    /// Number of pairs n.
    pub points: usize,
    /// Geometric mean of the measurements (relative to the peaks, where given), P̄.
    pub mean_performance: f64,
    /// SS': variance of ln P_j, divisor n.
    pub ss: f64,
    /// SSE': mean of ln²(P_j/M_j).
    pub sse: f64,
    /// 1 − R² = SSE'/SS' (Table 1 of the paper); `None` when the measurements do not vary.
    pub unexplained: Option<f64>,
    /// PC_a = exp(√SSE') − 1: the typical factor between model and measurement, minus 1. Dimensionless.
    pub pc_a: f64,
    /// PC_r = exp(√(SSE'/SS')) − 1 as in the paper: e − 1 for the best flat model, unbounded for worse ones.
    pub pc_r: Option<f64>,
    /// √(SSE'/SS'): share of the standard deviation that is not resolved.
    pub unresolved_sd: Option<f64>,
    /// PC_a of the best flat model, exp(√SS') − 1.
    pub pc_flat: f64,
    /// PC_a over that of the best flat model: the unresolved share of the variation, as in the paper's sentence about
    /// PC_r.
    pub pc_ratio: Option<f64>,
    /// exp(mean of ln(P_j/M_j)): by which factor measurements exceed the model on the whole.
    pub bias_factor: f64,
    /// PC_a with divisor n − q for q fitted parameters; `None` when n ≤ q.
    pub pc_a_adjusted: Option<f64>,
    /// Noise, where the uncertainties are known.
    pub noise: Option<NoiseFloor>,
    /// Measurements were taken relative to peaks.
    pub relative_to_peaks: bool,
}

impl Complexity {
    /// The band P̄/(1+PC_a) to P̄·(1+PC_a), in the unit of the measurements.
    pub fn band(&self) -> (f64, f64) {
        (self.mean_performance / (1.0 + self.pc_a), self.mean_performance * (1.0 + self.pc_a))
    }
}

/// Performance Complexity of a model for measured performances, pair by pair.
///
/// # Errors
/// When lists differ in length or are empty, a number is not positive (with its index), or a result overflows.
pub fn performance_complexity(
    measured: &[f64],
    model: &[f64],
    options: &ComplexityOptions,
) -> Result<Complexity> {
    check_count("measurements", measured.len(), 1)?;
    check_shape("model values", measured.len(), model.len())?;
    check_positive(measured)?;
    check_positive(model)?;
    let n = measured.len() as f64;
    let mut logs: Vec<f64> = measured.iter().map(|p| libm::log(*p)).collect();
    let residuals: Vec<f64> = logs.iter().zip(model).map(|(p, m)| p - libm::log(*m)).collect();
    if !options.peaks.is_empty() {
        check_shape("peaks", measured.len(), options.peaks.len())?;
        check_positive(&options.peaks)?;
        logs.iter_mut().zip(&options.peaks).for_each(|(p, peak)| *p -= libm::log(*peak));
    }
    let (mean, spread) = sums::mean_and_spread(&logs);
    let ss = spread * spread * (n - 1.0) / n;
    let sse = sums::sum(residuals.iter().map(|r| r * r)) / n;
    let factor =
        |squares: f64| finite(libm::expm1(squares.sqrt()), "the model is too far off for a number");
    let unexplained = (ss > 0.0).then(|| sse / ss).filter(|x| x.is_finite());
    let (pc_a, pc_flat) = (factor(sse)?, factor(ss)?);
    let degrees = measured.len().checked_sub(options.fitted_parameters).filter(|d| *d > 0);
    Ok(Complexity {
        points: measured.len(),
        mean_performance: finite(libm::exp(mean), "the mean performance is not a number")?,
        ss,
        sse,
        unexplained,
        pc_a,
        pc_r: unexplained.and_then(|x| factor(x).ok()),
        unresolved_sd: unexplained.map(f64::sqrt),
        pc_flat,
        pc_ratio: (pc_flat > 0.0).then(|| pc_a / pc_flat).filter(|x| x.is_finite()),
        bias_factor: finite(
            libm::exp(sums::sum(residuals.iter().copied()) / n),
            "the model is too far off for a number",
        )?,
        pc_a_adjusted: degrees.and_then(|d| factor(sse * n / d as f64).ok()),
        noise: noise_floor((sse, ss), (pc_a, pc_flat), measured.len(), &options.rsu)?,
        relative_to_peaks: !options.peaks.is_empty(),
    })
}

/// Returns the effect of noise on a model: `sums` are SSE' and SS', `factors` PC_a of the model and of the best flat
/// one.
fn noise_floor(
    (sse, ss): (f64, f64),
    (pc_a, pc_flat): (f64, f64),
    points: usize,
    rsu: &[f64],
) -> Result<Option<NoiseFloor>> {
    if rsu.is_empty() {
        return Ok(None);
    }
    check_shape("relative uncertainties", points, rsu.len())?;
    check_finite(rsu)?;
    let noise = sums::sum(rsu.iter().map(|u| u * u)) / points as f64;
    let pc_noise = finite(libm::expm1(noise.sqrt()), "the noise is too large for a number")?;
    Ok(Some(NoiseFloor {
        pc_noise,
        pc_a_corrected: libm::expm1((sse - noise).max(0.0).sqrt()),
        pc_r_noise: Some(libm::expm1((noise / ss).sqrt())).filter(|x| x.is_finite()),
        pc_r_corrected: (ss > noise)
            .then(|| libm::expm1(((sse - noise).max(0.0) / (ss - noise)).sqrt()))
            .filter(|x| x.is_finite()),
        pc_ratio_noise: Some(pc_noise / pc_flat).filter(|x| x.is_finite()),
        distinguishable: pc_a > pc_noise,
    }))
}
