//! Operations of solutions, in one line for each variant of a table.

use std::fmt::Write as _;

use crate::{record::CaseRecord, results::TableResults, text::visible};

/// Returns the lines of a table; empty without counts.
pub(super) fn sentences(table: &TableResults<'_>) -> Vec<String> {
    table.rows.iter().filter_map(|row| line(row.label, row.case)).collect()
}

/// `mis::clocked: tasks 128, messages 1009 (sums over 4 instances)`
fn line(label: &str, case: &CaseRecord) -> Option<String> {
    Some(format!("{}: {}", visible(label), counts(case)?))
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
    let mut line = String::new();
    for (index, (name, sum)) in sums.iter().enumerate() {
        let comma = if index > 0 { ", " } else { "" };
        let _ = write!(line, "{comma}{} {sum}", visible(name));
    }
    if sums.is_empty() {
        line.push_str("its tally counts nothing");
    }
    match (case.tallies.len(), case.instances.len()) {
        (1, 1) => {}
        (counted, all) if counted == all => {
            let _ = write!(line, " (sums over {all} instances)");
        }
        (counted, all) => {
            let _ = write!(line, " (sums over {counted} of {all} instances)");
        }
    }
    Some(line)
}
