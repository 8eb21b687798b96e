//! The table of a paper's sentences and of what records say of them.

use super::sentence::{Judged, Outcome, Paper};
use cargo_plusminus::pages::{Section, Table, plot::Axis};

/// The titles of its columns.
const TITLES: [&str; 6] =
    ["figure", "the paper", "quantity and condition", "here", "here over paper", "outcome"];

/// The section with the table.
pub(super) fn section(paper: &Paper, judged: &[Judged<'_>]) -> Section {
    let rows = judged.iter().map(|one| {
        let own = one.sentence;
        let quantity = match own.untestable {
            Some(_) => "–".to_owned(),
            None => format!("{} ({}): {}", own.quantity, own.selected(), own.condition()),
        };
        vec![
            own.figure.clone(),
            own.says.clone(),
            quantity,
            one.here.clone().unwrap_or_else(|| "–".to_owned()),
            one.over.clone().unwrap_or_else(|| "–".to_owned()),
            format!("{}: {}", one.outcome.words(), one.why),
        ]
    });
    Section {
        title: "Beside the paper".to_owned(),
        paragraphs: vec![paper.setting.clone()],
        tables: vec![Table {
            caption: "The paper's sentences, and the results here".to_owned(),
            titles: TITLES.map(str::to_owned).to_vec(),
            rows: rows.collect(),
        }],
        ..Section::default()
    }
}

/// How the sentences of the paper fare, in one sentence.
pub(super) fn answer(judged: &[Judged<'_>]) -> String {
    let counts =
        Outcome::ALL.map(|outcome| judged.iter().filter(|one| one.outcome == outcome).count());
    format!(
        "{} sentences of the paper: {} agree, {} differ, {} cannot be tested here",
        judged.len(),
        counts[0],
        counts[1],
        counts[2]
    )
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
    fn processors_double() {
        let labels = |from: f64, to: f64| {
            let ticks = doubling("p", [from, to]).ticks.into_iter();
            ticks.map(|(_, label)| label).collect::<Vec<_>>()
        };
        assert_eq!(labels(2.0, 64.0), ["2", "4", "8", "16", "32", "64"]);
        assert_eq!(labels(1.0, 512.0), ["1", "4", "16", "64", "256"]);
        assert!(labels(5.0, 7.0).len() > 1);
    }
}
