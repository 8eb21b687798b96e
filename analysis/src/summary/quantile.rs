//! Quantiles with intervals from order statistics, which assume nothing about the distribution.

use crate::error::{Result, check_count, check_finite, check_probability};
use crate::interval::{Confidence, Interval};
use crate::special::incomplete_beta;

/// A quantile of a sample and, where the sample is large enough, an interval for the true one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct QuantileEstimate {
    /// Which quantile: 0.5 is the median, 0.99 the 99th percentile.
    pub probability: f64,
    /// The sample's quantile.
    pub value: f64,
    /// An interval between two observed values; `None` when no pair of them is far enough apart.
    pub interval: Option<Interval>,
}

/// The sample quantile, linear between neighbouring values (definition 7 of Hyndman & Fan 1996).
///
/// # Errors
/// When there is no value, one is not finite, or the probability is not strictly between 0 and 1.
pub fn quantile(samples: &[f64], probability: f64) -> Result<f64> {
    let sorted = sorted(samples, probability)?;
    Ok(at(&sorted, probability))
}

/// The sample quantile with an interval between two order statistics (Le Boudec 2010, theorem 2.1).
///
/// The ends are values x₍ⱼ₎ and x₍ₖ₎ such that fewer than j, and k or more, of n values lie below the true
/// quantile with probability at most (1 − confidence)/2 each. Exact for continuous data, cautious otherwise.
///
/// ```
/// use plusminus_analysis::{summary::quantile_with_interval, Confidence};
///
/// let times: Vec<f64> = (1..=10).map(f64::from).collect();
/// let median = quantile_with_interval(&times, 0.5, Confidence::P95).unwrap();
/// assert_eq!(median.value, 5.5);
/// let interval = median.interval.unwrap();
/// assert_eq!((interval.low, interval.high), (2.0, 9.0));
/// ```
///
/// # Errors
/// As [`quantile`].
pub fn quantile_with_interval(
    samples: &[f64],
    probability: f64,
    confidence: Confidence,
) -> Result<QuantileEstimate> {
    let sorted = sorted(samples, probability)?;
    let n = sorted.len();
    let tail = (1.0 - confidence.level()) / 2.0;
    let below = lower_rank(n, probability, tail);
    // Seen from the top, the upper rank is a lower rank of the complementary probability.
    let above = lower_rank(n, 1.0 - probability, tail);
    let interval = (below >= 1 && above >= 1)
        .then(|| Interval { low: sorted[below - 1], high: sorted[n - above] });
    Ok(QuantileEstimate { probability, value: at(&sorted, probability), interval })
}

/// The largest j with P(fewer than j of n values lie below the quantile) ≤ tail; 0 if there is none.
fn lower_rank(n: usize, probability: f64, tail: f64) -> usize {
    // P(B ≤ j−1) for B binomial(n, probability) is I_{1−p}(n−j+1, j).
    let fewer_than =
        |j: usize| incomplete_beta((n - j + 1) as f64, j as f64, 1.0 - probability, probability);
    let (mut fits, mut fails) = (0, n + 1);
    while fails - fits > 1 {
        let middle = fits + (fails - fits) / 2;
        if fewer_than(middle) <= tail {
            fits = middle;
        } else {
            fails = middle;
        }
    }
    fits
}

/// The values in ascending order, after checking them.
fn sorted(samples: &[f64], probability: f64) -> Result<Vec<f64>> {
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
