//! From results to plots: which values a figure shows, and on which axes.

mod instances;
mod samples;
mod scaling;
mod sequence;

pub use instances::heat_map;
pub use samples::beside;
pub(crate) use samples::{quantiles, samples, sides};
pub(crate) use scaling::scaling;
pub(crate) use sequence::{pairs, sequence};

use plusminus::text::visible;

use super::plot::{Along, Axis, Cell, Colour, Layer, Marks, Plot, Span};
use crate::study::document::Number;

/// Returns things in groups of the same kind, in the order of the first of each.
pub fn grouped<T>(all: &[T], is_same: impl Fn(&T, &T) -> bool) -> Vec<Vec<&T>> {
    let mut groups: Vec<Vec<&T>> = Vec::new();
    for one in all {
        match groups.iter_mut().find(|group| is_same(group[0], one)) {
            Some(group) => group.push(one),
            None => groups.push(vec![one]),
        }
    }
    groups
}

/// A name as a plot shows it; a table has the whole of it.
pub fn short(name: &str) -> String {
    shortened(name, 44)
}

/// A name in at most `most` characters: its beginning and its end, which names the point.
pub(super) fn shortened(name: &str, most: usize) -> String {
    let name = visible(name);
    let count = name.chars().count();
    if count <= most {
        return name;
    }
    let begin: String = name.chars().take(most / 3).collect();
    let end: String = name.chars().skip(count - (most - most / 3 - 1)).collect();
    format!("{begin}…{end}")
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

/// Returns the layers of a heat map: of two names, the second has the cells below 0.
pub fn cells(names: &[&str], cells: &[Cell]) -> Vec<Layer> {
    let layer = |(index, name): (usize, &&str)| {
        let is_own = |cell: &&Cell| names.len() == 1 || (cell.shade < 0.0) == (index == 1);
        let own = cells.iter().filter(is_own).cloned().collect();
        Layer::new(*name, Colour::Series(index), Marks::Cells(own))
    };
    names.iter().enumerate().map(layer).collect()
}

/// Returns values one below the other, each with its name above it, in some series. `behind` is drawn first.
pub fn named_rows(
    title: String,
    caption: String,
    x: Axis,
    behind: Vec<Layer>,
    series: &[(&str, Colour)],
    rows: Vec<(usize, String, Span)>,
) -> Plot {
    let mut layers = behind;
    let (count, begin) = (rows.len(), x.low);
    let place = |index: usize| -(index as f64);
    for (number, (what, colour)) in series.iter().enumerate() {
        let own = rows.iter().enumerate().filter(|(_, row)| row.0 == number);
        let spans: Vec<Span> =
            own.map(|(index, (_, _, span))| Span { at: place(index), ..*span }).collect();
        let layer = Layer::new(*what, *colour, Marks::Spans(Along::X, spans.clone()));
        layers.extend(Some(layer).filter(|_| !spans.is_empty()));
    }
    let names = rows.into_iter().enumerate();
    let names = names.map(|(index, (_, name, _))| (begin, place(index) + 0.5, name)).collect();
    layers.push(Layer::new("name", Colour::Ink, Marks::Texts(names)));
    let height = (70 + 38 * count.max(2)) as u32;
    Plot { title, caption, x, y: Axis::rows(count), layers, height }
}
