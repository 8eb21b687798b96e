//! Graphs without weights: half the memory to read, for algorithms that need no weights.

use std::ops::Range;

use rayon::prelude::*;

use super::pages::Pages;
use super::rows::Rows;
use super::vertex::PackedArc;
use super::{Csr, Vertex, VertexId, Weight, split};

/// The neighbors of each vertex: 4 bytes per arc, 8 with vertices of 64 bits, and 8 per vertex.
#[derive(Debug, Clone)]
pub struct Adjacency<V: VertexId = Vertex> {
    /// The neighbors of vertex v are `targets[offsets[v]..offsets[v + 1]]`.
    offsets: Pages<usize>,
    targets: Pages<V>,
    undirected: bool,
}

impl<V: VertexId> Adjacency<V> {
    /// The neighbors in a graph, sorted. Parallel on the current rayon pool.
    pub fn of<W: Weight>(graph: &Csr<W, V>) -> Self {
        let offsets = graph.rows().offsets();
        let mut copy = Pages::zeroed(offsets.len());
        copy.copy_from_slice(offsets);
        let mut targets = Pages::zeroed(graph.arcs());
        split::groups(offsets, &mut targets).into_par_iter().for_each(|mut group| {
            group.for_each(|vertex, row| merge(graph.parts_of_row(V::from_index(vertex)), row));
        });
        Self { offsets: copy, targets, undirected: graph.is_undirected() }
    }

    /// The number of vertices n.
    #[inline]
    pub fn vertices(&self) -> usize {
        self.offsets.len() - 1
    }

    /// The number of arcs: each undirected edge counts twice, a self-loop once.
    pub fn arcs(&self) -> usize {
        self.targets.len()
    }

    /// Was every arc entered together with its reverse?
    pub fn is_undirected(&self) -> bool {
        self.undirected
    }

    /// The neighbors of a vertex, sorted.
    ///
    /// # Panics
    /// If the graph has no such vertex.
    #[inline]
    pub fn neighbours(&self, vertex: V) -> &[V] {
        let vertex = vertex.index();
        let offsets = &self.offsets[vertex..vertex + 2];
        &self.targets[offsets[0]..offsets[1]]
    }

    /// The number of arcs that leave a vertex.
    ///
    /// # Panics
    /// If the graph has no such vertex.
    #[inline]
    pub fn degree(&self, vertex: V) -> usize {
        let vertex = vertex.index();
        let offsets = &self.offsets[vertex..vertex + 2];
        offsets[1] - offsets[0]
    }

    /// The neighbors of all vertices.
    pub(crate) fn rows(&self) -> Rows<'_, V> {
        Rows::new(&self.offsets, &self.targets)
    }

    /// The memory of this graph in bytes.
    pub fn memory_bytes(&self) -> usize {
        self.offsets.memory_bytes() + self.targets.memory_bytes()
    }
}

impl Adjacency {
    /// All vertices in ranges of about as many arcs each, for tasks.
    pub(crate) fn ranges(&self, arcs: usize) -> Vec<Range<Vertex>> {
        let (mut ranges, mut start) = (Vec::new(), 0);
        while start < self.vertices() {
            let most = (start + arcs).min(self.vertices());
            let end = self.offsets[start] + arcs;
            let fitting = self.offsets[start + 1..=most].partition_point(|&offset| offset <= end);
            let next = start + fitting.max(1);
            ranges.push(start as Vertex..next as Vertex);
            start = next;
        }
        ranges
    }
}

/// Writes the targets of two sorted parts of a row, which together have as many arcs, in order.
fn merge<V: VertexId>((light, heavy): (&[V::Arc], &[V::Arc]), targets: &mut [V]) {
    let (mut lights, mut heavies) = (0, 0);
    for target in targets {
        // The end of a part is behind all of the other one.
        let [one, other] =
            [light.get(lights), heavy.get(heavies)].map(|arc| arc.copied().unwrap_or(V::Arc::END));
        let from_light = one <= other;
        *target = one.min(other).target();
        lights += usize::from(from_light);
        heavies += usize::from(!from_light);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::{Rmat, Seed};
    use crate::graph::Build;

    #[test]
    fn neighbours_are_those_of_the_graph() {
        let list = Rmat::graph500(12, Seed(1)).weighted(255);
        for build in [Build::UNDIRECTED, Build::VERBATIM] {
            let graph = Csr::build(&list, build);
            let adjacency = Adjacency::of(&graph);
            assert_eq!(adjacency.vertices(), graph.vertices());
            assert_eq!(adjacency.arcs(), graph.arcs());
            assert_eq!(adjacency.is_undirected(), graph.is_undirected());
            for vertex in 0..graph.vertices() as Vertex {
                let targets = graph.neighbours_by_target(vertex).map(|(target, _)| target);
                assert!(targets.eq(adjacency.neighbours(vertex).iter().copied()));
                assert_eq!(adjacency.degree(vertex), graph.degree(vertex));
            }
            let ranges = adjacency.ranges(1000);
            assert!(ranges.len() > 20);
            assert!(ranges.into_iter().flatten().eq(0..graph.vertices() as Vertex));
        }
    }
}
