//! Recursive MST: fragments look for their lightest edge, for its inner end, and tell their root by walking their trees,
//! a task per child. See [`mst`](crate::imsuite::mst) for the problem.
//!
//! The original looks for the inner end of the lightest edge from the root down, for it knows only the root; this does
//! the same, and then turns the path from there.
//!
//! ```
//! use plusminus_suite::imsuite::{Topology, Weighted, Whole, mst, recursive};
//!
//! let triangle = Topology::from_edges(3, [(0, 1), (1, 2), (0, 2)]);
//! let network = Weighted::new(triangle, |a, b| a + 10 * b);
//! let tree = recursive::mst::serial(&network, &Whole);
//! assert_eq!(mst::check(&network, &tree), Ok(()));
//! ```

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};

use super::{Ledger, Nodes, walk};
use crate::imsuite::mst::{Blue, NO_EDGE, NONE};
use crate::imsuite::{Weighted, Whole};
use crate::places::{Board, Style};

/// The state that all tasks share.
struct Fragments<'a, L> {
    network: &'a Weighted,
    fragments: Board,
    parents: Board,
    /// For every link, whether its end is a child of its start.
    child: Vec<AtomicBool>,
    /// At a root, the lightest edge out of its fragment: weight, inner and outer end. It does not change while
    /// fragments turn round, so that a node which becomes a root meanwhile is not taken for one that has to turn.
    lightest: [Board; 3],
    /// At the root of a fragment that has turned, the outer end of the edge it joins over.
    partner: Board,
    /// Whether the fragment on the other side joins over the same edge.
    mutual: Board,
    style: Style,
    ledger: &'a L,
}

impl<L: Ledger> Fragments<'_, L> {
    fn children(&self, node: u32) -> impl Iterator<Item = u32> + '_ {
        let known = &self.child[self.network.topology.links(node)];
        let neighbours = self.network.topology.neighbours(node).iter();
        neighbours.zip(known).filter(|(_, child)| child.load(Relaxed)).map(|(&node, _)| node)
    }

    fn set_child(&self, parent: u32, child: u32, is_child: bool) {
        let neighbours = self.network.topology.neighbours(parent);
        let position = neighbours.partition_point(|&other| other < child);
        self.child[self.network.topology.links(parent).start + position].store(is_child, Relaxed);
    }

    /// The lightest edge that leaves the fragment from this node.
    fn lightest_from(&self, node: u32) -> Blue {
        let own = self.fragments.get(node);
        let mut best = NO_EDGE;
        for (other, weight) in self.network.links(node) {
            self.ledger.shift(node, other);
            if self.fragments.get(other) != own {
                best = best.min((weight, node, other));
            }
        }
        best
    }

    /// The lightest edge that leaves the fragment from this node or below.
    fn find(&self, node: u32) -> Blue {
        use rayon::prelude::*;
        let children: Vec<u32> = self.children(node).collect();
        if !children.is_empty() {
            self.ledger.join(self.style);
        }
        for &child in &children {
            self.ledger.tasks(self.style, 1);
            self.ledger.mutex();
            self.ledger.shift(node, child);
        }
        let find = |&child: &u32| {
            self.ledger.work(child);
            self.find(child)
        };
        let below = match self.style {
            Style::Serial => children.iter().map(find).min(),
            _ => children.par_iter().with_max_len(1).map(find).min(),
        };
        self.lightest_from(node).min(below.unwrap_or(NO_EDGE))
    }

    /// The lightest edge that a root has found.
    fn edge(&self, node: u32) -> Blue {
        let [weight, inner, outer] = &self.lightest;
        (weight.get(node), inner.get(node), outer.get(node))
    }

    /// Looks for the inner end of the lightest edge from the root down; that node takes the edge.
    fn invert(&self, root: u32) {
        let (_, inner, outer) = self.edge(root);
        let found = AtomicU32::new(NONE);
        walk(self.style, root, &|node| {
            if node != root {
                self.ledger.work(node);
            }
            let here = node == inner;
            if here {
                found.store(node, Relaxed);
            } else if L::COUNTS {
                self.ledger.join(self.style);
                for child in self.children(node) {
                    self.ledger.tasks(self.style, 1);
                    self.ledger.shift(node, child);
                }
            }
            self.children(node).filter(move |_| !here)
        });
        if found.load(Relaxed) == inner {
            self.turn(inner, outer);
        }
    }

    /// Turns the path from a node to its root, so that the node is the root.
    fn turn(&self, inner: u32, outer: u32) {
        let (mut below, mut node) = (inner, self.parents.get(inner));
        self.parents.set(inner, NONE);
        while node != NONE {
            self.ledger.shift(below, node);
            let above = self.parents.get(node);
            self.set_child(node, below, false);
            self.set_child(below, node, true);
            self.parents.set(node, below);
            (below, node) = (node, above);
        }
        self.fragments.set(inner, inner);
        self.partner.set(inner, outer);
    }

    /// Whether a node is the root that joins its fragment to another. Parents are not asked: those of one that joins
    /// over the same edge may change while it looks.
    fn joins_now(&self, node: u32) -> bool {
        self.partner.get(node) != NONE
    }

    /// Hangs a root below the other end of its edge; the smaller of two that chose the same edge stays a root.
    fn attach(&self, node: u32) {
        let outer = self.partner.get(node);
        if self.mutual.get(node) == 0 {
            self.parents.set(node, outer);
            self.set_child(outer, node, true);
            self.ledger.shift(node, outer);
            self.ledger.mutex();
        } else if node < outer {
            self.set_child(node, outer, true);
            self.parents.set(outer, node);
            self.ledger.shift(node, outer);
            self.ledger.mutex();
        }
    }

    /// Tells everyone below a root who it is.
    fn transmit(&self, root: u32) {
        self.fragments.set(root, root);
        walk(self.style, root, &|node| {
            if node != root {
                self.ledger.work(node);
            }
            self.ledger.join(self.style);
            if L::COUNTS {
                for child in self.children(node) {
                    self.ledger.tasks(self.style, 1);
                    self.ledger.shift(node, child);
                    self.ledger.shift(node, child);
                }
            }
            self.children(node).inspect(move |&child| self.fragments.set(child, root))
        });
    }

    /// Runs a node's part of each of the eight steps of a phase.
    fn step(&self, step: u32, node: u32, roots: &AtomicU32, stuck: &AtomicBool) {
        let root = || self.parents.get(node) == NONE;
        match step {
            0 if root() => {
                let (weight, inner, outer) = self.find(node);
                let [weights, inners, outers] = &self.lightest;
                weights.set(node, weight);
                inners.set(node, inner);
                outers.set(node, outer);
                if inner == NONE {
                    stuck.store(true, Relaxed);
                }
            }
            1 if self.edge(node).1 != NONE => self.invert(node),
            3 if self.joins_now(node) => {
                self.ledger.shift(node, self.partner.get(node));
                self.ledger.mutex();
            }
            4 if self.joins_now(node) => {
                let outer = self.partner.get(node);
                self.ledger.shift(node, outer);
                let mutual = self.partner.get(outer) == node;
                self.mutual.set(node, u32::from(mutual));
            }
            5 if self.joins_now(node) => self.attach(node),
            6 if root() => {
                roots.fetch_add(1, Relaxed);
                self.transmit(node);
            }
            7 => {
                self.lightest.iter().for_each(|board| board.set(node, NONE));
                self.partner.set(node, NONE);
                self.mutual.set(node, 0);
            }
            _ => {}
        }
    }
}

/// The edges of the minimum spanning tree of every component, from parent to child.
pub fn span<L: Ledger>(network: &Weighted, _: &Whole, style: Style, ledger: &L) -> Vec<(u32, u32)> {
    let nodes = network.topology.nodes();
    let board = |value| Board::new(nodes, value);
    let fragments = Fragments {
        network,
        fragments: board(0),
        parents: board(NONE),
        child: network.weights.iter().map(|_| AtomicBool::new(false)).collect(),
        lightest: [board(NONE), board(NONE), board(NONE)],
        partner: board(NONE),
        mutual: board(0),
        style,
        ledger,
    };
    (0..nodes as u32).for_each(|node| fragments.fragments.set(node, node));
    let all = Nodes { count: nodes as u32, style, ledger };
    let mut before = nodes as u32;
    loop {
        ledger.round();
        let (roots, stuck) = (AtomicU32::new(0), AtomicBool::new(false));
        all.steps(8, |step, node| fragments.step(step, node, &roots, &stuck));
        let after = roots.into_inner();
        // One fragment is left; or none could join any other, which is so for all components in the end.
        if after <= 1 || (stuck.into_inner() && after == before) {
            break;
        }
        before = after;
    }
    (0..nodes as u32)
        .filter(|&node| fragments.parents.get(node) != NONE)
        .map(|node| (fragments.parents.get(node), node))
        .collect()
}

super::recursive_variants!(Mst, Weighted, Whole => Vec<(u32, u32)>, span, |network| &network.topology, clocked);
