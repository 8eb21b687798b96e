//! Amdahl's law.

use crate::error::{Error, Result};

/// Share of the *sequential* time that cannot run in parallel (ω_s of Amdahl's law).
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct AmdahlFraction(f64);

impl AmdahlFraction {
    /// A share in \[0, 1\].
    ///
    /// # Errors
    /// When it is not.
    pub fn new(share: f64) -> Result<Self> {
        if (0.0..=1.0).contains(&share) {
            Ok(Self(share))
        } else {
            let reason = "a share lies between 0 and 1";
            Err(Error::Parameter { name: "serial fraction", value: share, reason })
        }
    }

    /// The share.
    pub fn share(self) -> f64 {
        self.0
    }

    /// Largest speedup on p processors, 1/(f + (1−f)/p).
    ///
    /// ```
    /// use plusminus_analysis::scaling::AmdahlFraction;
    ///
    /// let tenth = AmdahlFraction::new(0.1).unwrap();
    /// // Ten processors are not the end: a hundred give nearly twice as much.
    /// assert!((tenth.speedup(10) - 5.263).abs() < 1e-3);
    /// assert!((tenth.speedup(100) - 9.174).abs() < 1e-3);
    /// ```
    pub fn speedup(self, processors: usize) -> f64 {
        let p = processors.max(1) as f64;
        1.0 / (self.0 + (1.0 - self.0) / p)
    }

    /// Largest speedup on any number of processors, 1/f; `None` when there is no limit.
    pub fn limit(self) -> Option<f64> {
        Some(1.0 / self.0).filter(|s| s.is_finite())
    }
}
