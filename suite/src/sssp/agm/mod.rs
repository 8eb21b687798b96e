//! The Abstract Graph Machine: algorithms as an order on work items (VoV Definition 1), run by one parallel engine.
//!
//! An AGM is (G, WorkItems, PF, <, S). Here G is a [`Csr`](crate::graph::Csr), a work item is what implements
//! [`WorkItem`], the processing function PF is the relaxation that all searches share (VoV Definitions 2 and 4), the
//! strict weak ordering < is given by [`Ordering::class`], and the start set S is the source at distance zero.
//!
//! ```
//! use plusminus_suite::generate::{grid, Seed};
//! use plusminus_suite::graph::{Build, Csr};
//! use plusminus_suite::sssp::agm;
//!
//! let graph = Csr::build(&grid::<u32>(10, 10, 9, Seed(1)), Build::UNDIRECTED);
//! let (by_delta, counts) = agm::search_counted(&agm::DeltaStepping::new(4u32), &graph, 0);
//! let (by_level, more) = agm::search_counted(&agm::Kla::new(2), &graph, 0);
//! assert_eq!(by_delta, by_level);
//! assert!(more.created >= counts.created, "KLA trades order for work");
//! ```

mod counts;
mod engine;
mod orderings;

pub use counts::Counts;
pub use engine::{search, search_counted, search_literally};
pub use orderings::{
    DeltaStepping, DijkstraLike, Kla, LevelledItem, Ordering, PlainItem, Unordered, WorkItem,
};
