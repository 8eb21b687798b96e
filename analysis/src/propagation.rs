//! The law of propagation of uncertainty (VoV 6), for functions of measured numbers that users define.
//!
//! ```
//! use plusminus_analysis::{propagation::propagate, Estimate};
//!
//! // Edges per second from a count and a time.
//! let edges = Estimate::exact(1e6);
//! let time = Estimate { value: 0.25, u: Some(0.005), degrees_of_freedom: Some(7.0) };
//! let rate = propagate(&|x| x[0] / x[1], &[edges, time], &[]).unwrap();
//! assert!((rate.value - 4e6).abs() < 1e-3);
//! assert!((rate.u.unwrap() - 8e4).abs() < 1e-3);
//! assert!((rate.degrees_of_freedom.unwrap() - 7.0).abs() < 1e-9);
//! ```

use crate::error::{Error, Result, check_count, check_finite, check_shape, finite};
use crate::estimate::{Estimate, check_estimate, welch_satterthwaite};
use crate::sums;

/// Covariance σ(x_i, x_j) of two input estimates (of their means, not of single observations).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Covariance {
    /// Position of one input.
    pub first: usize,
    /// Position of the other one.
    pub second: usize,
    /// The covariance, in the product of their units.
    pub value: f64,
}

/// y = f(x₁ … x_N) with its combined standard uncertainty; sensitivity coefficients by differences.
///
/// `f` is called 4N + 1 times at and around the inputs. u of the result is `None` when an input's is.
/// Degrees of freedom by Welch–Satterthwaite; with covariances the smallest ones of the inputs, which is
/// cautious.
///
/// # Errors
/// When an input is not finite, f is not finite at or around the inputs, or covariances make no sense.
pub fn propagate(
    f: &dyn Fn(&[f64]) -> f64,
    inputs: &[Estimate],
    covariances: &[Covariance],
) -> Result<Estimate> {
    let values: Vec<f64> = inputs.iter().map(|x| x.value).collect();
    check_finite(&values)?;
    let y = finite(f(&values), "the function has no finite value at the inputs")?;
    let mut sensitivities = Vec::with_capacity(inputs.len());
    for (i, input) in inputs.iter().enumerate() {
        sensitivities.push(match input.u {
            Some(u) if u > 0.0 => derivative(f, &values, i, u)?,
            _ => 0.0,
        });
    }
    propagate_with(y, &sensitivities, inputs, covariances)
}

/// As [`propagate`], for a value and sensitivity coefficients ∂f/∂x_i that are known.
///
/// # Errors
/// When numbers are not finite, lengths differ, or a covariance names an input that does not exist, pairs an
/// input with itself, or exceeds the product of the uncertainties.
pub fn propagate_with(
    y: f64,
    sensitivities: &[f64],
    inputs: &[Estimate],
    covariances: &[Covariance],
) -> Result<Estimate> {
    check_shape("sensitivity coefficients", inputs.len(), sensitivities.len())?;
    check_finite(sensitivities)?;
    finite(y, "the value is not finite")?;
    for (index, input) in inputs.iter().enumerate() {
        check_estimate(index, input)?;
    }
    let unknown = Estimate { value: y, u: None, degrees_of_freedom: None };
    let Some(u) = inputs.iter().map(|x| x.u).collect::<Option<Vec<f64>>>() else {
        return Ok(unknown);
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
    // Rounding, or covariances that no joint distribution has.
    let scale = sums::sum(parts.iter().map(|(part, _)| part * part));
    if variance < -1e-9 * scale {
        return Err(Error::Undefined { what: "the covariances contradict each other" });
    }
    let sigma = finite(variance.max(0.0).sqrt(), "the uncertainty is too large for a number")?;
    let degrees_of_freedom = if covariances.is_empty() {
        welch_satterthwaite(&parts)
    } else {
        inputs.iter().filter_map(|x| x.degrees_of_freedom).reduce(f64::min)
    };
    Ok(Estimate { value: y, u: Some(sigma), degrees_of_freedom })
}

/// Covariance of the means of two paired samples, Σ(x−x̄)(y−ȳ)/(n(n−1)), for inputs `first` and `second`.
///
/// # Errors
/// When the samples differ in length, have fewer than two values, or a value is not finite.
pub fn covariance_of_means(
    first: usize,
    x: &[f64],
    second: usize,
    y: &[f64],
) -> Result<Covariance> {
    check_shape("values", x.len(), y.len())?;
    check_count("pairs", x.len(), 2)?;
    check_finite(x)?;
    check_finite(y)?;
    let n = x.len() as f64;
    let (mean_x, mean_y) = (sums::mean_and_spread(x).0, sums::mean_and_spread(y).0);
    let total = sums::sum(x.iter().zip(y).map(|(x, y)| (x - mean_x) * (y - mean_y)));
    let value = finite(total / (n * (n - 1.0)), "the covariance is too large for a number")?;
    Ok(Covariance { first, second, value })
}

/// ∂f/∂x_i by five points. Steps follow the size of the input, or of its uncertainty where that is larger, and
/// shrink when f is not defined so far away.
fn derivative(f: &dyn Fn(&[f64]) -> f64, values: &[f64], i: usize, u: f64) -> Result<f64> {
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
    Err(Error::Invalid {
        index: i,
        value: values[i],
        reason: "the function has no finite slope there",
    })
}
