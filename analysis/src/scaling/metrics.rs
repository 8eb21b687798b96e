//! The metrics of one time on p processors, each with its uncertainty to first order.

use crate::error::{Error, Result, check_count};
use crate::estimate::{Estimate, check_estimate, welch_satterthwaite};
use crate::speedup::Speedup;

/// Metrics of T(n, p) against a reference time: the best sequential program (real), or T(n, 1) (relative).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ParallelMetrics {
    /// Processors p.
    pub processors: usize,
    /// S, labeled real or relative.
    pub speedup: Speedup,
    /// E = S/p, never cut off at 1. σ_E = σ_S/p.
    pub efficiency: Estimate,
    /// T_o = p·T − ω in the unit of the times; negative when superlinear. σ = √(p²σ_T² + σ_ω²).
    pub overhead: Estimate,
    /// Karp–Flatt e = (1/S − 1/p)/(1 − 1/p); `None` for p = 1.
    pub karp_flatt: Option<Estimate>,
    /// Isoefficiency constant K = E/(1−E); `None` when E ≥ 1.
    pub isoefficiency_constant: Option<Estimate>,
    /// E > 1: more than p times as fast. Look for caches, or for another amount of work.
    pub superlinear: bool,
}

/// Metrics from the reference time ω, the time on p processors, and the speedup between them, whose kind defines ω.
///
/// # Errors
/// When p is 0, or the overhead is too large for a number.
pub fn metrics_of(
    speedup: Speedup,
    reference: Estimate,
    time: Estimate,
    processors: usize,
) -> Result<ParallelMetrics> {
    check_count("processors", processors, 1)?;
    let p = processors as f64;
    let s = speedup.estimate();
    let efficiency = Estimate { value: s.value / p, u: s.u.map(|u| u / p), ..s };
    let both = time.u.zip(reference.u);
    let overhead = Estimate {
        value: p * time.value - reference.value,
        u: both.map(|(t, w)| (p * t).hypot(w)),
        degrees_of_freedom: both.and_then(|(t, w)| {
            welch_satterthwaite(&[
                (p * t, time.degrees_of_freedom),
                (w, reference.degrees_of_freedom),
            ])
        }),
    };
    if !overhead.value.is_finite() || overhead.u.is_some_and(|u| !u.is_finite()) {
        return Err(Error::Undefined { what: "the overhead is too large for a number" });
    }
    Ok(ParallelMetrics {
        processors,
        speedup,
        efficiency,
        overhead,
        karp_flatt: karp_flatt(s, processors).ok(),
        isoefficiency_constant: super::isoefficiency_constant(efficiency).ok(),
        superlinear: efficiency.value > 1.0,
    })
}

/// The experimentally determined serial fraction e = (1/S − 1/p)/(1 − 1/p) (Karp & Flatt 1990), with
/// σ_e = σ_S/(S²(1 − 1/p)). Flat over p: a serial part. Rising: overhead. Negative: superlinear.
///
/// # Errors
/// When p < 2, or S is not positive.
pub fn karp_flatt(speedup: Estimate, processors: usize) -> Result<Estimate> {
    check_count("processors", processors, 2)?;
    check_estimate(0, &speedup)?;
    crate::error::check_positive(&[speedup.value])?;
    let p = processors as f64;
    let parallel = 1.0 - 1.0 / p;
    Ok(Estimate {
        value: (1.0 / speedup.value - 1.0 / p) / parallel,
        u: speedup.u.map(|u| u / (speedup.value * speedup.value * parallel)),
        ..speedup
    })
}
