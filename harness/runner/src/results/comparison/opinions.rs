//! Second opinions on a verdict: other statistics of the same blocks, reported only if they disagree with it.

use super::{Block, RowResult};
use crate::{analysis::ageing::shared, results::mean};

/// Returns the results of other methods that contradict the verdict.
pub(super) fn second_opinions(blocks: &[Block], result: &RowResult) -> Vec<String> {
    let mut notes = Vec::new();
    for (side, name) in ["base", "new"].into_iter().enumerate() {
        let changes: Vec<f64> =
            blocks.iter().filter_map(|block| Some(block.ageing?[side])).collect();
        notes.extend(shared(&changes).map(|by| ages(name, by.exp_m1())));
    }
    let Some(typical) = result.speedup.map(|speedup| -speedup.ln()) else { return notes };
    let percent = |d: f64| format!("{:+.1} %", 100.0 * d.exp_m1());
    // Of a large change, no method knows each percent.
    let limit = result.margin.ln_1p().max(typical.abs() / 10.0);
    // Where the signs alone decide, it is no chance that the mean lies elsewhere.
    let by_chance = |scatter: f64| if result.by_signs_alone { 0.0 } else { 3.0 * scatter };
    if let Some(tail) = mean(blocks.iter().map(|block| block.mean_log_ratio))
        && (tail - typical).abs()
            > limit.max(by_chance(scatter(blocks, |b| Some(b.mean_log_ratio))))
    {
        notes.push(format!(
            "typical {}, mean {}: the tail changed",
            percent(typical),
            percent(tail)
        ));
    }
    // Block by block, so that one that lies far off by both clocks moves neither.
    let apart: Option<Vec<f64>> =
        blocks.iter().map(|block| Some(block.cpu_log_ratio? - block.log_ratio)).collect();
    if let Some(apart) = apart.and_then(mean)
        && apart.abs() > limit.max(3.0 * scatter(blocks, |b| b.cpu_log_ratio))
    {
        notes.push(format!(
            "wall time {}, CPU time {}",
            percent(typical),
            percent(typical + apart)
        ));
    }
    notes
}

/// That the time of a side changes while its processes run. The verdict stands: it compares both sides at the same age.
fn ages(side: &str, by: f64) -> String {
    let word = if by > 0.0 { "slower" } else { "faster" };
    format!(
        "{side} gets {word} while a process measures it, by {:.1} % or more: does the kernel keep state between calls?",
        100.0 * by.abs()
    )
}

/// Standard uncertainty of the mean difference between another measure and the typical one.
fn scatter(blocks: &[Block], other: impl Fn(&Block) -> Option<f64>) -> f64 {
    let differences: Vec<f64> =
        blocks.iter().filter_map(|block| Some(other(block)? - block.log_ratio)).collect();
    let n = differences.len() as f64;
    let Some(centre) = mean(differences.iter().copied()).filter(|_| n >= 2.0) else {
        return f64::INFINITY;
    };
    let squares: f64 = differences.iter().map(|d| (d - centre).powi(2)).sum();
    (squares / (n - 1.0) / n).sqrt()
}
