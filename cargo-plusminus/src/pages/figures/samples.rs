//! Every sample of a benchmark: in the order of time, and how samples are distributed, so that every mode is seen.

use std::collections::BTreeMap;

use plusminus::{
    analysis::summary,
    record::{BlockRecord, ComparedCase, Measurement},
    results::{Row, clean_samples},
    text::number::time,
};

use super::{
    super::plot::{Along, Axis, Colour, Layer, Marks, Plot},
    short,
};

/// Dots of a distribution; with fewer samples each of them is one.
const DOTS: usize = 100;

/// The samples of one measurement, for one call, in nanoseconds, and whether each of them counts.
fn of_measurement(row: &Row<'_>, cell: &Measurement) -> Vec<(f64, bool)> {
    let run = row.runs.binary_search(&cell.run).ok();
    let typical =
        run.and_then(|run| row.quality.get(run * row.case.instances.len() + cell.instance));
    let (unsettled, only_clean, subtracted) =
        typical.map_or((0, false, 0.0), |t| (t.unsettled, t.only_clean, t.subtracted_ns));
    let parallel = row.case.processors.max(row.case.threads) > 1;
    let clean = clean_samples(&cell.wall_ns, &cell.cpu_ns, parallel).filter(|_| only_clean);
    let counts = |index: usize| index >= unsettled && clean.as_ref().is_none_or(|c| c[index]);
    let call = |wall: u64| ((wall as f64 - subtracted) / cell.calls as f64).max(0.0);
    cell.wall_ns.iter().enumerate().map(|(index, &wall)| (call(wall), counts(index))).collect()
}

/// The median of some samples, if it is positive.
fn median(samples: Vec<f64>) -> Option<f64> {
    summary::quantile(&samples, 0.5).ok().filter(|median| *median > 0.0)
}

/// The place of the k-th of n things in a line around `middle`, all of them `width` wide.
pub fn beside(middle: f64, width: f64, k: usize, n: usize) -> f64 {
    middle + width * ((k as f64 + 0.5) / n.max(1) as f64 - 0.5)
}

/// Draws every sample of a row; `None` without a measurement.
pub(crate) fn samples(row: &Row<'_>) -> Option<Plot> {
    // Samples are divided by the time of the row, or else by their median.
    let all = || row.case.measurements.iter().flat_map(Measurement::call_ns).collect();
    let reference = row.estimate().map(|time| time.value).or_else(|| median(all()))?;
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
    let found = row.time.as_ref();
    let interval = found.and_then(|time| time.interval());
    let interval = interval.map(|i| Marks::Strip(Along::Y, i.low / reference, i.high / reference));
    let sigma = found.and_then(|time| time.estimate.u).map(|u| u / reference);
    let left_out = Some(left_out).filter(|dots| !dots.is_empty()).map(Marks::Points);
    let what = if row.time.is_some() { "the time" } else { "the median" };
    let divisor = format!("{what}, {}", time(reference));
    let layers = [
        ("95 % interval", Colour::Series(2), interval),
        ("time ± σ", Colour::Series(3), sigma.map(|u| Marks::Strip(Along::Y, 1.0 - u, 1.0 + u))),
        (&*divisor, Colour::Muted, Some(Marks::Rule(Along::Y, 1.0))),
        ("sample that does not count", Colour::Muted, left_out),
        ("sample", Colour::Series(0), Some(Marks::Points(counted))),
        ("typical time of an instance in a run", Colour::Series(1), Some(Marks::Rings(medians))),
    ];
    let layer = |(name, colour, marks)| Some(Layer::new(name, colour, marks?));
    let labels: Vec<String> = runs.iter().map(|run| (run + 1).to_string()).collect();
    Some(Plot {
        title: format!("Every sample of {}", short(row.label)),
        caption: format!(
            "Samples divided by {divisor}, on a logarithmic scale around 1, in the order of time within each run. The instances of \
             a run stand side by side."
        ),
        x: Axis::named("run", &labels),
        y: Axis::ratios("sample / time", heights),
        layers: layers.into_iter().filter_map(layer).collect(),
        height: 300,
    })
}

/// The distribution of the samples of a row that count; `None` for fewer than two.
pub(crate) fn quantiles(row: &Row<'_>) -> Option<Plot> {
    let mut counted = Vec::new();
    for cell in &row.case.measurements {
        let counting = of_measurement(row, cell).into_iter().filter(|(_, counts)| *counts);
        counted.extend(counting.map(|(call_ns, _)| (cell.instance, call_ns)));
    }
    let title = format!("Distribution of the samples of {}", short(row.label));
    distribution(title, "the median", &[("quantile", counted)])
}

/// The distributions of both sides of a comparison, one above the other; `None` for fewer than two samples of either.
pub(crate) fn sides(case: &ComparedCase) -> Option<Plot> {
    let of = |side: fn(&BlockRecord) -> &Measurement| -> Vec<(usize, f64)> {
        let cells = case.blocks.iter().map(side);
        cells.flat_map(|cell| cell.call_ns().map(|call_ns| (cell.instance, call_ns))).collect()
    };
    let all = [("base", of(|block| &block.base)), ("new", of(|block| &block.new))];
    let title = format!("Samples of both versions of {}", short(&case.name));
    distribution(title, "the median of base", &all)
}

/// A dot for each of a hundred quantiles of samples, which are of instances, those of the first above; `None` with fewer than two
/// of any. Each is divided by the median of its instance in the first: instances that take different times would look like modes.
fn distribution(title: String, median_of: &str, all: &[(&str, Vec<(usize, f64)>)]) -> Option<Plot> {
    let mut instances = BTreeMap::<usize, Vec<f64>>::new();
    for (instance, call_ns) in &all.first()?.1 {
        instances.entry(*instance).or_default().push(*call_ns);
    }
    let medians: BTreeMap<usize, f64> = instances
        .into_iter()
        .filter_map(|(instance, all)| Some((instance, median(all)?)))
        .collect();
    let divisor = match medians.values().collect::<Vec<_>>()[..] {
        [one] => format!("{median_of}, {}", time(*one)),
        _ => format!("{median_of} for its instance"),
    };
    let most = DOTS / all.len();
    let relative = |&(instance, call_ns): &(usize, f64)| Some(call_ns / medians.get(&instance)?);
    let of = |(name, samples): &(_, Vec<_>)| (*name, samples.iter().filter_map(relative).collect());
    let mut all: Vec<(&str, Vec<f64>)> = all.iter().map(of).collect();
    for (_, samples) in &mut all {
        samples.sort_by(f64::total_cmp);
        let (count, sorted) = (samples.len().min(most), &*samples);
        let at = |k: usize| sorted[(2 * k + 1) * sorted.len() / (2 * count)];
        *samples = (0..count).map(at).collect();
    }
    let x = Axis::ratios("sample / median", all.iter().flat_map(|(_, dots)| dots.iter().copied()));
    let is_many = all.len() > 1;
    let (mut layers, mut below) = (Vec::new(), 0.0);
    for (index, (name, values)) in all.into_iter().enumerate().rev() {
        if values.len() < 2 {
            return None;
        }
        let (mut dots, tallest) = stacked(&values, x.high.ln());
        dots.iter_mut().for_each(|dot| dot[1] += below);
        below += tallest + if index > 0 { 2.0 } else { 1.0 };
        layers.insert(0, Layer::new(name, Colour::Series(index), Marks::Points(dots)));
    }
    layers.insert(0, Layer::new(&*divisor, Colour::Muted, Marks::Rule(Along::X, 1.0)));
    let mut y = Axis::between("dots", 0.0, below);
    if is_many {
        (y.title, y.ticks) = Default::default();
    }
    let above = if is_many { " Base is above, new below." } else { "" };
    let caption = format!(
        "Each dot is one sample, or {} % of more than {most}, at its quantile, divided by {divisor}.{above} Two heaps of one color \
         are two modes.",
        100 / most
    );
    Some(Plot { title, caption, x, y, layers, height: 240 })
}

/// Values in rising order as dots above each other, in 60 columns that are equally wide on the log scale from −reach to reach.
fn stacked(values: &[f64], reach: f64) -> (Vec<[f64; 2]>, f64) {
    let width = 2.0 * reach / 60.0;
    let column = |value: f64| (value.max(f64::MIN_POSITIVE).ln() / width).round();
    let mut dots: Vec<[f64; 2]> = Vec::with_capacity(values.len());
    let (mut last, mut height, mut tallest) = (f64::NAN, 0.0, 0.0_f64);
    for &value in values {
        height = if column(value) == last { height + 1.0 } else { 1.0 };
        last = column(value);
        tallest = tallest.max(height);
        dots.push([(last * width).exp(), height]);
    }
    (dots, tallest)
}
