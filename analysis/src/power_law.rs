//! The power law T = a·n^b through the times of a sweep, and how well it explains them: Performance Complexity in closed
//! form, for reports that fit nothing else.
//!
//! ```
//! use plusminus_analysis::power_law::power_law;
//!
//! let sizes = [64.0, 128.0, 256.0, 512.0, 1024.0];
//! let law = power_law(&sizes, &sizes.map(|n: f64| 3.0 * n * n)).unwrap();
//! assert!((law.exponent - 2.0).abs() < 1e-12 && law.pc_a.value < 1e-12);
//! ```

use crate::error::{Error, Result, check_count, check_positive, check_shape, finite};
use crate::estimate::Estimate;
use crate::sums;

/// A power law with its Performance Complexity.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PowerLaw {
    /// b of T = a·n^b.
    pub exponent: f64,
    /// PC_a: the typical factor between measurement and law, minus 1. σ is the jackknife's, from fits without one size
    /// each.
    pub pc_a: Estimate,
}

/// Sizes below which a fit without one of them leaves nothing to tell.
const LEAST: usize = 4;

/// Fits ln T = ln a + b·ln n by least squares.
///
/// # Errors
/// With fewer than four sizes, for numbers that are not positive, and if sizes are the same.
pub fn power_law(sizes: &[f64], times: &[f64]) -> Result<PowerLaw> {
    check_shape("times", sizes.len(), times.len())?;
    check_count("sizes", sizes.len(), LEAST)?;
    check_positive(sizes)?;
    check_positive(times)?;
    let points: Vec<(f64, f64)> =
        sizes.iter().zip(times).map(|(n, time)| (libm::log(*n), libm::log(*time))).collect();
    let (exponent, value) = fit(&points)?;
    let without = |left_out: usize| {
        let rest = [&points[..left_out], &points[left_out + 1..]].concat();
        fit(&rest).map(|(_, pc_a)| pc_a)
    };
    let partial: Vec<f64> = (0..points.len()).map(without).collect::<Result<_>>()?;
    let count = points.len() as f64;
    let (_, spread) = sums::mean_and_spread(&partial);
    // The jackknife's variance is (m − 1)/m · Σ(x − x̄)², and the spread has the divisor m − 1.
    let u = finite(spread * (count - 1.0) / count.sqrt(), "the uncertainty is no number")?;
    let pc_a = Estimate { value, u: Some(u), degrees_of_freedom: Some(count - 1.0) };
    Ok(PowerLaw { exponent, pc_a })
}

/// The slope, and exp(√(mean of squared residuals)) − 1.
fn fit(points: &[(f64, f64)]) -> Result<(f64, f64)> {
    let mean = |of: fn(&(f64, f64)) -> f64| sums::sum(points.iter().map(of)) / points.len() as f64;
    let (x, y) = (mean(|point| point.0), mean(|point| point.1));
    let squares = sums::sum(points.iter().map(|point| (point.0 - x) * (point.0 - x)));
    if squares == 0.0 {
        return Err(Error::Undefined { what: "all sizes are the same" });
    }
    let products = sums::sum(points.iter().map(|point| (point.0 - x) * (point.1 - y)));
    let slope = products / squares;
    let residual = |point: &(f64, f64)| point.1 - y - slope * (point.0 - x);
    let mean_square = sums::sum(points.iter().map(|point| residual(point) * residual(point)))
        / points.len() as f64;
    let pc_a = finite(libm::expm1(mean_square.sqrt()), "the law is too far off for a number")?;
    Ok((slope, pc_a))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Residuals of ±r with alternating signs have the mean square r².
    #[test]
    fn pc_is_the_typical_factor() {
        let sizes = [1.0, 2.0, 4.0, 8.0];
        let off = [1.1, 1.0 / 1.1, 1.0 / 1.1, 1.1];
        let times: Vec<f64> = sizes.iter().zip(off).map(|(n, off)| 5.0 * n * off).collect();
        let law = power_law(&sizes, &times).unwrap();
        assert!((law.exponent - 1.0).abs() < 1e-12);
        assert!((law.pc_a.value - 0.1).abs() < 1e-12);
        assert!(law.pc_a.u.is_some_and(|u| u > 0.0 && u < 0.2), "{law:?}");
        assert!(power_law(&sizes[..3], &times[..3]).is_err());
        assert!(power_law(&[2.0; 4], &times).is_err());
        assert!(power_law(&sizes, &[1.0, 1.0, 0.0, 1.0]).is_err());
    }
}
