//! Scaling tables: the kind of sweep, and the values of each configuration. Numbers come from the analysis crate.

use std::collections::BTreeSet;

use plusminus::results::RealSpeedup;
use plusminus_analysis::{
    Result,
    scaling::{ParallelMetrics, WeakMeasured, WeakRow, metrics_of, weak_scaling},
    speedup::Kind,
};

use super::{
    collect::Configuration,
    document::{Number, Scaling, ScalingRow, Sweep},
};

/// How many different values there are.
fn different<T: Ord>(values: impl Iterator<Item = T>) -> usize {
    values.collect::<BTreeSet<T>>().len()
}

/// Recognizes the variables of a sweep.
pub(super) fn sweep_of(configurations: &[Configuration]) -> Sweep {
    let sizes = different(configurations.iter().map(|c| c.n.map(f64::to_bits)));
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
    // More pairs of n and p than sizes: several p at one n.
    if different(configurations.iter().map(|c| (c.n.map(f64::to_bits), c.p))) > sizes {
        return Sweep::Grid;
    }
    let mut sorted: Vec<&Configuration> = configurations.iter().collect();
    sorted.sort_by_key(|c| c.p);
    let grows = sorted.windows(2).all(|pair| pair[0].p < pair[1].p && pair[0].n < pair[1].n);
    if grows { Sweep::Weak } else { Sweep::Irregular }
}

/// The table of a family, whose configurations are in order of n and p.
pub(super) fn table(configurations: &[Configuration]) -> Result<Scaling> {
    let sweep = sweep_of(configurations);
    let same_size =
        |a: &Configuration, b: &Configuration| a.n == b.n && (a.n.is_some() || a.point == b.point);
    let mut notes = Vec::new();
    let mut rows: Vec<ScalingRow> = configurations.iter().map(row).collect::<Result<_>>()?;
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
    let sequential: BTreeSet<&String> =
        rows.iter().filter_map(|row| row.sequential.as_ref()).collect();
    if !sequential.is_empty() {
        let names: Vec<&str> = sequential.iter().map(|name| name.as_str()).collect();
        notes.push(format!(
            "S real is against the fastest variant measured on one processor at the point: {}",
            names.join(", ")
        ));
    }
    let is_reference = configurations.iter().any(|c| c.sequential && c.p > 1);
    if is_reference {
        notes.push("the sequential reference: it uses one processor whatever p is".to_owned());
    }
    let beaten: Vec<&Configuration> = configurations.iter().filter(|c| is_beaten(c)).collect();
    if let Some(first) = beaten.first() {
        notes.push(format!(
            "warning: marked as the sequential reference, but not the fastest at {} of {} points, such as {}",
            beaten.len(),
            configurations.len(),
            first.point
        ));
    }
    if rows.iter().any(|row| row.superlinear) {
        notes
            .push("superlinear (E > 1): look for caches, or for another amount of work".to_owned());
    }
    if configurations.iter().any(|c| c.time.runs.len() < 2) {
        notes.push("a single run has no uncertainty: measure more runs".to_owned());
    }
    Ok(Scaling { sweep, work, rows, notes, is_reference })
}

/// Is it marked as the best sequential variant, though one without a mark is faster?
fn is_beaten(configuration: &Configuration) -> bool {
    let real = configuration.against.real.as_ref();
    configuration.sequential && real.is_some_and(RealSpeedup::beats_a_reference)
}

/// The metrics of a configuration: from the real speedup if there is one, else from the relative one.
fn metrics(configuration: &Configuration) -> Result<Option<ParallelMetrics>> {
    if configuration.sequential && configuration.p > 1 {
        return Ok(None);
    }
    let (time, p) = (configuration.time.estimate, configuration.p);
    let against = &configuration.against;
    if let Some(RealSpeedup { speedup, reference_ns, .. }) = &against.real {
        return metrics_of(*speedup, *reference_ns, time, p).map(Some);
    }
    let Some(relative) = against.relative else { return Ok(None) };
    metrics_of(relative, relative.base, time, p).map(Some)
}

fn row(configuration: &Configuration) -> Result<ScalingRow> {
    let found = metrics(configuration)?;
    let metrics = found.as_ref();
    let against = metrics.map(|m| match m.speedup.kind {
        Kind::Real => "real",
        Kind::Relative => "relative",
        Kind::BetweenVariants => "between variants",
    });
    let real = configuration.against.real.as_ref();
    Ok(ScalingRow {
        point: configuration.point.clone(),
        n: configuration.n,
        p: configuration.p,
        run_means_ns: configuration.time.run_means_ns.clone(),
        runs: configuration.time.runs.len(),
        time_ns: Number::of_time(&configuration.time),
        speedup_real: real.map(|real| (&real.speedup).into()),
        sequential: real.map(|real| real.reference.clone()),
        speedup_relative: configuration.against.relative.as_ref().map(Into::into),
        speedup_scaled: None,
        work_per_processor: None,
        against,
        efficiency: metrics.map(|m| m.efficiency.into()),
        overhead_ns: metrics.map(|m| m.overhead.into()),
        karp_flatt: metrics.and_then(|m| m.karp_flatt).map(Into::into),
        isoefficiency_constant: metrics.and_then(|m| m.isoefficiency_constant).map(Into::into),
        superlinear: metrics.is_some_and(|m| m.superlinear),
    })
}

/// Adds the values of weak scaling, and returns the unit of work: the problem's, or else n.
fn scaled(rows: &mut [ScalingRow], sorted: &[Configuration]) -> Result<String> {
    let unit = sorted[0].work.as_ref().map(|(unit, _)| unit.clone()).filter(|unit| {
        sorted.iter().all(|c| c.work.as_ref().is_some_and(|(other, _)| other == unit))
    });
    let measured: Vec<WeakMeasured> = sorted
        .iter()
        .map(|c| {
            let size = c.n.unwrap_or(1.0);
            let amount = c.work.as_ref().filter(|_| unit.is_some()).map_or(size, |(_, work)| *work);
            WeakMeasured { size, processors: c.p, work: amount, time: c.time.estimate }
        })
        .collect();
    let sequential = sorted.iter().any(|c| c.sequential);
    for (row, found) in rows.iter_mut().zip(weak_scaling(&measured)?) {
        if sequential {
            continue;
        }
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
