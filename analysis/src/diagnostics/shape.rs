//! Outliers by Tukey's fences, skewness, and a hint at two modes.

use crate::error::{Result, check_count, check_finite};
use crate::summary::quantile;
use crate::sums;

/// Values outside of Tukey's fences, which lie 1.5 and 3 interquartile ranges outside of the quartiles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TukeyCounts {
    /// More than 3 ranges below the first quartile.
    pub far_low: usize,
    /// Between 1.5 and 3 ranges below the first quartile.
    pub low: usize,
    /// Between 1.5 and 3 ranges above the third quartile.
    pub high: usize,
    /// More than 3 ranges above the third quartile.
    pub far_high: usize,
}

impl TukeyCounts {
    /// All of them.
    pub fn total(&self) -> usize {
        self.far_low + self.low + self.high + self.far_high
    }
}

/// Counts outliers; they stay in the data.
///
/// # Errors
/// When there are fewer than 4 values, or one is not finite.
pub fn tukey_counts(samples: &[f64]) -> Result<TukeyCounts> {
    check_count("samples", samples.len(), 4)?;
    let (low, high) = (quantile(samples, 0.25)?, quantile(samples, 0.75)?);
    let range = high - low;
    let mut counts = TukeyCounts { far_low: 0, low: 0, high: 0, far_high: 0 };
    for x in samples {
        if *x < low - 3.0 * range {
            counts.far_low += 1;
        } else if *x < low - 1.5 * range {
            counts.low += 1;
        } else if *x > high + 3.0 * range {
            counts.far_high += 1;
        } else if *x > high + 1.5 * range {
            counts.high += 1;
        }
    }
    Ok(counts)
}

/// Sample skewness with the usual correction for small samples (G₁); `None` when all values are equal.
///
/// # Errors
/// When there are fewer than 3 values, or one is not finite.
pub fn skewness(samples: &[f64]) -> Result<Option<f64>> {
    check_count("samples", samples.len(), 3)?;
    check_finite(samples)?;
    let n = samples.len() as f64;
    let (mean, spread) = sums::mean_and_spread(samples);
    if spread == 0.0 {
        return Ok(None);
    }
    let cubes = sums::sum(samples.iter().map(|x| ((x - mean) / spread).powi(3)));
    Ok(Some(n / ((n - 1.0) * (n - 2.0)) * cubes).filter(|g| g.is_finite()))
}

/// Middle of the largest gap between neighbouring values, if it hints at two modes, else `None`.
///
/// The gap must leave a tenth of the values on each side and exceed what one mode would show: 4 times the
/// median gap, and more for larger samples, whose largest gap grows with ln n. Ties make the median gap
/// 0; then the clock is too coarse to tell, and there is no hint.
///
/// # Errors
/// When there are fewer than 10 values, or one is not finite.
pub fn bimodality_gap(samples: &[f64]) -> Result<Option<f64>> {
    check_count("samples", samples.len(), 10)?;
    check_finite(samples)?;
    let n = samples.len();
    let mut sorted = samples.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let gaps: Vec<f64> = sorted.windows(2).map(|w| w[1] - w[0]).collect();
    let typical = sums::median(&gaps);
    // With a tenth on each side: gap i has i + 1 values below it.
    let side = n.div_ceil(10);
    let inner = side - 1..n - side;
    let widest = inner.max_by(|a, b| gaps[*a].total_cmp(&gaps[*b])).unwrap_or(0);
    let limit = 4.0 * typical * libm::log(n as f64).max(1.0);
    let hint = typical > 0.0 && gaps[widest] > limit;
    Ok(hint.then(|| sorted[widest] / 2.0 + sorted[widest + 1] / 2.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn one_mode_is_rarely_called_two_and_two_are_found() {
        let mut random = Random::new(3);
        for n in [10, 30, 100, 1000] {
            let mut sample = |apart: f64| -> Vec<f64> {
                (0..n).map(|i| random.normal() + if i % 3 == 0 { apart } else { 0.0 }).collect()
            };
            let mut count = |apart: f64| {
                (0..400).filter(|_| bimodality_gap(&sample(apart)).unwrap().is_some()).count()
            };
            let (single, double) = (count(0.0), count(20.0));
            assert!(single <= 40, "{single} of 400 normal samples of {n}");
            assert!(double >= 380, "{double} of 400 two-humped samples of {n}");
        }
    }

    #[test]
    fn skewness_of_a_known_sample() {
        // 1, 2, 10: deviations −10/3, −7/3, 17/3; G₁ = √(n(n−1))/(n−2) · m₃/m₂^1.5.
        let m = |k: i32| {
            [-10.0_f64 / 3.0, -7.0 / 3.0, 17.0 / 3.0].iter().map(|d| d.powi(k)).sum::<f64>() / 3.0
        };
        let expected = 6_f64.sqrt() * m(3) / m(2).powf(1.5);
        assert!((skewness(&[1.0, 2.0, 10.0]).unwrap().unwrap() - expected).abs() < 1e-12);
        assert_eq!(skewness(&[2.0; 5]).unwrap(), None);
    }
}
