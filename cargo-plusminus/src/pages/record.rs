//! The page of one measurement.

use plusminus::{
    record::{CaseRecord, Record, Role},
    report::{self, counted_words, verdict_words},
    results::{self, Row, TableResults},
    text::{
        number::{
            counted, percent, significant, time, time_with_uncertainty, with_prefix,
            with_uncertainty,
        },
        sentence, shell, visible,
    },
};
use plusminus_analysis::verdict::Verdict;

use super::{
    Extent, figures,
    html::{self, Body, Group, Page, Rows, Section, Tone},
    measured,
    plot::Axis,
};

/// Benchmarks that have figures of their own in a page; the others have them by `--figures`.
const OWN_FIGURES: usize = 60;

/// Benchmarks whose rows open in a page.
const OPENED: usize = 1000;

/// The page of a record.
pub(super) fn page(record: &Record, extent: Extent) -> Page {
    let tables = results::tables(record);
    let mut notes = failures(record);
    notes.extend(measured::limits_of_record(record));
    let (mut figures, mut opened) = match extent {
        Extent::Page => (OWN_FIGURES, OPENED),
        Extent::Everything => (usize::MAX, usize::MAX),
    };
    let rows: Vec<&Row<'_>> = tables.iter().flat_map(|table| &table.rows).collect();
    if rows.len() > figures {
        notes.push(format!(
            "Of {} benchmarks the first {figures} have figures here; `--figures DIR` writes those of all.",
            rows.len()
        ));
    }
    let words = rows.iter().map(|row| word(row, record.settings.margin)).collect();
    let manifest = &record.manifest;
    let commit = manifest.commit.as_deref().map_or(String::new(), |commit| {
        let changes = if manifest.dirty == Some(true) { " with changes" } else { "" };
        let short: String = commit.chars().take(12).collect();
        format!(" at {}{changes}", visible(&short))
    });
    let mut sections = vec![Section {
        facts: measured::head(manifest),
        list: notes,
        is_warning: true,
        ..Section::default()
    }];
    for table in &tables {
        sections.push(of_table(table, record, extent, &mut figures, &mut opened));
    }
    sections.push(Section {
        terminal: Some((
            "The report of the terminal".to_owned(),
            report::render(record, None, None, &report::View::unlimited()),
        )),
        ..measured::of_record(record)
    });
    Page {
        title: format!("{}{commit}", measured::project(manifest, &[])),
        summary: format!("{}: {}", counted(rows.len(), "benchmark"), counted_words(words)),
        sections,
    }
}

/// What went wrong, if anything did.
fn failures(record: &Record) -> Vec<String> {
    let of_case = |case: &CaseRecord| -> Vec<String> {
        let name = visible(&case.name);
        let said = case.failures.iter().filter(|_| case.has_failed()).map(|failure| {
            format!(
                "{name} failed in run {}: {}",
                failure.run + 1,
                sentence(&failure.cause.to_string())
            )
        });
        said.collect()
    };
    record.cases.iter().flat_map(of_case).collect()
}

/// The name of a table: `problem, point, p = 2`.
pub(super) fn name(table: &TableResults<'_>) -> String {
    let Some(problem) = table.problem else { return "Functions".to_owned() };
    let mut name = visible(problem);
    if !table.point.is_empty() {
        name = format!("{name}, {}", visible(table.point));
    }
    if table.processors > 1 {
        name = format!("{name}, p = {}", table.processors);
    }
    if table.threads > 1 {
        name = format!("{name}, {} threads", table.threads);
    }
    name
}

/// The word for what a row has come to.
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

/// A table: its rows on one axis, and what each of them opens.
fn of_table(
    table: &TableResults<'_>,
    record: &Record,
    extent: Extent,
    figures: &mut usize,
    opened: &mut usize,
) -> Section {
    let name = name(table);
    let margin = record.settings.margin;
    let mut rows = Vec::new();
    for row in &table.rows {
        let has_figures = *figures > 0;
        let body = (*opened > 0).then(|| body(row, has_figures));
        *figures = figures.saturating_sub(1);
        *opened = opened.saturating_sub(1);
        rows.push(html::Row { body, ..of_row(row, margin) });
    }
    let ends = table.rows.iter().filter_map(|row| row.time.as_ref()).flat_map(|time| {
        let value = time.estimate.value;
        time.interval().map_or([value, value], |interval| [interval.low, interval.high])
    });
    let mut axis = Axis::times("time", ends);
    if let (Some(first), Some(last)) = (axis.ticks.first().cloned(), axis.ticks.last().cloned()) {
        axis.ticks = [first, last]
            .map(|(at, _)| (at, if at > 0.0 { time(at) } else { "0".to_owned() }))
            .into();
        axis.ticks.dedup();
    }
    let plots = match extent {
        Extent::Page => Vec::new(),
        Extent::Everything => {
            let times = figures::times(table, &format!("Times: {name}"));
            let speedups = figures::forest(table, record, &format!("Speedups: {name}"));
            [times, speedups].concat()
        }
    };
    let first = if table.problem.is_some() { "variant" } else { "benchmark" };
    Section {
        rows: Some(Rows {
            titles: [first, "time ± σ", "95 % interval", "S ± σ", "verdict"],
            axis,
            band: None,
            groups: vec![Group { rows, ..Group::default() }],
        }),
        title: name,
        plots,
        ..Section::default()
    }
}

fn of_row(row: &Row<'_>, margin: f64) -> html::Row {
    let mut shown =
        html::Row { name: visible(row.label), verdict: word(row, margin), ..html::Row::default() };
    if let Some(found) = &row.time {
        let estimate = found.estimate;
        let interval = found.interval();
        let written =
            interval.map_or("n/a".to_owned(), |i| format!("[{}, {}]", time(i.low), time(i.high)));
        let speedup =
            row.speedup.as_ref().map(|s| with_uncertainty(s.speedup.speedup, s.speedup.sigma));
        shown.cells = [
            time_with_uncertainty(estimate.value, estimate.u),
            written,
            speedup.unwrap_or_default(),
        ];
        let (low, high) = interval.map_or((estimate.value, estimate.value), |i| (i.low, i.high));
        shown.drawn = Some([low, estimate.value, high]);
    }
    shown.tone = match (row.speedup.as_ref().map(|compared| compared.judgement.verdict), &row.time)
    {
        (Some(Verdict::Slower), _) => Tone::Worse,
        (Some(Verdict::Faster), _) => Tone::Better,
        (_, None) => Tone::Doubtful,
        _ => Tone::Plain,
    };
    shown
}

/// The further numbers of a row, and its figures.
fn body(row: &Row<'_>, has_figures: bool) -> Body {
    let mut facts = vec![["runs".to_owned(), row.runs.len().to_string()]];
    let mut add = |name: &str, value: Option<String>| {
        facts.extend(value.map(|value| [name.to_owned(), value]));
    };
    let ratio = |speedup: &plusminus::analysis::speedup::Speedup| {
        with_uncertainty(speedup.speedup, speedup.sigma)
    };
    add(
        "95 % interval of S",
        row.speedup.as_ref().and_then(|compared| {
            compared
                .interval
                .map(|i| format!("[{}, {}]", significant(i.low, 3), significant(i.high, 3)))
        }),
    );
    add("real S", row.real.as_ref().map(|real| ratio(&real.speedup)));
    add("relative S", row.relative.as_ref().map(ratio));
    add(
        "rate",
        row.rate.as_ref().map(|(unit, rate)| visible(&format!("{} {unit}/s", with_prefix(*rate)))),
    );
    add("spread", row.spread.map(time));
    add("RSU", row.estimate().and_then(|estimate| estimate.rsu()).map(|rsu| significant(rsu, 2)));
    let seen =
        row.speedup.as_ref().and_then(|compared| compared.judgement.minimum_detectable_effect);
    add("detectable change", seen.map(percent));
    let plots = [figures::samples(row), figures::quantiles(row), figures::heat_map(row)];
    let plots = plots.into_iter().flatten().filter(|_| has_figures).collect();
    let name = row.case.name.as_str();
    let command = format!("cargo bench -- --exact {}", shell(&visible(name)));
    Body { facts, plots, commands: vec![["To reproduce:".to_owned(), command]], ..Body::default() }
}
