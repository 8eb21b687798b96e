//! The Graph500 benchmark, version 3: construction (kernel 1), breadth-first search (kernel 2), shortest paths
//! (kernel 3), validation and the official statistics. Takes no time itself: `examples/graph500.rs` does.
//!
//! One deviation is stated: a vertex is a 32-bit number, not one of at least 48, so scales end at 32.
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
use crate::graph::{Adjacency, Build, Csr, EdgeList, Vertex};
pub use crate::kernels::breadth_first_search;
use crate::sssp::stepping::{ShortestPathTree, Solver};

/// What kernel 1 makes of an edge list, for both other kernels.
pub struct Constructed {
    /// The undirected graph, without self-loops and with the lightest of parallel edges, as the rules allow.
    pub graph: Csr<f32>,
    /// The same without weights, for kernel 2.
    pub adjacency: Adjacency,
}

impl Constructed {
    /// Bytes that so many edges, with so many vertices, take at most once they are constructed, the list included; `None`
    /// if they have more than 64 bits. Construction needs no more.
    pub fn peak_bytes(vertices: u64, edges: u64) -> Option<u64> {
        // Two arcs of 8 bytes for each edge in the graph, and of 4 without weights; two arrays of offsets.
        let per_edge = EdgeList::<f32>::BYTES_PER_EDGE + 2 * (8 + 4);
        edges.checked_mul(per_edge)?.checked_add(vertices.checked_add(1)?.checked_mul(2 * 8)?)
    }
}

/// Kernel 1: builds the graph, in parallel on the current rayon pool.
pub fn construct(edges: &EdgeList<f32>) -> Constructed {
    let graph = Csr::build(edges, Build::UNDIRECTED);
    let adjacency = Adjacency::of(&graph);
    Constructed { graph, adjacency }
}

/// The search keys: 64 different vertices that have a neighbour, or as many as there are.
pub fn search_keys(built: &Constructed, seed: Seed) -> Vec<Vertex> {
    sources(&built.graph, 64, seed)
}

/// Kernel 3: shortest paths from one root at a time. Nothing is kept from one root to the next but memory.
pub struct Kernel3<'a> {
    solver: Solver<'a, f32>,
}

impl<'a> Kernel3<'a> {
    /// Chooses Δ by the graph.
    pub fn new(built: &'a Constructed) -> Self {
        Self { solver: Solver::new(&built.graph) }
    }

    /// Distances and parents from a root; the root is its own parent.
    ///
    /// # Panics
    /// If the graph has no such vertex.
    pub fn search(&mut self, root: Vertex) -> ShortestPathTree<f32> {
        self.solver.tree(root)
    }
}

/// The number of input edges that a search from this root traverses, the numerator of TEPS: those with an end in its
/// component, duplicates included, self-loops not, as the reference implementation counts them.
pub fn traversed_edges(edges: &EdgeList<f32>, parents: &[Vertex]) -> u64 {
    use rayon::prelude::*;
    let reached = |vertex: Vertex| parents[vertex as usize] != Vertex::MAX;
    let counts = edges.edges().par_iter().filter(|&&(from, to, _)| from != to && reached(from));
    counts.count() as u64
}
