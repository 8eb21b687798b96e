//! The samples of one block, taken by a fresh process of each side or several, and its result.

use crate::{
    analysis::{summary::quantile, verdict},
    record::{BlockRecord, Measurement, WorkerRecord},
    results::{is_clean, waits},
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

/// Summarizes the samples of one instance by one pair of processes; `None` without samples.
///
/// A pair counts if both its samples are clean, by the same rule on both sides, where fewer than 80 % of the pairs
/// are and at least 7. `parallel` is a kernel on several processors or with several callers, whose CPU time is not
/// used.
pub(super) fn block_of(
    measured: &BlockRecord,
    workers: &[WorkerRecord],
    parallel: bool,
) -> Option<Block> {
    let (base, new) = (&measured.base, &measured.new);
    let clean = clean_pairs(base, new, parallel);
    let walls = |side: &Measurement| -> Vec<f64> {
        side.wall_ns.iter().map(|&wall| wall.max(1) as f64).collect()
    };
    let (base_ns, new_ns) = (walls(base), walls(new));
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
        cpu_log_ratio: cpu_log_ratio(base, new),
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
    let tells = |side: &Measurement| {
        side.cpu_ns.len() == side.wall_ns.len() && !waits(&side.wall_ns, &side.cpu_ns)
    };
    (!parallel && tells(base) && tells(new)).then_some(())?;
    let clean =
        |side: &Measurement, index: usize| is_clean(side.wall_ns[index], side.cpu_ns[index]);
    let pairs = base.wall_ns.len().min(new.wall_ns.len());
    Some((0..pairs).map(|index| clean(base, index) && clean(new, index)).collect())
}

/// Returns the median of ln(new/base) of CPU time, if all samples have one.
fn cpu_log_ratio(base: &Measurement, new: &Measurement) -> Option<f64> {
    let whole = |side: &Measurement| side.cpu_ns.len() == side.wall_ns.len();
    (whole(base) && whole(new)).then_some(())?;
    let pairs = base.cpu_ns.iter().zip(&new.cpu_ns);
    let ratio = |(&base, &new): (&u64, &u64)| {
        (base > 0 && new > 0).then(|| (new as f64 / base as f64).ln())
    };
    let ratios: Option<Vec<f64>> = pairs.map(ratio).collect();
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

    fn summarise(base: Measurement, new: Measurement) -> Block {
        let order = "b".repeat(base.wall_ns.len());
        block_of(
            &BlockRecord { round: 0, layout: 0, order, time_shared: false, base, new },
            &[],
            false,
        )
        .unwrap()
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
