//! The report on the terminal.

use anstyle::{AnsiColor, Style as Ansi};

use super::{
    format::{four_digits, percent, time_unit, time_with_sigma, with_prefix, with_sigma},
    instances, quality, sentences, tallies,
};
use crate::{
    MetricKind,
    analysis::{
        speedup::Speedup,
        verdict::{Judgement, Verdict},
    },
    record::{MetricRecord, Record, Role},
    results::{Row, TableResults, tables},
};

/// Whether the text is coloured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// Plain text.
    Plain,
    /// With the escape sequences of terminals.
    Coloured,
}

/// A cell of a table: its text, and how it is coloured.
struct Cell(String, Ansi);

impl Cell {
    fn plain(text: impl Into<String>) -> Self {
        Self(text.into(), Ansi::new())
    }
}

/// The report of a record.
pub fn render(record: &Record, style: Style) -> String {
    let mut text = String::new();
    let tables = tables(record);
    for table in &tables {
        text.push('\n');
        text.push_str(&heading(table, record, style));
        text.push('\n');
        text.push_str(&body(table, style));
        for row in &table.rows {
            for sentence in sentences::failures(row.case) {
                text.push_str(&format!("  {sentence}\n"));
            }
        }
        for sentence in table.rows.iter().flat_map(|row| quality::sentences(row, record)) {
            text.push_str(&format!("  {sentence}\n"));
        }
        if let Some(sentence) = quality::precision(table, record) {
            text.push_str(&format!("  {sentence}\n"));
        }
        let more = [quality::repeatability(table), quality::reference(table)];
        for sentence in more.into_iter().flatten() {
            text.push_str(&format!("  {sentence}\n"));
        }
        if let Some(sentence) = quality::looks(table) {
            text.push_str(&format!("  {sentence}\n"));
        }
        for sentence in instances::sentences(table) {
            text.push_str(&format!("  {sentence}\n"));
        }
        for sentence in tallies::sentences(table) {
            text.push_str(&format!("  {sentence}\n"));
        }
    }
    text.push('\n');
    text.push_str(&footer(record));
    text.push_str(&quality::allowances(&tables, record));
    for warning in sentences::warnings(record) {
        text.push_str(&format!(
            "{}: {warning}\n",
            painted("warning", AnsiColor::Yellow.on_default(), style)
        ));
    }
    text
}

fn painted(text: &str, paint: Ansi, style: Style) -> String {
    match style {
        Style::Coloured if paint != Ansi::new() => format!("{paint}{text}{paint:#}"),
        _ => text.to_owned(),
    }
}

/// `sssp::ShortestPaths   rmat-14   processors=2   5 runs × 8 instances`
fn heading(table: &TableResults<'_>, record: &Record, style: Style) -> String {
    let name = painted(table.problem.unwrap_or("functions"), Ansi::new().bold(), style);
    let mut parts = vec![name];
    if !table.point.is_empty() {
        parts.push(sentences::printable(table.point));
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

fn body(table: &TableResults<'_>, style: Style) -> String {
    let metrics = metrics(table);
    let mut lines = vec![titles(table, &metrics)];
    lines.extend(table.rows.iter().map(|row| cells(table, row, &metrics)));
    let columns = lines[0].len();
    // A column in which nobody has anything to say is left out.
    let used: Vec<usize> = (0..columns)
        .filter(|&column| column == 0 || lines[1..].iter().any(|line| !line[column].0.is_empty()))
        .collect();
    let width =
        |column: usize| lines.iter().map(|line| line[column].0.chars().count()).max().unwrap_or(0);
    let mut text = String::new();
    for line in &lines {
        let mut out = String::from("  ");
        for &column in &used {
            let Cell(content, paint) = &line[column];
            let padding = " ".repeat(width(column) - content.chars().count());
            let content = painted(content, *paint, style);
            // Names and words to the left, numbers to the right.
            let left = column == 0 || column == columns - 1;
            out.push_str(&if left {
                format!("{content}{padding}")
            } else {
                format!("{padding}{content}")
            });
            out.push_str("   ");
        }
        text.push_str(out.trim_end());
        text.push('\n');
    }
    text
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
    sentences::printable(&format!("{name}{}/{per}", metric.unit))
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
        Some((unit, rate)) => sentences::printable(&format!("{} {unit}/s", with_prefix(*rate))),
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
    titles.into_iter().map(|title| Cell(title, Ansi::new().dimmed())).collect()
}

fn cells(table: &TableResults<'_>, row: &Row<'_>, metrics: &[&MetricRecord]) -> Vec<Cell> {
    let mut name = row.label.to_owned();
    match row.case.role {
        Role::Baseline => name.push_str(" (base)"),
        Role::Reference => name.push_str(" (reference)"),
        Role::Contender => {}
    }
    let mut line = vec![Cell::plain(sentences::printable(&name))];
    let Some(time) = row.estimate() else {
        let why = match (row.case.failures.is_empty(), row.quality.is_empty()) {
            (false, _) => "failed",
            (true, true) => "not measured",
            (true, false) => "too short",
        };
        line.push(Cell(why.to_owned(), AnsiColor::Red.on_default()));
        line.extend((0..8 + metrics.len()).map(|_| Cell::plain("")));
        return line;
    };
    let unit = time_unit(time.value);
    line.push(Cell::plain(time_with_sigma(time.value, time.u)));
    line.push(Cell::plain(
        row.spread.map_or(String::new(), |spread| three_digits(spread / unit.ns)),
    ));
    line.push(Cell::plain(time.rsu().map_or("n/a".to_owned(), two_digits)));
    line.push(Cell::plain(rate(table, row)));
    for metric in metrics {
        let index = row.case.metrics.iter().position(|own| own == *metric);
        let summary = index.and_then(|index| row.metrics.get(index));
        line.push(Cell::plain(summary.map_or(String::new(), |s| with_sigma(s.mean, s.u))));
    }
    match &row.speedup {
        Some(compared) => {
            line.push(Cell::plain(with_sigma(compared.speedup.speedup, compared.speedup.sigma)));
            let none = if row.case.until_decided { "n/a (too few runs)" } else { "n/a (one run)" };
            let interval = compared.interval.map_or(none.to_owned(), |interval| {
                format!("[{}, {}]", three_digits(interval.low), three_digits(interval.high))
            });
            line.push(Cell::plain(interval));
        }
        None => line.extend([
            Cell::plain(if row.case.role == Role::Baseline && table.rows.len() > 1 {
                "1"
            } else {
                ""
            }),
            Cell::plain(""),
        ]),
    }
    let short = |speedup: Option<&Speedup>| {
        Cell::plain(speedup.map_or(String::new(), |s| with_sigma(s.speedup, s.sigma)))
    };
    line.push(short(row.real.as_ref().map(|real| &real.speedup)));
    line.push(short(row.relative.as_ref()));
    line.push(Cell(sentences::verdict(row), verdict_colour(row)));
    line
}

/// A verdict of a comparison with a stored baseline, in its colour.
pub(super) fn verdict_painted(judgement: &Judgement, margin: f64, style: Style) -> String {
    let paint = match judgement.verdict {
        Verdict::Faster => AnsiColor::Green.on_default(),
        Verdict::Slower => AnsiColor::Red.on_default(),
        _ => Ansi::new(),
    };
    painted(&super::stored::verdict_text(judgement, margin), paint, style)
}

fn verdict_colour(row: &Row<'_>) -> Ansi {
    match row.speedup.as_ref().map(|compared| compared.judgement.verdict) {
        Some(Verdict::Faster) => AnsiColor::Green.on_default(),
        Some(Verdict::Slower) => AnsiColor::Red.on_default(),
        _ => Ansi::new(),
    }
}

/// Three significant digits for numbers of the usual size.
fn three_digits(value: f64) -> String {
    match value.abs() {
        v if v >= 99.95 => format!("{value:.0}"),
        v if v >= 9.995 => format!("{value:.1}"),
        v if v >= 0.995 => format!("{value:.2}"),
        _ => four_digits(value),
    }
}

/// A dimensionless number with two significant digits.
fn two_digits(value: f64) -> String {
    let exponent = if value > 0.0 { value.log10().floor() as i32 } else { 0 };
    let places = (1 - exponent).clamp(0, 9) as usize;
    format!("{value:.places$}")
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
