//! The page of one measurement.

use plusminus::{
    record::{Manifest, Record, Role},
    report::{self, counted_words, verdict_words},
    results::{self, Compared, Row, TableResults, Time},
    text::{
        number::{
            counted, percent, significant, time, time_interval, time_with_uncertainty, with_prefix,
            with_uncertainty,
        },
        shell, visible,
    },
};
use plusminus_analysis::{Interval, speedup::Speedup, verdict::Verdict};

use super::{
    Extent, figures,
    html::{self, Body, Group, Page, Rows, Section, Tone},
    measured,
    plot::Axis,
};

pub(super) fn page(record: &Record, extent: Extent) -> Page {
    let tables = results::tables(record);
    let rows: Vec<&Row<'_>> = tables.iter().flat_map(|table| &table.rows).collect();
    let (errors, warnings) = report::noticed(record);
    let words = rows.iter().map(|row| word(row, record.settings.margin)).collect();
    let manifest = &record.manifest;
    let commit = measured::commit(manifest);
    let at = commit.as_ref().map_or(String::new(), |[short, _]| format!(" at {short}"));
    let known =
        [("commit", commit.map(|commit| commit.concat())), ("to run it again", again(manifest))];
    let known = known.into_iter().filter_map(|(name, value)| Some([name.to_owned(), value?]));
    let facts = known.chain(measured::head(manifest));
    let mut sections = vec![measured::top(facts, errors, &warnings)];
    let mut left = extent.limits(rows.len());
    for table in &tables {
        sections.push(of_table(table, record.settings.margin, left));
        left = left.map(|most| most.saturating_sub(table.rows.len()));
    }
    sections.push(Section {
        terminal: Some((
            "The report of the terminal".to_owned(),
            report::render(record, None, None, &report::View::unlimited()),
        )),
        list: extent.hidden(rows.len(), "benchmarks").into_iter().collect(),
        ..measured::of_record(record)
    });
    Page {
        title: format!("{}{at}", measured::project(manifest, &[])),
        summary: format!("{}: {}", counted(rows.len(), "benchmark"), counted_words(words)),
        sections,
    }
}

/// The command that measures the same again; none for whole programs, which cargo did not build.
fn again(manifest: &Manifest) -> Option<String> {
    let name = |name: &str| shell(&visible(name));
    let package = manifest.package.as_deref();
    let package = package.map_or(String::new(), |package| format!(" -p {}", name(package)));
    (!manifest.bench.is_empty() && !manifest.rustc.is_empty())
        .then(|| format!("`cargo bench{package} --bench {}`", name(&manifest.bench)))
}

/// The title of a table: `problem, point, p = 2`.
fn title(table: &TableResults<'_>) -> String {
    let Some(problem) = table.problem else { return "Functions".to_owned() };
    let parts = [
        Some(visible(problem)),
        (!table.point.is_empty()).then(|| visible(table.point)),
        (table.processors > 1).then(|| format!("p = {}", table.processors)),
        (table.threads > 1).then(|| format!("{} threads", table.threads)),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

fn word(row: &Row<'_>, margin: f64) -> String {
    let word = match (&row.time, &row.speedup) {
        (Some(_), Some(compared)) => return verdict_words(compared.judgement.verdict, margin),
        (Some(_), None) if row.case.role == Role::Baseline => "baseline",
        (Some(_), None) => "timed",
        (None, _) if !row.case.failures.is_empty() && row.case.has_nothing() => "skipped",
        (None, _) if !row.case.failures.is_empty() => "failed",
        (None, _) if row.quality.is_empty() => "not measured",
        (None, _) => "too fast to measure",
    };
    word.to_owned()
}

/// A table on one axis: speedups over the baseline variant if there are any, otherwise times. Some rows have figures, some
/// open.
fn of_table(table: &TableResults<'_>, margin: f64, [figures, opened]: [usize; 2]) -> Section {
    let is_compared = table.rows.iter().any(|row| row.speedup.is_some());
    let rows = table.rows.iter().enumerate().map(|(index, row)| {
        let body = (index < opened).then(|| body(row, index < figures));
        html::Row { body, ..of_row(row, margin, is_compared) }
    });
    let rows: Vec<html::Row> = rows.collect();
    let ends = rows.iter().filter_map(|row| row.drawn).flatten();
    let band = [1.0 / (1.0 + margin), 1.0, 1.0 + margin];
    let name = if table.problem.is_some() { "variant" } else { "benchmark" };
    let (titles, axis) = match is_compared {
        true => (
            [name, "S ± σ", "95 % interval", "time ± σ", "verdict"],
            Axis::ratios("speedup S", ends.chain(band)).sparse(),
        ),
        false => (
            [name, "time ± σ", "95 % interval", "", "verdict"],
            Axis::times("time", ends)
                .sparse()
                .labeled(|at| if at > 0.0 { time(at) } else { "0".to_owned() }),
        ),
    };
    Section {
        title: title(table),
        rows: vec![Rows {
            titles,
            axis,
            band: is_compared.then_some(band),
            groups: vec![Group { rows, ..Group::default() }],
        }],
        ..Section::default()
    }
}

/// A row with its speedup over the baseline variant, or with its time.
fn of_row(row: &Row<'_>, margin: f64, is_compared: bool) -> html::Row {
    let tone = match (&row.time, row.speedup.as_ref().map(|found| found.judgement.verdict)) {
        (None, _) => Tone::Doubtful,
        (_, Some(Verdict::Slower)) => Tone::Worse,
        (_, Some(Verdict::Faster)) => Tone::Better,
        _ => Tone::Plain,
    };
    let (name, verdict) = (visible(row.label), word(row, margin));
    let empty = html::Row { name, verdict, tone, ..html::Row::default() };
    let Some(found) = &row.time else { return empty };
    let written = time_with_uncertainty(found.estimate.value, found.estimate.u);
    let (value, interval, cells) = match &row.speedup {
        Some(Compared { speedup, interval, .. }) => {
            let three = |end: f64| significant(end, 3);
            let ends = interval.map(|ends| format!("[{}, {}]", three(ends.low), three(ends.high)));
            let ends = ends.unwrap_or_else(|| "n/a".to_owned());
            (speedup.speedup, *interval, [ratio(speedup), ends, written])
        }
        None if is_compared => {
            return html::Row { cells: [String::new(), String::new(), written], ..empty };
        }
        None => (found.estimate.value, found.interval(), [written, ends_of(found), String::new()]),
    };
    let drawn = interval.map_or([value; 3], |ends| [ends.low, value, ends.high]);
    html::Row { cells, drawn: Some(drawn), ..empty }
}

fn ends_of(found: &Time) -> String {
    let ends = |ends: Interval| time_interval(found.estimate.value, [ends.low, ends.high]);
    found.interval().map_or("n/a".to_owned(), ends)
}

fn ratio(speedup: &Speedup) -> String {
    with_uncertainty(speedup.speedup, speedup.sigma)
}

/// The further numbers of a row, and its figures.
fn body(row: &Row<'_>, has_figures: bool) -> Body {
    let judgement = row.speedup.as_ref().map(|compared| &compared.judgement);
    let seen = judgement.and_then(|judgement| judgement.minimum_detectable_effect);
    let rate = row.rate.as_ref();
    let rsu = row.estimate().and_then(|estimate| estimate.rsu());
    let facts = [
        ("runs", Some(row.runs.len().to_string())),
        ("95 % interval of the time", row.time.as_ref().map(ends_of)),
        ("real S", row.real.as_ref().map(|real| ratio(&real.speedup))),
        ("relative S", row.relative.as_ref().map(ratio)),
        ("rate", rate.map(|(unit, rate)| visible(&format!("{} {unit}/s", with_prefix(*rate))))),
        ("spread", row.spread.map(time)),
        ("RSU", rsu.map(|rsu| significant(rsu, 2))),
        ("detectable change", seen.map(percent)),
    ];
    let known = facts.into_iter().filter_map(|(name, value)| Some([name.to_owned(), value?]));
    let plots = || [figures::samples(row), figures::quantiles(row), figures::heat_map(row)];
    let command = format!("cargo bench -- --exact {}", shell(&visible(&row.case.name)));
    Body {
        facts: known.collect(),
        plots: has_figures.then(plots).into_iter().flatten().flatten().collect(),
        commands: vec![["To reproduce:".to_owned(), command]],
        ..Body::default()
    }
}
