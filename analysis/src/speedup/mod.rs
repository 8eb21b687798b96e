//! Adjusted speedups S ± σ (VoV 7–10) with their intervals. Times in, in any unit as long as both sides
//! share it; dimensionless numbers out.
//!
//! **Direction.** S = base/new everywhere: S = 1.25 reads "new is 1.25× as fast as base".
//!
//! ```
//! use plusminus_analysis::{speedup, Confidence};
//!
//! let base = [67.2, 69.1, 58.2, 95.0];
//! let new = [33.1, 35.0, 30.2, 41.7];
//! // Measured on the same instances: their difficulty cancels.
//! let s = speedup::paired(&base, &new, speedup::Kind::BetweenVariants).unwrap();
//! let apart = speedup::unpaired(&base, &new, speedup::Kind::BetweenVariants).unwrap();
//! assert_eq!(s.speedup, apart.speedup);
//! assert!(s.sigma.unwrap() < apart.sigma.unwrap());
//! assert!(s.log_interval(Confidence::P95).unwrap().low > 1.0);
//! ```

mod pairs;
#[cfg(feature = "models")]
mod suite;

pub use pairs::{paired, unpaired};
#[cfg(feature = "models")]
pub use suite::{SuiteSummary, suite};

use crate::error::{Error, Result, check_positive, finite};
use crate::estimate::{Estimate, check_estimate, welch_satterthwaite};
use crate::interval::{Confidence, Interval};

/// The reference of a speedup. Always shown: the same number means different things.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Best sequential time over T(n, p).
    Real,
    /// T(n, 1) over T(n, p) of the same program.
    Relative,
    /// One implementation, commit or setting over another at the same p.
    BetweenVariants,
}

impl Kind {
    /// Returns the word that accompanies the number in a report.
    pub fn label(self) -> &'static str {
        match self {
            Self::Real => "real",
            Self::Relative => "relative",
            Self::BetweenVariants => "between variants",
        }
    }
}

/// An adjusted speedup S ± σ (VoV 10) of new over base.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Speedup {
    /// Its reference.
    pub kind: Kind,
    /// Mean time of base with its standard uncertainty.
    pub base: Estimate,
    /// Mean time of new with its standard uncertainty.
    pub new: Estimate,
    /// S = base/new (VoV 7).
    pub speedup: f64,
    /// Combined standard uncertainty σ of S (VoV 8 with σ_A, σ_B from VoV 5); `None` when a side has none.
    pub sigma: Option<f64>,
    /// The same formula with sample standard deviations: how single runs scatter, not how sure S is.
    pub spread: Option<f64>,
    /// Degrees of freedom of σ: Welch–Satterthwaite, or n − 1 for pairs. `None` when nothing limits them.
    pub degrees_of_freedom: Option<f64>,
    /// Covariance of the two means over their product, r_AB; 0 for independent samples.
    pub relative_covariance: f64,
}

impl Speedup {
    /// Speedup of independent estimates, such as means over runs or times with a known uncertainty (VoV 7, 8).
    ///
    /// # Errors
    /// When a time is not positive and finite, an uncertainty is negative or not finite, degrees of freedom are
    /// not positive, or the ratio overflows.
    pub fn from_estimates(base: Estimate, new: Estimate, kind: Kind) -> Result<Self> {
        check_positive(&[base.value, new.value])?;
        for (index, side) in [base, new].iter().enumerate() {
            check_estimate(index, side)?;
        }
        let speedup = ratio(base.value, new.value)?;
        let relative = base.u.zip(new.u).map(|(a, b)| (a / base.value, b / new.value));
        let sigma = relative.map(|(a, b)| speedup * a.hypot(b)).filter(|s| s.is_finite());
        let degrees_of_freedom = relative.and_then(|(a, b)| {
            welch_satterthwaite(&[(a, base.degrees_of_freedom), (b, new.degrees_of_freedom)])
        });
        Ok(Self {
            kind,
            base,
            new,
            speedup,
            sigma,
            spread: None,
            degrees_of_freedom,
            relative_covariance: 0.0,
        })
    }

    /// σ/S, which is the same for S and 1/S.
    pub fn relative_sigma(&self) -> Option<f64> {
        self.sigma.map(|s| s / self.speedup)
    }

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

    /// S with σ as a number to calculate with.
    pub fn estimate(&self) -> Estimate {
        Estimate {
            value: self.speedup,
            u: self.sigma,
            degrees_of_freedom: self.sigma.and(self.degrees_of_freedom),
        }
    }
}

/// base/new as a number that is positive and finite.
fn ratio(base: f64, new: f64) -> Result<f64> {
    let ratio = finite(base / new, "the speedup is too large for a number")?;
    if ratio > 0.0 {
        Ok(ratio)
    } else {
        Err(Error::Undefined { what: "the speedup is too small for a number" })
    }
}
