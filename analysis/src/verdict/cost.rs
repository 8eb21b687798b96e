//! The verdict on a cost besides time: by equality where all processes count the same, and else as times are judged.

use super::{Margin, Rule, Verdict, conclude_blocks};
use crate::{
    interval::Interval,
    summary::{GroupedQuantile, quantile},
};

/// The result of a comparison of a cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CostVerdict {
    /// New has more of it: another exact count, or proven by more than the margin.
    More,
    /// New has less of it, as certainly.
    Less,
    /// Both have the same exact count, or the change is proven to be within the margin.
    Same,
    /// The data allow none of these.
    Inconclusive,
}

impl CostVerdict {
    /// Returns the identifier in JSON.
    pub fn id(self) -> &'static str {
        match self {
            Self::More => "more",
            Self::Less => "less",
            Self::Same => "same",
            Self::Inconclusive => "inconclusive",
        }
    }
}

/// The verdict on a cost with its numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CostJudgement {
    /// The exact count of base, or the median of its blocks.
    pub base: f64,
    /// The exact count of new, or that of base times the typical ratio, so that both and the interval agree; the median of its
    /// blocks where there is no ratio.
    pub new: f64,
    /// All processes of each side counted the same.
    pub is_exact: bool,
    /// The label.
    pub verdict: CostVerdict,
    /// Interval of new/base; `None` for exact counts, and while the data give no finite one.
    pub ratio: Option<Interval>,
}

impl CostJudgement {
    /// Judges counts that are exact by their nature, such as the size of code.
    #[must_use]
    pub fn exact([base, new]: [f64; 2]) -> Self {
        let verdict = match () {
            () if new > base => CostVerdict::More,
            () if new < base => CostVerdict::Less,
            () => CostVerdict::Same,
        };
        Self { base, new, is_exact: true, verdict, ratio: None }
    }

    /// Judges a quantile of the times of calls. `tails` has it over the typical time of each block, for base and new, with intervals
    /// at half of the accepted error each. `typical` are the typical times, and `change` is the interval of their ratio new/base,
    /// as the verdict on time has it.
    #[must_use]
    pub fn of_quantiles(
        tails: [GroupedQuantile; 2],
        typical: [f64; 2],
        change: Option<Interval>,
        margin: Margin,
    ) -> Self {
        let [base, new] = tails;
        let ratio = match (base.interval, new.interval, change) {
            (Some(base), Some(new), Some(change)) => Interval::checked(
                new.low / base.high * change.low,
                new.high / base.low * change.high,
            ),
            _ => None,
        };
        let most = 1.0 + margin.relative();
        let verdict = match ratio {
            Some(ratio) if ratio.low > most => CostVerdict::More,
            Some(ratio) if ratio.high < 1.0 / most => CostVerdict::Less,
            Some(ratio) if ratio.low > 1.0 / most && ratio.high < most => CostVerdict::Same,
            _ => CostVerdict::Inconclusive,
        };
        let [base, new] = [base.value * typical[0], new.value * typical[1]];
        Self { base, new, is_exact: false, verdict, ratio }
    }

    /// The change new − base relative to the size of base: 0 without a change, infinite if base has nothing, and positive
    /// if new has more, also where a metric is negative.
    #[must_use]
    pub fn change(&self) -> f64 {
        if self.base == self.new { 0.0 } else { (self.new - self.base) / self.base.abs() }
    }
}

/// Processes of each side that have to count the same before a count is exact.
const PROCESSES: usize = 2;

/// Judges a cost by its values in blocks, those of base and of new, in the order in which they were measured. A cost that
/// `may_be_exact` is judged by equality if all processes of a side have the same value, and there are at least two.
///
/// ```
/// use plusminus_analysis::verdict::{CostVerdict, Rule, cost};
///
/// let one_more = cost(&[[3.0, 4.0], [3.0, 4.0]], true, Rule::default()).unwrap();
/// assert!(one_more.is_exact && one_more.verdict == CostVerdict::More);
/// let differs_by_itself = cost(&[[3.0, 4.0], [4.0, 4.0]], true, Rule::default()).unwrap();
/// assert!(!differs_by_itself.is_exact && differs_by_itself.verdict == CostVerdict::Inconclusive);
/// ```
#[must_use]
pub fn cost(blocks: &[[f64; 2]], may_be_exact: bool, rule: Rule) -> Option<CostJudgement> {
    let first = *blocks.first()?;
    let is_exact = may_be_exact
        && blocks.len() >= PROCESSES
        && blocks
            .iter()
            .all(|block| *block == first && block.iter().all(|value| value.is_finite()));
    if is_exact {
        return Some(CostJudgement::exact(first));
    }
    let median = |side: usize| {
        let values: Vec<f64> = blocks.iter().map(|block| block[side]).collect();
        quantile(&values, 0.5).ok()
    };
    let (base, new) = (median(0)?, median(1)?);
    // A cost that may be 0 has no ratio.
    let ratios =
        blocks.iter().map(|[base, new]| (*base > 0.0 && *new > 0.0).then(|| libm::log(new / base)));
    let ratios: Option<Vec<f64>> = ratios.collect();
    let concluded = ratios.and_then(|ratios| conclude_blocks(&ratios, rule).ok());
    let (verdict, ratio, new) = match concluded {
        None => (CostVerdict::Inconclusive, None, new),
        Some((conclusion, _)) => {
            let judgement = conclusion.judgement;
            let verdict = match judgement.verdict {
                Verdict::Slower if judgement.beyond_margin => CostVerdict::More,
                Verdict::Faster if judgement.beyond_margin => CostVerdict::Less,
                Verdict::WithinMargin => CostVerdict::Same,
                Verdict::Slower | Verdict::Faster | Verdict::Inconclusive => {
                    CostVerdict::Inconclusive
                }
            };
            let of_new = |s: Interval| Interval { low: 1.0 / s.high, high: 1.0 / s.low };
            let new = conclusion.speedup.map_or(new, |speedup| base / speedup);
            (verdict, judgement.interval.map(of_new), new)
        }
    };
    Some(CostJudgement { base, new, is_exact: false, verdict, ratio })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    fn judged(blocks: &[[f64; 2]]) -> CostJudgement {
        cost(blocks, true, Rule::default()).unwrap()
    }

    #[test]
    fn counts_that_agree_are_judged_by_equality() {
        for (block, verdict, change) in [
            ([3.0, 4.0], CostVerdict::More, 1.0 / 3.0),
            ([4.0, 3.0], CostVerdict::Less, -0.25),
            ([3.0, 3.0], CostVerdict::Same, 0.0),
            ([0.0, 0.0], CostVerdict::Same, 0.0),
            ([0.0, 1.0], CostVerdict::More, f64::INFINITY),
            ([0.0, -1.0], CostVerdict::Less, f64::NEG_INFINITY),
            ([-4.0, -3.0], CostVerdict::More, 0.25),
        ] {
            let found = judged(&[block; 2]);
            assert_eq!((found.verdict, found.is_exact), (verdict, true), "{block:?}");
            let is_near = found.change() == change || (found.change() - change).abs() < 1e-12;
            assert!(is_near, "{block:?}: {}", found.change());
        }
        assert_eq!(cost(&[], true, Rule::default()), None);
    }

    #[test]
    fn the_change_lies_in_its_interval_whatever_the_sides_are_by_themselves() {
        let mut random = Random::new(3);
        let mut near = |level: f64| [level, level * (1.0 + 0.002 * random.uniform())];
        // One block more or less at a level moves the median of a side from one level to another.
        let mut blocks: Vec<[f64; 2]> = (0..6).flat_map(|_| [near(1.0), near(1.5)]).collect();
        blocks.insert(6, [1.0, 1.5]);
        let found = cost(&blocks, false, Rule::default()).unwrap();
        let (ratio, change) = (found.ratio.unwrap(), found.change());
        assert!(ratio.low <= 1.0 + change && 1.0 + change <= ratio.high, "{found:?}");
    }

    #[test]
    fn one_process_and_counts_that_differ_by_themselves_prove_nothing() {
        let odd = [[3.0, 4.0], [3.0, 4.0], [3.0, 5.0]];
        for blocks in [&[[3.0, 4.0]][..], &odd, &[[0.0, 1.0], [0.0, 2.0]]] {
            let found = judged(blocks);
            assert_eq!((found.verdict, found.is_exact), (CostVerdict::Inconclusive, false));
        }
        assert_eq!(cost(&[[f64::NAN; 2]; 3], true, Rule::default()), None);
        let noisy = cost(&[[3.0, 4.0]; 2], false, Rule::default()).unwrap();
        assert!(!noisy.is_exact && noisy.verdict == CostVerdict::Inconclusive);
    }

    #[test]
    fn a_large_change_of_a_noisy_cost_is_proven_in_few_blocks() {
        let mut random = Random::new(7);
        let mut block = |_| [8e6, 75e6].map(|mean| mean * (1.0 + 0.004 * random.normal()));
        let blocks: Vec<[f64; 2]> = (0..40).map(&mut block).collect();
        for rows in [1, 20, 100, 1000] {
            let rule = Rule { benchmarks: 9 * rows, resolution: 5e-4, ..Rule::default() };
            let needed = (6..40)
                .find(|&n| cost(&blocks[..n], false, rule).unwrap().verdict == CostVerdict::More);
            assert!(needed.is_some_and(|needed| needed <= 12), "{rows}: {needed:?}");
        }
    }

    #[test]
    fn quantiles_are_judged_by_intervals_that_lie_apart() {
        let of = |low: f64, high: f64| {
            let interval = Some(Interval { low, high });
            GroupedQuantile { value: (low + high) / 2.0, interval }
        };
        let (base, still) = (of(0.999, 1.001), Interval { low: 0.999, high: 1.001 });
        for (new, change, verdict) in [
            (of(1.1, 1.3), Some(still), CostVerdict::More),
            (of(0.7, 0.9), Some(still), CostVerdict::Less),
            (of(0.995, 1.01), Some(still), CostVerdict::Same),
            (of(1.0, 1.2), Some(still), CostVerdict::Inconclusive),
            (GroupedQuantile { interval: None, ..base }, Some(still), CostVerdict::Inconclusive),
            // All times changed, by as much as is known.
            (base, Some(Interval { low: 1.05, high: 1.15 }), CostVerdict::More),
            (base, Some(Interval { low: 0.6, high: 1.4 }), CostVerdict::Inconclusive),
            (base, None, CostVerdict::Inconclusive),
        ] {
            let typical = [2.0, 2.0];
            let found =
                CostJudgement::of_quantiles([base, new], typical, change, Margin::default());
            assert_eq!((found.verdict, found.is_exact), (verdict, false), "{new:?}");
            assert_eq!((found.base, found.new), (2.0 * base.value, 2.0 * new.value));
        }
    }

    #[test]
    fn noisy_costs_are_judged_as_times_are() {
        let mut random = Random::new(5);
        let mut blocks = |factor: f64| -> Vec<[f64; 2]> {
            (0..20)
                .map(|_| [1e6, factor * 1e6].map(|mean| mean * (1.0 + 0.002 * random.normal())))
                .collect()
        };
        let found = [1.1, 1.0, 0.9, 1.02].map(|factor| judged(&blocks(factor)));
        let verdicts = found.map(|one| one.verdict);
        let [more, same, less] = [CostVerdict::More, CostVerdict::Same, CostVerdict::Less];
        assert_eq!(verdicts, [more, same, less, CostVerdict::Inconclusive], "{found:?}");
        let ratio = found[0].ratio.unwrap();
        assert!(ratio.low > 1.09 && ratio.high < 1.11, "{ratio:?}");
    }
}
