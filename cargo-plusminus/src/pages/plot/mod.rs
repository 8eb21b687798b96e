//! The content of a plot as data, and how it becomes an SVG drawing or a CSV file. Knows nothing of records and
//! benchmarks.

mod axis;
mod csv;
mod draw;
mod thin;

pub use axis::{Axis, Scale};
pub(crate) use csv::{COLUMNS as CSV_COLUMNS, csv, rows as csv_rows};
pub(crate) use draw::{Drawn, draw, draw_alone, for_page};

/// A plot: two axes and layers of marks, drawn in their order.
#[derive(Debug, Clone)]
pub struct Plot {
    /// Its content, in one line.
    pub title: String,
    /// How to read it, and what is missing.
    pub caption: String,
    pub x: Axis,
    pub y: Axis,
    pub layers: Vec<Layer>,
    /// Height in the units in which every plot is [`WIDTH`] wide.
    pub height: u32,
}

/// The width of every plot: narrow enough that its text can be read on a telephone.
pub const WIDTH: u32 = 480;

/// Marks of one meaning.
#[derive(Debug, Clone)]
pub struct Layer {
    /// The meaning of the marks; the first column of the data.
    pub name: String,
    pub colour: Colour,
    pub marks: Marks,
    /// Whether the legend names it; texts and grids explain themselves.
    pub in_legend: bool,
}

/// The marks to draw.
#[derive(Debug, Clone)]
pub enum Marks {
    /// Raw values, each a dot: x and y.
    Points(Vec<[f64; 2]>),
    /// Summaries, each a larger ring: x and y.
    Rings(Vec<[f64; 2]>),
    /// A line between ordered x.
    Line(Vec<[f64; 2]>),
    /// x with the low and the high end of y.
    Band(Vec<[f64; 3]>),
    /// A range of one axis over the whole plot.
    Strip(Along, f64, f64),
    /// One value of an axis over the whole plot.
    Rule(Along, f64),
    /// Bars from 0 to x, at y.
    Bars(Vec<[f64; 2]>),
    /// Values with their uncertainty.
    Spans(Along, Vec<Span>),
    /// Rectangles of a heat map.
    Cells(Vec<Cell>),
    /// Words that begin at x, y.
    Texts(Vec<(f64, f64, String)>),
}

/// The axis that a mark speaks of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Along {
    X,
    Y,
}

/// A value with its standard uncertainty and its interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Span {
    /// The place on the other axis.
    pub at: f64,
    pub value: f64,
    /// value − u and value + u: a thick bar.
    pub sigma: Option<(f64, f64)>,
    /// The interval: a thin line with ends.
    pub interval: Option<(f64, f64)>,
}

impl Span {
    /// All that is drawn of it: the value, and both ends of its σ and its interval.
    pub fn ends(&self) -> impl Iterator<Item = f64> + use<> {
        let ranges = [self.sigma, self.interval].into_iter().flatten();
        let value = self.value;
        std::iter::once(value).chain(ranges.flat_map(|(low, high)| [low, high]))
    }
}

/// How many times as far from 0 as values and their σ an axis is drawn for the sake of an interval.
const REACH: f64 = 4.0;

/// Returns the values of some spans that an axis has to show. They are all values and their σ, and the intervals
/// unless they reach so far beyond these that nothing else could be distinguished. Also returns how many go on beyond
/// the axis.
pub fn shown(spans: &[Span]) -> (Vec<f64>, usize) {
    let near = |span: &Span| Span { interval: None, ..*span };
    let mut ends: Vec<f64> = spans.iter().flat_map(|span| near(span).ends()).collect();
    let far = REACH * ends.iter().map(|end| end.abs()).fold(0.0, f64::max);
    let intervals = spans.iter().filter_map(|span| span.interval);
    let beyond = intervals.clone().filter(|(low, high)| low.abs().max(high.abs()) > far).count();
    ends.extend(intervals.flat_map(|(low, high)| [low, high]).filter(|end| end.abs() <= far));
    (ends, beyond)
}

/// A rectangle of a heat map.
#[derive(Debug, Clone, PartialEq)]
pub struct Cell {
    /// From the low to the high end of x, and of y.
    pub x: (f64, f64),
    pub y: (f64, f64),
    pub value: f64,
    /// −1 to 1: how strongly it is colored; below 0 in the opposite color.
    pub shade: f64,
    /// A mark in it, such as that of an odd cell.
    pub text: &'static str,
}

/// The colors of plots. A drawing by itself has those of the light scheme; in a page each is a variable of its style.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Colour {
    Ink,
    Muted,
    Grid,
    /// The n-th color of things that are compared.
    Series(usize),
}

/// The light scheme: each color with the name of its variable.
pub const COLOURS: [((u8, u8, u8), &str); 9] = [
    ((0x1c, 0x20, 0x24), "ink"),
    ((0x5b, 0x64, 0x6e), "muted"),
    ((0xd8, 0xdd, 0xe2), "grid"),
    ((0x0b, 0x62, 0xb8), "s1"),
    ((0xb3, 0x47, 0x01), "s2"),
    ((0x1b, 0x78, 0x38), "s3"),
    ((0x7b, 0x32, 0x95), "s4"),
    ((0x02, 0x66, 0x5f), "s5"),
    ((0xa8, 0x1b, 0x5c), "s6"),
];

/// Colors of things that are compared, before they repeat.
pub const SERIES: usize = 6;

impl Colour {
    fn entry(self) -> &'static ((u8, u8, u8), &'static str) {
        match self {
            Self::Ink => &COLOURS[0],
            Self::Muted => &COLOURS[1],
            Self::Grid => &COLOURS[2],
            Self::Series(index) => &COLOURS[3 + index % SERIES],
        }
    }

    /// The name of its variable, `--NAME` in the style of a page.
    pub fn name(self) -> &'static str {
        self.entry().1
    }

    fn rgb(self) -> (u8, u8, u8) {
        self.entry().0
    }
}

impl Layer {
    pub fn new(name: impl Into<String>, colour: Colour, marks: Marks) -> Self {
        let in_legend = !matches!(marks, Marks::Texts(_));
        Self { name: name.into(), colour, marks, in_legend }
    }

    /// Leaves it out of the legend.
    pub fn unnamed(mut self) -> Self {
        self.in_legend = false;
        self
    }
}

impl Plot {
    /// Returns the dots of raw values and rings of summaries that the plot has, before any are dropped.
    pub fn points(&self) -> usize {
        let count = |layer: &Layer| match &layer.marks {
            Marks::Points(points) | Marks::Rings(points) => points.len(),
            Marks::Spans(_, spans) => spans.len(),
            _ => 0,
        };
        self.layers.iter().map(count).sum()
    }
}
