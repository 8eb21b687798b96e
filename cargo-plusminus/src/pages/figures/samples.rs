//! Every sample of a benchmark, by run and instance, and its time with σ and interval.

use plusminus::{
    analysis::summary,
    record::{CaseRecord, Measurement},
    results::{Row, clean_samples},
    text::number::time,
};

use super::{
    super::plot::{Along, Axis, Colour, Layer, Marks, Plot},
    short,
};

/// The samples of one measurement, for one call, in nanoseconds, and whether each of them counts.
pub(super) fn of_measurement(row: &Row<'_>, cell: &Measurement) -> Vec<(f64, bool)> {
    let typical = row
        .runs
        .binary_search(&cell.run)
        .ok()
        .and_then(|run| row.quality.get(run * row.case.instances.len() + cell.instance));
    let (unsettled, only_clean, subtracted) =
        typical.map_or((0, false, 0.0), |t| (t.unsettled, t.only_clean, t.subtracted_ns));
    let parallel = row.case.processors.max(row.case.threads) > 1;
    let clean = clean_samples(&cell.wall_ns, &cell.cpu_ns, parallel).filter(|_| only_clean);
    let counts = |index: usize| index >= unsettled && clean.as_ref().is_none_or(|c| c[index]);
    let call = |wall: u64| ((wall as f64 - subtracted) / cell.calls as f64).max(0.0);
    cell.wall_ns.iter().enumerate().map(|(index, &wall)| (call(wall), counts(index))).collect()
}

/// Returns the divisor of samples: the time of the row or, if it has none, the median of its samples.
pub(super) fn reference(row: &Row<'_>) -> Option<(f64, &'static str)> {
    if let Some(time) = row.estimate() {
        return Some((time.value, "its time"));
    }
    let all: Vec<f64> = row.case.measurements.iter().flat_map(Measurement::call_ns).collect();
    let median = summary::quantile(&all, 0.5).ok().filter(|median| *median > 0.0)?;
    Some((median, "the median of its samples, as it has no time"))
}

/// The runs in which something was measured of a case, in order.
fn runs(case: &CaseRecord) -> Vec<u32> {
    let mut runs: Vec<u32> = case.measurements.iter().map(|cell| cell.run).collect();
    runs.sort_unstable();
    runs.dedup();
    runs
}

/// Returns the place of the k-th of n adjacent things around `middle`, all of them `width` wide.
fn beside(middle: f64, width: f64, k: usize, n: usize) -> f64 {
    middle + width * ((k as f64 + 0.5) / n.max(1) as f64 - 0.5)
}

/// Draws every sample of a row; `None` without a measurement.
pub(crate) fn samples(row: &Row<'_>) -> Option<Plot> {
    let (reference, what) = reference(row)?;
    let runs = runs(row.case);
    let instances = row.case.instances.len();
    let (mut counted, mut left_out, mut medians) = (Vec::new(), Vec::new(), Vec::new());
    for cell in &row.case.measurements {
        let Ok(run) = runs.binary_search(&cell.run) else { continue };
        let middle = beside(run as f64, 0.8, cell.instance, instances);
        let all = of_measurement(row, cell);
        for (index, (call_ns, counts)) in all.iter().enumerate() {
            let x = beside(middle, 0.7 / instances.max(1) as f64, index, all.len());
            let list = if *counts { &mut counted } else { &mut left_out };
            list.push([x, call_ns / reference]);
        }
    }
    for (run, cells) in row.runs.iter().zip(&row.cells) {
        let Ok(run) = runs.binary_search(run) else { continue };
        for (instance, call_ns) in cells.iter().enumerate() {
            medians.push([beside(run as f64, 0.8, instance, instances), call_ns / reference]);
        }
    }
    let mut layers = Vec::new();
    let time = row.time.as_ref();
    if let Some(interval) = time.and_then(|time| time.interval()) {
        let (low, high) = (interval.low / reference, interval.high / reference);
        layers.push(Layer::new(
            "95 % interval",
            Colour::Series(2),
            Marks::Strip(Along::Y, low, high),
        ));
    }
    if let Some(u) = time.and_then(|time| time.estimate.u) {
        let (low, high) = (1.0 - u / reference, 1.0 + u / reference);
        layers.push(Layer::new("time ± σ", Colour::Series(3), Marks::Strip(Along::Y, low, high)));
    }
    layers.push(Layer::new(what, Colour::Muted, Marks::Rule(Along::Y, 1.0)));
    if !left_out.is_empty() {
        let name = "sample that does not count";
        layers.push(Layer::new(name, Colour::Muted, Marks::Points(left_out.clone())));
    }
    layers.push(Layer::new("sample", Colour::Series(0), Marks::Points(counted.clone())));
    let name = "typical time of an instance in a run";
    layers.push(Layer::new(name, Colour::Series(1), Marks::Rings(medians.clone())));
    let heights = counted.iter().chain(&left_out).chain(&medians).map(|point| point[1]);
    let labels: Vec<String> = runs.iter().map(|run| (run + 1).to_string()).collect();
    let within = if instances > 1 {
        format!(" Within a run, its {instances} instances stand side by side in their order.")
    } else {
        String::new()
    };
    Some(Plot {
        title: format!("Every sample of {}", short(row.label)),
        caption: format!(
            "Samples divided by {what} ({}), on a logarithmic scale around 1, in the order of time within each run.{within}",
            plusminus::text::number::time(reference)
        ),
        x: Axis::named("run", &labels),
        y: Axis::ratios("sample / time", heights),
        layers,
        height: 300,
    })
}

/// Returns all used samples of a row, divided by the value of [`reference`], in rising order.
pub(crate) fn typical_samples(row: &Row<'_>) -> Option<(Vec<f64>, String)> {
    let (reference, _) = reference(row)?;
    let cells = row.case.measurements.iter().flat_map(|cell| of_measurement(row, cell));
    let mut all: Vec<f64> =
        cells.filter(|(_, counts)| *counts).map(|(call_ns, _)| call_ns / reference).collect();
    all.sort_by(f64::total_cmp);
    Some((all, time(reference)))
}
