//! Counts of DS, MIS, MST and DR against sequential simulations of the original procedures: node after node on plain
//! vectors, without mailboxes, phases or threads, with a random number generator of their own. The networks are drawn by
//! the generators that are held against the published inputs; nothing else of the suite is used.

mod imsuite_common;

use std::collections::{BTreeMap, BTreeSet};

use imsuite_common::{Case, shape};
use plusminus_suite::imsuite::generate::{OriginalOptions, RouteWeights};
use plusminus_suite::imsuite::{Kernel, Original};
use plusminus_suite::places::{Counts, Execution, Style};

/// Nodes, shape and seed of an input.
type Which = (usize, &'static str, u64);

/// Inputs: the size of the published counts, twice and four times as many nodes.
const INPUTS: [Which; 9] = [
    (64, "sp-min", 101),
    (64, "sp-max", 101),
    (64, "random", 7),
    (128, "sp-min", 101),
    (128, "sp-max", 101),
    (128, "sp-min", 7),
    (128, "sp-max", 2026),
    (128, "random", 3),
    (256, "sp-max", 101),
];

/// What a procedure does, counted as it is carried out.
struct Tally {
    nodes: usize,
    places: usize,
    /// Shifts between nodes at different places.
    remote: u64,
    mutex: u64,
    /// Shifts between nodes, wherever they are.
    shifts: u64,
}

impl Tally {
    fn new(nodes: usize, places: usize) -> Self {
        Self { nodes, places, remote: 0, mutex: 0, shifts: 0 }
    }

    fn place(&self, node: usize) -> usize {
        node / (self.nodes / self.places)
    }

    /// The task of a node goes to another one.
    fn shift(&mut self, from: usize, to: usize) {
        self.shifts += 1;
        self.remote += u64::from(self.place(from) != self.place(to));
    }

    /// It goes there and changes something that others may change.
    fn atomic(&mut self, from: usize, to: usize) {
        self.shift(from, to);
        self.mutex += 1;
    }

    /// Nodes that are not at the place of the driver.
    fn elsewhere(&self) -> u64 {
        (self.nodes - self.nodes / self.places) as u64
    }
}

/// What a procedure forks and counts in one style.
#[derive(Debug, PartialEq)]
struct Expected {
    comm: u64,
    mutex: u64,
    joins: u64,
    barriers: u64,
}

impl Expected {
    fn of(counts: &Counts) -> Self {
        let Counts { mutex, joins, barriers, .. } = *counts;
        Self { comm: counts.comm(), mutex, joins, barriers }
    }
}

fn input(kernel: Kernel, (nodes, name, seed): Which) -> Original {
    OriginalOptions { seed, ..OriginalOptions::new(kernel, nodes, shape(name)) }.generate()
}

/// Neighbours of every node, ascending.
fn lists(input: &Original) -> Vec<Vec<usize>> {
    let topology = input.topology.as_ref().expect("a network");
    let of = |node| topology.neighbours(node).iter().map(|&other| other as usize).collect();
    (0..input.nodes as u32).map(of).collect()
}

/// Holds the suite's counts of FA, and of FAC where there is one, against what a simulation expects at one place, at
/// eight and with one per node.
fn holds(
    kernel: Kernel,
    inputs: &[Which],
    simulate: impl Fn(&Original, &mut Tally) -> (Expected, Option<Expected>),
) {
    for &which in inputs {
        let input = input(kernel, which);
        let nodes = input.nodes;
        for places in [1, 8, nodes] {
            let mut tally = Tally::new(nodes, places);
            let (fa, fac) = simulate(&input, &mut tally);
            let case = Case::of(input.clone());
            let count = |style| case.count(&Execution::new(style, 1).on_places(places));
            let what = format!("{kernel} {which:?} at {places} places");
            assert_eq!(Expected::of(&count(Style::ForkJoin)), fa, "FA of {what}");
            if let Some(fac) = fac {
                assert_eq!(Expected::of(&count(Style::Clocked)), fac, "FAC of {what}");
            }
        }
    }
}

/// The Mersenne Twister of 1998 with the seeding that X10 2.3 has, drawing fractions of 53 bits.
struct Twister {
    words: [u32; 624],
    next: usize,
}

impl Twister {
    fn new(seed: u32) -> Self {
        let mut words = [if seed == 0 { 4357 } else { seed }; 624];
        for at in 1..624 {
            words[at] = words[at - 1].wrapping_mul(69069).wrapping_add(1);
        }
        Self { words, next: 624 }
    }

    fn twist(&mut self) {
        for at in 0..624 {
            let joined = self.words[at] & 1 << 31 | self.words[(at + 1) % 624] & !(1 << 31);
            let odd = if joined & 1 == 1 { 0x9908_B0DF } else { 0 };
            self.words[at] = self.words[(at + 397) % 624] ^ joined >> 1 ^ odd;
        }
        self.next = 0;
    }

    fn word(&mut self) -> u64 {
        if self.next == 624 {
            self.twist();
        }
        let mut word = self.words[self.next];
        self.next += 1;
        word ^= word >> 11;
        word ^= word << 7 & 0x9D2C_5680;
        word ^= word << 15 & 0xEFC6_0000;
        u64::from(word ^ word >> 18)
    }

    fn fraction(&mut self) -> f64 {
        let bits = self.word() << 32 | self.word();
        (bits >> 11) as f64 / (1_u64 << 53) as f64
    }
}

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

/// Luby's algorithm: numbers to all neighbours; the smallest of a neighbourhood joins, marks its neighbours, and has every
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

/// The dominating set as IMSuite has it: nodes ask all others within two hops for their rounded spans; candidates are
/// drawn, admitted where no larger one wants to cover the same nodes, and what they cover takes part no more.
#[test]
fn dominating_sets_count_as_their_procedure() {
    holds(Kernel::Ds, &INPUTS, |input, tally| {
        let near = lists(input);
        let nodes = input.nodes;
        let mut randoms: Vec<Twister> = (0..nodes as u32).map(Twister::new).collect();
        let mut white = vec![true; nodes];
        // Its white neighbours as it saw them last, and how many, itself included; 0 for those that are done.
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
                    tally.shift(node, other); // its colour
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
                    tally.shift(node, other); // the colour
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
                    tally.shift(node, other); // its colour is asked for twice
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

/// Weights of edges out of the matrix of an input.
fn weight(input: &Original, one: usize, other: usize) -> u32 {
    input.numbers[one * input.nodes + other]
}

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
            tally.shift(from, node); // how many neighbours there are
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

/// A forest of fragments: what hangs below what.
struct Forest {
    parent: Vec<Option<usize>>,
}

impl Forest {
    fn root(&self, node: usize) -> usize {
        self.parent[node].map_or(node, |parent| self.root(parent))
    }

    fn depth(&self, node: usize) -> u64 {
        self.parent[node].map_or(0, |parent| 1 + self.depth(parent))
    }

    fn roots(&self) -> Vec<usize> {
        (0..self.parent.len()).filter(|&node| self.parent[node].is_none()).collect()
    }

    /// How often a wave along all trees takes a step, the one in which nothing moves included.
    fn steps(&self) -> u64 {
        1 + (0..self.parent.len()).map(|node| self.depth(node)).max().unwrap_or(0)
    }
}

/// Fragments that grow over their lightest edges: what each wave costs follows from the shape of the trees alone.
#[test]
fn spanning_trees_count_as_their_procedure() {
    holds(Kernel::Mst, &INPUTS, |input, tally| {
        let near = lists(input);
        let nodes = input.nodes;
        let mut forest = Forest { parent: vec![None; nodes] };
        let (mut phases, mut waves) = (0, 0);
        while forest.roots().len() > 1 {
            phases += 1;
            let home: Vec<usize> = (0..nodes).map(|node| forest.root(node)).collect();
            // Down: start. Up: the lightest edge and another signal. Every node asks its neighbours where they belong.
            waves += 2 * forest.steps();
            let mut lightest: BTreeMap<usize, (u32, usize, usize)> = BTreeMap::new();
            for node in 0..nodes {
                if let Some(parent) = forest.parent[node] {
                    tally.atomic(parent, node);
                    tally.atomic(node, parent);
                    tally.atomic(node, parent);
                }
                for &other in &near[node] {
                    tally.shift(node, other);
                    if home[other] != home[node] {
                        let edge = (weight(input, node, other), node, other);
                        let best = lightest.entry(home[node]).or_insert(edge);
                        *best = edge.min(*best);
                    }
                }
            }
            // The inner end of the edge is told, and becomes the root: the way up to the old one turns round.
            let ends: Vec<(usize, usize)> =
                lightest.values().map(|&(_, inner, outer)| (inner, outer)).collect();
            waves += 1 + ends.iter().map(|&(inner, _)| forest.depth(inner)).max().unwrap_or(0);
            for &(inner, _) in &ends {
                tally.shift(home[inner], inner);
                tally.shift(home[inner], inner);
                let mut above = None;
                let mut node = inner;
                loop {
                    let parent = std::mem::replace(&mut forest.parent[node], above);
                    let Some(parent) = parent else { break };
                    tally.shift(node, parent);
                    tally.shift(node, parent);
                    above = Some(node);
                    node = parent;
                }
            }
            // Of two fragments with the same edge the smaller end stays a root.
            for &(inner, outer) in &ends {
                tally.atomic(inner, outer); // wants to join
                tally.shift(inner, outer); // asks where it belongs
                let mutual = ends.contains(&(outer, inner));
                if !mutual {
                    tally.atomic(inner, outer);
                    forest.parent[inner] = Some(outer);
                } else if inner < outer {
                    tally.mutex += 1;
                    tally.shift(inner, outer);
                    tally.shift(inner, outer);
                    forest.parent[outer] = Some(inner);
                }
            }
            // The new root goes down the new trees.
            waves += forest.steps();
            for (node, parent) in forest.parent.iter().enumerate() {
                if let Some(parent) = *parent {
                    tally.shift(parent, node);
                    tally.shift(parent, node);
                }
            }
        }
        // After each step of a wave, and once in a phase, the driver asks all nodes.
        let expected = |joins: u64, barriers| Expected {
            comm: (joins + waves + phases) * tally.elsewhere() + tally.remote,
            mutex: tally.mutex,
            joins,
            barriers,
        };
        let fa = expected(9 * phases + 2 * waves, 0);
        (fa, Some(expected(4 * phases + waves, 5 * phases + waves)))
    });
}
