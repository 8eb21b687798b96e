//! The four models of Apex-MAP (Table 2 of the paper), the last one as it has to read: both terms divided by
//! L, so that it becomes model 1 for L = 1 and model 2 where every access hits.

use crate::complexity::{Complexity, ComplexityOptions, performance_complexity};
use crate::error::{Error, Result, check_count, check_positive, check_shape, finite};
use crate::estimate::Estimate;
use crate::models::{FitOptions, linear, linear_starts, search, without};
use crate::sums::dot;

/// Parameters of one measurement of Apex-MAP.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Access {
    /// Temporal locality α in (0, 1]: 1 is uniformly random.
    pub alpha: f64,
    /// Block length L ≥ 1: accesses of stride 1 after each jump.
    pub length: f64,
    /// Memory in use, in the unit of the capacity c ("M" in the paper).
    pub memory: f64,
}

/// The models of Table 2: mean time per access.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ApexModel {
    /// 0: T = g.
    Flat,
    /// 1: T = P·g₁ + (1−P)·g₂.
    TwoLevel,
    /// 2: T = (l + g(L−1))/L.
    LatencyGap,
    /// 3: T = P(l₁ + g₁(L−1))/L + (1−P)(l₂ + g₂(L−1))/L.
    Combined,
}

impl ApexModel {
    /// All four, in the order of the paper.
    pub const ALL: [Self; 4] = [Self::Flat, Self::TwoLevel, Self::LatencyGap, Self::Combined];

    /// Names of the coefficients.
    pub fn coefficient_names(self) -> &'static [&'static str] {
        match self {
            Self::Flat => &["g"],
            Self::TwoLevel => &["g₁", "g₂"],
            Self::LatencyGap => &["l", "g"],
            Self::Combined => &["l₁", "g₁", "l₂", "g₂"],
        }
    }

    /// Does the capacity c enter?
    pub fn has_capacity(self) -> bool {
        matches!(self, Self::TwoLevel | Self::Combined)
    }

    /// Mean time per access for given coefficients and capacity (ignored if the model does not use it).
    ///
    /// # Errors
    /// When the number of coefficients is wrong.
    pub fn time(self, access: &Access, capacity: f64, coefficients: &[f64]) -> Result<f64> {
        let row = self.row(access, capacity);
        check_shape("coefficients", row.len(), coefficients.len())?;
        Ok(dot(&row, coefficients))
    }

    fn row(self, access: &Access, capacity: f64) -> Vec<f64> {
        let (first, rest) = (1.0 / access.length, (access.length - 1.0) / access.length);
        // P_hit = (c/mem)^α, 1 when everything fits.
        let hit = libm::pow((capacity / access.memory).min(1.0), access.alpha);
        match self {
            Self::Flat => vec![1.0],
            Self::TwoLevel => vec![hit, 1.0 - hit],
            Self::LatencyGap => vec![first, rest],
            Self::Combined => {
                vec![hit * first, hit * rest, (1.0 - hit) * first, (1.0 - hit) * rest]
            }
        }
    }
}

/// A fitted model of Apex-MAP.
#[derive(Debug, Clone, PartialEq)]
pub struct ApexFit {
    /// The model.
    pub model: ApexModel,
    /// Capacity c that fits best; `None` if the model does not use it.
    pub capacity: Option<f64>,
    /// Coefficients in the order of [`ApexModel::coefficient_names`], with uncertainties for fixed c.
    pub coefficients: Vec<Estimate>,
    /// Predicted times.
    pub predictions: Vec<f64>,
    /// Performance Complexity; c is a fitted parameter if several were tried.
    pub complexity: Complexity,
    /// PC_a of predictions for each measurement from a fit to the others, with the same c.
    pub leave_one_out: Option<f64>,
}

/// Fits a model to mean times per access, choosing c among given capacities, such as the cache sizes of the machine; a
/// single one is kept.
///
/// # Errors
/// When parameters are out of range, there are fewer measurements than parameters + 1, there is no capacity, or a capacity is not
/// positive.
pub fn fit_apex_map_with_capacities(
    model: ApexModel,
    accesses: &[Access],
    times: &[f64],
    capacities: &[f64],
) -> Result<ApexFit> {
    check_shape("times", accesses.len(), times.len())?;
    check_positive(times)?;
    let parameters = model.coefficient_names().len() + usize::from(model.has_capacity());
    check_count("measurements", times.len(), parameters + 1)?;
    for (index, a) in accesses.iter().enumerate() {
        let checks = [
            (a.alpha, a.alpha > 0.0 && a.alpha <= 1.0, "alpha must lie in (0, 1]"),
            (a.length, a.length >= 1.0 && a.length.is_finite(), "L must be at least 1"),
            (a.memory, a.memory > 0.0 && a.memory.is_finite(), "memory must be positive"),
        ];
        if let Some((value, _, reason)) = checks.into_iter().find(|(_, fine, _)| !fine) {
            return Err(Error::Invalid { index, value, reason });
        }
    }
    check_count("capacities", capacities.len(), 1)?;
    check_positive(capacities)?;
    let tried = if model.has_capacity() { capacities } else { &capacities[..1] };
    let best = tried
        .iter()
        .filter_map(|c| fit_at(model, (accesses, times), *c, tried.len() > 1))
        .min_by(|a, b| a.complexity.sse.total_cmp(&b.complexity.sse));
    let mut best = best
        .ok_or(Error::Undefined { what: "no coefficients of this model fit the measurements" })?;
    let capacity = best.capacity.unwrap_or(tried[0]);
    best.leave_one_out = leave_one_out(&best, accesses, times, capacity).ok();
    Ok(best)
}

/// The fit for one capacity, which is a fitted parameter if it is sought; `None` when the measurements do not
/// determine it (all accesses hit, say).
fn fit_at(
    model: ApexModel,
    (accesses, times): (&[Access], &[f64]),
    c: f64,
    is_sought: bool,
) -> Option<ApexFit> {
    let rows: Vec<Vec<f64>> = accesses.iter().map(|a| model.row(a, c)).collect();
    let found = solve(&rows, times, &linear_starts(&rows, times))?;
    let parameters = found.coefficients.len() + usize::from(model.has_capacity() && is_sought);
    let options =
        ComplexityOptions { fitted_parameters: parameters, ..ComplexityOptions::default() };
    let degrees = times.len() - found.coefficients.len();
    let coefficients = found
        .coefficients
        .iter()
        .enumerate()
        .map(|(k, value)| {
            let u = found.log_covariance.as_ref().filter(|_| *value > 0.0).map(|c| c[k][k].sqrt());
            Estimate {
                value: *value,
                u: u.map(|u| u * value),
                degrees_of_freedom: u.map(|_| degrees as f64),
            }
        })
        .collect();
    Some(ApexFit {
        model,
        capacity: model.has_capacity().then_some(c),
        coefficients,
        complexity: performance_complexity(times, &found.predictions, &options).ok()?,
        predictions: found.predictions,
        leave_one_out: None,
    })
}

fn solve(rows: &[Vec<f64>], times: &[f64], starts: &[Vec<f64>]) -> Option<crate::models::Found> {
    search(&|b: &[f64]| linear(rows, b), times, &FitOptions::default(), starts)
        .filter(|f| f.predictions.iter().all(|t| t.is_finite() && *t > 0.0))
}

fn leave_one_out(fit: &ApexFit, accesses: &[Access], times: &[f64], c: f64) -> Result<f64> {
    // From the fit to all, with a little of what it put to 0, so that this can come back.
    let start: Vec<f64> = fit.coefficients.iter().map(|b| b.value.max(1e-6)).collect();
    let mut squares = 0.0;
    for left_out in 0..times.len() {
        let others = without(accesses, left_out);
        let rows: Vec<Vec<f64>> = others.iter().map(|access| fit.model.row(access, c)).collect();
        let rest = without(times, left_out);
        let found = solve(&rows, &rest, std::slice::from_ref(&start))
            .ok_or(Error::Undefined { what: "a fit without one measurement fails" })?;
        let predicted = fit.model.time(&accesses[left_out], c, &found.coefficients)?;
        squares += libm::log(times[left_out] / predicted).powi(2);
    }
    let pc = libm::expm1((squares / times.len() as f64).sqrt());
    finite(pc, "a prediction from the other measurements fails")
}
