//! The Shapiro–Wilk test of normality with Royston's approximations (Applied Statistics 44, 1995, AS R94).

use crate::error::{Error, Result, check_count, check_finite};
use crate::special::{normal_cdf, normal_quantile};
use crate::sums;

/// Result of the test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ShapiroWilk {
    /// W: 1 for a sample that looks perfectly normal.
    pub w: f64,
    /// Probability of such a W or a smaller one for normal data.
    pub p: f64,
}

/// Tests whether values could come from a normal distribution; `None` when all are equal.
///
/// # Errors
/// When there are fewer than 4 or more than 5000 values, or one is not finite.
pub fn shapiro_wilk(samples: &[f64]) -> Result<Option<ShapiroWilk>> {
    check_count("samples", samples.len(), 4)?;
    check_finite(samples)?;
    if samples.len() > 5000 {
        let (name, value) = ("number of samples", samples.len() as f64);
        return Err(Error::Parameter { name, value, reason: "the approximation ends at 5000" });
    }
    let mut sorted = samples.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let n = sorted.len();
    let (mean, spread) = sums::mean_and_spread(&sorted);
    if spread == 0.0 {
        return Ok(None);
    }
    let weights = weights(n);
    let (mut shared, mut squares) = (0.0, 0.0);
    for (a, x) in weights.iter().zip(&sorted) {
        let z = (x - mean) / spread;
        shared += a * z;
        squares += z * z;
    }
    let w = (shared * shared / squares).min(1.0);
    Ok(Some(ShapiroWilk { w, p: p_value(w, n as f64) }))
}

/// Weights of the order statistics: normal scores, the outer ones corrected by polynomials in 1/√n.
fn weights(n: usize) -> Vec<f64> {
    let scores: Vec<f64> =
        (1..=n).map(|i| normal_quantile((i as f64 - 0.375) / (n as f64 + 0.25))).collect();
    let total: f64 = scores.iter().map(|m| m * m).sum();
    let u = 1.0 / (n as f64).sqrt();
    let norm = total.sqrt();
    let last = scores[n - 1] / norm
        + polynomial(&[0.0, 0.221_157, -0.147_981, -2.071_190, 4.434_685, -2.706_056], u);
    let mut outer = vec![last];
    if n > 5 {
        outer.push(
            scores[n - 2] / norm
                + polynomial(&[0.0, 0.042_981, -0.293_762, -1.752_461, 5.682_633, -3.582_633], u),
        );
    }
    let k = outer.len();
    let scores_left = total - 2.0 * scores[n - k..].iter().map(|m| m * m).sum::<f64>();
    let weights_left = 1.0 - 2.0 * outer.iter().map(|a| a * a).sum::<f64>();
    let scale = (scores_left / weights_left).sqrt();
    let mut weights: Vec<f64> = scores.iter().map(|m| m / scale).collect();
    for (i, a) in outer.into_iter().enumerate() {
        weights[i] = -a;
        weights[n - 1 - i] = a;
    }
    weights
}

/// A transformed 1 − W is near normal, with a mean and deviation that depend on n.
fn p_value(w: f64, n: f64) -> f64 {
    let rest = libm::log(1.0 - w);
    let z = if n <= 11.0 {
        let limit = polynomial(&[-2.273, 0.459], n);
        if rest >= limit {
            return 0.0;
        }
        let mean = polynomial(&[0.544, -0.399_78, 0.025_054, -6.714e-4], n);
        let deviation = libm::exp(polynomial(&[1.382_2, -0.778_57, 0.062_767, -0.002_032_2], n));
        (-libm::log(limit - rest) - mean) / deviation
    } else {
        let l = libm::log(n);
        let mean = polynomial(&[-1.586_1, -0.310_82, -0.083_751, 0.003_891_5], l);
        let deviation = libm::exp(polynomial(&[-0.480_3, -0.082_676, 0.003_030_2], l));
        (rest - mean) / deviation
    };
    // W = 1 has rest = −∞: as normal as can be.
    if z.is_nan() { 1.0 } else { normal_cdf(-z) }
}

fn polynomial(coefficients: &[f64], x: f64) -> f64 {
    coefficients.iter().rev().fold(0.0, |sum, c| sum * x + c)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn weights_of_eleven_men() {
        // The example of Shapiro and Wilk (1965), W = 0.79, as other implementations of AS R94 give it.
        let weights = [148.0, 154.0, 158.0, 160.0, 161.0, 162.0, 166.0, 170.0, 182.0, 195.0, 236.0];
        let found = shapiro_wilk(&weights).unwrap().unwrap();
        assert!((found.w - 0.788_814_783_1).abs() < 1e-6, "{found:?}");
        assert!((found.p - 0.006_703_8).abs() < 1e-6, "{found:?}");
    }

    #[test]
    fn samples_beyond_eleven() {
        // Fuel consumption of 32 and speed of 50 old cars: W and p as R's shapiro.test prints them.
        let mpg = [
            21.0, 21.0, 22.8, 21.4, 18.7, 18.1, 14.3, 24.4, 22.8, 19.2, 17.8, 16.4, 17.3, 15.2,
            10.4, 10.4, 14.7, 32.4, 30.4, 33.9, 21.5, 15.5, 15.2, 13.3, 19.2, 27.3, 26.0, 30.4,
            15.8, 19.7, 15.0, 21.4,
        ];
        let counts = [
            (4, 2),
            (7, 2),
            (8, 1),
            (9, 1),
            (10, 3),
            (11, 2),
            (12, 4),
            (13, 4),
            (14, 4),
            (15, 3),
            (16, 2),
            (17, 3),
            (18, 4),
            (19, 3),
            (20, 5),
            (22, 1),
            (23, 1),
            (24, 4),
            (25, 1),
        ];
        let speed: Vec<f64> =
            counts.iter().flat_map(|(x, n)| vec![f64::from(*x); *n as usize]).collect();
        for (values, w, p) in [(&mpg[..], 0.94756, 0.1229), (&speed, 0.97765, 0.4576)] {
            let found = shapiro_wilk(values).unwrap().unwrap();
            assert!((found.w - w).abs() < 5.1e-6 && (found.p - p).abs() < 5.1e-5, "{found:?}");
        }
    }

    #[test]
    fn p_values_are_uniform_for_normal_data_and_small_for_others() {
        let mut random = Random::new(7);
        for n in [8, 11, 12, 30, 60] {
            let p = |values: Vec<f64>| shapiro_wilk(&values).unwrap().unwrap().p;
            let mut normal: Vec<f64> =
                (0..2000).map(|_| p((0..n).map(|_| random.normal()).collect())).collect();
            normal.sort_unstable_by(f64::total_cmp);
            // The approximation aims at small p; around ½ it is off by a few per cent at n = 12.
            for (level, off) in [(0.05, 0.015), (0.5, 0.07)] {
                let share = normal.iter().filter(|p| **p < level).count() as f64 / 2000.0;
                assert!((share - level).abs() < off, "n {n}: {share} below {level}");
            }
            let skewed: Vec<f64> =
                (0..200).map(|_| p((0..n).map(|_| -random.uniform().ln()).collect())).collect();
            let found = skewed.iter().filter(|p| **p < 0.05).count();
            assert!(found > if n < 30 { 40 } else { 180 }, "n {n}: {found} of 200");
        }
    }
}
