//! The words for verdicts, which every report prints alike.

use crate::analysis::verdict::{Judgement, Verdict};

/// Identical machine code, which needs no measuring.
pub const IDENTICAL_CODE: &str = "identical code";

/// The word for benchmarks without a measurement.
pub const NOT_MEASURED: &str = "not measured";

/// Returns the word for a verdict that was given with this margin, such as `within ±2 %`.
pub fn verdict_words(verdict: Verdict, margin: f64) -> String {
    match verdict {
        Verdict::WithinMargin => format!("within ±{}", margin_words(margin)),
        verdict => verdict.id().to_owned(),
    }
}

/// Returns the words for a judgment: `slower, may be < 2 %` while it is not proven to exceed the margin.
pub(super) fn judgement_words(judgement: &Judgement, margin: f64) -> String {
    let words = verdict_words(judgement.verdict, margin);
    let has_changed = matches!(judgement.verdict, Verdict::Slower | Verdict::Faster);
    match has_changed && !judgement.beyond_margin && margin > 0.0 {
        true => format!("{words}, may be < {}", margin_words(margin)),
        false => words,
    }
}

/// The words for results of benchmarks, the most urgent first. Verdicts within a margin contain it.
const ORDER: [&str; 13] = [
    "failed",
    "slower",
    "faster",
    "within",
    "inconclusive",
    "check failed",
    IDENTICAL_CODE,
    "not compared",
    "baseline",
    "timed",
    "too fast to measure",
    NOT_MEASURED,
    "skipped",
];

/// Returns how often each of the words occurs, the most urgent first: `1 slower, 2 within ±2 %`.
pub fn counted_words(words: Vec<String>) -> String {
    let urgency = |word: &str| ORDER.iter().position(|known| word.starts_with(known));
    let mut counts: Vec<(usize, String, usize)> = Vec::new();
    for word in words {
        match counts.iter_mut().find(|(_, known, _)| *known == word) {
            Some((.., count)) => *count += 1,
            None => counts.push((urgency(&word).unwrap_or(ORDER.len()), word, 1)),
        }
    }
    counts.sort_by_key(|(urgency, ..)| *urgency);
    let told: Vec<String> =
        counts.iter().map(|(_, word, count)| format!("{count} {word}")).collect();
    told.join(", ")
}

/// Returns a margin without digits that nobody wrote: `2 %`, `0.5 %`.
pub fn margin_words(margin: f64) -> String {
    format!("{} %", (margin * 1e5).round() / 1e3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn margins_are_written_as_people_give_them() {
        for (margin, expected) in [(0.02, "2 %"), (0.005, "0.5 %"), (0.125, "12.5 %"), (0.0, "0 %")]
        {
            assert_eq!(margin_words(margin), expected);
        }
        assert_eq!(verdict_words(Verdict::WithinMargin, 0.085), "within ±8.5 %");
        assert_eq!(verdict_words(Verdict::Inconclusive, 0.02), "inconclusive");
    }
}
