//! Samples in the order in which they were taken: how much they depend on each other, and what that leaves
//! of their number.
//!
//! ```
//! use plusminus_analysis::series::correlated_mean;
//!
//! // A slow wave: forty samples, but hardly any independent information.
//! let wave: Vec<f64> = (0..40).map(|i| 10.0 + (f64::from(i) / 8.0).sin()).collect();
//! let mean = correlated_mean(&wave).unwrap();
//! assert!(mean.effective_size < 5.0 && mean.estimate.u.is_none());
//! ```

use crate::error::{Result, check_count, check_finite};
use crate::estimate::Estimate;
use crate::sums;

/// The mean of dependent samples.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CorrelatedMean {
    /// The mean with s/√n_eff and n_eff − 1 degrees of freedom; u is `None` below 5 effective samples: one
    /// correlated lump cannot tell its uncertainty.
    pub estimate: Estimate,
    /// Number of samples.
    pub n: usize,
    /// Lag-1 autocorrelation r₁; `None` when all samples are equal.
    pub lag_1: Option<f64>,
    /// ρ = r₁ + (1 + 4r₁)/n within \[0, 0.999\]: r₁ corrected for its bias.
    pub rho: f64,
    /// n·(1 − ρ)/(1 + ρ), for a first-order autoregressive series.
    pub effective_size_ar1: f64,
    /// From the initial monotone sequence of autocorrelations (Geyer 1992), for any reversible series.
    pub effective_size_geyer: f64,
    /// n_eff: the smaller of the two.
    pub effective_size: f64,
}

/// Below this effective size no uncertainty is given.
pub const MINIMUM_EFFECTIVE_SIZE: f64 = 5.0;

/// Lags that Geyer's sum looks at, fewer for series so long that this would take minutes; series that are
/// still correlated then are one lump to the other estimate.
const MOST_LAGS: usize = 2_000;
/// Products that Geyer's sum takes at most.
const MOST_PRODUCTS: usize = 2_000_000_000;

/// Mean, effective size and uncertainty of one long run.
///
/// It says nothing about how runs differ from each other: never the basis of a verdict.
///
/// # Errors
/// When there are fewer than 3 samples, or one is not finite.
pub fn correlated_mean(samples: &[f64]) -> Result<CorrelatedMean> {
    check_count("samples", samples.len(), 3)?;
    check_finite(samples)?;
    let n = samples.len() as f64;
    let (mean, spread) = sums::mean_and_spread(samples);
    let lag_1 = lag_1(samples);
    let rho = lag_1.map_or(0.0, |r| (r + (1.0 + 4.0 * r) / n).clamp(0.0, 0.999));
    let ar1 = n * (1.0 - rho) / (1.0 + rho);
    let geyer = if lag_1.is_some() { geyer(samples) } else { n };
    let effective_size = ar1.min(geyer);
    let known = effective_size >= MINIMUM_EFFECTIVE_SIZE;
    Ok(CorrelatedMean {
        estimate: Estimate {
            value: mean,
            u: known.then_some(spread / effective_size.sqrt()).filter(|u| u.is_finite()),
            degrees_of_freedom: known.then_some(effective_size - 1.0),
        },
        n: samples.len(),
        lag_1,
        rho,
        effective_size_ar1: ar1,
        effective_size_geyer: geyer,
        effective_size,
    })
}

/// Correlation of neighbours, Σ(x_t − x̄)(x_{t+1} − x̄)/Σ(x_t − x̄)²; `None` when nothing varies.
pub(crate) fn lag_1(samples: &[f64]) -> Option<f64> {
    let centered = centered(samples)?;
    Some(products(&centered, 1) / products(&centered, 0))
}

/// Deviations from the mean in units of the largest; `None` when all are 0.
fn centered(samples: &[f64]) -> Option<Vec<f64>> {
    let mean = sums::mean_and_spread(samples).0;
    let deviations: Vec<f64> = samples.iter().map(|x| x - mean).collect();
    let (low, high) =
        samples.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(*x), h.max(*x)));
    let scale = sums::scale_of(&deviations);
    let usable = high > low && deviations.iter().all(|d| d.is_finite());
    usable.then(|| deviations.iter().map(|d| d / scale).collect())
}

fn products(centered: &[f64], lag: usize) -> f64 {
    sums::sum(centered.iter().zip(&centered[lag..]).map(|(a, b)| a * b))
}

/// n over the integrated autocorrelation time: sums of neighbouring lags while they stay positive, and never
/// larger than the one before.
fn geyer(samples: &[f64]) -> f64 {
    let n = samples.len();
    let Some(centered) = centered(samples) else { return n as f64 };
    let variance = products(&centered, 0);
    let mut time = -1.0;
    let mut before = f64::INFINITY;
    let lags = n.min(MOST_LAGS).min((MOST_PRODUCTS / n).max(50));
    for lag in (0..lags - 1).step_by(2) {
        let pair =
            ((products(&centered, lag) + products(&centered, lag + 1)) / variance).min(before);
        if pair <= 0.0 {
            break;
        }
        time += 2.0 * pair;
        before = pair;
    }
    // Negative correlation could promise more information than samples; do not believe it.
    n as f64 / time.max(1.0)
}
