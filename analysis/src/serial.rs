//! How much neighboring runs resemble each other, and the effect on the uncertainty of their mean.
//!
//! A machine that is shared, or that changes its frequency, is fast for a second and slow for the next. Consecutive
//! runs are then alike, and the uncertainty of their mean is larger than s/√n. All benchmarks of an invocation take
//! turns on the same machine, so all of them together tell how alike, where each alone has too few runs.
//!
//! ```
//! use plusminus_analysis::serial;
//!
//! // Ten benchmarks, of which each had five runs on a fast machine and then five on a slow one.
//! let drifting: Vec<Vec<f64>> = (0..10)
//!     .map(|b| (0..10).map(|run| f64::from(run / 5) + 0.1 * f64::from((run * 7 + b * 3) % 5)).collect())
//!     .collect();
//! assert!(serial::inflation(&drifting) > 3.0);
//! ```

use crate::sums;

/// The farthest runs that are set against each other.
const LAGS: usize = 16;

/// With fewer pairs of runs than these, a correlation is not estimated.
const PAIRS: usize = 20;

/// A series with fewer pairs than these at some distance does not count at that distance.
const PAIRS_OF_SERIES: usize = 3;

/// How often the correlations are corrected for the mean.
const REPETITIONS: usize = 2;

/// The most that a mean is taken to have taken from a correlation: a series that drifts all the time says no more.
const MOST_TAKEN: f64 = 0.5;

/// The factor by which the variance of a mean of runs exceeds that of as many independent ones,
/// τ = 1 + 2·Σ ρₖ; at least 1, and exactly 1 where there are too few runs to tell.
///
/// Each series holds the runs of one benchmark in the order of time, on a scale on which their spread does not depend
/// on their size, such as the logarithm. The correlation ρₖ of runs at distance k is estimated over all series at once,
/// each set to mean 0 and standard deviation 1, and freed of what the mean takes away from it, which is τ/n. The sum ends
/// where two neighboring ρ are no longer positive together (Geyer 1992: the initial positive sequence), since what
/// follows is noise.
///
/// Drift that is slower than the whole invocation does not show in its runs, and is not in τ.
pub fn inflation(series: &[Vec<f64>]) -> f64 {
    let standardised: Vec<Vec<f64>> = series.iter().filter_map(|runs| standardise(runs)).collect();
    // The mean takes away τ/n, which is unknown before τ is. It is found by repetition, starting with independent
    // runs.
    (0..REPETITIONS).fold(1.0, |tau, _| sum_of_correlations(&standardised, tau))
}

/// τ, where the mean of a series of n runs takes τ/n from each of its correlations.
fn sum_of_correlations(series: &[Vec<f64>], tau_taken: f64) -> f64 {
    let mut lags = (1..=LAGS).map_while(|lag| correlation(series, lag, tau_taken));
    let mut tau = 1.0 + 2.0 * lags.next().unwrap_or(0.0);
    while let (Some(one), Some(next)) = (lags.next(), lags.next()) {
        if one + next <= 0.0 {
            break;
        }
        tau += 2.0 * (one + next);
    }
    tau.max(1.0)
}

/// The runs with mean 0 and standard deviation 1; `None` if they are all equal.
fn standardise(runs: &[f64]) -> Option<Vec<f64>> {
    if runs.len() <= PAIRS_OF_SERIES {
        return None;
    }
    let (mean, spread) = sums::mean_and_spread(runs);
    let count = runs.len() as f64;
    // The standard deviation about this very mean, so that ρ₀ is 1.
    let scale = spread * ((count - 1.0) / count).sqrt();
    (scale > 0.0 && scale.is_finite())
        .then(|| runs.iter().map(|run| (run - mean) / scale).collect())
}

/// ρ at one distance; `None` with too few pairs.
fn correlation(series: &[Vec<f64>], lag: usize, tau: f64) -> Option<f64> {
    let (mut products, mut pairs) = (0.0, 0);
    for runs in series.iter().filter(|runs| runs.len() >= lag + PAIRS_OF_SERIES) {
        let taken = (tau / runs.len() as f64).min(MOST_TAKEN);
        let product = |(a, b): (&f64, &f64)| a * b * (1.0 - taken) + taken;
        products += sums::sum(runs.iter().zip(&runs[lag..]).map(product));
        pairs += runs.len() - lag;
    }
    (pairs >= PAIRS).then(|| products / pairs as f64)
}
