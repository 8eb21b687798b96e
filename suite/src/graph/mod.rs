//! Graphs in memory: edge lists, compressed sparse rows built in parallel, and what is counted on them.
//! Plain data and pure functions; random graphs are made in
//! [`generate`](crate::generate).
//!
//! ```
//! use plusminus_suite::graph::{Build, Csr, EdgeList};
//!
//! let edges = EdgeList::new(3, vec![(0, 1, 7u32), (1, 2, 2)]).unwrap();
//! let graph = Csr::build(&edges, Build::UNDIRECTED);
//! assert_eq!(graph.neighbors(1).collect::<Vec<_>>(), [(0, 7), (2, 2)]);
//! ```

#[cfg(feature = "benchmarks")]
mod adjacency;
mod block;
mod build;
mod component;
mod csr;
mod edge_list;
pub mod io;
mod pages;
#[cfg(feature = "benchmarks")]
mod rows;
mod split;
mod vertex;
mod weight;

#[cfg(feature = "benchmarks")]
pub use adjacency::Adjacency;
pub use build::Build;
pub use component::edges_by_component;
pub use csr::Csr;
#[cfg(feature = "benchmarks")]
pub(crate) use csr::unpack;
pub use edge_list::EdgeList;
#[cfg(feature = "benchmarks")]
pub(crate) use rows::Rows;
#[cfg(feature = "benchmarks")]
pub(crate) use split::{Degrees, SAMPLE as WEIGHT_SAMPLE, limit as split_limit};
#[cfg(feature = "benchmarks")]
pub(crate) use vertex::{Label, PackedArc, Parts, SharedVertex};
pub use vertex::{Vertex, VertexId};
pub use weight::Weight;
