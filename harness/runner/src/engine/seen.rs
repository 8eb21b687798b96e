//! Whether a kernel of which nobody has said how many processors it is for uses several: what the clocks show of its first
//! windows in a process that nothing confines decides for the whole measurement.

use crate::record::MUCH_BESIDE;
use plusminus_worker::protocol::RawSample;

/// The time in nanoseconds that reading the process clocks around a window may add, which looks like the time of
/// other threads.
const READING_NS: u64 = 5_000;

/// Processor time in the windows of a kernel.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Seen {
    /// That of the threads which called it.
    own_ns: u64,
    /// That of all other threads of the process.
    others_ns: u64,
    windows: u64,
}

impl Seen {
    /// Looks at more samples.
    pub(crate) fn look(&mut self, samples: &[RawSample]) {
        for sample in samples {
            // A kernel that times itself is taken to have computed all the time.
            self.own_ns = self.own_ns.saturating_add(sample.cpu_ns.unwrap_or(sample.wall_ns));
            self.others_ns = self.others_ns.saturating_add(sample.others_ns.unwrap_or(0));
            self.windows = self.windows.saturating_add(sample.windows);
        }
    }

    /// The part of the processor time that other threads used.
    pub(crate) fn beside(self) -> f64 {
        self.others_ns as f64 / self.own_ns.saturating_add(self.others_ns).max(1) as f64
    }

    /// Returns whether threads that the kernel has started, or handed its work to, did much of it. It does not look
    /// at wall time: a busy machine makes it longer than the processor time of any kernel. Only threads that run at
    /// once make it shorter, and their time is here.
    pub(crate) fn several(self) -> bool {
        let read = self.windows.saturating_mul(READING_NS);
        self.others_ns > read && self.beside() > MUCH_BESIDE
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
        // Windows so short that reading the clocks takes as long.
        assert!(!several(&[sample(1, Some(1), 2); 100]));
        // A kernel that waits.
        assert!(!several(&[sample(500, Some(3), 0)]) && !several(&[]));
    }
}
