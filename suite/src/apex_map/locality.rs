//! The two localities that a sweep varies.

use std::fmt;

/// The ten α of the paper's sweep, from uniformly random to nearly constant.
pub const ALPHAS: [f64; 10] = [1.0, 0.5, 0.25, 0.1, 0.05, 0.025, 0.01, 0.005, 0.0025, 0.001];

/// The seventeen L of the paper's sweep, in words: 2⁰ to 2¹⁶.
pub const BLOCK_WORDS: [usize; 17] =
    [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16_384, 32_768, 65_536];

/// Temporal locality α and spatial locality L. Written `alpha=0.25,L=1024`, which the models of Apex-MAP read.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sweep_has_170_localities() {
        let names: Vec<String> = Locality::sweep().map(|locality| locality.to_string()).collect();
        assert_eq!(names.len(), 170);
        assert_eq!(names[0], "alpha=1,L=1");
        assert_eq!(names[169], "alpha=0.001,L=65536");
    }
}
