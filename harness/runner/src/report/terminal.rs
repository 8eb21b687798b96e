//! The report on the terminal: a line for each benchmark, what was noticed, and a summary; with all details if wanted.

use super::{
    baseline, comparison, details,
    foot::foot,
    instances,
    notes::{self, Kind, Note},
    parts, quality, sentences, sorted, tallies,
    verdicts::verdict_words,
};
use crate::{
    analysis::{Interval, verdict::Verdict},
    record::{MetricRecord, Record, Role},
    results::{BaselineComparison, Compared, Row, TableResults, rows, tables},
    text::{
        Drawn, Group, Line, Paint, View, lines,
        number::{duration, with_prefix, with_uncertainty},
        sentence, visible,
    },
};
use plusminus_worker::{MetricKind, listed::Listed};

/// The report of a record.
///
/// `baseline` is its comparison with a baseline that was kept: the speedups of its lines are then against that baseline.
/// `path` is where the record is. No line is wider than the view; a report without details has at most a line for each
/// benchmark, one above each group of them, and three at the end.
pub fn render(
    record: &Record,
    baseline: Option<&BaselineComparison>,
    path: Option<&str>,
    view: &View,
) -> String {
    let mut tables = tables(record);
    sorted::sort(&mut tables, view.sort, baseline);
    let groups: Vec<Group> = tables.iter().map(|table| group(table, record, baseline)).listed();
    let notes = all_notes(&tables, record, baseline);
    let mut text = String::new();
    if view.verbose {
        // The columns of all groups have the same places, so they are made at once.
        let whole = lines(&groups, view);
        let mut rows = whole.lines();
        for table in &tables {
            for line in rows.by_ref().take(1 + table.rows.len()) {
                text.push_str(line);
                text.push('\n');
            }
            text.push_str(&details::of_table(table, record, view));
        }
        match baseline {
            Some(BaselineComparison::Record(found)) => {
                text.push_str(&baseline::details(found, view))
            }
            Some(BaselineComparison::Program(found)) => {
                text.push_str(&comparison::details(found, view))
            }
            None => {}
        }
        text.push_str(&details::definitions(&tables, record, view));
        for note in sentences::warnings(record) {
            text.push_str(&view.paragraph(&format!("warning: {}", note.sentence), 2));
        }
    } else {
        text.push_str(&lines(&groups, view));
    }
    let how = match (view.verbose, path) {
        (true, _) => "",
        (false, Some(_)) => "; more: --load last -v",
        (false, None) => "; more: -v",
    };
    let notes = notes::all_counted(&notes, record.cases.len());
    let place = path.map(|path| format!("record: {}", sentence(path)));
    let summary = summary(&tables, record, baseline);
    text + &foot(&notes, how, place, &summary, "; glossary: --explain TERM", view)
}

/// Everything that was noticed.
fn all_notes(
    tables: &[TableResults<'_>],
    record: &Record,
    baseline: Option<&BaselineComparison>,
) -> Vec<Note> {
    let mut all = Vec::new();
    tables.iter().for_each(|table| all.extend(of_table(table, record)));
    all.extend(sentences::warnings(record));
    all.extend(quality::drift(tables));
    match baseline {
        Some(BaselineComparison::Record(found)) => all.extend(baseline::notes(found)),
        Some(BaselineComparison::Program(found)) => all.extend(comparison::notes(found)),
        None => {}
    }
    all
}

/// What was noticed about the benchmarks of a table.
pub(super) fn of_table(table: &TableResults<'_>, record: &Record) -> Vec<Note> {
    let mut all = Vec::new();
    for row in &table.rows {
        let failures = sentences::failures(row.case);
        let kind = if row.case.has_nothing() { Kind::NotMeasured } else { Kind::Failed };
        all.extend(failures.into_iter().map(|said| Note::of(kind, row, said)));
        if row.case.failures.is_empty() && row.quality.is_empty() {
            let said = format!("{} was not measured", visible(row.label));
            all.push(Note::of(Kind::NotMeasured, row, said));
        }
    }
    table.rows.iter().for_each(|row| all.extend(quality::notes(row, record)));
    all.extend(quality::precision(table, record));
    all.extend(quality::repeatability(table));
    all.extend(quality::beaten_references(table));
    let told = quality::reference(table).into_iter().chain(quality::looks(table));
    all.extend(told.map(|said| Note::general(Kind::Information, said)));
    all.extend(instances::notes(table));
    let margin = record.settings.margin;
    all.extend(table.rows.iter().filter_map(|row| parts::note(row, margin)));
    let counted = tallies::sentences(table).into_iter();
    all.extend(counted.map(|said| Note::general(Kind::Information, said)));
    all
}

fn group(
    table: &TableResults<'_>,
    record: &Record,
    baseline: Option<&BaselineComparison>,
) -> Group {
    let line = |row: &Row<'_>| line(table, row, baseline, record.settings.margin);
    Group {
        heading: heading(table, record, baseline),
        lines: table.rows.iter().map(line).collect(),
    }
}

/// `sssp::ShortestPaths rmat-14`, `2 processors`, `5 runs × 8 instances`
fn heading(
    table: &TableResults<'_>,
    record: &Record,
    baseline: Option<&BaselineComparison>,
) -> Vec<String> {
    let count =
        |count: usize, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
    let runs = table.rows.iter().map(|row| row.runs.len());
    let (least, most) = (runs.clone().min().unwrap_or(0), runs.max().unwrap_or(0));
    let instances = table.rows.iter().map(|row| row.case.instances.len()).max().unwrap_or(0);
    let mut runs = count(most, "run");
    if table.problem.is_none() && least < most {
        runs = format!("{least} to {most} runs");
    }
    if instances > 1 {
        runs.push_str(&format!(" × {instances} instances"));
    }
    let mut parts = match table.problem {
        Some(problem) => {
            let point =
                if table.point.is_empty() { String::new() } else { format!(" {}", table.point) };
            let mut parts = vec![visible(&format!("{problem}{point}"))];
            parts.push(count(table.processors, "processor"));
            if table.threads > 1 {
                parts.push(count(table.threads, "thread"));
            }
            parts
        }
        None => vec![count(table.rows.len(), "function")],
    };
    parts.push(runs);
    if let Some(baseline) = baseline {
        let name = match baseline {
            BaselineComparison::Record(found) => &found.baseline,
            BaselineComparison::Program(found) => &found.record.base.name,
        };
        parts.push(format!("S: `{}` / now", visible(name)));
    } else if let Some(base) = table.rows.iter().find(|row| row.case.role == Role::Baseline)
        && table.rows.len() > 1
    {
        parts.push(format!("S: {} / variant", visible(base.label)));
    }
    if table.problem.is_some() {
        parts.push(format!("seed {}", record.settings.seed));
    }
    parts
}

fn line(
    table: &TableResults<'_>,
    row: &Row<'_>,
    baseline: Option<&BaselineComparison>,
    margin: f64,
) -> Line {
    let mut line = Line { name: visible(row.label), ..Line::default() };
    let Some(time) = row.estimate() else {
        line.paint = Paint::Bad;
        line.instead = Some(why_no_time(row));
        return line;
    };
    line.time = Some((time.value, time.u));
    line.rate = row.rate.as_ref().map(|(unit, rate)| (with_prefix(*rate), visible(unit)));
    line.more = more(row);
    let found = match baseline {
        Some(baseline) => against_baseline(&row.case.name, baseline),
        None => row.speedup.as_ref().map(|compared| Found::of(compared, margin)),
    };
    match found {
        Some(Found { speedup, sigma, interval, verdict, label }) => {
            line.compared =
                speedup.map_or(String::new(), |speedup| with_uncertainty(speedup, sigma));
            let ends = speedup.zip(interval);
            line.interval =
                ends.map(|(middle, Interval { low, high })| Drawn { low, middle, high });
            line.verdict = label;
            line.paint = colour(verdict);
        }
        None if baseline.is_some() => line.verdict = "not compared".to_owned(),
        None if row.case.role == Role::Baseline && table.rows.len() > 1 => {
            line.verdict = "base".to_owned();
        }
        None => {}
    }
    line
}

/// The speedup that the line of a row shows.
pub(super) fn speedup_of(row: &Row<'_>, baseline: Option<&BaselineComparison>) -> Option<f64> {
    match baseline {
        Some(baseline) => against_baseline(&row.case.name, baseline)?.speedup,
        None if row.case.role == Role::Baseline => Some(1.0),
        None => Some(row.speedup.as_ref()?.speedup.speedup),
    }
}

/// A comparison of one line, however it was made.
struct Found {
    speedup: Option<f64>,
    sigma: Option<f64>,
    interval: Option<Interval>,
    verdict: Verdict,
    label: String,
}

impl Found {
    fn of(compared: &Compared, margin: f64) -> Self {
        let Compared { speedup, interval, judgement } = compared;
        Self {
            speedup: Some(speedup.speedup),
            sigma: speedup.sigma,
            interval: *interval,
            verdict: judgement.verdict,
            label: verdict_words(judgement.verdict, margin),
        }
    }
}

/// The comparison of a benchmark with the baseline that was kept.
fn against_baseline(name: &str, baseline: &BaselineComparison) -> Option<Found> {
    match baseline {
        BaselineComparison::Record(found) => {
            let row = found.rows.iter().find(|row| row.name == name)?;
            Some(Found::of(&row.compared, row.margin))
        }
        BaselineComparison::Program(_) => {
            let row = baseline.program_row(name)?;
            Some(Found {
                speedup: row.speedup,
                sigma: row.sigma,
                interval: row.judgement.interval,
                verdict: row.judgement.verdict,
                label: comparison::row_label(row),
            })
        }
    }
}

/// Why a row has no time.
fn why_no_time(row: &Row<'_>) -> String {
    match (row.case.failures.first(), row.quality.is_empty()) {
        (Some(_), _) if row.case.has_nothing() => "skipped: measures nothing".to_owned(),
        (Some(failure), _) => format!("failed: {}", sentence(&failure.cause.to_string())),
        (None, true) => "not measured".to_owned(),
        (None, false) => match quality::support(row) {
            Some(quality::Unsupported::Nothing) => {
                "too fast to measure: optimised away? (black_box)".to_owned()
            }
            _ => "too fast to measure: too short for the clock".to_owned(),
        },
    }
}

/// What a call does and uses besides time.
fn more(row: &Row<'_>) -> String {
    let mut parts = Vec::new();
    for (metric, summary) in row.case.metrics.iter().zip(&row.metrics) {
        parts.push(format!(
            "{} {}",
            with_uncertainty(summary.mean, summary.u),
            metric_title(metric)
        ));
    }
    parts.extend(quality::resources(row));
    parts.extend(tallies::counts(row.case));
    parts.extend(super::parts::short(row));
    parts.join(", ")
}

/// The unit of a metric: `probes/call`, or `cache: misses/s` where name and unit differ.
pub(super) fn metric_title(metric: &MetricRecord) -> String {
    let per = match metric.kind {
        MetricKind::Cost => "call",
        MetricKind::Rate => "s",
    };
    let name =
        if metric.name == metric.unit { String::new() } else { format!("{}: ", metric.name) };
    visible(&format!("{name}{}/{per}", metric.unit))
}

/// The colour of a verdict.
pub fn colour(verdict: Verdict) -> Paint {
    match verdict {
        Verdict::Faster => Paint::Good,
        Verdict::Slower => Paint::Bad,
        _ => Paint::None,
    }
}

/// What came out in all.
fn summary(
    tables: &[TableResults<'_>],
    record: &Record,
    baseline: Option<&BaselineComparison>,
) -> String {
    let rows = rows(tables).into_iter();
    let verdict = |row: &Row<'_>| match baseline {
        Some(baseline) => against_baseline(&row.case.name, baseline).map(|found| found.verdict),
        None => row.speedup.as_ref().map(|compared| compared.judgement.verdict),
    };
    let verdicts: Vec<Verdict> = rows.filter_map(verdict).listed();
    let count = |verdict| verdicts.iter().filter(|found| **found == verdict).count();
    let failed = record.cases.iter().filter(|case| case.has_failed()).count();
    let counts = [
        (failed, "failed"),
        (count(Verdict::Slower), "slower"),
        (count(Verdict::Faster), "faster"),
        (count(Verdict::WithinMargin), "within the margin"),
        (count(Verdict::Inconclusive), "inconclusive"),
    ];
    let told = comparison::told(&counts);
    let all = record.cases.len();
    let mut text = format!("{all} benchmark{}", if all == 1 { "" } else { "s" });
    if let Some(seconds) = record.manifest.seconds {
        text.push_str(&format!(" in {}", duration(seconds)));
    }
    if !told.is_empty() {
        text.push_str(&format!(": {told}"));
    }
    let nothing = match baseline {
        Some(BaselineComparison::Program(found)) => comparison::nothing_decided(&found.outcome),
        _ => None,
    };
    match nothing {
        Some(said) => format!("{said}: {text}"),
        None => text,
    }
}
