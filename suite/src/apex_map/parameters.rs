//! The parameters that one point of a sweep fixes: M, I, R, CI and the seed of its addresses.

use std::fmt;
use std::str::FromStr;

use super::BLOCK_WORDS;
use crate::Bytes;

/// The most words that a call visits, so that long blocks come in fewer visits (the original's MAXNCL).
pub const MAX_ACCESSES: usize = 1 << 20;

/// The most blocks that a call visits: the number of addresses that are drawn for each α, 1 MiB of them.
pub(super) const MAX_INDICES: usize = 1 << 17;

/// Bytes of a word, a double.
const WORD: u64 = 8;

/// The parameters of a point. Written `512MiB`, or `64MiB,I=256,R=4,CI=2,seed=7` if a parameter is not at its
/// default.
///
/// ```
/// use plusminus_suite::apex_map::Parameters;
///
/// let point: Parameters = "64MiB,R=4".parse().unwrap();
/// assert_eq!(point.words(), 8 * 1024 * 1024);
/// assert_eq!((point.indices(), point.register_pressure()), (1024, 4));
/// assert_eq!(point.to_string(), "64MiB,R=4");
/// assert!("64MiB,R=3".parse::<Parameters>().is_err());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parameters {
    bytes: u64,
    indices: usize,
    register_pressure: usize,
    computational_intensity: usize,
    seed: u32,
}

/// The seed of addresses, as the original's.
pub(super) const SEED: u32 = 1;

impl Parameters {
    /// Makes a point with M of this number of MiB, I = 1024 indices, register pressure R and computational intensity
    /// CI of 1.
    ///
    /// # Errors
    /// When M is not a multiple of 512 KiB (the longest block), or more than 32 GiB.
    pub fn new(mebibytes: u64) -> Result<Self, ParametersError> {
        Self {
            bytes: mebibytes.saturating_mul(1 << 20),
            indices: 1024,
            register_pressure: 1,
            computational_intensity: 1,
            seed: SEED,
        }
        .valid()
    }

    /// Changes I, the number of blocks a call visits.
    ///
    /// # Errors
    /// When it is no power of two up to 131 072.
    pub fn with_indices(self, indices: usize) -> Result<Self, ParametersError> {
        Self { indices, ..self }.valid()
    }

    /// Changes R: this number of arrays of M/R words are visited at the same places, each with a sum of its own.
    ///
    /// # Errors
    /// When it is not 1, 2, 4 or 8, or M is not a multiple of R · 512 KiB.
    pub fn with_register_pressure(self, r: usize) -> Result<Self, ParametersError> {
        Self { register_pressure: r, ..self }.valid()
    }

    /// Changes CI: this number of multiplications and additions for each visited word.
    ///
    /// # Errors
    /// When it is not 1, 2, 4 or 8.
    pub fn with_computational_intensity(self, ci: usize) -> Result<Self, ParametersError> {
        Self { computational_intensity: ci, ..self }.valid()
    }

    /// Draws other addresses.
    #[must_use]
    pub fn with_seed(self, seed: u32) -> Self {
        Self { seed, ..self }
    }

    /// The seed of the addresses, 1 by default.
    pub fn seed(&self) -> u32 {
        self.seed
    }

    /// M in words of 8 bytes, all R arrays together.
    pub fn words(&self) -> usize {
        (self.bytes / WORD) as usize
    }

    /// I: blocks that a call visits, while they are short.
    pub fn indices(&self) -> usize {
        self.indices
    }

    /// R: arrays, and sums kept at the same time.
    pub fn register_pressure(&self) -> usize {
        self.register_pressure
    }

    /// CI: multiplications and additions for each word visited.
    pub fn computational_intensity(&self) -> usize {
        self.computational_intensity
    }

    /// Blocks that a call visits: I, or fewer where I·L would exceed [`MAX_ACCESSES`].
    pub fn blocks(&self, block_words: usize) -> usize {
        self.indices.min(MAX_ACCESSES / block_words).max(1)
    }

    fn valid(self) -> Result<Self, ParametersError> {
        let longest_block = BLOCK_WORDS[BLOCK_WORDS.len() - 1] as u64 * WORD;
        let unit = longest_block * self.register_pressure as u64;
        let error = |message: String| Err(ParametersError(message));
        if ![1, 2, 4, 8].contains(&self.register_pressure) {
            return error(format!("R must be 1, 2, 4 or 8, not {}", self.register_pressure));
        }
        if ![1, 2, 4, 8].contains(&self.computational_intensity) {
            return error(format!("CI must be 1, 2, 4 or 8, not {}", self.computational_intensity));
        }
        if !self.indices.is_power_of_two() || self.indices > MAX_INDICES {
            let indices = self.indices;
            return error(format!("I must be a power of two up to {MAX_INDICES}, not {indices}"));
        }
        if self.bytes == 0 || !self.bytes.is_multiple_of(unit) || self.bytes / WORD > 1 << 32 {
            return error(format!(
                "M must be a multiple of {} KiB (R times the longest block), at most 32 GiB, not {} bytes",
                unit >> 10,
                self.bytes
            ));
        }
        Ok(self)
    }
}

impl fmt::Display for Parameters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", Bytes(self.bytes))?;
        for (name, value, default) in [
            ("I", self.indices, 1024),
            ("R", self.register_pressure, 1),
            ("CI", self.computational_intensity, 1),
            ("seed", self.seed as usize, SEED as usize),
        ] {
            if value != default {
                write!(f, ",{name}={value}")?;
            }
        }
        Ok(())
    }
}

impl FromStr for Parameters {
    type Err = ParametersError;

    fn from_str(text: &str) -> Result<Self, ParametersError> {
        let within = |reason: String| ParametersError(format!("`{text}`: {reason}"));
        let mut parts = text.split(',');
        let bytes: Bytes = parts.next().unwrap_or_default().parse().map_err(within)?;
        let mut parameters = Self {
            bytes: bytes.0,
            indices: 1024,
            register_pressure: 1,
            computational_intensity: 1,
            seed: SEED,
        };
        for part in parts {
            let number = |value: &str| {
                value.parse().map_err(|_| within(format!("`{value}` is not a whole number")))
            };
            match part.split_once('=') {
                Some(("I", value)) => parameters.indices = number(value)?,
                Some(("R", value)) => parameters.register_pressure = number(value)?,
                Some(("CI", value)) => parameters.computational_intensity = number(value)?,
                Some(("seed", value)) => parameters.seed = seed(value).map_err(within)?,
                _ => {
                    return Err(within(format!(
                        "unknown part `{part}`; known are I=, R=, CI= and seed="
                    )));
                }
            }
        }
        parameters.valid().map_err(|error| within(error.0))
    }
}

/// Reads a seed, of which the generator takes 32 bits.
pub(super) fn seed(value: &str) -> Result<u32, String> {
    value
        .parse()
        .map_err(|_| format!("the seed `{value}` is not a whole number up to {}", u32::MAX))
}

/// A parameter out of its range, or a text that is no point.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParametersError(pub(super) String);

impl fmt::Display for ParametersError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ParametersError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_can_be_read_back() {
        for name in ["512KiB", "64MiB", "512MiB", "1GiB", "64MiB,I=256,R=4,CI=2,seed=7"] {
            assert_eq!(name.parse::<Parameters>().unwrap().to_string(), name);
        }
    }

    #[test]
    fn long_blocks_come_in_fewer_visits() {
        let point = Parameters::new(512).unwrap();
        assert_eq!(point.blocks(1), 1024);
        assert_eq!(point.blocks(1024), 1024);
        assert_eq!(point.blocks(65_536), 16);
    }

    #[test]
    fn says_what_is_wrong_with_a_point() {
        for (text, part) in [
            ("64", "KiB, MiB or GiB"),
            ("64MiB,R=3", "R must be"),
            ("64MiB,CI=0", "CI must be"),
            ("64MiB,I=3", "power of two"),
            ("64MiB,Q=3", "unknown part `Q=3`"),
            ("64MiB,seed=-1", "the seed `-1` is not"),
            ("64MiB,seed=4294967296", "the seed `4294967296` is not"),
            ("64MiB,R=x", "whole number"),
            ("1MiB,R=4", "multiple of 2048 KiB"),
            ("64GiB", "at most 32 GiB"),
            ("0MiB", "multiple of 512 KiB"),
            ("99999999999999GiB", "too large"),
        ] {
            let message = text.parse::<Parameters>().unwrap_err().to_string();
            assert!(message.contains(part) && message.contains(text), "{message}");
        }
    }
}
