//! Progress while measuring: one line on a terminal, and nothing when standard error is not a terminal. Always
//! between samples: a table's worker is not even started while something is written.

use std::{path::PathBuf, time::Duration};

use crate::{
    engine::{Position, Watcher},
    output::{Disk, progress_columns},
    record::{self, Record},
    text::Standing,
};

/// The time between two updates at least: it cannot be read faster, and every one costs time.
const UPDATES: Duration = Duration::from_millis(100);

pub(super) struct Terminal<'a> {
    /// Shows nothing but what went wrong.
    pub(super) quiet: bool,
    /// The time since some fixed moment.
    pub(super) clock: &'a dyn Fn() -> Duration,
    /// Prints messages that are not part of the report.
    pub(super) say: &'a dyn Fn(&str),
}

/// Shows progress, and writes the record after every run.
pub(super) struct Progress<'a> {
    /// The columns of the terminal; `None` without progress.
    columns: Option<usize>,
    disk: &'a dyn Disk,
    path: PathBuf,
    terminal: Terminal<'a>,
    /// Why the record could not be written, if it could not.
    error: Option<record::StoreError>,
    last_line: Option<Duration>,
    /// When the record was last written, and how long that took.
    written: Option<(Duration, Duration)>,
}

impl<'a> Progress<'a> {
    /// Shows progress of a measurement whose record goes to `path`, unless `error` is set because it could not be
    /// created.
    pub(super) fn new(
        terminal: Terminal<'a>,
        (disk, path): (&'a dyn Disk, PathBuf),
        error: Option<record::StoreError>,
    ) -> Self {
        if let Some(error) = &error {
            cannot_keep(error, terminal.say);
        }
        let columns = if terminal.quiet { None } else { progress_columns() };
        Self { columns, disk, path, terminal, error, last_line: None, written: None }
    }

    pub(super) fn end(&self) {
        if self.last_line.is_some() {
            (self.terminal.say)("\r\x1b[2K");
        }
    }
}

impl Watcher for Progress<'_> {
    fn begin(&mut self, position: Position<'_>) {
        let now = (self.terminal.clock)();
        let due = self.last_line.is_none_or(|last| now >= last + UPDATES);
        if let Some(columns) = self.columns.filter(|_| due) {
            self.last_line = Some(now);
            (self.terminal.say)(&format!("\r\x1b[2K{}", line(position, columns)));
        }
    }

    fn finished_run(&mut self, record: &Record) {
        // All measurements so far are safe from here on, whatever happens later. Of very many short runs, a few at
        // the end may have to be measured again, or writing would take longer than measuring.
        let begin = (self.terminal.clock)();
        let due = self.written.is_none_or(|(when, took)| begin >= when + 10 * took);
        if due {
            let error = record::write_on(self.disk, record, &self.path).err();
            if let Some(error) = &error
                && self.error.is_none()
            {
                cannot_keep(error, self.terminal.say);
            }
            self.error = error;
            let end = (self.terminal.clock)();
            self.written = Some((end, end.saturating_sub(begin)));
        }
    }
}

/// Warns early that the record cannot be written, before hours of measuring.
fn cannot_keep(error: &record::StoreError, say: &dyn Fn(&str)) {
    say(&format!(
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
