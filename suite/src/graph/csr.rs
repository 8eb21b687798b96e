//! Compressed sparse rows: the arcs of each vertex side by side.

use std::marker::PhantomData;

use super::{Vertex, Weight};

/// A graph as compressed sparse rows.
///
/// Memory: 8 bytes per arc (target and weight side by side, because a search needs both) and 8 bytes per vertex.
/// An undirected edge is two arcs; a self-loop is one.
#[derive(Debug, Clone, PartialEq)]
pub struct Csr<W = u32> {
    /// The arcs of vertex v are `arcs[offsets[v]..offsets[v + 1]]`.
    offsets: Vec<usize>,
    /// Target in the high half, the weight's key in the low half: sorts by target, then weight.
    arcs: Vec<u64>,
    undirected: bool,
    weight: PhantomData<W>,
}

/// An arc in one word.
#[inline]
pub(crate) fn pack<W: Weight>(target: Vertex, weight: W) -> u64 {
    u64::from(target) << 32 | u64::from(weight.to_key())
}

/// The parts of an arc.
#[inline]
pub(crate) fn unpack<W: Weight>(arc: u64) -> (Vertex, W) {
    ((arc >> 32) as Vertex, W::from_key(arc as u32))
}

impl<W: Weight> Csr<W> {
    /// A graph of rows that are known to fit together.
    pub(crate) fn from_parts(offsets: Vec<usize>, arcs: Vec<u64>, undirected: bool) -> Self {
        debug_assert_eq!(offsets.last(), Some(&arcs.len()));
        Self { offsets, arcs, undirected, weight: PhantomData }
    }

    /// The number of vertices n.
    #[inline]
    pub fn vertices(&self) -> usize {
        self.offsets.len() - 1
    }

    /// The number of arcs: each undirected edge counts twice, a self-loop once.
    pub fn arcs(&self) -> usize {
        self.arcs.len()
    }

    /// Was every arc entered together with its reverse?
    pub fn is_undirected(&self) -> bool {
        self.undirected
    }

    /// The number of arcs that leave a vertex.
    ///
    /// # Panics
    /// If the graph has no such vertex.
    #[inline]
    pub fn degree(&self, vertex: Vertex) -> usize {
        self.row(vertex).len()
    }

    /// Targets and weights of the arcs that leave a vertex, sorted by target.
    ///
    /// # Panics
    /// If the graph has no such vertex.
    #[inline]
    pub fn neighbours(
        &self,
        vertex: Vertex,
    ) -> impl ExactSizeIterator<Item = (Vertex, W)> + DoubleEndedIterator + '_ {
        self.row(vertex).iter().map(|&arc| unpack(arc))
    }

    /// The packed arcs of a vertex.
    #[inline]
    pub(crate) fn row(&self, vertex: Vertex) -> &[u64] {
        let vertex = vertex as usize;
        &self.arcs[self.offsets[vertex]..self.offsets[vertex + 1]]
    }

    /// The graph with every arc turned round, rows sorted by target, then weight.
    pub fn reversed(&self) -> Self {
        let mut offsets = vec![0; self.vertices() + 1];
        for &arc in &self.arcs {
            offsets[unpack::<W>(arc).0 as usize + 1] += 1;
        }
        for vertex in 0..self.vertices() {
            offsets[vertex + 1] += offsets[vertex];
        }
        let mut cursors = offsets.clone();
        let mut arcs = vec![0; self.arcs.len()];
        for from in 0..self.vertices() as Vertex {
            for (to, weight) in self.neighbours(from) {
                let cursor = &mut cursors[to as usize];
                arcs[*cursor] = pack(from, weight);
                *cursor += 1;
            }
        }
        Self::from_parts(offsets, arcs, self.undirected)
    }

    /// The weight of every `step`th arc.
    #[cfg(feature = "benchmarks")]
    pub(crate) fn every(&self, step: usize) -> Vec<W> {
        self.arcs.iter().step_by(step).map(|&arc| unpack::<W>(arc).1).collect()
    }

    /// The heap memory of this graph in bytes.
    pub fn memory_bytes(&self) -> usize {
        self.offsets.len() * size_of::<usize>() + self.arcs.len() * size_of::<u64>()
    }
}
