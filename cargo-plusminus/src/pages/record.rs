//! The page of one measurement.

use plusminus::{
    record::{CaseRecord, Record, Role},
    report::{self, verdict_words},
    results::{self, Row, TableResults},
    text::{
        number::{
            percent, significant, time, time_with_uncertainty, with_prefix, with_uncertainty,
        },
        sentence, visible,
    },
};

use super::{
    Extent, Overviews, figures,
    html::{Page, Section, Table},
    measured,
};

/// Benchmarks that have figures of their own in a page; the others have them by `--figures`.
const OWN_FIGURES: usize = 60;

/// The page of a record.
pub(super) fn page(record: &Record, extent: Extent) -> Page {
    let tables = results::tables(record);
    let mut sections = vec![measured::limits_of_record(record)];
    sections.extend(failures(record));
    let mut left = match extent {
        Extent::Page => OWN_FIGURES,
        Extent::Everything => usize::MAX,
    };
    let mut overviews = Overviews::of(extent);
    let benchmarks: usize = tables.iter().map(|table| table.rows.len()).sum();
    for table in &tables {
        sections.push(of_table(table, record, &mut left, &mut overviews));
    }
    if benchmarks > OWN_FIGURES && extent == Extent::Page {
        sections[0].list.push(format!(
            "Of {benchmarks} benchmarks the first {OWN_FIGURES} have figures of their own here; --figures DIR writes those of \
             all."
        ));
    }
    sections[0].list.extend(overviews.said());
    sections.push(Section {
        title: "The report of the terminal".to_owned(),
        paragraphs: vec![
            "The same numbers with every sentence about instances, runs and quality.".to_owned(),
        ],
        terminal: Some((
            "The report".to_owned(),
            report::render(record, None, None, &report::View::unlimited()),
        )),
        ..Section::default()
    });
    sections.push(measured::of_record(record));
    let manifest = &record.manifest;
    let bench = if manifest.bench.is_empty() { "benchmarks" } else { &manifest.bench };
    Page {
        title: format!("{}: times with their uncertainty", visible(bench)),
        summary: format!(
            "{benchmarks} benchmark{} measured {} on {}.",
            if benchmarks == 1 { "" } else { "s" },
            visible(&manifest.started),
            manifest
                .cpu
                .as_ref()
                .map_or("a processor that is not known".to_owned(), |cpu| visible(cpu)),
        ),
        sections,
    }
}

/// What went wrong, if anything did.
fn failures(record: &Record) -> Option<Section> {
    let of_case = |case: &CaseRecord| -> Vec<String> {
        let name = visible(&case.name);
        let said = case.failures.iter().filter(|_| case.has_failed()).map(|failure| {
            format!("{name}, run {}: {}", failure.run + 1, sentence(&failure.cause.to_string()))
        });
        said.collect()
    };
    let list: Vec<String> = record.cases.iter().flat_map(of_case).collect();
    (!list.is_empty()).then(|| Section {
        title: "What failed".to_owned(),
        list,
        is_warning: true,
        ..Section::default()
    })
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

/// A table with its figures, and those of its benchmarks for as long as there are some left.
fn of_table(
    table: &TableResults<'_>,
    record: &Record,
    left: &mut usize,
    overviews: &mut Overviews,
) -> Section {
    let name = name(table);
    let kinds = [
        figures::times(table, &format!("Times: {name}")),
        figures::forest(table, record, &format!("Speedups: {name}")),
        figures::rsu(table, &format!("Relative uncertainties: {name}")),
    ];
    let mut plots: Vec<_> = kinds.into_iter().flat_map(|plots| overviews.first(plots)).collect();
    for row in table.rows.iter().take(*left) {
        plots.extend(figures::samples(row));
        plots.extend(figures::quantiles(row));
        plots.extend(figures::heat_map(row));
    }
    *left = left.saturating_sub(table.rows.len());
    Section {
        tables: vec![numbers(table, &name, record.settings.margin)],
        title: name,
        plots,
        ..Section::default()
    }
}

/// The numbers of a table, as the report of the terminal has them.
fn numbers(table: &TableResults<'_>, name: &str, margin: f64) -> Table {
    let has = |some: fn(&Row<'_>) -> bool| table.rows.iter().any(some);
    let (rate, speedup) = (has(|row| row.rate.is_some()), has(|row| row.speedup.is_some()));
    let (real, relative) = (has(|row| row.real.is_some()), has(|row| row.relative.is_some()));
    let first = if table.problem.is_some() { "variant" } else { "benchmark" };
    let mut titles = vec![first, "runs", "time ± σ", "95 % interval", "spread", "RSU"];
    titles.extend(rate.then_some("rate"));
    if speedup {
        titles.extend(["S ± σ", "95 % interval of S"]);
    }
    titles.extend(real.then_some("real S"));
    titles.extend(relative.then_some("relative S"));
    if speedup {
        titles.extend(["verdict", "detectable change"]);
    }
    let cells = |row: &Row<'_>| {
        let mut cells = of_time(row);
        if rate {
            let shown =
                |(unit, rate): &(String, f64)| visible(&format!("{} {unit}/s", with_prefix(*rate)));
            cells.push(row.rate.as_ref().map_or(String::new(), shown));
        }
        if speedup {
            cells.extend(of_speedup(row));
        }
        let ratio = |speedup: Option<&plusminus::analysis::speedup::Speedup>| {
            speedup.map_or(String::new(), |s| with_uncertainty(s.speedup, s.sigma))
        };
        if real {
            cells.push(ratio(row.real.as_ref().map(|real| &real.speedup)));
        }
        if relative {
            cells.push(ratio(row.relative.as_ref()));
        }
        if speedup {
            let judgement = row.speedup.as_ref().map(|compared| compared.judgement);
            let label = |role| if role == Role::Baseline { "baseline" } else { "" };
            cells.push(judgement.map_or_else(
                || label(row.case.role).to_owned(),
                |judgement| verdict_words(judgement.verdict, margin),
            ));
            let seen = judgement.and_then(|j| j.minimum_detectable_effect);
            cells.push(seen.map_or(String::new(), percent));
        }
        cells
    };
    Table {
        caption: format!("{name}: each title leads to what it means"),
        titles: titles.into_iter().map(str::to_owned).collect(),
        rows: table.rows.iter().map(cells).collect(),
    }
}

/// Name, runs, time, interval, spread and RSU.
fn of_time(row: &Row<'_>) -> Vec<String> {
    let mut cells = vec![visible(row.label), row.runs.len().to_string()];
    let Some(found) = &row.time else {
        let why = match (row.case.failures.is_empty(), row.quality.is_empty()) {
            (false, _) if row.case.has_nothing() => "skipped",
            (false, _) => "failed",
            (true, true) => "not measured",
            (true, false) => "too short",
        };
        cells.extend([why, "", "", ""].map(str::to_owned));
        return cells;
    };
    let estimate = found.estimate;
    cells.push(time_with_uncertainty(estimate.value, estimate.u));
    let interval = found.interval();
    cells.push(
        interval.map_or("n/a".to_owned(), |i| format!("[{}, {}]", time(i.low), time(i.high))),
    );
    cells.push(row.spread.map_or(String::new(), time));
    cells.push(estimate.rsu().map_or("n/a".to_owned(), |rsu| significant(rsu, 2)));
    cells
}

/// S ± σ and its interval.
fn of_speedup(row: &Row<'_>) -> [String; 2] {
    let Some(compared) = &row.speedup else { return Default::default() };
    let interval = compared.interval.map_or("n/a".to_owned(), |i| {
        format!("[{}, {}]", significant(i.low, 3), significant(i.high, 3))
    });
    [with_uncertainty(compared.speedup.speedup, compared.speedup.sigma), interval]
}
