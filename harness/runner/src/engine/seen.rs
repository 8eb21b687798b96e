//! Whether a kernel of which nobody has said how many processors it is for uses several: what the clocks show of its first
//! windows in a process that nothing confines decides for the whole measurement.

use crate::record::MUCH_BESIDE;
use plusminus_worker::protocol::RawSample;

/// The time in nanoseconds that reading the process clocks around a window may add, which looks like the time of
/// other threads.
const READING_NS: u64 = 5_000;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Seen {
    whole: Used,
    /// Without the sample in which other threads used most of it.
    but_one: Used,
    /// That sample; `None` before the first.
    one: Option<Used>,
    /// Samples, and those in which its thread gave its processor up.
    samples: u64,
    waited: u64,
}

/// Processor time, and the windows in which it was used.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Used {
    /// That of the threads which called the kernel.
    own_ns: u64,
    /// That of all other threads of the process.
    others_ns: u64,
    windows: u64,
}

impl Used {
    /// A kernel that times itself is taken to have computed all the time.
    fn of(sample: &RawSample) -> Self {
        Self {
            own_ns: sample.cpu_ns.unwrap_or(sample.wall_ns),
            others_ns: sample.others_ns.unwrap_or(0),
            windows: sample.windows,
        }
    }

    fn add(&mut self, more: Self) {
        self.own_ns = self.own_ns.saturating_add(more.own_ns);
        self.others_ns = self.others_ns.saturating_add(more.others_ns);
        self.windows = self.windows.saturating_add(more.windows);
    }

    fn beside(self) -> f64 {
        self.others_ns as f64 / self.own_ns.saturating_add(self.others_ns).max(1) as f64
    }
}

impl Seen {
    pub(crate) fn look(&mut self, samples: &[RawSample]) {
        for sample in samples {
            let used = Used::of(sample);
            self.samples = self.samples.saturating_add(1);
            let computed = sample.cpu_ns.is_some() && sample.switches == Some(0);
            self.waited = self.waited.saturating_add(u64::from(!computed));
            self.whole.add(used);
            match &mut self.one {
                None => self.one = Some(used),
                Some(one) if used.others_ns > one.others_ns => {
                    self.but_one.add(std::mem::replace(one, used));
                }
                Some(_) => self.but_one.add(used),
            }
        }
    }

    /// The part of the processor time that other threads used.
    pub(crate) fn beside(self) -> f64 {
        self.whole.beside()
    }

    /// Whether the kernel never waits: what its samples took besides processor time were interruptions. One of several may wait,
    /// such as the first, for the system to read the program.
    pub(crate) fn computes(self) -> bool {
        self.waited <= 1 && self.samples > self.waited
    }

    /// Returns whether threads that the kernel has started, or handed its work to, did much of it. It does not look
    /// at wall time: a busy machine makes it longer than the processor time of any kernel. Only threads that run at
    /// once make it shorter, and their time is here.
    ///
    /// One sample alone proves nothing where there are others: if a virtual machine stands still between two clocks, that time
    /// looks like theirs.
    pub(crate) fn several(self) -> bool {
        let used = if self.but_one.windows > 0 { self.but_one } else { self.whole };
        used.others_ns > used.windows.saturating_mul(READING_NS) && used.beside() > MUCH_BESIDE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(wall_us: u64, own_us: Option<u64>, others_us: u64) -> RawSample {
        RawSample {
            wall_ns: 1000 * wall_us,
            cpu_ns: own_us.map(|us| 1000 * us),
            others_ns: Some(1000 * others_us),
            windows: 1,
            ..RawSample::default()
        }
    }

    fn several(samples: &[RawSample]) -> bool {
        let mut seen = Seen::default();
        samples.iter().for_each(|&sample| seen.look(&[sample]));
        seen.several()
    }

    #[test]
    fn threads_that_compute_in_windows_are_seen_however_busy_the_machine_is() {
        // Two threads at once; one after the other, on a machine that has one processor left; and interrupted as well.
        for wall_us in [260, 500, 5000] {
            assert!(several(&[sample(wall_us, Some(250), 250)]), "{wall_us}");
        }
        // Of which the longest sample says most.
        assert!(several(&[sample(100, Some(100), 100), sample(5000, Some(5000), 5000)]));
        // The thread that calls a pool sleeps meanwhile.
        assert!(several(&[sample(250, Some(3), 490)]));
        // The use of its own thread is not known for a kernel that times itself.
        assert!(several(&[sample(500, None, 400)]));
    }

    #[test]
    fn noise_never_makes_a_kernel_of_one_thread_one_of_several() {
        for wall_us in [500, 520, 50_000] {
            assert!(!several(&[sample(wall_us, Some(500), 0)]), "{wall_us}");
        }
        // A pool that ran while inputs were made goes to sleep in the first window.
        let mut samples = vec![sample(500, Some(500), 400)];
        samples.resize(20, sample(500, Some(500), 0));
        assert!(!several(&samples));
        // The machine stood still between two clocks.
        samples[0] = sample(500, Some(500), 50_000);
        assert!(!several(&samples));
        // Windows so short that reading the clocks takes as long.
        assert!(!several(&[sample(1, Some(1), 2); 100]));
        // A kernel that waits.
        assert!(!several(&[sample(500, Some(3), 0)]) && !several(&[]));
    }

    #[test]
    fn a_kernel_computes_if_it_never_waits_however_long_it_is_interrupted() {
        let computes = |switches: &[Option<u64>]| {
            let mut seen = Seen::default();
            for &switches in switches {
                seen.look(&[RawSample { switches, ..sample(50_000, Some(500), 0) }]);
            }
            seen.computes()
        };
        assert!(computes(&[Some(0)]) && computes(&[Some(3), Some(0)]));
        assert!(!computes(&[Some(1), Some(0), Some(2)]) && !computes(&[None]) && !computes(&[]));
    }
}
