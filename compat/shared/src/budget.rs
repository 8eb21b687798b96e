//! Budgets that a bench states for its whole measurement, and the part that each run gets.

use std::time::Duration;

/// Runs that share the time that a bench asks for: more are never made.
const MOST_RUNS: u32 = 60;

/// The time of each run.
pub fn share(all: Duration) -> Duration {
    all / MOST_RUNS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budgets_are_shared_by_the_runs() {
        assert_eq!(share(Duration::from_secs(6)), Duration::from_millis(100));
    }
}
