//! A graph in two parts by weight, so that a search need not look at arcs that cannot matter.

use crate::graph::{Csr, Weight};
use crate::sssp::width::Profile;

/// The light and the heavy arcs of an undirected graph, each part as a graph of its own.
///
/// Hubs are close to every source, and most arcs lead to hubs: a heavy arc to one is almost never on a shortest path.
/// So a search goes along light arcs first. Then a heavy arc of weight w can improve only what is farther away than
/// w, which are few vertices, mostly of small degree; they look at their own heavy arcs themselves (*pull*).
///
/// Memory: as much again as the graph, 8 bytes per arc and 16 per vertex.
#[derive(Debug, Clone)]
pub struct SplitGraph<W = u32> {
    pub(super) light: Csr<W>,
    pub(super) heavy: Csr<W>,
    /// Arcs up to this weight are light.
    pub(super) limit: W,
}

/// Light arcs per vertex: enough that nearly all vertices hang together by them.
const LIGHT_DEGREE: f64 = 3.0;
/// With a larger share of light arcs a split saves too little.
const LARGEST_SHARE: f64 = 0.4;

impl<W: Weight> SplitGraph<W> {
    /// Splits at the weight that leaves three light arcs per vertex that has arcs. Graphs of fewer than 7.5 arcs per
    /// vertex, and directed ones, which cannot pull, stay whole: all their arcs are light.
    pub fn new(graph: &Csr<W>) -> Self {
        let profile = Profile::of(graph);
        let share = LIGHT_DEGREE / profile.mean_degree;
        let limit = if graph.is_undirected() && share <= LARGEST_SHARE {
            profile.quantile(share)
        } else {
            None
        };
        // No weight is as large as the infinite one.
        Self::at(graph, limit.unwrap_or(W::INFINITE))
    }

    /// Splits so that arcs up to this weight are light.
    ///
    /// # Panics
    /// If some arcs would be heavy and the graph is directed.
    pub fn at(graph: &Csr<W>, limit: W) -> Self {
        let light = graph.filtered(|weight| weight <= limit);
        let heavy = graph.filtered(|weight| weight > limit);
        assert!(
            graph.is_undirected() || heavy.arcs() == 0,
            "heavy arcs are searched from their heads, which a directed graph does not allow"
        );
        Self { light, heavy, limit }
    }

    /// The heap memory of both parts in bytes.
    pub fn memory_bytes(&self) -> usize {
        self.light.memory_bytes() + self.heavy.memory_bytes()
    }

    /// The share of the arcs that is light.
    pub fn light_share(&self) -> f64 {
        let arcs = self.light.arcs() + self.heavy.arcs();
        if arcs == 0 { 1.0 } else { self.light.arcs() as f64 / arcs as f64 }
    }
}
