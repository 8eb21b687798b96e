//! A table of a paper's values and of ours, the words of its last column, and an axis that papers draw over.

use plusminus::text::number::significant;

use cargo_plusminus::pages::{Section, Table, plot::Axis};

/// The titles of its columns.
const TITLES: [&str; 5] =
    ["figure", "the paper prints", "here", "here over paper", "what agrees, what differs, and why"];

/// The text when the records have no reason for a difference.
pub(super) const UNEXPLAINED: &str =
    "Not explained: nothing that these records vary accounts for it.";

/// Printed for a value that the records do not have.
const MISSING: &str = "not in these records";

/// The result for one figure of a paper.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// The value here; `None` where the records do not have it.
    pub(super) here: Option<String>,
    /// The value here over the paper's, where the paper prints a number.
    pub(super) ratio: Option<String>,
    /// Agreements and differences, and the reasons that the records show.
    pub(super) said: String,
}

/// A row of a figure whose paper prints no number to divide by. Without a value here, the row states that.
pub(super) fn row(figure: &str, paper: &str, here: Option<String>, said: &str) -> Vec<String> {
    compared(figure, paper, Found { here, ratio: None, said: said.to_owned() })
}

/// A row of a figure.
pub(super) fn compared(figure: &str, paper: &str, found: Found) -> Vec<String> {
    let here = found.here.unwrap_or_else(|| MISSING.to_owned());
    let ratio = found.ratio.unwrap_or_else(|| "–".to_owned());
    vec![figure.to_owned(), paper.to_owned(), here, ratio, found.said]
}

/// The section with the table.
pub(super) fn section(rows: Vec<Vec<String>>, said: &str) -> Section {
    Section {
        title: "Beside the paper".to_owned(),
        paragraphs: vec![said.to_owned()],
        tables: vec![Table {
            caption: "The paper's values, and the results here".to_owned(),
            titles: TITLES.map(str::to_owned).to_vec(),
            rows,
        }],
        ..Section::default()
    }
}

/// How the results of the paper fare, in one sentence.
pub(super) fn answer(sections: &[Section]) -> String {
    let tables = sections.iter().flat_map(|section| &section.tables);
    let rows: Vec<&Vec<String>> =
        tables.filter(|table| table.titles == TITLES).flat_map(|table| &table.rows).collect();
    let kind = |cells: &Vec<String>| match (cells[2].as_str(), cells[4].split(':').next()) {
        (MISSING, _) => 4,
        (_, Some("Agrees")) => 0,
        (_, Some("Agrees in part")) => 1,
        (_, Some("Differs")) => 2,
        _ => 3,
    };
    let words = ["as printed", "in part", "different", "discussed", "not in these records"];
    let counts = words.iter().enumerate().filter_map(|(index, word)| {
        let count = rows.iter().filter(|cells| kind(cells) == index).count();
        (count > 0).then(|| format!("{count} {word}"))
    });
    let counts: Vec<String> = counts.collect();
    format!("{} results of the paper: {}", rows.len(), counts.join(", "))
}

/// `Agrees: 3 of 3 points …`: how a statement of the paper fares on what was measured.
pub(super) fn fares(holds: usize, of: usize, what: &str) -> String {
    let word = match holds {
        _ if of == 0 => return "Nothing in these records tells.".to_owned(),
        all if all == of => "Agrees",
        0 => "Differs",
        _ => "Agrees in part",
    };
    format!("{word}: {holds} of {of} {what}.")
}

/// `× 1.2`, or `× 1.2 to 2.6` of several.
pub(super) fn ratio(values: impl IntoIterator<Item = f64>) -> Option<String> {
    let (low, high) = range(values)?;
    let (low, high) = (significant(low, 2), significant(high, 2));
    Some(if low == high { format!("× {low}") } else { format!("× {low} to {high}") })
}

/// The smallest and the largest finite value.
pub(super) fn range(values: impl IntoIterator<Item = f64>) -> Option<(f64, f64)> {
    let all: Vec<f64> = values.into_iter().filter(|value| value.is_finite()).collect();
    let low = all.iter().copied().fold(f64::MAX, f64::min);
    let high = all.iter().copied().fold(f64::MIN, f64::max);
    (!all.is_empty()).then_some((low, high))
}

/// The geometric mean of positive values.
pub(super) fn geometric_mean(values: &[f64]) -> Option<f64> {
    let logarithms: f64 = values.iter().map(|value| value.ln()).sum();
    let mean = (logarithms / values.len() as f64).exp();
    (!values.is_empty() && mean.is_finite()).then_some(mean)
}

/// A share as percent with its sign: `+1.2 %`, `−3.0 %`.
pub(super) fn signed_percent(share: f64) -> String {
    let sign = if share < 0.0 { '−' } else { '+' };
    format!("{sign}{:.1} %", 100.0 * share.abs())
}

/// The most ticks of an axis of powers of 2.
const TICKS: i32 = 7;

/// Positive values on a logarithmic scale whose ticks are powers of 2, such as numbers of processors.
pub(super) fn doubling(title: &str, values: impl IntoIterator<Item = f64>) -> Axis {
    let axis = Axis::log(title, values);
    let (from, to) = (axis.low.log2().ceil() as i32, axis.high.log2().floor() as i32);
    // A range within two powers of 2 has the ticks of other ranges.
    if from >= to {
        return axis;
    }
    let powers = (from..=to).step_by((to - from) as usize / (TICKS - 1) as usize + 1);
    let tick = |power: i32| (2_f64.powi(power), 2_f64.powi(power).to_string());
    Axis { ticks: powers.map(tick).collect(), ..axis }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_follow_the_counts() {
        assert_eq!(fares(3, 3, "points"), "Agrees: 3 of 3 points.");
        assert_eq!(fares(1, 3, "points"), "Agrees in part: 1 of 3 points.");
        assert_eq!(fares(0, 3, "points"), "Differs: 0 of 3 points.");
        assert_eq!(fares(0, 0, "points"), "Nothing in these records tells.");
    }

    #[test]
    fn processors_double() {
        let labels = |from: f64, to: f64| {
            let ticks = doubling("p", [from, to]).ticks.into_iter();
            ticks.map(|(_, label)| label).collect::<Vec<_>>()
        };
        assert_eq!(labels(2.0, 64.0), ["2", "4", "8", "16", "32", "64"]);
        assert_eq!(labels(1.0, 512.0), ["1", "4", "16", "64", "256"]);
        assert!(labels(5.0, 7.0).len() > 1);
    }

    #[test]
    fn ratios_are_one_number_or_a_range() {
        assert_eq!(ratio([2.0]).as_deref(), Some("× 2.0"));
        assert_eq!(ratio([2.0, 0.5, f64::NAN]).as_deref(), Some("× 0.50 to 2.0"));
        assert_eq!(ratio([]), None);
        assert_eq!(geometric_mean(&[2.0, 8.0]), Some(4.0));
        assert_eq!(geometric_mean(&[]), None);
    }
}
