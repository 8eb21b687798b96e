//! How many runs each table gets after the pilot: arithmetic on what the pilot has shown, so that it can be tested.
//!
//! The decision uses the pilot's spreads and costs alone, never its means: see [`crate::analysis::two_stage`].

use std::time::Duration;

use crate::results::MOST_RUNS;

/// The time that a table may take, for each of its benchmarks, beyond its pilot when the whole has no limit.
pub(super) const BEYOND_PILOT: Duration = Duration::from_millis(500);

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Need {
    /// How far the interval of a single run would reach, in units of the half width that is wanted.
    pub(super) reach_of_one: f64,
    pub(super) cost: Duration,
    pub(super) pilot: u32,
}

impl Need {
    /// Returns the half width after this number of runs, in units of the wanted one.
    fn reach(&self, runs: u32) -> f64 {
        self.reach_of_one / f64::from(runs).sqrt()
    }
}

/// The runs of each table in all. A table without need keeps none beyond its pilot, which is 0 here.
///
/// One run after the other goes to the table that is farthest from its precision, while `budget` and the table's own
/// share of `beyond` allow it: the time is spent where the uncertainty is.
pub(super) fn plan(
    needs: &[Option<Need>],
    budget: Option<Duration>,
    beyond: impl Fn(usize) -> Duration,
) -> Vec<u32> {
    let mut runs: Vec<u32> = needs.iter().map(|need| need.map_or(0, |need| need.pilot)).collect();
    let mut own: Vec<Duration> = (0..needs.len())
        .map(|table| budget.map_or_else(|| beyond(table), |_| Duration::MAX))
        .collect();
    let mut left = budget.unwrap_or(Duration::MAX);
    loop {
        let wanting = |&(table, need): &(usize, Need)| {
            need.reach(runs[table]) > 1.0
                && runs[table] < MOST_RUNS
                && need.cost <= left.min(own[table])
        };
        let given = needs.iter().enumerate().filter_map(|(table, need)| Some((table, (*need)?)));
        let farthest = given
            .filter(wanting)
            .max_by(|a, b| a.1.reach(runs[a.0]).total_cmp(&b.1.reach(runs[b.0])));
        let Some((table, need)) = farthest else { return runs };
        runs[table] += 1;
        left -= need.cost;
        own[table] -= need.cost;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn need(reach_of_one: f64, cost_ms: u64) -> Option<Need> {
        Some(Need { reach_of_one, cost: Duration::from_millis(cost_ms), pilot: 5 })
    }

    const HALF_A_SECOND: fn(usize) -> Duration = |_| BEYOND_PILOT;

    #[test]
    fn precise_tables_get_nothing_more() {
        let needs = [need(2.2, 20), need(4.0, 20), None];
        // 4/√n ≤ 1 from 16 runs on.
        assert_eq!(plan(&needs, None, HALF_A_SECOND), [5, 16, 0]);
    }

    #[test]
    fn no_table_takes_more_than_its_share() {
        let needs = [need(100.0, 100), need(100.0, 1), need(100.0, 10_000)];
        assert_eq!(plan(&needs, None, HALF_A_SECOND), [10, MOST_RUNS, 5]);
    }

    #[test]
    fn a_budget_goes_where_the_uncertainty_is() {
        let needs = [need(10.0, 100), need(20.0, 100), need(2.0, 100)];
        let runs = plan(&needs, Some(Duration::from_secs(2)), HALF_A_SECOND);
        assert_eq!(runs.iter().sum::<u32>(), 15 + 20, "all of it is spent: {runs:?}");
        assert_eq!(runs[2], 5, "nothing for what is precise enough");
        // The remaining half widths are as near to each other as whole runs allow.
        let reach = |table: usize| needs[table].unwrap().reach(runs[table]);
        assert!((reach(0) / reach(1)).ln().abs() < 0.15, "{runs:?}");
        assert_eq!(plan(&needs, Some(Duration::ZERO), HALF_A_SECOND), [5, 5, 5]);
    }
}
