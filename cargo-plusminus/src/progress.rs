//! A line on the terminal with the current activity; nothing if standard error is no terminal.

use std::time::{Duration, Instant};

use plusminus::{
    engine::{ComparisonPosition, ComparisonWatcher},
    output::{complain, progress_columns},
    text::{Standing, View, visible},
};

/// Rewrites one line, at most a few times a second: printing disturbs measuring.
pub struct Progress {
    quiet: bool,
    shown: bool,
    last: Option<Instant>,
}

impl Progress {
    /// A line that stays away if `quiet`.
    pub fn new(quiet: bool) -> Self {
        Self { quiet, shown: !quiet && progress_columns().is_some(), last: None }
    }

    /// Whether nothing but errors is printed.
    pub(crate) fn is_quiet(&self) -> bool {
        self.quiet
    }

    /// Shows a line and replaces the last one.
    pub fn show(&mut self, text: &str) {
        if self.shown {
            // A terminal that is written to its last column may go on to the next line.
            let room = progress_columns().map_or(0, |columns| columns - 1);
            let text = View { unicode: false, ..View::default() }.cut(&visible(text), room);
            complain(&format!("\r\x1b[2K{text}"));
        }
    }

    /// Announces the reason for a wait: in the line of progress, or as a line of its own without a terminal.
    pub(crate) fn say(&mut self, text: &str) {
        if self.shown {
            self.show(text);
        } else if !self.quiet {
            complain(&format!("{}\n", visible(text)));
        }
    }

    /// Clears the line.
    pub fn end(&mut self) {
        if self.shown {
            complain("\r\x1b[2K");
        }
    }
}

impl ComparisonWatcher for Progress {
    fn begin(&mut self, position: ComparisonPosition<'_>) {
        let due = self.last.is_none_or(|last| last.elapsed() > Duration::from_millis(200));
        if let Some(columns) = progress_columns().filter(|_| self.shown && due) {
            let ComparisonPosition { spent, left, name, .. } = position;
            let part = position.part();
            let standing = Standing { spent, left, about: "at most", part: &part, name };
            complain(&format!("\r\x1b[2K{}", standing.line(columns)));
            self.last = Some(Instant::now());
        }
    }
}
