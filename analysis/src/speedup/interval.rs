//! Intervals around a speedup, on the log scale.

use super::Speedup;
use crate::interval::{Confidence, Interval};

impl Speedup {
    /// S·exp(±t·σ/S): the printed interval. Always positive, and reversed by reversing base and new.
    ///
    /// `None` when σ is unknown, or so large that an end of the interval is no number.
    pub fn log_interval(&self, confidence: Confidence) -> Option<Interval> {
        let factor = libm::exp(self.reach(confidence)?);
        Interval::checked(self.speedup / factor, self.speedup * factor).filter(|i| i.low > 0.0)
    }

    /// t·σ/S.
    fn reach(&self, confidence: Confidence) -> Option<f64> {
        match self.relative_sigma()? {
            0.0 => Some(0.0),
            relative => Some(confidence.factor(self.degrees_of_freedom) * relative),
        }
    }
}
