//! The report at a terminal: a table, then one sentence for each benchmark.

use plusminus::{
    results::Time,
    text::{
        Cell, Style,
        number::{change, time_with_uncertainty, with_uncertainty},
        table,
    },
};

use super::{Comparison, built, code, sentences};
use crate::results::{CaseResult, RowResult};

/// The titles of the columns.
pub(super) const TITLES: [&str; 8] =
    ["benchmark", "base ± σ", "new ± σ", "change", "95 % interval", "S ± σ", "blocks", "verdict"];

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
pub(super) fn cells(case: &CaseResult, row: &RowResult, comparison: &Comparison) -> [String; 8] {
    let time = |time: &Time| time_with_uncertainty(time.estimate.value, time.estimate.u);
    let (base, new) =
        row.times.as_ref().map_or_else(Default::default, |[base, new]| (time(base), time(new)));
    let interval = sentences::interval_of(row)
        .map_or("–".to_owned(), |(low, high)| format!("[{}, {}]", change(low), change(high)));
    [
        sentences::row_name(case, row),
        base,
        new,
        sentences::change_of(row).map_or("–".to_owned(), change),
        interval,
        row.speedup.map_or("–".to_owned(), |speedup| with_uncertainty(speedup, row.sigma)),
        row.blocks.len().to_string(),
        sentences::label(case, row, comparison),
    ]
}

/// All sentences: one for each row, indented what speaks against it, then failures and names.
pub(super) fn lines(comparison: &Comparison) -> Vec<String> {
    let mut lines = Vec::new();
    for case in &comparison.outcome.cases {
        if let Some(failure) = sentences::failure(case) {
            lines.push(failure);
            continue;
        }
        for row in &case.rows {
            lines.push(sentences::sentence(case, row, comparison));
            lines.extend(remarks(row).into_iter().map(|remark| format!("  {remark}")));
        }
        lines.extend(code::remark(comparison, &case.name).map(|remark| format!("  {remark}")));
    }
    lines.extend(code::unmeasured(comparison));
    lines.extend(code::lines(comparison));
    lines.extend(sentences::names(comparison));
    lines.extend(built::sentences(&comparison.built));
    lines.extend(sentences::interrupted(comparison));
    lines
}

/// What has to be said about a row besides its sentence.
pub(super) fn remarks(row: &RowResult) -> Vec<String> {
    let mut remarks: Vec<String> =
        row.doubts.iter().map(|doubt| format!("unreliable: {}", sentences::doubt(doubt))).collect();
    remarks.extend(row.notes.iter().map(|note| format!("note: {note}")));
    if row.repaired {
        remarks.push(
            "note: neighbouring blocks depended on each other and were averaged in twos, which the guarantee of α \
             does not cover"
                .to_owned(),
        );
    }
    let clean_only = row.blocks.iter().filter(|block| block.clean_only).count();
    if clean_only > 0 {
        remarks.push(format!(
            "note: in {clean_only} of {} blocks only the pairs of samples count that were not interrupted",
            row.blocks.len()
        ));
    }
    remarks
}
