//! The procedure of DR.

use std::collections::{BTreeMap, BTreeSet};

use plusminus_suite::imsuite::generate::{OriginalOptions, RouteWeights};
use plusminus_suite::imsuite::{Kernel, Original};
use plusminus_suite::places::{Execution, Style};

use super::super::imsuite_common::{Case, shape};
use super::tally::{Expected, INPUTS, Tally, holds, lists, weight};

/// Routes by Dijkstra's algorithm with a list that is searched from its end, after which next hops go down the tree, as
/// often as it is deep, from every node that has one.
fn routing(input: &Original, tally: &mut Tally) -> (Expected, Option<Expected>) {
    let near = lists(input);
    let nodes = input.nodes;
    for from in 0..nodes {
        let mut parent = BTreeMap::new();
        let mut cost_of = vec![None; nodes];
        // Nodes that may be reached so, with cost and parent, in the order in which they were found.
        let mut found = vec![(0_u64, from, from)];
        while !found.is_empty() {
            let mut best = found.len() - 1;
            for at in (0..found.len()).rev() {
                if found[best].0 > found[at].0 {
                    best = at;
                }
            }
            let (cost, node, over) = found.remove(best);
            if parent.contains_key(&node) {
                continue;
            }
            parent.insert(node, over);
            cost_of[node] = Some(cost);
            tally.shift(from, node); // how many neighbors there are
            tally.shift(from, node); // and which
            for &other in &near[node] {
                if !parent.contains_key(&other) {
                    found.push((cost + u64::from(weight(input, node, other)), other, node));
                }
            }
        }
        assert_eq!(cost_of, relaxed(input, &near, from), "costs from {from}");
        // The next hop is known for children of the start at first, and for one level more after each step.
        let mut known: BTreeSet<usize> = parent
            .iter()
            .filter(|&(&node, &over)| over == from && node != from)
            .map(|(&n, _)| n)
            .collect();
        let depth = parent.keys().map(|&node| hops(&parent, node, from)).max().unwrap_or(0);
        for _ in 0..depth {
            known.iter().for_each(|&node| tally.shift(from, node));
            let children = parent.iter().filter(|(_, over)| known.contains(over)).map(|(&n, _)| n);
            let children: Vec<usize> = children.collect();
            known.extend(children);
        }
    }
    let comm = tally.elsewhere() + tally.remote;
    (Expected { comm, mutex: 0, joins: 1, barriers: 0 }, None)
}

/// How deep a node is in the tree of paths.
fn hops(parent: &BTreeMap<usize, usize>, node: usize, root: usize) -> usize {
    let up = |&node: &usize| (node != root).then(|| parent[&node]);
    std::iter::successors(Some(node), up).count() - 1
}

/// Costs from a node by going over all edges until nothing changes.
fn relaxed(input: &Original, near: &[Vec<usize>], from: usize) -> Vec<Option<u64>> {
    let mut costs = vec![None; near.len()];
    costs[from] = Some(0);
    loop {
        let mut changed = false;
        for (node, neighbours) in near.iter().enumerate() {
            let Some(cost) = costs[node] else { continue };
            for &other in neighbours {
                let over = cost + u64::from(weight(input, node, other));
                if costs[other].is_none_or(|known| over < known) {
                    costs[other] = Some(over);
                    changed = true;
                }
            }
        }
        if !changed {
            return costs;
        }
    }
}

#[test]
fn routes_count_as_their_procedure() {
    // Every node goes through all edges: two of the larger inputs are enough.
    let few = [INPUTS[0], INPUTS[1], INPUTS[3], INPUTS[6]];
    holds(Kernel::Dr, &few, routing);
}

/// Weights that differ make deeper trees than equal ones.
#[test]
fn routes_over_random_weights_count_as_their_procedure() {
    for (nodes, name, seed) in [(64, "random", 3), (64, "sp-max", 7), (128, "sp-max", 101)] {
        let route_weights = RouteWeights::Random;
        let options = OriginalOptions::new(Kernel::Dr, nodes, shape(name));
        let input = OriginalOptions { seed, route_weights, ..options }.generate();
        let (fa, _) = routing(&input, &mut Tally::new(nodes, 8));
        let counts = Case::of(input).count(&Execution::new(Style::ForkJoin, 1).on_places(8));
        assert_eq!(Expected::of(&counts), fa, "{nodes} {name} {seed}");
    }
}
