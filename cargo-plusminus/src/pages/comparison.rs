//! The page of a comparison of two versions.

use plusminus::{
    record::{ComparedCase, ComparisonRecord},
    report::{
        IDENTICAL_CODE, case_failure, change_with_interval, margin_words, row_label, row_name,
        row_remarks, verdict_words,
    },
    results::{CaseResult, RowResult, narrowing},
    text::{
        View,
        number::{change, time, time_with_uncertainty},
        shell, visible,
    },
};
use plusminus_analysis::verdict::Verdict;

use super::{
    Extent, figures,
    html::{Body, Group, Page, Row, Rows, Section, Table, Tone},
    measured,
    plot::Axis,
};
use crate::report::{self, Comparison};

/// Benchmarks that have figures of their own in a page.
const OWN_FIGURES: usize = 60;

/// The same where there are very many benchmarks.
const FEW_FIGURES: usize = 12;

/// Rows from which on a page has few figures, and no report of the terminal.
const MANY: usize = 1000;

/// Rows that open in such a page.
const FEW_OPENED: usize = 300;

/// How many times as far from 0 as the typical change the scale reaches.
const REACH: f64 = 5.0;

/// Changes that the scale may name.
const ROUND: [f64; 14] =
    [0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.8, 0.9, 1.0, 2.0, 5.0, 10.0, 100.0];

/// The page of a comparison.
pub(super) fn page(record: &ComparisonRecord, extent: Extent) -> Page {
    let comparison = report::of_record(record);
    let mut entries = entries(record, &comparison);
    let key = |entry: &Entry<'_>| (entry.place, entry.title.clone());
    entries.sort_by(|a, b| key(a).cmp(&key(b)).then(b.urgency.total_cmp(&a.urgency)));
    let figures = match extent {
        Extent::Everything => usize::MAX,
        Extent::Page if entries.len() > MANY => FEW_FIGURES,
        Extent::Page => OWN_FIGURES,
    };
    let opened = if figures == FEW_FIGURES { FEW_OPENED } else { usize::MAX };
    let warnings = report::warnings(&comparison);
    let folded = (!warnings.is_empty()).then(|| {
        let labels: Vec<&str> = warnings.iter().map(|(label, _)| label.as_str()).collect();
        let said = warnings.iter().map(|(label, said)| format!("{label}: {said}")).collect();
        (format!("Warnings: {}", labels.join(", ")), said)
    });
    let hidden = (entries.len() > figures).then(|| {
        format!(
            "Of {} rows the first {figures} have figures here. `--figures DIR` writes those of all.",
            entries.len()
        )
    });
    let project = measured::project(&record.new.manifest, &record.targets);
    let mut facts = measured::head(&record.new.manifest);
    facts.push(["layouts".to_owned(), record.layouts().to_string()]);
    let overview = match extent {
        Extent::Page => Vec::new(),
        Extent::Everything => figures::of_comparison(
            &comparison.outcome,
            record.settings.margin,
            "Speedups of the new version",
        ),
    };
    let rows = rows(&entries, record, &comparison, figures, opened);
    let list = report::errors(&comparison);
    let head = Section { facts, list, folded, is_warning: true, ..Section::default() };
    let results = Section {
        title: "Results".to_owned(),
        rows: (!rows.groups.is_empty()).then_some(rows),
        plots: overview,
        ..Section::default()
    };
    let method = Section {
        list: hidden.into_iter().chain(report::ends(&comparison)).collect(),
        terminal: (entries.len() <= MANY).then(|| {
            let text = report::table::render(&comparison, None, &View::unlimited());
            ("The report of the terminal".to_owned(), text)
        }),
        ..measured::of_comparison(record)
    };
    Page {
        title: format!("{project}: {} → {}", comparison.base.short(), comparison.new.short()),
        summary: report::answer(&comparison),
        sections: vec![head, results, method],
    }
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

/// A row for each benchmark, and one for each instance that comes to a different verdict.
fn entries<'a>(record: &'a ComparisonRecord, comparison: &'a Comparison) -> Vec<Entry<'a>> {
    let mut entries = Vec::new();
    for (case, measured) in comparison.outcome.cases.iter().zip(&record.cases) {
        let mut add = |row: Option<&'a RowResult>| {
            let (place, title) = kind(case, row, comparison);
            let urgency =
                row.and_then(RowResult::change).map_or(0.0, |change| change.ln_1p().abs());
            entries.push(Entry { case, measured, row, place, title, urgency });
        };
        add(case.rows.last());
        report::table::differing(case, comparison).into_iter().for_each(|row| add(Some(row)));
    }
    entries
}

/// Returns the group of a row. Rows that a reader has to see come first.
fn kind(case: &CaseResult, row: Option<&RowResult>, comparison: &Comparison) -> (usize, String) {
    let said = |place: usize, title: &str| (place, title.to_owned());
    match (&case.failure, row) {
        (Some(failure), _) if failure.is_nothing => said(9, "skipped"),
        (Some(_), _) => said(0, "failed"),
        (None, None) => said(8, "not measured"),
        _ if comparison.codes.is_identical(&case.name) => said(7, IDENTICAL_CODE),
        (None, Some(row)) if report::has_own_doubt(row) => said(3, "check failed"),
        (None, Some(row)) => {
            let place = match row.judgement.verdict {
                Verdict::Slower => 1,
                Verdict::Faster => 2,
                Verdict::Inconclusive => 4,
                Verdict::WithinMargin => 5,
            };
            (place, verdict_words(row.judgement.verdict, row.margin))
        }
    }
}

/// The rows on the scale that they share.
fn rows(
    entries: &[Entry<'_>],
    record: &ComparisonRecord,
    comparison: &Comparison,
    figures: usize,
    opened: usize,
) -> Rows {
    let margin = record.settings.margin;
    let mut groups: Vec<Group> = Vec::new();
    for (index, entry) in entries.iter().enumerate() {
        if groups.last().is_none_or(|group| group.title != entry.title) {
            groups.push(Group {
                title: entry.title.clone(),
                is_open: entry.place < 3,
                rows: Vec::new(),
            });
        }
        let mut row = of_row(entry, margin);
        if index < opened {
            row.body = Some(body(entry, record, comparison, index < figures));
        }
        groups.last_mut().into_iter().for_each(|group| group.rows.push(std::mem::take(&mut row)));
    }
    let unmeasured = record.identical_code.iter();
    let unmeasured = unmeasured.map(|name| Row {
        name: visible(name),
        verdict: IDENTICAL_CODE.to_owned(),
        ..Row::default()
    });
    let unmeasured: Vec<Row> = unmeasured.collect();
    match groups.iter_mut().find(|group| group.title == IDENTICAL_CODE) {
        Some(group) => group.rows.extend(unmeasured),
        None if unmeasured.is_empty() => {}
        None => groups.push(Group {
            title: IDENTICAL_CODE.to_owned(),
            is_open: false,
            rows: unmeasured,
        }),
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
    let mut axis = Axis::ratios("change", [reach.exp()]);
    let round = |limit: f64| ROUND.into_iter().rfind(|size| *size <= limit);
    let slower = round(axis.high - 1.0).or(Some(axis.high - 1.0));
    let faster = round(1.0 - axis.low).filter(|size| *size < 1.0).map(|size| -size);
    let ends = [faster, Some(0.0), slower].into_iter().flatten();
    let label = |size: f64| match size {
        0.0 => "0".to_owned(),
        size if size < 0.0 => format!("−{}", margin_words(-size)),
        size => format!("+{}", margin_words(size)),
    };
    axis.ticks = ends.map(|size| (1.0 + size, label(size))).collect();
    axis
}

fn of_row(entry: &Entry<'_>, margin: f64) -> Row {
    let name = entry.row.map_or_else(|| visible(&entry.case.name), |row| row_name(entry.case, row));
    let Some(row) = entry.row.filter(|_| entry.case.failure.is_none()) else {
        return Row {
            name,
            verdict: entry.title.clone(),
            tone: tone(entry.place),
            ..Row::default()
        };
    };
    let (middle, ends) = match (row.change(), row.change_interval()) {
        (Some(middle), Some(ends)) => change_with_interval(middle, ends, row.margin),
        (Some(middle), None) => (change(middle), String::new()),
        _ => Default::default(),
    };
    let times = row
        .times
        .as_ref()
        .map(|[base, new]| format!("{} → {}", time(base.estimate.value), time(new.estimate.value)));
    let drawn = row.change().zip(row.change_interval());
    let is_identical = entry.title == IDENTICAL_CODE;
    Row {
        name,
        cells: [middle, ends, times.unwrap_or_default()],
        verdict: if is_identical { IDENTICAL_CODE.to_owned() } else { row_label(row) },
        tone: tone(entry.place),
        drawn: drawn.map(|(middle, (low, high))| [1.0 + low, 1.0 + middle, 1.0 + high]),
        band: (row.margin.to_bits() != margin.to_bits())
            .then(|| [1.0 / (1.0 + row.margin), 1.0 + row.margin]),
        body: None,
    }
}

fn tone(place: usize) -> Tone {
    match place {
        0 | 3 => Tone::Doubtful,
        1 => Tone::Worse,
        2 => Tone::Better,
        _ => Tone::Plain,
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
    let mut paragraphs: Vec<String> = case_failure(case).into_iter().collect();
    let row = entry.row.filter(|_| case.failure.is_none());
    if let Some(row) = row {
        paragraphs.push(report::sentence(case, row, comparison));
        paragraphs.extend(row_remarks(row));
    }
    let mut commands = Vec::new();
    if let Some(command) = report::command(comparison, &[&case.name]) {
        commands.push(["To reproduce:".to_owned(), command]);
    }
    if let (Some(base), Some(new)) = (&comparison.base.commit, &comparison.new.commit) {
        let to =
            if comparison.new.dirty { String::new() } else { format!(" {}", shell(&visible(new))) };
        commands.push([
            "Changes of the code:".to_owned(),
            format!("git diff {}{to}", shell(&visible(base))),
        ]);
    }
    let mut facts = Vec::new();
    if let Some((file, line)) = &case.place {
        facts.push(["source".to_owned(), format!("{}:{line}", visible(file))]);
    }
    let whole = case.rows.last().is_some_and(|last| row.is_some_and(|row| std::ptr::eq(last, row)));
    if let Some(row) = row {
        if let Some([base, new]) = &row.times {
            let both =
                [base, new].map(|side| time_with_uncertainty(side.estimate.value, side.estimate.u));
            facts.push(["base ± σ".to_owned(), both[0].clone()]);
            facts.push(["new ± σ".to_owned(), both[1].clone()]);
        }
        facts.push(["blocks".to_owned(), row.blocks.len().to_string()]);
    }
    let mut plots = Vec::new();
    if let Some(row) = row.filter(|_| has_figures) {
        if whole {
            plots.extend(figures::pairs(entry.measured));
            plots.extend(figures::sides(entry.measured));
        }
        // An instance with a row of its own has its figure there.
        let apart = report::table::differing(case, comparison);
        let is_apart = |one: &RowResult| apart.iter().any(|row| std::ptr::eq(*row, one));
        let own = |one: &&RowResult| std::ptr::eq(*one, row) || (whole && !is_apart(one));
        for row in case.rows.iter().filter(own) {
            let narrowing =
                narrowing(row, entry.measured, &record.settings, comparison.outcome.rows);
            plots.extend(figures::sequence(&row_name(case, row), row, &narrowing));
        }
    }
    Body {
        paragraphs,
        facts,
        table: instances(case, comparison).filter(|_| whole && has_figures),
        commands,
        plots,
    }
}

/// The instances of a benchmark that has several.
fn instances(case: &CaseResult, comparison: &Comparison) -> Option<Table> {
    if case.rows.len() < 2 {
        return None;
    }
    let rows = case.rows.iter().map(|row| report::table::cells(case, row, comparison).to_vec());
    Some(Table {
        caption: "Instances".to_owned(),
        titles: plusminus::report::COMPARISON_TITLES.map(str::to_owned).to_vec(),
        rows: rows.collect(),
    })
}
