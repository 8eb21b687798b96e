//! What is shown while measuring: one bar for everything on a terminal, now and then a plain line elsewhere.
//! Always between samples: a table's worker is not even started while something is written.

use std::{
    io::{IsTerminal, Write},
    path::PathBuf,
    time::{Duration, Instant},
};

use crate::{
    engine::{Position, Watcher},
    record::{self, Record},
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
            complain(error);
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
            write("\r\x1b[2K");
        }
    }
}

impl Watcher for Progress {
    fn begin(&mut self, position: Position<'_>) {
        match self.shown {
            Shown::Nothing => {}
            Shown::Bar => write(&format!("\r\x1b[2K{}", bar(position))),
            Shown::Lines => {
                let due = match self.last_line {
                    Some(last) => last.elapsed() >= PLAIN_LINES,
                    // What is over soon needs no line at all.
                    None => position.left.is_some_and(|left| left + position.spent >= PLAIN_LINES),
                };
                if due {
                    self.last_line = Some(Instant::now());
                    write(&format!("plusminus: {}\n", line(position)));
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
                complain(error);
            }
            self.error = error;
            self.written = Some((Instant::now(), begin.elapsed()));
        }
    }
}

/// Says early that the record cannot be written: who waits for hours wants to know before.
fn complain(error: &record::StoreError) {
    write(&format!(
        "plusminus: {error}; measuring goes on, but only the report at the end will be left (PLUSMINUS_OUTPUT names \
         another folder)\n"
    ));
}

/// Writes to standard error. Nobody may be listening, which is no reason to stop.
fn write(text: &str) {
    let mut stderr = std::io::stderr();
    let _ = stderr.write_all(text.as_bytes());
    let _ = stderr.flush();
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
    let shown: String = position.table.chars().filter(|c| !c.is_control()).take(40).collect();
    format!("[{cells}] {:3.0} %  {}  {shown}", done * 100.0, standing(position))
}

fn line(position: Position<'_>) -> String {
    let done = fraction(position).unwrap_or(0.0);
    format!("{:.0} % after {}, {}", done * 100.0, time(position.spent), standing(position))
}

fn standing(position: Position<'_>) -> String {
    let left = position.left.map_or(String::new(), |left| format!("  about {} left", time(left)));
    format!("run {} of {}{left}", position.run + 1, position.runs)
}

/// A time for people who wait: `3 s`, `2 min 5 s`, `1 h 20 min`.
fn time(duration: Duration) -> String {
    let seconds = (duration.as_secs_f64().ceil() as u64).max(1);
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3600 => format!("{} min {} s", seconds / 60, seconds % 60),
        _ => format!("{} h {} min", seconds / 3600, seconds / 60 % 60),
    }
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
            "[######------------------]  25 %  run 3 of 5  about 30 s left  sort::quick"
        );
        assert_eq!(
            bar(at(0, None)),
            "[------------------------]   0 %  run 3 of 5  sort::quick",
            "nothing is claimed before anything is known"
        );
    }

    #[test]
    fn lines_are_plain() {
        assert_eq!(
            line(at(60, Some(65))),
            "48 % after 1 min 0 s, run 3 of 5  about 1 min 5 s left"
        );
        assert_eq!(time(Duration::from_secs(4_801)), "1 h 20 min");
        assert_eq!(time(Duration::ZERO), "1 s");
    }
}
