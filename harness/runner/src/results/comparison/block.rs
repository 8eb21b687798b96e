//! The samples of one block, taken by a fresh process of each side or several, and its result.

use crate::{
    analysis::{summary::quantile, verdict},
    record::{BlockRecord, Measurement, WorkerRecord},
    results::clean_samples,
};

/// The findings of one block.
#[derive(Debug, Clone, PartialEq)]
pub struct Block {
    /// The round it belongs to.
    pub round: u32,
    /// The layout of both sides: 0 as they were built, else that of the round, for which they were linked again.
    pub layout: u32,
    /// d: median of ln(new/base).
    pub log_ratio: f64,
    /// The log ratio of CPU times.
    pub cpu_log_ratio: Option<f64>,
    /// Pairs of samples.
    pub pairs: usize,
    /// Robust standard deviation of the log-ratios of the pairs that count.
    pub pair_spread: f64,
    /// The log-ratio by the first pairs alone, for each number of [`PAIRS`](verdict::PAIRS) that it has; empty
    /// where it has several pairs of processes.
    pub of_first: Vec<f64>,
    /// ln of the ratio of mean times.
    pub mean_log_ratio: f64,
    /// Share of pairs of which neither sample was interrupted.
    pub clean: Option<f64>,
    /// Only the pairs of clean samples counted.
    pub clean_only: bool,
    /// Time of a call of base, in nanoseconds.
    pub base_ns: f64,
    /// Time of a call of new, in nanoseconds.
    pub new_ns: f64,
    /// Both in some pairs of samples of each pair of processes; empty for all instances together.
    pub of_samples: Vec<[f64; 2]>,
    /// How the times of base and of new changed while their processes ran: ln of the last third over the first.
    pub ageing: Option<[f64; 2]>,
    /// Standard uncertainty that the clock alone gives to the log-ratio.
    pub resolution: f64,
}

/// The pairs that a side has to begin for a typical one: a single interrupted sample decides nothing then.
const ENOUGH_FIRST: usize = 4;

/// How much longer samples take as the first of a pair than as the second, as the logarithm of the ratio: the second may find what the
/// first left in the processor. `None` if a side came first in too few pairs.
pub(super) fn effect_of_order(measured: &BlockRecord) -> Option<f64> {
    let ratio = |(&base, &new): (&u64, &u64)| (new.max(1) as f64 / base.max(1) as f64).ln();
    let ratios = || measured.base.wall_ns.iter().zip(&measured.new.wall_ns).map(ratio);
    let typical = |first: u8| {
        let began = ratios().zip(measured.order.bytes()).filter(|(_, side)| *side == first);
        let began: Vec<f64> = began.map(|(ratio, _)| ratio).collect();
        quantile(&began, 0.5).ok().filter(|_| began.len() >= ENOUGH_FIRST)
    };
    Some((typical(b'n')? - typical(b'b')?) / 2.0)
}

/// Times of a side, without what its samples that came `first` in their pairs took longer.
fn leveled(times_ns: &[u64], order: &str, first: u8, longer: f64) -> Vec<f64> {
    let factor = |side: Option<u8>| if side == Some(first) { (-longer).exp() } else { 1.0 };
    let mut order = order.bytes();
    times_ns.iter().map(|&time| time as f64 * factor(order.next())).collect()
}

/// Summarizes the samples of one instance by one pair of processes; `None` without samples. `longer` is the effect of their order on
/// the pairs.
///
/// A pair counts if both its samples are clean, by the same rule on both sides, where fewer than 80 % of the pairs
/// are and at least 7. `parallel` is a kernel on several processors or with several callers, whose CPU time is not
/// used.
pub(super) fn block_of(
    measured: &BlockRecord,
    workers: &[WorkerRecord],
    parallel: bool,
    longer: f64,
) -> Option<Block> {
    let (base, new) = (&measured.base, &measured.new);
    let clean = clean_pairs(base, new, parallel);
    let of_base = |times: &[u64]| leveled(times, &measured.order, b'b', longer);
    let of_new = |times: &[u64]| leveled(times, &measured.order, b'n', longer);
    let positive = |times: Vec<f64>| -> Vec<f64> { times.iter().map(|ns| ns.max(1.0)).collect() };
    let (base_ns, new_ns) = (positive(of_base(&base.wall_ns)), positive(of_new(&new.wall_ns)));
    let found = verdict::block(&base_ns, &new_ns, clean.as_deref()).ok()?;
    let typical = |times: &[f64], calls: u64| {
        let counts =
            |index: &usize| !found.clean_only || clean.as_ref().is_none_or(|clean| clean[*index]);
        let used: Vec<f64> = (0..times.len()).filter(counts).map(|index| times[index]).collect();
        Some(quantile(&used, 0.5).ok()? / calls as f64)
    };
    let resolution = |side: &Measurement, times: &[f64]| {
        let tick_ns = workers.get(side.worker?)?.clock?.tick_ns;
        Some(tick_ns / (quantile(times, 0.5).ok()? * 6_f64.sqrt()))
    };
    Some(Block {
        round: measured.round,
        layout: measured.layout,
        log_ratio: found.log_ratio,
        cpu_log_ratio: median_log_ratio(&of_base(&base.cpu_ns), &of_new(&new.cpu_ns)),
        pairs: found.pairs,
        pair_spread: found.pair_spread,
        of_first: found.of_first,
        mean_log_ratio: found.log_ratio_of_means,
        clean: found.clean_fraction,
        clean_only: found.clean_only,
        base_ns: typical(&base_ns, base.calls)?,
        new_ns: typical(&new_ns, new.calls)?,
        of_samples: some_samples(
            base_ns.iter().map(|time| time / base.calls as f64),
            new_ns.iter().map(|time| time / new.calls as f64),
        ),
        ageing: base.ageing(parallel, 0).zip(new.ageing(parallel, 0)).map(Into::into),
        resolution: resolution(base, &base_ns)
            .unwrap_or(0.0)
            .max(resolution(new, &new_ns).unwrap_or(0.0)),
    })
}

/// The pairs of samples of a pair of processes that show at which speeds it ran: enough of them, and few to look at.
const SHOWN: usize = 7;

/// Up to [`SHOWN`] pairs, from all of the time.
fn some_samples(
    base: impl ExactSizeIterator<Item = f64>,
    new: impl Iterator<Item = f64>,
) -> Vec<[f64; 2]> {
    let step = base.len().div_ceil(SHOWN).max(1);
    base.zip(new).step_by(step).map(|(base, new)| [base, new]).collect()
}

/// Which pairs have two clean samples. `None` where that cannot be known: without CPU times, for parallel kernels, and
/// where either side waits.
fn clean_pairs(base: &Measurement, new: &Measurement, parallel: bool) -> Option<Vec<bool>> {
    let clean = |side: &Measurement| clean_samples(&side.wall_ns, &side.cpu_ns, parallel);
    Some(clean(base)?.into_iter().zip(clean(new)?).map(|(base, new)| base && new).collect())
}

/// Returns the median of ln(new/base) of times that are all positive; `None` of none, as where the system does not tell them.
fn median_log_ratio(base: &[f64], new: &[f64]) -> Option<f64> {
    let ratio = |(&base, &new): (&f64, &f64)| (base > 0.0 && new > 0.0).then(|| (new / base).ln());
    let ratios: Option<Vec<f64>> = base.iter().zip(new).map(ratio).collect();
    quantile(&ratios?, 0.5).ok()
}

/// The pairs of processes of a block as one: the medians, of which no single process decides.
pub(super) fn block_of_processes(processes: &[&Block]) -> Block {
    Block {
        of_samples: processes.iter().flat_map(|block| block.of_samples.clone()).collect(),
        ..joined(processes, |values| quantile(values, 0.5).unwrap_or(f64::NAN))
    }
}

/// All instances of a block as one: the mean of the log-ratios, which is the geometric mean of the speedups.
pub(super) fn together(blocks: &[&Block]) -> Block {
    joined(blocks, |values| values.iter().sum::<f64>() / values.len() as f64)
}

/// Several blocks as one, each value the middle of theirs.
fn joined(blocks: &[&Block], middle: fn(&[f64]) -> f64) -> Block {
    let of = |value: fn(&Block) -> f64| {
        let values: Vec<f64> = blocks.iter().map(|block| value(block)).collect();
        middle(&values)
    };
    let all = |value: fn(&Block) -> Option<f64>| {
        let values: Option<Vec<f64>> = blocks.iter().map(|block| value(block)).collect();
        values.map(|values| middle(&values))
    };
    Block {
        round: blocks[0].round,
        layout: blocks[0].layout,
        log_ratio: of(|block| block.log_ratio),
        cpu_log_ratio: all(|block| block.cpu_log_ratio),
        pairs: blocks.iter().map(|block| block.pairs).sum(),
        pair_spread: of(|block| block.pair_spread),
        of_first: if let [alone] = blocks { alone.of_first.clone() } else { Vec::new() },
        mean_log_ratio: of(|block| block.mean_log_ratio),
        clean: all(|block| block.clean),
        clean_only: blocks.iter().any(|block| block.clean_only),
        base_ns: of(|block| block.base_ns),
        new_ns: of(|block| block.new_ns),
        of_samples: Vec::new(),
        ageing: all(|block| block.ageing.map(|[base, _]| base))
            .zip(all(|block| block.ageing.map(|[_, new]| new)))
            .map(Into::into),
        resolution: blocks.iter().map(|block| block.resolution).fold(0.0, f64::max),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn measurement(wall_ns: Vec<u64>, cpu_ns: Vec<u64>) -> Measurement {
        Measurement { calls: 10, windows: 1, wall_ns, cpu_ns, ..Measurement::default() }
    }

    fn measured(order: &str, base: Measurement, new: Measurement) -> BlockRecord {
        let order = order.to_owned();
        BlockRecord { round: base.run, layout: 0, order, time_shared: false, base, new }
    }

    fn summarise(base: Measurement, new: Measurement) -> Block {
        let order = "b".repeat(base.wall_ns.len());
        block_of(&measured(&order, base, new), &[], false, 0.0).unwrap()
    }

    fn quiet(times: &[u64]) -> Measurement {
        measurement(times.to_vec(), times.to_vec())
    }

    #[test]
    fn the_median_pair_decides_and_the_mean_sees_the_tail() {
        let mut new = vec![1030; 20];
        new.push(100_000);
        let found = summarise(quiet(&[1000; 21]), quiet(&new));
        assert!((found.log_ratio - 1.03_f64.ln()).abs() < 1e-12);
        assert!(found.mean_log_ratio > 1.0);
        assert_eq!((found.clean, found.clean_only), (Some(1.0), false));
        assert_eq!((found.base_ns, found.new_ns), (100.0, 103.0));
    }

    #[test]
    fn the_order_of_pairs_is_no_change() {
        // The first of each pair takes 4 % longer, in either process; new is slower by 1 %.
        let times = |order: &str, own: char, typical: f64| -> Vec<u64> {
            let time = |first: char| typical * if first == own { 1.04 } else { 1.0 };
            order.chars().map(|first| time(first).round() as u64).collect()
        };
        for order in ["bnbnbnbnbnbnb", "nbnbnbnbnbnbn", "bbbbbbbbbnnnn"] {
            let base = quiet(&times(order, 'b', 1e6));
            let new = quiet(&times(order, 'n', 1.01e6));
            let measured = measured(order, base, new);
            let longer = effect_of_order(&measured).unwrap();
            assert!((longer - 1.04_f64.ln()).abs() < 1e-5, "{longer}");
            let block = block_of(&measured, &[], false, longer).unwrap();
            assert!((block.log_ratio - 1.01_f64.ln()).abs() < 1e-5, "{block:?}");
            assert!((block.cpu_log_ratio.unwrap() - block.log_ratio).abs() < 1e-9);
            assert!(block.pair_spread < 1e-5 && (block.base_ns - 1e5).abs() < 1.0, "{block:?}");
            let alone = BlockRecord { order: "bbbbbbbbbbnnn".to_owned(), ..measured };
            assert_eq!(effect_of_order(&alone), None, "it is not known");
        }
    }

    #[test]
    fn rows_level_the_order_of_pairs_by_all_processes_so_far() {
        use super::super::{CaseRows, Decided, Missing};
        use crate::record::{ComparedCase, ComparisonSettings, InstanceRecord};
        // From the second process on, one side begins three of five pairs: their median is 4 % off in one direction or the other.
        let block = |round: u32| {
            let order = ["bnbnbnbn", "bnbnb", "nbnbn", "nbnbn"][round.min(3) as usize];
            let side = |own: char| {
                let time = |(index, first): (usize, char)| {
                    let noise = (index as u64 + 7 * u64::from(round)) % 5;
                    10_000 + noise + if first == own { 400 } else { 0 }
                };
                Measurement {
                    run: round,
                    ..quiet(&order.chars().enumerate().map(time).collect::<Vec<_>>())
                }
            };
            measured(order, side('b'), side('n'))
        };
        let instances = vec![InstanceRecord { name: String::new(), work: Vec::new() }];
        let case = ComparedCase {
            blocks: (0..6).map(block).collect(),
            instances,
            ..ComparedCase::default()
        };
        let by = Decided::of_suite(&ComparisonSettings::of_blocks(None), 0.02, 1);
        let mut rows = CaseRows::new(&case);
        rows.take_rounds(&case, &[], &by);
        assert_eq!(rows.outlook(&by)[0].missing, Missing::Nothing);
    }

    #[test]
    fn interrupted_samples_leave_when_enough_pairs_are_clean() {
        // Twelve of 21 pairs: new was interrupted. The other nine say that nothing has changed.
        let walls = |clean: usize| [vec![1000; clean], vec![3000; 12]].concat();
        let new = |clean| measurement(walls(clean), vec![1000; clean + 12]);
        let found = summarise(quiet(&[1000; 21]), new(9));
        assert!(found.clean_only && found.log_ratio == 0.0);
        assert_eq!(found.clean, Some(9.0 / 21.0));
        // With six clean pairs there are too few to decide for the others.
        let found = summarise(quiet(&[1000; 18]), new(6));
        assert!(!found.clean_only && found.log_ratio > 1.0);
        // All pairs are used if CPU time is unknown, or a side waits.
        for new in [measurement(walls(9), vec![]), measurement(walls(9), vec![5; 21])] {
            let found = summarise(quiet(&[1000; 21]), new);
            assert_eq!((found.clean, found.clean_only), (None, false));
        }
    }

    #[test]
    fn no_single_process_decides_a_block() {
        let of = |new: u64| summarise(quiet(&[1000; 21]), quiet(&[new; 21]));
        let processes = [of(1030), of(3000), of(1030)];
        let block = block_of_processes(&processes.iter().collect::<Vec<_>>());
        assert!((block.log_ratio - 1.03_f64.ln()).abs() < 1e-12);
        assert_eq!((block.pairs, block.new_ns, block.clean), (63, 103.0, Some(1.0)));
        let alone = [&processes[0]];
        assert_eq!(block_of_processes(&alone), processes[0]);
    }

    proptest! {
        #[test]
        fn exchanging_the_sides_changes_the_sign(times in prop::collection::vec((1..1_000_000_u64, 1..1_000_000_u64), 1..40)) {
            let (base, new): (Vec<u64>, Vec<u64>) = times.into_iter().unzip();
            let forth = summarise(quiet(&base), quiet(&new));
            let back = summarise(quiet(&new), quiet(&base));
            prop_assert!((forth.log_ratio + back.log_ratio).abs() < 1e-9);
            prop_assert!((forth.mean_log_ratio + back.mean_log_ratio).abs() < 1e-9);
        }
    }
}
