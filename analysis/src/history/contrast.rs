//! The difference of two groups of points: τ² between sessions, weights, and t.

use crate::{interval::Interval, serial, special};

#[derive(Debug, Clone)]
pub(super) struct Contrast {
    pub(super) difference: f64,
    pub(super) u: f64,
    degrees_of_freedom: f64,
    /// The residuals of the points of each group, over their standard deviation, in order.
    rest: [Vec<f64>; 2],
}

impl Contrast {
    pub(super) fn t(&self) -> f64 {
        if self.u > 0.0 { self.difference / self.u } else { 0.0 }
    }

    /// The probability of a t so far from 0.
    pub(super) fn p(&self) -> f64 {
        special::student_t_two_sided_tail(self.t(), self.degrees_of_freedom)
    }

    /// With the uncertainty that points have which resemble their neighbors.
    pub(super) fn widened(mut self) -> Self {
        self.u *= serial::inflation(&self.rest).sqrt();
        self
    }

    /// The interval that is wrong with a probability of `alpha`.
    pub(super) fn interval(&self, alpha: f64) -> Interval {
        let alpha = alpha.clamp(f64::MIN_POSITIVE, 0.5);
        let reach = special::student_t_two_sided_quantile(alpha, self.degrees_of_freedom) * self.u;
        Interval { low: self.difference - reach, high: self.difference + reach }
    }
}

/// The difference between the points from `at` on and those before it, which are three at least. `of_links` answers the
/// variance that the uncertainties of links add, from the share of each point in the difference.
pub(super) fn contrast(
    values: &[f64],
    variances: &[f64],
    at: usize,
    of_links: impl Fn(&[f64]) -> f64,
) -> Contrast {
    let ends = [0, at, values.len()];
    let tau = between(values, variances, &ends);
    let weights: Vec<f64> = variances.iter().map(|v| 1.0 / (v + tau)).collect();
    let sums: [f64; 2] = [weights[..at].iter().sum(), weights[at..].iter().sum()];
    let means =
        [mean(&values[..at], &variances[..at], tau), mean(&values[at..], &variances[at..], tau)];
    let side = |index: usize| usize::from(index >= at);
    let signed = |(index, weight): (usize, &f64)| {
        let sign = if index < at { -1.0 } else { 1.0 };
        sign * weight / sums[side(index)]
    };
    let shares: Vec<f64> = weights.iter().enumerate().map(signed).collect();
    let variance = 1.0 / sums[0] + 1.0 / sums[1] + of_links(&shares);
    let mut rest = [Vec::new(), Vec::new()];
    for (index, (value, weight)) in values.iter().zip(&weights).enumerate() {
        rest[side(index)].push((value - means[side(index)]) * weight.sqrt());
    }
    Contrast {
        difference: means[1] - means[0],
        u: variance.sqrt(),
        degrees_of_freedom: (values.len() - 2) as f64,
        rest,
    }
}

/// The least variance of a point: times that agree to a millionth are not known any better than that.
const LEAST_VARIANCE: f64 = 1e-12;

pub(super) fn mean(values: &[f64], variances: &[f64], tau: f64) -> f64 {
    let first = values.first().copied().unwrap_or(0.0);
    let (mut sum, mut weights) = (0.0, 0.0);
    for (value, variance) in values.iter().zip(variances) {
        let weight = 1.0 / (variance + tau).max(LEAST_VARIANCE);
        sum += weight * (value - first);
        weights += weight;
    }
    if weights > 0.0 { first + sum / weights } else { first }
}

/// τ², the variance between sessions with which the squares of the residuals add up to the degrees of freedom (Paule
/// and Mandel 1982). It keeps every variance at or above [`LEAST_VARIANCE`].
pub(super) fn between(values: &[f64], variances: &[f64], ends: &[usize]) -> f64 {
    let levels = ends.len() - 1;
    let freedom = values.len().saturating_sub(levels) as f64;
    if freedom == 0.0 {
        return LEAST_VARIANCE;
    }
    let mut tau = LEAST_VARIANCE;
    for _ in 0..50 {
        let (mut squares, mut slope) = (0.0, 0.0);
        for pair in ends.windows(2) {
            let range = pair[0]..pair[1];
            let mean = mean(&values[range.clone()], &variances[range.clone()], tau);
            for index in range {
                let weight = 1.0 / (variances[index] + tau);
                let square = (values[index] - mean).powi(2) * weight;
                squares += square;
                slope += square * weight;
            }
        }
        if slope == 0.0 || (squares <= freedom && tau <= LEAST_VARIANCE) {
            break;
        }
        // Newton on 1/Q, which is a straight line in τ² where all variances are the same.
        let step = (squares / freedom - 1.0) * squares / slope;
        let next = (tau + step).max(LEAST_VARIANCE);
        let is_close = (next - tau).abs() <= 1e-9 * (next + tau);
        tau = next;
        if is_close {
            break;
        }
    }
    tau
}
