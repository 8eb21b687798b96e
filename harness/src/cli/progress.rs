//! What is shown while measuring: a line on the terminal, before a table is measured and never during a sample.

use std::{
    io::{IsTerminal, Write},
    path::PathBuf,
};

use crate::{
    record::{self, Record},
    runner::Watcher,
};

/// Shows progress, and writes the record after every run.
pub(super) struct Progress {
    /// Whether standard error is a terminal on which a line can be rewritten.
    terminal: bool,
    /// Where the record goes.
    path: PathBuf,
    /// Why the record could not be written, if it could not.
    pub(super) error: Option<record::StoreError>,
}

impl Progress {
    pub(super) fn new(quiet: bool, path: PathBuf) -> Self {
        Self { terminal: !quiet && std::io::stderr().is_terminal(), path, error: None }
    }

    /// Clears the line.
    pub(super) fn end(&self) {
        if self.terminal {
            eprint!("\r\x1b[2K");
        }
    }
}

impl Watcher for Progress {
    fn begin(&mut self, run: u32, runs: u32, table: &str) {
        if self.terminal {
            let shown: String = table.chars().take(60).collect();
            eprint!("\r\x1b[2Krun {} of {runs}: {shown}", run + 1);
            let _ = std::io::stderr().flush();
        }
    }

    fn finished_run(&mut self, record: &Record) {
        // What has been measured is safe from here on, whatever happens later.
        self.error = record::write(record, &self.path).err();
    }
}
