//! The costs of a benchmark besides its time, in words.

use crate::{
    analysis::verdict::CostVerdict,
    report::{ends::change_with_interval, verdicts::margin_words},
    results::{Measure, RowResult},
    text::{
        number::{change, significant, time, with_prefix},
        visible,
    },
};

/// Returns the costs of a row besides time in one line: all, or only what changed. `None` if there are none.
pub fn row_costs(row: &RowResult, all: bool) -> Option<String> {
    let of_time = row.judgement.verdict;
    let shown = row.measures.iter().filter(|measure| all || measure.is_news(of_time));
    let shown = shown.map(|measure| measure_words(measure, row.margin)).collect::<Vec<_>>();
    (!shown.is_empty()).then(|| shown.join(", "))
}

/// Returns a measure with its change: `3 → 4 allocations per call (+33.3 %)`, and how it stands if it is not exact.
pub fn measure_words(measure: &Measure, margin: f64) -> String {
    let judgement = &measure.judgement;
    let of_time = measure.time_unit();
    let unit = visible(of_time.unwrap_or(&measure.unit));
    let value = |value: f64| match judgement.is_exact {
        _ if of_time.is_some() => time(value),
        true if value.fract() == 0.0 && value.abs() < 1e15 => format!("{value:.0}"),
        true => significant(value, 5),
        false => with_prefix(value),
    };
    let (base, new) = (value(judgement.base), value(judgement.new));
    if judgement.is_exact {
        return match judgement.change() {
            0.0 if new == "1" => format!("{new} {}", unit.replacen("s ", " ", 1)),
            0.0 => format!("{new} {unit}"),
            by if by.is_finite() => format!("{base} → {new} {unit} ({})", change(by)),
            _ => format!("{base} → {new} {unit}"),
        };
    }
    let by = match judgement.ratio {
        Some(ratio) => {
            let ends = (ratio.low - 1.0, ratio.high - 1.0);
            let (by, ends) = change_with_interval(judgement.change(), ends, margin);
            format!("{by} {ends}, ")
        }
        None => String::new(),
    };
    let word = match judgement.verdict {
        CostVerdict::More => "more".to_owned(),
        CostVerdict::Less => "less".to_owned(),
        CostVerdict::Same => format!("within ±{}", margin_words(margin)),
        CostVerdict::Inconclusive => "noisy, inconclusive".to_owned(),
    };
    format!("{base} → {new} {unit} ({by}{word})")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::{Interval, verdict::CostJudgement};

    fn words(judgement: CostJudgement) -> String {
        let (name, unit) = ("allocations".to_owned(), "allocations per call".to_owned());
        measure_words(&Measure { name, unit, more_is_better: false, judgement }, 0.02)
    }

    #[test]
    fn exact_counts_have_all_their_digits() {
        for (counts, expected) in [
            ([3.0, 4.0], "3 → 4 allocations per call (+33.3 %)"),
            ([4.0, 3.0], "4 → 3 allocations per call (−25.0 %)"),
            ([0.0, 2.0], "0 → 2 allocations per call"),
            ([1_048_576.0, 1_048_577.0], "1048576 → 1048577 allocations per call (0.00 %)"),
            ([7.0, 7.0], "7 allocations per call"),
            ([1.0, 1.0], "1 allocation per call"),
        ] {
            assert_eq!(words(CostJudgement::exact(counts)), expected);
        }
    }

    #[test]
    fn noisy_costs_have_their_interval_and_verdict() {
        let exact = CostJudgement::exact([12.1e6, 14.5e6]);
        let noisy = CostJudgement { is_exact: false, ..exact };
        let ratio = Some(Interval { low: 1.17, high: 1.22 });
        let expected = "12.1 M → 14.5 M allocations per call (+19.8 % [+17.0, +22.0] %, more)";
        assert_eq!(words(CostJudgement { ratio, ..noisy }), expected);
        let open = CostJudgement { verdict: CostVerdict::Inconclusive, ..noisy };
        let expected = "12.1 M → 14.5 M allocations per call (noisy, inconclusive)";
        assert_eq!(words(open), expected);
    }
}
