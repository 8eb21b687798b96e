//! Parts of a graph by weight, for searches that treat light and heavy arcs differently.

use rayon::prelude::*;

use super::build::sum_up;
use super::csr::unpack;
use super::{Csr, Vertex, Weight};

/// Blocks of vertices when a graph is filtered.
const FILTERED_BLOCKS: usize = 256;

impl<W: Weight> Csr<W> {
    /// The graph of those arcs whose weight passes, in the same order. Parallel on the current rayon pool.
    ///
    /// Looks twice at each arc, so that nothing but the result takes memory.
    pub(crate) fn filtered(&self, passes: impl Fn(W) -> bool + Sync) -> Self {
        let vertices = self.vertices();
        let block = vertices.div_ceil(FILTERED_BLOCKS).max(1);
        let row = |vertex: usize| {
            let arcs = self.row(vertex as Vertex).iter().copied();
            arcs.filter(|&arc| passes(unpack::<W>(arc).1))
        };
        let mut offsets = vec![0; vertices + 1];
        offsets[1..].par_chunks_mut(block).enumerate().for_each(|(number, degrees)| {
            for (index, degree) in degrees.iter_mut().enumerate() {
                *degree = row(number * block + index).count();
            }
        });
        sum_up(&mut offsets);
        let mut arcs = vec![0; offsets[vertices]];
        let mut tasks = Vec::with_capacity(FILTERED_BLOCKS);
        let mut left = arcs.as_mut_slice();
        for first in (0..vertices).step_by(block) {
            let last = (first + block).min(vertices);
            let places;
            (places, left) = left.split_at_mut(offsets[last] - offsets[first]);
            tasks.push((first..last, places));
        }
        tasks.into_par_iter().for_each(|(vertices, places)| {
            places.iter_mut().zip(vertices.flat_map(row)).for_each(|(place, arc)| *place = arc);
        });
        Self::from_parts(offsets, arcs, self.is_undirected())
    }
}
