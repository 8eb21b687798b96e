//! Speedups from samples: independent ones, and pairs measured on the same instance, run or block.

use super::{Kind, Speedup, ratio};
use crate::error::{Result, check_count, check_positive, check_shape};
use crate::estimate::Estimate;
use crate::sums;

/// Ratio of the means of two independent samples (VoV 7–10), one value per run.
///
/// With a single run on a side there is a speedup but no σ.
///
/// # Errors
/// When a side is empty or has a value that is not positive and finite (`index` counts within its side).
pub fn unpaired(base: &[f64], new: &[f64], kind: Kind) -> Result<Speedup> {
    let (a, b) = (Side::of(base)?, Side::of(new)?);
    let speedup = Speedup::from_estimates(a.estimate, b.estimate, kind)?;
    let spreads = a.relative_spread.zip(b.relative_spread);
    let spread = spreads.map(|(a, b)| speedup.speedup * a.hypot(b));
    Ok(Speedup { spread, ..speedup })
}

/// Ratio of the means of pairs: `base[k]` and `new[k]` share their instance, run or block.
///
/// σ_S = S·√(r_A² + r_B² − 2·r_AB), (VoV 6) with its second term, with n − 1 degrees of freedom.
///
/// # Errors
/// As [`unpaired`]; also when the sides differ in length.
pub fn paired(base: &[f64], new: &[f64], kind: Kind) -> Result<Speedup> {
    check_shape("new times", base.len(), new.len())?;
    let (a, b) = (Side::of(base)?, Side::of(new)?);
    let speedup = ratio(a.estimate.value, b.estimate.value)?;
    let n = base.len() as f64;
    // The variance of x/x̄ − y/ȳ is r_A² + r_B² − 2·r_AB term by term, and cannot become negative.
    let residuals: Vec<f64> =
        base.iter().zip(new).map(|(x, y)| x / a.estimate.value - y / b.estimate.value).collect();
    let several = base.len() >= 2;
    let spread = several.then(|| speedup * sums::mean_and_spread(&residuals).1);
    let products = base
        .iter()
        .zip(new)
        .map(|(x, y)| (x / a.estimate.value - 1.0) * (y / b.estimate.value - 1.0));
    let covariance = if several { sums::sum(products) / (n - 1.0) } else { 0.0 };
    Ok(Speedup {
        kind,
        base: a.estimate,
        new: b.estimate,
        speedup,
        sigma: spread.map(|s| s / n.sqrt()),
        spread,
        degrees_of_freedom: several.then_some(n - 1.0),
        relative_covariance: covariance / n,
    })
}

struct Side {
    estimate: Estimate,
    /// Sample standard deviation over mean; `None` for one value.
    relative_spread: Option<f64>,
}

impl Side {
    fn of(times: &[f64]) -> Result<Self> {
        check_count("times", times.len(), 1)?;
        check_positive(times)?;
        let n = times.len() as f64;
        let (value, spread) = sums::mean_and_spread(times);
        let relative_spread = (times.len() >= 2).then_some(spread / value);
        let u = relative_spread.map(|relative| relative / n.sqrt() * value);
        let estimate = Estimate { value, u, degrees_of_freedom: u.map(|_| n - 1.0) };
        Ok(Self { estimate, relative_spread })
    }
}
