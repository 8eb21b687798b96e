//! A study as text for people: aligned columns, numbers with as many digits as their uncertainty allows, and sentences.

use plusminus::text::{
    self, Cell, Style,
    number::{digits, time_with_uncertainty, with_uncertainty},
    table, visible,
};

use super::{
    apex::ApexMapStudy,
    document::{Comparison, Document, Number, ProblemStudy, RecordOf, RunWise},
    parts::{PartsOf, TITLES},
    predict::PredictedSizes,
    sets::SetRanking,
    tables,
};

pub(super) fn render(document: &Document) -> String {
    let mut text = String::new();
    let named = |one: &RecordOf, said: &str| format!("{} {said}\n\n", visible(&one.path));
    for one in &document.records {
        if let Some(signal) = one.interrupted {
            let said = format!("was interrupted by signal {signal}: only complete runs count");
            text += &named(one, &said);
        }
    }
    for one in &document.records {
        if let Some(side) = &one.side {
            let side = visible(side);
            let said = format!("is the record of a comparison: its new side, {side}, is studied");
            text += &named(one, &said);
        }
    }
    for one in document.records.iter().filter(|one| one.unfinished) {
        let said = "is of a measurement that was killed before its end: only complete runs count";
        text += &named(one, said);
    }
    document.problems.iter().for_each(|problem| text += &of_problem(problem));
    text += &document.set.as_ref().map(of_set).unwrap_or_default();
    if !document.run_wise.is_empty() {
        text += "Adjusted speedups run by run (VoV, figures 5 and 7). S: mean over the instances of base over that of \
                 the variant.\nσ: how sure S is (from standard uncertainties). spread: how single instances scatter \
                 (from standard deviations).\n\n";
    }
    document.run_wise.iter().for_each(|table| text += &of_runs(table));
    text += &tables::side_by_side(&document.run_wise);
    text += &tables::cells(&document.cells);
    text += &tables::messages(&document.message_costs);
    text += &of_parts(&document.parts);
    document.derived.iter().for_each(|quantity| text += &quantity.text());
    text += &document.predicted.as_ref().map_or_else(String::new, PredictedSizes::text);
    if let Some(study) = &document.apex_map {
        text += &apex_map(study);
    }
    // Empty lines divide sections; the last one needs none.
    format!("{}\n", text.trim_end())
}

fn of_problem(problem: &ProblemStudy) -> String {
    let mut text = String::new();
    for series in &problem.series {
        text += &format!("{}   {}", visible(&problem.problem), visible(&series.variant));
        if let Some(sweep) = &series.sweep {
            text += &format!("   {}", visible(sweep));
        }
        text.push('\n');
        text += &tables::scaling(&series.scaling);
        series.advice.sentences.iter().for_each(|said| text += &sentence(said));
        for models in &series.models {
            text += &tables::models(models);
        }
        text += &series.flat.as_ref().map_or_else(String::new, |flat| sentence(&flat.sentence()));
        text += &tables::foreign(&series.foreign_fits);
        text.push('\n');
    }
    if !problem.advice.sentences.is_empty() {
        text += &format!("{}   two algorithms\n", visible(&problem.problem));
        problem.advice.sentences.iter().for_each(|said| text += &sentence(said));
        text.push('\n');
    }
    for comparison in &problem.comparisons {
        text += &compared(&problem.problem, comparison);
    }
    if !problem.notes.is_empty() {
        problem.notes.iter().for_each(|note| text += &sentence(note));
        text.push('\n');
    }
    text
}

fn compared(problem: &str, comparison: &Comparison) -> String {
    let mut text = format!("{}   faster, and more transparent?", visible(problem));
    if let Some(sweep) = &comparison.sweep {
        text += &format!("   {}", visible(sweep));
    }
    text += &format!("   over the {} configurations that all share\n", comparison.configurations);
    text += &tables::comparison(comparison);
    comparison.sentences.iter().for_each(|said| text += &sentence(said));
    text.push('\n');
    text
}

fn of_set(set: &SetRanking) -> String {
    let mut text = format!(
        "faster, and more transparent?   over a set of {} sweeps, {} configurations, each sweep by the model that ranks \
         first for its base\n",
        set.problems.len(),
        set.configurations
    );
    for one in &set.problems {
        let sweep =
            one.sweep.as_ref().map_or_else(String::new, |sweep| format!(" {}", visible(sweep)));
        let (problem, count) = (visible(&one.problem), one.configurations);
        text += &sentence(&format!("{problem}{sweep}: {}, {count} configurations", one.model));
    }
    text += &tables::set(set);
    set.sentences.iter().for_each(|said| text += &sentence(said));
    text.push('\n');
    text
}

fn of_runs(table: &RunWise) -> String {
    let point = match (table.scale, table.max_weight) {
        (Some(scale), Some(weight)) => {
            format!("scale {scale}@{}   weights ≤ {weight}", table.processors)
        }
        _ => format!("{}   p = {}", visible(&table.point), table.processors),
    };
    let mut text = format!(
        "{}   {point}   {} instances   {} over {}\n",
        visible(&table.problem),
        table.instances,
        visible(&table.base),
        visible(&table.variant)
    );
    text += &tables::runs(table);
    table.sentences.iter().for_each(|said| text += &sentence(said));
    text.push('\n');
    text
}

/// The parts of kernels, a line for each.
fn of_parts(all: &[PartsOf]) -> String {
    if all.is_empty() {
        return String::new();
    }
    let mut rows = vec![TITLES.map(str::to_owned).to_vec()];
    all.iter().for_each(|one| rows.extend(one.rows()));
    let mut text = format!("Parts against the whole (DBPP 3.5.2)\n{}", aligned(&rows));
    all.iter().for_each(|one| text += &sentence(&one.sentence));
    text.push('\n');
    text
}

fn apex_map(study: &ApexMapStudy) -> String {
    let mut text = format!("Apex-MAP: Performance Complexity\n\n{}", study.text);
    study.notes.iter().for_each(|note| text += &sentence(note));
    text
}

/// A line of its own, indented.
pub(super) fn sentence(text: &str) -> String {
    format!("  {}\n", text::sentence(text))
}

/// Rows of cells as lines with aligned columns: the first column to the left, the others to the right.
pub(super) fn aligned(rows: &[Vec<String>]) -> String {
    let cells = |row: &Vec<String>| row.iter().map(Cell::from).collect();
    table(&rows.iter().map(cells).collect::<Vec<_>>(), &[0], Style::Plain)
}

/// `x ± u`; a value that is known by definition, such as S at p = 1, has no u.
pub(super) fn with_u(value: f64, u: Option<f64>) -> String {
    if u == Some(0.0) { digits(value) } else { with_uncertainty(value, u) }
}

/// A variant in an order by PC_a, with the share of resamples in which it has the lowest.
pub(super) fn in_order(variant: &str, pc_a: &Number, lowest: Option<f64>) -> String {
    let lowest = lowest.map_or_else(String::new, |share| {
        format!(", lowest in {:.0} % of resamples", 100.0 * share)
    });
    format!("{variant} (PC_a {}{lowest})", with_u(pc_a.value, pc_a.u))
}

/// Formats `x ± u`, or `-` if there is none.
pub(super) fn number(found: Option<&Number>) -> String {
    found.map_or_else(|| "-".to_owned(), |found| with_u(found.value, found.u))
}

/// A time with its unit.
pub(super) fn time(found: &Number) -> String {
    time_with_uncertainty(found.value, found.u)
}

/// Four digits, or `n/a`.
pub(super) fn optional(value: Option<f64>) -> String {
    value.map_or_else(|| "n/a".to_owned(), digits)
}

/// Three places, or `n/a`.
pub(super) fn share(value: Option<f64>) -> String {
    value.map_or_else(|| "n/a".to_owned(), |value| format!("{value:.3}"))
}
