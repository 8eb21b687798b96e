//! How a report is shown: in how many columns, in which letters and colors, and in how much detail.

use super::{Style, width};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct View {
    /// Columns that no line exceeds, unless a single word is longer.
    pub width: usize,
    pub style: Style,
    /// Whether there are letters beyond ASCII, as there are not in every terminal.
    pub unicode: bool,
    /// Whether details and definitions are wanted.
    pub verbose: bool,
    pub sort: Sort,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Sort {
    /// That of the source.
    #[default]
    Source,
    /// By name.
    Name,
    /// The fastest first.
    Time,
    /// The largest speedup first.
    Speedup,
}

/// Columns where nothing is known of the terminal.
pub const COLUMNS: usize = 80;

impl Default for View {
    fn default() -> Self {
        Self {
            width: COLUMNS,
            style: Style::Plain,
            unicode: true,
            verbose: false,
            sort: Sort::Source,
        }
    }
}

/// Stands for a blank at which no line is broken.
const UNBROKEN: char = '\u{a0}';

/// A text in which commands are single words, so that they can be copied: what stands between backticks and begins with
/// `cargo`.
fn unbroken_commands(text: &str) -> String {
    let mut parts = text.split('`');
    let mut whole = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        whole.push('`');
        match part.strip_prefix("cargo ") {
            Some(_) => whole.extend(part.chars().map(|c| if c == ' ' { UNBROKEN } else { c })),
            None => whole.push_str(part),
        }
    }
    whole
}

impl View {
    /// Everything there is to say, in lines that are broken nowhere: for programs and tests.
    pub fn unlimited() -> Self {
        Self { width: usize::MAX / 2, verbose: true, ..Self::default() }
    }

    /// A text in the letters of this view.
    pub fn text(&self, text: &str) -> String {
        if self.unicode { text.to_owned() } else { width::ascii(text) }
    }

    /// Returns a text in the letters of this view, at most this wide. A longer text loses its middle.
    pub fn cut(&self, text: &str, columns: usize) -> String {
        let mark = if self.unicode { "…" } else { ".." };
        width::cut(&self.text(text), columns, mark)
    }

    /// A text in lines of this view; all but the first begin with blanks.
    pub fn wrapped(&self, text: &str, blanks: usize) -> Vec<String> {
        let text = unbroken_commands(&self.text(text));
        let mut lines = width::wrapped(&text, self.width, &" ".repeat(blanks));
        lines.iter_mut().for_each(|line| *line = line.replace(UNBROKEN, " "));
        lines
    }

    /// Returns a text as [`Self::wrapped`] breaks it, each line ended.
    pub fn paragraph(&self, text: &str, blanks: usize) -> String {
        let mut lines = self.wrapped(text, blanks).join("\n");
        lines.push('\n');
        lines
    }
}
