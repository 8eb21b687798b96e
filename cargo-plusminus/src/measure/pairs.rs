//! From the pairs of samples of one block to what the block says: the analysis reduces, and here it is decided what a
//! clean sample is. Pure functions.

use plusminus::__runner::RawSample;
use plusminus_analysis::verdict::block;

/// A sample is clean if its wall time exceeds its CPU time by less than this factor: it was hardly interrupted.
const CLEAN: f64 = 1.02;
/// A kernel whose best sample spends less than this share of its wall time on its own thread waits for others.
const WAITS: f64 = 0.9;

/// A sample of each side, taken one right after the other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct PairOfSamples {
    pub(super) base: RawSample,
    pub(super) new: RawSample,
}

/// What a block says.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct PairSummary {
    /// Median of ln(new/base) over the pairs that count.
    pub(super) log_ratio: f64,
    /// The same of CPU time, if it was measured.
    pub(super) cpu_log_ratio: Option<f64>,
    /// ln of the ratio of the mean times: it sees the tail that the median does not.
    pub(super) mean_log_ratio: f64,
    /// Share of pairs with two clean samples; `None` where the notion makes no sense.
    pub(super) clean: Option<f64>,
    /// Only the clean pairs were used.
    pub(super) clean_only: bool,
    /// Median wall time of a sample of base and of new, in nanoseconds.
    pub(super) base_ns: f64,
    /// Of new.
    pub(super) new_ns: f64,
}

/// Whether samples tell by their CPU time that they were interrupted: not for kernels that wait for other threads
/// or for devices, and not where CPU time is unknown.
pub(super) fn can_tell_interruptions(samples: &[RawSample]) -> bool {
    let share = |sample: &RawSample| Some(sample.cpu_ns? as f64 / sample.wall_ns.max(1) as f64);
    let best = samples
        .iter()
        .filter_map(share)
        .fold(None, |best: Option<f64>, share| Some(best.map_or(share, |best| best.max(share))));
    best.is_some_and(|best| best >= WAITS)
}

/// Whether a sample was hardly interrupted.
pub(super) fn is_clean(sample: &RawSample) -> bool {
    sample.cpu_ns.is_some_and(|cpu| (sample.wall_ns as f64) < CLEAN * cpu as f64)
}

/// Summarises the pairs of a block; `None` without pairs.
///
/// The rule for pairs that do not count is the same for both sides: a pair counts if both its samples are clean.
pub(super) fn summarise(pairs: &[PairOfSamples], tells_interruptions: bool) -> Option<PairSummary> {
    if pairs.is_empty() {
        return None;
    }
    let ns = |sample: &RawSample| sample.wall_ns.max(1) as f64;
    let base: Vec<f64> = pairs.iter().map(|pair| ns(&pair.base)).collect();
    let new: Vec<f64> = pairs.iter().map(|pair| ns(&pair.new)).collect();
    let clean: Vec<bool> =
        pairs.iter().map(|pair| is_clean(&pair.base) && is_clean(&pair.new)).collect();
    let found = block(&base, &new, tells_interruptions.then_some(&clean)).ok()?;
    let cpu = |sample: &RawSample| sample.cpu_ns.filter(|&cpu| cpu > 0).map(|cpu| cpu as f64);
    let cpu_ratios: Option<Vec<f64>> =
        pairs.iter().map(|pair| Some((cpu(&pair.new)? / cpu(&pair.base)?).ln())).collect();
    let typical = |times: Vec<f64>| {
        let used = times.iter().zip(&clean).filter(|(_, clean)| !found.clean_only || **clean);
        median(used.map(|(time, _)| *time).collect())
    };
    Some(PairSummary {
        log_ratio: found.log_ratio,
        cpu_log_ratio: cpu_ratios.map(median),
        mean_log_ratio: found.log_ratio_of_means,
        clean: found.clean_fraction,
        clean_only: found.clean_only,
        base_ns: typical(base),
        new_ns: typical(new),
    })
}

/// The median of at least one number.
pub(super) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    let half = values.len() / 2;
    if values.len() % 2 == 1 { values[half] } else { (values[half - 1] + values[half]) / 2.0 }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn sample(wall_ns: u64, cpu_ns: u64) -> RawSample {
        RawSample { wall_ns, cpu_ns: Some(cpu_ns), ..RawSample::default() }
    }

    fn pair(base: u64, new: u64) -> PairOfSamples {
        PairOfSamples { base: sample(base, base), new: sample(new, new) }
    }

    #[test]
    fn the_median_pair_decides_and_the_mean_sees_the_tail() {
        let mut pairs = vec![pair(1000, 1030); 20];
        pairs.push(pair(1000, 100_000));
        let summary = summarise(&pairs, true).unwrap();
        assert!((summary.log_ratio - 1.03_f64.ln()).abs() < 1e-12);
        assert!(summary.mean_log_ratio > 1.0);
        assert_eq!((summary.clean, summary.clean_only), (Some(1.0), false));
        assert_eq!((summary.base_ns, summary.new_ns), (1000.0, 1030.0));
    }

    #[test]
    fn interrupted_samples_leave_when_enough_pairs_are_clean() {
        // Twelve of 21 pairs: new was interrupted. The other nine say that nothing has changed.
        let mut pairs = vec![pair(1000, 1000); 9];
        pairs.extend([PairOfSamples { base: sample(1000, 1000), new: sample(3000, 1000) }; 12]);
        let summary = summarise(&pairs, true).unwrap();
        assert!(summary.clean_only && summary.log_ratio == 0.0);
        assert_eq!(summary.clean, Some(9.0 / 21.0));
        // With six clean pairs there are too few to decide for the others.
        let summary = summarise(&pairs[3..], true).unwrap();
        assert!(!summary.clean_only && summary.log_ratio > 1.0);
        // And where CPU time tells nothing, all pairs count.
        let summary = summarise(&pairs, false).unwrap();
        assert_eq!((summary.clean, summary.clean_only), (None, false));
    }

    #[test]
    fn a_kernel_that_waits_cannot_tell_interruptions() {
        assert!(can_tell_interruptions(&[sample(1000, 995), sample(9000, 1000)]));
        assert!(!can_tell_interruptions(&[sample(1000, 600), sample(9000, 1000)]));
        let unknown = RawSample { cpu_ns: None, ..sample(1, 1) };
        assert!(!can_tell_interruptions(&[unknown]));
    }

    proptest! {
        #[test]
        fn exchanging_the_sides_changes_the_sign(times in prop::collection::vec((1..1_000_000_u64, 1..1_000_000_u64), 1..40)) {
            let forth: Vec<_> = times.iter().map(|&(a, b)| pair(a, b)).collect();
            let back: Vec<_> = times.iter().map(|&(a, b)| pair(b, a)).collect();
            let (forth, back) = (summarise(&forth, true).unwrap(), summarise(&back, true).unwrap());
            prop_assert!((forth.log_ratio + back.log_ratio).abs() < 1e-9);
            prop_assert!((forth.mean_log_ratio + back.mean_log_ratio).abs() < 1e-9);
        }
    }
}
