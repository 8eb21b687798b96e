//! Two variants run by run over scales: times, adjusted speedups and relative uncertainties, with error bars for each run.

use super::{
    super::plot::{Along, Axis, Colour, Layer, Marks, Plot, Span},
    short,
};
use crate::study::document::{Number, Run, RunWise};

/// The figures of tables of the same two variants, one table for each point.
pub(crate) fn run_wise(tables: &[&RunWise], title: &str) -> Vec<Plot> {
    let places = places(tables);
    if places.is_empty() {
        return Vec::new();
    }
    let first = tables[0];
    let labels: Vec<String> = tables.iter().map(|table| label(table)).collect();
    let x = |title: &str| Axis::named(title, &labels);
    let names = [short(&first.base), short(&first.variant)];
    vec![
        times(&places, x("point, its runs side by side"), &names, title),
        speedups(&places, tables, x("point, its runs side by side"), title),
        uncertainties(&places, x("point, its runs side by side"), &names, title),
    ]
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
    let mut places = Vec::new();
    for (index, table) in tables.iter().enumerate() {
        let count = table.runs.len() as f64;
        for (k, run) in table.runs.iter().enumerate() {
            places.push((index as f64 + 0.8 * ((k as f64 + 0.5) / count - 0.5), run));
        }
    }
    places
}

fn span(at: f64, number: &Number) -> Span {
    Span {
        at,
        value: number.value,
        sigma: None,
        interval: number.u.map(|u| (number.value - u, number.value + u)),
    }
}

fn times(places: &[(f64, &Run)], x: Axis, names: &[String; 2], title: &str) -> Plot {
    let base: Vec<Span> =
        places.iter().map(|(at, run)| span(at - 0.02, &run.base.time_ns)).collect();
    let variant: Vec<Span> =
        places.iter().map(|(at, run)| span(at + 0.02, &run.variant.time_ns)).collect();
    let heights = base.iter().chain(&variant).map(|s| s.interval.map_or(s.value, |(_, high)| high));
    Plot {
        title: format!("Time by point and run: {title}"),
        caption: "Mean over the instances in each run; a bar is ± one standard uncertainty, from how much the instances \
                  differ. (The Value of Variance, figures 4, 6 and 8.)"
            .to_owned(),
        y: Axis::times("time", heights.collect::<Vec<_>>()),
        x,
        layers: vec![
            Layer::new(&names[0], Colour::Series(0), Marks::Spans(Along::Y, base)),
            Layer::new(&names[1], Colour::Series(1), Marks::Spans(Along::Y, variant)),
        ],
        height: 320,
    }
}

fn speedups(places: &[(f64, &Run)], tables: &[&RunWise], x: Axis, title: &str) -> Plot {
    let by_run: Vec<Span> = places.iter().map(|(at, run)| span(*at, &run.speedup)).collect();
    let over: Vec<[f64; 2]> = tables
        .iter()
        .enumerate()
        .filter_map(|(index, table)| Some([index as f64, table.over_runs?.value]))
        .collect();
    let ends = by_run.iter().flat_map(|s| {
        let (low, high) = s.interval.unwrap_or((s.value, s.value));
        [low, high]
    });
    let heights: Vec<f64> = ends.chain(over.iter().map(|point| point[1])).collect();
    Plot {
        title: format!("Adjusted speedup by point and run: {title}"),
        caption: "S = mean(base)/mean(variant) in each run; a bar is ± σ by (VoV 8) from standard uncertainties, without the \
                  pairing. Rings are S over all runs. (The Value of Variance, figures 5, 7 and 9.)"
            .to_owned(),
        y: Axis::ratios("speedup S", heights),
        x,
        layers: vec![
            Layer::new("no change", Colour::Muted, Marks::Rule(Along::Y, 1.0)),
            Layer::new("S of a run, ± σ", Colour::Series(3), Marks::Spans(Along::Y, by_run)),
            Layer::new("S over all runs", Colour::Series(1), Marks::Rings(over)),
        ],
        height: 300,
    }
}

fn uncertainties(places: &[(f64, &Run)], x: Axis, names: &[String; 2], title: &str) -> Plot {
    let of = |side: fn(&Run) -> Option<f64>| -> Vec<[f64; 2]> {
        places.iter().filter_map(|(at, run)| Some([*at, side(run)?])).collect()
    };
    let base = of(|run| run.base.rsu);
    let variant = of(|run| run.variant.rsu);
    let heights: Vec<f64> = base.iter().chain(&variant).map(|point| point[1]).collect();
    Plot {
        title: format!("Relative standard uncertainty by point and run: {title}"),
        caption: "σ/time of each run, from how much its instances differ; the axis begins at 0. (The Value of Variance, \
                  figures 10 to 12.)"
            .to_owned(),
        y: Axis::from_zero("RSU", heights),
        x,
        layers: vec![
            Layer::new(&names[0], Colour::Series(0), Marks::Rings(base)),
            Layer::new(&names[1], Colour::Series(1), Marks::Rings(variant)),
        ],
        height: 260,
    }
}
