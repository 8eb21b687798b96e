//! Workers whose threads go on while the other side is asked: each is stopped until it is its turn again.

use std::time::{Duration, Instant};

use plusminus_worker::sys;

/// The processor time that a worker may use in all its waits before it counts as busy: that of threads which run is known to a tick
/// of the system's clock.
const LEAST_USED: Duration = Duration::from_millis(2);

/// The part of its waits that it may use. A pool looks for more work for a moment before it sleeps.
const MOST_USED: f64 = 0.05;

/// A worker between an answer and the next request.
pub(super) struct Waiting {
    /// Its process; `None` for a launcher, which only starts other processes.
    process: Option<u32>,
    /// When the present wait began, and the processor time of the process then; `None` where it is stopped, or does not wait.
    since: Option<(Instant, Duration)>,
    /// All waits that are over, but those in which it was stopped.
    so_far: Waits,
    rests: bool,
    stopped: bool,
}

#[derive(Debug, Clone, Copy, Default)]
struct Waits {
    lasted: Duration,
    used: Duration,
}

impl Waits {
    fn are_busy(self) -> bool {
        self.used >= LEAST_USED && self.used > self.lasted.mul_f64(MOST_USED)
    }
}

impl Waiting {
    pub(super) fn of(process: Option<u32>) -> Self {
        Self { process, since: None, so_far: Waits::default(), rests: false, stopped: false }
    }

    pub(super) fn begin(&mut self) {
        let Some(process) = self.process else { return };
        if self.rests {
            sys::stop(process);
            self.stopped = true;
        } else {
            self.since =
                sys::cpu_ns_of(process).map(|ns| (Instant::now(), Duration::from_nanos(ns)));
        }
    }

    pub(super) fn end(&mut self) {
        let Some(process) = self.process else { return };
        if std::mem::take(&mut self.stopped) {
            sys::go_on(process);
        }
        let Some((since, before)) = self.since.take() else { return };
        if let Some(now) = sys::cpu_ns_of(process) {
            self.so_far.lasted += since.elapsed();
            self.so_far.used += Duration::from_nanos(now).saturating_sub(before);
        }
    }

    /// Whether its threads have gone on in the waits that are over.
    pub(super) fn goes_on(&self) -> bool {
        self.so_far.are_busy()
    }

    /// Has it stopped in its waits from now on, and in the present one.
    pub(super) fn rest(&mut self) {
        self.rests = true;
        if self.since.take().is_some() {
            self.begin();
        }
    }

    /// The worker loads other benchmarks, whose threads are not those of the ones before.
    pub(super) fn renew(&mut self) {
        (self.so_far, self.rests) = (Waits::default(), false);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_worker_is_busy_if_it_computes_while_it_waits() {
        let busy = |lasted_us, used_us| {
            let [lasted, used] = [lasted_us, used_us].map(Duration::from_micros);
            Waits { lasted, used }.are_busy()
        };
        assert!(!busy(1_000_000, 0) && busy(10_000, 10_000) && busy(10_000, 40_000));
        assert!(!busy(500, 1000), "so little may be what the system counts at once");
        assert!(!busy(1_000_000, 20_000), "a pool that goes to sleep");
    }
}
