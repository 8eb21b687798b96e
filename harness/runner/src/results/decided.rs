//! Comparisons of tables that are measured until they are decided: what their runs prove, however often they are looked at.

use super::{Time, time::mean_of_cells};
use crate::{
    analysis::verdict::{Margin, Rule, SequentialVerdict, look},
    record::{CaseRecord, Record},
};

/// Judges a variant and its baseline by their common runs, as one of several comparisons in its table. `None` where
/// there is nothing to compare, or the settings of the record are impossible.
///
/// The runner decides by this whether to go on, and the report prints it, so both agree.
pub(crate) fn decided(
    record: &Record,
    base: &CaseRecord,
    variant: &CaseRecord,
    comparisons: usize,
) -> Option<SequentialVerdict> {
    let base_runs = record.complete_runs(base);
    let runs = record.complete_runs(variant);
    let logs = runs.iter().filter_map(|(run, cells)| {
        let at = base_runs.binary_search_by_key(run, |(other, _)| *other).ok()?;
        Some((mean_of_cells(cells) / mean_of_cells(&base_runs[at].1)).ln())
    });
    from_logs(record, logs.collect(), comparisons)
}

/// The same from times that are known already.
pub(super) fn from_times(
    record: &Record,
    base: &Time,
    variant: &Time,
    comparisons: usize,
) -> Option<SequentialVerdict> {
    let (base, variant) = variant.common_runs(base);
    let logs = base.iter().zip(&variant).map(|(base, variant)| (variant / base).ln());
    from_logs(record, logs.collect(), comparisons)
}

fn from_logs(record: &Record, logs: Vec<f64>, comparisons: usize) -> Option<SequentialVerdict> {
    let rule = Rule {
        margin: Margin::new(record.settings.margin).ok()?,
        alpha: record.settings.alpha,
        benchmarks: comparisons.max(1),
        ..Rule::default()
    };
    look(&logs, rule).ok()
}
