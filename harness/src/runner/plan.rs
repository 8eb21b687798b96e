//! How many calls make a sample and how many samples make a run: arithmetic only, so that it can be tested.

use std::time::Duration;

use crate::record::Clock;

/// What a sample should last: long enough for the clock, and short enough to fit between two interruptions by the
/// scheduler. On a loaded machine samples of 0.5 ms spread by 0.4 % where samples of 8 ms spread by 10 %.
pub(crate) const SAMPLE_NS: u64 = 500_000;

/// The shortest samples, to which a machine that interrupts longer ones brings them.
const SHORTEST_SAMPLE_NS: u64 = 50_000;

/// Where counting the calls stops: the clock is good for a thousandth of this.
pub(crate) const ENOUGH_TO_ESTIMATE_NS: u64 = 50_000;

/// The time to spend on the samples of one instance in one run.
pub(crate) const RUN_NS: u64 = 16_000_000;

/// The time to spend on warming up before them. The call that is checked is part of it.
pub(crate) const WARM_UP_NS: u64 = 3_000_000;

/// Kernels from here on are not called just to warm up: one call is a sample, and it is checked.
pub(crate) const LONG_CALL_NS: u64 = 1_000_000_000;

/// The longest that inputs may take to be made for one sample: it bounds memory as well.
const OUTSIDE_NS: u64 = 20_000_000;

/// How a case is to be sampled on an instance, the same in every run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Sizes {
    /// Calls in a sample.
    pub(crate) calls: u64,
    /// Samples in a run.
    pub(crate) samples: u32,
    /// Samples before them that do not count.
    pub(crate) warm_up: u32,
    /// What a sample lasts with everything around it.
    pub(crate) expected: Duration,
}

impl Sizes {
    /// One call, checked, for tests.
    pub(crate) const ONCE: Self =
        Self { calls: 1, samples: 1, warm_up: 0, expected: Duration::ZERO };

    /// Sizes for a kernel, from a trial of `calls` calls in `wall_ns` with `outside_ns` of preparation, such that a
    /// sample lasts `target_ns`.
    pub(crate) fn of(
        calls: u64,
        wall_ns: u64,
        outside_ns: u64,
        target_ns: u64,
        samples: Option<u32>,
        sample_time: Option<Duration>,
    ) -> Self {
        let calls = calls.max(1);
        let call_ns = (wall_ns as f64 / calls as f64).max(0.01);
        let outside_call_ns = outside_ns as f64 / calls as f64;
        let by_time = (target_ns as f64 / call_ns).ceil();
        let by_preparation = (OUTSIDE_NS as f64 / outside_call_ns.max(0.01)).ceil();
        let calls = nearest_power_of_two(by_time.min(by_preparation));
        let sample_ns = calls as f64 * call_ns;
        let whole_ns = sample_ns + calls as f64 * outside_call_ns;
        let budget_ns = sample_time.map_or(RUN_NS as f64, |time| time.as_nanos() as f64);
        // Preparation counts: a slow generator takes samples away instead of making everybody wait.
        let affordable = (budget_ns / sample_ns).min(4.0 * budget_ns / whole_ns);
        let samples =
            samples.unwrap_or_else(|| affordable.ceil().clamp(1.0, 10_000.0) as u32).max(1);
        let warm_up = if call_ns >= LONG_CALL_NS as f64 {
            0
        } else {
            (WARM_UP_NS as f64 / whole_ns).ceil().clamp(1.0, 1000.0) as u32
        };
        Self { calls, samples, warm_up, expected: Duration::from_nanos(whole_ns as u64) }
    }
}

/// The power of two that is nearest to a wanted number of calls, by its ratio to it.
///
/// What calls return is kept until their window closes, so the number of calls can change what each of them costs: one
/// that depended on every breath of the trial would make two measurements of one program differ.
fn nearest_power_of_two(calls: f64) -> u64 {
    // 2⁴⁰ calls of nothing are more than anybody waits for.
    calls.max(1.0).log2().round().min(40.0).exp2() as u64
}

/// Whether a trial is long enough to tell what a call costs, and if not, how many calls to try next.
pub(crate) fn next_trial(calls: u64, wall_ns: u64, outside_ns: u64) -> Option<u64> {
    let enough = wall_ns >= ENOUGH_TO_ESTIMATE_NS || outside_ns >= OUTSIDE_NS || calls >= 1 << 40;
    // Doubling would need many requests for the fastest kernels; a too bold step costs half a millisecond.
    (!enough).then(|| if wall_ns < ENOUGH_TO_ESTIMATE_NS / 16 { calls * 8 } else { calls * 2 })
}

/// Half of a sample's length, for a machine on which samples of `target_ns` are interrupted; `None` where shorter
/// samples are not possible, or not good enough for the clock.
pub(crate) fn halved(target_ns: u64, calls: u64, clock: Option<Clock>) -> Option<u64> {
    let half = target_ns / 2;
    let limits = clock.map_or(0.0, |clock| (1000.0 * clock.tick_ns).max(200.0 * clock.window_ns));
    (calls > 1 && half >= SHORTEST_SAMPLE_NS && half as f64 >= limits).then_some(half)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes(call_ns: u64) -> Sizes {
        Sizes::of(1000, 1000 * call_ns, 0, SAMPLE_NS, None, None)
    }

    #[test]
    fn short_kernels_fill_samples_of_half_a_millisecond() {
        assert_eq!(sizes(1).calls, 1 << 19);
        assert_eq!(sizes(1000).calls, 512);
        assert_eq!(sizes(1000).samples, 32);
        assert_eq!(sizes(1000).warm_up, 6);
    }

    #[test]
    fn a_long_kernel_is_a_sample_by_itself() {
        let millisecond = sizes(1_000_000);
        assert_eq!((millisecond.calls, millisecond.samples, millisecond.warm_up), (1, 16, 3));
        let hundred = sizes(100_000_000);
        assert_eq!((hundred.calls, hundred.samples, hundred.warm_up), (1, 1, 1));
        let seconds = sizes(5_000_000_000);
        assert_eq!(
            (seconds.calls, seconds.samples, seconds.warm_up),
            (1, 1, 0),
            "no call is spent on warming up"
        );
    }

    #[test]
    fn slow_preparation_takes_calls_and_samples_away() {
        // 1 µs of kernel after 1 ms of preparation: 20 ms of preparation is what a sample may cost.
        let slow = Sizes::of(100, 100_000, 100_000_000, SAMPLE_NS, None, None);
        assert_eq!(slow.calls, 16);
        assert!(slow.samples <= 4, "{slow:?}");
    }

    #[test]
    fn calls_do_not_depend_on_every_breath_of_the_trial() {
        for call_ns in 23_000..44_000 {
            assert_eq!(sizes(call_ns).calls, 16, "{call_ns}");
        }
        let wanted: Vec<u64> =
            [0.1, 1.0, 1.4, 1.5, 2.8, 2.9, 5.6, 5.7, 1e30].map(nearest_power_of_two).to_vec();
        assert_eq!(wanted, [1, 1, 1, 2, 2, 4, 4, 8, 1 << 40]);
    }

    #[test]
    fn what_the_user_says_counts() {
        assert_eq!(Sizes::of(1, 1_000_000, 0, SAMPLE_NS, Some(3), None).samples, 3);
        assert_eq!(
            Sizes::of(1, 1_000_000, 0, SAMPLE_NS, None, Some(Duration::from_millis(5))).samples,
            5
        );
        assert_eq!(Sizes::of(1, 1_000_000, 0, SAMPLE_NS, Some(0), None).samples, 1);
    }

    #[test]
    fn samples_are_halved_as_far_as_the_clock_allows() {
        let clock = |window_ns| Some(Clock { tick_ns: 1.0, window_ns, loop_ns: 0.25 });
        assert_eq!(halved(SAMPLE_NS, 1000, clock(20.0)), Some(SAMPLE_NS / 2));
        assert_eq!(halved(SAMPLE_NS, 1, clock(20.0)), None, "one call cannot be halved");
        assert_eq!(halved(90_000, 1000, clock(20.0)), None, "short enough");
        assert_eq!(halved(SAMPLE_NS, 1000, clock(2000.0)), None, "reading this clock takes long");
    }

    #[test]
    fn a_clock_that_did_not_move_is_no_division_by_zero() {
        let sizes = Sizes::of(1 << 40, 0, 0, SAMPLE_NS, None, None);
        assert!(sizes.calls >= 1 && sizes.samples >= 1);
    }

    #[test]
    fn trials_grow_until_they_can_be_trusted() {
        let (mut calls, mut trials) = (1, 0);
        while let Some(next) = next_trial(calls, calls, 0) {
            calls = next;
            trials += 1;
        }
        assert!(
            calls >= ENOUGH_TO_ESTIMATE_NS && trials < 12,
            "{calls} calls after {trials} trials"
        );
        assert_eq!(next_trial(1, 10, 30_000_000), None, "slow preparation ends the search");
    }
}
