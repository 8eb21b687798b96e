//! Ratios of medians and percentiles. They have no formula for σ; resampling whole runs works from about 30
//! runs per side on, and not below.

use super::Kind;
use crate::error::{Result, check_positive, finite};
use crate::interval::{Confidence, Interval};
use crate::random::Random;
use crate::summary::quantile;

/// A ratio of quantiles, base over new.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct QuantileRatio {
    /// What it is measured against.
    pub kind: Kind,
    /// Which quantile: 0.5 is the median.
    pub probability: f64,
    /// base/new.
    pub ratio: f64,
    /// Percentile interval of seeded resamples; `None` below 30 runs on a side.
    pub interval: Option<Interval>,
}

/// Runs per side from which on percentile intervals cover.
const MINIMUM_RUNS: usize = 30;
/// Resamples.
const RESAMPLES: usize = 2_000;

/// Ratio of a quantile of two independent samples, one value per run.
///
/// ```
/// use plusminus_analysis::{speedup, Confidence};
///
/// let base: Vec<f64> = (0..40).map(|i| 20.0 + f64::from(i % 7)).collect();
/// let new: Vec<f64> = (0..40).map(|i| 10.0 + f64::from(i % 5)).collect();
/// let kind = speedup::Kind::BetweenVariants;
/// let median = speedup::ratio_of_quantiles(&base, &new, 0.5, Confidence::P95, kind, 101).unwrap();
/// assert!(median.interval.unwrap().contains(median.ratio));
/// let few = speedup::ratio_of_quantiles(&base[..9], &new, 0.5, Confidence::P95, kind, 101).unwrap();
/// assert!(few.interval.is_none());
/// ```
///
/// # Errors
/// When a side is empty or has a value that is not positive, or the probability is not strictly between 0 and 1.
pub fn ratio_of_quantiles(
    base: &[f64],
    new: &[f64],
    probability: f64,
    confidence: Confidence,
    kind: Kind,
    seed: u64,
) -> Result<QuantileRatio> {
    check_positive(base)?;
    check_positive(new)?;
    let of = |base: &[f64], new: &[f64]| -> Result<f64> {
        let ratio = quantile(base, probability)? / quantile(new, probability)?;
        finite(ratio, "the ratio is too large for a number")
    };
    let ratio = of(base, new)?;
    let mut interval = None;
    if base.len().min(new.len()) >= MINIMUM_RUNS {
        let mut random = Random::new(seed);
        let mut again = |sample: &[f64]| -> Vec<f64> {
            (0..sample.len()).map(|_| sample[random.below(sample.len())]).collect()
        };
        let mut ratios = Vec::with_capacity(RESAMPLES);
        for _ in 0..RESAMPLES {
            ratios.push(of(&again(base), &again(new))?);
        }
        let tail = (1.0 - confidence.level()) / 2.0;
        interval =
            Some(Interval { low: quantile(&ratios, tail)?, high: quantile(&ratios, 1.0 - tail)? });
    }
    Ok(QuantileRatio { kind, probability, ratio, interval })
}
