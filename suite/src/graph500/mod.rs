//! The Graph500 benchmark, version 3: construction (kernel 1), breadth-first search (kernel 2), shortest paths
//! (kernel 3), validation and the official statistics. Takes no time itself: `examples/graph500.rs` does.
//!
//! The rules want vertices of at least 48 bits. Everything here takes vertices of 32 bits, with which scales end at 32, and of 64
//! ([`Rmat::with_unit_weights_as`](crate::generate::Rmat::with_unit_weights_as)), which take more memory.
//!
//! ```
//! use plusminus_suite::generate::{Rmat, Seed};
//! use plusminus_suite::graph500::{self, validate};
//!
//! let edges = Rmat::graph500(8, Seed(2)).with_unit_weights();
//! let built = graph500::construct(&edges);
//! let root = graph500::search_keys(&built, Seed(2))[0];
//! let parents = graph500::breadth_first_search(&built.adjacency, root);
//! assert_eq!(validate::breadth_first(&edges, root, &parents), Ok(()));
//! let tree = graph500::Kernel3::new(&built).search(root);
//! assert_eq!(validate::shortest_paths(&edges, root, &tree), Ok(()));
//! ```

mod output;
mod statistics;
pub mod validate;

pub use output::{KernelTimes, Run};
pub use statistics::Statistics;

use crate::generate::{Seed, sources};
use crate::graph::{Adjacency, Build, Csr, EdgeList, Vertex, VertexId};
pub use crate::kernels::breadth_first_search;
use crate::sssp::stepping::{ShortestPathTree, Solver};

/// The result of kernel 1 for an edge list, for both other kernels.
pub struct Constructed<V: VertexId = Vertex> {
    /// The undirected graph, without self-loops and with the lightest of parallel edges, as the rules allow.
    pub graph: Csr<f32, V>,
    /// The same without weights, for kernel 2.
    pub adjacency: Adjacency<V>,
}

impl Constructed {
    /// Returns the most bytes that this number of edges, with this number of vertices, takes once they are
    /// constructed, the list included. `None` if they have more than 64 bits. Construction needs no more.
    pub fn peak_bytes(vertices: u64, edges: u64) -> Option<u64> {
        peak_bytes::<Vertex>(vertices, edges)
    }
}

/// As [`Constructed::peak_bytes`], for vertices of either type.
pub fn peak_bytes<V: VertexId>(vertices: u64, edges: u64) -> Option<u64> {
    // Two arcs for each edge in the graph, and two without weights; two arrays of offsets.
    let of_edge = size_of::<(V, V, f32)>() + 2 * (size_of::<V::Arc>() + size_of::<V>());
    edges.checked_mul(of_edge as u64)?.checked_add(vertices.checked_add(1)?.checked_mul(2 * 8)?)
}

/// Kernel 1: builds the graph, in parallel on the current rayon pool.
pub fn construct<V: VertexId>(edges: &EdgeList<f32, V>) -> Constructed<V> {
    let graph = Csr::build(edges, Build::UNDIRECTED);
    let adjacency = Adjacency::of(&graph);
    Constructed { graph, adjacency }
}

/// The search keys: 64 different vertices that have a neighbor, or all of them if there are fewer.
pub fn search_keys<V: VertexId>(built: &Constructed<V>, seed: Seed) -> Vec<V> {
    sources(&built.graph, 64, seed)
}

/// Kernel 3: shortest paths from one root at a time. Nothing is kept from one root to the next but memory.
pub struct Kernel3<'a, V: VertexId = Vertex> {
    solver: Solver<'a, f32, V>,
}

impl<'a, V: VertexId> Kernel3<'a, V> {
    /// Chooses Δ by the graph.
    pub fn new(built: &'a Constructed<V>) -> Self {
        Self { solver: Solver::new(&built.graph) }
    }

    /// Distances and parents from a root; the root is its own parent.
    ///
    /// # Panics
    /// If the graph has no such vertex.
    pub fn search(&mut self, root: V) -> ShortestPathTree<f32, V> {
        self.solver.tree(root)
    }
}

/// The number of input edges that a search from this root traverses, the numerator of TEPS: those with an end in its
/// component, duplicates included, self-loops not, as the reference implementation counts them.
pub fn traversed_edges<V: VertexId>(edges: &EdgeList<f32, V>, parents: &[V]) -> u64 {
    use rayon::prelude::*;
    let reached = |vertex: V| parents[vertex.index()] != V::NONE;
    let counts = edges.edges().par_iter().filter(|&&(from, to, _)| from != to && reached(from));
    counts.count() as u64
}
