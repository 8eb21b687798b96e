//! The words for verdicts, which every report prints alike.

use crate::analysis::verdict::Verdict;

/// Identical machine code, which needs no measuring.
pub const IDENTICAL_CODE: &str = "identical code";

/// Returns the word for a verdict that was given with this margin, such as `within ±2 %`.
pub fn verdict_words(verdict: Verdict, margin: f64) -> String {
    match verdict {
        Verdict::WithinMargin => format!("within ±{}", margin_words(margin)),
        verdict => verdict.id().to_owned(),
    }
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
