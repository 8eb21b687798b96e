//! Which groups have a block in the next round: arithmetic on the likely costs of their verdicts, so that it can be
//! tested.

use std::time::Duration;

use plusminus_worker::order::sorted;

/// One round in this many has a block of everything, so that no wrong forecast starves a group.
const OF_ALL: u32 = 4;

/// The time up to its next verdict from which on a group waits for the others, if it takes more than twice what all cheaper ones take together.
const LONG: Duration = Duration::from_secs(10);

/// Returns the places of the groups that have a block in a round. `costs` is the time that each is likely to need for
/// its next verdict, and `left` the remaining seconds.
///
/// Everything has its turn while the time is enough for all, or not limited: the more blocks a round has, the more of
/// them share its layouts. Else the turns go to the groups that need least, as far as the time goes, which gives the
/// most verdicts. Without a limit, a few groups that need long wait for the others, so that an interrupt loses little.
pub(super) fn turns(costs: &[Duration], left: Option<f64>, round: u32) -> Vec<usize> {
    let all: Vec<usize> = (0..costs.len()).collect();
    let by_cost = sorted(&all, &|&a, &b| costs[a].cmp(&costs[b]));
    let Some(mut left) = left else { return cheap(&by_cost, costs) };
    let whole: f64 = costs.iter().map(Duration::as_secs_f64).sum();
    if round.is_multiple_of(OF_ALL) || whole <= left {
        return all;
    }
    let mut chosen = Vec::new();
    for place in by_cost {
        left -= costs[place].as_secs_f64();
        if left < 0.0 && !chosen.is_empty() {
            break;
        }
        chosen.push(place);
    }
    chosen
}

/// The groups that need not wait for cheaper ones.
fn cheap(by_cost: &[usize], costs: &[Duration]) -> Vec<usize> {
    let mut before = Duration::ZERO;
    let is_cheap = |&place: &usize| {
        let fits = before.is_zero() || costs[place] <= LONG.max(2 * before);
        before += costs[place];
        fits
    };
    by_cost.iter().copied().take_while(is_cheap).collect()
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
        assert_eq!(turns(&costs, None, 1), [1, 2, 0]);
        assert_eq!(turns(&costs, Some(9.0), 1), [0, 1, 2]);
        assert!(turns(&[], Some(1.0), 1).is_empty());
    }

    #[test]
    fn without_a_limit_what_takes_longer_than_all_else_waits_for_it() {
        let of = |costs: &[u64]| turns(&seconds(costs), None, 1);
        assert_eq!(of(&[100, 1, 3, 90, 2]), [1, 4, 2]);
        assert_eq!(
            (of(&[100, 90]), of(&[10, 1])),
            (vec![1, 0], vec![1, 0]),
            "there is not much else"
        );
        assert_eq!(of(&[0, 0, 30]), [0, 1, 2], "nothing is known of them yet");
        assert_eq!(of(&[9, 9, 9, 30, 20, 200]), [0, 1, 2, 4, 3]);
    }

    #[test]
    fn short_time_goes_to_what_is_decided_soonest() {
        let costs = seconds(&[5, 1, 3, 100]);
        assert_eq!(turns(&costs, Some(8.9), 1), [1, 2]);
        assert_eq!(turns(&costs, Some(0.5), 1), [1], "one at least");
        assert_eq!(turns(&costs, Some(0.5), 4), [0, 1, 2, 3], "nothing starves");
    }
}
