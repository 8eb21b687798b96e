//! The report on the terminal: a row for each benchmark, errors and warnings, and a summary; with all details if wanted.

use super::{
    baseline, comparison, complexity, details,
    ends::of_speedup,
    foot::{Foot, WARNINGS, Warning},
    instances,
    names::{prefix_heading, shared_prefix},
    notes::{self, Kind, Note},
    parts, quality, sentences, sorted, tallies,
    verdicts::{counted_words, judgement_words, verdict_words},
};
use crate::{
    analysis::{Interval, summary::Summary, verdict::Verdict},
    record::{MetricRecord, Record, Role},
    results::{BaselineComparison, Compared, Row, TableResults, tables},
    text::{
        Drawn, Group, Heads, Line, Paint, View, lines,
        number::{counted, duration, significant, with_prefix, with_uncertainty},
        sentence, visible,
    },
};
use plusminus_worker::MetricKind;

/// The report of a record.
///
/// `baseline` is its comparison with a baseline that was kept: the speedups of its lines are then against that
/// baseline. `path` is where the record is. Only single words are wider than the view. A report without details has a
/// line for each benchmark, two if a name is long; below them all errors, at most three warnings, and the result.
pub fn render(
    record: &Record,
    baseline: Option<&BaselineComparison>,
    path: Option<&str>,
    view: &View,
) -> String {
    let mut tables = tables(record);
    sorted::sort(&mut tables, view.sort, baseline);
    let notes = all_notes(&tables, record, baseline);
    let (warnings, marked) = notes::warnings(&notes, record, path.is_some(), view.verbose);
    let groups: Vec<Group> =
        tables.iter().map(|table| group(table, tables.len(), record, baseline, &marked)).collect();
    let heads = Heads {
        compared: "S".to_owned(),
        ends: "95 % interval".to_owned(),
        margin: Some(record.settings.margin),
        is_change: false,
    };
    let (mut text, lines) = lines(&groups, &heads, view);
    for (number, (table, lines)) in tables.iter().zip(lines).enumerate() {
        if number > 0 && !view.verbose {
            text.push('\n');
        }
        text.push_str(&lines.heading);
        lines.rows.iter().for_each(|row| text.push_str(row));
        if view.verbose {
            text.push_str(&details::of_table(table, record, &lines, view));
        }
    }
    if view.verbose {
        match baseline {
            Some(BaselineComparison::Record(found)) => {
                let details = baseline::details(found, &text, view);
                text.push_str(&details);
            }
            Some(BaselineComparison::Program(found)) => {
                text.push_str(&comparison::details(found, view))
            }
            None => {}
        }
        for said in complexity::sentences(record) {
            text.push_str(&view.paragraph(&said, 2));
        }
        text.push_str(&details::definitions(&tables, record, view));
    }
    let more = match path {
        Some(_) => format!("{} --load last -v", notes::command(record)),
        None => "-v".to_owned(),
    };
    let mut places = Vec::new();
    if !view.verbose {
        places.push(("Details", path.map_or("add -v".to_owned(), |_| more.clone())));
    }
    places.extend(path.map(|path| ("Raw data", sentence(path))));
    let foot = Foot {
        errors: notes::errors(&notes),
        warnings,
        limit: if view.verbose { usize::MAX } else { WARNINGS },
        more: format!("`{more}`"),
        summary: summary(&tables, record, baseline),
        places,
    };
    if !view.verbose {
        text.push('\n');
    }
    text + &foot.text(view)
}

/// Returns the errors and the warnings of a record, as the report prints them.
pub fn noticed(record: &Record) -> (Vec<String>, Vec<Warning>) {
    let notes = all_notes(&tables(record), record, None);
    let (warnings, _) = notes::warnings(&notes, record, true, false);
    (notes::errors(&notes), warnings)
}

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

/// Returns the notes about the benchmarks of a table.
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
    tables: usize,
    record: &Record,
    baseline: Option<&BaselineComparison>,
    marked: &[&str],
) -> Group {
    let labels: Vec<&str> = table.rows.iter().map(|row| row.label).collect();
    let prefix = match table.problem {
        Some(_) => String::new(),
        None => shared_prefix(&labels),
    };
    let line = |row: &Row<'_>| Line {
        is_marked: marked.contains(&row.case.name.as_str()),
        ..line(table, row, &row.label[prefix.len()..], baseline, record.settings.margin)
    };
    Group {
        heading: heading(table, tables, &prefix, baseline),
        lines: table.rows.iter().map(line).collect(),
    }
}

/// `sssp::ShortestPaths rmat-14`, `2 processors`, `5 runs × 8 instances`. A benchmark alone has none.
fn heading(
    table: &TableResults<'_>,
    tables: usize,
    prefix: &str,
    baseline: Option<&BaselineComparison>,
) -> Vec<String> {
    let runs = table.rows.iter().map(|row| row.runs.len());
    let (least, most) = (runs.clone().min().unwrap_or(0), runs.max().unwrap_or(0));
    let instances = table.rows.iter().map(|row| row.case.instances.len()).max().unwrap_or(0);
    let mut runs = counted(most, "run");
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
            if table.processors > 1 {
                parts.push(counted(table.processors, "processor"));
            }
            if table.threads > 1 {
                parts.push(counted(table.threads, "thread"));
            }
            parts
        }
        None if !prefix.is_empty() => vec![visible(&prefix_heading(prefix))],
        None if tables == 1 && table.rows.len() == 1 && baseline.is_none() => return Vec::new(),
        None => vec![counted(table.rows.len(), "function")],
    };
    if let Some(baseline) = baseline {
        let name = match baseline {
            BaselineComparison::Record(found) => &found.baseline,
            BaselineComparison::Program(found) => &found.record.base.name,
        };
        parts.push(format!("S: `{}` / now", visible(name)));
    }
    parts.push(runs);
    parts
}

fn line(
    table: &TableResults<'_>,
    row: &Row<'_>,
    name: &str,
    baseline: Option<&BaselineComparison>,
    margin: f64,
) -> Line {
    let mut line = Line { name: visible(name), ..Line::default() };
    let Some(time) = row.estimate() else {
        line.paint = Paint::Bad;
        line.instead = Some(why_no_time(row).to_owned());
        return line;
    };
    line.time = Some((time.value, time.u));
    line.rate = row.rate.as_ref().map(|(unit, rate)| (with_prefix(*rate), visible(unit)));
    line.more = more(row);
    match found(row, baseline, margin) {
        Some(Found { speedup, interval, verdict, label, margin, is_doubtful }) => {
            if let Some((middle, interval)) = speedup.zip(interval) {
                (line.compared, line.ends) = of_speedup(middle, interval, margin);
                let Interval { low, high } = interval;
                line.interval = Some(Drawn { low, middle, high });
            } else if let Some(speedup) = speedup {
                line.compared = significant(speedup, 3);
            }
            line.verdict = label;
            line.paint = if is_doubtful { Paint::Warning } else { colour(verdict) };
        }
        None if baseline.is_some() => line.verdict = "not compared".to_owned(),
        None if row.case.role == Role::Baseline && table.rows.len() > 1 => {
            line.verdict = "baseline".to_owned();
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

struct Found {
    speedup: Option<f64>,
    interval: Option<Interval>,
    verdict: Verdict,
    label: String,
    margin: f64,
    is_doubtful: bool,
}

impl Found {
    fn of(compared: &Compared, margin: f64) -> Self {
        let Compared { speedup, interval, judgement } = compared;
        Self {
            speedup: Some(speedup.speedup),
            interval: *interval,
            verdict: judgement.verdict,
            label: judgement_words(judgement, margin),
            margin,
            is_doubtful: false,
        }
    }
}

fn found(row: &Row<'_>, baseline: Option<&BaselineComparison>, margin: f64) -> Option<Found> {
    match baseline {
        Some(baseline) => against_baseline(&row.case.name, baseline),
        None => row.speedup.as_ref().map(|compared| Found::of(compared, margin)),
    }
}

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
                interval: row.judgement.interval,
                verdict: row.judgement.verdict,
                label: comparison::row_label(row),
                margin: row.margin,
                is_doubtful: !row.doubts.is_empty(),
            })
        }
    }
}

fn why_no_time(row: &Row<'_>) -> &'static str {
    match (row.case.failures.first(), row.quality.is_empty()) {
        (Some(_), _) if row.case.has_nothing() => "skipped",
        (Some(_), _) => "failed",
        (None, true) => "not measured",
        (None, false) => "too fast to measure",
    }
}

/// Returns the work and resources of a call besides time.
fn more(row: &Row<'_>) -> String {
    let mut parts = metrics(row);
    parts.extend(quality::resources(row));
    parts.extend(tallies::counts(row.case));
    parts.extend(super::parts::short(row));
    parts.join(", ")
}

/// The metrics of a row with their units, in its order.
pub(super) fn metrics(row: &Row<'_>) -> Vec<String> {
    let one = |(metric, summary): (&MetricRecord, &Summary)| {
        format!("{} {}", with_uncertainty(summary.mean, summary.u), metric_title(metric))
    };
    row.case.metrics.iter().zip(&row.metrics).map(one).collect()
}

/// The unit of a metric: `probes/call`, or `cache: misses/s` where name and unit differ.
fn metric_title(metric: &MetricRecord) -> String {
    let per = match metric.kind {
        MetricKind::Cost => "call",
        MetricKind::Rate => "s",
    };
    let name =
        if metric.name == metric.unit { String::new() } else { format!("{}: ", metric.name) };
    visible(&format!("{name}{}/{per}", metric.unit))
}

/// Returns the color of a verdict.
pub fn colour(verdict: Verdict) -> Paint {
    match verdict {
        Verdict::Faster => Paint::Good,
        Verdict::Slower => Paint::Bad,
        Verdict::Inconclusive => Paint::Warning,
        Verdict::WithinMargin => Paint::None,
    }
}

/// Returns the result of the whole: each benchmark is counted once.
fn summary(
    tables: &[TableResults<'_>],
    record: &Record,
    baseline: Option<&BaselineComparison>,
) -> String {
    let mut words: Vec<String> = Vec::new();
    for table in tables {
        for row in &table.rows {
            let margin = record.settings.margin;
            let line = line(table, row, "", baseline, margin);
            words.push(match (line.instead, found(row, baseline, margin)) {
                (Some(instead), _) => instead,
                (None, Some(found)) => verdict_words(found.verdict, found.margin),
                (None, None) if line.verdict.is_empty() => "timed".to_owned(),
                (None, None) => line.verdict,
            });
        }
    }
    let all = record.cases.len();
    let mut text = counted(all, "benchmark");
    if let Some(seconds) = record.manifest.seconds {
        // Time that the user waited: the program of a baseline is measured afterwards.
        let again = match baseline {
            Some(BaselineComparison::Program(found)) => found.outcome.seconds,
            _ => 0.0,
        };
        text.push_str(&format!(" in {}", duration(seconds + again)));
    }
    let told = counted_words(words);
    if told != format!("{all} timed") && !told.is_empty() {
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
