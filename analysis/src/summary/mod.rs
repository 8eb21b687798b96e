//! Summaries of one sample: where its values lie, how far they spread, and how sure its mean is.
//! Takes plain slices in any unit; results are in that unit.
//!
//! ```
//! use plusminus_analysis::summary::summarize;
//!
//! let times_ms = [12.1, 11.9, 12.4, 12.0, 12.1];
//! let summary = summarize(&times_ms).unwrap();
//! assert_eq!(summary.n, 5);
//! assert!((summary.mean - 12.1).abs() < 1e-12);
//! // The uncertainty of the mean is smaller than the spread of the values, by √n.
//! assert!((summary.spread.unwrap() / summary.u.unwrap() - 5f64.sqrt()).abs() < 1e-12);
//! ```

mod grouped;

pub use grouped::{GroupedQuantile, grouped_quantile};

use crate::error::{Result, check_count, check_finite, check_positive, check_probability, finite};
use crate::estimate::Estimate;
use crate::sums;

/// The summary of one sample. Quantities that do not exist are `None`: never 0, never NaN.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Summary {
    /// Number of values.
    pub n: usize,
    /// Arithmetic mean (VoV 4).
    pub mean: f64,
    /// Standard uncertainty of the mean, spread/√n (VoV 5); `None` for a single value.
    pub u: Option<f64>,
    /// Sample standard deviation, divisor n − 1; `None` for a single value.
    pub spread: Option<f64>,
    /// Relative standard uncertainty u/|mean| (VoV 3); `None` without u or when the mean is 0.
    pub rsu: Option<f64>,
    /// Coefficient of variation spread/|mean|, which the figures of the paper plot as RSU.
    pub cv: Option<f64>,
    /// Median.
    pub median: f64,
    /// Smallest value.
    pub min: f64,
    /// Largest value.
    pub max: f64,
}

impl Summary {
    /// Do the values differ by more than 3 % (cv)? For one value per run that is a lot when algorithms are tuned
    /// (Foster, DBPP 3.5.2); no verdict depends on it.
    pub fn has_repeatability_warning(&self) -> bool {
        self.cv.is_some_and(|cv| cv > 0.03)
    }

    /// The mean with its uncertainty and n − 1 degrees of freedom.
    pub fn estimate(&self) -> Estimate {
        Estimate {
            value: self.mean,
            u: self.u,
            degrees_of_freedom: self.u.map(|_| (self.n - 1) as f64),
        }
    }
}

/// Summarizes finite values; needs one copy of them (for the median) and time linear in their number.
///
/// # Errors
/// When there is no value, or one that is NaN or infinite.
pub fn summarize(samples: &[f64]) -> Result<Summary> {
    check_count("samples", samples.len(), 1)?;
    check_finite(samples)?;
    let n = samples.len();
    let (mean, deviation) = sums::mean_and_spread(samples);
    let spread = (n >= 2 && deviation.is_finite()).then_some(deviation);
    let u = spread.map(|s| s / (n as f64).sqrt());
    let relative = |x: f64| Some(x / mean.abs()).filter(|r| r.is_finite());
    let (min, max) = samples
        .iter()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(*x), high.max(*x)));
    Ok(Summary {
        n,
        // Rounding must not put the mean outside of the values.
        mean: mean.clamp(min, max),
        u,
        spread,
        rsu: u.and_then(relative),
        cv: spread.and_then(relative),
        median: sums::median(samples),
        min,
        max,
    })
}

/// exp(mean ln x).
///
/// # Errors
/// When there is no value, or one that is not positive and finite.
pub fn geometric_mean(samples: &[f64]) -> Result<f64> {
    check_count("samples", samples.len(), 1)?;
    check_positive(samples)?;
    let mean = sums::sum(samples.iter().map(|x| libm::log(*x))) / samples.len() as f64;
    finite(libm::exp(mean), "the geometric mean is too large for a number")
}

/// The sample quantile, linear between neighboring values (definition 7 of Hyndman & Fan 1996).
///
/// # Errors
/// When there is no value, one is not finite, or the probability is not strictly between 0 and 1.
pub fn quantile(samples: &[f64], probability: f64) -> Result<f64> {
    let sorted = sorted(samples, probability)?;
    Ok(at(&sorted, probability))
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
