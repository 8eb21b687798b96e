//! The study of "The Value of Variance": adjusted speedups run by run (its figures 5 and 7), RSU (figures 10 to 12)
//! and flags of instances, for the shortest path problem and for every problem with instances on request.

use plusminus::{
    record::{Record, Role},
    results::{self, Pairing, Row, TableResults},
};
use plusminus_analysis::{
    decomposition::{Cells as Grid, Flag, Scale, decompose},
    speedup::{self, Kind},
    summary::summarize,
};

use super::{
    document::{Run, RunWise, Side},
    extras::{Cells, CellsOfRun},
};

/// The level below which an instance is worth a sentence, after correction for their number.
const LEVEL: f64 = 0.05;

/// Tables for the shortest path problem of a record, or for all problems with several instances.
pub(super) fn tables(record: &Record, all: bool) -> Vec<RunWise> {
    let mut found = Vec::new();
    for table in results::tables(record) {
        let Some(problem) = table.problem else { continue };
        let wanted = all || problem.rsplit("::").next() == Some("ShortestPaths");
        for (base, row) in pairs(&table) {
            let measured = base.time.is_some() && row.time.is_some();
            if wanted && measured && base.case.instances.len() > 1 {
                found.extend(compared(&table, problem, base, row));
            }
        }
    }
    found
}

/// Returns the pairs to compare in a table. If it has several kinds (`kla_…` and `delta_…`), they are KLA over
/// Δ-stepping of the same kind, with the same runtime and filter. Otherwise they are the baseline over each other
/// variant.
fn pairs<'t, 'a>(table: &'t TableResults<'a>) -> Vec<(&'t Row<'a>, &'t Row<'a>)> {
    fn name<'n>(row: &'n Row<'_>) -> &'n str {
        row.case.function.rsplit("::").next().unwrap_or_default()
    }
    // The sequential reference is what real speedup is against; it is not a side of these comparisons.
    let parallel = || table.rows.iter().filter(|row| row.case.role != Role::Reference);
    let of_a_kind = |kla: &'t Row<'a>| {
        let kind = name(kla).strip_prefix("kla_")?;
        let delta = parallel().find(|row| name(row).strip_prefix("delta_") == Some(kind))?;
        Some((kla, delta))
    };
    let kinds: Vec<_> = parallel().filter_map(of_a_kind).collect();
    if !kinds.is_empty() {
        return kinds;
    }
    let base = parallel().find(|row| row.case.role == Role::Baseline);
    let others = parallel().filter(|row| row.case.role == Role::Contender);
    base.map_or_else(Vec::new, |base| others.map(|row| (base, row)).collect())
}

/// The times of each instance in each complete run, of every variant with several instances.
pub(super) fn cells(record: &Record) -> Vec<Cells> {
    let mut found = Vec::new();
    for table in results::tables(record) {
        let measured = |row: &&Row<'_>| row.time.is_some() && row.case.instances.len() > 1;
        found.extend(table.rows.iter().filter(measured).map(|row| {
            let runs = row.runs.iter().zip(&row.cells);
            let of_run =
                |(&run, times): (&u32, &Vec<f64>)| CellsOfRun { run, times_ns: times.clone() };
            Cells {
                variant: row.case.function.clone(),
                point: table.point.to_owned(),
                processors: table.processors,
                instances: row.case.instances.iter().map(|one| one.name.clone()).collect(),
                runs: runs.map(of_run).collect(),
            }
        }));
    }
    found
}

fn compared(
    table: &TableResults<'_>,
    problem: &str,
    base: &Row<'_>,
    row: &Row<'_>,
) -> Option<RunWise> {
    let runs: Vec<Run> = row
        .runs
        .iter()
        .zip(&row.cells)
        .filter_map(|(number, cells)| {
            let at = base.runs.binary_search(number).ok()?;
            run(*number, &base.cells[at], cells).ok()
        })
        .collect();
    if runs.is_empty() {
        return None;
    }
    let (pairs, within) = within_each_other(&runs);
    let mut sentences = vec![lie_together(pairs, within)];
    sentences.extend(flags(base));
    sentences.extend(flags(row));
    let (scale, max_weight) = parse(table.point).unzip();
    Some(RunWise {
        problem: problem.to_owned(),
        point: table.point.to_owned(),
        scale,
        max_weight,
        processors: table.processors,
        base: base.case.function.clone(),
        variant: row.case.function.clone(),
        instances: base.case.instances.len(),
        over_runs: row
            .time
            .as_ref()
            .zip(base.time.as_ref())
            .and_then(|(new, old)| new.speedup_over(old, Kind::BetweenVariants, Pairing::Paired))
            .map(|speedup| (&speedup).into()),
        runs,
        pairs,
        pairs_within_sigma: within,
        sentences,
    })
}

/// Scale and maximal weight of a point of the shortest path study, such as `rmat-15-w255-p2`.
fn parse(point: &str) -> Option<(u32, u32)> {
    let mut parts = point.strip_prefix("rmat-")?.split('-');
    let scale = parts.next()?.parse().ok()?;
    let weight = parts.next()?.strip_prefix('w')?.parse().ok()?;
    Some((scale, weight))
}

/// One run: the mean over instances of each side, and their ratio.
fn run(number: u32, base: &[f64], new: &[f64]) -> plusminus_analysis::Result<Run> {
    let side = |cells: &[f64]| -> plusminus_analysis::Result<Side> {
        let summary = summarize(cells)?;
        Ok(Side {
            time_ns: summary.estimate().into(),
            spread_ns: summary.spread,
            rsu: summary.rsu,
            cv: summary.cv,
        })
    };
    let apart = speedup::unpaired(base, new, Kind::BetweenVariants)?;
    let paired = speedup::paired(base, new, Kind::BetweenVariants).ok();
    Ok(Run {
        run: number,
        base: side(base)?,
        variant: side(new)?,
        speedup: (&apart).into(),
        spread: apart.spread,
        sigma_paired: paired.and_then(|paired| paired.sigma),
    })
}

/// Pairs of runs, and those whose speedups lie within each other's S ± σ.
fn within_each_other(runs: &[Run]) -> (usize, usize) {
    let (mut pairs, mut within) = (0, 0);
    for (index, one) in runs.iter().enumerate() {
        for other in &runs[index + 1..] {
            let (Some(a), Some(b)) = (one.speedup.u, other.speedup.u) else { continue };
            pairs += 1;
            let distance = (one.speedup.value - other.speedup.value).abs();
            within += usize::from(distance <= a && distance <= b);
        }
    }
    (pairs, within)
}

fn lie_together(pairs: usize, within: usize) -> String {
    match (pairs, within) {
        (0, _) => "a single run cannot tell whether runs agree".to_owned(),
        (pairs, within) if pairs == within => {
            format!(
                "the speedups of all runs lie within each other's S ± σ ({within} of {pairs} pairs)"
            )
        }
        (pairs, within) => format!(
            "the speedups of the runs do not all lie within each other's S ± σ: {within} of {pairs} pairs do"
        ),
    }
}

fn flags(row: &Row<'_>) -> Vec<String> {
    let values: Vec<f64> = row.cells.iter().flatten().copied().collect();
    let instances = row.case.instances.len();
    let Ok(parts) = Grid::new(&values, row.cells.len(), instances, 1)
        .and_then(|cells| decompose(&cells, Scale::Log))
    else {
        return Vec::new();
    };
    let name = |instance: usize| {
        format!("instance {} ({})", instance + 1, row.case.instances[instance].name)
    };
    let run = |at: usize| row.runs.get(at).map_or(at as u32, |run| run + 1);
    let of = &row.case.function;
    let said = |flag: Flag| match flag {
        Flag::SensitiveInstance { instance, factor, p_adjusted, .. } => {
            let factor = factor.map_or_else(String::new, |factor| format!(": ×{factor:.2}"));
            format!("{} stands out for {of}{factor} ({})", name(instance), probability(p_adjusted))
        }
        Flag::OddCell { run: at, instance, p_adjusted, mirrored, .. } => {
            let doubt = if mirrored { ", or in the other run" } else { "" };
            let place = name(instance);
            format!(
                "{place} is out of line for {of} in run {}{doubt} ({})",
                run(at),
                probability(p_adjusted)
            )
        }
        Flag::Suspect { run: at, instance, robust_z, .. } => {
            format!(
                "{} is suspect for {of} in run {} (robust z {})",
                name(instance),
                run(at),
                format!("{robust_z:.1}").replace('-', "−")
            )
        }
        _ => format!("{of} has an instance or run to look at"),
    };
    parts.flags(LEVEL).into_iter().map(said).collect()
}

/// A p-value, never as 0.
fn probability(p: f64) -> String {
    if p < 0.001 { "p < 0.001".to_owned() } else { format!("p = {p:.3}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_tell_scale_and_weight() {
        assert_eq!(parse("rmat-15-w255-p2"), Some((15, 255)));
        assert_eq!(parse("rmat-14"), None);
        assert_eq!(parse("grid-3"), None);
    }

    #[test]
    fn a_run_is_equation_10() {
        let base = [1.0, 2.0, 3.0, 4.0];
        let found = run(0, &base, &base.map(|t| t / 2.0)).unwrap();
        assert_eq!(found.speedup.value, 2.0);
        // u of 1, 2, 3, 4 is √(5/3)/2; relative √(5/3)/2/2.5, twice, in quadrature.
        let relative = (5.0_f64 / 3.0).sqrt() / 2.0 / 2.5;
        assert!((found.speedup.u.unwrap() - 2.0 * relative * 2.0_f64.sqrt()).abs() < 1e-12);
        assert!((found.spread.unwrap() / found.speedup.u.unwrap() - 2.0).abs() < 1e-12);
        assert!(found.sigma_paired.unwrap() < 1e-9, "the same instances: all of it cancels");
    }

    #[test]
    fn runs_agree_only_within_both_sigmas() {
        let of = |value: f64, u: f64| {
            let mut found = run(0, &[1.0, 2.0], &[1.0, 2.0]).unwrap();
            found.speedup.value = value;
            found.speedup.u = Some(u);
            found
        };
        assert_eq!(within_each_other(&[of(5.0, 1.0), of(5.5, 0.6), of(5.7, 0.1)]), (3, 1));
        assert!(lie_together(3, 3).contains("all runs lie within"));
        assert!(lie_together(3, 1).contains("1 of 3"));
    }
}
