//! Single-source shortest paths: the problem, its machines on the Abstract Graph Machine, and the algorithms that compete.
//! Takes graphs as they are; takes no time itself.
//!
//! ```
//! use plusminus_suite::agm::{Filter, Kla, Runtime};
//! use plusminus_suite::generate::{gnm, Seed};
//! use plusminus_suite::graph::{Build, Csr};
//! use plusminus_suite::sssp::{DeltaStepping, dijkstra, search, search_counted};
//!
//! let graph = Csr::build(&gnm::<u32>(100, 400, 255, Seed(101)), Build::UNDIRECTED);
//! let ordering = DeltaStepping::new(16u32);
//! let found = search(ordering, &graph, 0, Runtime::Tasks, Filter::Filtered);
//! assert_eq!(found, dijkstra(&graph, 0));
//! // To the letter of the paper: an item for every arc of every vertex whose distance fell.
//! let (_, counts) = search_counted(ordering, &graph, 0, Runtime::Messages, Filter::Literal);
//! let (_, more) = search_counted(Kla::new(2), &graph, 0, Runtime::Messages, Filter::Literal);
//! assert!(more.created >= counts.created, "KLA trades order for work");
//! assert!(more.barriers <= counts.barriers, "and gets fewer barriers for it");
//! ```

mod dijkstra;
mod labels;
mod machine;
pub(crate) mod problem;
pub mod stepping;
pub mod validate;
mod variants;
mod width;

pub use dijkstra::dijkstra;
pub use machine::{DeltaStepping, Relax, machine, search, search_counted};
pub use problem::{Point, ShortestPaths, Source};
pub use variants::*;
