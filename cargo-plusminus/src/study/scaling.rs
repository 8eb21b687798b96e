//! Scaling tables: which kind of sweep it is, and what each configuration says. Numbers come from the analysis crate.

use plusminus_analysis::{
    Result,
    scaling::{Measured, StrongRow, WeakMeasured, WeakRow, strong_scaling, weak_scaling},
    speedup::Kind,
};

use super::{
    collect::{Configuration, Problem, Variant},
    document::{Scaling, ScalingRow, Sweep},
};

/// How many different values there are.
fn different<T: PartialEq>(values: impl Iterator<Item = T>) -> usize {
    let mut seen = Vec::new();
    for value in values {
        if !seen.contains(&value) {
            seen.push(value);
        }
    }
    seen.len()
}

/// Recognises what varies.
pub(super) fn sweep_of(configurations: &[Configuration]) -> Sweep {
    let sizes = different(configurations.iter().map(|c| c.n));
    let processors = different(configurations.iter().map(|c| c.p));
    if configurations.len() == 1 {
        return Sweep::Point;
    }
    let points = different(configurations.iter().map(|c| &c.point));
    if points > 1 && configurations.iter().any(|c| c.n.is_none()) {
        return Sweep::Points;
    }
    if processors == 1 {
        return Sweep::Sizes;
    }
    if sizes == 1 {
        return Sweep::Strong;
    }
    let of_one_size = |n| configurations.iter().filter(move |c| c.n == n).map(|c| c.p);
    if configurations.iter().any(|c| different(of_one_size(c.n)) > 1) {
        return Sweep::Grid;
    }
    let mut sorted: Vec<&Configuration> = configurations.iter().collect();
    sorted.sort_by_key(|c| c.p);
    let grows = sorted.windows(2).all(|pair| pair[0].p < pair[1].p && pair[0].n < pair[1].n);
    if grows { Sweep::Weak } else { Sweep::Irregular }
}

/// The table of a family, whose configurations are in order of n and p.
pub(super) fn table(
    problem: &Problem,
    variant: &Variant,
    configurations: &[Configuration],
) -> Result<Scaling> {
    let sweep = sweep_of(configurations);
    let same_size =
        |a: &Configuration, b: &Configuration| a.n == b.n && (a.n.is_some() || a.point == b.point);
    let mut notes = Vec::new();
    let mut rows = Vec::new();
    for group in configurations.chunk_by(same_size) {
        rows.extend(rows_of_one_size(problem, variant, group)?);
    }
    let mut work = None;
    match sweep {
        Sweep::Weak => work = Some(scaled(&mut rows, configurations)?),
        Sweep::Strong | Sweep::Grid => {
            let mut all = configurations.chunk_by(same_size);
            if all.any(|group| group.len() > 1 && group.iter().all(|c| c.p != 1)) {
                notes.push(
                    "p = 1 was not measured at every size: there is no relative speedup without T(n, 1)"
                        .to_owned(),
                );
            }
        }
        Sweep::Irregular => notes.push(
            "n and p vary, but neither with the other fixed (strong scaling) nor together (weak scaling)"
                .to_owned(),
        ),
        Sweep::Points => notes.push(
            "the points have no size n: let the problem tell the `size` of a point".to_owned(),
        ),
        Sweep::Point | Sweep::Sizes => {}
    }
    let too_fast = |on_one: bool| rows.iter().any(|r| r.superlinear && (r.p == 1) == on_one);
    if too_fast(true) {
        notes.push(
            "faster than the sequential reference on one processor: that is not the best sequential program"
                .to_owned(),
        );
    }
    if too_fast(false) {
        notes
            .push("superlinear (E > 1): look for caches, or for another amount of work".to_owned());
    }
    if configurations.iter().any(|c| c.times_ns.len() < 2) {
        notes.push("a single run has no uncertainty: measure more runs".to_owned());
    }
    Ok(Scaling { sweep, work, rows, notes })
}

/// Rows of one size on any processors, against T(n, 1) and against the sequential reference.
fn rows_of_one_size(
    problem: &Problem,
    variant: &Variant,
    group: &[Configuration],
) -> Result<Vec<ScalingRow>> {
    // Configurations of one size may be different points of a weak scaling with a reference at each.
    let references: Vec<Option<&[f64]>> =
        group.iter().map(|c| problem.sequential(&c.point, variant)).collect();
    let measured: Vec<Measured<'_>> =
        group.iter().map(|c| Measured::new(c.p, &c.times_ns)).collect();
    let mut rows = Vec::with_capacity(group.len());
    for (at, configuration) in group.iter().enumerate() {
        let table = strong_scaling(&measured, references[at])?;
        rows.push(row(configuration, &table[at]));
    }
    Ok(rows)
}

fn row(configuration: &Configuration, found: &StrongRow) -> ScalingRow {
    let metrics = found.metrics.as_ref();
    let against = metrics.map(|m| match m.speedup.kind {
        Kind::Real => "real",
        Kind::Relative => "relative",
        Kind::BetweenVariants => "between variants",
    });
    ScalingRow {
        point: configuration.point.clone(),
        n: configuration.n,
        p: configuration.p,
        runs: configuration.times_ns.len(),
        time_ns: found.time.into(),
        speedup_real: found.real.as_ref().map(Into::into),
        speedup_relative: found.relative.as_ref().map(Into::into),
        speedup_scaled: None,
        work_per_processor: None,
        against,
        efficiency: metrics.map(|m| m.efficiency.into()),
        overhead_ns: metrics.map(|m| m.overhead.into()),
        karp_flatt: metrics.and_then(|m| m.karp_flatt).map(Into::into),
        isoefficiency_constant: metrics.and_then(|m| m.isoefficiency_constant).map(Into::into),
        superlinear: metrics.is_some_and(|m| m.superlinear),
    }
}

/// Adds what weak scaling says, and answers what work is counted in: the problem's unit, or else n.
fn scaled(rows: &mut [ScalingRow], sorted: &[Configuration]) -> Result<String> {
    let unit = sorted[0].work.as_ref().map(|(unit, _)| unit.clone()).filter(|unit| {
        sorted.iter().all(|c| c.work.as_ref().is_some_and(|(other, _)| other == unit))
    });
    let measured: Vec<WeakMeasured<'_>> = sorted
        .iter()
        .map(|c| {
            let size = c.n.unwrap_or(1.0);
            let amount = c.work.as_ref().filter(|_| unit.is_some()).map_or(size, |(_, work)| *work);
            WeakMeasured { size, processors: c.p, work: amount, times: &c.times_ns }
        })
        .collect();
    for (row, found) in rows.iter_mut().zip(weak_scaling(&measured)?) {
        let WeakRow { scaled_speedup, efficiency, work_per_processor, .. } = found;
        row.speedup_scaled = Some(scaled_speedup.into());
        row.work_per_processor = Some(work_per_processor);
        // Against the sequential reference at the same point E is that of real speedup, and stays.
        if row.against.is_none() {
            row.against = Some("scaled");
            row.efficiency = Some(efficiency.into());
        }
    }
    Ok(unit.unwrap_or_else(|| "n".to_owned()))
}
