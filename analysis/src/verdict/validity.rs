//! Checks the assumptions behind verdicts. A doubt keeps the verdict, and marks it as unreliable.

use super::judgement::Verdict;
use super::sequential::{Conclusion, Rule, SequentialVerdict, look};
use super::size::{PAIRS, Scatter};
use super::speeds::Shares;
use crate::error::{Result, check_finite};
use crate::sums;

/// A reason not to rely on a verdict.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Doubt {
    /// The control compares base with itself, and its verdict was faster or slower.
    ControlDiffers {
        /// The verdict on the control.
        verdict: Verdict,
    },
    /// The confidence sequence became empty: the machine or the program changed while measuring.
    Contradiction,
    /// Neighboring blocks resemble each other.
    CorrelatedBlocks {
        /// Correlation of neighboring blocks.
        lag_1: f64,
        /// The limit for independent blocks, 2/√n.
        limit: f64,
    },
    /// The difference between new and base grew or shrank while measuring.
    Drift {
        /// The t statistic of the slope of the blocks over their number.
        t: f64,
    },
    /// Most samples were interrupted, and CPU time was not measured.
    FewCleanSamples {
        /// The share of clean samples.
        fraction: f64,
    },
    /// The difference between new and base grows or shrinks while processes run.
    NoSteadyState {
        /// The least change from the first to the last third of a process's samples.
        change: f64,
    },
    /// Samples run at one of two speeds, and the change is one of their shares.
    TwoSpeeds(Shares),
}

/// Facts about a comparison besides its blocks. Unknown parts are `None` and are not checked.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Circumstances {
    /// Whether the sequence contradicted itself ([`Conclusion::contradictory`]).
    pub contradictory: bool,
    /// The share of samples that were not interrupted (wall/CPU below 1.02).
    pub clean_fraction: Option<f64>,
    /// Whether CPU time was also measured.
    pub has_cpu_time: bool,
    /// The proven change of the difference within processes ([`crate::ageing::shared`]).
    pub ageing: Option<f64>,
    /// The speeds of a change that is one of their shares ([`super::change_of_shares`]).
    pub shares: Option<Shares>,
}

/// The fewest blocks whose correlation is tested.
const LAG_FROM: usize = 12;
/// The fewest blocks whose slope is tested. Fewer blocks give no verdict.
const SLOPE_FROM: usize = 6;

/// Returns all doubts about the blocks of a comparison, the worst first. The control of a comparison is judged apart.
///
/// ```
/// use plusminus_analysis::verdict::{doubts, Circumstances, Doubt};
///
/// let drifting: Vec<f64> = (0..20).map(|i| 0.01 * i as f64 + 0.001 * ((i * 7) % 5) as f64).collect();
/// let found = doubts(&drifting, &Circumstances::default()).unwrap();
/// assert!(found.iter().any(|d| matches!(d, Doubt::Drift { .. })));
/// ```
///
/// # Errors
/// When a block is not finite.
pub fn doubts(blocks: &[f64], circumstances: &Circumstances) -> Result<Vec<Doubt>> {
    check_finite(blocks)?;
    let mut found = Vec::new();
    if circumstances.contradictory {
        found.push(Doubt::Contradiction);
    }
    if let Some(lag_1) = dependence(blocks) {
        let limit = 2.0 / (blocks.len() as f64).sqrt();
        found.push(Doubt::CorrelatedBlocks { lag_1, limit });
    }
    if let Some(t) = slope_t(blocks).filter(|t| t.abs() > 3.0) {
        found.push(Doubt::Drift { t });
    }
    if let Some(fraction) = circumstances.clean_fraction
        && fraction < 0.5
        && !circumstances.has_cpu_time
    {
        found.push(Doubt::FewCleanSamples { fraction });
    }
    if let Some(change) = circumstances.ageing {
        found.push(Doubt::NoSteadyState { change });
    }
    found.extend(circumstances.shares.map(Doubt::TwoSpeeds));
    Ok(found)
}

/// Returns the lag-1 correlation of 12 or more blocks if it exceeds 2/√n. Neighbors that differ more than others (a negative
/// correlation) do no harm: their mean scatters less than the rule assumes.
pub fn dependence(blocks: &[f64]) -> Option<f64> {
    if blocks.len() < LAG_FROM {
        return None;
    }
    sums::lag_1(blocks).filter(|r| *r > 2.0 / (blocks.len() as f64).sqrt())
}

/// Returns the t statistic of the slope of the blocks over their number, or `None` below 6 blocks or without scatter.
pub fn slope_t(blocks: &[f64]) -> Option<f64> {
    let n = blocks.len();
    if n < SLOPE_FROM {
        return None;
    }
    let (mean, spread) = sums::mean_and_spread(blocks);
    let middle = (n - 1) as f64 / 2.0;
    let positions = n as f64 * ((n * n) as f64 - 1.0) / 12.0;
    let shared =
        sums::sum(blocks.iter().enumerate().map(|(i, d)| (i as f64 - middle) * (d - mean)));
    let slope = shared / positions;
    let residual = spread * spread * (n - 1) as f64 - slope * shared;
    let t = slope / (residual.max(0.0) / (n - 2) as f64 / positions).sqrt();
    t.is_finite().then_some(t)
}

/// Averages neighboring blocks two by two, which repairs correlated blocks. An odd last block is dropped.
pub fn average_adjacent(blocks: &[f64]) -> Vec<f64> {
    blocks.chunks_exact(2).map(|pair| pair[0] / 2.0 + pair[1] / 2.0).collect()
}

/// Returns the verdict that ends measuring: a time proven to be within the margin, or a change proven to be larger.
/// It is that of [`conclude_blocks`], and cheap enough to compute after every block.
///
/// # Errors
/// When a block is not finite or the rule is not valid.
pub fn decide_blocks(blocks: &[f64], rule: Rule) -> Result<Option<Verdict>> {
    Ok(look_repaired(blocks, rule)?.0.decision())
}

/// Looks at blocks, or at averages of neighbors when they are correlated; the second element is whether it was these.
fn look_repaired(blocks: &[f64], rule: Rule) -> Result<(SequentialVerdict, bool)> {
    check_finite(blocks)?;
    let averaged = dependence(blocks).map(|_| average_adjacent(blocks));
    let seen = look(averaged.as_deref().unwrap_or(blocks), rule)?;
    Ok((seen, averaged.is_some()))
}

/// Returns the numbers of blocks, in all, after which a verdict has at least each of two chances. Assumes that later
/// blocks scatter as these do; `None` if no number is enough.
///
/// # Errors
/// When a block is not finite or the rule is not valid.
pub fn blocks_until(blocks: &[f64], rule: Rule, chances: [f64; 2]) -> Result<[Option<usize>; 2]> {
    let (seen, repaired) = look_repaired(blocks, rule)?;
    let of_each = if repaired { 2 } else { 1 };
    Ok(chances.map(|chance| seen.blocks_until(chance, 1.0).map(|needed| of_each * needed)))
}

/// A number of blocks that is as good as infinite.
const NEVER: f64 = 100_000.0;

/// Returns how many blocks a verdict is likely to take in all, for blocks of each number of pairs in [`PAIRS`]. Where none is in
/// sight, the numbers are large, and as many times each other as the variances of the blocks.
///
/// # Errors
/// When a block is not finite or the rule is not valid.
pub fn blocks_by_pairs(blocks: &[f64], rule: Rule, scatter: Scatter) -> Result<[f64; PAIRS.len()]> {
    check_finite(blocks)?;
    let seen = look(blocks, rule)?;
    Ok(scatter.by_pairs.map(|variance| {
        let scale = (variance / scatter.found).sqrt();
        seen.blocks_until(0.5, scale).map_or(NEVER * scale * scale, |needed| needed as f64)
    }))
}

/// Judges blocks by a rule, and once more on averages of neighbors when they are correlated.
///
/// The second element is `true` if averages were judged. Reports must show it: the repair depends on the data, and
/// the guarantee of the sequence does not cover it.
///
/// # Errors
/// When a block is not finite or the rule is not valid.
pub fn conclude_blocks(blocks: &[f64], rule: Rule) -> Result<(Conclusion, bool)> {
    let (seen, repaired) = look_repaired(blocks, rule)?;
    Ok((seen.conclude(), repaired))
}
