//! Sums that stay right for ten million samples and for samples of any size that a float can hold.

/// Sum with a running correction for the bits that each addition loses (Neumaier 1974).
pub(crate) fn sum(values: impl IntoIterator<Item = f64>) -> f64 {
    let mut total = 0.0_f64;
    let mut lost = 0.0_f64;
    for value in values {
        let next = total + value;
        lost += if total.abs() >= value.abs() {
            (total - next) + value
        } else {
            (value - next) + total
        };
        total = next;
    }
    total + lost
}

/// Σ x·y, as far as both have values.
#[cfg(feature = "models")]
pub(crate) fn dot(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(x, y)| x * y).sum()
}

/// Mean and sample standard deviation (divisor n − 1; 0 for a single value) of finite values.
pub(crate) fn mean_and_spread(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let scale = scale_of(values);
    let first = values[0] / scale;
    // Differences to the first value: equal values then have a spread of exactly zero.
    let shift = sum(values.iter().map(|x| x / scale - first)) / n;
    let squares = sum(values.iter().map(|x| {
        let deviation = (x / scale - first) - shift;
        deviation * deviation
    }));
    let spread = if values.len() < 2 { 0.0 } else { (squares / (n - 1.0)).sqrt() };
    ((first + shift) * scale, spread * scale)
}

/// A power of two of the size of the largest value, by which to divide so that no square overflows or vanishes.
pub(crate) fn scale_of(values: &[f64]) -> f64 {
    let largest = values.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    if largest == 0.0 {
        return 1.0;
    }
    let (_, exponent) = libm::frexp(largest);
    libm::ldexp(1.0, exponent.clamp(-1000, 1000))
}

/// Median of values, which are put into another order; `values` must not be empty.
pub(crate) fn median_in_place(values: &mut [f64]) -> f64 {
    let count = values.len();
    let (below, middle, _) = values.select_nth_unstable_by(count / 2, f64::total_cmp);
    if count % 2 == 1 {
        *middle
    } else {
        let lower = below.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        // Halves first: the sum of two large values could overflow.
        lower / 2.0 + *middle / 2.0
    }
}

pub(crate) fn median(values: &[f64]) -> f64 {
    median_in_place(&mut values.to_vec())
}

/// Correlation of neighbors, Σ(x_t − x̄)(x_{t+1} − x̄)/Σ(x_t − x̄)²; `None` when nothing varies.
pub(crate) fn lag_1(samples: &[f64]) -> Option<f64> {
    let centered = centered(samples)?;
    Some(products(&centered, 1) / products(&centered, 0))
}

/// Deviations from the mean in units of the largest; `None` when all are 0.
fn centered(samples: &[f64]) -> Option<Vec<f64>> {
    let mean = mean_and_spread(samples).0;
    let deviations: Vec<f64> = samples.iter().map(|x| x - mean).collect();
    let (low, high) =
        samples.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(*x), h.max(*x)));
    let scale = scale_of(&deviations);
    let usable = high > low && deviations.iter().all(|d| d.is_finite());
    usable.then(|| deviations.iter().map(|d| d / scale).collect())
}

fn products(centered: &[f64], lag: usize) -> f64 {
    sum(centered.iter().zip(&centered[lag..]).map(|(a, b)| a * b))
}
