//! Operations of solutions, in one line for each variant of a table.

use crate::{
    record::CaseRecord,
    results::{Row, TableResults},
    text::visible,
};

/// Returns the lines of a table, such as `mis::clocked: tasks 128, messages 1009 (sums over 4 instances)`; empty without
/// counts.
pub(super) fn sentences(table: &TableResults<'_>) -> Vec<String> {
    let line = |row: &Row<'_>| Some(format!("{}: {}", visible(row.label), counts(row.case)?));
    table.rows.iter().filter_map(line).collect()
}

/// `tasks 128, messages 1009 (sums over 4 instances)`
pub(super) fn counts(case: &CaseRecord) -> Option<String> {
    if case.tallies.is_empty() {
        return None;
    }
    let mut sums: Vec<(&str, f64)> = Vec::new();
    for tally in case.tallies.iter().flat_map(|of| &of.tallies) {
        match sums.iter_mut().find(|(name, _)| *name == tally.name) {
            Some((_, sum)) => *sum += tally.total,
            None => sums.push((&tally.name, tally.total)),
        }
    }
    let counted = sums.iter().map(|(name, sum)| format!("{} {sum}", visible(name)));
    let line = match sums.is_empty() {
        true => "its tally counts nothing".to_owned(),
        false => counted.collect::<Vec<_>>().join(", "),
    };
    Some(match (case.tallies.len(), case.instances.len()) {
        (1, 1) => line,
        (counted, all) if counted == all => format!("{line} (sums over {all} instances)"),
        (counted, all) => format!("{line} (sums over {counted} of {all} instances)"),
    })
}
