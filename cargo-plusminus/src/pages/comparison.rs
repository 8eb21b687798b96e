//! The page of a comparison of two versions.

use plusminus::{
    record::{ComparedCase, ComparisonRecord},
    report::{
        COMPARISON_TITLES, IDENTICAL_CODE, case_failure, margin_words, row_change, row_costs,
        row_label, row_name, row_remarks, verdict_words,
    },
    results::{CaseResult, RowResult, narrowing},
    text::{
        View,
        number::{change, percent, time, time_with_uncertainty},
        shell, visible,
    },
};
use plusminus_analysis::verdict::Verdict;

use super::{
    Extent, MANY, figures,
    html::{Body, Group, Page, Row, Rows, Section, Table, Tone},
    measured,
    plot::Axis,
};
use crate::report::{self, Comparison, Identity, LISTED};

/// The most slower rows whose least change the first screen prints.
const WORST: usize = 3;

/// Rows of a group that may be in sight without a change.
const FEW: usize = 12;

/// How many times as far from 0 as the typical change the scale reaches.
const REACH: f64 = 5.0;

pub(super) fn page(record: &ComparisonRecord, extent: Extent) -> Page {
    let comparison = report::of_record(record);
    let entries = entries(record, &comparison);
    let rows = rows(&entries, record, &comparison, extent.limits(entries.len()));
    let facts = facts(record, &comparison, &entries);
    let warnings = report::warnings(&comparison);
    let head = measured::top(facts, report::errors(&comparison), &warnings);
    let results = Section {
        title: "Results".to_owned(),
        rows: Some(rows).into_iter().filter(|rows| !rows.groups.is_empty()).collect(),
        ..Section::default()
    };
    let method = Section {
        list: extent
            .hidden(entries.len(), "rows")
            .into_iter()
            .chain(report::ends(&comparison))
            .collect(),
        terminal: (entries.len() <= MANY).then(|| {
            let text = report::table::render(&comparison, None, &View::unlimited());
            ("The report of the terminal".to_owned(), text)
        }),
        ..measured::of_comparison(record)
    };
    let project = measured::project(&record.new.manifest, &record.targets);
    Page {
        title: format!("{project}: {} → {}", comparison.base.short(), comparison.new.short()),
        summary: report::answer(&comparison),
        sections: vec![head, results, method],
    }
}

/// The facts below the answer: both versions, the least slowdown, limits of trust, changed code, and the command that runs
/// it again.
fn facts(
    record: &ComparisonRecord,
    comparison: &Comparison,
    entries: &[Entry<'_>],
) -> Vec<[String; 2]> {
    let version = |side: &Identity| {
        let subject = side.subject.as_deref().map(|subject| format!(": {}", visible(subject)));
        Some(side.short() + &subject.unwrap_or_default())
    };
    let least = entries.iter().filter(|entry| entry.place == SLOWER).filter_map(|entry| {
        let row = entry.row?;
        Some(format!("`{}` {}", row_name(entry.case, row), percent(row.judgement.at_least?)))
    });
    let least: Vec<String> = least.take(WORST).collect();
    let changed = report::changed(comparison).into_iter();
    let diff = diff(comparison).map(|command| format!("`{command}`"));
    let changed: Vec<String> = changed.chain(diff).collect();
    let [machine, date] = measured::head(&record.new.manifest);
    let new = [
        ("slower by at least", Some(least.join(", "))),
        ("other costs that changed", Some(costs(entries).join("; "))),
        ("code that changed", Some(changed.join("; "))),
        ("where the time comes from", Some(report::explanations(comparison).join("; "))),
        ("to run it again", report::command(comparison, &[]).map(|command| format!("`{command}`"))),
        ("base", version(&comparison.base)),
        ("new", version(&comparison.new)),
    ];
    let known = new.into_iter().filter_map(|(name, value)| {
        Some([name.to_owned(), value.filter(|value| !value.is_empty())?])
    });
    let layouts = ["layouts".to_owned(), record.layouts().to_string()];
    known.chain([machine, date, layouts]).collect()
}

/// The first benchmarks whose costs besides time changed.
fn costs(entries: &[Entry<'_>]) -> Vec<String> {
    let line = |entry: &Entry<'_>| {
        Some(format!("`{}` {}", row_name(entry.case, entry.row?), row_costs(entry.row?, false)?))
    };
    entries.iter().filter_map(line).take(WORST).collect()
}

/// The command that shows what changed in the sources.
fn diff(comparison: &Comparison) -> Option<String> {
    let new = &comparison.new;
    let [from, to] = [&comparison.base.commit, &new.commit].map(|commit| commit.as_deref());
    let [from, to] = [shell(&visible(from?)), shell(&visible(to?))];
    Some(if new.dirty { format!("git diff {from}") } else { format!("git diff {from} {to}") })
}

/// A row of the page before it is one.
struct Entry<'a> {
    case: &'a CaseResult,
    measured: &'a ComparedCase,
    row: Option<&'a RowResult>,
    /// The group, by its place and its title.
    place: usize,
    title: String,
    /// How large the change is: larger ones come first.
    urgency: f64,
}

/// A row for each benchmark, and one for each instance that comes to a different verdict, as they are listed.
fn entries<'a>(record: &'a ComparisonRecord, comparison: &'a Comparison) -> Vec<Entry<'a>> {
    let mut entries = Vec::new();
    for (case, measured) in comparison.outcome.cases.iter().zip(&record.cases) {
        let apart = report::table::differing(case, comparison);
        for row in std::iter::once(case.rows.last()).chain(apart.into_iter().map(Some)) {
            let (place, title) = kind(case, row, comparison);
            let change = row.and_then(RowResult::change);
            let urgency = change.map_or(0.0, |change| change.ln_1p().abs());
            entries.push(Entry { case, measured, row, place, title, urgency });
        }
    }
    entries.sort_by(|a, b| {
        (a.place, &a.title).cmp(&(b.place, &b.title)).then(b.urgency.total_cmp(&a.urgency))
    });
    entries
}

/// The place of what became slower.
const SLOWER: usize = 1;

/// The group of a row. Groups that need the reader's attention come first.
fn kind(case: &CaseResult, row: Option<&RowResult>, comparison: &Comparison) -> (usize, String) {
    let (place, title) = match (&case.failure, row) {
        (Some(failure), _) if failure.is_nothing => (9, "skipped"),
        (Some(_), _) => (0, "failed"),
        (None, None) => (8, "not measured"),
        _ if comparison.codes.is_identical(&case.name) => (7, IDENTICAL_CODE),
        (None, Some(row)) if report::has_own_doubt(row) => (3, "check failed"),
        (None, Some(row)) => {
            let place = match row.judgement.verdict {
                Verdict::Slower => SLOWER,
                Verdict::Faster => 2,
                Verdict::Inconclusive => 4,
                Verdict::WithinMargin => 5,
            };
            return (place, verdict_words(row.judgement.verdict, row.margin));
        }
    };
    (place, title.to_owned())
}

/// The rows on the scale that they share. Some have figures, some open.
fn rows(
    entries: &[Entry<'_>],
    record: &ComparisonRecord,
    comparison: &Comparison,
    [figures, opened]: [usize; 2],
) -> Rows {
    let margin = record.settings.margin;
    let all = entries.iter().enumerate().map(|(index, entry)| {
        let body = (index < opened).then(|| body(entry, record, comparison, index < figures));
        (entry.title.as_str(), entry.place <= 2, Row { body, ..of_row(entry, margin) })
    });
    let unmeasured = comparison.names.identical_code.iter().map(|name| {
        let row = Row { name: visible(name), verdict: IDENTICAL_CODE.to_owned(), ..Row::default() };
        (IDENTICAL_CODE, false, row)
    });
    let mut groups: Vec<Group> = Vec::new();
    for (title, is_open, row) in all.chain(unmeasured) {
        match groups.iter_mut().find(|group| group.title == title) {
            Some(group) => group.rows.push(row),
            None => groups.push(Group { title: title.to_owned(), is_open, rows: vec![row] }),
        }
    }
    // Where nothing changed, what comes first is in sight, unless it is long.
    if let Some(first) = groups.first_mut().filter(|first| first.rows.len() <= FEW) {
        first.is_open = true;
    }
    Rows {
        titles: ["benchmark", "change", "interval", "base → new", "verdict"],
        axis: axis(entries, margin),
        band: Some([1.0 / (1.0 + margin), 1.0, 1.0 + margin]),
        groups,
    }
}

/// The scale: all changed rows have room on it, unless one is so far off that all others would overlap.
fn axis(entries: &[Entry<'_>], margin: f64) -> Axis {
    let changed = entries.iter().filter(|entry| (1..3).contains(&entry.place));
    let mut sizes: Vec<f64> =
        changed.map(|entry| entry.urgency).filter(|size| size.is_finite()).collect();
    sizes.sort_by(f64::total_cmp);
    let typical = sizes.get(sizes.len() / 2).copied().unwrap_or(0.0);
    let most = sizes.last().copied().unwrap_or(0.0);
    let reach = (1.15 * most).min(REACH * typical).max(3.0 * margin.ln_1p()).max(0.01);
    Axis::ratios("change", [reach.exp()]).sparse().labeled(|at| match at {
        1.0 => "0".to_owned(),
        at if at < 1.0 => format!("−{}", margin_words(1.0 - at)),
        at => format!("+{}", margin_words(at - 1.0)),
    })
}

fn of_row(entry: &Entry<'_>, margin: f64) -> Row {
    let tone = match entry.place {
        0 | 3 => Tone::Doubtful,
        SLOWER => Tone::Worse,
        2 => Tone::Better,
        _ => Tone::Plain,
    };
    let name = entry.row.map_or_else(|| visible(&entry.case.name), |row| row_name(entry.case, row));
    let empty = Row { name, verdict: entry.title.clone(), tone, ..Row::default() };
    let Some(row) = entry.row.filter(|_| entry.case.failure.is_none()) else { return empty };
    let (middle, ends) = row_change(row)
        .unwrap_or_else(|| (row.change().map_or(String::new(), change), String::new()));
    let times =
        row.times.as_ref().map(|sides| sides.each_ref().map(|side| time(side.estimate.value)));
    let drawn = row.change().zip(row.change_interval());
    let own_margin = (row.margin.to_bits() != margin.to_bits()).then_some(row.margin);
    Row {
        cells: [middle, ends, times.map_or(String::new(), |[base, new]| format!("{base} → {new}"))],
        verdict: if entry.title == IDENTICAL_CODE { entry.title.clone() } else { row_label(row) },
        drawn: drawn.map(|(middle, (low, high))| [low, middle, high].map(|change| 1.0 + change)),
        band: own_margin.map(|margin| [1.0 / (1.0 + margin), 1.0 + margin]),
        ..empty
    }
}

/// Returns the contents of an opened row.
fn body(
    entry: &Entry<'_>,
    record: &ComparisonRecord,
    comparison: &Comparison,
    has_figures: bool,
) -> Body {
    let case = entry.case;
    let mut body = Body::default();
    let mut fact = |name: &str, value: String| body.facts.push([name.to_owned(), value]);
    if let Some((file, line)) = &case.place {
        fact("source", format!("{}:{line}", visible(file)));
    }
    if let Some(changed) = report::remark(comparison, &case.name) {
        fact("code that changed", changed.trim_start_matches("code: ").to_owned());
    }
    body.paragraphs.extend(case_failure(case));
    let again = report::command(comparison, &[&case.name]);
    let commands = [("To reproduce:", again), ("Changes of the code:", diff(comparison))];
    let known = commands.into_iter().filter_map(|(name, found)| Some([name.to_owned(), found?]));
    body.commands.extend(known);
    let Some(row) = entry.row.filter(|_| case.failure.is_none()) else { return body };
    for (name, side) in ["base ± σ", "new ± σ"].into_iter().zip(row.times.iter().flatten()) {
        fact(name, time_with_uncertainty(side.estimate.value, side.estimate.u));
    }
    fact("blocks", row.blocks.len().to_string());
    row_costs(row, true).into_iter().for_each(|costs| fact("other costs", costs));
    body.paragraphs.push(report::sentence(case, row, comparison));
    body.paragraphs.extend(row_remarks(row));
    if !has_figures {
        return body;
    }
    // An instance with a row of its own has the samples and the code of all in that of the benchmark.
    if case.rows.last().is_some_and(|last| std::ptr::eq(last, row)) {
        body.plots.extend(figures::pairs(entry.measured));
        body.plots.extend(figures::sides(entry.measured));
        body.tables.extend(instances(case, comparison));
        let (code, none) = report::listed(record, &case.name);
        body.paragraphs.extend(none);
        body.tables
            .extend(code.into_iter().map(|(caption, rows)| Table::of(caption, LISTED, rows)));
    }
    let narrowing = narrowing(row, entry.measured, &record.settings, comparison.outcome.rows);
    body.plots.extend(figures::sequence(&row_name(case, row), row, &narrowing));
    body
}

fn instances(case: &CaseResult, comparison: &Comparison) -> Option<Table> {
    let rows = case.rows.iter().map(|row| report::table::cells(case, row, comparison).to_vec());
    let table = || Table::of("Instances".to_owned(), COMPARISON_TITLES, rows.collect());
    (case.rows.len() > 1).then(table)
}
