//! The rule by which a comparison ends: its rows are judged between rounds as they are judged in the report.

use super::{
    comparison::{ComparisonWatcher, Judge, Subject, compare},
    machine::Machine,
};
use crate::{
    record::{ComparedCase, ComparisonRecord, ComparisonSettings, WorkerRecord},
    results::{CaseRows, Decided, Missing, Outlook},
};

/// Measures until everything is decided, or nothing more may be spent. Returns the record, from which all else follows.
pub fn compare_until_decided(
    machine: &dyn Machine,
    subjects: &[Subject],
    record: ComparisonRecord,
    watcher: &mut dyn ComparisonWatcher,
) -> ComparisonRecord {
    let mut judge = ByRows { settings: record.settings.clone(), rows: 0, known: Vec::new() };
    compare(machine, subjects, record, &mut judge, watcher)
}

struct ByRows {
    settings: ComparisonSettings,
    rows: usize,
    /// Of each benchmark, and of the control, the rows so far, by name.
    known: Vec<Known>,
}

struct Known {
    name: String,
    is_control: bool,
    rows: CaseRows,
}

impl Judge for ByRows {
    fn begin(&mut self, rows: usize) {
        self.rows = rows;
    }

    fn look(
        &mut self,
        case: &ComparedCase,
        workers: &[WorkerRecord],
        is_control: bool,
    ) -> Vec<Outlook> {
        let mut by = Decided::of_suite(&self.settings, case.margin, self.rows);
        if is_control {
            by = by.of_control();
        }
        let place = |known: &Known| {
            known.name.as_str().cmp(&case.name).then(known.is_control.cmp(&is_control))
        };
        let at = self.known.binary_search_by(place).unwrap_or_else(|at| {
            let known = Known { name: case.name.clone(), is_control, rows: CaseRows::new(case) };
            self.known.insert(at, known);
            at
        });
        let rows = &mut self.known[at].rows;
        rows.take_rounds(case, workers, &by);
        let mut outlook = rows.outlook(&by);
        let last = outlook.len().saturating_sub(1);
        if is_control {
            // Of the control, the verdict on the benchmark as a whole is all that is asked.
            outlook[..last].fill(Outlook::of(Missing::Nothing));
        }
        outlook
    }
}
