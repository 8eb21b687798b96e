//! Cells of CSV files (RFC 4180), in figures and exports alike.

use plusminus::text::visible;

/// Formats a cell as CSV has it, with nothing hidden in it. A formula of a spreadsheet becomes text.
pub(crate) fn quoted(cell: &str) -> String {
    let cell = visible(cell);
    let formula = cell.starts_with(['=', '+', '-', '@']) && cell.parse::<f64>().is_err();
    let cell = if formula { format!("'{cell}") } else { cell };
    if cell.contains([',', '"']) {
        return format!("\"{}\"", cell.replace('"', "\"\""));
    }
    cell
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn cells_are_neither_split_nor_executed() {
        for (cell, expected) in [
            ("plain", "plain"),
            ("a,b", "\"a,b\""),
            ("say \"x\"", "\"say \"\"x\"\"\""),
            ("=1+1", "'=1+1"),
            ("@SUM(A1)", "'@SUM(A1)"),
            ("-1.5", "-1.5"),
            ("a\u{1b}[31m\n::error::b", "a\\u{1b}[31m\\n::error::b"),
            ("::error::b", "\\u{3a}:error::b"),
        ] {
            assert_eq!(quoted(cell), expected);
        }
    }
}
