//! Intervals around a speedup: first-order, on the log scale, and Fieller's.

use super::{Estimator, Speedup};
use crate::interval::{Confidence, Interval};

/// All speedups that the data do not contradict, by Fieller's theorem (1954).
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum FiellerSet {
    /// An interval with two ends.
    Bounded(Interval),
    /// The mean of new is not distinguishable from 0, so no speedup is too large for the data.
    Unbounded {
        /// Speedups below this one are excluded; `None` when no positive speedup is.
        at_least: Option<f64>,
    },
}

impl FiellerSet {
    /// Does the set contain a speedup?
    pub fn contains(&self, speedup: f64) -> bool {
        match self {
            Self::Bounded(interval) => interval.contains(speedup),
            Self::Unbounded { at_least } => at_least.is_none_or(|low| speedup >= low),
        }
    }
}

impl Speedup {
    /// S ± t·σ (VoV 10 with a t factor). Its lower end can be negative when σ is large; the default is
    /// [`Self::log_interval`].
    pub fn first_order_interval(&self, confidence: Confidence) -> Option<Interval> {
        let reach = self.reach(confidence)? * self.speedup;
        Interval::checked(self.speedup - reach, self.speedup + reach)
    }

    /// S·exp(±t·σ/S): the printed interval. Always positive, and reversed by reversing base and new.
    ///
    /// `None` when σ is unknown, or so large that an end of the interval is no number.
    pub fn log_interval(&self, confidence: Confidence) -> Option<Interval> {
        let factor = libm::exp(self.reach(confidence)?);
        Interval::checked(self.speedup / factor, self.speedup * factor).filter(|i| i.low > 0.0)
    }

    /// Fieller's set with the degrees of freedom of σ. `None` when σ is unknown, and for
    /// [`Estimator::PairedLog`], whose log interval needs no correction.
    pub fn fieller_set(&self, confidence: Confidence) -> Option<FiellerSet> {
        self.fieller_set_with(confidence, self.degrees_of_freedom)
    }

    /// Fieller's set with degrees of freedom of one's choice, such as runs − 1 (Kalibera & Jones 2013).
    pub fn fieller_set_with(
        &self,
        confidence: Confidence,
        degrees_of_freedom: Option<f64>,
    ) -> Option<FiellerSet> {
        if self.estimator == Estimator::PairedLog {
            return None;
        }
        if self.sigma? == 0.0 {
            let point = Interval { low: self.speedup, high: self.speedup };
            return Some(FiellerSet::Bounded(point));
        }
        let t = confidence.factor(degrees_of_freedom);
        let (r_base, r_new) = (t * self.base.rsu()?, t * self.new.rsu()?);
        let shared = t * t * self.relative_covariance;
        // In units of S: (1 − g)ρ² − 2(1 − t²r_AB)ρ + (1 − t²r_A²) ≤ 0 with g = t²r_B².
        let leading = 1.0 - r_new * r_new;
        let middle = 1.0 - shared;
        let constant = 1.0 - r_base * r_base;
        let discriminant = middle * middle - leading * constant;
        let root = discriminant.max(0.0).sqrt();
        if leading > 0.0 {
            // The root farther from zero first; the other one follows from the product without cancellation.
            let (low, high) = if middle > 0.0 {
                let high = (middle + root) / leading;
                (constant / leading / high, high)
            } else {
                let low = (middle - root) / leading;
                (low, if low == 0.0 { 0.0 } else { constant / leading / low })
            };
            return Interval::checked(low * self.speedup, high * self.speedup)
                .map(FiellerSet::Bounded);
        }
        // The set is everything outside of the roots. If base is significant, one of them is positive:
        let at_least = (constant > 0.0 && middle + root > 0.0)
            .then(|| constant / (middle + root) * self.speedup)
            .filter(|low| low.is_finite());
        Some(FiellerSet::Unbounded { at_least })
    }

    /// t·σ/S.
    fn reach(&self, confidence: Confidence) -> Option<f64> {
        match self.relative_sigma()? {
            0.0 => Some(0.0),
            relative => Some(confidence.factor(self.degrees_of_freedom) * relative),
        }
    }
}
