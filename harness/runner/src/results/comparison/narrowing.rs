//! How sure a comparison was after each block.

use super::{Decided, Row, RowResult};
use crate::{
    analysis::Interval,
    record::{ComparedCase, ComparisonSettings},
};

/// The interval of S of a row after each number of blocks, as it would have been reported if measuring had ended there:
/// the last one is that of the report. `rows` is [`super::Outcome::rows`].
pub fn narrowing(
    row: &RowResult,
    case: &ComparedCase,
    settings: &ComparisonSettings,
    rows: usize,
) -> Vec<Option<Interval>> {
    let by = Decided::of_suite(settings, case.margin, rows);
    let resolution = row.blocks.iter().map(|block| block.resolution).fold(0.0, f64::max);
    let mut growing = Row::new(row.instance.clone(), resolution);
    let mut intervals = Vec::with_capacity(row.blocks.len());
    for block in &row.blocks {
        growing.blocks.push(block.clone());
        intervals.push(growing.judged(&by).judgement.interval);
    }
    intervals
}
