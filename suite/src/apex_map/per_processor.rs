//! The point of a parallel sweep: memory for each processor, and how many processors.

use std::fmt;
use std::str::FromStr;

use super::BLOCK_WORDS;
use super::parameters::{MAX_ACCESSES, MAX_INDICES, ParametersError, SEED, seed};
use crate::Bytes;

/// I of the parallel forms: enough blocks that starting the ranks is a small part of a call.
const INDICES: usize = 1 << 15;

/// Memory for each processor and the number of processors. Written `512MiB,p=2`, or `512MiB,p=2,I=1024`.
///
/// ```
/// use plusminus_suite::apex_map::PerProcessor;
///
/// let point: PerProcessor = "64MiB,p=2".parse().unwrap();
/// assert_eq!((point.part_words(), point.processors()), (8 << 20, 2));
/// assert!("60MiB,p=2".parse::<PerProcessor>().is_err());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PerProcessor {
    bytes: u64,
    processors: usize,
    indices: usize,
    seed: u32,
}

impl PerProcessor {
    /// Makes a point with this memory for each of this number of processors, and I = 32 768 blocks for each rank and
    /// call.
    ///
    /// # Errors
    /// When the memory of a processor is not a power of two of at least 512 KiB, all of it is more than 32 GiB, or p
    /// is 0. With a power of two, a shift finds the owner of a word, as in a good compiler for a distributed array.
    pub fn new(mebibytes: u64, processors: usize) -> Result<Self, ParametersError> {
        let bytes = mebibytes.saturating_mul(1 << 20);
        Self { bytes, processors, indices: INDICES, seed: SEED }.valid()
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

    /// Words of 8 bytes that each rank owns.
    pub fn part_words(&self) -> usize {
        (self.bytes / 8) as usize
    }

    /// Processors p, one rank on each.
    pub fn processors(&self) -> usize {
        self.processors
    }

    /// Blocks that each rank visits in a call: I, or fewer where I·L would exceed 2²⁰ words.
    pub fn blocks(&self, block_words: usize) -> usize {
        self.indices.min(MAX_ACCESSES / block_words).max(1)
    }

    fn valid(self) -> Result<Self, ParametersError> {
        let longest_block = BLOCK_WORDS[BLOCK_WORDS.len() - 1];
        let error = |message: String| Err(ParametersError(message));
        if self.processors == 0 {
            return error("p must be at least 1".to_string());
        }
        if !self.indices.is_power_of_two() || self.indices > MAX_INDICES {
            return error(format!(
                "I must be a power of two up to {MAX_INDICES}, not {}",
                self.indices
            ));
        }
        if !self.bytes.is_power_of_two() || self.part_words() < longest_block {
            return error(format!(
                "the memory of a processor must be a power of two of at least 512 KiB, not {} bytes",
                self.bytes
            ));
        }
        if self.bytes.saturating_mul(self.processors as u64) > 32 << 30 {
            return error("all processors together may have at most 32 GiB".to_string());
        }
        Ok(self)
    }
}

impl fmt::Display for PerProcessor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},p={}", Bytes(self.bytes), self.processors)?;
        if self.indices != INDICES {
            write!(f, ",I={}", self.indices)?;
        }
        if self.seed != SEED {
            write!(f, ",seed={}", self.seed)?;
        }
        Ok(())
    }
}

impl FromStr for PerProcessor {
    type Err = ParametersError;

    fn from_str(text: &str) -> Result<Self, ParametersError> {
        let within = |reason: String| ParametersError(format!("`{text}`: {reason}"));
        let mut parts = text.split(',');
        let bytes: Bytes = parts.next().unwrap_or_default().parse().map_err(within)?;
        let mut point = Self { bytes: bytes.0, processors: 0, indices: INDICES, seed: SEED };
        for part in parts {
            let number = |value: &str| {
                value.parse().map_err(|_| within(format!("`{value}` is not a whole number")))
            };
            match part.split_once('=') {
                Some(("p", value)) => point.processors = number(value)?,
                Some(("I", value)) => point.indices = number(value)?,
                Some(("seed", value)) => point.seed = seed(value).map_err(within)?,
                _ => {
                    return Err(within(format!(
                        "unknown part `{part}`; known are p=, I= and seed="
                    )));
                }
            }
        }
        point.valid().map_err(|error| within(error.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_can_be_read_back() {
        for name in ["512KiB,p=1", "64MiB,p=3", "512MiB,p=2,I=1024,seed=7"] {
            assert_eq!(name.parse::<PerProcessor>().unwrap().to_string(), name);
        }
    }

    #[test]
    fn says_what_is_wrong_with_a_point() {
        for (text, part) in [
            ("64MiB", "p must be"),
            ("64MiB,p=0", "p must be"),
            ("64MiB,p=1,I=5", "I must be"),
            ("48MiB,p=1", "power of two"),
            ("256KiB,p=1", "at least 512 KiB"),
            ("32GiB,p=2", "at most 32 GiB"),
            ("64MiB,q=1", "unknown part `q=1`"),
            ("64MiB,p=1,seed=x", "the seed `x` is not"),
        ] {
            let message = text.parse::<PerProcessor>().unwrap_err().to_string();
            assert!(message.contains(part) && message.contains(text), "{message}");
        }
    }
}
