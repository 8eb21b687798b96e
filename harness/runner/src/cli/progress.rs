//! Progress while measuring: one line on a terminal, and nothing when standard error is not a terminal. Always
//! between samples: a table's worker is not even started while something is written.

use std::{
    path::PathBuf,
    time::{Duration, Instant},
};

use crate::{
    engine::{Position, Watcher},
    output::{complain, progress_columns},
    record::{self, Record},
    text::Standing,
};

/// The time between two updates at least: it cannot be read faster, and every one costs time.
const UPDATES: Duration = Duration::from_millis(100);

/// Shows nothing and writes nothing: for tests, and under a debugger.
pub(super) struct Silent;

impl Watcher for Silent {
    fn begin(&mut self, _: Position<'_>) {}
    fn finished_run(&mut self, _: &Record) {}
}

/// Shows progress, and writes the record after every run.
pub(super) struct Progress {
    /// The columns of the terminal; `None` without progress.
    columns: Option<usize>,
    /// Where the record goes.
    path: PathBuf,
    /// Why the record could not be written, if it could not.
    error: Option<record::StoreError>,
    /// When the line was last written.
    last_line: Option<Instant>,
    /// When the record was last written, and how long that took.
    written: Option<(Instant, Duration)>,
}

impl Progress {
    /// Shows progress of a measurement whose record goes to `path`, unless `error` is set because it could not be
    /// created.
    pub(super) fn new(quiet: bool, path: PathBuf, error: Option<record::StoreError>) -> Self {
        if let Some(error) = &error {
            cannot_keep(error);
        }
        let columns = if quiet { None } else { progress_columns() };
        Self { columns, path, error, last_line: None, written: None }
    }

    /// Clears the line.
    pub(super) fn end(&self) {
        if self.last_line.is_some() {
            complain("\r\x1b[2K");
        }
    }
}

impl Watcher for Progress {
    fn begin(&mut self, position: Position<'_>) {
        let due = self.last_line.is_none_or(|last| last.elapsed() >= UPDATES);
        if let Some(columns) = self.columns.filter(|_| due) {
            self.last_line = Some(Instant::now());
            complain(&format!("\r\x1b[2K{}", line(position, columns)));
        }
    }

    fn finished_run(&mut self, record: &Record) {
        // All measurements so far are safe from here on, whatever happens later. Of very many short runs, a few at
        // the end may have to be measured again, or writing would take longer than measuring.
        let due = self.written.is_none_or(|(when, took)| when.elapsed() >= 10 * took);
        if due {
            let begin = Instant::now();
            let error = record::write(record, &self.path).err();
            if let Some(error) = &error
                && self.error.is_none()
            {
                cannot_keep(error);
            }
            self.error = error;
            self.written = Some((Instant::now(), begin.elapsed()));
        }
    }
}

/// Warns early that the record cannot be written, before hours of measuring.
fn cannot_keep(error: &record::StoreError) {
    complain(&format!(
        "plusminus: {error}; measuring goes on, but only the report at the end will be left (PLUSMINUS_OUTPUT names \
         another folder)\n"
    ));
}

/// The remaining time is an estimate: a measurement has a length of its own.
fn line(position: Position<'_>, columns: usize) -> String {
    let part = format!("run {} of {}", position.run + 1, position.runs);
    let Position { spent, left, table: name, .. } = position;
    Standing { spent, left, about: "about", part: &part, name }.line(columns)
}
