//! Benchmarks of two speeds, by where the linker has put them or by what a process has learnt: like is compared with like.

use super::Block;
use crate::{
    analysis::speeds::{TwoSpeeds, two_speeds},
    listed::Listed,
};

/// The speeds of both sides of a row: `None` for a side of one speed.
#[derive(Debug, Clone)]
pub(super) struct Speeds<'b> {
    blocks: &'b [Block],
    base: Option<TwoSpeeds>,
    new: Option<TwoSpeeds>,
}

impl<'b> Speeds<'b> {
    /// Looks at the times of the blocks of each side.
    pub(super) fn of(blocks: &'b [Block]) -> Self {
        let times = |side: fn(&Block) -> f64| blocks.iter().map(side).listed();
        Self {
            blocks,
            base: two_speeds(&times(|block| block.base_ns)),
            new: two_speeds(&times(|block| block.new_ns)),
        }
    }

    /// The speeds of base and of new.
    pub(super) fn both(self) -> [Option<TwoSpeeds>; 2] {
        [self.base, self.new]
    }

    /// The blocks in which both sides were fast, or both slow. `None` unless both have two speeds, and are slow equally often as
    /// far as can be told: a version that is slow more often than the other is slower.
    pub(super) fn like(&self) -> Option<Vec<&'b Block>> {
        let (Some(base), Some(new)) = (&self.base, &self.new) else { return None };
        let is_like = |block: &&Block| base.is_slow(block.base_ns) == new.is_slow(block.new_ns);
        base.has_share_of(new).then(|| self.blocks.iter().filter(is_like).listed())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        analysis::{random::Random, verdict::Verdict},
        results::comparison::{Decided, Row},
    };

    fn block(base_ns: f64, new_ns: f64) -> Block {
        let log_ratio = (new_ns / base_ns).ln();
        Block {
            round: 0,
            layout: 0,
            log_ratio,
            cpu_log_ratio: Some(log_ratio),
            mean_log_ratio: log_ratio,
            clean: Some(1.0),
            clean_only: false,
            base_ns,
            new_ns,
            ageing: None,
            resolution: 0.0,
        }
    }

    /// The verdict on up to `most` blocks of a kernel that is twice as slow in the given shares of the layouts of base and new.
    fn verdict(change: f64, shares: [f64; 2], most: usize, random: &mut Random) -> Verdict {
        let by = Decided { margin: 0.02, alpha: 0.05, rows: 1, rarer_alarms: 1.0 };
        let mut row = Row::new(None, 1e-6);
        for _ in 0..most {
            let [base, new] =
                shares.map(|share| if random.uniform() < share { 760.0 } else { 380.0 });
            let noise = |random: &mut Random| (0.005 * random.normal()).exp();
            let base = base * noise(random);
            let new = new * change * noise(random);
            row.blocks.push(block(base, new));
            if row.is_decided(&by) {
                break;
            }
        }
        row.judged(&by).judgement.verdict
    }

    /// How many of a hundred comparisons come to each of `slower` or `faster`, and `same`.
    fn counts(change: f64, shares: [f64; 2], most: usize) -> [usize; 2] {
        let mut random = Random::new(7);
        let verdicts: Vec<Verdict> =
            (0..100).map(|_| verdict(change, shares, most, &mut random)).collect();
        let changed = |verdict: &&Verdict| matches!(verdict, Verdict::Slower | Verdict::Faster);
        let same = |verdict: &&Verdict| **verdict == Verdict::Same;
        [verdicts.iter().filter(changed).count(), verdicts.iter().filter(same).count()]
    }

    #[test]
    fn like_is_compared_with_like() {
        for share in [0.3, 0.5] {
            let [changed, same] = counts(1.0, [share; 2], 60);
            assert!(changed <= 2 && same >= 95, "the same code: {changed} {same}");
            let [changed, same] = counts(1.03, [share; 2], 60);
            assert!(changed >= 95 && same == 0, "+3 %: {changed} {same}");
        }
    }

    #[test]
    fn a_version_that_is_slow_more_often_is_not_called_the_same() {
        let [changed, same] = counts(1.0, [0.1, 0.9], 60);
        assert!(changed >= 95 && same == 0, "{changed} {same}");
        let one_speed: Vec<Block> =
            (0..20).map(|n| block(380.0 + f64::from(n % 2), 381.0)).collect();
        assert!(Speeds::of(&one_speed).like().is_none());
        let blocks: Vec<Block> =
            (0..20).map(|n| block(380.0, if n % 2 == 0 { 380.0 } else { 760.0 })).collect();
        let speeds = Speeds::of(&blocks);
        assert!(speeds.base.is_none() && speeds.new.is_some() && speeds.like().is_none());
    }
}
