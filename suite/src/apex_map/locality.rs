//! The two localities that a sweep varies.

use std::fmt;
use std::str::FromStr;

/// The ten α of the paper's sweep, from uniformly random to nearly constant.
pub const ALPHAS: [f64; 10] = [1.0, 0.5, 0.25, 0.1, 0.05, 0.025, 0.01, 0.005, 0.0025, 0.001];

/// The seventeen L of the paper's sweep, in words: 2⁰ to 2¹⁶.
pub const BLOCK_WORDS: [usize; 17] =
    [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16_384, 32_768, 65_536];

/// Temporal locality α and spatial locality L. Written `alpha=0.25,L=1024`, which is also how it is read.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Locality {
    /// Temporal locality α: 1 is uniformly random, towards 0 everything is near the first word.
    pub alpha: f64,
    /// Spatial locality L: consecutive words at each visit, a power of two.
    pub block_words: usize,
}

impl Locality {
    /// The paper's 10 α × 17 L, α slowest.
    pub fn sweep() -> impl Iterator<Item = Self> {
        ALPHAS.into_iter().flat_map(|alpha| {
            BLOCK_WORDS.into_iter().map(move |block_words| Self { alpha, block_words })
        })
    }
}

impl fmt::Display for Locality {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "alpha={},L={}", self.alpha, self.block_words)
    }
}

impl FromStr for Locality {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}` is not a locality: write it as alpha=0.25,L=1024");
        let (alpha, block) = text.split_once(',').ok_or_else(wrong)?;
        let alpha: f64 =
            alpha.strip_prefix("alpha=").ok_or_else(wrong)?.parse().map_err(|_| wrong())?;
        let block_words: usize =
            block.strip_prefix("L=").ok_or_else(wrong)?.parse().map_err(|_| wrong())?;
        if !(alpha > 0.0 && alpha <= 1.0) {
            return Err(format!("`{text}`: α must be above 0 and at most 1"));
        }
        if !block_words.is_power_of_two() {
            return Err(format!("`{text}`: L must be a power of two"));
        }
        Ok(Self { alpha, block_words })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sweep_has_170_localities_whose_names_can_be_read_back() {
        let names: Vec<String> = Locality::sweep().map(|locality| locality.to_string()).collect();
        assert_eq!(names.len(), 170);
        assert_eq!(names[0], "alpha=1,L=1");
        assert_eq!(names[169], "alpha=0.001,L=65536");
        for (name, locality) in names.iter().zip(Locality::sweep()) {
            assert_eq!(name.parse(), Ok(locality));
        }
    }

    #[test]
    fn says_what_is_wrong_with_a_locality() {
        for (text, part) in
            [("alpha=1", "alpha=0.25,L=1024"), ("alpha=2,L=1", "at most 1"), ("alpha=1,L=3", "two")]
        {
            let message = text.parse::<Locality>().unwrap_err();
            assert!(message.contains(part) && message.contains(text), "{message}");
        }
    }
}
