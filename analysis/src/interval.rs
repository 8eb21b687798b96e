//! Confidence levels and the intervals that belong to them.

use crate::error::{Result, check_probability};
use crate::special;

/// The probability with which intervals made this way contain the true value, strictly between 0 and 1.
///
/// ```
/// use plusminus_analysis::Confidence;
///
/// assert_eq!(Confidence::new(0.95).unwrap(), Confidence::P95);
/// assert!(Confidence::new(1.0).is_err());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Confidence(f64);

impl Confidence {
    /// 95 %: the default of every printed interval.
    pub const P95: Self = Self(0.95);
    /// 68.27 %: what ± one standard uncertainty means for a normal distribution.
    pub const ONE_SIGMA: Self = Self(0.682_689_492_137_085_9);

    /// Your own level.
    ///
    /// # Errors
    /// When the level does not lie strictly between 0 and 1.
    pub fn new(level: f64) -> Result<Self> {
        check_probability("confidence", level)?;
        Ok(Self(level))
    }

    /// The level as a number.
    pub fn level(self) -> f64 {
        self.0
    }

    /// How many standard uncertainties an interval of this level reaches to either side.
    ///
    /// `None` degrees of freedom mean that the uncertainty is known rather than estimated: the normal factor.
    ///
    /// # Panics
    /// When the degrees of freedom are not positive.
    pub fn factor(self, degrees_of_freedom: Option<f64>) -> f64 {
        let tail = 1.0 - self.0;
        match degrees_of_freedom {
            Some(nu) => special::student_t_two_sided_quantile(tail, nu),
            None => -special::normal_quantile(tail / 2.0),
        }
    }
}

/// A closed interval; `low` is never above `high`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

impl Interval {
    pub(crate) fn checked(low: f64, high: f64) -> Option<Self> {
        (low.is_finite() && high.is_finite() && low <= high).then_some(Self { low, high })
    }

    /// Does the interval contain a value?
    pub fn contains(&self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }

    /// Distance of the ends.
    pub fn width(&self) -> f64 {
        self.high - self.low
    }
}
