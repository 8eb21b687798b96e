//! Which samples are used: the uninterrupted ones, if the clocks can show that.
//!
//! A sample is clean if its wall time is less than 2 % above its CPU time. On a machine with six to twelve runnable
//! processes on two processors, 16 % of samples of 8 ms were clean; pairs of clean samples gave a planted change of
//! 2.04 % as 1.97 ± 0.06 %, and all pairs as 4.0 ± 0.4 %.

/// The factor below which wall time may exceed CPU time in a clean sample.
const CLEAN: f64 = 1.02;

/// A kernel of which no sample spends this share of its wall time on its own thread waits.
const BUSY: f64 = 0.9;

/// With fewer clean samples than this fraction, only the clean ones count, if there are [`CLEAN_SAMPLES`] of them.
pub(crate) const ENOUGH_CLEAN: f64 = 0.8;

/// The fewest clean samples that count without the others.
pub(super) const CLEAN_SAMPLES: usize = 7;

/// Returns whether a sample ran undisturbed: its wall time is less than 2 % above its CPU time.
fn is_clean(wall_ns: u64, cpu_ns: u64) -> bool {
    (wall_ns as f64) < CLEAN * cpu_ns as f64
}

/// Returns whether a kernel waits, for other threads or for a device: no sample of it spends 90 % of its wall time on
/// its own thread. Its CPU time then does not show interruptions. True without samples.
///
/// The *best* sample decides and not the typical one, because on a busy machine most samples of a kernel that only
/// computes may be interrupted. Of the samples of 8 ms above, 84 % were, each for several times its own length. By
/// the typical sample, that kernel would be one that waits, and all samples would be used although most are
/// interrupted. The price is that a kernel which waits in most samples and in seven or more does not is judged by
/// these.
pub(crate) fn waits(wall_ns: &[u64], cpu_ns: &[u64]) -> bool {
    let is_busy = |(&wall, &cpu): (&u64, &u64)| cpu as f64 >= BUSY * wall.max(1) as f64;
    !wall_ns.iter().zip(cpu_ns).any(is_busy)
}

/// Returns for each sample whether it is clean. `None` if that is unknown: without CPU times, for kernels on several
/// processors or with several callers, and for kernels that wait.
pub fn clean_samples(wall_ns: &[u64], cpu_ns: &[u64], parallel: bool) -> Option<Vec<bool>> {
    let known = !parallel && wall_ns.len() == cpu_ns.len() && !waits(wall_ns, cpu_ns);
    known.then(|| wall_ns.iter().zip(cpu_ns).map(|(&wall, &cpu)| is_clean(wall, cpu)).collect())
}

/// The fraction of clean samples; `None` where [`clean_samples`] is.
pub(crate) fn clean_fraction(wall_ns: &[u64], cpu_ns: &[u64], parallel: bool) -> Option<f64> {
    clean_samples(wall_ns, cpu_ns, parallel).map(|clean| fraction(&clean))
}

/// The fraction of marks that are set.
pub(super) fn fraction(clean: &[bool]) -> f64 {
    clean.iter().filter(|&&clean| clean).count() as f64 / clean.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_is_clean_up_to_two_percent() {
        assert!(is_clean(1019, 1000));
        assert!(!is_clean(1020, 1000));
        assert!(!is_clean(1, 0));
    }

    #[test]
    fn a_kernel_that_waits_has_no_clean_samples_to_count() {
        assert!(waits(&[500_000; 10], &[3_000; 10]));
        assert_eq!(clean_fraction(&[500_000; 10], &[3_000; 10], false), None);
        assert_eq!(clean_fraction(&[], &[], false), None);
        assert_eq!(clean_fraction(&[10; 3], &[], false), None, "no CPU time is known");
        assert_eq!(
            clean_fraction(&[10; 3], &[10; 3], true),
            None,
            "CPU time is that of all threads"
        );
    }

    #[test]
    fn a_kernel_that_is_mostly_interrupted_does_not_wait() {
        // As on the busy machine of the evidence: 16 % of the samples are clean, the others last five times as long.
        let cpu = [8_000_000; 50];
        let wall: Vec<u64> =
            (0..50).map(|i| if i % 6 == 0 { 8_010_000 } else { 40_000_000 }).collect();
        assert!(!waits(&wall, &cpu));
        assert_eq!(clean_fraction(&wall, &cpu, false), Some(0.18));
    }
}
