//! A comparison of two programs in words: the table and the sentences that `--baseline` and the subcommand `compare` share.
//! Reads outcomes alone.

mod costs;
mod sentences;

pub use costs::{measure_words, row_costs};
use sentences::{BASELINE, counted, doubt_name, verdict_remark, work_sentence};
pub use sentences::{
    case_failure, comparison_headline, comparison_interrupted, control_sentence, doubt_sentence,
    options_of_compare, row_name, row_remarks, row_sentence, row_size,
};

use super::{
    ends::row_change,
    notes::{Kind, Note},
    verdicts::judgement_words,
};
use crate::{
    analysis::verdict::Doubt,
    record::ComparisonRecord,
    results::{CaseResult, Outcome, ProgramComparison, RowResult, Time},
    text::{
        View,
        number::{self, change, duration, percent, time_with_uncertainty, with_uncertainty},
        visible,
    },
};

/// The titles of the columns of a comparison.
pub const COMPARISON_TITLES: [&str; 8] =
    ["benchmark", "base ± σ", "new ± σ", "change", "interval", "S ± σ", "blocks", "verdict"];

/// The cells of a row: plain text in every format. `label` is the word for its verdict.
pub fn comparison_cells(case: &CaseResult, row: &RowResult, label: String) -> [String; 8] {
    let (base, new) =
        row.times.as_ref().map_or_else(Default::default, |[base, new]| (time(base), time(new)));
    let (compared, interval) = row_change(row)
        .unwrap_or_else(|| (row.change().map_or("–".to_owned(), change), "–".to_owned()));
    [
        row_name(case, row),
        base,
        new,
        compared,
        interval,
        row.speedup.map_or("–".to_owned(), |speedup| with_uncertainty(speedup, row.sigma)),
        row.blocks.len().to_string(),
        label,
    ]
}

fn time(of: &Time) -> String {
    time_with_uncertainty(of.estimate.value, of.estimate.u)
}

/// Returns the numbers of a row that are not `is_printed` already, in one text, and its remarks. `label` is the word for its
/// verdict.
pub fn row_details(
    case: &CaseResult,
    row: &RowResult,
    label: String,
    is_printed: impl Fn(&str) -> bool,
) -> Vec<String> {
    let mut parts = match row_change(row) {
        Some((compared, ends)) => vec![compared, ends],
        None => row.change().map(change).into_iter().collect(),
    };
    parts.push(label);
    parts.extend(row.times.as_ref().map(|[base, new]| format!("{} → {}", time(base), time(new))));
    parts.extend(row.speedup.map(|speedup| format!("S {}", with_uncertainty(speedup, row.sigma))));
    parts.push(number::counted(row.blocks.len(), "block"));
    let parts = parts.into_iter().filter(|part| !is_printed(part)).collect::<Vec<_>>();
    let mut lines = vec![parts.join(", ")];
    lines.extend(verdict_remark(case, row));
    lines.extend(work_sentence(row));
    lines.extend(row_costs(row, true));
    lines.extend(row_remarks(row));
    lines
}

/// The word for a verdict, or which check failed.
pub fn row_label(row: &RowResult) -> String {
    let label = judgement_words(&row.judgement, row.margin);
    match row.doubts.first() {
        None => label,
        Some(doubt @ Doubt::ControlDiffers { .. }) => format!("{label} ({})", doubt_name(doubt)),
        Some(doubt) => format!("check failed: {}", doubt_name(doubt)),
    }
}

/// The comparison of this program with that of a baseline, in full.
pub(super) fn details(comparison: &ProgramComparison, view: &View) -> String {
    let ProgramComparison { record, outcome } = comparison;
    let mut text = view.paragraph(&heading(record), 2);
    for case in &outcome.cases {
        for row in &case.rows {
            // The line of the benchmark has S and the verdict.
            let label = row_label(row);
            let is_printed = |part: &str| part.starts_with("S ") || part == label;
            let details = row_details(case, row, label.clone(), is_printed);
            let name = row_name(case, row);
            text.push_str(&view.paragraph(&format!("  {name}: {}", details.join("; ")), 4));
        }
    }
    for line in lines(record, outcome) {
        text.push_str(&view.paragraph(&format!("  {line}"), 4));
    }
    text
}

/// Returns doubts about the comparison, and the parts that it skipped.
pub(super) fn notes(comparison: &ProgramComparison) -> Vec<Note> {
    let ProgramComparison { record, outcome } = comparison;
    let mut notes = Vec::new();
    for case in &outcome.cases {
        let failed = case_failure(case);
        notes.extend(failed.map(|said| Note::about(Kind::NotCompared, &case.name, said)));
        for row in &case.rows {
            for doubt in &row.doubts {
                notes.push(Note::about(Kind::CheckFailed, &case.name, doubt_sentence(doubt)));
            }
        }
    }
    for name in record.added.iter().chain(&record.removed) {
        notes.push(Note::about(Kind::NotCompared, name, name.clone()));
    }
    let stopped = comparison_interrupted(outcome);
    notes.extend(stopped.map(|said| Note::general(Kind::Interrupted, said)));
    notes
}

/// Describes the verdict on two programs in one layout each.
fn of_two_programs(least_margin: f64) -> String {
    format!(
        "This compares two programs in a single layout each. Code placement moves the times of nine in ten benchmarks by up to \
         {}, so smaller changes are inconclusive. `cargo plusminus compare` compares the code in many layouts.",
        percent(least_margin)
    )
}

/// Returns the message that nothing was decided against a baseline, if that is so, with the cure.
pub(super) fn nothing_decided(outcome: &Outcome) -> Option<String> {
    sentences::nothing_decided(outcome, |_| true, BASELINE)
}

fn heading(record: &ComparisonRecord) -> String {
    let base = &record.base;
    format!(
        "compared with the program of the baseline `{}` (kept {}{}), both measured in turns",
        visible(&base.name),
        visible(&base.manifest.started),
        of_commit(base.manifest.commit.as_deref()),
    )
}

/// Returns `, commit 0123456789`, if it is known.
pub(super) fn of_commit(commit: Option<&str>) -> String {
    commit.map_or(String::new(), |commit| {
        format!(", commit {}", visible(&commit.chars().take(10).collect::<String>()))
    })
}

fn lines(record: &ComparisonRecord, outcome: &Outcome) -> Vec<String> {
    let alpha = record.settings.alpha;
    let mut lines: Vec<String> = outcome.cases.iter().filter_map(case_failure).collect();
    let only =
        |name: &String, which: &str| format!("only {which} has {}: not compared", visible(name));
    lines.extend(record.added.iter().map(|name| only(name, "this program")));
    lines.extend(record.removed.iter().map(|name| only(name, "the baseline")));
    lines.extend(comparison_interrupted(outcome));
    lines.push(counted(outcome, &|_| true, &[]));
    lines.extend(nothing_decided(outcome).map(|said| format!("{said}.")));
    lines.push(control_sentence(outcome));
    lines.extend(record.least_margin.map(of_two_programs));
    let of_time = match outcome.out_of_time {
        true => "; the time limit was reached before everything was decided",
        false => "",
    };
    lines.push(format!(
        "Each block is one or more fresh processes of both programs, measured in turns; margin {}; α {alpha} over {}; seed {}; \
         {} of measuring{of_time}.",
        percent(record.settings.margin),
        number::counted(outcome.rows, "verdict"),
        record.settings.seed,
        duration(outcome.seconds),
    ));
    lines
}
