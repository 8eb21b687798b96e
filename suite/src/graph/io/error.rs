//! The fault of a file, and its place.

use std::fmt;

/// Where in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// The file as a whole.
    File,
    /// A line of a text file, the first one being 1.
    Line(u64),
    /// A byte of a binary file, the first one being 0.
    Byte(u64),
}

/// Why a graph could not be read.
#[derive(Debug)]
pub struct ReadError {
    place: Place,
    reason: String,
}

impl ReadError {
    pub(super) fn new(place: Place, reason: impl Into<String>) -> Self {
        Self { place, reason: reason.into() }
    }

    /// Returns the same error, moved by this number of lines.
    pub(super) fn after(mut self, lines: u64) -> Self {
        if let Place::Line(line) = &mut self.place {
            *line += lines;
        }
        self
    }

    /// Where the reader gave up.
    pub fn place(&self) -> Place {
        self.place
    }

    /// Returns the found text.
    pub fn reason(&self) -> &str {
        &self.reason
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place {
            Place::File => write!(f, "{}", self.reason),
            Place::Line(line) => write!(f, "line {line}: {}", self.reason),
            Place::Byte(byte) => write!(f, "byte {byte}: {}", self.reason),
        }
    }
}

impl std::error::Error for ReadError {}
