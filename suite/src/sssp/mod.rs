//! Single-source shortest paths: the problem, the Abstract Graph Machine with its orderings, and the algorithms
//! that compete. Takes graphs as they are; takes no time itself.
//!
//! ```
//! use plusminus_suite::generate::{gnm, Seed};
//! use plusminus_suite::graph::{Build, Csr};
//! use plusminus_suite::sssp::{agm, dijkstra};
//!
//! let graph = Csr::build(&gnm::<u32>(100, 400, 255, Seed(101)), Build::UNDIRECTED);
//! let found = agm::search(&agm::DeltaStepping::new(16u32), &graph, 0);
//! assert_eq!(found, dijkstra(&graph, 0));
//! ```

pub mod agm;
mod bins;
mod dijkstra;
mod labels;
pub mod messages;
pub(crate) mod problem;
pub mod stepping;
pub(crate) mod team;
pub mod validate;
mod width;

pub use bins::Bins;
pub use dijkstra::dijkstra;
pub use problem::{Point, ShortestPaths, Source, delta_stepping, dijkstra_heap, kla};
