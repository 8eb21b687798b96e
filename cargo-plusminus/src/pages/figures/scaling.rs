//! Times, speedups, efficiencies and overheads over n or p, of all variants of a sweep.

use super::{
    super::plot::{Along, Axis, Colour, Layer, Marks, Plot, SERIES, Span, shown},
    short,
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
            plots.extend(speedups(lines, title));
            plots.extend(efficiencies(lines, title));
            plots.extend(overheads(lines, title));
        }
    }
    plots
}

/// Lines that are drawn together: all of them, or those of each variant if they exceed the number of colors.
fn panels<'a>(lines: Vec<Line<'a>>, title: &str) -> Vec<(Vec<Line<'a>>, String)> {
    if lines.len() <= SERIES {
        return vec![(lines, title.to_owned())];
    }
    let mut panels: Vec<(Vec<Line<'a>>, String)> = Vec::new();
    for mut line in lines {
        let same = |(own, _): &&mut (Vec<Line<'a>>, String)| own[0].variant == line.variant;
        let part = panels.iter_mut().filter(same).count();
        let open = panels.last_mut().filter(same).filter(|(own, _)| own.len() < SERIES);
        line.colour = Colour::Series(open.as_ref().map_or(0, |(own, _)| own.len()));
        match open {
            Some((own, _)) => own.push(line),
            None if part == 0 => panels.push((vec![line.clone()], line.variant)),
            None => {
                let title = format!("{}, part {}", line.variant, part + 1);
                panels.push((vec![line], title));
            }
        }
    }
    panels
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

/// Returns a number of the study as a mark: its value, its σ and its interval.
pub fn span(at: f64, number: &Number) -> Span {
    Span {
        at,
        value: number.value,
        sigma: number.u.map(|u| (number.value - u, number.value + u)),
        interval: number.low_95.zip(number.high_95),
    }
}

fn x_axis(lines: &[Line<'_>], by_size: bool) -> Axis {
    let values = lines.iter().flat_map(|line| line.rows.iter().map(|(x, _)| *x));
    if by_size {
        return Axis::log("n, logarithmic scale", values);
    }
    let high = values.fold(1.0, f64::max);
    Axis::processors(high)
}

/// Times, with the means of the runs and the best model.
fn times(lines: &[Line<'_>], by_size: bool, title: &str) -> Plot {
    let mut layers = Vec::new();
    let mut heights = Vec::new();
    let mut models = Vec::new();
    for line in lines {
        let spans: Vec<Span> = line.rows.iter().map(|(x, row)| span(*x, &row.time_ns)).collect();
        let runs = line.rows.iter().flat_map(|(x, row)| row.run_means_ns.iter().map(|t| [*x, *t]));
        let runs: Vec<[f64; 2]> = runs.collect();
        heights.extend(runs.iter().map(|run| run[1]));
        heights.extend(spans.iter().flat_map(Span::ends));
        let path = match &line.predicted {
            Some((model, times)) => {
                models.push(format!("{}: {model}", line.name));
                line.rows.iter().zip(times).map(|((x, _), t)| [*x, *t]).collect()
            }
            None => line.rows.iter().map(|(x, row)| [*x, row.time_ns.value]).collect(),
        };
        layers.push(
            Layer::new(format!("{}, line", line.name), line.colour, Marks::Line(path)).unnamed(),
        );
        let name = format!("{}, mean of a run", line.name);
        layers.push(Layer::new(name, Colour::Muted, Marks::Points(runs)).unnamed());
        layers.push(Layer::new(&line.name, line.colour, Marks::Spans(Along::Y, spans)));
    }
    let models = if models.is_empty() {
        "Lines join the values.".to_owned()
    } else {
        format!(
            "Lines are what the best model says ({}); others join the values.",
            models.join("; ")
        )
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

/// Layers of one number of each row over p.
struct OverProcessors {
    layers: Vec<Layer>,
    heights: Vec<f64>,
    /// Intervals that go on beyond the axis.
    beyond: usize,
}

impl OverProcessors {
    /// Sets a caption, with a note on what is missing.
    fn caption(&self, caption: &str) -> String {
        match self.beyond {
            0 => caption.to_owned(),
            1 => {
                format!("{caption} One interval goes on beyond the axis: its ends are in the data.")
            }
            more => {
                format!(
                    "{caption} {more} intervals go on beyond the axis: their ends are in the data."
                )
            }
        }
    }
}

/// One number of each row over p, but of the sequential reference; `None` where no row has it.
fn over_processors(
    lines: &[Line<'_>],
    of: impl Fn(&ScalingRow) -> Option<Number>,
) -> Option<OverProcessors> {
    let (mut layers, mut heights, mut beyond) = (Vec::new(), Vec::new(), 0);
    for line in lines.iter().filter(|line| !line.is_reference) {
        let known: Vec<(f64, Number)> =
            line.rows.iter().filter_map(|(x, row)| Some((*x, of(row)?))).collect();
        if known.is_empty() {
            continue;
        }
        let spans: Vec<Span> = known.iter().map(|(x, number)| span(*x, number)).collect();
        let (ends, more) = shown(&spans);
        heights.extend(ends);
        beyond += more;
        let path = known.iter().map(|(x, number)| [*x, number.value]).collect();
        layers.push(
            Layer::new(format!("{}, line", line.name), line.colour, Marks::Line(path)).unnamed(),
        );
        layers.push(Layer::new(&line.name, line.colour, Marks::Spans(Along::Y, spans)));
    }
    (!layers.is_empty()).then_some(OverProcessors { layers, heights, beyond })
}

fn speedups(lines: &[Line<'_>], title: &str) -> Vec<Plot> {
    type Of = fn(&ScalingRow) -> Option<Number>;
    let kinds: [(&str, &str, Of); 3] = [
        ("Real speedups", "over the fastest variant on one processor", |row| row.speedup_real),
        ("Relative speedups", "over the same variant on one processor", |row| row.speedup_relative),
        ("Scaled speedups", "work per time over that of the first row", |row| row.speedup_scaled),
    ];
    let mut plots = Vec::new();
    for (name, what, of) in kinds {
        let Some(mut own) = over_processors(lines, of) else { continue };
        let x = x_axis(lines, false);
        let ideal = vec![[1.0, 1.0], [x.high - 0.5, x.high - 0.5]];
        own.heights.push(x.high - 0.5);
        own.layers.insert(0, Layer::new("S = p", Colour::Muted, Marks::Line(ideal)));
        plots.push(Plot {
            title: format!("{name}: {title}"),
            caption: own.caption(&format!(
                "S {what}, with σ (thick) and 95 % interval (thin). Both axes are linear."
            )),
            x,
            y: Axis::from_zero("speedup S", own.heights),
            layers: own.layers,
            height: 320,
        });
    }
    plots
}

fn efficiencies(lines: &[Line<'_>], title: &str) -> Option<Plot> {
    let mut own = over_processors(lines, |row| row.efficiency)?;
    own.heights.push(1.0);
    own.layers.insert(0, Layer::new("E = 1", Colour::Muted, Marks::Rule(Along::Y, 1.0)));
    Some(Plot {
        title: format!("Efficiencies: {title}"),
        caption: own.caption("E = S/p, never cut off at 1; the axis begins at 0."),
        x: x_axis(lines, false),
        y: Axis::from_zero("efficiency E", own.heights),
        layers: own.layers,
        height: 280,
    })
}

fn overheads(lines: &[Line<'_>], title: &str) -> Option<Plot> {
    let in_ms = |number: Number| Number {
        value: number.value / 1e6,
        u: number.u.map(|u| u / 1e6),
        low_95: number.low_95.map(|low| low / 1e6),
        high_95: number.high_95.map(|high| high / 1e6),
        ..number
    };
    let mut own = over_processors(lines, |row| row.overhead_ns.map(in_ms))?;
    let low = own.heights.iter().copied().fold(0.0, f64::min);
    let high = own.heights.iter().copied().fold(0.0, f64::max);
    own.layers.insert(0, Layer::new("T_o = 0", Colour::Muted, Marks::Rule(Along::Y, 0.0)));
    Some(Plot {
        title: format!("Overheads: {title}"),
        caption: own
            .caption("T_o = p·T − ω, in milliseconds: below 0 where the speedup is more than p."),
        x: x_axis(lines, false),
        y: Axis::between("overhead in ms", 1.05 * low, 1.05 * high),
        layers: own.layers,
        height: 280,
    })
}
