//! Moments, read from the clock that the user has chosen: that of the operating system, or the processor's counter.

use std::time::{Duration, Instant};

use crate::{protocol::Counting, sys};

/// The clock that windows are timed with.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum TimeSource {
    System,
    Counter {
        /// The length of one count, in nanoseconds.
        ns_per_count: f64,
    },
}

/// A reading of the chosen clock.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Moment {
    System(Instant),
    Count(u64),
}

impl TimeSource {
    #[inline(always)]
    pub(crate) fn now(self) -> Moment {
        match self {
            Self::System => Moment::System(Instant::now()),
            Self::Counter { .. } => Moment::Count(sys::counter()),
        }
    }

    /// Nanoseconds between two moments of this clock; 0 if they are in the wrong order.
    pub(crate) fn between(self, from: Moment, to: Moment) -> u64 {
        match (self, from, to) {
            (_, Moment::System(from), Moment::System(to)) => {
                super::sample::nanoseconds(to.saturating_duration_since(from))
            }
            (Self::Counter { ns_per_count }, Moment::Count(from), Moment::Count(to)) => {
                (to.saturating_sub(from) as f64 * ns_per_count).round() as u64
            }
            // The clock is chosen before the first window of the process opens.
            _ => 0,
        }
    }
}

/// How long the counter is set against the system's clock before anything is measured.
const CALIBRATION: Duration = Duration::from_millis(10);

/// Attempts to read both clocks at once; the closest counts.
const ATTEMPTS: usize = 50;

/// Both clocks at one moment, as nearly as possible.
#[derive(Debug, Clone, Copy)]
struct Both {
    count: u64,
    system: Instant,
    /// Counts between the reading before and the reading after that of the system's clock.
    width: u64,
}

impl Both {
    fn now() -> Self {
        let read = |_: usize| {
            let before = sys::counter();
            let system = Instant::now();
            let after = sys::counter();
            let width = after.saturating_sub(before);
            Both { count: before + width / 2, system, width }
        };
        let first = read(0);
        (1..ATTEMPTS).map(read).fold(first, |a, b| if b.width < a.width { b } else { a })
    }

    /// Counts for a nanosecond between two moments, and its relative standard uncertainty: the system's clock was read
    /// anywhere within each width, which makes width/√12 for each of them.
    fn frequency(self, later: Self) -> (f64, f64) {
        let counts = later.count.saturating_sub(self.count) as f64;
        let ns = later.system.saturating_duration_since(self.system).as_nanos() as f64;
        let u = (self.width as f64).hypot(later.width as f64) / 12_f64.sqrt();
        (counts / ns.max(1.0), u / counts.max(1.0))
    }
}

/// The counter as the clock of this process, set against the system's clock.
pub(crate) struct Calibration {
    begin: Both,
    counts_per_ns: f64,
    u_relative: f64,
}

impl Calibration {
    pub(crate) fn begin() -> Result<Self, String> {
        sys::proven_counter()?;
        let begin = Both::now();
        std::thread::sleep(CALIBRATION);
        let (counts_per_ns, u_relative) = begin.frequency(Both::now());
        // From 10 MHz to 100 GHz: anything else is no processor.
        if !(0.01..100.0).contains(&counts_per_ns) {
            return Err(format!("it counts {counts_per_ns} times in a nanosecond"));
        }
        Ok(Self { begin, counts_per_ns, u_relative })
    }

    pub(crate) fn source(&self) -> TimeSource {
        TimeSource::Counter { ns_per_count: 1.0 / self.counts_per_ns }
    }

    /// The state of the counter before anything is measured.
    pub(crate) fn known(&self) -> Counting {
        Counting { hertz: self.counts_per_ns * 1e9, u_relative: self.u_relative, drift: None }
    }

    /// The state of the counter now: by how much the frequency since the beginning differs from the calibrated one.
    pub(crate) fn checked(&self) -> Counting {
        let (counts_per_ns, _) = self.begin.frequency(Both::now());
        Counting { drift: Some(counts_per_ns / self.counts_per_ns - 1.0), ..self.known() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_frequency_has_the_uncertainty_of_both_ends() {
        let zero = Instant::now();
        let both =
            |count, us, width| Both { count, system: zero + Duration::from_micros(us), width };
        // 3 counts a nanosecond over a millisecond, each end known to ± 60 counts.
        let (frequency, u) = both(500, 0, 120).frequency(both(3_000_500, 1000, 120));
        assert!((frequency - 3.0).abs() < 1e-12);
        assert!((u - (2.0_f64).sqrt() * 120.0 / 12_f64.sqrt() / 3e6).abs() < 1e-15);
    }

    #[test]
    fn moments_of_the_system_are_in_order() {
        let system = TimeSource::System;
        let (first, second) = (system.now(), system.now());
        assert_eq!(system.between(first, first), 0);
        assert!(system.between(first, second) < 1_000_000_000_000);
        assert_eq!(system.between(second, Moment::Count(3)), 0, "no guess about different clocks");
        let counter = TimeSource::Counter { ns_per_count: 0.5 };
        assert_eq!(counter.between(Moment::Count(10), Moment::Count(30)), 10);
        assert_eq!(counter.between(Moment::Count(30), Moment::Count(10)), 0);
    }
}
