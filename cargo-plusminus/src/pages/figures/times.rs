//! The times of a table side by side, with every run.

use plusminus::results::{Row, TableResults};

use super::{
    super::plot::{Along, Axis, Colour, Layer, Marks, Plot, Scale, Span},
    BELOW, ROWS, height_of_rows, numbered, short,
};

/// The time of each row with its σ and interval, and the mean of each run behind it.
pub(crate) fn times(table: &TableResults<'_>, title: &str) -> Vec<Plot> {
    let rows: Vec<&Row<'_>> = table.rows.iter().filter(|row| row.time.is_some()).collect();
    let parts = rows.chunks(ROWS);
    let count = parts.len();
    parts.enumerate().map(|(index, rows)| of_rows(rows, &numbered(title, index, count))).collect()
}

fn of_rows(rows: &[&Row<'_>], title: &str) -> Plot {
    let (mut runs, mut spans, mut names) = (Vec::new(), Vec::new(), Vec::new());
    for (index, row) in rows.iter().enumerate() {
        let Some(time) = &row.time else { continue };
        let at = -(index as f64);
        runs.extend(time.run_means_ns.iter().map(|mean| [*mean, at - BELOW]));
        let value = time.estimate.value;
        spans.push(Span {
            at,
            value,
            sigma: time.estimate.u.map(|u| (value - u, value + u)),
            interval: time.interval().map(|interval| (interval.low, interval.high)),
        });
        names.push((at, short(row.label)));
    }
    let ends = spans.iter().map(|span| span.interval.map_or(span.value, |(_, high)| high));
    let x = Axis::times("time of a call", ends.chain(runs.iter().map(|run| run[0])));
    let begin = x.low;
    let names = names.into_iter().map(|(at, name)| (begin, at + 0.5, name)).collect();
    let from_zero = match x.scale {
        Scale::Linear => "The axis begins at 0.",
        Scale::Log => "The scale is logarithmic, as the times differ by more than a factor of 20.",
    };
    Plot {
        title: title.to_owned(),
        caption: format!("Times of one call. {from_zero}"),
        x,
        y: Axis::rows(rows.len()),
        layers: vec![
            Layer::new("mean of a run", Colour::Series(1), Marks::Points(runs)),
            Layer::new(
                "time, ± σ (thick), 95 % interval (thin)",
                Colour::Series(0),
                Marks::Spans(Along::X, spans),
            ),
            Layer::new("name", Colour::Ink, Marks::Texts(names)),
        ],
        height: height_of_rows(rows.len()),
    }
}
