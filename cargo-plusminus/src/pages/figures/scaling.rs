//! Times, speedups, efficiencies and overheads over n or p, of all variants of a sweep.

use super::{
    super::plot::{Along, Axis, Colour, Layer, Marks, Plot, SERIES, Span, shown},
    short, span,
};
use crate::study::document::{Number, ScalingRow, Series, Sweep};

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
        plots.push(times(lines, by_size, title));
        if !by_size {
            plots.extend(KINDS.iter().filter_map(|kind| over_processors(lines, kind, title)));
        }
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
    /// Whether it is the sequential reference of speedups.
    is_reference: bool,
    /// The prediction of the best model.
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

fn x_axis(lines: &[Line<'_>], by_size: bool) -> Axis {
    let values = lines.iter().flat_map(|line| line.rows.iter().map(|(x, _)| *x));
    match by_size {
        true => Axis::log("n, logarithmic scale", values),
        false => Axis::processors(values.fold(1.0, f64::max)),
    }
}

/// A line with its spans, which the legend names.
fn of_line(line: &Line<'_>, path: Vec<[f64; 2]>, spans: Vec<Span>) -> [Layer; 2] {
    let name = format!("{}, line", line.name);
    [
        Layer::new(name, line.colour, Marks::Line(path)).unnamed(),
        Layer::new(&line.name, line.colour, Marks::Spans(Along::Y, spans)),
    ]
}

/// Times, with the means of the runs and the best model.
fn times(lines: &[Line<'_>], by_size: bool, title: &str) -> Plot {
    let (mut layers, mut heights, mut models) = (Vec::new(), Vec::new(), Vec::new());
    for line in lines {
        let spans: Vec<Span> = line.rows.iter().map(|(x, row)| span(*x, &row.time_ns)).collect();
        let runs = line.rows.iter().flat_map(|(x, row)| row.run_means_ns.iter().map(|t| [*x, *t]));
        let runs: Vec<[f64; 2]> = runs.collect();
        heights.extend(runs.iter().map(|run| run[1]).chain(spans.iter().flat_map(Span::ends)));
        let path = match &line.predicted {
            Some((model, times)) => {
                models.push(format!("{}: {model}", line.name));
                line.rows.iter().zip(times).map(|((x, _), t)| [*x, *t]).collect()
            }
            None => spans.iter().map(|span| [span.at, span.value]).collect(),
        };
        let [path, spans] = of_line(line, path, spans);
        let name = format!("{}, mean of a run", line.name);
        let runs = Layer::new(name, Colour::Muted, Marks::Points(runs)).unnamed();
        layers.extend([path, runs, spans]);
    }
    let models = match models.is_empty() {
        true => "Lines join the values.".to_owned(),
        false => format!(
            "Lines are what the best model says ({}); others join the values.",
            models.join("; ")
        ),
    };
    Plot {
        title: format!("Times: {title}"),
        caption: format!(
            "Time with σ (thick) and 95 % interval (thin); gray dots are the means of runs. {models}"
        ),
        x: x_axis(lines, by_size),
        y: Axis::times("time", heights),
        layers,
        height: 320,
    }
}

/// A number of each row over p.
struct Kind {
    name: &'static str,
    caption: &'static str,
    of: fn(&ScalingRow) -> Option<Number>,
    axis: &'static str,
    /// What it is compared with: a value, or p itself.
    ideal: (&'static str, Option<f64>),
}

const KINDS: [Kind; 5] = [
    Kind {
        name: "Real speedups",
        caption: "S over the fastest variant on one processor, with σ (thick) and 95 % interval (thin). Both axes are linear.",
        of: |row| row.speedup_real,
        axis: "speedup S",
        ideal: ("S = p", None),
    },
    Kind {
        name: "Relative speedups",
        caption: "S over the same variant on one processor, with σ (thick) and 95 % interval (thin). Both axes are linear.",
        of: |row| row.speedup_relative,
        axis: "speedup S",
        ideal: ("S = p", None),
    },
    Kind {
        name: "Scaled speedups",
        caption: "S: work per time over that of the first row, with σ (thick) and 95 % interval (thin). Both axes are linear.",
        of: |row| row.speedup_scaled,
        axis: "speedup S",
        ideal: ("S = p", None),
    },
    Kind {
        name: "Efficiencies",
        caption: "E = S/p, never cut off at 1; the axis begins at 0.",
        of: |row| row.efficiency,
        axis: "efficiency E",
        ideal: ("E = 1", Some(1.0)),
    },
    Kind {
        name: "Overheads",
        caption: "T_o = p·T − ω, in milliseconds: below 0 where the speedup is more than p.",
        of: |row| row.overhead_ns.map(in_ms),
        axis: "overhead in ms",
        ideal: ("T_o = 0", Some(0.0)),
    },
];

fn in_ms(number: Number) -> Number {
    let [u, low_95, high_95] =
        [number.u, number.low_95, number.high_95].map(|ns| ns.map(|ns| ns / 1e6));
    Number { value: number.value / 1e6, u, low_95, high_95, ..number }
}

/// One number of each row over p, but of the sequential reference; `None` where no row has it.
fn over_processors(lines: &[Line<'_>], kind: &Kind, title: &str) -> Option<Plot> {
    let x = x_axis(lines, false);
    let most = x.high - 0.5;
    let (name, ideal) = kind.ideal;
    let mark = match ideal {
        Some(ideal) => Marks::Rule(Along::Y, ideal),
        None => Marks::Line(vec![[1.0, 1.0], [most, most]]),
    };
    let mut layers = vec![Layer::new(name, Colour::Muted, mark)];
    let (mut heights, mut beyond) = (vec![ideal.unwrap_or(most)], 0);
    for line in lines.iter().filter(|line| !line.is_reference) {
        let known = line.rows.iter().filter_map(|(x, row)| Some(span(*x, &(kind.of)(row)?)));
        let spans: Vec<Span> = known.collect();
        if spans.is_empty() {
            continue;
        }
        let (ends, more) = shown(&spans);
        heights.extend(ends);
        beyond += more;
        let path = spans.iter().map(|span| [span.at, span.value]).collect();
        layers.extend(of_line(line, path, spans));
    }
    let beyond = match beyond {
        0 => "",
        _ => " Intervals that go on beyond the axis have their ends in the data.",
    };
    let low = heights.iter().copied().fold(0.0, f64::min);
    let high = heights.iter().copied().fold(0.0, f64::max);
    (layers.len() > 1).then(|| Plot {
        title: format!("{}: {title}", kind.name),
        caption: format!("{}{beyond}", kind.caption),
        x,
        y: match low < 0.0 {
            true => Axis::between(kind.axis, 1.05 * low, 1.05 * high),
            false => Axis::from_zero(kind.axis, heights),
        },
        layers,
        height: 300,
    })
}
