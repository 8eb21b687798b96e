//! The table of a paper's sentences and of what records say of them.

use super::sentence::{Judged, Outcome, Paper};
use cargo_plusminus::pages::{Section, Table};

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
