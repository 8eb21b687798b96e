//! The report on the terminal.

use super::{instances, quality, sentences, tallies};
use crate::{
    MetricKind,
    analysis::{speedup::Speedup, verdict::Verdict},
    record::{MetricRecord, Record, Role},
    results::{Row, TableResults, tables},
    text::{
        Cell, Paint, Style,
        number::{
            TimeUnit, percent, significant, time_with_uncertainty, with_prefix, with_uncertainty,
        },
        painted, sentence, table, visible,
    },
};

/// The report of a record.
pub fn render(record: &Record, style: Style) -> String {
    let mut text = String::new();
    let tables = tables(record);
    for table in &tables {
        text.push('\n');
        text.push_str(&heading(table, record, style));
        text.push('\n');
        text.push_str(&body(table, style));
        let failures = table.rows.iter().flat_map(|row| sentences::failures(row.case));
        let quality = table.rows.iter().flat_map(|row| quality::sentences(row, record));
        let said = failures
            .chain(quality)
            .chain(quality::precision(table, record))
            .chain(quality::repeatability(table))
            .chain(quality::reference(table))
            .chain(quality::looks(table))
            .chain(instances::sentences(table))
            .chain(tallies::sentences(table));
        for said in said {
            text.push_str(&format!("  {}\n", sentence(&said)));
        }
    }
    text.push('\n');
    text.push_str(&footer(record));
    text.push_str(&quality::allowances(&tables, record));
    for warning in sentences::warnings(record) {
        text.push_str(&format!("{}: {warning}\n", painted("warning", Paint::Warning, style)));
    }
    text
}

/// `sssp::ShortestPaths   rmat-14   processors=2   5 runs × 8 instances`
fn heading(table: &TableResults<'_>, record: &Record, style: Style) -> String {
    let name = painted(&visible(table.problem.unwrap_or("functions")), Paint::Heading, style);
    let mut parts = vec![name];
    if !table.point.is_empty() {
        parts.push(visible(table.point));
    }
    if table.problem.is_some() {
        parts.push(format!("processors={}", table.processors));
        if table.threads > 1 {
            parts.push(format!("threads={}", table.threads));
        }
    }
    let runs = table.rows.iter().map(|row| row.runs.len()).max().unwrap_or(0);
    let instances = table.rows.iter().map(|row| row.case.instances.len()).max().unwrap_or(0);
    let instances =
        if instances > 1 { format!(" × {instances} instances") } else { String::new() };
    parts.push(format!("{runs} run{}{instances}", if runs == 1 { "" } else { "s" }));
    if table.problem.is_some() {
        parts.push(format!("seed {}", record.settings.seed));
    }
    parts.join("   ")
}

fn body(results: &TableResults<'_>, style: Style) -> String {
    let metrics = metrics(results);
    let mut rows = vec![titles(results, &metrics)];
    rows.extend(results.rows.iter().map(|row| cells(results, row, &metrics)));
    // Names and verdicts to the left.
    let words = [0, rows[0].len() - 1];
    table(&rows, &words, style)
}

/// The metrics of a table's rows, each once.
fn metrics<'a>(table: &TableResults<'a>) -> Vec<&'a MetricRecord> {
    let mut all: Vec<&MetricRecord> = Vec::new();
    for metric in table.rows.iter().flat_map(|row| &row.case.metrics) {
        if !all.contains(&metric) {
            all.push(metric);
        }
    }
    all
}

/// The title of a metric's column: `probes/call`, or `cache: misses/s` where name and unit differ.
fn metric_title(metric: &MetricRecord) -> String {
    let per = match metric.kind {
        MetricKind::Cost => "call",
        MetricKind::Rate => "s",
    };
    let name =
        if metric.name == metric.unit { String::new() } else { format!("{}: ", metric.name) };
    visible(&format!("{name}{}/{per}", metric.unit))
}

/// The unit of all rates of a table, if it is one.
fn common_unit<'a>(table: &'a TableResults<'_>) -> Option<&'a str> {
    let mut units = table.rows.iter().filter_map(|row| row.rate.as_ref()).map(|(unit, _)| unit);
    let first = units.next()?;
    units.all(|unit| unit == first).then_some(first)
}

/// The rate of a row, with its unit where the title does not have it.
fn rate(table: &TableResults<'_>, row: &Row<'_>) -> String {
    match &row.rate {
        Some((_, rate)) if common_unit(table).is_some() => with_prefix(*rate),
        Some((unit, rate)) => visible(&format!("{} {unit}/s", with_prefix(*rate))),
        None => String::new(),
    }
}

fn titles(table: &TableResults<'_>, metrics: &[&MetricRecord]) -> Vec<Cell> {
    let unit = common_unit(table).map_or("rate".to_owned(), |unit| format!("{unit}/s"));
    let first = if table.problem.is_some() { "variant" } else { "benchmark" };
    let mut titles: Vec<String> =
        [first, "time ± σ", "spread", "RSU", &unit].map(str::to_owned).into();
    titles.extend(metrics.iter().map(|metric| metric_title(metric)));
    let comparisons = ["speedup S ± σ", "95 % interval", "real S", "relative S", "verdict"];
    titles.extend(comparisons.map(str::to_owned));
    titles.iter().map(|title| Cell::new(title, Paint::Dimmed)).collect()
}

fn cells(table: &TableResults<'_>, row: &Row<'_>, metrics: &[&MetricRecord]) -> Vec<Cell> {
    let mut name = row.label.to_owned();
    match row.case.role {
        Role::Baseline => name.push_str(" (base)"),
        Role::Reference => name.push_str(" (reference)"),
        Role::Contender => {}
    }
    let mut line = vec![Cell::from(&name)];
    let Some(time) = row.estimate() else {
        let why = match (row.case.failures.is_empty(), row.quality.is_empty()) {
            (false, _) => "failed",
            (true, true) => "not measured",
            (true, false) => "too short",
        };
        line.push(Cell::new(why, Paint::Bad));
        line.extend((0..8 + metrics.len()).map(|_| Cell::from("")));
        return line;
    };
    let unit = TimeUnit::of(time.value);
    line.push(Cell::from(time_with_uncertainty(time.value, time.u)));
    line.push(Cell::from(
        row.spread.map_or(String::new(), |spread| significant(spread / unit.ns, 3)),
    ));
    line.push(Cell::from(time.rsu().map_or("n/a".to_owned(), |rsu| significant(rsu, 2))));
    line.push(Cell::from(rate(table, row)));
    for metric in metrics {
        let index = row.case.metrics.iter().position(|own| own == *metric);
        let summary = index.and_then(|index| row.metrics.get(index));
        line.push(Cell::from(summary.map_or(String::new(), |s| with_uncertainty(s.mean, s.u))));
    }
    match &row.speedup {
        Some(compared) => {
            line.push(Cell::from(with_uncertainty(
                compared.speedup.speedup,
                compared.speedup.sigma,
            )));
            let none = if row.case.until_decided { "n/a (too few runs)" } else { "n/a (one run)" };
            let interval = compared.interval.map_or(none.to_owned(), |interval| {
                format!("[{}, {}]", significant(interval.low, 3), significant(interval.high, 3))
            });
            line.push(Cell::from(interval));
        }
        None => line.extend([
            Cell::from(if row.case.role == Role::Baseline && table.rows.len() > 1 {
                "1"
            } else {
                ""
            }),
            Cell::from(""),
        ]),
    }
    let short = |speedup: Option<&Speedup>| {
        Cell::from(speedup.map_or(String::new(), |s| with_uncertainty(s.speedup, s.sigma)))
    };
    line.push(short(row.real.as_ref().map(|real| &real.speedup)));
    line.push(short(row.relative.as_ref()));
    let verdict = row.speedup.as_ref().map(|compared| compared.judgement.verdict);
    let paint = verdict.map_or(Paint::None, colour);
    line.push(Cell::new(&sentences::verdict(row), paint));
    line
}

/// The colour of a verdict.
pub(super) fn colour(verdict: Verdict) -> Paint {
    match verdict {
        Verdict::Faster => Paint::Good,
        Verdict::Slower => Paint::Bad,
        _ => Paint::None,
    }
}

/// What the columns mean, and how it was measured.
fn footer(record: &Record) -> String {
    let settings = &record.settings;
    let runs = record
        .cases
        .iter()
        .flat_map(|case| &case.measurements)
        .map(|m| m.run + 1)
        .max()
        .unwrap_or(0);
    if settings.in_process {
        return format!(
            "time: mean over instances of the median sample, in this process.\n{}",
            quality::clock(record)
        );
    }
    format!(
        "time: mean over instances of the median sample, over {runs} run{}, each a fresh process; σ: its standard \
         uncertainty (n−1 = {} degrees of freedom);\nspread: standard deviation of one instance in one run; RSU: \
         σ/time; S: base/variant, σ from paired runs; margin {}, α {} over a table.\n{}",
        if runs == 1 { "" } else { "s" },
        runs.saturating_sub(1),
        percent(settings.margin),
        settings.alpha,
        quality::clock(record),
    )
}
