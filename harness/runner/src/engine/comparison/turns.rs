//! Which groups have a block in the next round: arithmetic on the likely costs of their verdicts, so that it can be
//! tested.

use std::time::Duration;

use plusminus_worker::order::sorted;

/// One round in this many has a block of everything, so that no wrong forecast starves a group.
const OF_ALL: u32 = 4;

/// The time up to its next verdict from which on a group waits for cheaper ones.
const LONG: Duration = Duration::from_secs(10);

/// Returns the places of the groups that have a block in a round. `costs` is the time that each is likely to need for
/// its next verdict, and `left` the remaining seconds.
///
/// All that need little have their turn while the time is enough for all, or not limited: the more blocks a round has, the more
/// of them share its layouts. The others follow, so that an interrupt loses little. Else the turns go to the groups that need least,
/// as far as the time goes, which gives the most verdicts.
pub(super) fn turns(costs: &[Duration], left: Option<f64>, round: u32) -> Vec<usize> {
    let all: Vec<usize> = (0..costs.len()).collect();
    let needed: f64 = costs.iter().map(Duration::as_secs_f64).sum();
    if left.is_some() && round.is_multiple_of(OF_ALL) {
        return all;
    }
    let Some(mut left) = left.filter(|&left| needed > left) else {
        let cheap: Vec<usize> = all.iter().copied().filter(|&place| costs[place] < LONG).collect();
        return if cheap.is_empty() { all } else { cheap };
    };
    let mut chosen = Vec::new();
    for place in sorted(&all, &|&a, &b| costs[a].cmp(&costs[b])) {
        left -= costs[place].as_secs_f64();
        if left < 0.0 && !chosen.is_empty() {
            break;
        }
        chosen.push(place);
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(costs: &[u64]) -> Vec<Duration> {
        costs.iter().map(|&seconds| Duration::from_secs(seconds)).collect()
    }

    #[test]
    fn everything_has_its_turn_while_the_time_is_enough() {
        let costs = seconds(&[5, 1, 3]);
        assert_eq!(turns(&costs, None, 1), [0, 1, 2]);
        assert_eq!(turns(&costs, Some(9.0), 1), [0, 1, 2]);
        assert!(turns(&[], Some(1.0), 1).is_empty());
    }

    #[test]
    fn groups_that_need_long_wait_for_the_others() {
        let costs = seconds(&[100, 1, 3, 90, 0]);
        assert_eq!(
            (turns(&costs, None, 4), turns(&costs, Some(500.0), 1)),
            (vec![1, 2, 4], vec![1, 2, 4])
        );
        assert_eq!(turns(&costs, Some(500.0), 4), [0, 1, 2, 3, 4], "nothing starves");
        assert_eq!(turns(&seconds(&[100, 90]), None, 1), [0, 1]);
    }

    #[test]
    fn short_time_goes_to_what_is_decided_soonest() {
        let costs = seconds(&[5, 1, 3, 100]);
        assert_eq!(turns(&costs, Some(8.9), 1), [1, 2]);
        assert_eq!(turns(&costs, Some(0.5), 1), [1], "one at least");
        assert_eq!(turns(&costs, Some(0.5), 4), [0, 1, 2, 3], "nothing starves");
    }
}
