//! How ratios of times of kernels are drawn.

use plusminus::text::{number::with_uncertainty, visible};

use crate::fact::{Fact, Facts};
use cargo_plusminus::pages::plot::{Along, Axis, Colour, Layer, Marks, Plot, Span};

/// Rows of one plot.
const ROWS: usize = 26;

/// The values of a quantity with their σ, on a logarithmic axis around 1.
pub(super) fn spans(facts: &Facts, quantity: &str, title: &str, caption: &str) -> Vec<Plot> {
    let entries: Vec<&Fact> = facts.of(quantity).collect();
    let parts: Vec<&[&Fact]> = entries.chunks(ROWS).collect();
    let count = parts.len();
    let plot = |(index, entries): (usize, &&[&Fact])| {
        let ends = |entry: &Fact| {
            let sigma = entry.u.unwrap_or(0.0);
            // A bar that would reach below 0, where a logarithmic scale ends, stops at a tenth of the value.
            ((entry.value - sigma).max(entry.value / 10.0), entry.value + sigma)
        };
        let heights = entries.iter().flat_map(|e| [ends(e).0, ends(e).1]);
        let x = Axis::ratios("ratio of times", heights);
        let begin = x.low;
        let places = || entries.iter().enumerate().map(|(index, entry)| (-(index as f64), entry));
        let all = places().map(|(at, entry)| Span {
            at,
            value: entry.value,
            sigma: entry.u.map(|_| ends(entry)),
            interval: None,
        });
        let names = places().map(|(at, entry)| {
            let s = with_uncertainty(entry.value, entry.u);
            let of = |label| entry.label(label).unwrap_or("–");
            let places = match of("places") {
                "free" | "–" => String::new(),
                "1" => ", 1 place".to_owned(),
                count => format!(", {count} places"),
            };
            let name = format!("{}, p = {}{places}", of("program"), of("p"));
            (begin, at + 0.5, format!("{}: {s}", visible(&name)))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_bars_and_ratios_of_hundreds_are_drawn() {
        let mut facts = Facts::default();
        facts.uncertain("ratio", &vec![("program", "BF FA".to_owned())], 3.0, Some(7.0));
        facts.uncertain("ratio", &vec![("program", "BF FAC".to_owned())], 1.0 / 250.0, None);
        let plots = spans(&facts, "ratio", "", "");
        assert!(plots[0].x.low > 1e-4 && plots[0].x.ticks.len() > 2, "{:?}", plots[0].x);
    }
}
