//! Faults of input numbers, described so that a person can find and mend them.

use std::fmt;

/// Result of an analysis.
pub type Result<T> = std::result::Result<T, Error>;

/// Why there is no answer. Functions of this crate return it instead of NaN or infinity.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// One value of the input cannot be used.
    Invalid {
        /// Position of the value in the slice that was given, counted from 0.
        index: usize,
        /// The value.
        value: f64,
        /// The expected value.
        reason: &'static str,
    },
    /// There are not enough values for the question that was asked.
    TooFew {
        /// The scarce things, in the plural ("samples", "runs").
        what: &'static str,
        /// How many there are.
        have: usize,
        /// How many are needed.
        need: usize,
    },
    /// Two inputs that belong together differ in length.
    Shape {
        /// The counted things.
        what: &'static str,
        /// The count that the other input implies.
        expected: usize,
        /// The count that was found.
        found: usize,
    },
    /// A parameter (a confidence, a margin …) is outside of its range.
    Parameter {
        /// Name of the parameter.
        name: &'static str,
        /// Its value.
        value: f64,
        /// Its range.
        reason: &'static str,
    },
    /// The answer does not exist or cannot be represented, although each input is fine by itself.
    Undefined {
        /// The quantity without a value, and why.
        what: &'static str,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Invalid { index, value, reason } => {
                write!(f, "value {value} at position {index} cannot be used: {reason}")
            }
            Self::TooFew { what, have, need } => {
                write!(f, "{have} {what} are too few: at least {need} are needed")
            }
            Self::Shape { what, expected, found } => {
                write!(f, "the number of {what} is {found}, but the other input has {expected}")
            }
            Self::Parameter { name, value, reason } => {
                write!(f, "{name} = {value} is not possible: {reason}")
            }
            Self::Undefined { what } => f.write_str(what),
        }
    }
}

impl std::error::Error for Error {}

pub(crate) fn check_finite(values: &[f64]) -> Result<()> {
    check_each(values, |x| x.is_finite(), "it must be finite")
}

/// Rejects everything but finite positive numbers: durations, rates and ratios.
pub(crate) fn check_positive(values: &[f64]) -> Result<()> {
    check_each(values, |x| x.is_finite() && x > 0.0, "it must be positive and finite")
}

fn check_each(values: &[f64], is_fine: fn(f64) -> bool, reason: &'static str) -> Result<()> {
    match values.iter().enumerate().find(|(_, x)| !is_fine(**x)) {
        None => Ok(()),
        Some((index, &value)) => Err(Error::Invalid { index, value, reason }),
    }
}

/// Asks for at least `need` of something.
pub(crate) fn check_count(what: &'static str, have: usize, need: usize) -> Result<()> {
    if have < need { Err(Error::TooFew { what, have, need }) } else { Ok(()) }
}

/// Asks for as many here as there.
pub(crate) fn check_shape(what: &'static str, expected: usize, found: usize) -> Result<()> {
    if expected == found { Ok(()) } else { Err(Error::Shape { what, expected, found }) }
}

/// Returns the value if it is finite, else an error with the quantity that overflowed.
pub(crate) fn finite(value: f64, what: &'static str) -> Result<f64> {
    if value.is_finite() { Ok(value) } else { Err(Error::Undefined { what }) }
}

/// A probability strictly between 0 and 1.
pub(crate) fn check_probability(name: &'static str, value: f64) -> Result<()> {
    if value > 0.0 && value < 1.0 {
        Ok(())
    } else {
        Err(Error::Parameter { name, value, reason: "it must lie strictly between 0 and 1" })
    }
}
