//! What `-v` adds to the lines of a report: every number of a benchmark, every note in a sentence, and what the numbers
//! mean.

use super::{notes::Kind, quality, sentences, terminal};
use crate::{
    analysis::{Interval, speedup::Speedup},
    record::{CaseRecord, Record, Role},
    results::{Row, TableResults},
    text::{
        View,
        number::{
            TimeUnit, counted, percent, significant, time_with_uncertainty, with_uncertainty,
        },
        sentence, visible,
    },
};

/// Blanks before what belongs to a benchmark.
const BLANKS: usize = 4;

/// The details of the benchmarks of a table.
pub(super) fn of_table(table: &TableResults<'_>, record: &Record, view: &View) -> String {
    let mut text = String::new();
    for row in &table.rows {
        if let Some(said) = numbers(row, record) {
            text.push_str(&indented(&said, view));
        }
    }
    // Failures stand below, as errors.
    for note in terminal::of_table(table, record) {
        if note.kind == Kind::Failed {
            continue;
        }
        text.push_str(&indented(&sentence(&note.sentence), view));
    }
    text
}

fn indented(said: &str, view: &View) -> String {
    view.paragraph(&format!("{}{said}", " ".repeat(BLANKS)), BLANKS + 2)
}

/// Every number of a row.
fn numbers(row: &Row<'_>, record: &Record) -> Option<String> {
    let time = row.time.as_ref()?;
    let estimate = time.estimate;
    let unit = TimeUnit::of(estimate.value);
    let role = match row.case.role {
        Role::Baseline => " (base)",
        Role::Reference => " (reference)",
        _ => "",
    };
    let scaled = |ns: f64| significant(ns / unit.ns, 4);
    let mut parts = vec![format!(
        "{}{role}: time {}",
        visible(row.label),
        time_with_uncertainty(estimate.value, estimate.u)
    )];
    if let Some(Interval { low, high }) = time.interval() {
        parts.push(format!("95 % interval [{}, {}] {}", scaled(low), scaled(high), unit.name));
    }
    if let Some(spread) = row.spread {
        parts.push(format!("spread {} {}", significant(spread / unit.ns, 3), unit.name));
    }
    if let Some(rsu) = estimate.rsu() {
        parts.push(format!("RSU {}", significant(rsu, 2)));
    }
    let runs = row.runs.len();
    parts.push(counted(runs, "run"));
    for (metric, summary) in row.case.metrics.iter().zip(&row.metrics) {
        parts.push(format!(
            "{} {}",
            with_uncertainty(summary.mean, summary.u),
            terminal::metric_title(metric)
        ));
    }
    if let Some(compared) = &row.speedup {
        let none = if row.case.until_decided { "n/a (too few runs)" } else { "n/a (one run)" };
        parts.push(format!("speedup S {}", short(&compared.speedup)));
        parts.push(format!("95 % interval {}", ends(compared.interval, none)));
        parts.push(sentences::verdict(row, record.settings.margin));
    }
    if let Some(real) = &row.real {
        parts.push(format!("real S {}", short(&real.speedup)));
    }
    if let Some(relative) = &row.relative {
        parts.push(format!("relative S {}", short(relative)));
    }
    Some(parts.join(", "))
}

fn short(speedup: &Speedup) -> String {
    with_uncertainty(speedup.speedup, speedup.sigma)
}

/// `[1.81, 1.86]`
pub(super) fn ends(interval: Option<Interval>, none: &str) -> String {
    interval.map_or(none.to_owned(), |interval| {
        format!("[{}, {}]", significant(interval.low, 3), significant(interval.high, 3))
    })
}

/// What the numbers mean, and how they were measured.
pub(super) fn definitions(tables: &[TableResults<'_>], record: &Record, view: &View) -> String {
    let settings = &record.settings;
    let mut said = Vec::new();
    if settings.in_process {
        said.push("time: mean over instances of the median sample, in this process.".to_owned());
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
            "time: mean over instances of the median sample, over {}, each a fresh {process}; σ: its standard \
             uncertainty (n−1 = {} degrees of freedom); spread: standard deviation of one instance in one run; RSU: \
             σ/time; S: base/variant, σ from paired runs; margin {}, α {} over a table.",
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
    said.extend(quality::unseen(tables, record));
    said.extend(quality::drift(tables).map(|note| note.sentence));
    said.iter().map(|said| view.paragraph(said, 2)).collect()
}
