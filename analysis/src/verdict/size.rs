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

/// The numbers of pairs in a block among which the best is chosen: odd, so that the median is one of the pairs, and 5 at least, so
/// that it is a typical one.
pub const PAIRS: [u32; 7] = [5, 7, 9, 13, 19, 27, 41];

/// The components of variance of the blocks of a row: that of a block of m pairs is `between + within/m`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scatter {
    /// σ_b², between blocks, however many pairs they have.
    pub between: f64,
    /// σ_w², what a block of a single pair would have in addition.
    pub within: f64,
    /// The variance of the blocks so far: a few may lie closer together than their pairs let expect.
    pub found: f64,
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
        (between > 0.0).then_some(Self { between, within, found: whole })
    }

    /// The standard deviation of blocks with this number of pairs over that of the blocks so far.
    pub(super) fn relative(self, pairs: u32) -> f64 {
        ((self.between + self.within / f64::from(pairs)) / self.found).sqrt()
    }
}

/// The standard deviation of values, by the median of their distances from their median. Not empty.
pub(super) fn spread(values: &[f64]) -> f64 {
    let middle = sums::median(values);
    let mut distances: Vec<f64> = values.iter().map(|x| (x - middle).abs()).collect();
    NORMAL * sums::median_in_place(&mut distances)
}

/// The number of pairs, one of [`PAIRS`], at which a verdict takes the least time: B(m)·(c₀ + m·c₁), where a block costs `block` (c₀) and
/// each of its pairs `pair` (c₁). `blocks` has B(m) for each of them, from [`blocks_by_pairs`](super::blocks_by_pairs).
///
/// Where many blocks are needed, B grows with their variance σ_b² + σ_w²/m, and the best is √(c₀/c₁ · σ_w²/σ_b²) (Kalibera & Jones
/// 2013). But a sequence has a number of blocks before which it decides nothing. Where these are enough, so are few pairs.
///
/// **Statistics.** m may be chosen by all blocks so far, never by the one that it is for. Then the sign sequence holds as it is:
/// the next block lies above its median with probability ½ whatever the past was. The t sequence takes blocks to scatter
/// equally; with unequal m it is one of normal values of several variances, which is conservative far from the middle (by simulation).
///
/// ```
/// use plusminus_analysis::verdict::pairs_of_a_block;
///
/// assert_eq!(pairs_of_a_block(0.025, 0.001, &[8.0; 7]), 5);
/// assert_eq!(pairs_of_a_block(0.025, 0.001, &[40.0, 30.0, 25.0, 20.0, 18.0, 17.0, 16.0]), 13);
/// ```
pub fn pairs_of_a_block(block: f64, pair: f64, blocks: &[f64; PAIRS.len()]) -> u32 {
    let costs =
        PAIRS.iter().zip(blocks).map(|(&m, blocks)| (m, blocks * (block + f64::from(m) * pair)));
    costs.min_by(|a, b| a.1.total_cmp(&b.1)).map_or(PAIRS[0], |(pairs, _)| pairs)
}
