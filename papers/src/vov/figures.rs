//! Two variants run by run over scales: times, adjusted speedups and relative uncertainties, with error bars for each run.

use cargo_plusminus::{
    pages::{
        Section,
        plot::{Along, Axis, Colour, Layer, Marks, Plot, Span},
        plots::{beside, grouped, short, span},
    },
    study::document::{Number, Run, RunWise},
};

/// The figures of all variants side by side, a section for each two of them and each range of weights.
pub(super) fn sections(tables: &[RunWise]) -> Vec<Section> {
    let section = |own: Vec<&RunWise>| {
        let plots = run_wise(&own, &own[0].pair());
        Section { title: format!("Figures of {}", own[0].pair()), plots, ..Section::default() }
    };
    grouped(tables, RunWise::is_like).into_iter().map(section).collect()
}

/// The figures of tables of the same two variants, one table for each point.
fn run_wise(tables: &[&RunWise], title: &str) -> Vec<Plot> {
    let places = places(tables);
    let Some(first) = tables.first().filter(|_| !places.is_empty()) else { return Vec::new() };
    let labels: Vec<String> = tables.iter().map(|table| label(table)).collect();
    let plot = |what: &str, caption: &str, y: Axis, layers: Vec<Layer>| Plot {
        title: format!("{what} by point and run: {title}"),
        caption: caption.to_owned(),
        x: Axis::named("point, its runs side by side", &labels),
        y,
        layers,
        height: 300,
    };
    let spans = |shift: f64, of: fn(&Run) -> (&Number, Option<f64>)| -> Vec<Span> {
        places.iter().map(|(at, run)| span_of_run(at + shift, of(run))).collect()
    };
    let rings = |of: fn(&Run) -> Option<f64>| -> Vec<[f64; 2]> {
        places.iter().filter_map(|(at, run)| Some([*at, of(run)?])).collect()
    };
    let sides = |[base, variant]: [Marks; 2]| {
        let [of_base, of_variant] = [&first.base, &first.variant].map(|name| short(name));
        vec![
            Layer::new(of_base, Colour::Series(0), base),
            Layer::new(of_variant, Colour::Series(1), variant),
        ]
    };
    let ends = |spans: &[Span]| spans.iter().flat_map(Span::ends).collect::<Vec<f64>>();
    let times = [
        spans(-0.02, |run| (&run.base.time_ns, run.base.spread_ns)),
        spans(0.02, |run| (&run.variant.time_ns, run.variant.spread_ns)),
    ];
    let speedups = spans(0.0, |run| (&run.speedup, run.spread));
    let over_runs = |(at, table): (usize, &&RunWise)| Some([at as f64, table.over_runs?.value]);
    let over_runs: Vec<[f64; 2]> = tables.iter().enumerate().filter_map(over_runs).collect();
    let heights = ends(&speedups).into_iter().chain(over_runs.iter().map(|point| point[1]));
    let rsu = [rings(|run| run.base.rsu), rings(|run| run.variant.rsu)];
    vec![
        plot(
            "Time",
            "Mean over the instances in each run. A thick bar is ± u, the standard uncertainty of the mean (VoV 5). A thin bar is \
             ± the spread of the instances, which the paper's numbers fit. (The Value of Variance, figures 4, 6 and 8.)",
            Axis::times("time", ends(&times.concat())),
            sides(times.map(|spans| Marks::Spans(Along::Y, spans))),
        ),
        plot(
            "Adjusted speedup",
            "S = mean(base)/mean(variant) in each run. A thick bar is ± σ by (VoV 8) from standard uncertainties, without the \
             pairing. A thin bar is by the same formula from spreads, which the paper's numbers fit. Rings are S over all runs. \
             (The Value of Variance, figures 5, 7 and 9.)",
            Axis::ratios("speedup S", heights),
            vec![
                Layer::new("no change", Colour::Muted, Marks::Rule(Along::Y, 1.0)),
                Layer::new(
                    "S of a run, ± σ and ± spread",
                    Colour::Series(3),
                    Marks::Spans(Along::Y, speedups),
                ),
                Layer::new("S over all runs", Colour::Series(1), Marks::Rings(over_runs)),
            ],
        ),
        plot(
            "Relative standard uncertainty",
            "RSU = u/mean of each run (VoV 3), from how much its instances differ; the axis begins at 0. (The Value of \
             Variance, figures 10 to 12.)",
            Axis::from_zero("RSU", rsu.iter().flatten().map(|point| point[1])),
            sides(rsu.map(Marks::Rings)),
        ),
    ]
}

/// A number with its σ as the thick bar, and the spread of the instances as the thin one. A bar that would reach below 0,
/// where a logarithmic scale ends, stops at a tenth of the value.
fn span_of_run(at: f64, (number, spread): (&Number, Option<f64>)) -> Span {
    let low = |spread: f64| (number.value - spread).max(number.value / 10.0);
    let interval = spread.map(|spread| (low(spread), number.value + spread));
    Span { interval, ..span(at, number) }
}

/// `14@2` where the point is a scale, otherwise its name.
fn label(table: &RunWise) -> String {
    match table.scale {
        Some(scale) if table.processors > 1 => format!("{scale}@{}", table.processors),
        Some(scale) => scale.to_string(),
        None => short(&table.point),
    }
}

/// Returns the place of each run among the others of its point.
fn places<'a>(tables: &[&'a RunWise]) -> Vec<(f64, &'a Run)> {
    let of_table = |(index, table): (usize, &&'a RunWise)| {
        let count = table.runs.len();
        let place = move |k: usize| beside(index as f64, 0.8, k, count);
        table.runs.iter().enumerate().map(move |(k, run)| (place(k), run))
    };
    tables.iter().enumerate().flat_map(of_table).collect()
}
