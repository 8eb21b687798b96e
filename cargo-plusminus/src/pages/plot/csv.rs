//! The data of a plot as a table: every value, without exception.

use super::{Along, Marks, Plot};
use crate::csv::quoted;

/// The titles of the columns.
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
        let mut add = |cells: [Option<f64>; 6]| {
            let mut row = vec![layer.name.clone()];
            row.extend(cells.map(|cell| cell.map_or(String::new(), number)));
            rows.push(row);
        };
        match &layer.marks {
            Marks::Points(points)
            | Marks::Rings(points)
            | Marks::Line(points)
            | Marks::Bars(points) => {
                points.iter().for_each(|[x, y]| add([Some(*x), Some(*y), None, None, None, None]));
            }
            Marks::Band(points) => points.iter().for_each(|[x, low, high]| {
                add([Some(*x), None, Some(*low), Some(*high), None, None])
            }),
            Marks::Strip(_, low, high) => add([None, None, Some(*low), Some(*high), None, None]),
            Marks::Rule(Along::X, at) => add([Some(*at), None, None, None, None, None]),
            Marks::Rule(Along::Y, at) => add([None, Some(*at), None, None, None, None]),
            Marks::Spans(along, spans) => {
                for span in spans {
                    let (x, y) = match along {
                        Along::X => (span.value, span.at),
                        Along::Y => (span.at, span.value),
                    };
                    let ends = |range: Option<(f64, f64)>| range.unzip();
                    let (low, high) = ends(span.interval);
                    let (sigma_low, sigma_high) = ends(span.sigma);
                    add([Some(x), Some(y), low, high, sigma_low, sigma_high]);
                }
            }
            Marks::Cells(cells) => {
                let middle = |(low, high): (f64, f64)| Some(f64::midpoint(low, high));
                // The value of a cell stands where that of a band does: it is neither x nor y.
                cells.iter().for_each(|cell| {
                    let value = Some(cell.value);
                    add([middle(cell.x), middle(cell.y), value, value, None, None]);
                });
            }
            Marks::Texts(texts) => {
                for (x, y, text) in texts {
                    let [x, y] = [*x, *y].map(number);
                    let empty = String::new;
                    rows.push(vec![text.clone(), x, y, empty(), empty(), empty(), empty()]);
                }
            }
        }
    }
    rows
}

/// The data of a plot as CSV (RFC 4180).
pub(crate) fn csv(plot: &Plot) -> String {
    let mut text = COLUMNS.join(",") + "\n";
    for row in rows(plot) {
        let cells: Vec<String> = row.iter().map(|cell| quoted(cell)).collect();
        text.push_str(&cells.join(","));
        text.push('\n');
    }
    text
}
