//! The normal distribution.

use std::f64::consts::{PI, SQRT_2};

/// P(Z ≤ z) of the standard normal distribution.
pub fn normal_cdf(z: f64) -> f64 {
    0.5 * libm::erfc(-z / SQRT_2)
}

/// The z with P(Z ≤ z) = `probability`.
///
/// # Panics
/// When the probability does not lie strictly between 0 and 1.
pub fn normal_quantile(probability: f64) -> f64 {
    assert!(probability > 0.0 && probability < 1.0, "probability {probability} outside of (0, 1)");
    if probability > 0.5 {
        return -lower(1.0 - probability);
    }
    lower(probability)
}

fn lower(p: f64) -> f64 {
    // A rational start (Abramowitz and Stegun 26.2.23, error < 4.5e-4) …
    let r = libm::sqrt(-2.0 * libm::log(p));
    let numerator = 2.515_517 + r * (0.802_853 + r * 0.010_328);
    let denominator = 1.0 + r * (1.432_788 + r * (0.189_269 + r * 0.001_308));
    let mut z = numerator / denominator - r;
    // … and Halley steps on the relative error, each of which triples the number of right digits.
    for _ in 0..3 {
        let density = libm::exp(-0.5 * z * z) / libm::sqrt(2.0 * PI);
        if density == 0.0 {
            break;
        }
        let step = (normal_cdf(z) - p) / density;
        z -= step / (1.0 + 0.5 * z * step);
    }
    z
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_quantiles() {
        for (p, z) in [
            (0.5, 0.0),
            (0.975, 1.959_963_984_540_054_2),
            (0.8, 0.841_621_233_572_914_2),
            (0.841_344_746_068_542_9, 1.0),
            (1e-10, -6.361_340_902_404_056),
        ] {
            let got = normal_quantile(p);
            assert!((got - z).abs() < 1e-13 * (1.0 + z.abs()), "{p}: {got} {z}");
        }
    }

    #[test]
    fn quantile_inverts_cdf_far_into_the_tail() {
        for exponent in 1..300 {
            let p = 10f64.powi(-exponent);
            let back = normal_cdf(normal_quantile(p));
            // The tail probability is z² times as sensitive as z.
            assert!((back / p - 1.0).abs() < 1e-12, "{p} {back}");
        }
    }
}
