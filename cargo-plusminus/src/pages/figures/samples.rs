//! Every sample of a benchmark, by run and instance, and its time with σ and interval.

use plusminus::{
    analysis::summary,
    record::Measurement,
    results::{Row, clean_samples},
    text::number::time,
};

use super::{
    super::plot::{Along, Axis, Colour, Layer, Marks, Plot},
    short,
};

/// The samples of one measurement, for one call, in nanoseconds, and whether each of them counts.
fn of_measurement(row: &Row<'_>, cell: &Measurement) -> Vec<(f64, bool)> {
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

/// What samples are divided by: the time of the row or, where it has none, the median of its samples.
fn reference(row: &Row<'_>) -> Option<(f64, &'static str)> {
    if let Some(time) = row.estimate() {
        return Some((time.value, "its time"));
    }
    let all: Vec<f64> = row.case.measurements.iter().flat_map(Measurement::call_ns).collect();
    let median = summary::quantile(&all, 0.5).ok().filter(|median| *median > 0.0)?;
    Some((median, "the median of its samples, as it has no time"))
}

/// The place of the k-th of n things beside each other around `middle`, all of them `width` wide.
pub(super) fn beside(middle: f64, width: f64, k: usize, n: usize) -> f64 {
    middle + width * ((k as f64 + 0.5) / n.max(1) as f64 - 0.5)
}

/// Draws every sample of a row; `None` without a measurement.
pub(crate) fn samples(row: &Row<'_>) -> Option<Plot> {
    let (reference, what) = reference(row)?;
    let mut runs: Vec<u32> = row.case.measurements.iter().map(|cell| cell.run).collect();
    runs.sort_unstable();
    runs.dedup();
    let instances = row.case.instances.len();
    let place = |run: u32, instance: usize| {
        let run = runs.partition_point(|other| *other < run);
        beside(run as f64, 0.8, instance, instances)
    };
    let (mut counted, mut left_out, mut medians) = (Vec::new(), Vec::new(), Vec::new());
    for cell in &row.case.measurements {
        let all = of_measurement(row, cell);
        let (middle, width) = (place(cell.run, cell.instance), 0.7 / instances.max(1) as f64);
        for (index, (call_ns, counts)) in all.iter().enumerate() {
            let list = if *counts { &mut counted } else { &mut left_out };
            list.push([beside(middle, width, index, all.len()), call_ns / reference]);
        }
    }
    for (run, cells) in row.runs.iter().zip(&row.cells) {
        let typical = cells.iter().enumerate();
        medians.extend(typical.map(|(at, call_ns)| [place(*run, at), call_ns / reference]));
    }
    let heights: Vec<f64> =
        [&counted, &left_out, &medians].into_iter().flatten().map(|at| at[1]).collect();
    let time = row.time.as_ref();
    let interval = time.and_then(|time| time.interval());
    let interval = interval.map(|i| Marks::Strip(Along::Y, i.low / reference, i.high / reference));
    let sigma = time.and_then(|time| time.estimate.u).map(|u| u / reference);
    let sigma = sigma.map(|u| Marks::Strip(Along::Y, 1.0 - u, 1.0 + u));
    let left_out = Some(Marks::Points(left_out.clone())).filter(|_| !left_out.is_empty());
    let layers = [
        ("95 % interval", Colour::Series(2), interval),
        ("time ± σ", Colour::Series(3), sigma),
        (what, Colour::Muted, Some(Marks::Rule(Along::Y, 1.0))),
        ("sample that does not count", Colour::Muted, left_out),
        ("sample", Colour::Series(0), Some(Marks::Points(counted))),
        ("typical time of an instance in a run", Colour::Series(1), Some(Marks::Rings(medians))),
    ];
    let layers = layers
        .into_iter()
        .filter_map(|(name, colour, marks)| Some(Layer::new(name, colour, marks?)));
    let labels: Vec<String> = runs.iter().map(|run| (run + 1).to_string()).collect();
    let within = match instances {
        0 | 1 => String::new(),
        _ => format!(" Within a run, its {instances} instances stand side by side in their order."),
    };
    Some(Plot {
        title: format!("Every sample of {}", short(row.label)),
        caption: format!(
            "Samples divided by {what} ({}), on a logarithmic scale around 1, in the order of time within each run.{within}",
            plusminus::text::number::time(reference)
        ),
        x: Axis::named("run", &labels),
        y: Axis::ratios("sample / time", heights),
        layers: layers.collect(),
        height: 300,
    })
}

/// All samples of a row that count, divided by its time or their median, in rising order, and that by what they are divided.
pub(super) fn typical_samples(row: &Row<'_>) -> Option<(Vec<f64>, String)> {
    let (reference, _) = reference(row)?;
    let cells = row.case.measurements.iter().flat_map(|cell| of_measurement(row, cell));
    let mut all: Vec<f64> =
        cells.filter(|(_, counts)| *counts).map(|(call_ns, _)| call_ns / reference).collect();
    all.sort_by(f64::total_cmp);
    Some((all, time(reference)))
}
