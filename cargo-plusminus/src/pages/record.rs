//! The page of one measurement.

use plusminus::{
    record::{CaseRecord, Manifest, Record, Role},
    report::{self, counted_words, verdict_words},
    results::{self, Row, TableResults},
    text::{
        number::{
            percent, significant, time, time_with_uncertainty, with_prefix, with_uncertainty,
        },
        sentence, shell, visible,
    },
};
use plusminus_analysis::{Interval, verdict::Verdict};

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
    let mut notes: Vec<String> = record.cases.iter().flat_map(failures).collect();
    notes.extend(measured::limits_of_record(record));
    let (figures, opened) = match extent {
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
    let commit = measured::commit(manifest);
    let at = manifest.commit.as_deref().map_or(String::new(), |commit| {
        let changes = if manifest.dirty == Some(true) { " with changes" } else { "" };
        format!(" at {}{changes}", visible(&commit.chars().take(12).collect::<String>()))
    });
    let again =
        again(manifest).map(|command| ["to run it again".to_owned(), format!("`{command}`")]);
    let commit = commit.map(|commit| ["commit".to_owned(), commit]);
    let mut sections = vec![Section {
        facts: commit.into_iter().chain(again).chain(measured::head(manifest)).collect(),
        list: notes,
        is_warning: true,
        ..Section::default()
    }];
    let mut before = 0;
    for table in &tables {
        sections.push(of_table(
            table,
            record.settings.margin,
            [figures, opened].map(|most| most.saturating_sub(before)),
        ));
        before += table.rows.len();
    }
    sections.push(Section {
        terminal: Some((
            "The report of the terminal".to_owned(),
            report::render(record, None, None, &report::View::unlimited()),
        )),
        ..measured::of_record(record)
    });
    Page {
        title: format!("{}{at}", measured::project(manifest, &[])),
        summary: format!(
            "{} benchmark{}: {}",
            rows.len(),
            if rows.len() == 1 { "" } else { "s" },
            counted_words(words)
        ),
        sections,
    }
}

/// The command that measures the same again; none for whole programs, which cargo did not build.
fn again(manifest: &Manifest) -> Option<String> {
    let package = manifest
        .package
        .as_deref()
        .map_or(String::new(), |package| format!(" -p {}", shell(&visible(package))));
    let bench = shell(&visible(&manifest.bench));
    (!manifest.bench.is_empty() && !manifest.rustc.is_empty())
        .then(|| format!("cargo bench{package} --bench {bench}"))
}

/// What went wrong, if anything did.
fn failures(case: &CaseRecord) -> Vec<String> {
    let name = visible(&case.name);
    let failures = case.failures.iter().filter(|_| case.has_failed());
    let said = failures.map(|failure| {
        let cause = sentence(&failure.cause.to_string());
        format!("{name} failed in run {}: {cause}", failure.run + 1)
    });
    said.collect()
}

/// The name of a table: `problem, point, p = 2`.
fn name(table: &TableResults<'_>) -> String {
    let Some(problem) = table.problem else { return "Functions".to_owned() };
    let parts = [
        Some(visible(problem)),
        (!table.point.is_empty()).then(|| visible(table.point)),
        (table.processors > 1).then(|| format!("p = {}", table.processors)),
        (table.threads > 1).then(|| format!("{} threads", table.threads)),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// Returns the word for the result of a row.
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

/// A table: its times on one axis, what each of them opens, and its speedups on another. Some rows have figures, some open.
fn of_table(table: &TableResults<'_>, margin: f64, [figures, opened]: [usize; 2]) -> Section {
    let times = table.rows.iter().enumerate().map(|(index, row)| {
        let body = (index < opened).then(|| body(row, index < figures));
        html::Row { body, ..of_row(row, margin, false) }
    });
    let times: Vec<html::Row> = times.collect();
    let compared = table.rows.iter().filter(|row| row.speedup.is_some());
    let speedups: Vec<html::Row> = compared.map(|row| of_row(row, margin, true)).collect();
    let ends =
        |rows: &[html::Row]| rows.iter().filter_map(|row| row.drawn).flatten().collect::<Vec<_>>();
    let mut axis = Axis::times("time", ends(&times));
    let label = |at: f64| if at > 0.0 { time(at) } else { "0".to_owned() };
    let (first, last) = (axis.ticks.first(), axis.ticks.last());
    axis.ticks = first.into_iter().chain(last).map(|(at, _)| (*at, label(*at))).collect();
    axis.ticks.dedup();
    let margins = [1.0 / (1.0 + margin), 1.0, 1.0 + margin];
    let mut ratios = Axis::ratios("speedup S", ends(&speedups).into_iter().chain(margins));
    // 1, and the outermost tick on both sides.
    ratios.ticks.drain(1..ratios.ticks.len().saturating_sub(2).max(1));
    let name_of_rows = if table.problem.is_some() { "variant" } else { "benchmark" };
    let rows = |number, further, axis, band, rows: Vec<html::Row>| Rows {
        titles: [name_of_rows, number, "95 % interval", further, "verdict"],
        axis,
        band,
        groups: vec![Group { rows, ..Group::default() }],
    };
    let has_speedups = !speedups.is_empty();
    let times = rows("time ± σ", "S ± σ", axis, None, times);
    let speedups = rows("S ± σ", "", ratios, Some(margins), speedups);
    Section {
        rows: std::iter::once(times).chain(Some(speedups).filter(|_| has_speedups)).collect(),
        title: name(table),
        ..Section::default()
    }
}

/// A row with its time, or with its speedup over the baseline variant.
fn of_row(row: &Row<'_>, margin: f64, is_speedup: bool) -> html::Row {
    let compared = row.speedup.as_ref();
    let speedup =
        compared.map(|found| with_uncertainty(found.speedup.speedup, found.speedup.sigma));
    let speedup = speedup.unwrap_or_default();
    let found = match (compared, &row.time) {
        (Some(found), _) if is_speedup => {
            let cells = [speedup, written(found.interval), String::new()];
            Some((cells, found.speedup.speedup, found.interval))
        }
        (_, Some(found)) => {
            let (estimate, interval) = (found.estimate, found.interval());
            let ends = |i: Interval| format!("[{}, {}]", time(i.low), time(i.high));
            let ends = interval.map_or("n/a".to_owned(), ends);
            let cells = [time_with_uncertainty(estimate.value, estimate.u), ends, speedup];
            Some((cells, estimate.value, interval))
        }
        _ => None,
    };
    let (cells, drawn) = found.map_or(Default::default(), |(cells, value, interval)| {
        (cells, Some(interval.map_or([value; 3], |i| [i.low, value, i.high])))
    });
    let tone = match (compared.map(|compared| compared.judgement.verdict), &row.time) {
        (Some(Verdict::Slower), _) => Tone::Worse,
        (Some(Verdict::Faster), _) => Tone::Better,
        (_, None) => Tone::Doubtful,
        _ => Tone::Plain,
    };
    let (name, verdict) = (visible(row.label), word(row, margin));
    html::Row { name, verdict, tone, cells, drawn, ..html::Row::default() }
}

fn written(interval: Option<Interval>) -> String {
    let ends = |i: Interval| format!("[{}, {}]", significant(i.low, 3), significant(i.high, 3));
    interval.map_or("n/a".to_owned(), ends)
}

/// The further numbers of a row, and its figures.
fn body(row: &Row<'_>, has_figures: bool) -> Body {
    let ratio = |speedup: &plusminus::analysis::speedup::Speedup| {
        with_uncertainty(speedup.speedup, speedup.sigma)
    };
    let compared = row.speedup.as_ref();
    let seen = compared.and_then(|compared| compared.judgement.minimum_detectable_effect);
    let rate = row.rate.as_ref();
    let rsu = row.estimate().and_then(|estimate| estimate.rsu());
    let facts = [
        ("runs", Some(row.runs.len().to_string())),
        ("95 % interval of S", compared.map(|compared| written(compared.interval))),
        ("real S", row.real.as_ref().map(|real| ratio(&real.speedup))),
        ("relative S", row.relative.as_ref().map(ratio)),
        ("rate", rate.map(|(unit, rate)| visible(&format!("{} {unit}/s", with_prefix(*rate))))),
        ("spread", row.spread.map(time)),
        ("RSU", rsu.map(|rsu| significant(rsu, 2))),
        ("detectable change", seen.map(percent)),
    ];
    let plots = match has_figures {
        true => vec![figures::samples(row), figures::quantiles(row), figures::heat_map(row)],
        false => Vec::new(),
    };
    let command = format!("cargo bench -- --exact {}", shell(&visible(&row.case.name)));
    Body {
        facts: facts
            .into_iter()
            .filter_map(|(name, value)| Some([name.to_owned(), value?]))
            .collect(),
        plots: plots.into_iter().flatten().collect(),
        commands: vec![["To reproduce:".to_owned(), command]],
        ..Body::default()
    }
}
