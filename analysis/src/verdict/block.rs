//! The contribution of one block, a fresh pair of processes: a log-ratio from its sample pairs.

use crate::error::{Result, check_count, check_positive, check_shape};
use crate::sums;

/// The statistics of one block.
#[derive(Debug, Clone, PartialEq)]
pub struct Block {
    /// d: median of ln(new/base) over the pairs used.
    pub log_ratio: f64,
    /// ln of the ratio of mean times over the same pairs. If it differs from d, a few samples take long.
    pub log_ratio_of_means: f64,
    /// Pairs measured.
    pub pairs: usize,
    /// Robust standard deviation of ln(new/base) over the pairs used.
    pub pair_spread: f64,
    /// The median over the first pairs used, for each number of [`PAIRS`](super::PAIRS) that the block has.
    pub of_first: Vec<f64>,
    /// Share of pairs in which neither sample was interrupted; `None` when that was not recorded.
    pub clean_fraction: Option<f64>,
    /// Only the clean pairs were used: fewer than 80 % were clean, and at least 7. To be reported.
    pub clean_only: bool,
}

/// Below this share of clean pairs, the others are dropped, on both sides alike …
const CLEAN_ENOUGH: f64 = 0.8;
/// … if at least this many remain.
const MINIMUM_CLEAN: usize = 7;

/// Statistics of a block from its sample pairs, in which `base[k]` and `new[k]` followed each other.
///
/// `clean[k]` is whether both samples of pair k ran without interruption (wall/CPU below 1.02); `None` if that is not
/// known.
///
/// ```
/// use plusminus_analysis::verdict::block;
///
/// let b = block(&[1.00, 1.01, 0.99], &[1.10, 9.00, 1.09], None).unwrap();
/// // One interrupted sample moves the ratio of means, and not the median.
/// assert!((b.log_ratio - 0.0963).abs() < 1e-3 && b.log_ratio_of_means > 1.0);
/// ```
///
/// # Errors
/// When there is no pair, lists differ in length, or a time is not positive.
pub fn block(base: &[f64], new: &[f64], clean: Option<&[bool]>) -> Result<Block> {
    check_count("sample pairs", base.len(), 1)?;
    check_shape("new times", base.len(), new.len())?;
    check_positive(base)?;
    check_positive(new)?;
    let mut clean_fraction = None;
    let mut used: Vec<usize> = (0..base.len()).collect();
    let mut clean_only = false;
    if let Some(clean) = clean {
        check_shape("clean marks", base.len(), clean.len())?;
        let unharmed: Vec<usize> = used.iter().copied().filter(|k| clean[*k]).collect();
        let fraction = unharmed.len() as f64 / base.len() as f64;
        clean_fraction = Some(fraction);
        clean_only = fraction < CLEAN_ENOUGH && unharmed.len() >= MINIMUM_CLEAN;
        if clean_only {
            used = unharmed;
        }
    }
    let ratios: Vec<f64> = used.iter().map(|k| libm::log(new[*k]) - libm::log(base[*k])).collect();
    let mean = |times: &[f64]| {
        let chosen: Vec<f64> = used.iter().map(|k| times[*k]).collect();
        sums::mean_and_spread(&chosen).0
    };
    Ok(Block {
        log_ratio: sums::median(&ratios),
        log_ratio_of_means: libm::log(mean(new)) - libm::log(mean(base)),
        pairs: base.len(),
        pair_spread: super::size::spread(&ratios),
        of_first: super::size::of_first(&ratios),
        clean_fraction,
        clean_only,
    })
}
