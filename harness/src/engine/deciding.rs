//! The rule by which a comparison ends: its rows are judged between rounds as they are judged in the report.

use std::collections::BTreeMap;

use super::{
    comparison::{ComparisonWatcher, Judge, Subject, compare},
    machine::Machine,
};
use crate::{
    record::{ComparedCase, ComparisonRecord, WorkerRecord},
    results::{CaseRows, Decided},
};

/// Measures until everything is decided, or nothing more may be spent. Returns the record, from which all else follows.
pub fn compare_until_decided(
    machine: &dyn Machine,
    subjects: &[Subject],
    record: ComparisonRecord,
    watcher: &mut dyn ComparisonWatcher,
) -> ComparisonRecord {
    let mut judge = ByRows {
        alpha: record.settings.alpha,
        layouts: record.settings.layouts,
        rows: 0,
        known: BTreeMap::new(),
    };
    compare(machine, subjects, record, &mut judge, watcher)
}

/// Decides by the rows that are reported.
struct ByRows {
    alpha: f64,
    layouts: usize,
    rows: usize,
    /// Of each benchmark, and of the control, the rows so far.
    known: BTreeMap<(String, bool), CaseRows>,
}

impl Judge for ByRows {
    fn begin(&mut self, rows: usize) {
        self.rows = rows;
    }

    fn undecided(
        &mut self,
        case: &ComparedCase,
        workers: &[WorkerRecord],
        is_control: bool,
    ) -> Vec<bool> {
        let (alpha, rows, layouts) = (self.alpha, self.rows, self.layouts);
        let mut by = Decided { margin: case.margin, alpha, rows, layouts };
        if is_control {
            by = by.of_control();
        }
        let known = self.known.entry((case.name.clone(), is_control));
        let rows = known.or_insert_with(|| CaseRows::new(case));
        rows.take_rounds(case, workers, &by);
        let mut open = rows.open();
        let last = open.len().saturating_sub(1);
        if is_control {
            // Of the control, the verdict on the benchmark as a whole is all that is asked.
            open[..last].fill(false);
        }
        open
    }
}
