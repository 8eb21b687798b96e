//! The inputs, what is counted on them, and how that is held against the suite's counts.

use plusminus_suite::imsuite::generate::OriginalOptions;
use plusminus_suite::imsuite::{Kernel, Original};
use plusminus_suite::places::{Counts, Execution, Style};

use super::super::imsuite_common::{Case, shape};

/// Nodes, shape and seed of an input.
pub(crate) type Which = (usize, &'static str, u64);

/// Inputs: the size of the published counts, twice and four times as many nodes.
pub(crate) const INPUTS: [Which; 9] = [
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

/// The counts of a procedure while it is carried out.
pub(crate) struct Tally {
    pub(crate) nodes: usize,
    pub(crate) places: usize,
    /// Shifts between nodes at different places.
    pub(crate) remote: u64,
    /// Atomic operations on what several tasks may change.
    pub(crate) mutex: u64,
}

impl Tally {
    pub(crate) fn new(nodes: usize, places: usize) -> Self {
        Self { nodes, places, remote: 0, mutex: 0 }
    }

    pub(crate) fn place(&self, node: usize) -> usize {
        node / (self.nodes / self.places)
    }

    /// The task of a node goes to another one.
    pub(crate) fn shift(&mut self, from: usize, to: usize) {
        self.remote += u64::from(self.place(from) != self.place(to));
    }

    /// It goes there and changes something that others may change.
    pub(crate) fn atomic(&mut self, from: usize, to: usize) {
        self.shift(from, to);
        self.mutex += 1;
    }

    /// Nodes that are not at the place of the driver.
    pub(crate) fn elsewhere(&self) -> u64 {
        (self.nodes - self.nodes / self.places) as u64
    }
}

/// The forks and counts of a procedure in one style.
#[derive(Debug, PartialEq)]
pub(crate) struct Expected {
    pub(crate) comm: u64,
    pub(crate) mutex: u64,
    pub(crate) joins: u64,
    pub(crate) barriers: u64,
}

impl Expected {
    pub(crate) fn of(counts: &Counts) -> Self {
        let Counts { mutex, joins, barriers, .. } = *counts;
        Self { comm: counts.comm(), mutex, joins, barriers }
    }
}

pub(crate) fn input(kernel: Kernel, (nodes, name, seed): Which) -> Original {
    OriginalOptions { seed, ..OriginalOptions::new(kernel, nodes, shape(name)) }.generate()
}

/// Neighbors of every node, ascending.
pub(crate) fn lists(input: &Original) -> Vec<Vec<usize>> {
    let topology = input.topology.as_ref().expect("a network");
    let of = |node| topology.neighbours(node).iter().map(|&other| other as usize).collect();
    (0..input.nodes as u32).map(of).collect()
}

/// Holds the suite's counts of FA, and of FAC where there is one, against what a simulation expects at one place, at
/// eight and with one per node.
pub(crate) fn holds(
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

/// Weights of edges out of the matrix of an input.
pub(crate) fn weight(input: &Original, one: usize, other: usize) -> u32 {
    input.numbers[one * input.nodes + other]
}
