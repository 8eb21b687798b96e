//! How many runs it takes to reach a precision, decided once after a pilot (Stein 1945), and the uncertainty of the
//! result. The number of runs depends on the pilot's spread, and the interval keeps its coverage.
//!
//! The spread of a normal sample does not depend on its mean. So if the spread of the pilot decides the number of runs,
//! the distribution of their mean is unchanged. mean ± t·s₀/√n with the pilot's s₀ and degrees of freedom keeps its
//! coverage for every n. The same holds for every sum and difference of quantities whose runs are jointly normal, such
//! as the log-times of several variants, when n depends on any of their pilots.
//!
//! ```
//! use plusminus_analysis::{two_stage, Confidence};
//!
//! let pilot = [10.2, 9.9, 10.4, 9.8, 10.1];
//! let runs = two_stage::runs_needed(&pilot, 0.1, Confidence::P95).unwrap();
//! assert_eq!(runs, 44); // (2.776 · 0.2387 / 0.1)² = 43.9
//! ```

use crate::{Confidence, Estimate, Result, error::check_count, error::check_positive, sums};

/// The least number of runs with which the interval of the mean reaches no farther than `half_width` to either side,
/// ⌈(t·s₀/h)²⌉ (Stein 1945); never less than the pilot has.
///
/// # Errors
/// When the pilot has fewer than two runs, or the half width is not positive and finite.
pub fn runs_needed(pilot: &[f64], half_width: f64, confidence: Confidence) -> Result<usize> {
    check_positive(&[half_width])?;
    let reach = reach(pilot, 1, confidence)?;
    let runs = (reach / half_width).powi(2).ceil();
    // More runs than this are not worth the wait, and larger numbers are not exact anyway.
    Ok(pilot.len().max(runs.min(1e9) as usize))
}

/// How far the interval reaches to either side after `runs` runs, t·s₀/√n.
///
/// # Errors
/// When the pilot has fewer than two runs, or there are no runs.
pub fn reach(pilot: &[f64], runs: usize, confidence: Confidence) -> Result<f64> {
    check_count("pilot runs", pilot.len(), 2)?;
    check_count("runs", runs, 1)?;
    let (_, spread) = sums::mean_and_spread(pilot);
    let factor = confidence.factor(Some(pilot.len() as f64 - 1.0));
    Ok(factor * spread / (runs as f64).sqrt())
}

/// Returns the mean of all runs, whose number was decided after the first `pilot`.
///
/// Its u is that of the pilot, s₀/√n with n₀ − 1 degrees of freedom, which keeps the coverage. If all runs with n − 1
/// degrees give the wider interval, that one is used: later runs may add to the doubt, and not take from it. With as
/// many runs as the pilot has, both are the usual standard uncertainty (VoV 5).
///
/// # Errors
/// When there are fewer than two runs in the pilot, or fewer in all than in the pilot.
pub fn estimate(runs: &[f64], pilot: usize, confidence: Confidence) -> Result<Estimate> {
    check_count("pilot runs", pilot, 2)?;
    check_count("runs", runs.len(), pilot)?;
    let (mean, spread) = sums::mean_and_spread(runs);
    let (_, pilot_spread) = sums::mean_and_spread(&runs[..pilot]);
    let of = |spread: f64, size: usize| {
        let degrees_of_freedom = size as f64 - 1.0;
        (spread / (runs.len() as f64).sqrt(), degrees_of_freedom)
    };
    let wider = [of(pilot_spread, pilot), of(spread, runs.len())].into_iter().max_by(|a, b| {
        let reach = |(u, nu): &(f64, f64)| u * confidence.factor(Some(*nu));
        reach(a).total_cmp(&reach(b))
    });
    Ok(Estimate {
        value: mean,
        u: wider.map(|(u, _)| u),
        degrees_of_freedom: wider.map(|(_, nu)| nu),
    })
}
