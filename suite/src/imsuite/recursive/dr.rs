//! Recursive DR: every node finds its shortest path tree, and the next hops by walking down that tree, a task per link.
//! See [`dr`](crate::imsuite::dr) for the problem, and for what is repaired.
//!
//! ```
//! use plusminus_suite::imsuite::{Topology, Weighted, Whole, recursive::dr};
//!
//! let path = Topology::from_edges(3, [(0, 1), (1, 2)]);
//! let tables = dr::serial(&Weighted::new(path, |_, _| 5), &Whole);
//! assert_eq!((tables[0][2].cost, tables[0][2].next), (10, 1));
//! ```

use super::{Ledger, Nodes, walk};
use crate::imsuite::dr::{Route, shortest_paths};
use crate::imsuite::{Mode, UNREACHABLE, Weighted, Whole};
use crate::places::{Board, Style};
use std::sync::Mutex;

/// The tree of one node, as its tasks see it.
struct Table<'a, L> {
    network: &'a Weighted,
    from: u32,
    parents: Vec<u32>,
    /// Whether a node is the parent of another.
    inner: Vec<bool>,
    next: Board,
    mode: Mode,
    style: Style,
    ledger: &'a L,
}

impl<L: Ledger> Table<'_, L> {
    /// Whether a node is a child of another in the tree.
    fn is_child(&self, node: u32, parent: u32) -> bool {
        node != self.from && self.parents[node as usize] == parent
    }

    /// Returns the links of a node that are tasks: those to its children in the tree, or all of them if links that
    /// lead nowhere also have something to do.
    fn tasks(&self, node: u32) -> impl Iterator<Item = u32> + '_ {
        let neighbours = self.network.topology.neighbours(node).iter().copied();
        neighbours.filter(move |&other| L::LOADED || self.is_child(other, node))
    }

    /// The task of a link of the table's owner: everything below a neighbor is reached through it.
    fn mark(&self, neighbour: u32) {
        self.ledger.work(neighbour);
        if !self.is_child(neighbour, self.from) {
            return;
        }
        self.ledger.shift(self.from, neighbour);
        let own = if self.mode == Mode::Faithful { self.from } else { neighbour };
        self.next.set(neighbour, own);
        walk(self.style, (self.from, neighbour), &|(above, node)| {
            // The links of the neighbor belong to its own task, those farther down are tasks.
            if above != self.from && above != neighbour {
                self.ledger.work(node);
            }
            let child = self.is_child(node, above);
            if child && node != neighbour {
                self.next.set(node, neighbour);
                self.count(node);
            }
            // Leaves have no tasks.
            let links = (child && self.inner[node as usize]).then(|| self.tasks(node));
            links.into_iter().flatten().map(move |other| (node, other))
        });
    }

    /// Counts the visit of a node: a call from its parent to the owner of the table, and, if it has children, one to
    /// the node, where every link is a task.
    fn count(&self, node: u32) {
        if L::COUNTS {
            self.ledger.shift(self.parents[node as usize], self.from);
            if self.inner[node as usize] {
                self.ledger.shift(self.from, node);
                self.ledger.join(self.style);
                self.ledger.tasks(self.style, self.network.topology.degree(node));
            }
        }
    }
}

/// The routing table of every node. The faithful mode breaks ties as the original does.
pub fn route<L: Ledger>(
    network: &Weighted,
    mode: Mode,
    style: Style,
    ledger: &L,
) -> Vec<Vec<Route>> {
    let nodes = network.topology.nodes();
    let tables: Vec<Mutex<Vec<Route>>> = (0..nodes).map(|_| Mutex::default()).collect();
    ledger.round();
    let all = Nodes { count: nodes as u32, style, ledger };
    all.steps(1, |_, from| {
        let (mut routes, parents) = shortest_paths(network, from, mode, |node| {
            ledger.shift(from, node);
            ledger.shift(from, node);
        });
        let mut inner = vec![false; nodes];
        for (node, &parent) in parents.iter().enumerate() {
            if parent != UNREACHABLE && node as u32 != from {
                inner[parent as usize] = true;
            }
        }
        let next = Board::new(nodes, UNREACHABLE);
        next.set(from, from);
        let table = Table { network, from, parents, inner, next, mode, style, ledger };
        ledger.join(style);
        ledger.tasks(style, network.topology.degree(from));
        match style {
            Style::Serial => table.tasks(from).for_each(|node| table.mark(node)),
            _ => rayon::scope(|scope| {
                let table = &table;
                table.tasks(from).for_each(|node| scope.spawn(move |_| table.mark(node)));
            }),
        }
        for (node, route) in routes.iter_mut().enumerate() {
            route.next = table.next.get(node as u32);
        }
        if let Ok(mut slot) = tables[from as usize].lock() {
            *slot = routes;
        }
    });
    tables.into_iter().map(|table| table.into_inner().unwrap_or_default()).collect()
}

/// The repaired mode, which the benchmarks run.
fn repaired<L: Ledger>(network: &Weighted, _: &Whole, style: Style, ledger: &L) -> Vec<Vec<Route>> {
    route(network, Mode::Repaired, style, ledger)
}

super::recursive_variants!(Dr, Weighted, Whole => Vec<Vec<Route>>, repaired, |network| &network.topology);
