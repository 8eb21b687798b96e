//! The two fits of Foster, "Designing and Building Parallel Programs", section 3.5.3, by their names there.
//! For comparison with published numbers: the simple one looks at the largest times only, the scaled one is
//! biased low because the observation stands in its denominator.

use super::linear::{columns, least_squares};
use super::model::{Model, Observation};
use crate::error::{Error, Result, check_count, check_positive, check_shape};
use crate::sums::dot;

/// Coefficients of a fit by another criterion than ours. They may be negative.
#[derive(Debug, Clone, PartialEq)]
pub struct ForeignFit {
    /// The coefficients, in the order of [`Model::coefficient_names`].
    pub coefficients: Vec<f64>,
    /// The minimized value.
    pub objective: f64,
}

/// Minimizes Σ(obs(i) − f(i))².
///
/// ```
/// use plusminus_analysis::models::{simple_fit, Model, Observation};
///
/// let line: Vec<Observation> =
///     [(1.0, 12.0), (2.0, 14.0), (4.0, 18.0)].map(|(n, t)| Observation::of_size(n, t)).to_vec();
/// let fit = simple_fit(Model::Affine, &line).unwrap();
/// assert!((fit.coefficients[0] - 10.0).abs() < 1e-9 && (fit.coefficients[1] - 2.0).abs() < 1e-9);
/// ```
///
/// # Errors
/// When the model is not linear in its coefficients, or the data do not determine them.
pub fn simple_fit(model: Model, observed: &[Observation]) -> Result<ForeignFit> {
    weighted(model, observed, &|_| 1.0)
}

/// Minimizes Σ((obs(i) − f(i))/obs(i))².
///
/// # Errors
/// As [`simple_fit`]; also when an observation is not positive.
pub fn scaled_fit(model: Model, observed: &[Observation]) -> Result<ForeignFit> {
    let times: Vec<f64> = observed.iter().map(|o| o.time).collect();
    check_positive(&times)?;
    weighted(model, observed, &|o| 1.0 / o.time)
}

/// Start-up time t_s and time per word t_w of messages of given lengths, T = t_s + t_w·L, by the simple fit.
///
/// # Errors
/// When the lists differ in length or do not determine a line.
pub fn message_line(lengths: &[f64], times: &[f64]) -> Result<(f64, f64)> {
    check_shape("times", lengths.len(), times.len())?;
    let observed: Vec<Observation> =
        lengths.iter().zip(times).map(|(n, t)| Observation::of_size(*n, *t)).collect();
    let fit = simple_fit(Model::Affine, &observed)?;
    Ok((fit.coefficients[0], fit.coefficients[1]))
}

fn weighted(
    model: Model,
    observed: &[Observation],
    weight: &dyn Fn(&Observation) -> f64,
) -> Result<ForeignFit> {
    check_count("measured configurations", observed.len(), model.coefficient_names().len())?;
    let mut rows = Vec::with_capacity(observed.len());
    let mut rhs = Vec::with_capacity(observed.len());
    for o in observed {
        let row = model.row(o.n, o.p).filter(|_| model != Model::Gustafson);
        let Some(row) = row else {
            return Err(Error::Undefined { what: "this model is not linear in its coefficients" });
        };
        rows.push(row.iter().map(|x| x * weight(o)).collect::<Vec<f64>>());
        rhs.push(o.time * weight(o));
    }
    let Some((coefficients, _)) = least_squares(&columns(&rows), &rhs) else {
        return Err(Error::Undefined {
            what: "the measurements do not determine the coefficients",
        });
    };
    let objective = rows.iter().zip(&rhs).map(|(r, y)| (y - dot(r, &coefficients)).powi(2)).sum();
    Ok(ForeignFit { coefficients, objective })
}
