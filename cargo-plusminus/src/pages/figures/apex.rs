//! Apex-MAP: the surface T(α, L), its lines, the residuals of each model, and Performance Complexity.

use plusminus::text::number::{significant, time};

use super::{
    super::plot::{Along, Axis, Cell, Colour, Layer, Marks, Plot, Span},
    BELOW, height_of_rows, short,
};
use crate::study::apex::{ApexModelOf, ApexRanking, ApexSweep};

/// The figures of one variant at one point.
pub(crate) fn sweep(sweep: &ApexSweep) -> Vec<Plot> {
    let name = format!("{}, {}", short(&sweep.variant), short(&sweep.point));
    let grid = Grid::of(sweep);
    let mut plots = vec![surface(sweep, &grid, &name), lines(sweep, &name)];
    let residuals = sweep.models.iter().map(|model| residuals(sweep, &grid, model, &name));
    plots.extend(residuals);
    plots.extend(coefficients(sweep, &name));
    plots
}

/// The values of α and L that were measured, in rising order.
struct Grid {
    alphas: Vec<f64>,
    lengths: Vec<f64>,
}

impl Grid {
    fn of(sweep: &ApexSweep) -> Self {
        let sorted = |mut values: Vec<f64>| {
            values.sort_by(f64::total_cmp);
            values.dedup();
            values
        };
        Self {
            alphas: sorted(sweep.configurations.iter().map(|c| c.alpha).collect()),
            lengths: sorted(sweep.configurations.iter().map(|c| c.block_words as f64).collect()),
        }
    }

    /// A heat map of values, in the order of the configurations, with their shades.
    fn plot(
        &self,
        sweep: &ApexSweep,
        values: impl Iterator<Item = (f64, f64)>,
    ) -> (Axis, Axis, Vec<Cell>) {
        let at = |list: &[f64], value: f64| list.partition_point(|other| *other < value) as f64;
        let around = |at: f64| (at - 0.5, at + 0.5);
        let cells = sweep.configurations.iter().zip(values).map(|(c, (value, shade))| Cell {
            x: around(at(&self.lengths, c.block_words as f64)),
            y: around(at(&self.alphas, c.alpha)),
            value,
            shade,
            text: "",
        });
        let labels = |list: &[f64]| list.iter().map(|v| significant(*v, 2)).collect::<Vec<_>>();
        let whole = |list: &[f64]| list.iter().map(|v| format!("{v}")).collect::<Vec<_>>();
        let x = Axis::named("L in words", &whole(&self.lengths));
        (x, Axis::named("α", &labels(&self.alphas)), cells.collect())
    }
}

fn surface(sweep: &ApexSweep, grid: &Grid, name: &str) -> Plot {
    let times = || sweep.configurations.iter().map(|c| c.access_ns);
    let (low, high) = (times().fold(f64::MAX, f64::min), times().fold(0.0, f64::max));
    let range = (high / low).ln();
    let shade = |t: f64| if range > 0.0 { (t / low).ln() / range } else { 0.5 };
    let (x, y, cells) = grid.plot(sweep, times().map(|t| (t, shade(t))));
    Plot {
        title: format!("T(α, L): {name}"),
        caption: format!(
            "Time of one access by temporal locality α (below is more reuse) and block length L. The palest cell is {}, the \
             darkest {}; shades are logarithmic. (Performance Complexity, figure 1.)",
            time(low),
            time(high)
        ),
        x,
        y,
        layers: vec![Layer::new("time of an access", Colour::Series(0), Marks::Cells(cells))],
        height: 320,
    }
}

fn lines(sweep: &ApexSweep, name: &str) -> Plot {
    let mut sorted: Vec<_> = sweep.configurations.iter().collect();
    sorted.sort_by(|a, b| {
        (a.alpha, a.block_words)
            .partial_cmp(&(b.alpha, b.block_words))
            .unwrap_or(std::cmp::Ordering::Equal)
    });
    let mut layers = Vec::new();
    for (index, line) in sorted.chunk_by(|a, b| a.alpha == b.alpha).enumerate() {
        let points: Vec<[f64; 2]> =
            line.iter().map(|c| [c.block_words as f64, c.access_ns]).collect();
        let alpha = format!("α = {}", significant(line[0].alpha, 2));
        let dots = Layer::new(
            format!("{alpha}, measured"),
            Colour::Series(index),
            Marks::Rings(points.clone()),
        );
        layers.push(dots.unnamed());
        layers.push(Layer::new(alpha, Colour::Series(index), Marks::Line(points)));
    }
    Plot {
        title: format!("T(α, L) as lines: {name}"),
        caption: "Time of one access over the block length, a line for each α; both scales are logarithmic. Colors repeat: \
                  from top to bottom α falls."
            .to_owned(),
        x: Axis::log("L in words", sorted.iter().map(|c| c.block_words as f64)),
        y: Axis::log("time of an access in ns", sorted.iter().map(|c| c.access_ns)),
        layers,
        height: 360,
    }
}

fn residuals(sweep: &ApexSweep, grid: &Grid, model: &ApexModelOf, name: &str) -> Plot {
    let reach = model.residuals.iter().map(|r| r.abs()).fold(0.01, f64::max);
    let (x, y, cells) = grid.plot(sweep, model.residuals.iter().map(|r| (*r, r / reach)));
    Plot {
        title: format!("Residuals of model {} ({}): {name}", model.model, model.name),
        caption: format!(
            "ln(measured/predicted) of each configuration: the strongest color is a factor of {:.2}. PC_a = {}. (Performance \
             Complexity, figures 4 and 8.)",
            reach.exp(),
            significant(model.pc.pc_a, 3)
        ),
        x,
        y,
        layers: vec![
            Layer::new("slower than predicted", Colour::Series(0), Marks::Cells(cells)),
            Layer::new("faster than predicted", Colour::Series(1), Marks::Cells(Vec::new())),
        ],
        height: 320,
    }
}

/// The coefficients of every model, such as latency and gap.
fn coefficients(sweep: &ApexSweep, name: &str) -> Option<Plot> {
    let all: Vec<(String, Span)> = sweep
        .models
        .iter()
        .flat_map(|model| model.coefficients.iter().map(move |c| (model, c)))
        .enumerate()
        .map(|(index, (model, coefficient))| {
            let number = &coefficient.number;
            let span = Span {
                at: -(index as f64),
                value: number.value,
                sigma: number.u.map(|u| (number.value - u, number.value + u)),
                interval: number.low_95.zip(number.high_95),
            };
            (
                format!(
                    "model {}, {}: {}",
                    model.model,
                    short(&coefficient.name),
                    time(number.value)
                ),
                span,
            )
        })
        .collect();
    if all.is_empty() {
        return None;
    }
    let ends = all.iter().map(|(_, span)| span.sigma.map_or(span.value, |(_, high)| high));
    let low = all
        .iter()
        .map(|(_, span)| span.sigma.map_or(span.value, |(low, _)| low))
        .fold(0.0, f64::min);
    let high = ends.fold(0.0, f64::max);
    let names = all.iter().map(|(name, span)| (1.05 * low, span.at + 0.5, name.clone())).collect();
    let spans = all.iter().map(|(_, span)| *span).collect();
    Some(Plot {
        title: format!("Fitted latencies and gaps: {name}"),
        caption: "Coefficients of the models in nanoseconds, with their standard uncertainty. (Performance Complexity, figures \
                  5 and 9.)"
            .to_owned(),
        x: Axis::between("ns", 1.05 * low, 1.05 * high),
        y: Axis::rows(all.len()),
        layers: vec![
            Layer::new("coefficient ± u", Colour::Series(0), Marks::Spans(Along::X, spans)),
            Layer::new("name", Colour::Ink, Marks::Texts(names)),
        ],
        height: height_of_rows(all.len()),
    })
}

/// Variants by Performance Complexity under one model.
pub(crate) fn ranking(ranking: &ApexRanking) -> Plot {
    let rows = || {
        // Below the row's name.
        let rows = ranking.variants.iter().enumerate();
        rows.map(|(index, one)| (-(index as f64) - BELOW, one))
    };
    let bars: Vec<[f64; 2]> = rows().map(|(at, one)| [one.pc_a.value, at]).collect();
    let spans = rows().map(|(at, one)| Span {
        at,
        value: one.pc_a.value,
        sigma: None,
        interval: one.pc_a.u.map(|u| (one.pc_a.value - u, one.pc_a.value + u)),
    });
    let spans: Vec<Span> = spans.collect();
    let names = rows().map(|(at, one)| {
        let text = format!("{}: {}", short(&one.variant), significant(one.pc_a.value, 3));
        (0.0, at + BELOW + 0.5, text)
    });
    let ends: Vec<f64> =
        spans.iter().map(|s| s.interval.map_or(s.value, |(_, high)| high)).collect();
    Plot {
        title: format!("Performance Complexity, model {}: {}", ranking.model, short(&ranking.point)),
        caption: "PC_a of each variant; a thin line is ± σ over resampled configurations. Lower is more transparent. \
                  (Performance Complexity, figures 2, 3, 6 and 7.)"
            .to_owned(),
        x: Axis::from_zero("PC_a", ends),
        y: Axis::rows(ranking.variants.len()),
        layers: vec![
            Layer::new("PC_a", Colour::Series(3), Marks::Bars(bars)),
            Layer::new("PC_a ± σ", Colour::Ink, Marks::Spans(Along::X, spans)),
            Layer::new("name", Colour::Ink, Marks::Texts(names.collect())),
        ],
        height: height_of_rows(ranking.variants.len()),
    }
}
