//! The laws of Amdahl and Gustafson. Their "serial fraction" is not the same number, so they are two types.

use crate::error::{Error, Result};

/// Share of the *sequential* time that cannot run in parallel (ω_s of Amdahl's law).
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct AmdahlFraction(f64);

/// Share of the time *on p processors* that is spent sequentially (ω_s of Gustafson's law).
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct GustafsonFraction(f64);

impl AmdahlFraction {
    /// A share in \[0, 1\].
    ///
    /// # Errors
    /// When it is not.
    pub fn new(share: f64) -> Result<Self> {
        check_share(share).map(Self)
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

    /// The same program's share of the parallel time on p processors, s' = f/(f + (1−f)/p).
    pub fn on(self, processors: usize) -> GustafsonFraction {
        let p = processors.max(1) as f64;
        GustafsonFraction(self.0 / (self.0 + (1.0 - self.0) / p))
    }
}

impl GustafsonFraction {
    /// A share in \[0, 1\].
    ///
    /// # Errors
    /// When it is not.
    pub fn new(share: f64) -> Result<Self> {
        check_share(share).map(Self)
    }

    /// The share.
    pub fn share(self) -> f64 {
        self.0
    }

    /// Scaled speedup when work grows with p, s' + p(1 − s').
    pub fn scaled_speedup(self, processors: usize) -> f64 {
        let p = processors.max(1) as f64;
        self.0 + p * (1.0 - self.0)
    }

    /// The share of the sequential time that the same program has, f = s'/(s' + p(1 − s')).
    pub fn of_sequential_time(self, processors: usize) -> AmdahlFraction {
        AmdahlFraction(self.0 / self.scaled_speedup(processors))
    }
}

/// The factor by which efficiency is at worst multiplied when p processors are simulated by p' < p of them,
/// p/(p'·⌈p/p'⌉). It is 1 only when p' divides p, and caches can break it either way.
///
/// # Errors
/// When p' is 0 or larger than p.
pub fn guaranteed_efficiency_factor(processors: usize, fewer: usize) -> Result<f64> {
    if fewer == 0 || fewer > processors {
        let (name, value) = ("fewer processors", fewer as f64);
        return Err(Error::Parameter { name, value, reason: "it must lie between 1 and p" });
    }
    Ok(processors as f64 / (fewer * processors.div_ceil(fewer)) as f64)
}

fn check_share(share: f64) -> Result<f64> {
    if (0.0..=1.0).contains(&share) {
        Ok(share)
    } else {
        let reason = "a share lies between 0 and 1";
        Err(Error::Parameter { name: "serial fraction", value: share, reason })
    }
}
