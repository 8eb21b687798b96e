//! Conditions of records that their types do not guarantee, so that analysis can rely on them.

use super::{Clock, Counting, Failure, Measurement, Record, WorkerRecord};

/// The most runs that a record can have: more would be years of measuring.
pub(super) const MOST_RUNS: u32 = 1_000_000;

pub(super) fn consistent(record: &Record) -> Result<(), String> {
    for case in &record.cases {
        let sizes = Sizes {
            workers: record.workers.len(),
            processors: case.processors,
            instances: case.instances.len(),
            metrics: case.metrics.len(),
        };
        let (measured, failed) = (&mut case.measurements.iter(), &mut case.failures.iter());
        consistent_case(&case.name, &sizes, measured, failed)?;
    }
    consistent_clocks(&record.workers)?;
    let times = record.manifest.probes.iter().flat_map(|probe| &probe.ns);
    if !times.into_iter().all(|ns| (1e-3..1e15).contains(ns)) {
        return Err("one of its probes has an impossible time".to_owned());
    }
    let known = |step: &super::Step| step.cases.iter().all(|&case| case < record.cases.len());
    if record.order.iter().all(known) {
        Ok(())
    } else {
        Err("its order names unknown benchmarks".to_owned())
    }
}

/// The numbers that everything recorded of a benchmark has to agree with.
pub(super) struct Sizes {
    pub(super) workers: usize,
    pub(super) processors: usize,
    pub(super) instances: usize,
    pub(super) metrics: usize,
}

pub(super) fn consistent_case(
    name: &str,
    sizes: &Sizes,
    measured: &mut dyn Iterator<Item = &Measurement>,
    failed: &mut dyn Iterator<Item = &Failure>,
) -> Result<(), String> {
    let agrees = |measurement: &Measurement| {
        let samples = measurement.wall_ns.len();
        let optional = [&measurement.cpu_ns, &measurement.switches];
        measurement.calls > 0
            && measurement.windows > 0
            && measurement.run < MOST_RUNS
            && measurement.worker.is_none_or(|worker| worker < sizes.workers)
            && measurement.instance < sizes.instances
            && measurement.metrics.len() <= sizes.metrics
            && measurement.metrics.iter().all(|column| column.len() == samples)
            && optional.iter().all(|column| column.is_empty() || column.len() == samples)
    };
    for measurement in measured {
        if !agrees(measurement) {
            return Err(format!("the measurements of `{name}` contradict each other"));
        }
    }
    if sizes.processors == 0 {
        return Err(format!("`{name}` has no processor"));
    }
    for failure in failed {
        if failure.run >= MOST_RUNS || failure.instance.is_some_and(|one| one >= sizes.instances) {
            return Err(format!(
                "`{name}` failed in a run or on an instance that it does not have"
            ));
        }
    }
    Ok(())
}

pub(super) fn consistent_clocks(workers: &[WorkerRecord]) -> Result<(), String> {
    let possible = |clock: Clock| {
        [clock.tick_ns, clock.window_ns, clock.loop_ns].iter().all(|&ns| (0.0..1e12).contains(&ns))
    };
    let counts = |counting: Counting| {
        let drift = counting.drift.unwrap_or(0.0);
        (1.0..1e12).contains(&counting.hertz)
            && (0.0..1.0).contains(&counting.u_relative)
            && (-1.0..1e12).contains(&drift)
    };
    let mut clocks = workers.iter().filter_map(|worker| worker.clock);
    let mut counting = workers.iter().filter_map(|worker| worker.counting);
    let mut loads = workers.iter().filter_map(|worker| worker.core);
    let is_load = |load: f64| load > 0.0 && load < 1e12;
    if !loads.all(|core| is_load(core.typical) && is_load(core.least)) {
        return Err("the load of one of its cores is impossible".to_owned());
    }
    if clocks.all(possible) && counting.all(counts) {
        Ok(())
    } else {
        Err("one of its clocks is impossible".to_owned())
    }
}
