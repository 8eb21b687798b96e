//! What a user asks of the samples of a benchmark: flag before attribute before what is planned from a trial.

use std::time::Duration;

use super::{Configuration, plan::Sizes};
use crate::registry::Case;

/// What was asked for, where anything was.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Asked {
    /// Samples of an instance in a run.
    pub(super) samples: Option<u32>,
    /// Calls in a sample.
    pub(super) iterations: Option<u64>,
    /// The time that the samples of an instance in a run are to last at least.
    pub(super) min_time: Option<Duration>,
    /// The time that they should take.
    pub(super) sample_time: Option<Duration>,
    /// The time to warm up before them.
    pub(super) warm_up: Option<Duration>,
}

impl Asked {
    pub(super) fn of(case: &Case, configuration: &Configuration) -> Self {
        let options = &case.options;
        Self {
            samples: configuration.samples.or(options.samples),
            iterations: configuration.iterations.or(options.iterations),
            min_time: configuration.min_time.or(options.min_time),
            sample_time: configuration.sample_time.or(options.sample_time),
            warm_up: configuration.warm_up.or(options.warm_up),
        }
    }

    /// The sizes for a kernel, from a trial of `calls` calls in `wall_ns` with `outside_ns` of preparation, such that a
    /// sample lasts `target_ns` where nothing else was asked for.
    pub(super) fn sizes(self, calls: u64, wall_ns: u64, outside_ns: u64, target_ns: u64) -> Sizes {
        let mut sizes =
            Sizes::of(calls, wall_ns, outside_ns, target_ns, self.samples, self.sample_time);
        let per_call = |ns: u64| ns as f64 / calls.max(1) as f64;
        let whole_call_ns = per_call(wall_ns.saturating_add(outside_ns)).max(0.01);
        if let Some(iterations) = self.iterations {
            let planned = sizes.calls as f64 * f64::from(sizes.samples);
            if self.samples.is_none() {
                sizes.samples = (planned / iterations as f64).ceil().clamp(1.0, 10_000.0) as u32;
            }
            let warming = sizes.calls as f64 * f64::from(sizes.warm_up);
            sizes.warm_up = (warming / iterations as f64).ceil() as u32;
            sizes.calls = iterations;
            sizes.expected = Duration::from_nanos((iterations as f64 * whole_call_ns) as u64);
        }
        let sample_ns = (sizes.calls as f64 * per_call(wall_ns)).max(1.0);
        if let Some(min_time) = self.min_time {
            let needed = (min_time.as_nanos() as f64 / sample_ns).ceil();
            sizes.samples = sizes.samples.max(needed.min(1e6) as u32);
        }
        if let Some(warm_up) = self.warm_up {
            let whole_ns = (sizes.calls as f64 * whole_call_ns).max(1.0);
            sizes.warm_up = (warm_up.as_nanos() as f64 / whole_ns).ceil().min(1e6) as u32;
        }
        sizes
    }
}

#[cfg(test)]
mod tests {
    use super::{super::plan::SAMPLE_NS, *};

    /// Sizes for a kernel of 1 µs.
    fn sizes(asked: Asked) -> Sizes {
        asked.sizes(100, 100_000, 0, SAMPLE_NS)
    }

    #[test]
    fn without_a_wish_the_plan_decides() {
        assert_eq!(sizes(Asked::default()), Sizes::of(100, 100_000, 0, SAMPLE_NS, None, None));
    }

    #[test]
    fn iterations_and_samples_are_taken_literally() {
        let asked = Asked { samples: Some(3), iterations: Some(7), ..Asked::default() };
        let sizes = sizes(asked);
        assert_eq!((sizes.calls, sizes.samples), (7, 3));
    }

    #[test]
    fn iterations_alone_keep_the_time_of_a_run() {
        let sizes = sizes(Asked { iterations: Some(5000), ..Asked::default() });
        assert_eq!((sizes.calls, sizes.samples), (5000, 4), "16 ms are worth 16 000 calls");
        assert_eq!(sizes.expected, Duration::from_millis(5));
    }

    #[test]
    fn the_least_time_adds_samples_and_takes_none_away() {
        let asked = |ms| Asked {
            samples: Some(10),
            iterations: Some(1000),
            min_time: Some(Duration::from_millis(ms)),
            ..Asked::default()
        };
        assert_eq!(sizes(asked(50)).samples, 50);
        assert_eq!(sizes(asked(5)).samples, 10);
    }

    #[test]
    fn warming_up_lasts_as_long_as_asked() {
        let asked = |ms| Asked {
            iterations: Some(1000),
            warm_up: Some(Duration::from_millis(ms)),
            ..Asked::default()
        };
        assert_eq!(sizes(asked(9)).warm_up, 9);
        assert_eq!(sizes(asked(0)).warm_up, 0);
    }
}
