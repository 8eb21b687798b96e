//! The improvements by heavy arcs once all light ones have been followed: few vertices, found from whichever ends of
//! the arcs are fewer.

use std::ops::Range;
use std::sync::atomic::Ordering::Relaxed;

use super::{AHEAD, Parameters, Part, Scratch, Search};
use crate::agm::Bins;
use crate::graph::{PackedArc, VertexId, Weight, unpack};
use crate::sssp::labels::Labels;
use crate::sssp::stepping::candidates::Found;

/// Vertices that a thread takes at a time when it looks at all of them.
const SWEEP: usize = 1 << 11;
/// Arcs at whose heads is asked how far they are, to choose from which ends heavy arcs are looked at.
const ASKED: usize = 1 << 9;
/// How much longer an arc takes that is followed from its near end: the rows of all far ones are read in the order of memory.
const OUT_OF_ORDER: usize = 4;

impl<W: Weight, V: VertexId, L: Labels<Vertex = V>> Search<'_, W, L> {
    /// Returns the bound of vertices from which a heavy arc could improve another one. Every vertex but the source is
    /// at least as far as the lightest arc leads, and a heavy arc leads farther yet.
    fn near(&self) -> u32 {
        let Parameters { limit, source, .. } = self.parameters;
        let lightest = self.graph.neighbours(source).map(|(_, weight)| weight.to_key()).min();
        limit.extend(lightest.unwrap_or(0))
    }

    /// The key up to which heavy arcs are followed from their near ends, so that as few arcs as possible are looked at: estimated
    /// from the heads of evenly spaced arcs.
    ///
    /// Where many arcs meet, the vertices that they meet at are near, and only few are so far that a heavy arc could improve
    /// them. Elsewhere few are so near that a heavy arc from them could improve anything but the farthest.
    pub(super) fn choose_boundary(&self) -> u32 {
        let near = self.near();
        let arcs = self.rows.elements();
        let heads = arcs.iter().step_by(arcs.len().div_ceil(ASKED).max(1));
        let mut keys: Vec<u32> = heads.map(|&arc| self.labels.get(unpack::<W, _>(arc).0)).collect();
        keys.retain(|&key| key != W::UNREACHED);
        keys.sort_unstable();
        let beyond = keys.partition_point(|&key| key <= near);
        let mut from_near = 0;
        let mut best = (keys.len() - beyond, near);
        for (index, &key) in keys.iter().enumerate().skip(beyond) {
            while self.parameters.limit.extend(keys[from_near]) < key {
                from_near += 1;
            }
            best = best.min((keys.len() - index - 1 + OUT_OF_ORDER * from_near, key));
        }
        best.1
    }

    /// Finds improvements by heavy arcs, and keeps the vertices for whose neighbors that matters.
    ///
    /// A vertex beyond the boundary looks along its own arcs. The rest can be improved only from where a heavy arc
    /// leads to less than the boundary, and is lowered from there. Whatever a label is lowered to meanwhile, its
    /// vertex is kept.
    pub(super) fn improve_by_heavy<const SHARED: bool>(&self, scratch: &mut Scratch<V>) {
        let Scratch { bins, candidates, .. } = scratch;
        let boundary = self.boundary.load(Relaxed);
        let vertices = self.graph.vertices();
        loop {
            let start = self.swept.fetch_add(SWEEP, Relaxed);
            if start >= vertices {
                return;
            }
            let end = (start + SWEEP).min(vertices);
            for first in (start..end).step_by(AHEAD) {
                let mut far = [Found::default(); AHEAD];
                let mut found = 0;
                for vertex in (first..(first + AHEAD).min(end)).map(V::from_index) {
                    let from = self.labels.get(vertex);
                    let Range { start, end } = self.rows.range(vertex.index());
                    let row = Found { vertex, from, start, end };
                    far[found % AHEAD] = row;
                    found += usize::from((from > boundary) & (start < end));
                    if from <= boundary && self.parameters.limit.extend(from) < boundary {
                        self.relax::<SHARED>(&row, Part::Heavy, bins, candidates);
                        self.lower::<SHARED>(bins, candidates);
                    }
                }
                self.ask_for_neighbours(&far[..found]);
                far[..found].iter().for_each(|row| self.pull_vertex::<SHARED>(row, bins));
            }
        }
    }

    /// Reads the first arc of each row, then the label that it leads to. None of these reads waits for another, while a vertex
    /// that looks along its arcs waits for each.
    #[inline]
    fn ask_for_neighbours(&self, rows: &[Found<V>]) {
        let arcs = self.rows.elements();
        let mut first = [V::Arc::default(); AHEAD];
        let mut all = 0;
        for (arc, row) in first.iter_mut().zip(rows) {
            *arc = arcs[row.start];
            all ^= arcs[(row.start + Self::ARCS_OF_LINE).min(row.end) - 1].key();
        }
        for arc in &first[..rows.len()] {
            all ^= self.labels.get(arc.target());
        }
        std::hint::black_box(all);
    }

    /// Lets a vertex look along its arcs, and keeps it if an improvement matters to a neighbor. Light arcs are looked at too:
    /// they improve nothing, and telling them apart takes longer.
    ///
    /// A neighbor's label may fall after it was looked at. Then the neighbor is kept: it was lowered along an arc, or has
    /// looked along its own and found that this vertex's label is too large.
    #[inline]
    fn pull_vertex<const SHARED: bool>(&self, row: &Found<V>, bins: &mut Bins<V>) {
        let &Found { vertex, from, start, end } = row;
        let (mut best, mut parent) = (from, vertex);
        let arcs = || self.rows.elements()[start..end].iter().map(|&arc| unpack::<W, _>(arc));
        for (neighbour, weight) in arcs() {
            let near = self.labels.get(neighbour);
            let through = if near == W::UNREACHED { near } else { weight.extend(near) };
            if through < best {
                (best, parent) = (through, neighbour);
            }
        }
        if best == from {
            return;
        }
        self.labels.lower::<SHARED>(vertex, best, parent);
        let improves =
            |(neighbour, weight): (V, W)| weight.extend(best) < self.labels.get(neighbour);
        if arcs().any(improves) {
            bins.push(self.parameters.width.class(best), vertex);
        }
    }
}
