//! The data of a plot as a table: every value, without exception.

use super::{Along, Marks, Plot};
use crate::csv::quoted;

pub(crate) use crate::report::own::FIGURE as COLUMNS;

/// A value to twelve digits: logarithms and exponentials of another system's library differ in the sixteenth.
fn number(value: f64) -> String {
    let rounded = format!("{value:.11e}").parse().unwrap_or(value);
    // Adding 0 makes −0 a 0.
    (rounded + 0.0).to_string()
}

/// The data of a plot, one line for each mark. `low` and `high` are the interval of a value or the ends of a band.
pub(crate) fn rows(plot: &Plot) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    for layer in &plot.layers {
        let mut add = |name: &str, xy: [Option<f64>; 2], interval: Option<(f64, f64)>, sigma| {
            let ((low, high), (sigma_low, sigma_high)) =
                (interval.unzip(), Option::<(f64, f64)>::unzip(sigma));
            let cells = [xy[0], xy[1], low, high, sigma_low, sigma_high];
            let cells = cells.map(|cell| cell.map_or(String::new(), number));
            rows.push([vec![name.to_owned()], cells.to_vec()].concat());
        };
        let name = &layer.name;
        match &layer.marks {
            Marks::Points(points) | Marks::Rings(points) | Marks::Line(points) => {
                points.iter().for_each(|point| add(name, point.map(Some), None, None));
            }
            Marks::Band(points) => points.iter().for_each(|[x, low, high]| {
                add(name, [Some(*x), None], Some((*low, *high)), None);
            }),
            Marks::Strip(_, low, high) => add(name, [None, None], Some((*low, *high)), None),
            Marks::Rule(Along::X, at) => add(name, [Some(*at), None], None, None),
            Marks::Rule(Along::Y, at) => add(name, [None, Some(*at)], None, None),
            Marks::Spans(along, spans) => spans.iter().for_each(|span| {
                let mut xy = [span.value, span.at].map(Some);
                if *along == Along::Y {
                    xy.reverse();
                }
                add(name, xy, span.interval, span.sigma);
            }),
            Marks::Cells(cells) => cells.iter().for_each(|cell| {
                // The value of a cell stands where that of a band does: it is neither x nor y.
                let middle = [cell.x, cell.y].map(|(low, high)| Some(f64::midpoint(low, high)));
                add(name, middle, Some((cell.value, cell.value)), None);
            }),
            Marks::Texts(texts) => {
                texts.iter().for_each(|(x, y, text)| add(text, [Some(*x), Some(*y)], None, None));
            }
        }
    }
    rows
}

pub(crate) fn csv(plot: &Plot) -> String {
    let line = |cells: Vec<String>| cells.join(",") + "\n";
    let head = line(COLUMNS.map(str::to_owned).to_vec());
    let quoted = |row: &Vec<String>| line(row.iter().map(|cell| quoted(cell)).collect());
    std::iter::once(head).chain(rows(plot).iter().map(quoted)).collect()
}
