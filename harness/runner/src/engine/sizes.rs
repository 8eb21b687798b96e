//! How many calls make a sample, and how many samples a run or a block: arithmetic only, so that it can be tested.

use std::time::Duration;

use crate::record::Clock;
use plusminus_worker::protocol::Wishes;

/// The target duration of a sample: long enough for the clock, and short enough to fit between two interruptions by
/// the scheduler. On a loaded machine samples of 0.5 ms spread by 0.4 % where samples of 8 ms spread by 10 %.
const SAMPLE_NS: u64 = 500_000;

/// How many times samples of pairs are halved: their ratios gain more by many pairs than by long samples.
const PAIRS_HALVED: u32 = 2;

/// The shortest samples, to which a machine that interrupts longer ones brings them.
const SHORTEST_SAMPLE_NS: u64 = 50_000;

/// Where counting the calls stops: the clock is good for a thousandth of this.
const ENOUGH_TO_ESTIMATE_NS: u64 = 50_000;

/// The time to spend on the samples of one instance in one run.
const RUN_NS: f64 = 16_000_000.0;

/// The time that the pairs of a first block may take, and those of later ones, unless few of them are enough to make it longer.
const BLOCK_NS: f64 = 200_000_000.0;
const LONGEST_BLOCK_NS: f64 = 1_000_000_000.0;

/// Pairs in the first blocks, where time allows: enough to see how pairs scatter, and one of the numbers that are chosen later.
const FIRST_PAIRS: f64 = 13.0;

/// The time to spend on warming up, also in quick mode, whose kernels have to be as warm as in a full measurement.
/// Before that, branches are not learned, and the threads of a pool may still share one processor. The checked call
/// is part of it.
const WARM_UP_NS: f64 = 3_000_000.0;

/// Kernels from here on are not called just to warm up: one call is a sample, and it is checked.
const LONG_CALL_NS: f64 = 1_000_000_000.0;

/// One pair of calls from here on is a block: they scatter little, and most verdicts take the fewest blocks there are.
const LONG_PAIR_NS: f64 = 100_000_000.0;

/// Pairs of samples from here on share the processor: the scheduler changes sides every few milliseconds, so that both have
/// their part of whatever else happens on the machine. In turns, a long sample may meet a neighbor that the other one does not.
pub(crate) const SHARED_NS: f64 = 5_000_000.0;

/// The longest that inputs may take to be made for one sample: it bounds memory as well.
const OUTSIDE_NS: f64 = 20_000_000.0;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Design {
    Run,
    /// A few samples of one program, which are not worth finding out how short they had best be.
    Glance,
    Pairs,
}

/// The cost of a kernel by a trial: the slower program's, if there are two.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Cost {
    /// Wall time of a call inside of the window, in nanoseconds.
    pub(crate) call_ns: f64,
    /// Time around it, such as that of making its input, in nanoseconds.
    pub(crate) outside_ns: f64,
}

impl Cost {
    /// Returns the cost of one of this number of calls.
    pub(crate) fn of(calls: u64, wall_ns: u64, outside_ns: u64) -> Self {
        let calls = calls.max(1) as f64;
        Self { call_ns: wall_ns as f64 / calls, outside_ns: outside_ns as f64 / calls }
    }

    pub(crate) fn max(self, other: Self) -> Self {
        Self {
            call_ns: self.call_ns.max(other.call_ns),
            outside_ns: self.outside_ns.max(other.outside_ns),
        }
    }

    fn whole_ns(self) -> f64 {
        (self.call_ns + self.outside_ns).max(0.01)
    }
}

/// How a case is sampled on an instance: the same in every run, and on both sides of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Sizes {
    pub(crate) calls: u64,
    /// Samples in a run, or pairs in a block.
    pub(crate) samples: u32,
    /// Samples before them that do not count.
    pub(crate) warm_up: u32,
    /// As many as warm up a kernel that does not settle late.
    pub(crate) usual_warm_up: u32,
    /// The duration of a sample with everything around it.
    pub(crate) expected: Duration,
    /// Whether it uses several processors: by its attribute, or by its first windows.
    pub(crate) several: bool,
    /// Whether the samples of a pair run at once on one processor, and count by their processor time.
    pub(crate) time_shared: bool,
    /// Whether its threads go on between its calls.
    pub(crate) rests: bool,
}

impl Sizes {
    /// One call, checked, for tests.
    pub(crate) const ONCE: Self = Self {
        calls: 1,
        samples: 1,
        warm_up: 0,
        usual_warm_up: 0,
        expected: Duration::ZERO,
        several: false,
        time_shared: false,
        rests: false,
    };

    /// Returns sizes for a kernel of this cost, such that a sample lasts `target_ns` by default.
    pub(crate) fn of(cost: Cost, target_ns: u64, wishes: Wishes, design: Design) -> Self {
        let cost = Cost { call_ns: cost.call_ns.max(0.01), outside_ns: cost.outside_ns.max(0.0) };
        let by_time = (target_ns as f64 / cost.call_ns).ceil();
        let by_preparation = (OUTSIDE_NS / cost.outside_ns.max(0.01)).ceil();
        let planned = nearest_power_of_two(by_time.min(by_preparation));
        let calls = wishes.iterations.unwrap_or(planned).max(1);
        let sample_ns = calls as f64 * cost.call_ns;
        let whole_ns = calls as f64 * cost.whole_ns();
        let planned = match (wishes.samples, design) {
            (Some(samples), _) => samples.max(1),
            (None, Design::Run | Design::Glance) => run_samples(wishes, sample_ns, whole_ns),
            (None, Design::Pairs) => pairs(cost.call_ns, whole_ns),
        };
        let samples = planned.max(least_samples(wishes, sample_ns));
        let usual_warm_up = match cost.call_ns >= LONG_CALL_NS {
            true => 0,
            false => (WARM_UP_NS / whole_ns).ceil().clamp(1.0, 1000.0) as u32,
        };
        let wished = |seconds: f64| (1e9 * seconds / whole_ns).ceil().clamp(0.0, 1e6) as u32;
        let warm_up = wishes.warm_up_seconds.map_or(usual_warm_up, wished);
        let expected = Duration::from_nanos(whole_ns as u64);
        let (several, time_shared, rests) = (false, false, false);
        Self { calls, samples, warm_up, usual_warm_up, expected, several, time_shared, rests }
    }

    /// The fewest pairs among which the best number is chosen: those of short samples are enough for their median to be a typical one;
    /// a long sample is a mean by itself.
    pub(crate) fn least_pairs(self) -> u32 {
        if self.expected.as_secs_f64() >= 1e-9 * SHARED_NS { 1 } else { 5 }
    }

    /// Returns the same with the best number of pairs for blocks of this kernel, if neither its user nor its length
    /// sets the number. The time that its user wants for a run has no effect on blocks.
    pub(crate) fn with_pairs(self, best: u32, wishes: Wishes) -> Self {
        let says = wishes.samples.is_some() || wishes.least_seconds.is_some();
        let whole_ns = 1e9 * self.expected.as_secs_f64().max(1e-9);
        if says || whole_ns >= LONG_PAIR_NS {
            return self;
        }
        let pairs = best.min((LONGEST_BLOCK_NS / (2.0 * whole_ns)) as u32);
        // An odd number, so that the median is one of the pairs.
        Self { samples: pairs - (1 - pairs % 2), ..self }
    }
}

fn run_samples(wishes: Wishes, sample_ns: f64, whole_ns: f64) -> u32 {
    let budget_ns = wishes.seconds.map_or(RUN_NS, |seconds| 1e9 * seconds);
    // Preparation counts: a slow generator takes samples away instead of making the user wait.
    let affordable = (budget_ns / sample_ns).min(4.0 * budget_ns / whole_ns);
    affordable.ceil().clamp(1.0, 10_000.0) as u32
}

fn pairs(call_ns: f64, whole_ns: f64) -> u32 {
    if call_ns >= LONG_PAIR_NS {
        return 1;
    }
    let affordable = (BLOCK_NS / (2.0 * whole_ns)).clamp(3.0, FIRST_PAIRS) as u32;
    // An odd number, so that the median is one of the pairs.
    affordable - (1 - affordable % 2)
}

fn least_samples(wishes: Wishes, sample_ns: f64) -> u32 {
    let least_ns = wishes.least_seconds.map_or(0.0, |seconds| 1e9 * seconds);
    (least_ns / sample_ns.max(1.0)).ceil().clamp(0.0, 1e6) as u32
}

/// Returns the power of two that is nearest to a wanted number of calls, by its ratio to it.
///
/// Results of calls are kept until their window closes, so the number of calls can change the cost of each. If it
/// depended on the noise of the trial, two measurements of one program would differ. A hash map of 1000 entries took
/// 33 µs with 4 calls in a sample and 37 µs with 9.
fn nearest_power_of_two(calls: f64) -> u64 {
    // 2⁴⁰ calls of nothing take longer than any budget.
    calls.max(1.0).log2().round().min(40.0).exp2() as u64
}

/// Returns the number of calls to try next; `None` when a trial was long enough to show the cost of a call.
pub(crate) fn next_trial(calls: u64, wall_ns: u64, outside_ns: u64) -> Option<u64> {
    let enough =
        wall_ns >= ENOUGH_TO_ESTIMATE_NS || outside_ns as f64 >= OUTSIDE_NS || calls >= 1 << 40;
    // Doubling would need many requests for the fastest kernels; a too bold step costs half a millisecond.
    (!enough).then(|| if wall_ns < ENOUGH_TO_ESTIMATE_NS / 16 { calls * 8 } else { calls * 2 })
}

/// The target duration of a sample with a clock.
pub(crate) fn sample_ns(design: Design, clock: Clock) -> u64 {
    let halvings = if design == Design::Pairs { PAIRS_HALVED } else { 0 };
    (0..halvings).fold(SAMPLE_NS, |ns, _| halved(ns, 2, clock).unwrap_or(ns))
}

/// Half of a sample's length, for a machine on which samples of `target_ns` are interrupted; `None` where shorter
/// samples are not possible, or not good enough for the clock.
pub(crate) fn halved(target_ns: u64, calls: u64, clock: Clock) -> Option<u64> {
    let half = target_ns / 2;
    let least_ns = (1000.0 * clock.tick_ns).max(200.0 * clock.window_ns);
    (calls > 1 && half >= SHORTEST_SAMPLE_NS && half as f64 >= least_ns).then_some(half)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes(call_ns: f64, wishes: Wishes, design: Design) -> Sizes {
        Sizes::of(Cost { call_ns, outside_ns: 0.0 }, SAMPLE_NS, wishes, design)
    }

    fn wished(wishes: Wishes) -> Sizes {
        sizes(1000.0, wishes, Design::Run)
    }

    #[test]
    fn short_kernels_fill_samples_of_half_a_millisecond_and_a_long_one_is_a_sample_by_itself() {
        for (call_ns, calls, samples, warm_up) in
            [(1e3, 512, 32, 6), (1e6, 1, 16, 3), (1e8, 1, 1, 1), (5e9, 1, 1, 0)]
        {
            let sizes = sizes(call_ns, Wishes::default(), Design::Run);
            assert_eq!(
                (sizes.calls, sizes.samples, sizes.warm_up),
                (calls, samples, warm_up),
                "{call_ns}"
            );
        }
        assert_eq!(sizes(1.0, Wishes::default(), Design::Run).calls, 1 << 19);
        // A clock that did not move.
        let still = sizes(0.0, Wishes::default(), Design::Run);
        assert!(still.calls >= 1 && still.samples >= 1);
    }

    #[test]
    fn blocks_have_an_odd_number_of_pairs_as_time_allows() {
        for (call_ns, calls, pairs, warm_up) in [
            (1.0, 1 << 19, 13, 6),
            (2e6, 1, 13, 2),
            (1e7, 1, 9, 1),
            (5e7, 1, 3, 1),
            (2e8, 1, 1, 1),
            (5e9, 1, 1, 0),
        ] {
            let sizes = sizes(call_ns, Wishes::default(), Design::Pairs);
            assert_eq!(
                (sizes.calls, sizes.samples, sizes.warm_up),
                (calls, pairs, warm_up),
                "{call_ns}"
            );
        }
    }

    #[test]
    fn pairs_are_as_many_as_are_best_within_what_a_block_may_take() {
        let of = |call_ns, wishes| sizes(call_ns, wishes, Design::Pairs);
        let pairs = |call_ns, best| {
            of(call_ns, Wishes::default()).with_pairs(best, Wishes::default()).samples
        };
        assert_eq!([5, 7, 27, 41].map(|best| pairs(1e3, best)), [5, 7, 27, 41]);
        assert_eq!((pairs(1e7, 41), pairs(5e7, 41)), (41, 9), "a second for a block");
        assert_eq!((pairs(2e8, 19), pairs(5e9, 19)), (1, 1), "a long kernel says it itself");
        let least = |call_ns| of(call_ns, Wishes::default()).least_pairs();
        assert_eq!([1e3, 4e6, 6e6, 5e9].map(least), [5, 5, 1, 1], "where processes scatter most");
        assert_eq!((pairs(6e6, 1), pairs(5e7, 1)), (1, 1));
        let wishes = Wishes { samples: Some(9), ..Wishes::default() };
        let wished = of(1e3, wishes);
        assert_eq!(wished.with_pairs(41, wishes), wished);
        let wishes = Wishes { seconds: Some(0.001), ..Wishes::default() };
        let timed = of(1e3, wishes);
        assert_eq!((timed.samples, timed.with_pairs(41, wishes).samples), (13, 41));
    }

    #[test]
    fn slow_preparation_takes_samples_away() {
        let slow = Cost { call_ns: 1000.0, outside_ns: 1e6 };
        let sizes = Sizes::of(slow, SAMPLE_NS, Wishes::default(), Design::Run);
        assert_eq!(sizes.calls, 16, "20 ms of preparation for a sample");
        assert_eq!(sizes.samples, 4);
        let pairs = Sizes::of(slow, SAMPLE_NS, Wishes::default(), Design::Pairs);
        assert_eq!((pairs.calls, pairs.samples), (16, 5));
    }

    #[test]
    fn calls_do_not_depend_on_the_noise_of_the_trial() {
        for call_ns in 23_000..44_000 {
            let sizes = sizes(f64::from(call_ns), Wishes::default(), Design::Run);
            assert_eq!(sizes.calls, 16, "{call_ns}");
        }
        let wanted: Vec<u64> =
            [0.1, 1.0, 1.4, 1.5, 2.8, 2.9, 5.6, 5.7, 1e30].map(nearest_power_of_two).to_vec();
        assert_eq!(wanted, [1, 1, 1, 2, 2, 4, 4, 8, 1 << 40]);
    }

    #[test]
    fn what_is_wished_is_taken_literally() {
        let open = Wishes::default();
        let both = wished(Wishes { samples: Some(3), iterations: Some(7), ..open });
        assert_eq!((both.calls, both.samples), (7, 3));
        assert_eq!(wished(Wishes { samples: Some(0), ..open }).samples, 1);
        let calls = wished(Wishes { iterations: Some(5000), ..open });
        assert_eq!((calls.calls, calls.samples), (5000, 4), "16 ms are worth 16 000 calls");
        assert_eq!(calls.expected, Duration::from_millis(5));
        let seconds = Wishes { seconds: Some(0.005), ..open };
        assert_eq!(sizes(1e6, seconds, Design::Run).samples, 5);
        let least = Wishes { samples: Some(10), iterations: Some(1000), ..open };
        assert_eq!(wished(Wishes { least_seconds: Some(0.05), ..least }).samples, 50);
        let none_away = wished(Wishes { least_seconds: Some(0.005), ..least });
        assert_eq!(none_away.samples, 10, "the least time takes none away");
        let warm = |seconds| {
            let warm_up_seconds = Some(seconds);
            wished(Wishes { iterations: Some(1000), warm_up_seconds, ..open })
        };
        let long = warm(0.009);
        assert_eq!((long.warm_up, long.usual_warm_up), (9, 3), "blocks may show that 3 are enough");
        assert_eq!(warm(0.0).warm_up, 0);
    }

    #[test]
    fn samples_are_halved_as_far_as_the_clock_allows() {
        let clock = |window_ns| Clock { tick_ns: 1.0, window_ns, loop_ns: 0.25 };
        assert_eq!(halved(SAMPLE_NS, 1000, clock(20.0)), Some(SAMPLE_NS / 2));
        assert_eq!(halved(SAMPLE_NS, 1, clock(20.0)), None, "one call cannot be halved");
        assert_eq!(halved(90_000, 1000, clock(20.0)), None, "short enough");
        assert_eq!(halved(SAMPLE_NS, 1000, clock(2000.0)), None, "reading this clock takes long");
        let of =
            |design| [20.0, 1000.0, 2000.0].map(|window_ns| sample_ns(design, clock(window_ns)));
        assert_eq!(of(Design::Pairs), [125_000, 250_000, 500_000]);
        assert_eq!(of(Design::Run), [500_000; 3]);
    }

    #[test]
    fn trials_grow_until_they_can_be_trusted() {
        let (mut calls, mut trials) = (1, 0);
        while let Some(next) = next_trial(calls, calls, 0) {
            calls = next;
            trials += 1;
        }
        assert!(calls >= ENOUGH_TO_ESTIMATE_NS && trials < 12, "{calls} after {trials}");
        assert_eq!(next_trial(1, 10, 30_000_000), None, "slow preparation ends the search");
    }
}
