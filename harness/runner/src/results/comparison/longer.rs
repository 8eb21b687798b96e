//! The further measuring that would decide the open rows of a comparison.

use super::{
    CaseResult, Outcome, RowResult,
    row::{FORECAST_FROM, MINIMUM_BLOCKS},
};
use crate::analysis::verdict::Verdict;

/// The blocks and the time that would decide the open rows of a comparison, by a forecast from their blocks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Longer {
    /// Time for all measuring.
    pub seconds: f64,
    /// Blocks of a benchmark.
    pub blocks: usize,
}

impl Outcome {
    /// Returns what would decide the benchmarks that `count`, if some were measured and no row was decided.
    pub fn nothing_decided(&self, count: impl Fn(&CaseResult) -> bool) -> Option<Longer> {
        let cases = self.cases.iter().filter(|case| !case.has_failed() && count(case));
        let is_open = |case: &CaseResult| case.rows.iter().all(is_open);
        cases.clone().all(is_open).then(|| self.longer(count)).flatten()
    }

    /// Returns what would decide the open rows of the benchmarks that `count`, if there are any.
    pub fn longer(&self, count: impl Fn(&CaseResult) -> bool) -> Option<Longer> {
        let (mut seconds, mut blocks, mut open) = (0.0, 0, false);
        for case in self.cases.iter().filter(|case| !case.has_failed() && count(case)) {
            let mut most = 0;
            for row in case.rows.iter().filter(|row| is_open(row)) {
                open = true;
                // Twice as many if nothing is known, and if a check failed. A few blocks tell nothing about their scatter.
                let have = row.blocks.len();
                let known = row.blocks_needed.filter(|&n| n > have && row.doubts.is_empty());
                let needed = known.filter(|_| have >= FORECAST_FROM);
                let needed = needed.unwrap_or((2 * have).max(2 * MINIMUM_BLOCKS));
                most = most.max(needed - have);
                blocks = blocks.max(needed);
            }
            seconds += case.block_seconds.unwrap_or(0.0) * most as f64;
        }
        // Less than twice the time, or the limits of this try, are not worth another one.
        let seconds = (self.seconds + seconds).max(2.0 * self.seconds);
        open.then(|| Longer {
            seconds: seconds.max(self.max_seconds.unwrap_or(0.0)),
            blocks: blocks.max(2 * self.maximum_blocks as usize),
        })
    }
}

fn is_open(row: &RowResult) -> bool {
    row.judgement.verdict == Verdict::Inconclusive
}
