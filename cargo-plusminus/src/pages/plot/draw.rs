//! A plot as SVG, by plotters.

use std::fmt::Display;

use plotters::{
    coord::{
        Shift,
        ranged1d::{DefaultFormatting, KeyPointHint, Ranged},
    },
    prelude::*,
    style::text_anchor::{HPos, Pos, VPos},
};

use super::{Along, COLOURS, Cell, Colour, Layer, Marks, Plot, Scale, Span, WIDTH, thin::thinned};
use crate::report::own::DRAWING;

/// Plotters counts in whole pixels. A plot has this many for each of its units, so that no pixel is seen.
const FINE: u32 = 4;

/// The size of texts.
const TEXT: u32 = 16 * FINE;

/// A drawing.
#[derive(Debug, Clone)]
pub(crate) struct Drawn {
    /// The whole document, in the colors of the light scheme.
    pub(crate) svg: String,
    /// Dots and rings in it.
    pub(crate) points: usize,
    /// Bars and rectangles of data in it.
    pub(crate) bars: usize,
}

/// An axis as plotters sees it: places between two ends, with ticks that we have chosen.
struct Ticked {
    low: f64,
    high: f64,
    ticks: Vec<f64>,
}

impl Ranged for Ticked {
    type FormatOption = DefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, (from, to): (i32, i32)) -> i32 {
        let share = (value - self.low) / (self.high - self.low);
        // Far outside is drawn as just outside: pixels are small numbers.
        let share = if share.is_finite() { share.clamp(-1.0, 2.0) } else { 0.0 };
        from + (f64::from(to - from) * share).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        if hint.weight().allow_light_points() { Vec::new() } else { self.ticks.clone() }
    }

    fn range(&self) -> std::ops::Range<f64> {
        self.low..self.high
    }
}

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Chart<'a> = ChartContext<'a, SVGBackend<'a>, Cartesian2d<Ticked, Ticked>>;
type Result<T> = std::result::Result<T, String>;

/// Draws a plot, with about `limit` dots of raw values at most.
pub(crate) fn draw(plot: &Plot, limit: usize) -> Result<Drawn> {
    let mut svg = String::new();
    let size = (WIDTH * FINE, plot.height * FINE);
    let area = SVGBackend::with_string(&mut svg, size).into_drawing_area();
    let (points, bars) = paint(plot, &area, limit)?;
    area.present().map_err(said)?;
    drop(area);
    Ok(Drawn { svg, points, bars })
}

/// The height of the title and of each line of the legend of a drawing by itself.
const LINE: u32 = 24 * FINE;

/// Draws a plot by itself: on a white ground, with its title and legend.
pub(crate) fn draw_alone(plot: &Plot, limit: usize) -> Result<String> {
    let legend: Vec<&Layer> = plot.layers.iter().filter(|layer| layer.in_legend).collect();
    let mut svg = String::new();
    let lines = wrapped(&plot.title);
    let above = LINE / 2 + LINE * lines.len() as u32;
    let height = plot.height * FINE + LINE * (legend.len() as u32 + 1) + above - LINE / 2;
    let area = SVGBackend::with_string(&mut svg, (WIDTH * FINE, height)).into_drawing_area();
    area.fill(&WHITE).map_err(said)?;
    let (title, rest) = area.split_vertically(above);
    let (chart, names) = rest.split_vertically(plot.height * FINE);
    let style = |c: Colour, size: u32| ("sans-serif", size).into_font().color(&colour(c));
    let edge = 12 * FINE as i32;
    for (index, text) in lines.iter().enumerate() {
        let top = edge + index as i32 * (LINE * 3 / 4) as i32;
        title.draw_text(text, &style(Colour::Ink, 13 * FINE), (edge, top)).map_err(said)?;
    }
    paint(plot, &chart, limit)?;
    for (index, layer) in legend.into_iter().enumerate() {
        let top = index as i32 * LINE as i32;
        let square = [(edge, top), (edge + 12 * FINE as i32, top + 12 * FINE as i32)];
        names.draw(&Rectangle::new(square, colour(layer.colour).filled())).map_err(said)?;
        let beside = (edge + 20 * FINE as i32, top);
        names.draw_text(&layer.name, &style(Colour::Muted, TEXT), beside).map_err(said)?;
    }
    area.present().map_err(said)?;
    drop((area, title, rest, chart, names));
    // As large on a screen as in a page.
    let size = format!("width=\"{}\" height=\"{height}\"", WIDTH * FINE);
    let own = format!("width=\"{WIDTH}\" height=\"{}\"", height / FINE);
    // Texts have an edge in the color of the ground: they stay legible across lines and in cells.
    let edged = format!(
        "<text paint-order=\"stroke\" stroke=\"#FFFFFF\" stroke-width=\"{}\" stroke-linejoin=\"round\"",
        3 * FINE
    );
    let sized = svg.replacen(&size, &own, 1).replacen('>', &format!(">\n{DRAWING}"), 1);
    Ok(sized.replace("<text", &edged))
}

/// Letters of a title that fit into the width of a drawing.
const TITLE: usize = 62;

/// A title in lines that fit, broken at blanks; a word that is too long is cut.
fn wrapped(title: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in title.split_whitespace() {
        let word = match word.chars().count() {
            count if count > TITLE => word.chars().take(TITLE - 1).chain(['…']).collect(),
            _ => word.to_owned(),
        };
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= TITLE => {
                line.push(' ');
                line.push_str(&word);
            }
            _ => lines.push(word),
        }
    }
    lines
}

/// Draws axes and layers; returns how many dots and bars there are.
fn paint(plot: &Plot, area: &Area<'_>, limit: usize) -> Result<(usize, usize)> {
    let (mut points, mut bars) = (0, 0);
    let mut chart = axes(plot, area)?;
    let raw: usize = plot.layers.iter().map(raw_points).sum();
    for layer in &plot.layers {
        // Each layer gets its part of what is allowed.
        let share = (limit * raw_points(layer)).checked_div(raw).unwrap_or(0);
        let (more_points, more_bars) = of_layer(&mut chart, plot, layer, share.max(3))?;
        points += more_points;
        bars += more_bars;
    }
    Ok((points, bars))
}

/// Returns the drawing as a part of a page: its colors are variables of the style, and elements of the page label it.
pub(crate) fn for_page(drawn: &Drawn, id: &str) -> String {
    let body = drawn.svg.split_once('>').map_or("", |(_, rest)| rest);
    let height = drawn.svg.split("height=\"").nth(1).and_then(|rest| rest.split('"').next());
    let (width, height) = (WIDTH * FINE, height.unwrap_or("0"));
    let mut body =
        body.replace(" opacity=\"1\"", "").replace(" stroke=\"none\" stroke-width=\"4\"", "");
    for ((r, g, b), name) in COLOURS {
        body =
            body.replace(&format!("=\"#{r:02X}{g:02X}{b:02X}\""), &format!("=\"var(--{name})\""));
    }
    format!(
        "<svg viewBox=\"0 0 {width} {height}\" role=\"img\" aria-labelledby=\"{id}-title\">{body}"
    )
}

fn said(error: impl Display) -> String {
    format!("a plot cannot be drawn: {error}")
}

fn raw_points(layer: &Layer) -> usize {
    if let Marks::Points(points) = &layer.marks { points.len() } else { 0 }
}

fn colour(colour: Colour) -> RGBColor {
    let (r, g, b) = colour.rgb();
    RGBColor(r, g, b)
}

/// The axes with their ticks and titles.
fn axes<'a>(plot: &Plot, area: &Area<'a>) -> Result<Chart<'a>> {
    let range = |axis: &super::Axis| {
        let ticks = axis.ticks.iter().map(|(at, _)| axis.place(*at)).collect();
        Ticked { low: axis.place(axis.low), high: axis.place(axis.high), ticks }
    };
    let longest = plot.y.ticks.iter().map(|(_, label)| label.chars().count()).max().unwrap_or(0);
    let beside = if plot.y.title.is_empty() { 8 } else { 26 + 8 * longest.max(1) as u32 };
    let mut chart = ChartBuilder::on(area)
        .margin(8 * FINE)
        .margin_right(16 * FINE)
        .set_label_area_size(LabelAreaPosition::Left, beside * FINE)
        .set_label_area_size(LabelAreaPosition::Bottom, 44 * FINE)
        .build_cartesian_2d(range(&plot.x), range(&plot.y))
        .map_err(said)?;
    let label = |axis: &super::Axis, place: f64| {
        let near = |(at, _): &&(f64, String)| {
            (axis.place(*at) - place).abs() < 1e-9 * place.abs().max(1e-3)
        };
        axis.ticks.iter().find(near).map_or(String::new(), |(_, label)| label.clone())
    };
    let text = |c: Colour| ("sans-serif", TEXT).into_font().color(&colour(c));
    chart
        .configure_mesh()
        .x_label_formatter(&|place| label(&plot.x, *place))
        .y_label_formatter(&|place| label(&plot.y, *place))
        .x_desc(&plot.x.title)
        .y_desc(&plot.y.title)
        .axis_desc_style(text(Colour::Ink))
        .label_style(text(Colour::Muted))
        .axis_style(colour(Colour::Muted).stroke_width(FINE))
        .bold_line_style(colour(Colour::Grid).stroke_width(FINE))
        .light_line_style(TRANSPARENT)
        .set_all_tick_mark_size(4 * FINE as i32)
        .draw()
        .map_err(said)?;
    Ok(chart)
}

/// Draws a layer; returns how many dots and how many bars it has.
fn of_layer(
    chart: &mut Chart<'_>,
    plot: &Plot,
    layer: &Layer,
    limit: usize,
) -> Result<(usize, usize)> {
    let ink = colour(layer.colour);
    let at = |x: f64, y: f64| (plot.x.place(x), plot.y.place(y));
    let line = |width: u32| ink.stroke_width(width);
    let mut drawn = (0, 0);
    match &layer.marks {
        Marks::Points(points) => {
            let points = thinned(points, limit);
            drawn.0 = points.len();
            let dot = |[x, y]: [f64; 2]| Circle::new(at(x, y), 2 * FINE, ink.mix(0.55).filled());
            chart.draw_series(points.into_iter().map(dot)).map_err(said)?;
        }
        Marks::Rings(points) => {
            drawn.0 = points.len();
            let ring = |[x, y]: &[f64; 2]| Circle::new(at(*x, *y), 4 * FINE, line(FINE * 3 / 2));
            chart.draw_series(points.iter().map(ring)).map_err(said)?;
        }
        Marks::Line(points) => {
            let path: Vec<(f64, f64)> = points.iter().map(|[x, y]| at(*x, *y)).collect();
            chart.draw_series([PathElement::new(path, line(FINE * 3 / 2))]).map_err(said)?;
        }
        Marks::Band(points) => {
            let low = points.iter().map(|[x, low, _]| at(*x, *low));
            let high = points.iter().rev().map(|[x, _, high]| at(*x, *high));
            let shape = Polygon::new(low.chain(high).collect::<Vec<_>>(), ink.mix(0.2).filled());
            chart.draw_series([shape]).map_err(said)?;
        }
        Marks::Strip(along, low, high) => {
            let (from, to) = match along {
                Along::X => (at(*low, plot.y.low), at(*high, plot.y.high)),
                Along::Y => (at(plot.x.low, *low), at(plot.x.high, *high)),
            };
            chart
                .draw_series([Rectangle::new([from, to], ink.mix(0.15).filled())])
                .map_err(said)?;
        }
        Marks::Rule(along, value) => {
            let ends = match along {
                Along::X => [at(*value, plot.y.low), at(*value, plot.y.high)],
                Along::Y => [at(plot.x.low, *value), at(plot.x.high, *value)],
            };
            chart.draw_series([PathElement::new(ends, line(FINE * 3 / 2))]).map_err(said)?;
        }
        Marks::Bars(bars) => {
            drawn.1 = bars.len();
            let bar = |[x, y]: &[f64; 2]| {
                Rectangle::new([at(0.0, y - 0.15), at(*x, y + 0.15)], ink.mix(0.8).filled())
            };
            chart.draw_series(bars.iter().map(bar)).map_err(said)?;
        }
        Marks::Spans(along, spans) => {
            drawn.0 = spans.len();
            of_spans(chart, plot, layer, *along, spans)?;
        }
        Marks::Cells(cells) => {
            drawn.1 = cells.len();
            of_cells(chart, plot, layer, cells)?;
        }
        Marks::Texts(texts) => {
            let style = ("sans-serif", TEXT).into_font().color(&ink);
            let word = |(x, y, text): &(f64, f64, String)| {
                let beside = (6 * FINE as i32, 0);
                EmptyElement::at(at(*x, *y)) + Text::new(text.clone(), beside, style.clone())
            };
            chart.draw_series(texts.iter().map(word)).map_err(said)?;
        }
    }
    Ok(drawn)
}

/// Values with a thick bar for ± σ, a thin line for the interval, and a dot.
fn of_spans(
    chart: &mut Chart<'_>,
    plot: &Plot,
    layer: &Layer,
    along: Along,
    spans: &[Span],
) -> Result<()> {
    let ink = colour(layer.colour);
    let at = |value: f64, other: f64| match along {
        Along::X => (plot.x.place(value), plot.y.place(other)),
        Along::Y => (plot.x.place(other), plot.y.place(value)),
    };
    // An end beyond the axis is drawn up to its end: the interval goes on.
    let inside = |value: f64| match along {
        Along::X => value.clamp(plot.x.low, plot.x.high),
        Along::Y => value.clamp(plot.y.low, plot.y.high),
    };
    for span in spans {
        for (range, width) in [(span.interval, FINE * 3 / 2), (span.sigma, FINE * 5)] {
            let Some((low, high)) = range else { continue };
            let ends = [at(inside(low), span.at), at(inside(high), span.at)];
            chart.draw_series([PathElement::new(ends, ink.stroke_width(width))]).map_err(said)?;
        }
        let dot = Circle::new(at(span.value, span.at), 4 * FINE, ink.filled());
        chart.draw_series([dot]).map_err(said)?;
    }
    Ok(())
}

/// The rectangles of a heat map: the stronger the color, the farther from 0 the shade.
fn of_cells(chart: &mut Chart<'_>, plot: &Plot, layer: &Layer, cells: &[Cell]) -> Result<()> {
    let (above, below) = (colour(layer.colour), colour(Colour::Series(1)));
    let at = |x: f64, y: f64| (plot.x.place(x), plot.y.place(y));
    for cell in cells {
        let ink = if cell.shade < 0.0 { below } else { above };
        let strength = 0.04 + 0.96 * cell.shade.abs().min(1.0);
        let corners = [at(cell.x.0, cell.y.0), at(cell.x.1, cell.y.1)];
        chart.draw_series([Rectangle::new(corners, ink.mix(strength).filled())]).map_err(said)?;
        if !cell.text.is_empty() {
            let style = ("sans-serif", TEXT)
                .into_font()
                .color(&colour(Colour::Ink))
                .pos(Pos::new(HPos::Center, VPos::Center));
            let middle = |(low, high): (f64, f64), scale: Scale| match scale {
                Scale::Linear => f64::midpoint(low, high),
                Scale::Log => (low * high).sqrt(),
            };
            let place = at(middle(cell.x, plot.x.scale), middle(cell.y, plot.y.scale));
            chart.draw_series([Text::new(cell.text, place, style)]).map_err(said)?;
        }
    }
    Ok(())
}
