//! Fits coefficients > 0 to the logarithm of measurements: Levenberg–Marquardt on ln b, from several starts.

use std::borrow::Cow;

use super::linear::{inverse_normal, least_squares, non_negative};
use crate::sums;

/// The value of a model at a point, and its slopes by coefficient.
pub(crate) type Predicted<'a> = (f64, Cow<'a, [f64]>);

/// Predicts every point for given coefficients ≥ 0.
type Predict<'a> = dyn Fn(&[f64]) -> Vec<Predicted<'a>> + 'a;

/// How to weigh points.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FitOptions {
    /// Relative standard uncertainty u_j of each measurement; empty if all count the same.
    pub rsu: Vec<f64>,
    /// Relative misfit τ that the model is expected to have: weights are 1/(u_j² + τ²).
    pub misfit: f64,
    /// Weigh down points that lie far off (Huber's function with 1.345 robust standard deviations).
    pub robust: bool,
}

impl FitOptions {
    /// 1/(u² + τ²) for each point; all 1 without uncertainties, or when one of them is 0 without a misfit.
    pub(crate) fn weights(&self, points: usize) -> Vec<f64> {
        let weight = |u: &f64| 1.0 / (u * u + self.misfit * self.misfit);
        let weights: Vec<f64> = self.rsu.iter().map(weight).collect();
        if weights.len() == points && weights.iter().all(|w| w.is_finite()) {
            weights
        } else {
            vec![1.0; points]
        }
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Found {
    /// Coefficients. If the data push one to 0, it is exactly 0.
    pub(crate) coefficients: Vec<f64>,
    pub(crate) predictions: Vec<f64>,
    /// Covariance of the logarithms of the coefficients that are not 0, with rows and columns of 0 for the
    /// others; `None` without degrees of freedom left.
    pub(crate) log_covariance: Option<Vec<Vec<f64>>>,
}

/// Below this share of every prediction a coefficient is set to 0.
const NEGLIGIBLE: f64 = 1e-7;

/// The best fit from several starts; `None` when no start leads anywhere.
pub(crate) fn search(
    predict: &Predict<'_>,
    y: &[f64],
    options: &FitOptions,
    starts: &[Vec<f64>],
) -> Option<Found> {
    let logs: Vec<f64> = y.iter().map(|y| libm::log(*y)).collect();
    let weights = options.weights(y.len());
    let scale = weights.iter().copied().fold(0.0, f64::max);
    let weights: Vec<f64> = weights.iter().map(|w| w / scale).collect();
    let descend = |start: &Vec<f64>, fixed: &[bool]| {
        if options.robust {
            robust_descent(predict, &logs, &weights, start, fixed)
        } else {
            descent(predict, &logs, &weights, start, fixed)
        }
    };
    let free = vec![false; starts.first()?.len()];
    let (best, _) = starts
        .iter()
        .filter_map(|start| descend(start, &free))
        .min_by(|a, b| a.1.total_cmp(&b.1))?;
    // A term that is negligible everywhere is set to 0, and the others are fitted once more without it.
    let at = predict(&best);
    let fixed: Vec<bool> = (0..best.len())
        .map(|k| at.iter().all(|(f, slopes)| slopes[k] * best[k] < NEGLIGIBLE * f))
        .collect();
    let kept: Vec<f64> = best.iter().zip(&fixed).map(|(b, z)| if *z { 0.0 } else { *b }).collect();
    let (coefficients, _) = descend(&kept, &fixed)?;
    let at = predict(&coefficients);
    let predictions: Vec<f64> = at.iter().map(|(f, _)| *f).collect();
    let log_covariance = covariance(&at, &logs, &weights, &coefficients, &fixed);
    Some(Found { coefficients, predictions, log_covariance })
}

/// Predictions of a model that is linear in its coefficients, whose slopes are the rows.
pub(crate) fn linear<'a>(rows: &'a [Vec<f64>], b: &[f64]) -> Vec<Predicted<'a>> {
    rows.iter().map(|row| (sums::dot(row, b), Cow::Borrowed(&row[..]))).collect()
}

/// Starts for a model that is linear in its coefficients: the scaled fit with coefficients ≥ 0, all alike,
/// and each in the lead, so that one that the first start puts to 0 can come back.
pub(crate) fn linear_starts(rows: &[Vec<f64>], y: &[f64]) -> Vec<Vec<f64>> {
    let q = rows.first().map_or(0, Vec::len);
    // b_k if column k alone had to explain the typical measurement.
    let alone: Vec<f64> = (0..q)
        .map(|k| {
            let mut ratios: Vec<f64> =
                rows.iter().zip(y).filter(|(r, _)| r[k] > 0.0).map(|(r, y)| y / r[k]).collect();
            if ratios.is_empty() { 1.0 } else { sums::median_in_place(&mut ratios) }
        })
        .collect();
    let scaled: Vec<Vec<f64>> =
        rows.iter().zip(y).map(|(r, y)| r.iter().map(|x| x / y).collect()).collect();
    let first: Vec<f64> = non_negative(&scaled, &vec![1.0; y.len()])
        .iter()
        .zip(&alone)
        .map(|(b, a)| b.max(1e-3 * a))
        .collect();
    let share = |k: usize, lead: Option<usize>| match lead {
        None => alone[k] / q as f64,
        Some(leader) if leader == k => 0.9 * alone[k],
        Some(_) => 0.1 * alone[k] / q as f64,
    };
    let mut starts = vec![first, (0..q).map(|k| share(k, None)).collect()];
    if q > 1 {
        starts.extend((0..q).map(|leader| (0..q).map(|k| share(k, Some(leader))).collect()));
    }
    starts
}

fn robust_descent(
    predict: &Predict<'_>,
    logs: &[f64],
    weights: &[f64],
    start: &[f64],
    fixed: &[bool],
) -> Option<(Vec<f64>, f64)> {
    let (mut b, _) = descent(predict, logs, weights, start, fixed)?;
    let mut sum = f64::INFINITY;
    for _ in 0..50 {
        let residuals: Vec<f64> =
            predict(&b).iter().zip(logs).map(|((f, _), y)| y - libm::log(*f)).collect();
        let mut sizes: Vec<f64> = residuals.iter().map(|r| r.abs()).collect();
        let scale = 1.4826 * sums::median_in_place(&mut sizes);
        if scale < 1e-12 {
            break;
        }
        let huber: Vec<f64> = residuals
            .iter()
            .zip(weights)
            .map(|(r, w)| w * (1.345 * scale / r.abs()).min(1.0))
            .collect();
        let (next, objective) = descent(predict, logs, &huber, &b, fixed)?;
        let moved = next
            .iter()
            .zip(&b)
            .map(|(n, b)| if *b > 0.0 { libm::log(n / b).abs() } else { 0.0 })
            .fold(0.0, f64::max);
        (b, sum) = (next, objective);
        if moved < 1e-9 {
            break;
        }
    }
    if sum.is_infinite() {
        sum = objective(&predict(&b), logs, weights);
    }
    Some((b, sum))
}

/// Levenberg–Marquardt on ln b for the coefficients that are not fixed at 0; result and weighted sum of squares.
fn descent(
    predict: &Predict<'_>,
    logs: &[f64],
    weights: &[f64],
    start: &[f64],
    fixed: &[bool],
) -> Option<(Vec<f64>, f64)> {
    let free: Vec<usize> = (0..start.len()).filter(|k| !fixed[*k]).collect();
    let mut b = start.to_vec();
    let mut at = predict(&b);
    let mut sum = objective(&at, logs, weights);
    if !sum.is_finite() {
        return None;
    }
    let mut damping = 1e-3;
    for _ in 0..500 {
        let (mut columns, mut rhs) = jacobian(&at, logs, weights, &b, &free);
        let squares: Vec<f64> = columns.iter().map(|column| sums::dot(column, column)).collect();
        let largest = squares.iter().copied().fold(0.0, f64::max);
        if largest == 0.0 {
            break;
        }
        // One more row for each coefficient, with 0 for the others.
        let points = rhs.len();
        rhs.resize(points + free.len(), 0.0);
        for (k, (column, square)) in columns.iter_mut().zip(&squares).enumerate() {
            column.resize(points + free.len(), 0.0);
            column[points + k] = (damping * square.max(1e-14 * largest)).sqrt();
        }
        let Some((step, _)) = least_squares(&columns, &rhs) else { break };
        let longest = step.iter().fold(0.0_f64, |m, s| m.max(s.abs()));
        // A step of 3 changes a coefficient twentyfold: farther the linear picture means nothing.
        let shorten = if longest > 3.0 { 3.0 / longest } else { 1.0 };
        let mut next = b.clone();
        for (k, s) in free.iter().zip(&step) {
            next[*k] = (b[*k] * libm::exp(s * shorten)).max(1e-300);
        }
        let there = predict(&next);
        let lower = objective(&there, logs, weights);
        if lower.is_finite() && lower <= sum {
            let gain = sum - lower;
            (b, at, sum) = (next, there, lower);
            damping = (damping / 5.0).max(1e-15);
            if longest < 1e-13 || (gain <= 1e-16 * sum && longest < 1e-6) {
                break;
            }
        } else {
            damping *= 4.0;
            if damping > 1e12 || longest < 1e-10 {
                break;
            }
        }
    }
    polish(predict, logs, weights, &mut b, &free);
    let sum = objective(&predict(&b), logs, weights);
    Some((b, sum)).filter(|_| sum.is_finite())
}

/// Plain Gauss–Newton steps as long as they shrink. The sum of squares is too flat at its minimum to compare values
/// of it, but its slope still gives the last digits.
fn polish(predict: &Predict<'_>, logs: &[f64], weights: &[f64], b: &mut [f64], free: &[usize]) {
    let mut before = 1e-4;
    for _ in 0..50 {
        let (columns, rhs) = jacobian(&predict(b), logs, weights, b, free);
        let Some((step, _)) = least_squares(&columns, &rhs) else { return };
        let longest = step.iter().fold(0.0_f64, |m, s| m.max(s.abs()));
        // NaN does not shrink either.
        let shrinks = longest < 0.9 * before;
        if !shrinks {
            return;
        }
        free.iter().zip(&step).for_each(|(k, s)| b[*k] *= libm::exp(*s));
        before = longest;
        if longest < 1e-15 {
            return;
        }
    }
}

fn objective(at: &[Predicted<'_>], logs: &[f64], weights: &[f64]) -> f64 {
    at.iter()
        .zip(logs)
        .zip(weights)
        .map(|(((f, _), y), w)| {
            let r = y - libm::log(*f);
            w * r * r
        })
        .sum()
}

/// Columns √w·∂ln f/∂ln b, one for each free coefficient, and residuals √w·(ln y − ln f).
fn jacobian(
    at: &[Predicted<'_>],
    logs: &[f64],
    weights: &[f64],
    b: &[f64],
    free: &[usize],
) -> (Vec<Vec<f64>>, Vec<f64>) {
    let column = |k: &usize| {
        let points = at.iter().zip(weights);
        points.map(|((f, slopes), w)| w.sqrt() * slopes[*k] * b[*k] / f).collect()
    };
    let columns = free.iter().map(column).collect();
    let rhs = at
        .iter()
        .zip(logs)
        .zip(weights)
        .map(|(((f, _), y), w)| w.sqrt() * (y - libm::log(*f)))
        .collect();
    (columns, rhs)
}

/// (JᵀWJ)⁻¹·s² for the logarithms of the coefficients.
fn covariance(
    at: &[Predicted<'_>],
    logs: &[f64],
    weights: &[f64],
    b: &[f64],
    fixed: &[bool],
) -> Option<Vec<Vec<f64>>> {
    let free: Vec<usize> = (0..b.len()).filter(|k| !fixed[*k]).collect();
    let degrees = at.len().checked_sub(free.len()).filter(|d| *d > 0)?;
    let (columns, rhs) = jacobian(at, logs, weights, b, &free);
    let (_, triangle) = least_squares(&columns, &rhs)?;
    let variance = objective(at, logs, weights) / degrees as f64;
    let inverse = inverse_normal(&triangle);
    let mut full = vec![vec![0.0; b.len()]; b.len()];
    for (i, row) in free.iter().zip(&inverse) {
        for (j, value) in free.iter().zip(row) {
            full[*i][*j] = value * variance;
        }
    }
    full.iter().flatten().all(|c| c.is_finite()).then_some(full)
}
