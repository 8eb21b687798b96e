//! Quantiles of a sample.

use crate::error::{Result, check_count, check_finite, check_probability};

/// The sample quantile, linear between neighboring values (definition 7 of Hyndman & Fan 1996).
///
/// # Errors
/// When there is no value, one is not finite, or the probability is not strictly between 0 and 1.
pub fn quantile(samples: &[f64], probability: f64) -> Result<f64> {
    let sorted = sorted(samples, probability)?;
    Ok(at(&sorted, probability))
}

/// The values in ascending order, after checking them.
pub(super) fn sorted(samples: &[f64], probability: f64) -> Result<Vec<f64>> {
    check_count("samples", samples.len(), 1)?;
    check_finite(samples)?;
    check_probability("quantile", probability)?;
    let mut sorted = samples.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    Ok(sorted)
}

/// Linear interpolation at position (n−1)·probability.
fn at(sorted: &[f64], probability: f64) -> f64 {
    let position = (sorted.len() - 1) as f64 * probability;
    let index = position.floor() as usize;
    let share = position - index as f64;
    match sorted.get(index + 1) {
        Some(next) => sorted[index] * (1.0 - share) + next * share,
        None => sorted[index],
    }
}
