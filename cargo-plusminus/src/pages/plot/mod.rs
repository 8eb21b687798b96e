//! The content of a plot as data, and how it becomes an SVG drawing or a CSV file. Knows nothing of records and
//! benchmarks.

mod axis;
mod csv;
mod draw;

pub use axis::{Axis, Scale};
pub(crate) use csv::{COLUMNS as CSV_COLUMNS, csv, rows as csv_rows};
pub(crate) use draw::{COLORS, draw, draw_alone};

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

/// Dots of raw values in one figure at most: more would overlap.
pub(crate) const POINTS_OF_FIGURE: usize = 2_000;

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

impl Cell {
    /// The range of a cell at this place of a named axis.
    pub fn around(place: usize) -> (f64, f64) {
        (place as f64 - 0.48, place as f64 + 0.48)
    }
}

/// The colors of plots, each a class of `templates/colors.css`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Colour {
    Ink,
    Muted,
    Grid,
    /// The n-th color of things that are compared.
    Series(usize),
}

/// Colors of things that are compared, before they repeat.
pub const SERIES: usize = 6;

impl Colour {
    /// Its class, and its value for programs that read no style sheet.
    pub fn class(self) -> (&'static str, &'static str) {
        const CLASSES: [(&str, &str); SERIES] = [
            ("s1", "#0b62b8"),
            ("s2", "#b34701"),
            ("s3", "#1b7838"),
            ("s4", "#7b3295"),
            ("s5", "#02665f"),
            ("s6", "#a81b5c"),
        ];
        match self {
            Self::Ink => ("ink", "#1c2024"),
            Self::Muted => ("muted", "#5b646e"),
            Self::Grid => ("grid", "#d8dde2"),
            Self::Series(index) => CLASSES[index % SERIES],
        }
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
    /// Returns the layers that the legend names.
    pub(crate) fn legend(&self) -> impl Iterator<Item = &Layer> {
        self.layers.iter().filter(|layer| layer.in_legend)
    }

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
