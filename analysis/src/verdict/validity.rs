//! Checks of the assumptions behind verdicts. A doubt does not change a label; it makes it unreliable.

use super::judgement::Verdict;
use super::sequential::{Conclusion, Rule, SequentialVerdict, look};
use crate::error::{Result, check_finite};
use crate::series;
use crate::sums;

/// Why a verdict is not to be relied on.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Doubt {
    /// The control, base against itself, came out as faster or slower.
    ControlDiffers {
        /// The verdict on the control.
        verdict: Verdict,
    },
    /// The confidence sequence became empty: the machine or the program changed while measuring.
    Contradiction,
    /// Neighboring blocks depend on each other.
    CorrelatedBlocks {
        /// Correlation of neighboring blocks.
        lag_1: f64,
        /// Largest value that independent blocks would show, 2/√n.
        limit: f64,
    },
    /// The difference between new and base grew or shrank while measuring.
    Drift {
        /// t statistic of the slope of the blocks over their number.
        t: f64,
    },
    /// Most samples were interrupted, and no CPU time is there to fall back on.
    FewCleanSamples {
        /// Share of clean samples.
        fraction: f64,
    },
    /// The difference between new and base grows or shrinks while processes run.
    NoSteadyState {
        /// By how much at least, from the first to the last third of the samples of a process.
        change: f64,
    },
}

/// Facts about a comparison besides its blocks. Unknown parts are `None` and are not checked.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Circumstances {
    /// Did the sequence contradict itself ([`Conclusion::contradictory`])?
    pub contradictory: bool,
    /// Share of samples that were not interrupted (wall/CPU below 1.02).
    pub clean_fraction: Option<f64>,
    /// Was CPU time measured as well?
    pub has_cpu_time: bool,
    /// By how much the difference is proven to change within processes ([`crate::ageing::shared`]).
    pub ageing: Option<f64>,
}

/// Blocks from which on their correlation is tested.
const LAG_FROM: usize = 12;
/// Blocks from which on their slope is tested: no verdict is given before.
const SLOPE_FROM: usize = 6;

/// All doubts about the blocks of a comparison, the worst first. Its control is another comparison. Empty means that nothing speaks against relying on it.
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
    Ok(found)
}

/// The lag-1 correlation of 12 or more blocks if it exceeds 2/√n, else `None`.
fn dependence(blocks: &[f64]) -> Option<f64> {
    if blocks.len() < LAG_FROM {
        return None;
    }
    series::lag_1(blocks).filter(|r| r.abs() > 2.0 / (blocks.len() as f64).sqrt())
}

/// t statistic of the slope of the blocks over their number; `None` below 6 blocks or without scatter.
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

/// Returns means of neighboring blocks two by two: the repair for correlated blocks. An odd last block is dropped.
pub fn average_adjacent(blocks: &[f64]) -> Vec<f64> {
    blocks.chunks_exact(2).map(|pair| pair[0] / 2.0 + pair[1] / 2.0).collect()
}

/// The verdict that ends measuring, as [`conclude_blocks`] would give it: proven same, or a change proven larger than the
/// margin. Computes nothing else, so that it can be asked after every block.
///
/// # Errors
/// When a block is not finite or the rule is not valid.
pub fn decide_blocks(blocks: &[f64], rule: Rule) -> Result<Option<Verdict>> {
    check_finite(blocks)?;
    let averaged = dependence(blocks).map(|_| average_adjacent(blocks));
    look(averaged.as_deref().unwrap_or(blocks), rule).map(|seen| seen.decision())
}

/// How many blocks in all it takes until the next verdict has at least each of two chances, if blocks go on to scatter
/// as they do; `None` where no number is enough.
///
/// # Errors
/// When a block is not finite or the rule is not valid.
pub fn blocks_until(blocks: &[f64], rule: Rule, chances: [f64; 2]) -> Result<[Option<usize>; 2]> {
    check_finite(blocks)?;
    let averaged = dependence(blocks).map(|_| average_adjacent(blocks));
    let seen = look(averaged.as_deref().unwrap_or(blocks), rule)?;
    let of_each = if averaged.is_some() { 2 } else { 1 };
    Ok(chances.map(|chance| seen.blocks_until(chance).map(|needed| of_each * needed)))
}

/// Judges blocks by a rule, and once more on averages of neighbors when they are correlated.
///
/// The second element is whether the repair was made, which has to be reported: it depends on the data, and the
/// guarantee of the sequence does not cover it.
///
/// # Errors
/// When a block is not finite or the rule is not valid.
pub fn conclude_blocks(blocks: &[f64], rule: Rule) -> Result<(Conclusion, bool)> {
    check_finite(blocks)?;
    let repaired = dependence(blocks).is_some();
    let averaged = if repaired { average_adjacent(blocks) } else { blocks.to_vec() };
    let mut verdict = SequentialVerdict::new(rule)?;
    for d in averaged {
        verdict.push(d)?;
    }
    Ok((verdict.conclude(), repaired))
}
