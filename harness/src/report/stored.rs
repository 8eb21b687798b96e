//! The comparison with a record that was kept, as text.

use super::{
    Style,
    format::{four_digits, percent, time_with_sigma, with_sigma},
    sentences::printable,
};
use crate::{
    analysis::verdict::{self, Verdict},
    results::{Compared, StoredComparison},
};

/// The comparison as text.
pub fn render_stored(comparison: &StoredComparison, style: Style) -> String {
    let commit = comparison
        .commit
        .as_deref()
        .map_or(String::new(), |commit| format!(", commit {}", &commit[..commit.len().min(10)]));
    let mut text = format!(
        "\ncompared with the stored baseline `{}` (measured {}{commit})\n",
        printable(&comparison.baseline),
        printable(&comparison.measured),
    );
    let width = comparison.rows.iter().map(|row| row.name.chars().count()).max().unwrap_or(0);
    for row in &comparison.rows {
        let Compared { speedup, interval, judgement } = &row.compared;
        let interval = interval.map_or("n/a (one run)".to_owned(), |interval| {
            format!("[{}, {}]", four_digits(interval.low), four_digits(interval.high))
        });
        let padding = " ".repeat(width - row.name.chars().count());
        text.push_str(&format!(
            "  {}{padding}   {} → {}   S = {}   95 % {interval}   {}\n",
            printable(&row.name),
            time_with_sigma(speedup.base.value, speedup.base.u),
            time_with_sigma(speedup.new.value, speedup.new.u),
            with_sigma(speedup.speedup, speedup.sigma),
            super::terminal::verdict_painted(judgement, row.margin, style),
        ));
    }
    for (name, reason) in &comparison.missing {
        text.push_str(&format!("  {}: not compared: {reason}\n", printable(name)));
    }
    for difference in &comparison.differences {
        text.push_str(&format!("  the circumstances differ: {}\n", printable(difference)));
    }
    text.push_str(
        "  The two sides were measured at different times: what has changed between then and now in the machine (its \
         load, temperature,\n  frequency, memory layout, updates) is part of these differences and of no uncertainty. \
         `cargo plusminus compare` measures\n  both sides in turns, and excludes that.\n",
    );
    text
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
