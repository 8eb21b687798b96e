//! How many pairs of samples a block should have, by the scatter and the cost of blocks and pairs.

use crate::sums;

/// Makes a standard deviation of the median distance from the median, where values are normal.
const NORMAL: f64 = 1.482_602_218_505_602;

/// By how much the variance of a median of normal values exceeds that of their mean.
const OF_MEDIAN: f64 = core::f64::consts::FRAC_PI_2;

/// The least part of the variance of blocks that is taken to lie between them: a few blocks may lie closer together than
/// they will.
const LEAST_BETWEEN: f64 = 0.1;

/// Blocks from which on their components of variance are known well enough to choose by.
const ENOUGH: usize = 3;

/// The components of variance of the blocks of a row: that of a block of m pairs is `between + within/m`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scatter {
    /// σ_b², between blocks, however many pairs they have.
    pub between: f64,
    /// σ_w², what a block of a single pair would have in addition.
    pub within: f64,
}

impl Scatter {
    /// From what each block found: its log-ratio, the robust standard deviation of the log-ratios of its pairs, and their number.
    /// Outliers, of blocks or pairs, do not matter. `None` for fewer than three blocks, and where nothing scatters.
    ///
    /// ```
    /// use plusminus_analysis::verdict::Scatter;
    ///
    /// let scatter = Scatter::of(&[(0.00, 0.01, 21), (0.01, 0.01, 21), (0.02, 0.01, 21)]).unwrap();
    /// assert!((scatter.between + scatter.within / 21.0 - 0.01483_f64.powi(2)).abs() < 1e-6);
    /// ```
    pub fn of(blocks: &[(f64, f64, usize)]) -> Option<Self> {
        if blocks.len() < ENOUGH {
            return None;
        }
        let column = |value: fn(&(f64, f64, usize)) -> f64| -> Vec<f64> {
            blocks.iter().map(value).collect()
        };
        let of_pairs = sums::median_in_place(&mut column(|block| block.1));
        let pairs = sums::median_in_place(&mut column(|block| block.2 as f64));
        let of_blocks = spread(&column(|block| block.0));
        let within = OF_MEDIAN * of_pairs * of_pairs;
        let whole = of_blocks * of_blocks;
        let between = (whole - within / pairs).max(LEAST_BETWEEN * whole);
        (between > 0.0).then_some(Self { between, within })
    }
}

/// The standard deviation of values, by the median of their distances from their median. Not empty.
pub(super) fn spread(values: &[f64]) -> f64 {
    let middle = sums::median(values);
    let mut distances: Vec<f64> = values.iter().map(|x| (x - middle).abs()).collect();
    NORMAL * sums::median_in_place(&mut distances)
}

/// The number of pairs at which a verdict takes the least time, m* = √(c₀/c₁ · σ_w²/σ_b²), where a block costs `block` (c₀) and each of
/// its pairs `pair` (c₁).
///
/// The blocks that a verdict needs grow with their variance, so its time with (c₀ + m·c₁)(σ_b² + σ_w²/m), which is least there
/// (Kalibera & Jones 2013).
///
/// **Statistics.** m may be chosen by all blocks so far, never by the one that it is for. Then the sign sequence holds as it is:
/// the next block lies above its median with probability ½ whatever the past was. The t sequence takes blocks to scatter
/// equally; with unequal m it is one of normal values of several variances, which is conservative far from the middle (by simulation).
///
/// ```
/// use plusminus_analysis::verdict::{Scatter, pairs_of_a_block};
///
/// let scatter = Scatter { between: 1e-4, within: 1e-4 };
/// assert_eq!(pairs_of_a_block(0.025, 0.001, scatter), 5.0);
/// ```
pub fn pairs_of_a_block(block: f64, pair: f64, scatter: Scatter) -> f64 {
    (block / pair * scatter.within / scatter.between).sqrt()
}
