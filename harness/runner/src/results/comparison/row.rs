//! One line of a comparison: the blocks of a benchmark on an instance, or on all of them, and what they prove.

use super::{
    Block, Decided, Missing, Outlook, RowResult, opinions::second_opinions, verdict::judged,
};
use crate::{
    analysis::verdict::{
        Doubt, Margin, Pairs, Rule, Scatter, Verdict, blocks_by_pairs, blocks_until, decide_blocks,
    },
    results::Time,
};

#[derive(Debug, Clone)]
pub(super) struct Row {
    /// The instance; `None` for all of them together.
    pub(crate) instance: Option<String>,
    pub(crate) blocks: Vec<Block>,
    /// Standard uncertainty that the clock gives to one block.
    pub(crate) resolution: f64,
    pub(crate) open: bool,
}

/// Blocks from which on the number for a verdict can be forecast.
pub(super) const FORECAST_FROM: usize = 12;

/// Blocks from which on two speeds are taken for a property of the benchmark, which more blocks would show again.
const FIRM_FROM: usize = 30;

/// The chance of a final verdict below which further blocks are not worth their time, and that at which one is likely.
const SOONEST: f64 = 0.05;
const LIKELY: f64 = 0.5;

pub(super) const MINIMUM_BLOCKS: usize = 6;

impl Row {
    pub(crate) fn new(instance: Option<String>, resolution: f64) -> Self {
        Self { instance, blocks: Vec::new(), resolution, open: true }
    }

    fn log_ratios(&self) -> Vec<f64> {
        self.blocks.iter().map(|block| block.log_ratio).collect()
    }

    /// Returns whether the verdict is final, so that measuring this row ends: proven to lie within the margin, or
    /// beyond it. A doubt may be chance: a row with one is reported as inconclusive, and is measured further while
    /// there is time.
    pub(crate) fn is_decided(&self, by: &Decided) -> bool {
        self.is_proven(by) && self.judged(by).doubts.is_empty()
    }

    fn is_proven(&self, by: &Decided) -> bool {
        decide_blocks(&self.log_ratios(), self.rule(by)).is_ok_and(|decided| decided.is_some())
    }

    /// Returns the proof that more blocks are wanted for, and how many it will take. Every block is an independent
    /// draw: an average of neighbors counts as its two blocks. A margin of 0 has no forecast: no number of blocks
    /// proves that nothing changed, so all of them are measured.
    pub(super) fn outlook(&self, by: &Decided) -> Outlook {
        if !self.open {
            return Outlook::of(Missing::Nothing);
        }
        let judged = self.judged(by);
        let missing =
            match judged.judgement.verdict == Verdict::Inconclusive || !judged.doubts.is_empty() {
                true => Missing::Sign,
                false => Missing::Size,
            };
        if self.blocks.len() >= FIRM_FROM
            && judged.doubts.iter().any(|doubt| matches!(doubt, Doubt::TwoSpeeds(_)))
        {
            let never = Some(usize::MAX);
            return Outlook { soonest: never, likely: never, ..Outlook::of(missing) };
        }
        let (log_ratios, rule) = (self.log_ratios(), self.rule(by));
        let by_pairs = Scatter::of(&self.blocks.iter().map(pairs_of).collect::<Vec<_>>())
            .and_then(|scatter| blocks_by_pairs(&log_ratios, rule, scatter).ok());
        if self.blocks.len() < FORECAST_FROM || by.margin == 0.0 {
            return Outlook { by_pairs, ..Outlook::of(missing) };
        }
        let chances = [SOONEST, LIKELY];
        let [soonest, likely] = blocks_until(&log_ratios, rule, chances).unwrap_or_default();
        let never = |blocks: Option<usize>| Some(blocks.unwrap_or(usize::MAX));
        Outlook { missing, by_pairs, soonest: never(soonest), likely: never(likely) }
    }

    fn rule(&self, by: &Decided) -> Rule {
        Rule {
            // Options take no margin that is rejected here, and records with one are not read.
            margin: Margin::new(by.margin).unwrap_or_default(),
            alpha: by.alpha,
            benchmarks: by.rows.max(1),
            rarer_alarms: by.rarer_alarms,
            minimum_blocks: MINIMUM_BLOCKS,
            resolution: self.resolution,
        }
    }

    /// The verdict if measuring ends here, with the checks that belong to the row alone.
    pub(crate) fn conclude(&self, by: &Decided) -> RowResult {
        let judged = self.judged(by);
        RowResult {
            instance: self.instance.clone(),
            times: times(&self.blocks),
            notes: second_opinions(&self.blocks, &judged),
            blocks: self.blocks.clone(),
            ..judged
        }
    }

    pub(super) fn judged(&self, by: &Decided) -> RowResult {
        judged(&self.blocks, self.rule(by), by.margin)
    }
}

fn pairs_of(block: &Block) -> Pairs<'_> {
    Pairs {
        log_ratio: block.log_ratio,
        spread: block.pair_spread,
        count: block.pairs,
        of_first: &block.of_first,
    }
}

/// The times of both sides as the blocks alone tell them.
fn times(blocks: &[Block]) -> Option<[Time; 2]> {
    let of = |side: fn(&Block) -> f64| {
        let means: Vec<f64> = blocks.iter().map(side).collect();
        Time::of_runs(&means, 0.0)
    };
    Some([of(|block| block.base_ns)?, of(|block| block.new_ns)?])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{analysis::random::Random, record::ComparisonSettings};

    fn row(values: impl IntoIterator<Item = f64>) -> Row {
        let mut row = Row::new(None, 1e-6);
        for (round, log_ratio) in values.into_iter().enumerate() {
            row.blocks.push(Block {
                round: round as u32,
                layout: 0,
                log_ratio,
                cpu_log_ratio: Some(log_ratio),
                pairs: 21,
                pair_spread: 0.002,
                of_first: Vec::new(),
                mean_log_ratio: log_ratio,
                clean: Some(1.0),
                clean_only: false,
                base_ns: 100.0,
                new_ns: 100.0 * log_ratio.exp(),
                of_samples: vec![[100.0, 100.0 * log_ratio.exp()]],
                ageing: Some([0.0; 2]),
                resolution: 0.0,
            });
        }
        row
    }

    fn decided(rows: usize) -> Decided {
        Decided::of_suite(&ComparisonSettings::of_blocks(None), 0.02, rows)
    }

    fn noise(index: usize) -> f64 {
        0.002 * ((index * 7 % 11) as f64 / 5.0 - 1.0)
    }

    #[test]
    fn equal_sides_are_the_same_and_a_clear_change_is_slower() {
        let same = row((0..8).map(noise));
        assert!(same.is_decided(&decided(10)));
        assert_eq!(same.conclude(&decided(10)).judgement.verdict, Verdict::WithinMargin);
        let slower = row((0..12).map(|index| 0.05 + noise(index)));
        assert!(slower.is_decided(&decided(10)));
        let result = slower.conclude(&decided(10));
        assert_eq!(result.judgement.verdict, Verdict::Slower);
        assert!(result.doubts.is_empty() && result.notes.is_empty(), "{result:?}");
    }

    #[test]
    fn a_row_with_a_doubt_is_measured_further() {
        // In the first processes new became faster and faster, in the others it did not.
        let mut growing = row((0..8).map(|index| 0.05 + noise(index)));
        growing.blocks.iter_mut().for_each(|block| block.ageing = Some([0.0, -0.1]));
        assert!(growing.is_proven(&decided(1)) && !growing.is_decided(&decided(1)));
        assert_eq!(growing.outlook(&decided(1)).missing, Missing::Sign);
        while !growing.is_decided(&decided(1)) {
            assert!(growing.blocks.len() < 60);
            growing.blocks.push(row([0.05 + noise(growing.blocks.len())]).blocks.remove(0));
        }
        assert_eq!(growing.conclude(&decided(1)).judgement.verdict, Verdict::Slower);
    }

    #[test]
    fn a_row_is_decided_where_its_conclusion_is_final() {
        for change in [0.0, 0.015, 0.03, 0.05] {
            let mut growing = row([]);
            for index in 0..30 {
                growing.blocks.push(row([change + 3.0 * noise(index)]).blocks.remove(0));
                let judgement = growing.conclude(&decided(10)).judgement;
                let is_final =
                    judgement.verdict == Verdict::WithinMargin || judgement.beyond_margin;
                assert_eq!(growing.is_decided(&decided(10)), is_final, "{change} {index}");
            }
        }
    }

    #[test]
    fn a_row_is_given_up_only_beside_a_margin() {
        let wide = row((0..20).map(|index| 30.0 * noise(index)));
        let soonest = |margin| wide.outlook(&Decided { margin, ..decided(1) }).soonest;
        assert!(soonest(0.001).is_some_and(|blocks| blocks > 60), "{:?}", soonest(0.001));
        assert_eq!(soonest(0.0), None);
        // With a margin of 0, nothing is proven equal, however many blocks are.
        let equal = row((0..60).map(noise));
        assert!(equal.is_decided(&decided(1)));
        assert!(!equal.is_decided(&Decided { margin: 0.0, ..decided(1) }));
    }

    #[test]
    fn a_suite_needs_more_proof_for_an_alarm() {
        let slower = row((0..7).map(|index| 0.05 + noise(index)));
        assert_eq!(slower.conclude(&decided(1)).judgement.verdict, Verdict::Slower);
        assert_eq!(slower.conclude(&decided(500)).judgement.verdict, Verdict::Inconclusive);
    }

    #[test]
    fn drift_makes_a_row_unreliable() {
        let drifting = row((0..20).map(|index| 0.004 * index as f64 + noise(index)));
        let result = drifting.conclude(&decided(1));
        assert!(!result.doubts.is_empty(), "{result:?}");
        // As certain, but a hundred times smaller: no verdict hangs on it.
        let slight = row((0..20).map(|index| 0.000_04 * index as f64 + noise(index) / 100.0));
        let result = slight.conclude(&decided(1));
        assert!(
            !result.doubts.iter().any(|doubt| matches!(doubt, Doubt::Drift { .. })),
            "{result:?}"
        );
        assert_eq!(result.judgement.verdict, Verdict::WithinMargin);
    }

    #[test]
    fn no_drift_turns_a_change_that_is_much_larger() {
        let drifting =
            |change: f64| row((0..6).map(|index| change + 0.05 * index as f64 + noise(index)));
        let faster = drifting(-3.0).conclude(&decided(1));
        assert!(faster.doubts.is_empty(), "{faster:?}");
        assert_eq!(faster.judgement.verdict, Verdict::Faster);
        // Gone on as far again, it would be no change.
        let doubtful = drifting(-0.5).conclude(&decided(1));
        assert!(matches!(doubtful.doubts[..], [Doubt::Drift { .. }]), "{doubtful:?}");
    }

    /// Twelve blocks whose sides change by so much while their processes run.
    fn ageing(change: f64, [base, new]: [f64; 2]) -> RowResult {
        let mut row = row((0..12).map(|index| change + noise(index)));
        for (index, block) in row.blocks.iter_mut().enumerate() {
            block.ageing = Some([base + noise(index), new + noise(index + 3)]);
        }
        row.conclude(&decided(1))
    }

    #[test]
    fn a_difference_that_moves_while_processes_run_is_a_doubt_where_it_could_turn_the_verdict() {
        for (change, ages, doubtful) in [
            (0.05, [0.0, -0.1], true),
            (-0.05, [0.0, 0.1], true),
            (0.0, [0.0, 0.1], true),
            // On towards where it is already, or too slowly to come back.
            (0.05, [0.0, 0.1], false),
            (0.5, [0.0, -0.1], false),
            (0.05, [0.0, -0.02], false),
        ] {
            let result = ageing(change, ages);
            let found = matches!(result.doubts[..], [Doubt::NoSteadyState { .. }]);
            assert_eq!(found, doubtful, "{change} {ages:?}: {result:?}");
        }
    }

    #[test]
    fn correlated_blocks_are_a_doubt_where_the_width_that_they_need_could_turn_the_verdict() {
        // Each block keeps most of the one before it, which averages of two leave correlated.
        let blocks = |change: f64| {
            let (mut random, mut kept) = (Random::new(3), 0.0);
            row((0..96).map(|_| {
                kept = 0.8 * kept + 0.01 * random.normal();
                change + kept
            }))
        };
        let found = |change| {
            let result = blocks(change).conclude(&decided(1));
            let doubt = |doubt: &Doubt| matches!(doubt, Doubt::CorrelatedBlocks { .. });
            (result.judgement.verdict, result.doubts.iter().any(doubt))
        };
        assert_eq!(found(0.3), (Verdict::Slower, false));
        assert_eq!(found(-0.3), (Verdict::Faster, false));
        assert!(found(0.012).1);
    }

    #[test]
    fn a_change_of_the_shares_of_two_speeds_is_a_doubt_for_kernels_on_one_thread() {
        // Base is slow in 3 of 4 blocks, new in 1 of 4: at equal speed, new is slower by 5 %.
        let speeds = |index: usize| (!index.is_multiple_of(4), index % 4 == 2);
        let level = |slow: bool| if slow { 130.0_f64 } else { 100.0 };
        let mut row = row((0..60).map(|index| {
            let (base, new) = speeds(index);
            (1.05 * level(new) / level(base)).ln() + noise(index)
        }));
        for (index, block) in row.blocks.iter_mut().enumerate() {
            let base = level(speeds(index).0);
            block.of_samples = vec![[base, base * block.log_ratio.exp()]];
        }
        let doubted = row.conclude(&decided(1));
        assert_eq!(doubted.judgement.verdict, Verdict::Faster);
        let [Doubt::TwoSpeeds(shares)] = doubted.doubts[..] else { panic!("{doubted:?}") };
        assert_eq!(shares.slow, [0.75, 0.25]);
        assert!((shares.equal - 1.05_f64.ln()).abs() < 0.005, "{shares:?}");
        assert_eq!(row.outlook(&decided(1)).soonest, Some(usize::MAX), "more blocks show the same");
        row.blocks.iter_mut().for_each(|block| block.clean = None);
        assert!(row.conclude(&decided(1)).doubts.is_empty());
    }

    #[test]
    fn sides_that_change_alike_are_compared_and_a_note_says_it() {
        let result = ageing(0.05, [0.2, 0.2]);
        assert!(result.doubts.is_empty(), "{result:?}");
        assert_eq!(result.judgement.verdict, Verdict::Slower);
        assert_eq!(result.notes.len(), 2, "{:?}", result.notes);
        assert!(result.notes[0].starts_with("base gets slower while a process measures it, by 2"));
    }

    #[test]
    fn a_long_warm_up_at_another_speed_takes_no_verdict_back() {
        use crate::record::{BlockRecord, Measurement};
        // 167 ms of warm-up by itself, and then 21 samples in turns with the other side, which are slower.
        let side = |sample_ns: u64, seed: u64| {
            let times = |ns: u64, count: u64| (0..count).map(move |i| ns + (i * 37 + seed) % 1001);
            let warm_up_ns: Vec<u64> = times(500_000, 333).collect();
            let wall_ns: Vec<u64> = times(sample_ns, 21).collect();
            Measurement {
                calls: 10,
                windows: 1,
                warm_up_cpu_ns: warm_up_ns.clone(),
                warm_up_ns,
                cpu_ns: wall_ns.clone(),
                wall_ns,
                ..Measurement::default()
            }
        };
        let mut row = Row::new(None, 1e-6);
        let mut random = Random::new(1);
        for round in 0..24 {
            let mut noisy = |ns| side(ns, (1000.0 * random.uniform()) as u64);
            let (base, new) = (noisy(520_000), noisy(546_000));
            let order = "b".repeat(21);
            let measured = BlockRecord { round, layout: 0, order, time_shared: false, base, new };
            row.blocks.push(super::super::block_of(&measured, &[], false, 0.0).unwrap());
        }
        let result = row.conclude(&decided(1));
        assert!(result.doubts.is_empty() && result.notes.is_empty(), "{result:?}");
        assert_eq!(result.judgement.verdict, Verdict::Slower);
    }

    #[test]
    fn a_changed_tail_is_told() {
        let mut spiky = row((0..10).map(noise));
        spiky.blocks.iter_mut().for_each(|block| block.mean_log_ratio += 0.3);
        let result = spiky.conclude(&decided(1));
        assert!(result.notes[0].contains("the tail changed"), "{result:?}");
    }
}
