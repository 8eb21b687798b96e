//! A table of what a paper prints beside what came out here.

use crate::pages::{Section, Table};

/// The titles of its columns.
const TITLES: [&str; 4] = ["figure", "the paper prints", "here", "what differs, and why"];

/// A row: the figure, the paper's value, the value here, and the reasons. No value here is told as such.
pub(super) fn row(figure: &str, paper: &str, here: Option<String>, why: &str) -> Vec<String> {
    let here = here.unwrap_or_else(|| "not in these records".to_owned());
    vec![figure.to_owned(), paper.to_owned(), here, why.to_owned()]
}

/// The section with the table.
pub(super) fn section(rows: Vec<Vec<String>>, said: &str) -> Section {
    Section {
        title: "Beside the paper".to_owned(),
        paragraphs: vec![said.to_owned()],
        tables: vec![Table {
            caption: "What the paper prints, and what came out here".to_owned(),
            titles: TITLES.map(str::to_owned).to_vec(),
            rows,
        }],
        ..Section::default()
    }
}

/// A share as per cent with its sign: `+1.2 %`, `−3.0 %`.
pub(super) fn signed_percent(share: f64) -> String {
    let sign = if share < 0.0 { '−' } else { '+' };
    format!("{sign}{:.1} %", 100.0 * share.abs())
}
