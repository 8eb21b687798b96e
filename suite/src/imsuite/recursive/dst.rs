//! Recursive DST: the start signal goes down the tree by recursion, a task per child; all nodes ask and answer as in the
//! iterative variant. See [`dst`](crate::imsuite::dst) for the problem.
//!
//! After the join of the signal's tasks, all leaves have it, so no echo has to come back. The driver still asks the
//! root for it, as in the original, where the root answers without asking anyone.
//!
//! ```
//! use plusminus_suite::imsuite::{Topology, bf::Root, recursive::dst};
//!
//! let path = Topology::from_edges(3, [(0, 1), (1, 2)]);
//! assert_eq!(dst::serial(&path, &Root::new(&path, 0)).parents, [0, 0, 1]);
//! ```

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::{Ledger, Nodes, walk};
use crate::imsuite::bf::Root;
use crate::imsuite::dst::Tree;
use crate::imsuite::{Topology, UNREACHABLE};
use crate::places::{Board, Style};

/// The state that all tasks share.
struct Search<'a, L> {
    topology: &'a Topology,
    parents: Board,
    levels: Board,
    /// The phase of the last start signal that a node has got.
    started: Board,
    /// The lowest node that asks a node to join.
    asked: Vec<std::sync::atomic::AtomicU32>,
    /// For every link, whether its end is a child of its start.
    child: Vec<AtomicBool>,
    style: Style,
    ledger: &'a L,
}

impl<L: Ledger> Search<'_, L> {
    /// The children that a node knows.
    fn children(&self, node: u32) -> impl Iterator<Item = u32> + '_ {
        let known = &self.child[self.topology.links(node)];
        let neighbours = self.topology.neighbours(node).iter();
        neighbours.zip(known).filter(|(_, child)| child.load(Relaxed)).map(|(&node, _)| node)
    }

    /// Sends the start signal of a phase down the tree.
    fn broadcast(&self, root: u32, phase: u32) {
        self.ledger.control(root);
        self.ledger.control(root);
        self.started.set(root, phase);
        walk(self.style, root, &|node| {
            if node != root {
                self.ledger.work(node);
            }
            if L::COUNTS {
                self.ledger.join(self.style);
                for child in self.children(node) {
                    self.ledger.tasks(self.style, 1);
                    // The signal, and the call that passes it on.
                    self.ledger.shift(node, child);
                    self.ledger.shift(node, child);
                }
            }
            self.children(node).inspect(|&child| self.started.set(child, phase))
        });
    }

    /// A node at the level of this phase asks all neighbors, except the ones that have asked it.
    fn ask(&self, node: u32, phase: u32) {
        if self.levels.get(node) != phase || self.started.get(node) != phase {
            return;
        }
        for &other in self.topology.neighbours(node) {
            if self.levels.get(other).checked_add(1) != Some(phase) {
                self.ledger.shift(node, other);
                self.ledger.mutex();
                self.asked[other as usize].fetch_min(node, Relaxed);
            }
        }
    }

    /// A node that was asked answers everyone, and becomes the child of the lowest if it is not in the tree.
    fn answer(&self, node: u32, phase: u32, newcomers: &Board) {
        let parent = self.asked[node as usize].swap(UNREACHABLE, Relaxed);
        if parent == UNREACHABLE {
            return;
        }
        if L::COUNTS {
            for &other in self.topology.neighbours(node) {
                // Each node at the level of this phase has asked, unless this node is its parent's level.
                if self.levels.get(other) == phase
                    && self.levels.get(node).checked_add(1) != Some(phase)
                {
                    self.ledger.shift(node, other);
                    self.ledger.mutex();
                }
            }
        }
        if self.parents.get(node) == UNREACHABLE {
            self.parents.set(node, parent);
            newcomers.set(node, phase + 1);
            let position = self.topology.neighbours(parent).partition_point(|&other| other < node);
            self.child[self.topology.links(parent).start + position].store(true, Relaxed);
            self.ledger.shift(node, parent);
            self.ledger.mutex();
        }
    }

    /// Whether anyone has joined in this phase: the driver asks one node after the other.
    fn found(&self, phase: u32) -> bool {
        for node in 0..self.topology.nodes() as u32 {
            if self.levels.get(node) == phase + 1 {
                return true;
            }
            self.ledger.control(node);
        }
        false
    }
}

/// The breadth-first search tree of a root.
pub fn search<L: Ledger>(topology: &Topology, root: &Root, style: Style, ledger: &L) -> Tree {
    let nodes = topology.nodes();
    let board = || Board::new(nodes, UNREACHABLE);
    let search = Search {
        topology,
        parents: board(),
        levels: board(),
        started: board(),
        asked: (0..nodes).map(|_| UNREACHABLE.into()).collect(),
        child: (0..2 * topology.edges()).map(|_| AtomicBool::new(false)).collect(),
        style,
        ledger,
    };
    search.parents.set(root.node, root.node);
    search.levels.set(root.node, 0);
    let all = Nodes { count: nodes as u32, style, ledger };
    // The level of newcomers counts only once all have answered.
    let newcomers = board();
    for phase in 0.. {
        ledger.round();
        search.broadcast(root.node, phase);
        all.steps(1, |_, node| search.ask(node, phase));
        all.steps(2, |step, node| match step {
            0 => search.answer(node, phase, &newcomers),
            _ if newcomers.get(node) == phase + 1 => search.levels.set(node, phase + 1),
            _ => {}
        });
        if !search.found(phase) {
            break;
        }
        ledger.control(root.node);
        all.steps(1, |_, node| search.started.set(node, UNREACHABLE));
    }
    let all = || 0..nodes as u32;
    Tree {
        parents: all().map(|node| search.parents.get(node)).collect(),
        levels: all().map(|node| search.levels.get(node)).collect(),
        children: all()
            .flat_map(|node| search.children(node).map(move |child| (node, child)))
            .collect(),
    }
}

super::recursive_variants!(Dst, Topology, Root => Tree, search, |topology| topology, clocked);
