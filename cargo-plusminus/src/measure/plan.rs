//! How long samples are and how many pairs make a block: arithmetic only, so that it can be tested.

use std::time::Instant;

/// What a sample should last: short enough to fit between two interruptions by the scheduler.
const SAMPLE_NS: f64 = 500_000.0;
/// Warm-up of each process before its samples count.
const WARM_UP_NS: f64 = 3_000_000.0;
/// The longest that the preparation of inputs for one sample may take.
const OUTSIDE_NS: f64 = 20_000_000.0;
/// What the pairs of a block may last, unless few of them are enough to make it longer.
const BLOCK_NS: f64 = 400_000_000.0;
/// Pairs in a block where time allows.
const PAIRS: f64 = 21.0;
/// Calls from here on are not repeated to warm up, and a block is one pair.
const LONG_CALL_NS: f64 = 1_000_000_000.0;

/// What the clock can tell.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Clock {
    /// Its smallest step.
    pub(super) tick_ns: f64,
    /// What reading it twice in a row shows.
    pub(super) overhead_ns: f64,
}

impl Clock {
    /// Reads the clock many times.
    pub(super) fn measured() -> Self {
        let mut gaps: Vec<f64> = (0..20_000)
            .map(|_| {
                let begin = Instant::now();
                begin.elapsed().as_nanos() as f64
            })
            .collect();
        gaps.sort_unstable_by(f64::total_cmp);
        let steps = gaps.windows(2).map(|pair| pair[1] - pair[0]).filter(|step| *step > 0.0);
        let tick_ns = steps.fold(f64::INFINITY, f64::min);
        let tick_ns = if tick_ns.is_finite() { tick_ns } else { gaps[gaps.len() / 2] };
        Self { tick_ns: tick_ns.max(1.0), overhead_ns: gaps[gaps.len() / 2] }
    }

    /// The shortest sample that it measures well.
    fn shortest_ns(&self) -> f64 {
        (1000.0 * self.tick_ns).max(200.0 * self.overhead_ns)
    }

    /// The standard uncertainty that it alone gives to the log-ratio of a block with samples of this length.
    pub(super) fn resolution(&self, sample_ns: f64) -> f64 {
        self.tick_ns / (sample_ns.max(1.0) * 6.0_f64.sqrt())
    }
}

/// How one benchmark is sampled on one instance: the same on both sides and in every block.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Plan {
    /// Calls in a sample.
    pub(super) calls: u64,
    /// Samples that do not count, before those that do.
    pub(super) warm_up: u32,
    /// Pairs of samples in a block.
    pub(super) pairs: u32,
    /// Whether CPU time tells that a sample was interrupted.
    pub(super) tells_interruptions: bool,
    /// What a sample lasts.
    pub(super) sample_ns: f64,
    /// What a sample lasts with everything around it.
    pub(super) whole_ns: f64,
}

/// What one call costs on the slower side, inside and outside of the window.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Cost {
    pub(super) call_ns: f64,
    pub(super) outside_ns: f64,
}

impl Plan {
    /// A plan for calls that cost so much.
    pub(super) fn of(cost: Cost) -> Self {
        let call_ns = cost.call_ns.max(0.01);
        let by_preparation = OUTSIDE_NS / cost.outside_ns.max(0.01);
        let calls = (SAMPLE_NS / call_ns).ceil().min(by_preparation.ceil()).max(1.0);
        let mut plan = Self {
            calls: 1,
            warm_up: 0,
            pairs: 1,
            tells_interruptions: false,
            sample_ns: 0.0,
            whole_ns: 0.0,
        };
        plan.set_calls(calls as u64, cost);
        plan
    }

    fn set_calls(&mut self, calls: u64, cost: Cost) {
        self.calls = calls;
        self.sample_ns = calls as f64 * cost.call_ns.max(0.01);
        self.whole_ns = self.sample_ns + calls as f64 * cost.outside_ns.max(0.0);
        let affordable = BLOCK_NS / (2.0 * self.whole_ns);
        // An odd number, so that the median is one of the pairs.
        let pairs = affordable.clamp(3.0, PAIRS) as u32;
        self.pairs = if cost.call_ns >= LONG_CALL_NS { 1 } else { pairs - (1 - pairs % 2) };
        self.warm_up = if cost.call_ns >= LONG_CALL_NS {
            0
        } else {
            (WARM_UP_NS / self.whole_ns).ceil().clamp(1.0, 1000.0) as u32
        };
    }

    /// A plan with samples half as long, if a call is not a sample already and the clock allows it.
    pub(super) fn halved(&self, cost: Cost, clock: &Clock) -> Option<Self> {
        let calls = self.calls / 2;
        let long_enough = calls as f64 * cost.call_ns >= clock.shortest_ns();
        (calls >= 1 && long_enough).then(|| {
            let mut plan = *self;
            plan.set_calls(calls, cost);
            plan
        })
    }

    /// Warms up for at least so many samples.
    pub(super) fn warm_up_at_least(&mut self, samples: usize) {
        let samples = u32::try_from(samples).unwrap_or(u32::MAX);
        self.warm_up = self.warm_up.max(samples.min(200));
    }
}

/// Whether a trial is long enough to tell what a call costs, and if not, how many calls to try next.
pub(super) fn next_trial(calls: u64, wall_ns: u64, outside_ns: u64) -> Option<u64> {
    const ENOUGH_NS: u64 = 50_000;
    let enough = wall_ns >= ENOUGH_NS || outside_ns as f64 >= OUTSIDE_NS || calls >= 1 << 40;
    (!enough).then(|| if wall_ns < ENOUGH_NS / 16 { calls * 8 } else { calls * 2 })
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLOCK: Clock = Clock { tick_ns: 10.0, overhead_ns: 20.0 };

    fn plan(call_ns: f64) -> Plan {
        Plan::of(Cost { call_ns, outside_ns: 0.0 })
    }

    #[test]
    fn samples_last_half_a_millisecond_or_one_call() {
        assert_eq!((plan(1.0).calls, plan(1.0).pairs, plan(1.0).warm_up), (500_000, 21, 6));
        assert_eq!((plan(2e6).calls, plan(2e6).pairs, plan(2e6).warm_up), (1, 21, 2));
        assert_eq!((plan(1e7).calls, plan(1e7).pairs), (1, 19));
        assert_eq!((plan(2e8).calls, plan(2e8).pairs, plan(2e8).warm_up), (1, 3, 1));
        assert_eq!((plan(5e9).calls, plan(5e9).pairs, plan(5e9).warm_up), (1, 1, 0));
    }

    #[test]
    fn slow_preparation_makes_samples_shorter() {
        let slow = Plan::of(Cost { call_ns: 1000.0, outside_ns: 1e6 });
        assert_eq!(slow.calls, 20);
        assert_eq!(slow.pairs, 9, "{slow:?}");
    }

    #[test]
    fn halving_stops_at_the_clock_and_at_one_call() {
        let cost = Cost { call_ns: 1000.0, outside_ns: 0.0 };
        let mut plan = Plan::of(cost);
        let mut calls = vec![plan.calls];
        while let Some(next) = plan.halved(cost, &CLOCK) {
            plan = next;
            calls.push(plan.calls);
        }
        assert_eq!(calls, [500, 250, 125, 62, 31, 15]);
        let cost = Cost { call_ns: 9e5, outside_ns: 0.0 };
        assert_eq!(Plan::of(cost).halved(cost, &CLOCK), None);
    }

    #[test]
    fn the_clock_of_this_machine_is_sane() {
        let clock = Clock::measured();
        assert!(clock.tick_ns >= 1.0 && clock.tick_ns < 1e8, "{clock:?}");
        assert!(clock.resolution(5e5) < 1.0);
    }

    #[test]
    fn trials_grow_until_they_can_be_trusted() {
        let (mut calls, mut trials) = (1, 0);
        while let Some(next) = next_trial(calls, calls, 0) {
            (calls, trials) = (next, trials + 1);
        }
        assert!(calls >= 50_000 && trials < 12);
        assert_eq!(next_trial(1, 10, 30_000_000), None, "slow preparation ends the search");
    }
}
