//! From the pairs of samples of one block to what the block says: the analysis reduces, and here it is decided what a
//! clean sample is. Pure functions.

use plusminus::record::Measurement;
use plusminus_analysis::{steady, verdict::block};

/// A sample is clean if its wall time exceeds its CPU time by less than this factor: it was hardly interrupted.
const CLEAN: f64 = 1.02;
/// A kernel whose best sample spends less than this share of its wall time on its own thread waits for others.
const WAITS: f64 = 0.9;

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
fn can_tell_interruptions(side: &Measurement) -> bool {
    let shares = side.wall_ns.iter().zip(&side.cpu_ns);
    let best = shares.map(|(&wall, &cpu)| cpu as f64 / wall.max(1) as f64).fold(0.0, f64::max);
    side.cpu_ns.len() == side.wall_ns.len() && best >= WAITS
}

/// Which samples were hardly interrupted.
fn clean_samples(side: &Measurement) -> Vec<bool> {
    let is_clean = |(&wall, &cpu): (&u64, &u64)| (wall as f64) < CLEAN * cpu as f64;
    let clean: Vec<bool> = side.wall_ns.iter().zip(&side.cpu_ns).map(is_clean).collect();
    if clean.len() == side.wall_ns.len() { clean } else { vec![false; side.wall_ns.len()] }
}

/// Whether a process became steady; `None` if its samples are too few to tell. CPU time is looked at where it is the time
/// of the kernel: interruptions are no change of the program.
pub(super) fn was_steady(side: &Measurement) -> Option<bool> {
    let series: Vec<f64> = if can_tell_interruptions(side) {
        side.cpu_ns.iter().map(|&ns| ns.max(1) as f64).collect()
    } else {
        side.warm_up_ns.iter().chain(&side.wall_ns).map(|&ns| ns.max(1) as f64).collect()
    };
    let found = steady::classify(&series).ok()?;
    Some(found.steadiness != steady::Steadiness::NoSteadyState)
}

/// Summarises the pairs of a block; `None` without pairs. Where several processors or callers are at work (`parallel`),
/// CPU time is that of all of them or of one, and says nothing about interruptions.
///
/// The rule for pairs that do not count is the same for both sides: a pair counts if both its samples are clean.
pub(super) fn summarise(
    of_base: &Measurement,
    of_new: &Measurement,
    parallel: bool,
) -> Option<PairSummary> {
    let ns = |side: &Measurement| -> Vec<f64> {
        side.wall_ns.iter().map(|&ns| ns.max(1) as f64).collect()
    };
    let (base, new) = (ns(of_base), ns(of_new));
    if base.is_empty() || base.len() != new.len() {
        return None;
    }
    let tells_interruptions =
        !parallel && can_tell_interruptions(of_base) && can_tell_interruptions(of_new);
    let clean: Vec<bool> = clean_samples(of_base)
        .into_iter()
        .zip(clean_samples(of_new))
        .map(|(base, new)| base && new)
        .collect();
    let found = block(&base, &new, tells_interruptions.then_some(&clean)).ok()?;
    let cpu_ratio = |(&base, &new): (&u64, &u64)| {
        (base > 0 && new > 0).then(|| (new as f64 / base as f64).ln())
    };
    let cpu_ratios: Option<Vec<f64>> =
        of_base.cpu_ns.iter().zip(&of_new.cpu_ns).map(cpu_ratio).collect();
    let cpu_ratios = cpu_ratios.filter(|ratios| ratios.len() == base.len());
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

    /// Samples of wall and CPU time.
    fn side(samples: &[(u64, u64)]) -> Measurement {
        Measurement {
            calls: 1,
            wall_ns: samples.iter().map(|(wall, _)| *wall).collect(),
            cpu_ns: samples.iter().map(|(_, cpu)| *cpu).collect(),
            ..Measurement::default()
        }
    }

    /// Undisturbed samples.
    fn quiet(times: &[u64]) -> Measurement {
        side(&times.iter().map(|&time| (time, time)).collect::<Vec<_>>())
    }

    #[test]
    fn the_median_pair_decides_and_the_mean_sees_the_tail() {
        let (mut base, mut new) = (vec![1000; 20], vec![1030; 20]);
        base.push(1000);
        new.push(100_000);
        let summary = summarise(&quiet(&base), &quiet(&new), false).unwrap();
        assert!((summary.log_ratio - 1.03_f64.ln()).abs() < 1e-12);
        assert!(summary.mean_log_ratio > 1.0);
        assert_eq!((summary.clean, summary.clean_only), (Some(1.0), false));
        assert_eq!((summary.base_ns, summary.new_ns), (1000.0, 1030.0));
    }

    #[test]
    fn interrupted_samples_leave_when_enough_pairs_are_clean() {
        // Twelve of 21 pairs: new was interrupted. The other nine say that nothing has changed.
        let base = quiet(&[1000; 21]);
        let interrupted = |clean: usize| {
            let mut samples = vec![(1000, 1000); clean];
            samples.resize(21, (3000, 1000));
            side(&samples)
        };
        let summary = summarise(&base, &interrupted(9), false).unwrap();
        assert!(summary.clean_only && summary.log_ratio == 0.0);
        assert_eq!(summary.clean, Some(9.0 / 21.0));
        // With six clean pairs there are too few to decide for the others.
        let summary = summarise(&base, &interrupted(6), false).unwrap();
        assert!(!summary.clean_only && summary.log_ratio > 1.0);
        // And where CPU time tells nothing, all pairs count.
        let summary = summarise(&base, &interrupted(9), true).unwrap();
        assert_eq!((summary.clean, summary.clean_only), (None, false));
    }

    #[test]
    fn a_kernel_that_waits_cannot_tell_interruptions() {
        assert!(can_tell_interruptions(&side(&[(1000, 995), (9000, 1000)])));
        assert!(!can_tell_interruptions(&side(&[(1000, 600), (9000, 1000)])));
        let unknown = Measurement { cpu_ns: Vec::new(), ..quiet(&[1, 2]) };
        assert!(!can_tell_interruptions(&unknown));
    }

    proptest! {
        #[test]
        fn exchanging_the_sides_changes_the_sign(times in prop::collection::vec((1..1_000_000_u64, 1..1_000_000_u64), 1..40)) {
            let (a, b): (Vec<u64>, Vec<u64>) = times.into_iter().unzip();
            let forth = summarise(&quiet(&a), &quiet(&b), false).unwrap();
            let back = summarise(&quiet(&b), &quiet(&a), false).unwrap();
            prop_assert!((forth.log_ratio + back.log_ratio).abs() < 1e-9);
            prop_assert!((forth.mean_log_ratio + back.mean_log_ratio).abs() < 1e-9);
        }
    }
}
