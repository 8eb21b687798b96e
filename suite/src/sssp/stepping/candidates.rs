//! The vertices that a thread has found and not yet acted upon.
//!
//! Whether an arc lowers a distance cannot be foretold. The next step of the program depends on it as seldom as
//! possible. A candidate is written down in any case, and counted only if it is wanted, so that many reads of memory
//! stay under way.

use crate::graph::{PackedArc, Parts, VertexId};
use crate::sssp::labels::Labels;

/// Arcs of a row that are compared with distances at a time.
pub(super) const PIECE: usize = 64;

/// A vertex that is to be processed.
#[derive(Clone, Copy, Default)]
pub(super) struct Found<V> {
    pub(super) vertex: V,
    /// The key of its distance.
    pub(super) from: u32,
    /// Where its row starts.
    pub(super) start: usize,
    pub(super) end: usize,
}

/// Distances that were smaller than the labels of their vertices, until they are compared once more.
pub(super) struct Candidates<V: VertexId> {
    /// Vertices and keys.
    arcs: [<V as Parts>::Arc; 2 * PIECE],
    /// Where the paths come from, if labels have it.
    parents: [V; 2 * PIECE],
    /// How many there are; up to [`PIECE`] more can be kept while it is not above that number.
    pub(super) len: usize,
}

impl<V: VertexId> Candidates<V> {
    /// None.
    pub(super) fn new() -> Self {
        let arcs = [<V as Parts>::Arc::default(); 2 * PIECE];
        Self { arcs, parents: [V::NONE; 2 * PIECE], len: 0 }
    }

    /// Keeps a distance if it is wanted.
    #[inline(always)]
    pub(super) fn keep_if<L: Labels>(&mut self, wanted: bool, target: V, key: u32, parent: V) {
        let slot = self.len % (2 * PIECE);
        self.arcs[slot] = PackedArc::pack(target, key);
        if L::PARENTS {
            self.parents[slot] = parent;
        }
        self.len += usize::from(wanted);
    }

    /// Vertices, keys, and where the paths come from.
    #[inline(always)]
    pub(super) fn all(&self) -> impl Iterator<Item = (V, u32, V)> {
        let found = self.arcs[..self.len].iter().zip(&self.parents);
        found.map(|(arc, &parent)| (arc.target(), arc.key(), parent))
    }
}
