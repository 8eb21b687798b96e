//! Kernels of the GAP benchmark suite other than shortest paths, as problems with a reference variant and a tuned one
//! each: breadth-first search, connected components, PageRank. Works on graphs without weights; takes no time itself.
//!
//! ```
//! use plusminus_suite::generate::{Rmat, Seed};
//! use plusminus_suite::graph::{Adjacency, Build, Csr};
//! use plusminus_suite::kernels::{check, connected_components, page_rank};
//!
//! let graph = Csr::build(&Rmat::graph500(8, Seed(1)).weighted(1), Build::UNDIRECTED);
//! let graph = Adjacency::of(&graph);
//! assert_eq!(check::components(&graph, &connected_components(&graph)), Ok(()));
//! assert_eq!(check::ranks(&graph, &page_rank(&graph)), Ok(()));
//! ```

mod bfs;
pub mod check;
mod components;
mod page_rank;
mod problems;

pub use bfs::{breadth_first_search, breadth_first_search_by_queue};
pub use components::{components_by_union, connected_components};
pub use page_rank::{DAMPING, TOLERANCE, page_rank, page_rank_by_definition};
pub use problems::{
    BreadthFirstSearch, Components, Everything, PageRank, Point, afforest, bfs_by_queue,
    direction_optimising_bfs, gauss_seidel, jacobi, union_find,
};
