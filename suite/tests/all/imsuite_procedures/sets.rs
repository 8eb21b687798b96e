//! The procedures that draw random numbers: MIS and DS.

use std::collections::BTreeSet;

use plusminus_suite::imsuite::Kernel;

use super::tally::{Expected, INPUTS, Tally, holds, lists};
use super::twister::Twister;

/// Whether the first node that the driver asks in turn says yes; each that is asked at another place is a shift.
fn asked_until(yes: impl Fn(usize) -> bool, tally: &Tally) -> (bool, u64) {
    let mut shifts = 0;
    for node in 0..tally.nodes {
        shifts += u64::from(tally.place(node) != 0);
        if yes(node) {
            return (true, shifts);
        }
    }
    (false, shifts)
}

/// Luby's algorithm: numbers to all neighbors; the smallest of a neighborhood joins, marks its neighbors, and has every
/// edge at them removed, by an operation for each of its directions.
#[test]
fn independent_sets_count_as_their_procedure() {
    holds(Kernel::Mis, &INPUTS, |input, tally| {
        let mut edges: Vec<BTreeSet<usize>> =
            lists(input).into_iter().map(BTreeSet::from_iter).collect();
        let mut randoms: Vec<Twister> = (0..input.nodes as u32).map(Twister::new).collect();
        let (mut rounds, mut asked) = (0, 0);
        loop {
            rounds += 1;
            let drawn: Vec<f64> = randoms.iter_mut().map(Twister::fraction).collect();
            let mut removed = Vec::new();
            for (node, neighbours) in edges.iter().enumerate() {
                neighbours.iter().for_each(|&other| tally.atomic(node, other));
                let smallest = neighbours.iter().all(|&other| drawn[other] > drawn[node]);
                if !smallest {
                    continue;
                }
                for &covered in neighbours {
                    tally.atomic(node, covered); // marks it
                    tally.atomic(node, covered); // removes the edge there,
                    tally.atomic(node, node); // and here
                    removed.push((node, covered));
                    tally.shift(node, covered); // and goes there once more
                    for &third in &edges[covered] {
                        tally.atomic(covered, third);
                        tally.atomic(covered, covered);
                        removed.push((covered, third));
                    }
                }
            }
            for (one, other) in removed {
                edges[one].remove(&other);
                edges[other].remove(&one);
            }
            let (goes_on, shifts) = asked_until(|node| !edges[node].is_empty(), tally);
            asked += shifts;
            if !goes_on {
                break;
            }
        }
        let expected = |joins: u64, barriers| Expected {
            comm: joins * tally.elsewhere() + asked + tally.remote,
            mutex: tally.mutex,
            joins,
            barriers,
        };
        (expected(4 * rounds + 1, 0), Some(expected(rounds + 1, 3 * rounds)))
    });
}

/// The dominating set as IMSuite has it. Nodes ask all others within two hops for their rounded spans. Candidates are
/// drawn, and admitted if no larger one wants to cover the same nodes. Covered nodes take part no more.
#[test]
fn dominating_sets_count_as_their_procedure() {
    holds(Kernel::Ds, &INPUTS, |input, tally| {
        let near = lists(input);
        let nodes = input.nodes;
        let mut randoms: Vec<Twister> = (0..nodes as u32).map(Twister::new).collect();
        let mut white = vec![true; nodes];
        // Its white neighbors as it saw them last, and how many, itself included; 0 for finished nodes.
        let mut seen: Vec<Vec<usize>> = near.clone();
        let mut span: Vec<usize> = near.iter().map(|list| list.len() + 1).collect();
        let mut rounds = 0;
        loop {
            rounds += 1;
            let part: Vec<usize> = (0..nodes).filter(|&node| span[node] > 0).collect();
            let rounded = |node: usize| 1_usize << span[node].ilog2();
            let mut active = vec![false; nodes];
            for &node in &part {
                let mut two_hops: BTreeSet<usize> = near[node].iter().copied().collect();
                near[node].iter().for_each(|&other| two_hops.extend(&near[other]));
                two_hops.remove(&node);
                let mut largest = rounded(node);
                for other in two_hops {
                    tally.shift(node, other); // its color
                    if white[other] {
                        tally.shift(node, other); // its span
                        largest = largest.max(rounded(other));
                    }
                }
                active[node] = largest == rounded(node);
            }
            let mut support = vec![0; nodes];
            for &node in &part {
                near[node].iter().for_each(|&other| tally.shift(node, other));
                support[node] = usize::from(active[node])
                    + near[node].iter().filter(|&&other| active[other]).count();
            }
            let mut candidate = vec![false; nodes];
            for &node in &part {
                let mut largest = 0;
                for &other in &seen[node] {
                    tally.shift(node, other);
                    if support[other] > largest {
                        tally.shift(node, other); // asked once more for what is larger
                        largest = support[other];
                    }
                }
                largest = largest.max(support[node]);
                candidate[node] = active[node] && randoms[node].fraction() <= 1.0 / largest as f64;
            }
            let sum = |of: &dyn Fn(usize) -> usize, tally: &mut Tally| -> Vec<usize> {
                let mut sums = vec![0; nodes];
                for &node in &part {
                    seen[node].iter().for_each(|&other| tally.shift(node, other));
                    sums[node] = of(node) + seen[node].iter().map(|&o| of(o)).sum::<usize>();
                }
                sums
            };
            let covering = sum(&|node| usize::from(candidate[node]), tally);
            let competing = sum(&|node| covering[node], tally);
            let wants = |node: usize| candidate[node] && competing[node] <= 3 * span[node];
            let mut heard = vec![Vec::new(); nodes];
            for node in part.iter().copied().filter(|&node| wants(node)) {
                heard[node].push(node);
                for &other in &near[node] {
                    tally.atomic(node, other);
                    heard[other].push(node);
                }
            }
            let mut covered = vec![false; nodes];
            for node in part.iter().copied().filter(|&node| wants(node)) {
                if heard[node].iter().any(|&other| other > node) {
                    continue;
                }
                covered[node] = true;
                for &other in &near[node] {
                    tally.atomic(node, other); // a flag
                    tally.shift(node, other); // the color
                    covered[other] = true;
                }
            }
            for node in (0..nodes).filter(|&node| covered[node]) {
                white[node] = false;
                span[node] = 0;
            }
            for node in (0..nodes).filter(|&node| span[node] > 0).collect::<Vec<_>>() {
                for &other in &near[node] {
                    tally.shift(node, other);
                    tally.shift(node, other); // its color is asked for twice
                }
                seen[node] = near[node].iter().copied().filter(|&other| white[other]).collect();
                span[node] = usize::from(white[node]) + seen[node].len();
            }
            if span.iter().all(|&span| span == 0) {
                break;
            }
        }
        let expected = |forks: u64, joins, barriers| Expected {
            comm: forks * tally.elsewhere() + tally.remote,
            mutex: tally.mutex,
            joins,
            barriers,
        };
        // FA asks every node in every round; tasks with a clock leave it by themselves.
        (expected(10 * rounds, 9 * rounds, 0), Some(expected(1, 1, 8 * rounds)))
    });
}
