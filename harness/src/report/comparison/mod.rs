//! A comparison of two programs in words: the table and the sentences that `--baseline` and the subcommand `compare` share.
//! Reads outcomes alone.

mod sentences;

pub use sentences::{
    case_failure, comparison_headline, comparison_interrupted, control_sentence, doubt_sentence,
    row_name, row_remarks, row_sentence, row_size,
};

use crate::{
    analysis::verdict::Verdict,
    record::ComparisonRecord,
    results::{CaseResult, Outcome, RowResult, Time},
    text::{
        Cell, Paint, Style,
        number::{change, duration, percent, time_with_uncertainty, with_uncertainty},
        table, visible,
    },
};

/// The titles of the columns of a comparison.
pub const COMPARISON_TITLES: [&str; 8] =
    ["benchmark", "base ± σ", "new ± σ", "change", "95 % interval", "S ± σ", "blocks", "verdict"];

/// The cells of a row: plain text in every format. `label` is the word for its verdict.
pub fn comparison_cells(case: &CaseResult, row: &RowResult, label: String) -> [String; 8] {
    let time = |time: &Time| time_with_uncertainty(time.estimate.value, time.estimate.u);
    let (base, new) =
        row.times.as_ref().map_or_else(Default::default, |[base, new]| (time(base), time(new)));
    let interval = row
        .change_interval()
        .map_or("–".to_owned(), |(low, high)| format!("[{}, {}]", change(low), change(high)));
    [
        row_name(case, row),
        base,
        new,
        row.change().map_or("–".to_owned(), change),
        interval,
        row.speedup.map_or("–".to_owned(), |speedup| with_uncertainty(speedup, row.sigma)),
        row.blocks.len().to_string(),
        label,
    ]
}

/// The word for a verdict, with `(unreliable)` where a check failed.
pub fn row_label(row: &RowResult) -> String {
    let label = row.judgement.verdict.label();
    if row.doubts.is_empty() { label.to_owned() } else { format!("{label} (unreliable)") }
}

/// The comparison of this program with that of a baseline, as text.
pub fn render_paired(record: &ComparisonRecord, outcome: &Outcome, style: Style) -> String {
    let mut text = heading(record);
    let mut rows = vec![COMPARISON_TITLES.map(|title| Cell::new(title, Paint::Dimmed)).to_vec()];
    for case in &outcome.cases {
        rows.extend(case.rows.iter().map(|row| coloured(case, row)));
    }
    if rows.len() > 1 {
        text.push_str(&table(&rows, &[0, COMPARISON_TITLES.len() - 1], style));
    }
    for line in lines(record, outcome) {
        text.push_str(&format!("  {line}\n"));
    }
    text
}

fn heading(record: &ComparisonRecord) -> String {
    let base = &record.base;
    let commit = base.manifest.commit.as_deref().map_or(String::new(), |commit| {
        format!(", commit {}", visible(&commit.chars().take(10).collect::<String>()))
    });
    format!(
        "\ncompared with the program of the baseline `{}` (kept {}{commit}), both measured in turns\n",
        visible(&base.name),
        visible(&base.manifest.started),
    )
}

fn coloured(case: &CaseResult, row: &RowResult) -> Vec<Cell> {
    let mut cells: Vec<Cell> =
        comparison_cells(case, row, String::new()).iter().map(Cell::from).collect();
    let paint = super::terminal::colour(row.judgement.verdict);
    if let Some(last) = cells.last_mut() {
        *last = Cell::new(&row_label(row), paint);
    }
    cells
}

/// The sentences below the table. Rows that are the same need none: the table says all of it.
fn lines(record: &ComparisonRecord, outcome: &Outcome) -> Vec<String> {
    let alpha = record.settings.alpha;
    let mut lines = Vec::new();
    for case in &outcome.cases {
        if let Some(failure) = case_failure(case) {
            lines.push(failure);
            continue;
        }
        for row in &case.rows {
            let remarks = row_remarks(row);
            if row.judgement.verdict != Verdict::Same || !row.doubts.is_empty() {
                lines.push(row_sentence(case, row, alpha));
            }
            lines.extend(remarks.into_iter().map(|remark| format!("  {remark}")));
        }
    }
    let only =
        |name: &String, which: &str| format!("only {which} has {}: not compared", visible(name));
    lines.extend(record.added.iter().map(|name| only(name, "this program")));
    lines.extend(record.removed.iter().map(|name| only(name, "the baseline")));
    lines.extend(comparison_interrupted(outcome));
    lines.push(comparison_headline(outcome, |_| true, 0));
    lines.push(control_sentence(outcome));
    let of_time = match outcome.out_of_time {
        true => "; the time was up before all was decided",
        false => "",
    };
    lines.push(format!(
        "Each block is a fresh process of both programs, asked in turn; margin {}; α {alpha} over {} verdicts; seed {}; \
         {} of measuring{of_time}.",
        percent(record.settings.margin),
        outcome.rows,
        record.settings.seed,
        duration(outcome.seconds),
    ));
    lines
}
