//! How many pairs of samples a block should have, by the scatter and the cost of blocks and pairs.

use crate::sums;

/// Makes a standard deviation of the median distance from the median, where values are normal.
const NORMAL: f64 = 1.482_602_218_505_602;

/// By how much the variance of a median of normal values exceeds that of their mean.
const OF_MEDIAN: f64 = core::f64::consts::FRAC_PI_2;

/// The least part of the variance of blocks that no number of pairs takes away: a few blocks may lie closer together than they will.
const LEAST_BETWEEN: f64 = 0.1;

/// Blocks from which on their variance is known well enough to choose by.
const ENOUGH: usize = 3;

/// Blocks from which on it is worth finding out what more pairs would tell.
const LONG: usize = 12;

/// The numbers of pairs in a block among which the best is chosen: odd, so that the median is one of the pairs.
pub const PAIRS: [u32; 9] = [1, 3, 5, 7, 9, 13, 19, 27, 41];

/// The place among [`PAIRS`] of the fewest of which the median is a typical one, however short their samples: 5.
const TYPICAL: usize = 2;

/// The pairs of a block.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pairs<'a> {
    /// The log-ratio of the block.
    pub log_ratio: f64,
    /// The robust standard deviation of the log-ratios of its pairs, σ_w.
    pub spread: f64,
    /// Their number.
    pub count: usize,
    /// The log-ratio that its first pairs alone tell, for each number of [`PAIRS`] that it has.
    pub of_first: &'a [f64],
}

/// How the blocks of a row scatter, and how they would with another number of pairs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scatter {
    /// The variance of blocks with each number of pairs in [`PAIRS`].
    pub by_pairs: [f64; PAIRS.len()],
    /// The variance of the blocks so far.
    pub found: f64,
}

impl Scatter {
    /// From what blocks show. Outliers, of blocks or pairs, do not matter. `None` for fewer than three blocks, and where
    /// nothing scatters.
    ///
    /// Blocks of m pairs that scatter by σ_w have the variance σ_b² + σ_w²/m. But the pairs of processes that still settle move
    /// together: the first ones are further off than σ_w tells. So longer blocks show what their first pairs alone would have
    /// found, and the greater of both counts.
    ///
    /// ```
    /// use plusminus_analysis::verdict::{Pairs, Scatter};
    ///
    /// let block = |log_ratio| Pairs { log_ratio, spread: 0.01, count: 19, of_first: &[] };
    /// let scatter = Scatter::of(&[block(0.00), block(0.01), block(0.02)]).unwrap();
    /// // The seventh number of pairs is 19.
    /// assert!((scatter.by_pairs[6] - 0.01483_f64.powi(2)).abs() < 1e-6);
    /// assert!(scatter.by_pairs[0] > scatter.by_pairs[6]);
    /// ```
    pub fn of(blocks: &[Pairs<'_>]) -> Option<Self> {
        if blocks.len() < ENOUGH {
            return None;
        }
        let column =
            |value: fn(&Pairs<'_>) -> f64| -> Vec<f64> { blocks.iter().map(value).collect() };
        // One pair does not show how pairs scatter.
        let several = blocks.iter().filter(|block| block.count > 1);
        let mut spreads: Vec<f64> = several.map(|block| block.spread).collect();
        let of_pairs = if spreads.is_empty() { 0.0 } else { sums::median_in_place(&mut spreads) };
        let found = spread(&column(|block| block.log_ratio)).powi(2);
        let first = First::of(blocks).unwrap_or_else(|| First {
            pairs: sums::median_in_place(&mut column(|block| block.count as f64)),
            variance: found,
            fewer: Vec::new(),
        });
        let within = OF_MEDIAN * of_pairs * of_pairs;
        let by_pairs = core::array::from_fn(|index| {
            let pairs = f64::from(PAIRS[index]);
            let alone = first.variance + within * (1.0 / pairs - 1.0 / first.pairs);
            match first.fewer.get(index) {
                Some(more) => alone.max(first.variance + more),
                None => alone.min(first.goes_on(pairs, blocks.len() >= LONG)),
            }
            .max(LEAST_BETWEEN * first.variance)
        });
        (found > 0.0 && first.variance > 0.0).then_some(Self { by_pairs, found })
    }
}

/// The blocks with the most pairs, by their first pairs.
struct First {
    /// The number of pairs that enough blocks have.
    pairs: f64,
    /// The variance of blocks of that number.
    variance: f64,
    /// How much greater it is with each smaller number in [`PAIRS`].
    fewer: Vec<f64>,
}

impl First {
    /// `None` where it is not known what first pairs tell.
    fn of(blocks: &[Pairs<'_>]) -> Option<Self> {
        let mut known: Vec<usize> = blocks.iter().map(|block| block.of_first.len()).collect();
        known.sort_unstable();
        let enough = ENOUGH.max(known.len() / 8);
        let last = known[known.len() - enough].checked_sub(1)?;
        let longest = || blocks.iter().filter(|block| block.of_first.len() > last);
        let values = |value: &dyn Fn(&[f64]) -> f64| -> Vec<f64> {
            longest().map(|block| value(block.of_first)).collect()
        };
        let fewer = (0..last).map(|m| {
            let mut apart = values(&|first| (first[m] - first[last]).abs());
            (NORMAL * sums::median_in_place(&mut apart)).powi(2)
        });
        Some(Self {
            pairs: f64::from(PAIRS[last]),
            variance: spread(&values(&|first| first[last])).powi(2),
            fewer: fewer.collect(),
        })
    }

    /// The variance with more pairs, if it goes on as it has fallen from the smallest number on, as a power of the number.
    fn goes_on(&self, pairs: f64, try_more: bool) -> f64 {
        let Some(more) = self.fewer.get(TYPICAL) else { return f64::INFINITY };
        let seen = self.pairs / f64::from(PAIRS[TYPICAL]);
        let power = libm::log((self.variance + more) / self.variance) / libm::log(seen);
        let power = if try_more { power.max(1.0) } else { power };
        self.variance * libm::pow(self.pairs / pairs, power)
    }
}

/// The standard deviation of values, by the median of their distances from their median. Not empty.
pub(super) fn spread(values: &[f64]) -> f64 {
    let middle = sums::median(values);
    let mut distances: Vec<f64> = values.iter().map(|x| (x - middle).abs()).collect();
    NORMAL * sums::median_in_place(&mut distances)
}

/// The medians of the first values, of as many as each number of [`PAIRS`] that they reach.
pub(super) fn of_first(values: &[f64]) -> Vec<f64> {
    PAIRS.iter().map_while(|&pairs| Some(sums::median(values.get(..pairs as usize)?))).collect()
}

/// The number of pairs, one of [`PAIRS`], at which a verdict takes the least time: B(m)·(c₀ + m·c₁), where a block costs `block` (c₀) and
/// each of its pairs `pair` (c₁). `blocks` has B(m) for each of them, from [`blocks_by_pairs`](super::blocks_by_pairs).
/// At least `least` are chosen.
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
/// assert_eq!(pairs_of_a_block(0.025, 0.001, &[8.0; 9], 5), 5);
/// assert_eq!(pairs_of_a_block(0.25, 0.06, &[8.0; 9], 1), 1);
/// let blocks = [90.0, 50.0, 40.0, 30.0, 25.0, 20.0, 18.0, 17.0, 16.0];
/// assert_eq!(pairs_of_a_block(0.025, 0.001, &blocks, 5), 13);
/// ```
pub fn pairs_of_a_block(block: f64, pair: f64, blocks: &[f64; PAIRS.len()], least: u32) -> u32 {
    let costs =
        PAIRS.iter().zip(blocks).map(|(&m, blocks)| (m, blocks * (block + f64::from(m) * pair)));
    let allowed = costs.filter(|&(pairs, _)| pairs >= least);
    allowed.min_by(|a, b| a.1.total_cmp(&b.1)).map_or(least, |(pairs, _)| pairs)
}
