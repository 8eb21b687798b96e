//! Comparisons of tables that are measured until they are decided: what their runs prove, however often somebody looks.

use crate::{
    analysis::verdict::{Margin, Rule, SequentialVerdict, look},
    record::{CaseRecord, Record, Typical},
};

/// What the runs that a variant and its baseline share prove, as one of so many comparisons in its table. `None` where
/// there is nothing to compare, or the settings of the record are impossible.
///
/// The runner decides by this whether to go on, and the report prints what it says: both see the same.
pub(crate) fn decided(
    record: &Record,
    base: &CaseRecord,
    variant: &CaseRecord,
    comparisons: usize,
) -> Option<SequentialVerdict> {
    let mean =
        |cells: &[Typical]| cells.iter().map(|cell| cell.call_ns).sum::<f64>() / cells.len() as f64;
    let base_runs = record.complete_runs(base);
    let logs: Vec<f64> = record
        .complete_runs(variant)
        .iter()
        .filter_map(|(run, cells)| {
            let (_, base) = base_runs.iter().find(|(other, _)| other == run)?;
            Some((mean(cells) / mean(base)).ln())
        })
        .collect();
    let rule = Rule {
        margin: Margin::new(record.settings.margin).ok()?,
        alpha: record.settings.alpha,
        benchmarks: comparisons.max(1),
        ..Rule::default()
    };
    look(&logs, rule).ok()
}
