//! A value with its standard uncertainty: the form of every measured or derived number in this crate.

use crate::error::{Error, Result, finite};
use crate::interval::{Confidence, Interval};

/// An estimate x ± u.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The estimate, in the unit of the measurement.
    pub value: f64,
    /// Its standard uncertainty u in the same unit (VoV 5, 6); `None` when one observation cannot tell.
    pub u: Option<f64>,
    /// Degrees of freedom behind u; `None` when u is known and not estimated from a sample.
    pub degrees_of_freedom: Option<f64>,
}

impl Estimate {
    /// A value without uncertainty, such as a count.
    pub fn exact(value: f64) -> Self {
        Self { value, u: Some(0.0), degrees_of_freedom: None }
    }

    /// A value whose standard uncertainty is known from elsewhere (Type B evaluation).
    pub fn known(value: f64, u: f64) -> Self {
        Self { value, u: Some(u), degrees_of_freedom: None }
    }

    /// Relative standard uncertainty u/|x| (VoV 3); `None` when u is unknown or x is 0.
    pub fn rsu(&self) -> Option<f64> {
        let relative = self.u? / self.value.abs();
        relative.is_finite().then_some(relative)
    }

    /// The same value with another, independent uncertainty added in quadrature, such as that of the clock,
    /// tick/√6 per call (Type B evaluation).
    ///
    /// # Errors
    /// When the added uncertainty is negative or not finite.
    pub fn with_type_b(self, u_b: f64) -> Result<Self> {
        if !(u_b.is_finite() && u_b >= 0.0) {
            let reason = "a standard uncertainty must be finite and not negative";
            return Err(Error::Parameter { name: "type B uncertainty", value: u_b, reason });
        }
        let Some(u) = self.u else { return Ok(self) };
        Ok(Self {
            u: Some(finite(u.hypot(u_b), "the combined uncertainty is too large for a number")?),
            degrees_of_freedom: welch_satterthwaite(&[(u, self.degrees_of_freedom), (u_b, None)]),
            ..self
        })
    }

    /// The same value with its uncertainty multiplied, such as by √τ where runs resemble each other
    /// ([`serial::inflation`](crate::serial::inflation)).
    ///
    /// # Errors
    /// When the factor is negative or not finite, or the product too large for a number.
    pub fn widened(self, factor: f64) -> Result<Self> {
        if !(factor.is_finite() && factor >= 0.0) {
            let reason = "a factor of an uncertainty must be finite and not negative";
            return Err(Error::Parameter { name: "factor", value: factor, reason });
        }
        let widen = |u| finite(u * factor, "the widened uncertainty is too large for a number");
        Ok(Self { u: self.u.map(widen).transpose()?, ..self })
    }

    /// x ± t·u; `None` when u is unknown.
    ///
    /// # Panics
    /// When the degrees of freedom were set to a number that is not positive.
    ///
    /// ```
    /// use plusminus_analysis::{Confidence, Estimate};
    ///
    /// let time = Estimate { value: 12.0, u: Some(0.5), degrees_of_freedom: Some(7.0) };
    /// let interval = time.interval(Confidence::P95).unwrap();
    /// assert!((interval.high - 13.182).abs() < 1e-3);
    /// ```
    pub fn interval(&self, confidence: Confidence) -> Option<Interval> {
        let reach = match self.u? {
            0.0 => 0.0,
            u => confidence.factor(self.degrees_of_freedom) * u,
        };
        Interval::checked(self.value - reach, self.value + reach)
    }
}

/// Rejects estimates that no measurement gives; `index` is the position that the error names.
pub(crate) fn check_estimate(index: usize, estimate: &Estimate) -> Result<()> {
    let Estimate { value, u, degrees_of_freedom } = *estimate;
    if !value.is_finite() {
        return Err(Error::Invalid { index, value, reason: "it must be finite" });
    }
    if let Some(value) = u.filter(|u| !(u.is_finite() && *u >= 0.0)) {
        let reason = "a standard uncertainty must be finite and not negative";
        return Err(Error::Invalid { index, value, reason });
    }
    if let Some(value) = degrees_of_freedom.filter(|nu| !(nu.is_finite() && *nu > 0.0)) {
        let reason = "degrees of freedom must be positive and finite";
        return Err(Error::Invalid { index, value, reason });
    }
    Ok(())
}

/// Degrees of freedom of a sum of independent uncertainties (Welch–Satterthwaite, GUM G.2b).
///
/// Takes each contribution u with its degrees of freedom. `None` when no contribution limits them.
pub(crate) fn welch_satterthwaite(contributions: &[(f64, Option<f64>)]) -> Option<f64> {
    let largest = contributions.iter().fold(0.0_f64, |m, (u, _)| m.max(u.abs()));
    if largest == 0.0 {
        return None;
    }
    let squares = |u: f64| (u / largest) * (u / largest);
    let total: f64 = contributions.iter().map(|(u, _)| squares(*u)).sum();
    let weighted: f64 = contributions
        .iter()
        .filter_map(|(u, nu)| nu.map(|nu| squares(*u) * squares(*u) / nu))
        .sum();
    (weighted > 0.0).then(|| total * total / weighted)
}
