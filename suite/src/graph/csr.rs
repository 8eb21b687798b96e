//! Compressed sparse rows: the arcs of each vertex side by side.

use super::pages::Pages;
use super::split;
use super::{Vertex, Weight};

/// A graph as compressed sparse rows.
///
/// Each row may be *split by weight*: the light arcs come first, those up to [`limit`](Csr::limit), then the heavy ones.
/// Searches for shortest paths go along light arcs first and rarely need the others; whatever else reads a row as a whole
/// does not notice. [`Csr::build`] splits undirected graphs where that pays.
///
/// Memory: 8 bytes per arc (target and weight side by side, because a search needs both) and 8 bytes per vertex.
/// An undirected edge is two arcs; a self-loop is one.
#[derive(Debug, Clone)]
pub struct Csr<W = u32> {
    /// The arcs of vertex v are `arcs[offsets[v]..offsets[v + 1]]`.
    offsets: Pages<usize>,
    /// Target in the high half, the weight's key in the low half: sorts by target, then weight.
    arcs: Pages<u64>,
    /// Arcs up to this weight come first in each row; infinite if rows are whole.
    limit: W,
    undirected: bool,
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
    /// A graph of rows that are known to fit together, and to be split at this limit.
    pub(crate) fn from_parts(
        offsets: Pages<usize>,
        arcs: Pages<u64>,
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
    pub fn degree(&self, vertex: Vertex) -> usize {
        let vertex = vertex as usize;
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
        vertex: Vertex,
    ) -> impl ExactSizeIterator<Item = (Vertex, W)> + DoubleEndedIterator + '_ {
        self.row(vertex).iter().map(|&arc| unpack(arc))
    }

    /// Targets and weights of the arcs that leave a vertex, sorted by target, then weight.
    ///
    /// # Panics
    /// If the graph has no such vertex.
    pub fn neighbours_by_target(&self, vertex: Vertex) -> impl Iterator<Item = (Vertex, W)> + '_ {
        let (mut light, mut heavy) = self.parts_of_row(vertex);
        std::iter::from_fn(move || {
            let next = if light.first().unwrap_or(&u64::MAX) < heavy.first().unwrap_or(&u64::MAX) {
                light.split_off_first()
            } else {
                heavy.split_off_first()
            };
            next.map(|&arc| unpack(arc))
        })
    }

    /// The packed arcs of a vertex.
    #[inline]
    pub(crate) fn row(&self, vertex: Vertex) -> &[u64] {
        let vertex = vertex as usize;
        let offsets = &self.offsets[vertex..vertex + 2];
        &self.arcs[offsets[0]..offsets[1]]
    }

    /// The light and the heavy arcs of a vertex, each sorted.
    pub(super) fn parts_of_row(&self, vertex: Vertex) -> (&[u64], &[u64]) {
        let row = self.row(vertex);
        row.split_at(split::light_arcs(row, self.limit))
    }

    /// Is this packed arc one of those of a vertex?
    pub(crate) fn has_arc(&self, vertex: Vertex, arc: u64) -> bool {
        let (light, heavy) = self.parts_of_row(vertex);
        light.binary_search(&arc).is_ok() || heavy.binary_search(&arc).is_ok()
    }

    /// Where rows start, and all arcs.
    #[cfg(feature = "benchmarks")]
    pub(crate) fn parts(&self) -> (&[usize], &[u64]) {
        (&self.offsets, &self.arcs)
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
        let light = self.arcs.iter().filter(|&&arc| arc as u32 <= limit.to_key()).count();
        light as f64 / self.arcs.len().max(1) as f64
    }

    /// The graph with every arc turned round, rows sorted by target, then weight.
    pub fn reversed(&self) -> Self {
        let mut offsets = Pages::zeroed(self.vertices() + 1);
        for &arc in self.arcs.iter() {
            offsets[unpack::<W>(arc).0 as usize + 1] += 1;
        }
        for vertex in 0..self.vertices() {
            offsets[vertex + 1] += offsets[vertex];
        }
        let mut cursors = offsets.clone();
        let mut arcs = Pages::zeroed(self.arcs.len());
        for from in 0..self.vertices() as Vertex {
            // Light arcs first, so parallel ones come in the order of their weights.
            for (to, weight) in self.neighbours(from) {
                let cursor = &mut cursors[to as usize];
                arcs[*cursor] = pack(from, weight);
                *cursor += 1;
            }
        }
        Self::from_parts(offsets, arcs, W::INFINITE, self.undirected)
    }

    /// The weight of every `step`th arc.
    #[cfg(feature = "benchmarks")]
    pub(crate) fn every(&self, step: usize) -> Vec<W> {
        self.arcs.iter().step_by(step).map(|&arc| unpack::<W>(arc).1).collect()
    }

    /// The memory of this graph in bytes, that which parallel arcs left behind included.
    pub fn memory_bytes(&self) -> usize {
        self.offsets.memory_bytes() + self.arcs.memory_bytes()
    }
}

/// The same vertices and arcs; where rows are split does not matter.
impl<W: Weight> PartialEq for Csr<W> {
    fn eq(&self, other: &Self) -> bool {
        let row = |graph: &Self, vertex| graph.neighbours_by_target(vertex).collect::<Vec<_>>();
        self.undirected == other.undirected
            && self.offsets[..] == other.offsets[..]
            && (0..self.vertices() as Vertex).all(|vertex| row(self, vertex) == row(other, vertex))
    }
}
