//! The law of propagation of uncertainty (VoV 6), for any function of measured numbers.
//!
//! ```
//! use plusminus_analysis::{Estimate, propagation::propagate};
//!
//! // Edges per second from a count and a time.
//! let edges = Estimate::exact(1e6);
//! let time = Estimate { value: 0.25, u: Some(0.005), degrees_of_freedom: Some(7.0) };
//! let rate = propagate(&|x| x[0] / x[1], &[edges, time], &[]).unwrap();
//! assert!((rate.estimate.value - 4e6).abs() < 1e-3);
//! assert!((rate.estimate.u.unwrap() - 8e4).abs() < 1e-3);
//! assert!((rate.sensitivities[1] + 1.6e7).abs() < 1e-1);
//! ```

use crate::error::{Error, Result, check_count, check_finite, check_shape, finite};
use crate::estimate::{Estimate, check_estimate, welch_satterthwaite};
use crate::sums;

/// Covariance σ(x_i, x_j) of two input estimates: of their means, not of single observations.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Covariance {
    /// Position of one input.
    pub first: usize,
    /// Position of the other one.
    pub second: usize,
    /// The covariance, in the product of their units.
    pub value: f64,
}

impl Covariance {
    /// Returns the covariance of the means of two paired samples, Σ(x−x̄)(y−ȳ)/(n(n−1)).
    ///
    /// # Errors
    /// When the samples differ in length, have fewer than two values, or a value is not finite.
    pub fn of_means((first, x): (usize, &[f64]), (second, y): (usize, &[f64])) -> Result<Self> {
        check_shape("values", x.len(), y.len())?;
        check_count("pairs", x.len(), 2)?;
        check_finite(x)?;
        check_finite(y)?;
        let n = x.len() as f64;
        let (mean_x, mean_y) = (sums::mean_and_spread(x).0, sums::mean_and_spread(y).0);
        let total = sums::sum(x.iter().zip(y).map(|(x, y)| (x - mean_x) * (y - mean_y)));
        let value = finite(total / (n * (n - 1.0)), "the covariance is too large for a number")?;
        Ok(Self { first, second, value })
    }
}

/// A derived quantity, and how it depends on each input.
#[derive(Debug, Clone, PartialEq)]
pub struct Propagated {
    /// y with its combined standard uncertainty.
    pub estimate: Estimate,
    /// ∂f/∂x_i at the inputs; 0 for an input without uncertainty.
    pub sensitivities: Vec<f64>,
}

/// Returns y = f(x₁ … x_N) with its combined standard uncertainty. Sensitivity coefficients come from differences.
///
/// u of the result is `None` when an input's is. Degrees of freedom are those of Welch and Satterthwaite. With
/// covariances they are the smallest ones of the inputs, which is cautious.
///
/// # Errors
/// When an input is not finite, or f is not finite at or around the inputs. When a covariance is of an input that does
/// not exist, of an input with itself, or exceeds the product of the uncertainties.
pub fn propagate(
    f: &dyn Fn(&[f64]) -> f64,
    inputs: &[Estimate],
    covariances: &[Covariance],
) -> Result<Propagated> {
    let values: Vec<f64> = inputs.iter().map(|x| x.value).collect();
    for (index, input) in inputs.iter().enumerate() {
        check_estimate(index, input)?;
    }
    let value = finite(f(&values), "the function has no finite value at the inputs")?;
    let slope = |(i, input): (usize, &Estimate)| match input.u {
        Some(0.0) => Ok(0.0),
        u => slope(f, &values, i, u.unwrap_or(0.0)),
    };
    let sensitivities: Vec<f64> = inputs.iter().enumerate().map(slope).collect::<Result<_>>()?;
    let Some(u) = inputs.iter().map(|x| x.u).collect::<Option<Vec<f64>>>() else {
        let estimate = Estimate { value, u: None, degrees_of_freedom: None };
        return Ok(Propagated { estimate, sensitivities });
    };
    let parts: Vec<(f64, Option<f64>)> = (0..inputs.len())
        .map(|i| (sensitivities[i] * u[i], inputs[i].degrees_of_freedom))
        .collect();
    let mut variance = sums::sum(parts.iter().map(|(part, _)| part * part));
    for (index, c) in covariances.iter().enumerate() {
        let limit = match (u.get(c.first), u.get(c.second)) {
            (Some(a), Some(b)) if c.first != c.second => a * b,
            _ => {
                let reason = "a covariance belongs to two different inputs";
                return Err(Error::Invalid { index, value: c.value, reason });
            }
        };
        if c.value.is_nan() || c.value.abs() > limit * (1.0 + 1e-9) {
            let reason = "a covariance cannot exceed the product of the two uncertainties";
            return Err(Error::Invalid { index, value: c.value, reason });
        }
        variance += 2.0 * sensitivities[c.first] * sensitivities[c.second] * c.value;
    }
    // Covariances of pairs can contradict each other by rounding only, as all are of the same runs.
    let u = finite(variance.max(0.0).sqrt(), "the uncertainty is too large for a number")?;
    let degrees_of_freedom = if covariances.is_empty() {
        welch_satterthwaite(&parts)
    } else {
        inputs.iter().filter_map(|x| x.degrees_of_freedom).reduce(f64::min)
    };
    let estimate = Estimate { value, u: Some(u), degrees_of_freedom };
    Ok(Propagated { estimate, sensitivities })
}

/// ∂f/∂x_i by five points. Steps follow the size of the input, or of its uncertainty where that is larger, and
/// shrink when f is not defined so far away.
fn slope(f: &dyn Fn(&[f64]) -> f64, values: &[f64], i: usize, u: f64) -> Result<f64> {
    let mut at = values.to_vec();
    for relative in [1e-3, 1e-5, 1e-7] {
        let h = relative * values[i].abs().max(u);
        let mut around = |steps: f64| {
            at[i] = values[i] + steps * h;
            f(&at)
        };
        let slope =
            (around(-2.0) - 8.0 * around(-1.0) + 8.0 * around(1.0) - around(2.0)) / (12.0 * h);
        if slope.is_finite() {
            return Ok(slope);
        }
    }
    let reason = "the function has no finite slope there";
    Err(Error::Invalid { index: i, value: values[i], reason })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// S of runs that are pairs: its σ falls where both vary together, and grows where they vary against each other.
    #[test]
    fn covariances_count() {
        let (base, new) = ([100.0, 102.0, 98.0, 104.0], [50.0, 51.0, 49.0, 52.0]);
        let of = |runs: &[f64]| crate::summary::summarize(runs).unwrap().estimate();
        let inputs = [of(&base), of(&new)];
        let s: &dyn Fn(&[f64]) -> f64 = &|x| x[0] / x[1];
        let apart = propagate(s, &inputs, &[]).unwrap().estimate;
        let pairs = Covariance::of_means((0, &base), (1, &new)).unwrap();
        let together = propagate(s, &inputs, &[pairs]).unwrap().estimate;
        // The ratio is the same in every run.
        assert!(together.u.unwrap() < 1e-6 * apart.u.unwrap());
        let against = Covariance { value: -pairs.value, ..pairs };
        let against = propagate(s, &inputs, &[against]).unwrap().estimate;
        assert!((against.u.unwrap() / apart.u.unwrap() - 2_f64.sqrt()).abs() < 1e-6);
        let too_large = Covariance { value: 2.0 * pairs.value, ..pairs };
        assert!(propagate(s, &inputs, &[too_large]).is_err());
        assert!(propagate(s, &inputs, &[Covariance { second: 0, ..pairs }]).is_err());
        assert!(propagate(&|x| x[0].ln(), &[Estimate::known(-1.0, 0.1)], &[]).is_err());
    }

    #[test]
    fn without_u_there_is_none() {
        let alone = Estimate { value: 3.0, u: None, degrees_of_freedom: None };
        let found = propagate(&|x| x[0] + 2.0 * x[1], &[Estimate::known(1.0, 0.1), alone], &[]);
        let found = found.unwrap();
        assert_eq!((found.estimate.value, found.estimate.u), (7.0, None));
        assert!((found.sensitivities[1] - 2.0).abs() < 1e-9);
    }
}
