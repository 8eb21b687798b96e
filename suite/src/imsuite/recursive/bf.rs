//! Recursive BF: a node that is visited offers its distance to its neighbors, then visits each of them; a node whose
//! distance shrinks may be visited again. See [`bf`](crate::imsuite::bf) for the problem.
//!
//! On a tree every order does the same work. **Repaired**: the original lets a node be visited again when it is offered
//! the distance that it has; here only a shorter one counts.
//!
//! ```
//! use plusminus_suite::imsuite::recursive::{bf, counted};
//! use plusminus_suite::imsuite::{Topology, bf::Root};
//! use plusminus_suite::places::Style;
//!
//! let path = Topology::from_edges(3, [(0, 1), (1, 2)]);
//! let root = Root::new(&path, 0);
//! let (distances, counted) = counted(3, 3, |ledger| bf::search(&path, &root, Style::ForkJoin, ledger));
//! assert_eq!(distances, [0, 1, 2]);
//! assert_eq!(counted.total().joins, 6);
//! ```

use std::sync::Arc;
use std::sync::atomic::{
    AtomicU32, AtomicUsize,
    Ordering::{AcqRel, Acquire, Relaxed},
};

use super::Ledger;
use crate::imsuite::bf::Root;
use crate::imsuite::{Topology, UNREACHABLE};
use crate::places::{Counts, Style};

/// The distance of a node and whether it was visited at that distance, in one word so that both change together.
struct Cell(AtomicU32);

/// The bit of a node that was visited.
const VISITED: u32 = 1;

impl Cell {
    /// Takes a shorter distance, at which the node has not been visited.
    fn offer(&self, distance: u32) {
        let shorter = |word: u32| (distance << 1 < word & !VISITED).then_some(distance << 1);
        let _ = self.0.fetch_update(AcqRel, Acquire, shorter);
    }

    /// Marks the node as visited; its distance, if it was not marked before.
    fn visit(&self) -> Option<u32> {
        let word = self.0.fetch_or(VISITED, AcqRel);
        (word & VISITED == 0).then_some(word >> 1)
    }
}

/// The distance of nodes that were not reached, as far as it fits.
const FAR: u32 = (u32::MAX >> 1) << 1;

/// The state that all tasks share.
struct Search<'a, L> {
    topology: &'a Topology,
    cells: Vec<Cell>,
    style: Style,
    ledger: &'a L,
}

impl<L: Ledger> Search<'_, L> {
    /// Offers are a few instructions each: fewer than this many share a task, unless they have more to do.
    const SMALLEST_SPLIT: usize = if L::LOADED { 1 } else { 64 };

    /// Visits a node for a caller, `None` for the driver, which has no task for it: its distance, if there is something to
    /// do.
    fn enter(&self, caller: Option<u32>, node: u32) -> Option<u32> {
        if caller.is_some() {
            self.ledger.work(node);
        }
        let call = || match caller {
            Some(caller) => self.ledger.shift(caller, node),
            None => self.ledger.control(node),
        };
        // The original looks first and marks then, in two calls and two atomic operations.
        call();
        self.ledger.mutex();
        let distance = self.cells[node as usize].visit()?;
        call();
        self.ledger.mutex();
        Some(distance)
    }

    /// The task that offers a distance to a neighbor.
    fn offer(&self, node: u32, neighbour: u32, distance: u32) {
        self.ledger.work(neighbour);
        self.ledger.shift(node, neighbour);
        self.ledger.mutex();
        self.cells[neighbour as usize].offer(distance + 1);
    }

    /// Depth first, with a stack of our own: the order of the original without tasks.
    fn serial(&self, root: u32) {
        let mut stack = vec![(None, root)];
        while let Some((caller, node)) = stack.pop() {
            let Some(distance) = self.enter(caller, node) else { continue };
            let neighbours = self.topology.neighbours(node);
            neighbours.iter().for_each(|&neighbour| self.offer(node, neighbour, distance));
            stack.extend(neighbours.iter().rev().map(|&neighbour| (Some(node), neighbour)));
        }
    }

    /// Two rounds of tasks, a join between them. First come, first served, so that nearer nodes tend to come first.
    fn fork_join<'s>(&'s self, scope: &rayon::ScopeFifo<'s>, caller: Option<u32>, node: u32) {
        use rayon::prelude::*;
        let Some(distance) = self.enter(caller, node) else { return };
        let neighbours = self.topology.neighbours(node);
        self.ledger.join(self.style);
        self.ledger.join(self.style);
        self.ledger.tasks(self.style, 2 * neighbours.len());
        neighbours
            .par_iter()
            .with_min_len(Self::SMALLEST_SPLIT)
            .for_each(|&neighbour| self.offer(node, neighbour, distance));
        for &neighbour in neighbours {
            scope.spawn_fifo(move |scope| self.fork_join(scope, Some(node), neighbour));
        }
    }

    /// One round of tasks with a clock: the last one that has offered starts the visits.
    fn clocked<'s>(&'s self, scope: &rayon::ScopeFifo<'s>, caller: Option<u32>, node: u32) {
        let Some(distance) = self.enter(caller, node) else { return };
        let neighbours = self.topology.neighbours(node);
        self.ledger.join(self.style);
        self.ledger.tasks(self.style, neighbours.len());
        self.ledger.add(Counts { barriers: 1, ..Counts::default() });
        let missing = Arc::new(AtomicUsize::new(neighbours.len().div_ceil(Self::SMALLEST_SPLIT)));
        for some in neighbours.chunks(Self::SMALLEST_SPLIT) {
            let missing = Arc::clone(&missing);
            scope.spawn_fifo(move |scope| {
                some.iter().for_each(|&neighbour| self.offer(node, neighbour, distance));
                if missing.fetch_sub(1, AcqRel) == 1 {
                    for &neighbour in neighbours {
                        scope.spawn_fifo(move |scope| self.clocked(scope, Some(node), neighbour));
                    }
                }
            });
        }
    }
}

/// The distance of every node from the root.
pub fn search<L: Ledger>(topology: &Topology, root: &Root, style: Style, ledger: &L) -> Vec<u32> {
    let cells = (0..topology.nodes()).map(|_| Cell(AtomicU32::new(FAR))).collect();
    let search = Search { topology, cells, style, ledger };
    search.cells[root.node as usize].0.store(0, Relaxed);
    match style {
        Style::Serial => search.serial(root.node),
        Style::ForkJoin => rayon::scope_fifo(|scope| search.fork_join(scope, None, root.node)),
        Style::Clocked => rayon::scope_fifo(|scope| search.clocked(scope, None, root.node)),
    }
    let distance = |cell: Cell| match cell.0.into_inner() & !VISITED {
        FAR => UNREACHABLE,
        word => word >> 1,
    };
    search.cells.into_iter().map(distance).collect()
}

super::recursive_variants!(Bf, Topology, Root => Vec<u32>, search, |topology| topology, clocked);
