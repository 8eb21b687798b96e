//! Times and speedups over n or p, of all variants of a sweep.

use super::{
    super::plot::{Along, Axis, Colour, Layer, Marks, Plot, SERIES, Span},
    short, span,
};
use crate::study::document::{Number, ScalingRow, Series, Sweep};

/// How many times as high as values and their σ an axis is drawn for the sake of an interval.
const REACH: f64 = 4.0;

/// The figures of the series that belong to one sweep of a problem.
pub(crate) fn scaling(series: &[&Series], title: &str) -> Vec<Plot> {
    let Some(first) = series.first() else { return Vec::new() };
    let by_size = match first.scaling.sweep {
        Sweep::Sizes => true,
        Sweep::Strong | Sweep::Weak | Sweep::Grid => false,
        // Lines need an order, which these have not.
        Sweep::Point | Sweep::Irregular | Sweep::Points => return Vec::new(),
    };
    let mut plots = Vec::new();
    for (lines, title) in &panels(lines(series, by_size), title) {
        let values = || lines.iter().flat_map(|line| line.rows.iter().map(|(x, _)| *x));
        let most = values().fold(1.0, f64::max);
        let processors = || Axis::between("processors p", 0.5, most + 0.5);
        if by_size {
            plots.push(times(lines, Axis::log("n, logarithmic scale", values()), title));
            continue;
        }
        plots.push(times(lines, processors(), title));
        let of = |kind| over_processors(lines, processors(), kind, title);
        plots.extend(KINDS.iter().filter_map(of));
    }
    plots
}

/// Lines that are drawn together: all of them, or those of each variant if they exceed the number of colors.
fn panels<'a>(lines: Vec<Line<'a>>, title: &str) -> Vec<(Vec<Line<'a>>, String)> {
    if lines.len() <= SERIES {
        return vec![(lines, title.to_owned())];
    }
    let variants = lines.chunk_by(|a, b| a.variant == b.variant);
    let parts = variants.flat_map(|own| own.chunks(SERIES).enumerate());
    let panel = |(part, own): (usize, &[Line<'a>])| {
        let more = if part > 0 { format!(", part {}", part + 1) } else { String::new() };
        let coloured = own.iter().enumerate().map(|(index, line)| {
            let colour = Colour::Series(index);
            Line { colour, ..line.clone() }
        });
        (coloured.collect(), format!("{}{more}", own[0].variant))
    };
    parts.map(panel).collect()
}

/// A variant at one n over p, or at one p over n, in order.
#[derive(Clone)]
struct Line<'a> {
    /// The variant, which is the title of a panel of its own.
    variant: String,
    name: String,
    colour: Colour,
    rows: Vec<(f64, &'a ScalingRow)>,
    is_reference: bool,
    predicted: Option<(&'static str, Vec<f64>)>,
}

fn lines<'a>(series: &[&'a Series], by_size: bool) -> Vec<Line<'a>> {
    let mut lines = Vec::new();
    for one in series {
        let grid = one.scaling.sweep == Sweep::Grid;
        let same = |a: &ScalingRow, b: &ScalingRow| !grid || a.n == b.n;
        for rows in one.scaling.rows.chunk_by(same) {
            let x = |row: &ScalingRow| if by_size { row.n } else { Some(row.p as f64) };
            let at = match rows[0].n.filter(|_| grid) {
                Some(n) => format!(", n = {n}"),
                None => String::new(),
            };
            lines.push(Line {
                variant: short(&one.variant),
                name: format!("{}{at}", short(&one.variant)),
                colour: Colour::Series(lines.len()),
                rows: rows.iter().filter_map(|row| Some((x(row)?, row))).collect(),
                is_reference: one.scaling.is_reference,
                predicted: predicted(one, rows, grid),
            });
        }
    }
    lines
}

/// Returns the prediction of the best model of a whole series at its rows: measured/exp(residual).
fn predicted(series: &Series, rows: &[ScalingRow], grid: bool) -> Option<(&'static str, Vec<f64>)> {
    let best = series.models.first().filter(|_| !grid)?.models.first()?;
    let whole = best.residuals.len() == rows.len();
    let times = rows.iter().zip(&best.residuals).map(|(row, r)| row.time_ns.value / r.exp());
    whole.then(|| (best.model, times.collect()))
}

/// A speedup of each row: its name, what it is over, and its value. Efficiency is its share of the line S = p.
type Kind = (&'static str, &'static str, fn(&ScalingRow) -> Option<Number>);

const KINDS: [Kind; 3] = [
    ("Real", "the fastest variant on one processor", |row| row.speedup_real),
    ("Relative", "the same variant on one processor", |row| row.speedup_relative),
    ("Scaled", "the first row, as work per time", |row| row.speedup_scaled),
];

/// Describes how every value is drawn.
const SPANS: &str = "with σ (thick) and 95 % interval (thin)";

/// A line with its spans, which the legend names.
fn of_line(line: &Line<'_>, path: Vec<[f64; 2]>, spans: Vec<Span>) -> [Layer; 2] {
    let name = format!("{}, line", line.name);
    [
        Layer::new(name, line.colour, Marks::Line(path)).unnamed(),
        Layer::new(&line.name, line.colour, Marks::Spans(Along::Y, spans)),
    ]
}

fn joined(spans: &[Span]) -> Vec<[f64; 2]> {
    spans.iter().map(|span| [span.at, span.value]).collect()
}

/// Times, with the means of the runs and the best model.
fn times(lines: &[Line<'_>], x: Axis, title: &str) -> Plot {
    let (mut layers, mut heights, mut models) = (Vec::new(), Vec::new(), String::new());
    for line in lines {
        let spans: Vec<Span> = line.rows.iter().map(|(x, row)| span(*x, &row.time_ns)).collect();
        let runs = line.rows.iter().flat_map(|(x, row)| row.run_means_ns.iter().map(|t| [*x, *t]));
        let runs: Vec<[f64; 2]> = runs.collect();
        heights.extend(runs.iter().map(|run| run[1]).chain(spans.iter().flat_map(Span::ends)));
        let path = line.predicted.as_ref().map_or_else(
            || joined(&spans),
            |(model, times)| {
                models.push_str(&format!(" The line of {} is model {model}.", line.name));
                line.rows.iter().zip(times).map(|((x, _), time)| [*x, *time]).collect()
            },
        );
        let [path, spans] = of_line(line, path, spans);
        let name = format!("{}, mean of a run", line.name);
        let runs = Layer::new(name, Colour::Muted, Marks::Points(runs)).unnamed();
        layers.extend([path, runs, spans]);
    }
    let (title, y) = (format!("Times: {title}"), Axis::times("time", heights));
    let caption =
        format!("Time {SPANS}. Gray dots are the means of runs. Lines join the values.{models}");
    Plot { title, caption, x, y, layers, height: 320 }
}

/// A speedup of each row over p, but of the sequential reference; `None` where no row has it.
fn over_processors(
    lines: &[Line<'_>],
    x: Axis,
    (name, base, of): &Kind,
    title: &str,
) -> Option<Plot> {
    let most = x.high - 0.5;
    let ideal = Marks::Line(vec![[1.0, 1.0], [most, most]]);
    let mut layers = vec![Layer::new("S = p", Colour::Muted, ideal)];
    let (mut heights, mut intervals) = (vec![most], Vec::new());
    for line in lines.iter().filter(|line| !line.is_reference) {
        let known = line.rows.iter().filter_map(|(x, row)| Some(span(*x, &of(row)?)));
        let spans: Vec<Span> = known.collect();
        heights.extend(spans.iter().flat_map(|one| Span { interval: None, ..*one }.ends()));
        intervals.extend(spans.iter().flat_map(Span::ends));
        if !spans.is_empty() {
            layers.extend(of_line(line, joined(&spans), spans));
        }
    }
    let far = REACH * heights.iter().copied().fold(0.0, f64::max);
    heights.extend(intervals.into_iter().filter(|end| *end <= far));
    (layers.len() > 1).then(|| Plot {
        title: format!("{name} speedups: {title}"),
        caption: format!(
            "S over {base}, {SPANS}. An interval that goes on beyond the axis has its ends in the data."
        ),
        x,
        y: Axis::from_zero("speedup S", heights),
        layers,
        height: 300,
    })
}
