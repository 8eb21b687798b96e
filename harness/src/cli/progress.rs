//! What is shown while measuring: one bar for everything on a terminal, now and then a plain line elsewhere.
//! Always between samples: a table's worker is not even started while something is written.

use std::{
    io::IsTerminal,
    path::PathBuf,
    time::{Duration, Instant},
};

use crate::{
    engine::{Position, Watcher},
    output::complain,
    record::{self, Record},
    text::{number::duration, visible},
};

/// How often a plain line is written at most: a log is read later, and nobody waits for its next line.
const PLAIN_LINES: Duration = Duration::from_secs(10);

/// The cells of the bar.
const BAR: usize = 24;

/// Shows nothing and writes nothing: for tests, and beside a debugger.
pub(super) struct Silent;

impl Watcher for Silent {
    fn begin(&mut self, _: Position<'_>) {}
    fn finished_run(&mut self, _: &Record) {}
}

/// Shows progress, and writes the record after every run.
pub(super) struct Progress {
    shown: Shown,
    /// Where the record goes.
    path: PathBuf,
    /// Why the record could not be written, if it could not.
    error: Option<record::StoreError>,
    /// When the last plain line was written.
    last_line: Option<Instant>,
    /// When the record was last written, and how long that took.
    written: Option<(Instant, Duration)>,
}

/// How progress is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shown {
    /// Not at all.
    Nothing,
    /// As a line that is rewritten.
    Bar,
    /// As lines of a log.
    Lines,
}

impl Progress {
    /// Shows progress of a measurement whose record goes to `path`, unless `error` says that it could not be begun.
    pub(super) fn new(quiet: bool, path: PathBuf, error: Option<record::StoreError>) -> Self {
        if let Some(error) = &error {
            cannot_keep(error);
        }
        let shown = match quiet {
            true => Shown::Nothing,
            false if std::io::stderr().is_terminal() => Shown::Bar,
            false => Shown::Lines,
        };
        Self { shown, path, error, last_line: None, written: None }
    }

    /// Clears the line.
    pub(super) fn end(&self) {
        if self.shown == Shown::Bar {
            complain("\r\x1b[2K");
        }
    }
}

impl Watcher for Progress {
    fn begin(&mut self, position: Position<'_>) {
        match self.shown {
            Shown::Nothing => {}
            Shown::Bar => complain(&format!("\r\x1b[2K{}", bar(position))),
            Shown::Lines => {
                let due = match self.last_line {
                    Some(last) => last.elapsed() >= PLAIN_LINES,
                    // What is over soon needs no line at all.
                    None => position.left.is_some_and(|left| left + position.spent >= PLAIN_LINES),
                };
                if due {
                    self.last_line = Some(Instant::now());
                    complain(&format!("plusminus: {}\n", line(position)));
                }
            }
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

/// `[######------]  50 %  run 3 of 5  about 12 s left  sort::quick`
fn bar(position: Position<'_>) -> String {
    let done = fraction(position).unwrap_or(0.0);
    let full = ((done * BAR as f64) as usize).min(BAR);
    let cells: String = (0..BAR).map(|cell| if cell < full { '#' } else { '-' }).collect();
    let shown: String = visible(position.table).chars().take(40).collect();
    format!("[{cells}] {:3.0} %  {}  {shown}", done * 100.0, standing(position))
}

fn line(position: Position<'_>) -> String {
    let done = fraction(position).unwrap_or(0.0);
    format!("{:.0} % after {}, {}", done * 100.0, waiting(position.spent), standing(position))
}

/// A time in whole seconds, as a number that changes all the time is no easier to read with more digits.
fn waiting(time: Duration) -> String {
    duration(time.as_secs_f64().ceil().max(1.0))
}

fn standing(position: Position<'_>) -> String {
    let left =
        position.left.map_or(String::new(), |left| format!("  about {} left", waiting(left)));
    format!("run {} of {}{left}", position.run + 1, position.runs)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(spent: u64, left: Option<u64>) -> Position<'static> {
        let (spent, left) = (Duration::from_secs(spent), left.map(Duration::from_secs));
        Position { run: 2, runs: 5, table: "sort::\u{1b}quick", spent, left }
    }

    #[test]
    fn the_bar_shows_what_is_done_and_what_is_left() {
        assert_eq!(
            bar(at(10, Some(30))),
            "[######------------------]  25 %  run 3 of 5  about 30 s left  sort::\\u{1b}quick"
        );
        assert_eq!(
            bar(at(0, None)),
            "[------------------------]   0 %  run 3 of 5  sort::\\u{1b}quick",
            "nothing is claimed before anything is known"
        );
    }

    #[test]
    fn lines_are_plain() {
        assert_eq!(
            line(at(60, Some(65))),
            "48 % after 1 min 0 s, run 3 of 5  about 1 min 5 s left"
        );
        assert_eq!(waiting(Duration::from_secs(4_801)), "1 h 20 min");
        assert_eq!(waiting(Duration::ZERO), "1.0 s");
    }
}
