//! Shared by benches of shortest paths over ranks: the choices of VoV's experiment, and the sources of searches.

use std::fmt;

use plusminus_mpi::graph::Part;
use plusminus_mpi::over_ranks;
use plusminus_mpi::search::{Mode, search};
use plusminus_suite::generate::{Seed, sources_among};
use plusminus_suite::graph::Vertex;
use plusminus_suite::sssp::DeltaStepping;

/// Weights are uniform in 1 to this, as in VoV.
pub(crate) const MAX_WEIGHT: u32 = 255;
/// Levels at a time and the width of a class, the paper's choices.
pub(crate) const K: u32 = 2;
pub(crate) const DELTA: u32 = 1;
/// Of graphs and sources.
pub(crate) const SEED: Seed = Seed(101);
/// Sources of each graph, as in VoV.
const SOURCES: usize = 8;

/// Where a search starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Source {
    pub(crate) vertex: Vertex,
    /// Arcs between vertices that it reaches, halved.
    pub(crate) edges: u64,
}

impl fmt::Display for Source {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "source-{}", self.vertex)
    }
}

/// The sources of a graph, the same on all ranks.
pub(crate) fn sources(part: &Part) -> Vec<Source> {
    over_ranks(|ranks| {
        let vertices = sources_among(part.vertices(), SOURCES, SEED, |vertex| {
            let degree = part.position(vertex).map_or(0, |position| part.arcs(position).len());
            ranks.sum(degree as u64) > 0
        });
        let source = |vertex| {
            let (keys, _) = search(&DeltaStepping::new(DELTA), part, vertex, Mode::Filtered, ranks);
            let reached = (0..keys.len()).filter(|&position| keys[position] < u32::MAX);
            let arcs = reached.map(|position| part.arcs(position).len() as u64).sum();
            Source { vertex, edges: ranks.sum(arcs) / 2 }
        };
        vertices.into_iter().map(source).collect()
    })
}
