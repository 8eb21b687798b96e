//! Fitting one model, and the properties of a fit.

use super::model::{Model, Observation};
use super::search::{FitOptions, Found, Predicted, linear, linear_starts, search};
use crate::complexity::{Complexity, ComplexityOptions, performance_complexity};
use crate::error::{Error, Result, check_shape};
use crate::estimate::Estimate;
use crate::sums::{dot, median_in_place};

/// A fitted coefficient.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Coefficient {
    /// Its name in the formula.
    pub name: &'static str,
    /// Value with its standard uncertainty; u is `None` for a coefficient at 0, its bound.
    pub estimate: Estimate,
}

/// A model fitted to the logarithms of measured times.
#[derive(Debug, Clone, PartialEq)]
pub struct Fit {
    /// The model.
    pub model: Model,
    /// Its coefficients.
    pub coefficients: Vec<Coefficient>,
    /// Predicted times of the measured configurations.
    pub predictions: Vec<f64>,
    /// ln(measured/predicted) of each.
    pub residuals: Vec<f64>,
    /// AICc = m·ln(SSE/m) + 2k + 2k(k+1)/(m−k−1) with k = coefficients + 1; `None` with too few points, or
    /// when the model is exact.
    pub aicc: Option<f64>,
    /// Performance Complexity of the model on these measurements, noise not taken off.
    pub complexity: Complexity,
    /// Smallest and largest measured n.
    pub sizes: (f64, f64),
    /// Smallest and largest measured p.
    pub processors: (f64, f64),
    /// Covariance of ln b (of a and b for the power law), where it is known.
    pub(super) covariance: Option<Vec<Vec<f64>>>,
    values: Vec<f64>,
}

/// How far beyond the measured range predictions are given.
const EXTRAPOLATION: f64 = 2.0;

/// Fits a model by least squares of ln(measured/model), all coefficients ≥ 0.
///
/// # Errors
/// When measurements are not positive, too few or too close together for the model, or no fit exists.
pub fn fit(model: Model, observed: &[Observation], options: &FitOptions) -> Result<Fit> {
    model.check(observed)?;
    if !options.rsu.is_empty() {
        check_shape("relative uncertainties", observed.len(), options.rsu.len())?;
        crate::error::check_finite(&options.rsu)?;
    }
    let found = coefficients(model, observed, options, None)?;
    finish(model, observed, found)
}

/// The coefficients alone, from the usual starts or from given ones.
pub(super) fn coefficients(
    model: Model,
    observed: &[Observation],
    options: &FitOptions,
    start: Option<&[f64]>,
) -> Result<Found> {
    let times: Vec<f64> = observed.iter().map(|o| o.time).collect();
    let none = Error::Undefined { what: "no coefficients of this model fit the measurements" };
    let found = match model {
        Model::PowerLaw => {
            // a·n^b with b of either sign: exp(b) is the positive parameter of the search.
            let predict = |b: &[f64]| -> Vec<Predicted<'_>> {
                let exponent = libm::log(b[1]);
                observed
                    .iter()
                    .map(|o| {
                        let f = b[0] * libm::pow(o.n, exponent);
                        (f, vec![f / b[0], f * libm::log(o.n) / b[1]].into())
                    })
                    .collect()
            };
            let usual = vec![vec![times[0], 1.0], vec![times[0] / observed[0].n, 1f64.exp()]];
            let starts = start.map_or(usual, |s| vec![s.to_vec()]);
            search(&predict, &times, options, &starts)
        }
        Model::SizeAndProcessors => {
            let predict = |b: &[f64]| {
                let predicted = observed.iter().map(|o| size_and_processors(b, o));
                predicted.map(|(value, slopes)| (value, slopes.into())).collect()
            };
            let usual = product_starts(observed);
            let starts = start.map_or(usual, |s| vec![s.to_vec()]);
            search(&predict, &times, options, &starts)
        }
        _ => {
            let rows: Vec<Vec<f64>> = observed.iter().filter_map(|o| model.row(o.n, o.p)).collect();
            // A column of zeros (log p at p = 1 only) cannot be fitted; `check` has refused such data.
            let predict = |b: &[f64]| linear(&rows, b);
            let target: Vec<f64> = match model {
                Model::Gustafson => times.iter().map(|t| 1.0 / t).collect(),
                _ => times.clone(),
            };
            let starts = start.map_or_else(|| linear_starts(&rows, &target), |s| vec![s.to_vec()]);
            search(&predict, &target, options, &starts)
        }
    };
    found.filter(|f| f.coefficients.iter().chain(&f.predictions).all(|x| x.is_finite())).ok_or(none)
}

/// The time that a model with given coefficients of the search predicts for a configuration.
pub(super) fn evaluate(model: Model, b: &[f64], o: &Observation) -> f64 {
    let sum = |row: Vec<f64>| dot(&row, b);
    match model {
        Model::PowerLaw => b[0] * libm::pow(o.n, libm::log(b[1])),
        Model::SizeAndProcessors => size_and_processors(b, o).0,
        Model::Gustafson => 1.0 / model.row(o.n, o.p).map_or(f64::NAN, sum),
        _ => model.row(o.n, o.p).map_or(f64::NAN, sum),
    }
}

fn size_and_processors(b: &[f64], o: &Observation) -> (f64, Vec<f64>) {
    let [c1, c2, s, c3, c4] = [b[0], b[1], b[2], b[3], b[4]];
    let (n_log_n, log_p) = (o.n * libm::log2(o.n), libm::log2(o.p));
    let work = c1 * o.n + c2 * n_log_n;
    let share = 1.0 / o.p + s * (1.0 - 1.0 / o.p);
    let slopes = vec![o.n * share, n_log_n * share, work * (1.0 - 1.0 / o.p), log_p, 1.0];
    (work * share + c3 * log_p + c4, slopes)
}

/// Starts for the product model: work as c₁·n, as c₂·n·log n, and as both, with three sequential shares.
fn product_starts(observed: &[Observation]) -> Vec<Vec<f64>> {
    let mut starts = Vec::new();
    let mut typical: Vec<f64> = observed.iter().map(|o| o.time).collect();
    let time = median_in_place(&mut typical);
    let middle = |f: &dyn Fn(&Observation) -> f64| {
        let mut values: Vec<f64> = observed.iter().map(f).collect();
        median_in_place(&mut values)
    };
    let linear = middle(&|o| o.time * o.p / o.n);
    let log = middle(&|o| o.time * o.p / (o.n * libm::log2(o.n).max(1.0)));
    for (a, b) in [(0.9, 0.1), (0.1, 0.9), (0.5, 0.5)] {
        for s in [0.01, 0.1, 0.4] {
            for overhead in [1e-3, 1e-1] {
                starts.push(vec![a * linear, b * log, s, overhead * time, overhead * time]);
            }
        }
    }
    starts
}

fn finish(model: Model, observed: &[Observation], found: Found) -> Result<Fit> {
    let times: Vec<f64> = observed.iter().map(|o| o.time).collect();
    let predictions: Vec<f64> = match model {
        Model::Gustafson => found.predictions.iter().map(|f| 1.0 / f).collect(),
        _ => found.predictions,
    };
    let mut values = found.coefficients;
    if model == Model::PowerLaw {
        values[1] = libm::log(values[1]);
    }
    let residuals: Vec<f64> =
        times.iter().zip(&predictions).map(|(t, f)| libm::log(*t) - libm::log(*f)).collect();
    let (m, k) = (times.len() as f64, (values.len() + 1) as f64);
    let sse: f64 = residuals.iter().map(|r| r * r).sum();
    let aicc = m * libm::log(sse / m) + 2.0 * k + 2.0 * k * (k + 1.0) / (m - k - 1.0);
    let options =
        ComplexityOptions { fitted_parameters: values.len(), ..ComplexityOptions::default() };
    let degrees = m - values.len() as f64;
    let coefficients = model
        .coefficient_names()
        .iter()
        .enumerate()
        .map(|(i, name)| {
            let value = values[i];
            let u = found.log_covariance.as_ref().and_then(|c| {
                let in_logs = c[i][i].sqrt();
                match (model, i) {
                    // The second parameter of the power law was exp(b) already.
                    (Model::PowerLaw, 1) => Some(in_logs),
                    _ => (value > 0.0).then_some(in_logs * value),
                }
            });
            let degrees_of_freedom = u.map(|_| degrees);
            Coefficient { name, estimate: Estimate { value, u, degrees_of_freedom } }
        })
        .collect();
    let range = |f: fn(&Observation) -> f64| {
        observed.iter().map(f).fold((f64::INFINITY, 0.0_f64), |(l, h), x| (l.min(x), h.max(x)))
    };
    Ok(Fit {
        model,
        coefficients,
        residuals,
        aicc: (m > k + 1.0 && sse > 0.0).then_some(aicc).filter(|a| a.is_finite()),
        complexity: performance_complexity(&times, &predictions, &options)?,
        sizes: range(|o| o.n),
        processors: range(|o| o.p),
        covariance: found.log_covariance,
        predictions,
        values,
    })
}

impl Fit {
    /// Time for n and p. n counts for nothing in models of p alone, and the other way round.
    ///
    /// # Errors
    /// Beyond twice the measured range: the data say nothing about it. Below half of it likewise.
    pub fn predict(&self, n: f64, p: f64) -> Result<f64> {
        let scaled =
            |x: f64, (low, high): (f64, f64)| x >= low / EXTRAPOLATION && x <= high * EXTRAPOLATION;
        let reason = "predictions end at twice (and half) the measured range";
        if self.model.depends_on_size() && !scaled(n, self.sizes) {
            return Err(Error::Parameter { name: "n", value: n, reason });
        }
        if self.model.depends_on_processors() && !scaled(p, self.processors) {
            return Err(Error::Parameter { name: "p", value: p, reason });
        }
        let time = evaluate(self.model, &self.search_start(), &Observation { n, p, time: 1.0 });
        if time.is_finite() && time > 0.0 {
            Ok(time)
        } else {
            Err(Error::Undefined { what: "the model has no positive time there" })
        }
    }

    /// Values of the coefficients, in the order of [`Model::coefficient_names`].
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    pub(super) fn search_start(&self) -> Vec<f64> {
        let mut start = self.values.clone();
        if self.model == Model::PowerLaw {
            start[1] = libm::exp(start[1]);
        }
        start
    }
}
