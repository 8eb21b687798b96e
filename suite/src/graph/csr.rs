//! Compressed sparse rows: the arcs of each vertex side by side.

use super::pages::Pages;
#[cfg(feature = "benchmarks")]
use super::rows::Rows;
use super::split;
use super::vertex::PackedArc;
use super::{Vertex, VertexId, Weight};

/// A graph as compressed sparse rows.
///
/// Each row may be *split by weight*: the light arcs come first, those up to [`limit`](Csr::limit), then the heavy ones.
/// Searches for shortest paths go along light arcs first and rarely need the others; whatever else reads a row as a whole
/// does not notice. [`Csr::build`] splits undirected graphs where that pays.
///
/// Memory: 8 bytes per arc (target and weight side by side, because a search needs both; 12 with vertices of 64 bits) and 8
/// bytes per vertex.
/// An undirected edge is two arcs; a self-loop is one.
#[derive(Debug, Clone)]
pub struct Csr<W = u32, V: VertexId = Vertex> {
    /// The arcs of vertex v are `arcs[offsets[v]..offsets[v + 1]]`.
    offsets: Pages<usize>,
    /// Packed so that they sort by target, then weight.
    arcs: Pages<V::Arc>,
    /// Arcs up to this weight come first in each row; infinite if rows are whole.
    limit: W,
    undirected: bool,
}

/// An arc in one word.
#[inline]
pub(crate) fn pack<W: Weight>(target: Vertex, weight: W) -> u64 {
    PackedArc::pack(target, weight.to_key())
}

/// The parts of an arc.
#[inline]
pub(crate) fn unpack<W: Weight, A: PackedArc>(arc: A) -> (A::Vertex, W) {
    (arc.target(), W::from_key(arc.key()))
}

impl<W: Weight, V: VertexId> Csr<W, V> {
    /// A graph of rows that are known to fit together, and to be split at this limit.
    pub(crate) fn from_parts(
        offsets: Pages<usize>,
        arcs: Pages<V::Arc>,
        limit: W,
        undirected: bool,
    ) -> Self {
        debug_assert_eq!(offsets.last(), Some(&arcs.len()));
        Self { offsets, arcs, limit, undirected }
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

    /// The largest weight of the arcs that come first in each row; [`Weight::INFINITE`] if rows are not split.
    pub fn limit(&self) -> W {
        self.limit
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

    /// Targets and weights of the arcs that leave a vertex: light ones first if rows are split, and each part sorted by
    /// target, then weight.
    ///
    /// # Panics
    /// If the graph has no such vertex.
    #[inline]
    pub fn neighbours(
        &self,
        vertex: V,
    ) -> impl ExactSizeIterator<Item = (V, W)> + DoubleEndedIterator + '_ {
        self.row(vertex).iter().map(|&arc| unpack(arc))
    }

    /// Targets and weights of the arcs that leave a vertex, sorted by target, then weight.
    ///
    /// # Panics
    /// If the graph has no such vertex.
    pub fn neighbours_by_target(&self, vertex: V) -> impl Iterator<Item = (V, W)> + '_ {
        let (mut light, mut heavy) = self.parts_of_row(vertex);
        std::iter::from_fn(move || {
            let first = |part: &[V::Arc]| part.first().copied().unwrap_or(V::Arc::END);
            let next = if first(light) < first(heavy) {
                light.split_off_first()
            } else {
                heavy.split_off_first()
            };
            next.map(|&arc| unpack(arc))
        })
    }

    /// The packed arcs of a vertex.
    #[inline]
    pub(crate) fn row(&self, vertex: V) -> &[V::Arc] {
        let vertex = vertex.index();
        let offsets = &self.offsets[vertex..vertex + 2];
        &self.arcs[offsets[0]..offsets[1]]
    }

    /// The light and the heavy arcs of a vertex, each sorted.
    pub(super) fn parts_of_row(&self, vertex: V) -> (&[V::Arc], &[V::Arc]) {
        let row = self.row(vertex);
        row.split_at(split::light_arcs(row, self.limit))
    }

    /// Is this packed arc one of those of a vertex?
    pub(crate) fn has_arc(&self, vertex: V, arc: V::Arc) -> bool {
        let (light, heavy) = self.parts_of_row(vertex);
        light.binary_search(&arc).is_ok() || heavy.binary_search(&arc).is_ok()
    }

    /// The packed arcs of all vertices.
    #[cfg(feature = "benchmarks")]
    pub(crate) fn rows(&self) -> Rows<'_, V::Arc> {
        Rows::new(&self.offsets, &self.arcs)
    }

    /// The same graph with every row split so that arcs up to this weight come first. In parallel on the current rayon
    /// pool, and in place.
    ///
    /// [`Weight::INFINITE`] makes rows whole again: all sorted by target.
    #[must_use]
    pub fn split_at(mut self, limit: W) -> Self {
        let (old, new) = (self.limit, split::key(limit));
        split::for_each_row(&self.offsets, &mut self.arcs, |row, scratch| {
            if split::light_arcs(row, old) < row.len() {
                row.sort_unstable();
            }
            if let Some(limit) = new {
                split::partition(row, limit, scratch);
            }
        });
        self.limit = limit;
        self
    }

    /// The share of the arcs up to a weight.
    pub fn light_share(&self, limit: W) -> f64 {
        let light = self.arcs.iter().filter(|&&arc| arc.key() <= limit.to_key()).count();
        light as f64 / self.arcs.len().max(1) as f64
    }

    /// The graph with every arc turned round, rows sorted by target, then weight.
    pub fn reversed(&self) -> Self {
        let mut offsets = Pages::zeroed(self.vertices() + 1);
        for &arc in self.arcs.iter() {
            offsets[arc.target().index() + 1] += 1;
        }
        for vertex in 0..self.vertices() {
            offsets[vertex + 1] += offsets[vertex];
        }
        let mut cursors = offsets.clone();
        let mut arcs = Pages::zeroed(self.arcs.len());
        for from in (0..self.vertices()).map(V::from_index) {
            // Light arcs first, so parallel ones come in the order of their weights.
            for (to, weight) in self.neighbours(from) {
                let cursor = &mut cursors[to.index()];
                arcs[*cursor] = V::Arc::pack(from, weight.to_key());
                *cursor += 1;
            }
        }
        Self::from_parts(offsets, arcs, W::INFINITE, self.undirected)
    }

    /// The weight of every `step`th arc.
    #[cfg(feature = "benchmarks")]
    pub(crate) fn every(&self, step: usize) -> Vec<W> {
        self.arcs.iter().step_by(step).map(|&arc| W::from_key(arc.key())).collect()
    }

    /// The memory of this graph in bytes, that which parallel arcs left behind included.
    pub fn memory_bytes(&self) -> usize {
        self.offsets.memory_bytes() + self.arcs.memory_bytes()
    }
}

/// The same vertices and arcs; where rows are split does not matter.
impl<W: Weight, V: VertexId> PartialEq for Csr<W, V> {
    fn eq(&self, other: &Self) -> bool {
        let row = |graph: &Self, vertex| {
            graph.neighbours_by_target(V::from_index(vertex)).collect::<Vec<_>>()
        };
        self.undirected == other.undirected
            && self.offsets[..] == other.offsets[..]
            && (0..self.vertices()).all(|vertex| row(self, vertex) == row(other, vertex))
    }
}
