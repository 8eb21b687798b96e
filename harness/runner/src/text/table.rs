//! Tables of aligned columns, in colors or without.

use anstyle::{AnsiColor, Style as Ansi};

use super::visible;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// Plain text.
    Plain,
    /// With the escape sequences of terminals.
    Coloured,
}

/// The color of a text, by its meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Paint {
    /// None.
    #[default]
    None,
    /// The subject of a table.
    Heading,
    /// A title of a column.
    Dimmed,
    /// An improvement.
    Good,
    /// A failure or a loss.
    Bad,
    /// A warning.
    Warning,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cell {
    text: String,
    paint: Paint,
}

impl Cell {
    /// A cell in a color. The text is made [`visible`].
    pub fn new(text: &str, paint: Paint) -> Self {
        Self { text: visible(text), paint }
    }
}

impl<T: AsRef<str>> From<T> for Cell {
    fn from(text: T) -> Self {
        Self::new(text.as_ref(), Paint::None)
    }
}

/// Returns a text in a color, if the style has colors.
pub fn painted(text: &str, paint: Paint, style: Style) -> String {
    let ansi = match paint {
        Paint::None => Ansi::new(),
        Paint::Heading => Ansi::new().bold(),
        Paint::Dimmed => Ansi::new().dimmed(),
        Paint::Good => AnsiColor::Green.on_default(),
        Paint::Bad => AnsiColor::Red.on_default(),
        Paint::Warning => AnsiColor::Yellow.on_default(),
    };
    match style {
        Style::Coloured if paint != Paint::None && !text.is_empty() => {
            format!("{ansi}{text}{ansi:#}")
        }
        _ => text.to_owned(),
    }
}

/// Returns rows as lines of aligned columns; the first row has the titles.
///
/// The columns in `words` stand to the left, all others, which are numbers, to the right. A column without any text
/// below its title is dropped.
pub fn table(rows: &[Vec<Cell>], words: &[usize], style: Style) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize, rows: &[Vec<Cell>]| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.text.chars().count()).max().unwrap_or(0)
    };
    let used: Vec<(usize, usize)> = (0..columns)
        .filter(|&column| column == 0 || width(column, rows.get(1..).unwrap_or_default()) > 0)
        .map(|column| (column, width(column, rows)))
        .collect();
    let mut text = String::new();
    for row in rows {
        let mut line = String::new();
        let mut gap = "  ".to_owned();
        for &(column, width) in &used {
            let Some(cell) = row.get(column) else { continue };
            let padding = " ".repeat(width - cell.text.chars().count());
            let left = words.contains(&column);
            line.push_str(&gap);
            line.push_str(if left { "" } else { &padding });
            line.push_str(&painted(&cell.text, cell.paint, style));
            gap = if left { padding + "   " } else { "   ".to_owned() };
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(texts: &[&str]) -> Vec<Cell> {
        texts.iter().map(Cell::from).collect()
    }

    #[test]
    fn columns_are_aligned_by_characters_and_empty_ones_left_out() {
        let rows = [cells(&["α", "n", "rate", "is"]), cells(&["long", "10 µs", "", "x"])];
        assert_eq!(
            table(&rows, &[0, 3], Style::Plain),
            "  α          n   is\n  long   10 µs   x\n"
        );
        assert_eq!(table(&[], &[0], Style::Plain), "");
    }

    #[test]
    fn colours_do_not_move_columns() {
        let rows = [cells(&["a", "b"]), vec![Cell::new("x", Paint::Bad), Cell::from("1")]];
        let coloured = table(&rows, &[0], Style::Coloured);
        assert!(coloured.contains("\u{1b}[31mx\u{1b}[0m   1"), "{coloured:?}");
    }

    #[test]
    fn no_cell_ends_its_line() {
        let rows = [cells(&["name", "n"]), cells(&["a\n::error::b\u{1b}[2J", "1"])];
        let text = table(&rows, &[0], Style::Plain);
        assert_eq!(text.lines().count(), 2, "{text}");
        assert!(!text.contains('\u{1b}'));
    }
}
