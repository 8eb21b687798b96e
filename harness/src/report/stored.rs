//! The comparison with a record that was kept, as text.

use crate::{
    analysis::verdict::{self, Verdict},
    results::{Compared, StoredComparison, StoredRow},
    text::{
        Cell, Paint, Style,
        number::{digits, percent, time_with_uncertainty, with_uncertainty},
        sentence, table, visible,
    },
};

/// The comparison as text.
pub fn render_stored(comparison: &StoredComparison, style: Style) -> String {
    let commit = comparison
        .commit
        .as_deref()
        .map_or(String::new(), |commit| format!(", commit {}", visible(&shortened(commit))));
    let mut text = format!(
        "\ncompared with the stored baseline `{}` (measured {}{commit})\n",
        visible(&comparison.baseline),
        visible(&comparison.measured),
    );
    let titles = ["benchmark", "then ± σ", "now ± σ", "speedup S ± σ", "95 % interval", "verdict"];
    let mut rows = vec![titles.map(|title| Cell::new(title, Paint::Dimmed)).to_vec()];
    rows.extend(comparison.rows.iter().map(cells));
    if !comparison.rows.is_empty() {
        text.push_str(&table(&rows, &[0, titles.len() - 1], style));
    }
    for (name, reason) in &comparison.missing {
        text.push_str(&format!("  {}: not compared: {reason}\n", visible(name)));
    }
    for difference in &comparison.differences {
        text.push_str(&format!("  the circumstances differ: {}\n", sentence(difference)));
    }
    text.push_str(
        "  The two sides were measured at different times: what has changed between then and now in the machine (its \
         load, temperature,\n  frequency, memory layout, updates) is part of these differences and of no uncertainty. \
         `cargo plusminus compare` measures\n  both sides in turns, and excludes that.\n",
    );
    text
}

fn cells(row: &StoredRow) -> Vec<Cell> {
    let Compared { speedup, interval, judgement } = &row.compared;
    let interval = interval.map_or("n/a (one run)".to_owned(), |interval| {
        format!("[{}, {}]", digits(interval.low), digits(interval.high))
    });
    vec![
        Cell::from(&row.name),
        Cell::from(time_with_uncertainty(speedup.base.value, speedup.base.u)),
        Cell::from(time_with_uncertainty(speedup.new.value, speedup.new.u)),
        Cell::from(with_uncertainty(speedup.speedup, speedup.sigma)),
        Cell::from(interval),
        Cell::new(&verdict_text(judgement, row.margin), super::terminal::colour(judgement.verdict)),
    ]
}

/// The first ten characters of a commit, by which people know it.
fn shortened(commit: &str) -> String {
    commit.chars().take(10).collect()
}

/// The verdict in words: what is proven, and how large a change would have shown.
pub(super) fn verdict_text(judgement: &verdict::Judgement, margin: f64) -> String {
    match judgement.verdict {
        Verdict::Slower if judgement.beyond_margin => {
            format!("slower, by more than {}", percent(margin))
        }
        Verdict::Faster if judgement.beyond_margin => {
            format!("faster, by more than {}", percent(margin))
        }
        Verdict::Undecided => match judgement.minimum_detectable_effect {
            Some(effect) => format!("undecided (would have seen {})", percent(effect)),
            None => "undecided (one run)".to_owned(),
        },
        verdict => verdict.label().to_owned(),
    }
}
