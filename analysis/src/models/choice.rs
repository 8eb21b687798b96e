//! Which model? Akaike weights, and how well each predicts unseen data.

use super::fit::{Fit, coefficients, fit};
use super::model::{Model, Observation};
use super::search::FitOptions;
use crate::error::{Result, check_count, finite};

/// A fitted model in a comparison.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranked {
    /// The fit.
    pub fit: Fit,
    /// Akaike weight among the compared models; `None` when its AICc is.
    pub weight: Option<f64>,
    /// PC_a of predictions for each configuration from a fit to the others; `None` when one of them fails.
    pub leave_one_out: Option<f64>,
}

/// Models side by side, the best first.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// Fits by AICc.
    pub ranked: Vec<Ranked>,
    /// Models that the data cannot be fitted with, and why.
    pub refused: Vec<(Model, crate::Error)>,
}

impl Comparison {
    /// The models between which the data cannot decide: those at the top whose weights only together reach
    /// 0.9. One model means a clear choice.
    pub fn cannot_tell(&self) -> Vec<Model> {
        let mut sum = 0.0;
        let mut models = Vec::new();
        for ranked in &self.ranked {
            if sum >= 0.9 {
                break;
            }
            sum += ranked.weight.unwrap_or(0.0);
            models.push(ranked.fit.model);
        }
        models
    }
}

/// Fits all models to the same measurements and ranks them by AICc.
///
/// # Errors
/// When no model can be fitted: the reason of the first one.
pub fn compare(
    models: &[Model],
    observed: &[Observation],
    options: &FitOptions,
) -> Result<Comparison> {
    check_count("models", models.len(), 1)?;
    let mut ranked = Vec::new();
    let mut refused = Vec::new();
    for model in models {
        match fit(*model, observed, options) {
            Ok(fit) => ranked.push(Ranked {
                leave_one_out: leave_one_out(&fit, observed, options).ok(),
                fit,
                weight: None,
            }),
            Err(error) => refused.push((*model, error)),
        }
    }
    if ranked.is_empty() {
        return Err(refused[0].1.clone());
    }
    // A model without any residual beats all others, though its AICc is no number.
    let exact = |r: &Ranked| r.fit.complexity.sse == 0.0;
    let key =
        |r: &Ranked| r.fit.aicc.unwrap_or(if exact(r) { f64::NEG_INFINITY } else { f64::INFINITY });
    ranked.sort_by(|a, b| {
        key(a).total_cmp(&key(b)).then(a.fit.complexity.pc_a.total_cmp(&b.fit.complexity.pc_a))
    });
    if let Some(best) = ranked[0].fit.aicc {
        let likelihood = |r: &Ranked| r.fit.aicc.map(|a| libm::exp((best - a) / 2.0));
        let total: f64 = ranked.iter().filter_map(likelihood).sum();
        for r in &mut ranked {
            r.weight = likelihood(r).map(|l| l / total);
        }
    }
    Ok(Comparison { ranked, refused })
}

/// PC_a of predicting each configuration from the others: exp(√(mean of ln²(measured/predicted))) − 1.
///
/// # Errors
/// When a fit without one of the configurations fails.
pub fn leave_one_out(fit: &Fit, observed: &[Observation], options: &FitOptions) -> Result<f64> {
    let mut squares = 0.0;
    for left_out in 0..observed.len() {
        let rest = without(observed, left_out);
        let mut options = options.clone();
        if !options.rsu.is_empty() {
            options.rsu.remove(left_out);
        }
        // The product model has many starts; from the fit to all it is close anyway.
        let near: Vec<f64> = fit.search_start().iter().map(|b| b.max(1e-9)).collect();
        let start = (fit.model == Model::SizeAndProcessors).then_some(near.as_slice());
        let found = coefficients(fit.model, &rest, &options, start)?;
        let predicted = super::fit::evaluate(fit.model, &found.coefficients, &observed[left_out]);
        let residual = libm::log(observed[left_out].time) - libm::log(predicted);
        squares += residual * residual;
    }
    let pc = libm::expm1((squares / observed.len() as f64).sqrt());
    finite(pc, "a prediction from the other configurations fails")
}

pub(crate) fn without<T: Copy>(all: &[T], left_out: usize) -> Vec<T> {
    [&all[..left_out], &all[left_out + 1..]].concat()
}
