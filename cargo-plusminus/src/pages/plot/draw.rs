//! A plot as SVG: one group for each layer in the color of its class, so that pages and files share drawings.

use std::fmt::Write;

use super::{Along, Axis, Cell, Colour, Layer, Marks, POINTS_OF_FIGURE, Plot, Span, WIDTH};
use crate::{pages::html::escaped, report::own::DRAWING};

/// The colors of pages and drawings, light and dark.
pub(crate) const COLORS: &str = include_str!("../templates/colors.css");

/// The size of texts, in the units of a plot.
const TEXT: f64 = 16.0;

/// The height of a line of text.
const LINE: f64 = 19.0;

/// Heights by which a text may move to a free place.
const SHIFTS: [f64; 5] = [0.0, -LINE, LINE, -2.0 * LINE, 2.0 * LINE];

/// How shapes are drawn that have no ground.
const STROKE: &str = "fill=\"none\" stroke=\"currentColor\" stroke-width=\"1.5\"";

/// The area between the axes, by its left, upper, right and lower end.
#[derive(Clone, Copy)]
struct Frame<'a> {
    plot: &'a Plot,
    ends: [f64; 4],
}

struct Drawing<'a> {
    frame: Frame<'a>,
    /// The content of the element `svg`, whose view has the size of the plot.
    svg: String,
    /// The boxes of texts.
    taken: Vec<[f64; 4]>,
}

/// Draws a plot, with about `limit` dots of raw values in each layer at most.
pub(crate) fn draw(plot: &Plot, limit: usize) -> String {
    let longest = plot.y.ticks.iter().map(|(_, label)| width(label)).fold(0.0, f64::max);
    let left = if longest > 0.0 { 14.0 + longest } else { 8.0 };
    let top = if plot.y.title.is_empty() { 12.0 } else { 34.0 };
    let ends = [left, top, f64::from(WIDTH) - 16.0, f64::from(plot.height) - 50.0];
    let frame = Frame { plot, ends };
    let mut drawing = Drawing { frame, svg: String::new(), taken: Vec::new() };
    drawing.axes();
    plot.layers.iter().for_each(|layer| drawing.layer(layer, limit));
    drawing.svg
}

/// Draws a plot as a file of its own: with its title and its legend, on a ground that follows the reader's color scheme.
pub(crate) fn draw_alone(plot: &Plot) -> String {
    let drawn = draw(plot, POINTS_OF_FIGURE);
    let room = f64::from(WIDTH) - 24.0;
    let lines = wrapped(&plot.title, room);
    let above = 12.0 + LINE * lines.len() as f64;
    let below = above + f64::from(plot.height);
    let mut svg = format!("<g transform=\"translate(0 {})\">{drawn}</g>\n", number(above));
    let mut line = |colour: Colour, x: f64, y: f64, text: &str| {
        let (class, value) = colour.class();
        let (x, y) = (number(x), number(y));
        let _ = writeln!(
            svg,
            "<text class=\"{class}\" color=\"{value}\" fill=\"currentColor\" x=\"{x}\" y=\"{y}\">{}</text>",
            escaped(text)
        );
    };
    for (index, text) in lines.iter().enumerate() {
        line(Colour::Ink, 12.0, 20.0 + LINE * index as f64, text);
    }
    let mut bottom = below + 14.0;
    for layer in plot.legend() {
        line(layer.colour, 12.0, bottom, "■");
        line(Colour::Muted, 32.0, bottom, &cut(&layer.name, room - 20.0));
        bottom += LINE;
    }
    let height = number(bottom - 2.0);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" viewBox=\"0 0 {WIDTH} {height}\" \
         font-family=\"sans-serif\" font-size=\"{TEXT}\">\n{DRAWING}\n<style>\n{COLORS}.ground {{ fill: var(--ground); }}\n\
         text {{ paint-order: stroke; stroke: var(--ground); stroke-width: 3px; stroke-linejoin: round; }}\n</style>\n\
         <rect class=\"ground\" fill=\"#fff\" width=\"{WIDTH}\" height=\"{height}\"/>\n{svg}</svg>\n"
    )
}

/// A place to a tenth of a unit: finer ones cannot be seen, and differ between machines.
fn number(value: f64) -> f64 {
    (value * 10.0).round() / 10.0 + 0.0
}

/// The width of a text in a wide font.
fn width(text: &str) -> f64 {
    let of = |letter: char| match letter {
        ' ' | '!' | '\'' | ',' | '.' | ':' | ';' | 'i' | 'j' | 'l' | '|' => 0.35,
        '(' | ')' | '-' | '/' | 'I' | '[' | ']' | 'f' | 'r' | 't' => 0.42,
        '%' | '@' | 'M' | 'W' | 'm' | 'w' | '…' => 1.0,
        letter if letter.is_uppercase() => 0.76,
        letter if letter.is_ascii() => 0.65,
        _ => 0.84,
    };
    TEXT * text.chars().map(of).sum::<f64>()
}

/// A text that fits into so much room.
fn cut(text: &str, room: f64) -> String {
    let mut text = text.to_owned();
    while width(&text) > room {
        text.truncate(text.trim_end_matches('…').len());
        text.pop();
        text.push('…');
    }
    text
}

/// A title in lines that fit, broken at blanks; a word that is too long is cut.
fn wrapped(title: &str, room: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in title.split_whitespace().map(|word| cut(word, room)) {
        match lines.last_mut() {
            Some(line) if width(line) + width(" ") + width(&word) <= room => {
                line.push(' ');
                line.push_str(&word);
            }
            _ => lines.push(word),
        }
    }
    lines
}

/// At most about `limit` of the points, in their order: of each stretch the first, the lowest and the highest.
fn thinned(points: &[[f64; 2]], limit: usize) -> Vec<[f64; 2]> {
    if points.len() <= limit {
        return points.to_vec();
    }
    let stretches = points.chunks((3 * points.len()).div_ceil(limit.max(3)));
    let kept = stretches.flat_map(|stretch| {
        let by_height = |a: &usize, b: &usize| stretch[*a][1].total_cmp(&stretch[*b][1]);
        let all = 0..stretch.len();
        let mut kept = [Some(0), all.clone().min_by(by_height), all.max_by(by_height)];
        kept.sort_unstable();
        let kept = kept.into_iter().flatten();
        kept.map(|at| stretch[at]).collect::<Vec<_>>()
    });
    kept.collect()
}

/// The place of a value between both ends of an axis. Far outside becomes just outside.
fn place(axis: &Axis, value: f64, [from, to]: [f64; 2]) -> f64 {
    let [low, at, high] = [axis.low, value, axis.high].map(|value| axis.place(value));
    let share = (at - low) / (high - low);
    number(from + (to - from) * if share.is_finite() { share.clamp(-1.0, 2.0) } else { 0.0 })
}

impl Frame<'_> {
    fn at(self, [x, y]: [f64; 2]) -> [f64; 2] {
        let [left, top, right, bottom] = self.ends;
        [place(&self.plot.x, x, [left, right]), place(&self.plot.y, y, [bottom, top])]
    }

    /// The place of a value along one axis, and of another along the other.
    fn along(self, along: Along, value: f64, other: f64) -> [f64; 2] {
        self.at(if along == Along::X { [value, other] } else { [other, value] })
    }

    /// Both ends of the frame at a value of one axis.
    fn across(self, along: Along, value: f64) -> [[f64; 2]; 2] {
        let other = if along == Along::X { &self.plot.y } else { &self.plot.x };
        [other.low, other.high].map(|end| self.along(along, value, end))
    }
}

fn line(places: impl IntoIterator<Item = [f64; 2]>) -> String {
    let parts = places.into_iter().zip(std::iter::once("M").chain(std::iter::repeat("L")));
    parts.map(|([x, y], begin)| format!("{begin}{x} {y}")).collect()
}

fn fill(opacity: f64) -> String {
    format!("fill=\"currentColor\" fill-opacity=\"{opacity}\"")
}

impl Drawing<'_> {
    /// Adds shapes of one color and look.
    fn group(&mut self, colour: Colour, look: &str, shapes: &str) {
        let (class, value) = colour.class();
        if !shapes.is_empty() {
            let look = format!("class=\"{class}\" color=\"{value}\" {look}");
            let _ = writeln!(self.svg, "<g {look}>{shapes}</g>");
        }
    }

    fn path(&mut self, colour: Colour, look: &str, data: &str) {
        let shape = if data.is_empty() { String::new() } else { format!("<path d=\"{data}\"/>") };
        self.group(colour, look, &shape);
    }

    fn dots(&mut self, colour: Colour, look: &str, r: f64, places: &[[f64; 2]]) {
        let dot = |[x, y]: &[f64; 2]| format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{r}\"/>");
        self.group(colour, look, &places.iter().map(dot).collect::<String>());
    }

    /// Adds texts of one color, each with its place, the share of the text to the left of it, and the directions in which it
    /// may move. Skips a text without a free place.
    fn texts<'t>(
        &mut self,
        colour: Colour,
        shifts: &[f64],
        texts: impl IntoIterator<Item = ([f64; 2], f64, &'t str)>,
    ) {
        let mut shapes = String::new();
        let most = f64::from(WIDTH) - 4.0;
        for ([x, y], before, text) in texts {
            let text = cut(text, most);
            let width = width(&text);
            let left = (x - before * width).min(2.0 + most - width).max(2.0);
            let own = |shift: f64| {
                let top = y + shift - LINE / 2.0;
                [left, top, left + width, top + LINE]
            };
            let apart = |a: &[f64; 4], b: [f64; 4]| {
                a[2] <= b[0] || b[2] <= a[0] || a[3] <= b[1] || b[3] <= a[1]
            };
            let is_free = |shift: &&f64| self.taken.iter().all(|other| apart(other, own(**shift)));
            let Some(shift) = shifts.iter().find(is_free) else { continue };
            self.taken.push(own(*shift));
            let (x, y) = (number(left + before * width), number(y + shift + 0.35 * TEXT));
            let anchor = ["start", "middle", "end"][(2.0 * before) as usize];
            let _ = write!(
                shapes,
                "<text x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\">{}</text>",
                escaped(&text)
            );
        }
        self.group(colour, "fill=\"currentColor\"", &shapes);
    }

    fn axes(&mut self) {
        let frame @ Frame { plot, ends: [left, top, right, bottom] } = self.frame;
        let of = |along: Along, axis: &Axis| -> String {
            axis.ticks.iter().map(|(at, _)| line(frame.across(along, *at))).collect()
        };
        self.path(Colour::Grid, STROKE, &(of(Along::X, &plot.x) + &of(Along::Y, &plot.y)));
        self.path(Colour::Muted, STROKE, &format!("M{left} {top}V{bottom}H{right}"));
        let beside =
            plot.y.ticks.iter().map(|(at, label)| {
                ([left - 8.0, frame.at([plot.x.low, *at])[1]], 1.0, label.as_str())
            });
        self.texts(Colour::Muted, &[0.0], beside);
        let below = plot.x.ticks.iter().map(|(at, label)| {
            ([frame.at([*at, plot.y.low])[0], bottom + 18.0], 0.5, label.as_str())
        });
        self.texts(Colour::Muted, &[0.0], below);
        let titles = [
            ([f64::midpoint(left, right), bottom + 38.0], 0.5, plot.x.title.as_str()),
            ([8.0, 12.0], 0.0, plot.y.title.as_str()),
        ];
        self.texts(Colour::Ink, &[0.0], titles.into_iter().filter(|(.., text)| !text.is_empty()));
    }

    /// Draws a layer, with about `limit` dots of raw values at most.
    fn layer(&mut self, layer: &Layer, limit: usize) {
        let (frame, colour) = (self.frame, layer.colour);
        let places =
            |points: &[[f64; 2]]| points.iter().map(|at| frame.at(*at)).collect::<Vec<_>>();
        match &layer.marks {
            Marks::Points(points) => {
                self.dots(colour, &fill(0.6), 2.0, &places(&thinned(points, limit)));
            }
            Marks::Rings(points) => self.dots(colour, STROKE, 4.0, &places(points)),
            Marks::Line(points) => self.path(colour, STROKE, &line(places(points))),
            Marks::Band(points) => {
                let low = points.iter().map(|[x, low, _]| frame.at([*x, *low]));
                let high = points.iter().rev().map(|[x, _, high]| frame.at([*x, *high]));
                self.path(colour, &fill(0.2), &(line(low.chain(high)) + "Z"));
            }
            Marks::Strip(along, low, high) => {
                // An end beyond the axis is cut there: the range goes on.
                let axis = if *along == Along::X { &frame.plot.x } else { &frame.plot.y };
                let [low, high] = [low, high].map(|end| end.clamp(axis.low, axis.high));
                let [a, b] = frame.across(*along, low);
                let [d, c] = frame.across(*along, high);
                self.path(colour, &fill(0.18), &(line([a, b, c, d]) + "Z"));
            }
            Marks::Rule(along, value) => {
                self.path(colour, STROKE, &line(frame.across(*along, *value)));
            }
            Marks::Spans(along, spans) => {
                let axis = if *along == Along::X { &frame.plot.x } else { &frame.plot.y };
                let bars = |range: fn(&Span) -> Option<(f64, f64)>| -> String {
                    let ends = |span: &Span| {
                        let (low, high) = range(span)?;
                        // An end beyond the axis is drawn up to its end: the interval goes on.
                        let ends = [low, high].map(|end| end.clamp(axis.low, axis.high));
                        Some(line(ends.map(|end| frame.along(*along, end, span.at))))
                    };
                    spans.iter().filter_map(ends).collect()
                };
                self.path(colour, STROKE, &bars(|span| span.interval));
                self.path(colour, &STROKE.replace("1.5", "5"), &bars(|span| span.sigma));
                let dots = spans.iter().map(|span| frame.along(*along, span.value, span.at));
                self.dots(colour, &fill(1.0), 4.0, &dots.collect::<Vec<_>>());
            }
            Marks::Cells(cells) => self.cells(colour, cells),
            Marks::Texts(texts) => {
                let words = texts.iter().map(|(x, y, text)| {
                    let [x, y] = frame.at([*x, *y]);
                    ([x + 6.0, y], 0.0, text.as_str())
                });
                self.texts(colour, &SHIFTS, words);
            }
        }
    }

    /// The rectangles of a heat map: the stronger the color, the farther from 0 the shade.
    fn cells(&mut self, colour: Colour, cells: &[Cell]) {
        let frame = self.frame;
        let corners =
            |cell: &Cell| (frame.at([cell.x.0, cell.y.0]), frame.at([cell.x.1, cell.y.1]));
        let rectangle = |cell: &Cell| {
            let ([left, bottom], [right, top]) = corners(cell);
            let strength = (4.0 + 96.0 * cell.shade.abs().min(1.0)).round() / 100.0;
            format!(
                "<rect x=\"{left}\" y=\"{top}\" width=\"{}\" height=\"{}\" fill-opacity=\"{strength}\"/>",
                number(right - left),
                number(bottom - top)
            )
        };
        let all: String = cells.iter().map(rectangle).collect();
        self.group(colour, "fill=\"currentColor\"", &all);
        let marks = cells.iter().filter(|cell| !cell.text.is_empty()).map(|cell| {
            let (from, to) = corners(cell);
            let middle = [0, 1].map(|at| f64::midpoint(from[at], to[at]));
            (middle, 0.5, cell.text)
        });
        self.texts(Colour::Ink, &[0.0], marks);
    }
}
