//! One number for many benchmarks, twice, because there is no single right one: the ratio of summed times
//! first, the geometric mean of the speedups second.

use super::Speedup;
use crate::error::{Result, check_count, finite};
use crate::estimate::{Estimate, welch_satterthwaite};
use crate::sums;

/// Summary of a suite. Each field name is the label that belongs to the number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SuiteSummary {
    /// Number of benchmarks.
    pub benchmarks: usize,
    /// Σ base / Σ new: how much sooner the whole suite is done. Long benchmarks count more.
    pub ratio_of_sums: Estimate,
    /// Geometric mean of the speedups: each benchmark counts the same.
    pub geometric_mean: Estimate,
    /// The two are on different sides of 1: which variant is faster depends on the mix of work.
    pub disagree: bool,
}

/// Summarizes speedups of different benchmarks, for exactly these benchmarks; uncertainties by (VoV 6), with
/// the covariance of paired sides.
///
/// ```
/// use plusminus_analysis::speedup::{suite, unpaired, Kind};
///
/// let long = unpaired(&[100.0, 101.0], &[125.0, 126.0], Kind::BetweenVariants).unwrap();
/// let short = unpaired(&[2.0, 2.1], &[1.0, 1.1], Kind::BetweenVariants).unwrap();
/// let summary = suite(&[long, short]).unwrap();
/// // The long benchmark got slower, the short one faster by a larger factor.
/// assert!(summary.ratio_of_sums.value < 1.0 && summary.geometric_mean.value > 1.0);
/// assert!(summary.disagree);
/// ```
///
/// # Errors
/// When there is no speedup, or sums overflow.
pub fn suite(speedups: &[Speedup]) -> Result<SuiteSummary> {
    check_count("benchmarks", speedups.len(), 1)?;
    let count = speedups.len() as f64;
    let total = |side: fn(&Speedup) -> f64| {
        finite(sums::sum(speedups.iter().map(side)), "the summed times are too large for a number")
    };
    let (base, new) = (total(|s| s.base.value)?, total(|s| s.new.value)?);
    let ratio = base / new;
    // Relative contributions u/Σ of each side; covariances enter with their sign.
    let mut contributions = Vec::with_capacity(2 * speedups.len());
    let mut covariance = 0.0;
    let mut logs = Vec::with_capacity(speedups.len());
    for s in speedups {
        for (side, sum) in [(s.base, base), (s.new, new)] {
            contributions.push(side.u.map(|u| (u / sum, side.degrees_of_freedom)));
        }
        covariance += s.relative_covariance * (s.base.value / base) * (s.new.value / new);
        logs.push(s.relative_sigma().map(|r| (r / count, s.degrees_of_freedom)));
    }
    let contributions: Option<Vec<_>> = contributions.into_iter().collect();
    let logs: Option<Vec<_>> = logs.into_iter().collect();
    let quadrature = |parts: &[(f64, Option<f64>)]| parts.iter().map(|(u, _)| u * u).sum::<f64>();
    let mean_log = sums::sum(speedups.iter().map(|s| libm::log(s.speedup))) / count;
    let geometric = libm::exp(mean_log);
    Ok(SuiteSummary {
        benchmarks: speedups.len(),
        ratio_of_sums: Estimate {
            value: ratio,
            u: contributions
                .as_deref()
                .map(|parts| ratio * (quadrature(parts) - 2.0 * covariance).max(0.0).sqrt()),
            degrees_of_freedom: contributions.as_deref().and_then(welch_satterthwaite),
        },
        geometric_mean: Estimate {
            value: geometric,
            u: logs.as_deref().map(|parts| geometric * quadrature(parts).sqrt()),
            degrees_of_freedom: logs.as_deref().and_then(welch_satterthwaite),
        },
        disagree: (ratio - 1.0) * (geometric - 1.0) < 0.0,
    })
}
