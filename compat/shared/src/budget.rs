//! Budgets that a bench states for its whole measurement, and the part that each run gets.

use std::time::Duration;

/// Runs that share the samples that a bench asks for: this number is always made.
const FIRST_RUNS: u32 = 5;

/// Runs that share the time that a bench asks for: more are never made.
const MOST_RUNS: u32 = 60;

/// From this number of samples on, which is the default of the other harnesses, ours chooses itself.
const PLENTY: u32 = 100;

/// Returns the samples of each run, if a bench wants fewer than usual.
pub fn samples(all: u32) -> Option<u32> {
    (all < PLENTY).then(|| all.div_ceil(FIRST_RUNS).max(1))
}

/// The time of each run.
pub fn share(all: Duration) -> Duration {
    all / MOST_RUNS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budgets_are_shared_by_the_runs() {
        assert_eq!(
            (samples(100), samples(20), samples(1), samples(0)),
            (None, Some(4), Some(1), Some(1))
        );
        assert_eq!(share(Duration::from_secs(6)), Duration::from_millis(100));
    }
}
