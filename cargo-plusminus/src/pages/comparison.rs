//! The page of a comparison of two versions.

use plusminus::{
    record::ComparisonRecord,
    report::{COMPARISON_TITLES, case_failure},
    results::{CaseResult, narrowing},
    text::{View, number::percent, visible},
};

use super::{
    Extent, Overviews, figures,
    html::{Page, Section, Table},
    measured,
};
use crate::report;

/// Benchmarks that have figures of their own in a page.
const OWN_FIGURES: usize = 60;

/// The page of a comparison.
pub(super) fn page(record: &ComparisonRecord, extent: Extent) -> Page {
    let comparison = report::of_record(record);
    let (base, new) = (visible(&record.base.name), visible(&record.new.name));
    let mut overviews = Overviews::of(extent);
    let mut sections =
        vec![measured::limits_of_comparison(record), verdicts(record, &comparison, &mut overviews)];
    sections[0].list.extend(overviews.said());
    let shown = match extent {
        Extent::Page => OWN_FIGURES,
        Extent::Everything => usize::MAX,
    };
    let cases = &comparison.outcome.cases;
    if cases.len() > shown {
        sections[0].list.push(format!(
            "Of {} benchmarks the first {shown} have figures of their own here; --figures DIR writes those of all.",
            cases.len()
        ));
    }
    for (case, measured) in cases.iter().zip(&record.cases).take(shown) {
        sections.extend(of_case(case, measured, record, &comparison));
    }
    sections.push(Section {
        title: "The report of the terminal".to_owned(),
        paragraphs: vec!["The same verdicts in sentences.".to_owned()],
        terminal: Some((
            "The report".to_owned(),
            report::table::render(&comparison, None, &View::unlimited()),
        )),
        ..Section::default()
    });
    sections.push(measured::of_comparison(record));
    Page {
        title: format!("{base} → {new}"),
        summary: format!(
            "{} benchmark{} of two versions, measured in turns {}; margin {}, α {} over {} verdicts.",
            cases.len(),
            if cases.len() == 1 { "" } else { "s" },
            visible(&record.new.manifest.started),
            percent(record.settings.margin),
            record.settings.alpha,
            comparison.outcome.rows,
        ),
        sections,
    }
}

/// All verdicts, as a table and as a forest plot.
fn verdicts(
    record: &ComparisonRecord,
    comparison: &report::Comparison,
    overviews: &mut Overviews,
) -> Section {
    let rows = comparison.outcome.cases.iter().flat_map(|case| {
        case.rows.iter().map(|row| report::table::cells(case, row, comparison).to_vec())
    });
    let mut list: Vec<String> = comparison.outcome.cases.iter().filter_map(case_failure).collect();
    let named = |what: &str, names: &[String]| {
        let names: Vec<String> = names.iter().map(|name| visible(name)).collect();
        (!names.is_empty()).then(|| format!("{what}: {}", names.join(", ")))
    };
    list.extend(named("only in the new version", &record.added));
    list.extend(named("only in the base", &record.removed));
    list.extend(named("identical code, not measured", &record.identical_code));
    Section {
        title: "Verdicts".to_owned(),
        list,
        tables: vec![Table {
            caption: "Every benchmark: each title leads to what it means".to_owned(),
            titles: COMPARISON_TITLES.map(str::to_owned).to_vec(),
            rows: rows.collect(),
        }],
        plots: overviews.first(figures::of_comparison(
            &comparison.outcome,
            record.settings.margin,
            "Speedups of the new version",
        )),
        ..Section::default()
    }
}

/// How the verdicts on one benchmark came about; nothing where nothing was measured.
fn of_case(
    case: &CaseResult,
    measured: &plusminus::record::ComparedCase,
    record: &ComparisonRecord,
    comparison: &report::Comparison,
) -> Option<Section> {
    let mut plots = Vec::new();
    for row in &case.rows {
        let name = match &row.instance {
            Some(instance) => format!("{} ({instance})", case.name),
            None => case.name.clone(),
        };
        plots.extend(figures::sequence(
            &name,
            row,
            &narrowing(row, measured, &record.settings, comparison.outcome.rows),
        ));
    }
    plots.extend(figures::pairs(measured));
    (!plots.is_empty()).then(|| Section { title: visible(&case.name), plots, ..Section::default() })
}
