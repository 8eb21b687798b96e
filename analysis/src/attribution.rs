//! Splits a change of time over its parts: how much comes from each, and how much only from several together.
//!
//! Each part was measured alone, as a program that has nothing else of the change. Costs of functions add up in time, so shares are
//! relative changes new/base − 1, and not their logarithms.
//!
//! ```
//! use plusminus_analysis::{Estimate, attribution::attribute};
//!
//! let whole = Estimate::known(0.050, 0.003);
//! let parts = [Estimate::known(0.041, 0.003), Estimate::known(0.008, 0.002)];
//! let split = attribute(whole, &parts).unwrap();
//! assert!((split.rest.value - 0.001).abs() < 1e-12 && split.agrees());
//! ```

use crate::{Estimate, Result, error::finite};

/// How many standard uncertainties the rest may be away from 0 while the parts agree with the whole.
const AGREES: f64 = 2.0;

/// A change of time, split over its parts.
#[derive(Debug, Clone, PartialEq)]
pub struct Attribution {
    /// Each part as a fraction of the whole, in the order of the parts; `None` for all if the whole is 0.
    pub fractions: Option<Vec<Estimate>>,
    /// The whole without all parts: changes that only several parts together cause, and changes that no part holds.
    pub rest: Estimate,
}

impl Attribution {
    /// Whether the parts add up to the whole, within two standard uncertainties.
    pub fn agrees(&self) -> bool {
        self.rest.u.is_some_and(|u| self.rest.value.abs() <= AGREES * u)
    }
}

/// Splits a relative change over parts whose changes were measured each alone, in blocks of their own.
///
/// # Errors
/// When a value or an uncertainty is missing or not finite.
pub fn attribute(whole: Estimate, parts: &[Estimate]) -> Result<Attribution> {
    let numbers = |estimate: &Estimate| {
        Ok((
            finite(estimate.value, "change")?,
            finite(estimate.u.unwrap_or(f64::NAN), "uncertainty")?,
        ))
    };
    let (value, u) = numbers(&whole)?;
    let parts: Vec<(f64, f64)> = parts.iter().map(numbers).collect::<Result<_>>()?;
    let sum: f64 = parts.iter().map(|(value, _)| value).sum();
    let variance: f64 = parts.iter().map(|(_, u)| u * u).sum::<f64>() + u * u;
    let fraction = |&(part, of_part): &(f64, f64)| {
        let fraction = part / value;
        // Whole and part were measured independently (VoV 8).
        Estimate::known(fraction, (of_part / value).hypot(fraction * u / value))
    };
    Ok(Attribution {
        fractions: (value != 0.0).then(|| parts.iter().map(fraction).collect()),
        rest: Estimate::known(value - sum, libm::sqrt(variance)),
    })
}
