//! Stepping algorithms made to win: Δ-stepping with fused steps that goes along light arcs first, and ρ-stepping.
//! They run on threads of their own, as many as the current rayon pool has, without a fork and join per step.
//!
//! ```
//! use plusminus_suite::generate::{Rmat, Seed};
//! use plusminus_suite::graph::{Build, Csr};
//! use plusminus_suite::sssp::{dijkstra, stepping::Solver};
//!
//! let graph = Csr::build(&Rmat::graph500(8, Seed(1)).weighted(255), Build::UNDIRECTED);
//! let mut solver = Solver::new(&graph);
//! assert_eq!(solver.distances(3), dijkstra(&graph, 3));
//! let tree = solver.tree(3);
//! assert_eq!(tree.parents[3], 3);
//! ```

mod candidates;
mod delta;
pub(crate) mod frontier;
mod rho;
mod solver;

pub use rho::RhoStepping;
pub use solver::{Memory, ShortestPathTree, Solver};
