//! Cells of CSV files (RFC 4180), in figures and exports alike.

/// A cell as CSV has it. What a spreadsheet would take for a formula becomes text.
pub(crate) fn quoted(cell: &str) -> String {
    let formula =
        cell.starts_with(['=', '+', '-', '@', '\t', '\r']) && cell.parse::<f64>().is_err();
    let cell = if formula { format!("'{cell}") } else { cell.to_owned() };
    if cell.contains([',', '"', '\n', '\r']) {
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
        ] {
            assert_eq!(quoted(cell), expected);
        }
    }
}
