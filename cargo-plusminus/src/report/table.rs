//! The report at a terminal: a table, then one sentence for each benchmark.

use plusminus::{
    report::{
        COMPARISON_TITLES as TITLES, case_failure, comparison_cells, comparison_interrupted,
        row_remarks,
    },
    results::{CaseResult, RowResult},
    text::{Cell, Style, table},
};

use super::{Comparison, built, code, sentences};

/// The report of a comparison.
pub(crate) fn render(comparison: &Comparison) -> String {
    let mut text = format!("{}  →  {}\n\n", comparison.base.text(), comparison.new.text());
    let of_case = |case: &CaseResult| {
        case.rows.iter().map(|row| cells(case, row, comparison)).collect::<Vec<_>>()
    };
    let rows: Vec<_> = comparison.outcome.cases.iter().flat_map(of_case).collect();
    if !rows.is_empty() {
        text.push_str(&aligned(&TITLES, &rows, &[0, TITLES.len() - 1]));
        text.push('\n');
    }
    for line in lines(comparison) {
        text.push_str(&line);
        text.push('\n');
    }
    text.push_str(&format!("\n{}\n", sentences::headline(comparison)));
    for line in sentences::foot(comparison) {
        text.push_str(&line);
        text.push('\n');
    }
    text
}

/// A table of plain cells: names to the left, numbers to the right.
pub fn plain(titles: &[&str], lines: &[Vec<String>]) -> String {
    aligned(titles, lines, &[0])
}

fn aligned<T: AsRef<str>>(titles: &[&str], lines: &[impl AsRef<[T]>], words: &[usize]) -> String {
    let mut rows: Vec<Vec<Cell>> = vec![titles.iter().map(Cell::from).collect()];
    rows.extend(lines.iter().map(|line| line.as_ref().iter().map(Cell::from).collect()));
    table(&rows, words, Style::Plain)
}

/// The cells of a row: plain text in every format.
pub(crate) fn cells(case: &CaseResult, row: &RowResult, comparison: &Comparison) -> [String; 8] {
    comparison_cells(case, row, sentences::label(case, row, comparison))
}

/// All sentences: one for each row, indented what speaks against it, then failures and names.
pub(super) fn lines(comparison: &Comparison) -> Vec<String> {
    let mut lines = Vec::new();
    for case in &comparison.outcome.cases {
        if let Some(failure) = case_failure(case) {
            lines.push(failure);
            continue;
        }
        for row in &case.rows {
            lines.push(sentences::sentence(case, row, comparison));
            lines.extend(row_remarks(row).into_iter().map(|remark| format!("  {remark}")));
        }
        lines.extend(code::remark(comparison, &case.name).map(|remark| format!("  {remark}")));
    }
    lines.extend(code::unmeasured(comparison));
    lines.extend(code::lines(comparison));
    lines.extend(sentences::names(comparison));
    lines.extend(built::sentences(&comparison.built));
    lines.extend(comparison_interrupted(&comparison.outcome));
    lines
}
