//! Speedups with their intervals, and the margin within which a change is ignored.

use plusminus::{
    record::Record,
    report::verdict_words,
    results::{CaseResult, Outcome, Row, RowResult, TableResults},
    text::number::percent,
};

use super::{
    super::plot::{Along, Axis, Colour, Layer, Marks, Plot, Span},
    BELOW, ROWS, height_of_rows, numbered, short,
};

/// A line of the plot.
struct Entry {
    name: String,
    value: f64,
    sigma: Option<f64>,
    interval: Option<(f64, f64)>,
    /// Its sources, one ratio for each run or block.
    raw: Vec<f64>,
}

/// The speedups of a table over its baseline variant.
pub(crate) fn of_table(table: &TableResults<'_>, record: &Record, title: &str) -> Vec<Plot> {
    let entries: Vec<Entry> = table
        .rows
        .iter()
        .filter_map(|row| {
            let compared = row.speedup.as_ref()?;
            let base = table
                .rows
                .iter()
                .find(|base| base.case.role == plusminus::record::Role::Baseline)?;
            Some(Entry {
                name: format!(
                    "{}: {}",
                    short(row.label),
                    verdict_words(compared.judgement.verdict, record.settings.margin)
                ),
                value: compared.speedup.speedup,
                sigma: compared.speedup.sigma,
                interval: compared.interval.map(|interval| (interval.low, interval.high)),
                raw: by_run(base, row),
            })
        })
        .collect();
    plots(&entries, record.settings.margin, "speedup S = baseline / variant", "run", title)
}

/// The ratios of the runs that both have.
fn by_run(base: &Row<'_>, row: &Row<'_>) -> Vec<f64> {
    let (Some(old), Some(new)) = (&base.time, &row.time) else { return Vec::new() };
    let of_base = |run: &u32| Some(old.run_means_ns[old.runs.binary_search(run).ok()?]);
    let runs = new.runs.iter().zip(&new.run_means_ns);
    runs.filter_map(|(run, mean)| Some(of_base(run)? / mean)).collect()
}

/// The speedups of the new version over the base, of all benchmarks of a comparison.
pub(crate) fn of_comparison(outcome: &Outcome, margin: f64, title: &str) -> Vec<Plot> {
    let entry = |case: &CaseResult, row: &RowResult| {
        let name = match &row.instance {
            Some(instance) => format!("{} ({instance})", case.name),
            None => case.name.clone(),
        };
        Some(Entry {
            name: format!("{}: {}", short(&name), verdict_words(row.judgement.verdict, row.margin)),
            value: row.speedup?,
            sigma: row.sigma,
            interval: row.judgement.interval.map(|interval| (interval.low, interval.high)),
            raw: row.blocks.iter().map(|block| (-block.log_ratio).exp()).collect(),
        })
    };
    let entries: Vec<Entry> = outcome
        .cases
        .iter()
        .flat_map(|case| case.rows.iter().filter_map(|row| entry(case, row)).collect::<Vec<_>>())
        .collect();
    plots(&entries, margin, "speedup S = base / new", "block", title)
}

fn plots(entries: &[Entry], margin: f64, axis: &str, unit: &str, title: &str) -> Vec<Plot> {
    let parts = entries.chunks(ROWS);
    let count = parts.len();
    let plot = |(index, entries): (usize, &[Entry])| {
        let title = numbered(title, index, count);
        of_entries(entries, margin, axis, unit, title)
    };
    parts.enumerate().map(plot).collect()
}

fn of_entries(entries: &[Entry], margin: f64, axis: &str, unit: &str, title: String) -> Plot {
    let places = || entries.iter().enumerate().map(|(index, entry)| (-(index as f64), entry));
    let raw: Vec<[f64; 2]> =
        places().flat_map(|(at, entry)| entry.raw.iter().map(move |s| [*s, at - BELOW])).collect();
    let spans: Vec<Span> = places()
        .map(|(at, entry)| Span {
            at,
            value: entry.value,
            sigma: entry.sigma.map(|sigma| (entry.value - sigma, entry.value + sigma)),
            interval: entry.interval,
        })
        .collect();
    let ends = spans.iter().flat_map(|span| {
        let (low, high) = span.interval.unwrap_or((span.value, span.value));
        [low, high]
    });
    let margins = [1.0 / (1.0 + margin), 1.0 + margin];
    let x = Axis::ratios(axis, ends.chain(raw.iter().map(|point| point[0])).chain(margins));
    let begin = x.low;
    let names = places().map(|(at, entry)| (begin, at + 0.5, entry.name.clone())).collect();
    Plot {
        title,
        caption: format!(
            "Right of 1 is faster. The scale is logarithmic: half as fast is as far from 1 as twice as fast. Changes \
             within the band are ignored (margin {}).",
            percent(margin)
        ),
        x,
        y: Axis::rows(entries.len()),
        layers: vec![
            Layer::new("margin", Colour::Series(2), Marks::Strip(Along::X, margins[0], margins[1])),
            Layer::new("no change", Colour::Muted, Marks::Rule(Along::X, 1.0)),
            Layer::new(format!("ratio of one {unit}"), Colour::Series(1), Marks::Points(raw)),
            Layer::new(
                "S, ± σ (thick), interval (thin)",
                Colour::Series(0),
                Marks::Spans(Along::X, spans),
            ),
            Layer::new("name", Colour::Ink, Marks::Texts(names)),
        ],
        height: height_of_rows(entries.len()),
    }
}
