//! Notes about instances and runs: which are consistently slow, and which single cell is out of line.

use super::notes::{Kind, Note};
use crate::{
    analysis::decomposition::{Cells, Decomposition, Flag, Scale, decompose, speedup_by_instance},
    record::Role,
    results::{Row, TableResults},
    text::{
        number::{counted, percent},
        visible,
    },
};

/// The level below which a p-value, already corrected for the number of questions, is worth a sentence.
const LEVEL: f64 = 0.05;

/// How many cells of a row are listed; the others are counted.
const CELLS_NAMED: usize = 1;

pub(super) fn notes(table: &TableResults<'_>) -> Vec<Note> {
    let mut notes = Vec::new();
    for row in &table.rows {
        let flat = flat(row);
        let Some(parts) = flat.as_deref().and_then(|values| of(row, values)) else { continue };
        let flags = parts.flags(LEVEL);
        let uneven = sensitive(row, &flags, parts.instances);
        notes.extend(uneven.map(|said| Note::of(Kind::InputsDiffer, row, said)));
        notes.extend(cells(row, &flags));
        notes.extend(runs(row, &parts).map(|said| Note::of(Kind::RunsDiffer, row, said)));
    }
    notes.extend(dependence(table));
    notes
}

/// The cells of a row, run by run, for each unit of work: that an instance with more work takes longer is known.
fn flat(row: &Row<'_>) -> Option<Vec<f64>> {
    row.time.as_ref()?;
    let mut cells = row.cells.concat();
    if works(row).is_some() {
        let amounts = row.case.instances.iter().map(|instance| instance.work[0].1).cycle();
        cells.iter_mut().zip(amounts).for_each(|(cell, amount)| *cell /= amount);
    }
    Some(cells)
}

/// The unit of the work of instances, if all of them have it and its amounts differ.
fn works<'r>(row: &Row<'r>) -> Option<&'r str> {
    let instances = &row.case.instances;
    let (unit, amount) = instances.first()?.work.first()?;
    let has_it = |work: &(String, f64)| work.0 == *unit && work.1 > 0.0 && work.1.is_finite();
    let all = instances.iter().all(|instance| instance.work.first().is_some_and(has_it));
    let differ = || instances.iter().any(|instance| instance.work[0].1 != *amount);
    (all && differ()).then_some(unit)
}

fn of(row: &Row<'_>, values: &[f64]) -> Option<Decomposition> {
    let cells = Cells::new(values, row.cells.len(), row.cells.first()?.len(), 1).ok()?;
    decompose(&cells, Scale::Log).ok()
}

fn name(row: &Row<'_>, instance: usize) -> String {
    row.case.instances.get(instance).map_or_else(String::new, |instance| visible(&instance.name))
}

/// The instance that stands out most, and how many others do.
fn sensitive(row: &Row<'_>, flags: &[Flag], instances: usize) -> Option<String> {
    let found: Vec<(usize, f64, f64)> = flags
        .iter()
        .filter_map(|flag| match *flag {
            // A factor that prints as 1.00 tells nothing, however certain.
            Flag::SensitiveInstance { instance, factor: Some(factor), p_adjusted, .. } => {
                let is_news = (factor - 1.0).abs() >= 0.005;
                is_news.then_some((instance, factor, p_adjusted))
            }
            _ => None,
        })
        .collect();
    let farther =
        |a: &&(usize, f64, f64), b: &&(usize, f64, f64)| b.1.ln().abs().total_cmp(&a.1.ln().abs());
    let &(instance, factor, p) = found.iter().min_by(farther)?;
    let word = if factor > 1.0 { "slow" } else { "fast" };
    let others = match found.len() {
        1 => String::new(),
        n => format!("; {n} of {instances} instances differ from the others"),
    };
    let of_work = works(row).map_or(String::new(), |unit| format!(", for its {}", visible(unit)));
    Some(format!(
        "instance {} ({}) is consistently {word} for {}{of_work}: ×{factor:.2} ({}){others}",
        instance + 1,
        name(row, instance),
        row.label,
        probability(p),
    ))
}

/// Cells that are out of line, the clearest first.
fn cells(row: &Row<'_>, flags: &[Flag]) -> Vec<Note> {
    let said = |flag: &Flag| match *flag {
        Flag::OddCell { run, instance, p_adjusted, mirrored, .. } => {
            let doubt = if mirrored {
                "; with two runs it is unknown which one, so measure more"
            } else {
                ""
            };
            let said = format!(
                "run {}, instance {} ({}) of {} is an outlier ({}): look at that run{doubt}",
                row.runs[run] + 1,
                instance + 1,
                name(row, instance),
                row.label,
                probability(p_adjusted),
            );
            Some((Kind::Outlier, said))
        }
        Flag::Suspect { run, instance, robust_z, .. } => {
            let said = format!(
                "run {}, instance {} ({}) of {} is a possible outlier (robust z {} in its run)",
                row.runs[run] + 1,
                instance + 1,
                name(row, instance),
                row.label,
                format!("{robust_z:.1}").replace('-', "−"),
            );
            Some((Kind::PossibleOutlier, said))
        }
        _ => None,
    };
    let all: Vec<(Kind, String)> = flags.iter().filter_map(said).collect();
    let hidden = all.len().saturating_sub(CELLS_NAMED);
    let more = (hidden > 0).then(|| {
        let said = format!("{} of {}", counted(hidden, "more possible outlier"), row.label);
        (Kind::PossibleOutlier, said)
    });
    let named = all.into_iter().take(CELLS_NAMED).chain(more);
    named.map(|(kind, said)| Note::of(kind, row, said)).collect()
}

/// Whether whole runs differ: the machine or the layout of memory then decides more than chance.
fn runs(row: &Row<'_>, parts: &Decomposition) -> Option<String> {
    let test = parts.f_run.as_ref().filter(|test| test.p < LEVEL / 10.0)?;
    Some(format!(
        "runs of {} differ as a whole ({}): something outside the benchmark changes between processes",
        row.label,
        probability(test.p)
    ))
}

fn dependence(table: &TableResults<'_>) -> Vec<Note> {
    let Some(base) = table.rows.iter().find(|row| row.case.role == Role::Baseline) else {
        return Vec::new();
    };
    let uneven = |row: &Row<'_>| {
        row.speedup.as_ref().filter(|_| row.runs == base.runs)?;
        let (old, new) = (flat(base)?, flat(row)?);
        let (runs, instances) = (row.cells.len(), row.cells.first().map_or(0, Vec::len));
        let cells = |values| Cells::new(values, runs, instances, 1).ok();
        let by_instance = speedup_by_instance(&cells(&old)?, &cells(&new)?).ok()?;
        let parts = &by_instance.decomposition;
        let test = parts.f_instance.as_ref().filter(|test| test.p < LEVEL)?;
        let (low, high) = by_instance.range();
        let said = format!(
            "the speedup of {} depends on the instance ({}): from {low:.2} to {high:.2}, spread {} on the log scale",
            row.label,
            probability(test.p),
            percent(parts.variance_instance.variance.max(0.0).sqrt()),
        );
        Some(Note::of(Kind::UnevenSpeedup, row, said))
    };
    table.rows.iter().filter_map(uneven).collect()
}

/// `p = 0.015`, or `p < 0.0001`.
fn probability(p: f64) -> String {
    if p < 1e-4 {
        "p < 0.0001".to_owned()
    } else {
        format!("p = {p:.0$}", if p < 0.01 { 4 } else { 3 })
    }
}
