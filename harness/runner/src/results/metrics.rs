//! Results of a benchmark besides time: its work per second, and the user's own metrics.

use super::mean;
use crate::{
    analysis::summary::{self, Summary},
    record::{CaseRecord, Measurement, MetricRecord},
};
use plusminus_worker::MetricKind;

/// Each metric: the median over samples, averaged over instances, summarised over complete `runs`, which are in order.
pub(super) fn metrics(case: &CaseRecord, runs: &[u32]) -> Vec<Summary> {
    let is_whole = |cell: &&Measurement| runs.binary_search(&cell.run).is_ok();
    let mut cells: Vec<&Measurement> = case.measurements.iter().filter(is_whole).collect();
    cells.sort_by_key(|cell| cell.run);
    let one = |(index, metric): (usize, &MetricRecord)| {
        let of_measurement = |measurement: &Measurement| {
            summary::quantile(&of_samples(measurement, index, metric.kind, case.threads)?, 0.5).ok()
        };
        let of_run = |run: &[&Measurement]| mean(run.iter().filter_map(|one| of_measurement(one)));
        let runs = cells.chunk_by(|a, b| a.run == b.run);
        summary::summarize(&runs.filter_map(of_run).collect::<Vec<_>>()).ok()
    };
    case.metrics.iter().enumerate().map_while(one).collect()
}

/// A metric in each sample of a measurement: for a call, or for a second.
pub(super) fn of_samples(
    measurement: &Measurement,
    metric: usize,
    kind: MetricKind,
    threads: usize,
) -> Option<Vec<f64>> {
    let samples = measurement.metrics.get(metric)?.iter().zip(&measurement.wall_ns);
    let value = |(&value, &wall_ns): (&f64, &u64)| match kind {
        MetricKind::Cost => value / (measurement.calls as f64 * threads as f64),
        MetricKind::Rate => value / (wall_ns.max(1) as f64 * 1e-9),
    };
    Some(samples.map(value).collect())
}

/// The first kind of work, per second: all instances' work over the time of all instances.
pub(super) fn rate(case: &CaseRecord, mean_ns: f64) -> Option<(String, f64)> {
    let (unit, _) = case.instances.first()?.work.first()?;
    let total: f64 =
        case.instances.iter().filter_map(|instance| Some(instance.work.first()?.1)).sum();
    let mean_work = total / case.instances.len() as f64;
    // Every caller does the work of its calls.
    Some((unit.clone(), case.threads as f64 * mean_work / (mean_ns * 1e-9)))
}
