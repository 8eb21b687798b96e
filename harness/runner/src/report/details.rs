//! The additions of `-v` to a report: every number of a benchmark, every note in a sentence, and the meaning of the
//! numbers.

use super::{ends::of_speedup, notes::Kind, quality, sentences, terminal};
use crate::{
    analysis::{Interval, speedup::Speedup},
    record::{CaseRecord, Record, Role},
    results::{Compared, Row, TableResults},
    text::{
        Lines, View,
        number::{TimeUnit, counted, percent, significant, time_interval, with_uncertainty},
        sentence, visible,
    },
};

const BLANKS: usize = 4;

/// Returns the details of the benchmarks of a table that its lines lack.
pub(super) fn of_table(
    table: &TableResults<'_>,
    record: &Record,
    lines: &Lines,
    view: &View,
) -> String {
    let mut text = String::new();
    for (row, line) in table.rows.iter().zip(&lines.rows) {
        let printed = format!("{}{line}", lines.heading);
        let parts = numbers(row, record).into_iter();
        let parts = parts.filter(|part| !printed.contains(&view.text(part))).collect::<Vec<_>>();
        if !parts.is_empty() {
            let role = match row.case.role {
                Role::Baseline => " (base)",
                Role::Reference => " (reference)",
                _ => "",
            };
            let said = format!("{}{role}: {}", visible(row.label), parts.join(", "));
            text.push_str(&indented(&said, view));
        }
    }
    // Failures stand below, as errors.
    let notes = terminal::of_table(table, record);
    for note in notes.iter().filter(|note| note.kind != Kind::Failed) {
        text.push_str(&indented(&sentence(&note.sentence), view));
    }
    text
}

fn indented(said: &str, view: &View) -> String {
    view.paragraph(&format!("{}{said}", " ".repeat(BLANKS)), BLANKS + 2)
}

/// Returns the numbers of a row besides its time and speedup. A wide line has some of them.
fn numbers(row: &Row<'_>, record: &Record) -> Vec<String> {
    let Some(time) = row.time.as_ref() else { return Vec::new() };
    let unit = TimeUnit::of(time.estimate.value);
    let mut parts = Vec::new();
    if let Some(Interval { low, high }) = time.interval() {
        let ends = time_interval(time.estimate.value, [low, high]);
        parts.push(format!("95 % interval {ends}"));
    }
    if let Some(spread) = row.spread {
        parts.push(format!("spread {} {}", significant(spread / unit.ns, 3), unit.name));
    }
    let runs = row.runs.len();
    parts.push(counted(runs, "run"));
    parts.extend(terminal::metrics(row));
    if let Some(Compared { speedup, interval, .. }) = &row.speedup {
        let none = if row.case.until_decided { "S n/a (too few runs)" } else { "S n/a (one run)" };
        parts.push(interval.map_or(none.to_owned(), |interval| {
            of_speedup(speedup.speedup, interval, record.settings.margin).1
        }));
        parts.extend(speedup.sigma.map(|sigma| format!("σ of S {}", significant(sigma, 2))));
    }
    parts.extend(sentences::verdict_remark(row));
    if let Some(real) = &row.real {
        parts.push(format!("real S {}", short(&real.speedup)));
    }
    if let Some(relative) = &row.relative {
        parts.push(format!("relative S {}", short(relative)));
    }
    parts
}

fn short(speedup: &Speedup) -> String {
    with_uncertainty(speedup.speedup, speedup.sigma)
}

pub(super) fn definitions(tables: &[TableResults<'_>], record: &Record, view: &View) -> String {
    let settings = &record.settings;
    let mut said = Vec::new();
    if settings.in_process {
        said.push(
            "A time is the mean over instances of the median sample, in this process.".to_owned(),
        );
    } else {
        let runs_of = |case: &CaseRecord| case.measurements.iter().map(|m| m.run + 1).max();
        let runs = record.cases.iter().filter_map(runs_of).max().unwrap_or(0);
        let process = match (settings.glance, settings.layouts) {
            (false, false) => "process",
            (true, false) => "process for all",
            (false, true) => "process with a different layout of the program",
            (true, true) => "process for all, with a different layout of the program",
        };
        said.push(format!(
            "A time is the mean over instances of the median sample, over {}, each a fresh {process}. ± is its \
             standard uncertainty σ ({} degrees of freedom). The spread is the standard deviation of one instance in one \
             run. S is base/variant, with σ from paired runs. Margin {}, α {} over a table.",
            counted(runs as usize, "run"),
            runs.saturating_sub(1),
            percent(settings.margin),
            settings.alpha,
        ));
    }
    let races = tables.iter().any(|table| table.rows.iter().any(|row| row.speedup.is_some()));
    if races && !settings.layouts && !settings.in_process {
        said.push(
            "All variants were measured in a single binary. Code placement can shift these speedups by a few percent, \
             which the ± does not include. Use `cargo plusminus layouts` to average over placements."
                .to_owned(),
        );
    }
    said.extend(quality::clock(record));
    said.extend(quality::repeats(record));
    said.extend(quality::unseen(tables, record));
    said.extend(quality::drift(tables).map(|note| note.sentence));
    said.iter().map(|said| view.paragraph(said, 2)).collect()
}
