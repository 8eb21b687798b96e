//! What is shown while measuring: one line on a terminal, and nothing where standard error goes elsewhere.
//! Always between samples: a table's worker is not even started while something is written.

use std::{
    path::PathBuf,
    time::{Duration, Instant},
};

use crate::{
    engine::{Position, Watcher},
    output::{complain, progress_columns},
    record::{self, Record},
    text::{View, number::duration, visible},
};

/// The time between two updates at least: it cannot be read faster, and every one costs time.
const UPDATES: Duration = Duration::from_millis(100);

/// The cells of the bar.
const BAR: usize = 12;

/// Shows nothing and writes nothing: for tests, and beside a debugger.
pub(super) struct Silent;

impl Watcher for Silent {
    fn begin(&mut self, _: Position<'_>) {}
    fn finished_run(&mut self, _: &Record) {}
}

/// Shows progress, and writes the record after every run.
pub(super) struct Progress {
    /// The columns of the terminal; `None` where nothing is shown.
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
    /// Shows progress of a measurement whose record goes to `path`, unless `error` says that it could not be begun.
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
        // What has been measured is safe from here on, whatever happens later. Of very many short runs, a few at the
        // end may have to be measured again, or writing would take longer than measuring.
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

/// Says early that the record cannot be written: who waits for hours wants to know before.
fn cannot_keep(error: &record::StoreError) {
    complain(&format!(
        "plusminus: {error}; measuring goes on, but only the report at the end will be left (PLUSMINUS_OUTPUT names \
         another folder)\n"
    ));
}

/// The finished part of the time, if it can be known.
fn fraction(position: Position<'_>) -> Option<f64> {
    let whole = position.spent + position.left?;
    (!whole.is_zero()).then(|| position.spent.as_secs_f64() / whole.as_secs_f64())
}

/// `[######------] 50 %, about 12 s left, run 3 of 5: sort::quick`, in at most one column less than there are: a
/// terminal that is written to its last column may go on to the next line.
fn line(position: Position<'_>, columns: usize) -> String {
    let done = fraction(position).unwrap_or(0.0);
    let full = ((done * BAR as f64) as usize).min(BAR);
    let cells: String = (0..BAR).map(|cell| if cell < full { '#' } else { '-' }).collect();
    let left =
        position.left.map_or(String::new(), |left| format!("about {} left, ", waiting(left)));
    let begin = format!("[{cells}] {:.0} %, ", done * 100.0);
    let standing = format!("{left}run {} of {}: ", position.run + 1, position.runs);
    let room = columns.saturating_sub(1);
    let view = View { unicode: false, ..View::default() };
    // The bar says least.
    let wide = begin.len() + standing.len() + 16 <= room;
    let begin = if wide { begin + &standing } else { standing };
    let name = view.cut(&visible(position.table), room.saturating_sub(begin.len()));
    view.cut(&(begin + &name), room)
}

/// A time in whole seconds, as a number that changes all the time is no easier to read with more digits.
fn waiting(time: Duration) -> String {
    duration(time.as_secs_f64().ceil().max(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::width;

    fn at(spent: u64, left: Option<u64>) -> Position<'static> {
        let (spent, left) = (Duration::from_secs(spent), left.map(Duration::from_secs));
        Position { run: 2, runs: 5, table: "sort::\u{1b}quick", spent, left }
    }

    #[test]
    fn a_line_shows_what_is_done_and_what_is_left() {
        assert_eq!(
            line(at(10, Some(30)), 80),
            "[###---------] 25 %, about 30 s left, run 3 of 5: sort::\\u{1b}quick"
        );
        assert_eq!(
            line(at(0, None), 80),
            "[------------] 0 %, run 3 of 5: sort::\\u{1b}quick",
            "nothing is claimed before anything is known"
        );
        assert_eq!(line(at(10, Some(30)), 40), "about 30 s left, run 3 of 5: sort..uick");
    }

    #[test]
    fn a_line_takes_one_line_of_any_terminal() {
        for columns in 1..200 {
            assert!(width(&line(at(100_000, Some(1_000_000)), columns)) < columns);
        }
        assert_eq!(waiting(Duration::from_secs(4_801)), "1 h 20 min");
        assert_eq!(waiting(Duration::ZERO), "1.0 s");
    }
}
