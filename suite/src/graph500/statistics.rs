//! The statistics that Graph500 prescribes, computed as its reference implementation computes them.

/// Order statistics, mean and standard deviation of some numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Statistics {
    /// The smallest.
    pub minimum: f64,
    /// The first quartile: the mean of the two numbers about it.
    pub first_quartile: f64,
    /// The median.
    pub median: f64,
    /// The third quartile.
    pub third_quartile: f64,
    /// The largest.
    pub maximum: f64,
    /// The arithmetic mean.
    pub mean: f64,
    /// The sample standard deviation, with n − 1; not defined for a single number.
    pub standard_deviation: f64,
}

impl Statistics {
    /// Of at least one number; none for none.
    ///
    /// ```
    /// use plusminus_suite::graph500::Statistics;
    ///
    /// let of_five = Statistics::of(&[5.0, 1.0, 4.0, 2.0, 3.0]).unwrap();
    /// assert_eq!((of_five.first_quartile, of_five.median, of_five.third_quartile), (2.0, 3.0, 4.0));
    /// assert_eq!(of_five.standard_deviation, 2.5f64.sqrt());
    /// ```
    pub fn of(numbers: &[f64]) -> Option<Self> {
        let n = numbers.len();
        if n == 0 {
            return None;
        }
        let mean = numbers.iter().sum::<f64>() / n as f64;
        let squares: f64 = numbers.iter().map(|x| (x - mean).powi(2)).sum();
        let mut x = numbers.to_vec();
        x.sort_by(f64::total_cmp);
        Some(Self {
            minimum: x[0],
            first_quartile: (x[(n - 1) / 4] + x[n / 4]) * 0.5,
            median: (x[(n - 1) / 2] + x[n / 2]) * 0.5,
            third_quartile: (x[n - 1 - (n - 1) / 4] + x[n - 1 - n / 4]) * 0.5,
            maximum: x[n - 1],
            mean,
            standard_deviation: (squares / (n as f64 - 1.0)).sqrt(),
        })
    }

    /// The standard error of the harmonic mean of the reciprocals of n numbers that have these statistics (Norris 1940).
    pub fn harmonic_standard_deviation(&self, n: usize) -> f64 {
        self.standard_deviation / (self.mean * self.mean * (n as f64 - 1.0).sqrt())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quartiles_are_those_of_the_reference_implementation() {
        let quartiles = |n: usize| {
            let numbers: Vec<f64> = (1..=n).rev().map(|x| x as f64).collect();
            let s = Statistics::of(&numbers).unwrap();
            (s.minimum, s.first_quartile, s.median, s.third_quartile, s.maximum)
        };
        assert_eq!(quartiles(1), (1.0, 1.0, 1.0, 1.0, 1.0));
        assert_eq!(quartiles(4), (1.0, 1.5, 2.5, 3.5, 4.0));
        assert_eq!(quartiles(6), (1.0, 2.0, 3.5, 5.0, 6.0));
        assert_eq!(quartiles(64), (1.0, 16.5, 32.5, 48.5, 64.0));
        assert_eq!(Statistics::of(&[]), None);
    }

    #[test]
    fn the_error_of_the_harmonic_mean_is_norriss() {
        let s = Statistics::of(&[1.0, 2.0, 3.0, 6.0]).unwrap();
        // Mean 3, variance 14/3, so √(14/3) / (9 √3) = √14 / 27.
        assert!((s.harmonic_standard_deviation(4) - 14.0f64.sqrt() / 27.0).abs() < 1e-15);
    }
}
