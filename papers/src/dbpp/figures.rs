//! The table and the figures of the example: figure 3.9, and strips over processors.

use plusminus::text::number::{time, time_with_uncertainty};

use super::{
    super::beside::{doubling, signed_percent},
    example::{LEVELS, Measured, Messages, PerPoint, Source, off, predicted, side},
};
use cargo_plusminus::{
    pages::{
        Table,
        plot::{Along, Axis, Colour, Layer, Marks, Plot, Span},
        plots::span,
    },
    study::document::{Number, ScalingRow},
};

/// Processors that the model is drawn to, beyond the measured ones.
pub(super) const MOST: usize = 32;

pub(super) fn table(rows: &[&ScalingRow], simple: PerPoint, scaled: PerPoint) -> Table {
    let cell = |row: &ScalingRow, fit: PerPoint| {
        format!(
            "{} ({})",
            time(fit.value * row.n.unwrap_or(f64::NAN)),
            signed_percent(off(row, fit))
        )
    };
    Table {
        caption:
            "Times of a step: measured, and as the fits say (in brackets how far off), as table 3.3"
                .to_owned(),
        titles: ["N", "measured", "simple", "scaled"].map(str::to_owned).to_vec(),
        rows: rows
            .iter()
            .map(|row| {
                let Number { value, u, .. } = row.time_ns;
                vec![
                    side(row).to_string(),
                    time_with_uncertainty(value, u),
                    cell(row, simple),
                    cell(row, scaled),
                ]
            })
            .collect(),
    }
}

/// Times over N with both fits, on logarithmic axes as in the document.
pub(super) fn figure_3_9(rows: &[&ScalingRow], simple: PerPoint, scaled: PerPoint) -> Plot {
    let sides: Vec<f64> = rows.iter().map(|row| side(row)).collect();
    let line = |fit: PerPoint| sides.iter().map(|n| [*n, fit.value * n * n * LEVELS]).collect();
    let band = |fit: PerPoint| {
        let ends = |n: &f64| {
            let points = n * n * LEVELS;
            [*n, (fit.value - fit.u).max(0.0) * points, (fit.value + fit.u) * points]
        };
        sides.iter().map(ends).collect()
    };
    let runs: Vec<[f64; 2]> = rows
        .iter()
        .flat_map(|row| row.run_means_ns.iter().map(|time| [side(row), *time]))
        .collect();
    let spans: Vec<Span> = rows.iter().map(|row| span(side(row), &row.time_ns)).collect();
    let heights: Vec<f64> =
        runs.iter().map(|run| run[1]).chain(spans.iter().flat_map(Span::ends)).collect();
    Plot {
        title: "Simple and scaled fits of t_c·N²·Z to times of a step".to_owned(),
        caption: "As figure 3.9: both axes are logarithmic. Gray dots are the means of runs; bands are how far the standard uncertainty of \
                  the times moves a fit."
            .to_owned(),
        x: doubling("N, logarithmic scale", sides.iter().copied()),
        y: Axis::times("time of a step", heights),
        layers: vec![
            Layer::new("simple, band", Colour::Series(1), Marks::Band(band(simple))).unnamed(),
            Layer::new("scaled, band", Colour::Series(2), Marks::Band(band(scaled))).unnamed(),
            Layer::new("simple fit", Colour::Series(1), Marks::Line(line(simple))),
            Layer::new("scaled fit", Colour::Series(2), Marks::Line(line(scaled))),
            Layer::new("mean of a run", Colour::Muted, Marks::Points(runs)).unnamed(),
            Layer::new("measured", Colour::Series(0), Marks::Spans(Along::Y, spans)),
        ],
        height: 320,
    }
}

/// Times and efficiencies over P, by the model and as measured.
pub(super) fn model_plots(
    measured: &Measured<'_>,
    scaled: PerPoint,
    messages: &Messages,
) -> Vec<Plot> {
    let most = measured.strips.iter().map(|row| row.p).fold(MOST, usize::max);
    let places: Vec<usize> = (1..=most).collect();
    let reached = measured.strips.iter().map(|row| row.p).max().unwrap_or(1);
    let mut sides: Vec<f64> = measured.strips.iter().map(|row| side(row)).collect();
    sides.sort_by(f64::total_cmp);
    sides.dedup();
    let (mut times, mut efficiencies) = (Vec::new(), Vec::new());
    let (mut time_heights, mut efficiency_heights) = (Vec::new(), vec![1.0]);
    for (index, n) in sides.iter().enumerate() {
        let colour = Colour::Series(index);
        let whole = scaled.value * n * n * LEVELS;
        let said = |p: &usize| (*p as f64, predicted(*n, *p, scaled, messages));
        let line: Vec<[f64; 2]> = places
            .iter()
            .map(said)
            .filter(|(_, time)| *time > 0.0)
            .map(|(p, time)| [p, time])
            .collect();
        let efficiency: Vec<[f64; 2]> =
            line.iter().map(|[p, time]| [*p, whole / (p * time)]).collect();
        let own = || measured.strips.iter().filter(|row| side(row) == *n);
        let spans: Vec<Span> = own().map(|row| span(row.p as f64, &row.time_ns)).collect();
        let of_efficiency: Vec<Span> =
            own().filter_map(|row| Some(span(row.p as f64, row.efficiency.as_ref()?))).collect();
        time_heights
            .extend(line.iter().map(|[_, time]| *time).chain(spans.iter().flat_map(Span::ends)));
        efficiency_heights.extend(efficiency.iter().map(|[_, e]| *e));
        efficiency_heights.extend(of_efficiency.iter().flat_map(Span::ends));
        times.push(Layer::new(format!("N = {n}, model"), colour, Marks::Line(line)).unnamed());
        times.push(Layer::new(format!("N = {n}"), colour, Marks::Spans(Along::Y, spans)));
        efficiencies
            .push(Layer::new(format!("N = {n}, model"), colour, Marks::Line(efficiency)).unnamed());
        efficiencies.push(Layer::new(
            format!("N = {n}"),
            colour,
            Marks::Spans(Along::Y, of_efficiency),
        ));
    }
    let source = match messages.source {
        Source::RoundTrips => "round trips between two threads",
        Source::Strips => "what strips take beyond their share of the work",
    };
    let caption = format!(
        "Lines are the model with t_c by the scaled fit and t_s and t_w by {source}; spans were measured, on up to P = {reached}. Right of \
         it the lines are what the model says of processors that are not there."
    );
    let x = || doubling("processors P, logarithmic scale", [1.0, most as f64]);
    vec![
        Plot {
            title: "Times of strips over P".to_owned(),
            caption: caption.clone(),
            x: x(),
            y: Axis::times("time of a step", time_heights),
            layers: times,
            height: 320,
        },
        Plot {
            title: "Efficiencies of strips over P".to_owned(),
            caption: format!(
                "{caption} E = t_c·N²·Z/(P·T); of measured times against the whole grid on one processor."
            ),
            x: x(),
            y: Axis::from_zero("efficiency E", efficiency_heights),
            layers: efficiencies,
            height: 320,
        },
    ]
}
