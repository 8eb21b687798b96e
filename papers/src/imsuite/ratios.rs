//! Ratios of times of kernels, and how they are drawn.

use plusminus::{
    results::Row,
    text::{number::with_uncertainty, visible},
};

use super::{Known, RINGS, is_64, is_dense, is_sparse, known};
use cargo_plusminus::pages::plot::{Along, Axis, Colour, Layer, Marks, Plot, Span};

/// A ratio of a kernel.
pub(super) struct Entry {
    pub(super) kernel: String,
    pub(super) style: String,
    name: String,
    pub(super) processors: usize,
    pub(super) value: f64,
    sigma: Option<f64>,
}

impl Entry {
    fn of(own: &Known<'_>, value: f64, sigma: Option<f64>) -> Self {
        let processors = own.case.processors;
        Self {
            kernel: own.kernel.to_owned(),
            style: own.style.to_owned(),
            name: format!("{} {}, p = {processors}", own.kernel.to_uppercase(), own.style),
            processors,
            value,
            sigma,
        }
    }
}

/// Real speedups at 64 nodes in the denser input.
pub(super) fn speedups(rows: &[&Row<'_>]) -> Vec<Entry> {
    let of_row = |row: &&Row<'_>| {
        let real = &row.real.as_ref()?.speedup;
        let own = known(row.case)?;
        let wanted = is_64(row.case) && is_dense(&own);
        (wanted && own.style != "serial").then(|| Entry::of(&own, real.speedup, real.sigma))
    };
    rows.iter().filter_map(of_row).collect()
}

/// Times in the denser input over those in the sparser one, at 64 nodes.
pub(super) fn input_ratios(rows: &[&Row<'_>]) -> Vec<Entry> {
    let mut found = Vec::new();
    for dense in rows.iter().filter(|row| {
        is_64(row.case)
            && known(row.case).is_some_and(|own| !RINGS.contains(&own.kernel) && is_dense(&own))
    }) {
        let sparse = rows.iter().find(|row| {
            row.case.function == dense.case.function
                && row.case.processors == dense.case.processors
                && is_64(row.case)
                && is_sparse(&row.case.point)
        });
        let (Some(own), Some(sparse)) = (known(dense.case), sparse) else { continue };
        let (Some(a), Some(b)) = (dense.estimate(), sparse.estimate()) else { continue };
        let value = a.value / b.value;
        let relative = a.rsu().zip(b.rsu()).map(|(a, b)| a.hypot(b));
        found.push(Entry::of(&own, value, relative.map(|relative| relative * value)));
    }
    found
}

/// Rows of one plot.
const ROWS: usize = 26;

/// Ratios with their σ, on a logarithmic axis around 1.
pub(super) fn spans(entries: &[Entry], title: &str, axis: &str, caption: &str) -> Vec<Plot> {
    let parts: Vec<&[Entry]> = entries.chunks(ROWS).collect();
    let count = parts.len();
    let plot = |(index, entries): (usize, &&[Entry])| {
        let ends = |entry: &Entry| {
            let sigma = entry.sigma.unwrap_or(0.0);
            (entry.value - sigma, entry.value + sigma)
        };
        let x = Axis::ratios(axis, entries.iter().flat_map(|e| [ends(e).0.max(1e-9), ends(e).1]));
        let begin = x.low;
        let places = || entries.iter().enumerate().map(|(index, entry)| (-(index as f64), entry));
        let all = places().map(|(at, entry)| Span {
            at,
            value: entry.value,
            sigma: entry.sigma.map(|_| ends(entry)),
            interval: None,
        });
        let names = places().map(|(at, entry)| {
            let s = with_uncertainty(entry.value, entry.sigma);
            (begin, at + 0.5, format!("{}: {s}", visible(&entry.name)))
        });
        Plot {
            title: if count > 1 {
                format!("{title} ({} of {count})", index + 1)
            } else {
                title.to_owned()
            },
            caption: caption.to_owned(),
            layers: vec![
                Layer::new("1", Colour::Muted, Marks::Rule(Along::X, 1.0)).unnamed(),
                Layer::new("ratio ± σ", Colour::Series(0), Marks::Spans(Along::X, all.collect())),
                Layer::new("name", Colour::Ink, Marks::Texts(names.collect())),
            ],
            x,
            y: Axis::rows(entries.len()),
            height: (70 + 38 * entries.len().max(2)) as u32,
        }
    };
    parts.iter().enumerate().map(plot).collect()
}
