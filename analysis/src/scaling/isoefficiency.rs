//! How much the work has to grow with the processors for the same efficiency.

use crate::error::{Error, Result, check_positive, finite};
use crate::estimate::{Estimate, check_estimate};

/// K = E/(1−E) with σ_K = σ_E/(1−E)²: work has to be K times the overhead for efficiency E.
///
/// # Errors
/// When E does not lie strictly between 0 and 1.
pub fn isoefficiency_constant(efficiency: Estimate) -> Result<Estimate> {
    crate::error::check_probability("efficiency", efficiency.value)?;
    check_estimate(0, &efficiency)?;
    let lost = 1.0 - efficiency.value;
    Ok(Estimate {
        value: finite(efficiency.value / lost, "the isoefficiency constant is too large")?,
        u: efficiency.u.map(|u| u / (lost * lost)).filter(|u| u.is_finite()),
        ..efficiency
    })
}

/// By which factor work must grow from p to p' processors for the same efficiency: T_o(p')/T_o(p), for an
/// overhead that depends on p only.
///
/// ```
/// use plusminus_analysis::scaling::work_growth;
///
/// // Summing n numbers, n much larger than p: T_o = p·log p.
/// let overhead = |p: f64| p * p.log2();
/// assert!((work_growth(&overhead, 8.0, 16.0).unwrap() - 8.0 / 3.0).abs() < 1e-12);
/// ```
///
/// # Errors
/// When an overhead is not positive, as p(log p − 1) is not for p = 2.
pub fn work_growth(overhead: &dyn Fn(f64) -> f64, from: f64, to: f64) -> Result<f64> {
    let overheads = [overhead(from), overhead(to)];
    check_positive(&overheads)?;
    finite(overheads[1] / overheads[0], "the growth is too large for a number")
}

/// Size with a given efficiency E(n), which must rise with n, by bisection on ln n; for fitted models of
/// T(n, p), for instance.
///
/// # Errors
/// When the efficiency is not reached in the range, or is reached everywhere in it, or the target is not
/// strictly between 0 and 1.
pub fn size_for_efficiency(
    efficiency: &dyn Fn(f64) -> f64,
    target: f64,
    low: f64,
    high: f64,
) -> Result<f64> {
    crate::error::check_probability("efficiency", target)?;
    check_positive(&[low, high])?;
    // Not "reached" includes NaN.
    let reached = |n: f64| efficiency(n) >= target;
    if reached(low) {
        return Err(Error::Undefined {
            what: "the efficiency is reached at the smallest size already",
        });
    }
    if !reached(high) {
        return Err(Error::Undefined { what: "the efficiency is not reached at the largest size" });
    }
    let (mut below, mut above) = (libm::log(low), libm::log(high));
    for _ in 0..200 {
        let middle = below + (above - below) / 2.0;
        if middle <= below || middle >= above {
            break;
        }
        if reached(libm::exp(middle)) {
            above = middle;
        } else {
            below = middle;
        }
    }
    Ok(libm::exp(above))
}
