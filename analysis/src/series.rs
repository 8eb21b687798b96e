//! Dependence of neighbors in a series.

use crate::sums;

/// Correlation of neighbors, Σ(x_t − x̄)(x_{t+1} − x̄)/Σ(x_t − x̄)²; `None` when nothing varies.
pub(crate) fn lag_1(samples: &[f64]) -> Option<f64> {
    let centered = centered(samples)?;
    Some(products(&centered, 1) / products(&centered, 0))
}

/// Deviations from the mean in units of the largest; `None` when all are 0.
fn centered(samples: &[f64]) -> Option<Vec<f64>> {
    let mean = sums::mean_and_spread(samples).0;
    let deviations: Vec<f64> = samples.iter().map(|x| x - mean).collect();
    let (low, high) =
        samples.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(*x), h.max(*x)));
    let scale = sums::scale_of(&deviations);
    let usable = high > low && deviations.iter().all(|d| d.is_finite());
    usable.then(|| deviations.iter().map(|d| d / scale).collect())
}

fn products(centered: &[f64], lag: usize) -> f64 {
    sums::sum(centered.iter().zip(&centered[lag..]).map(|(a, b)| a * b))
}
