//! The comparison with a record that was kept, as text.

use crate::{
    analysis::{
        Interval,
        verdict::{self, Verdict},
    },
    results::{Compared, StoredComparison, StoredRow},
    text::{
        Cell, Paint, Style,
        number::{change, digits, percent, time_with_uncertainty, with_uncertainty},
        sentence, table, visible,
    },
};

/// The comparison as text.
pub fn render_stored(comparison: &StoredComparison, style: Style) -> String {
    let commit = comparison.commit.as_deref().map_or(String::new(), |commit| {
        format!(", commit {}", visible(&commit.chars().take(10).collect::<String>()))
    });
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
    text.push_str(&format!("  {}\n", machine(comparison)));
    text
}

/// What is known of the machine between then and now.
fn machine(comparison: &StoredComparison) -> String {
    let times = "The two sides were measured at different times";
    match comparison.machine {
        Some(Interval { low, high }) => format!(
            "{times}. By small kernels of our own, measured beside both, the machine changed by {} to {}: the intervals \
             allow for that,\n  and what it could explain is undecided. A program that is kept is measured in turns, and \
             decides more: `--save-baseline` keeps one.",
            change(low.exp_m1()),
            change(high.exp_m1()),
        ),
        None => format!(
            "{times}, and the record of then has no measurements of the machine itself: how much it has changed is not \
             known,\n  so nothing is decided. `--save-baseline` keeps a record that has them, and the program."
        ),
    }
}

fn cells(row: &StoredRow) -> Vec<Cell> {
    let Compared { speedup, interval, judgement } = &row.compared;
    let interval = interval.map_or("n/a".to_owned(), |interval| {
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
            None => "undecided".to_owned(),
        },
        verdict => verdict.label().to_owned(),
    }
}
