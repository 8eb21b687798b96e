//! The Abstract Graph Machine (VoV §3): algorithms on graphs as work items, a processing function and an order, and the
//! runtimes that execute them. A machine is put together from the parts of Definition 1; nothing here knows shortest
//! paths, whose machines are those of [`sssp`](crate::sssp).
//!
//! | part of Definition 1 | here |
//! |---|---|
//! | G, the graph | any [`Graph`] |
//! | WorkItems | [`Processing::Item`]: [`PlainItem`], [`LevelledItem`], or another [`WorkItem`] |
//! | PF, the processing function | [`Processing`]: its condition against the state, and the items that follow |
//! | <, a strict weak ordering | [`Ordering`]: the rank of an item's class |
//! | S, the start set | [`Machine::start`] |
//! | the state of vertices that PF reads and writes, `distance(v)` | [`Processing::UNSET`], [`Processing::improves`] |
//!
//! Instances besides shortest paths: [`Hops`] (breadth-first search) and [`Labels`] (connected components).
//!
//! ```
//! use plusminus_suite::agm::{Ascending, Filter, Hops, Kla, Labels, Machine, Runtime};
//! use plusminus_suite::generate::{Seed, grid};
//! use plusminus_suite::graph::{Adjacency, Build, Csr};
//!
//! let graph = Adjacency::of(&Csr::build(&grid::<u32>(10, 10, 9, Seed(1)), Build::UNDIRECTED));
//! let hops = Machine::new(&graph, Hops::plain(), Ascending, Hops::start(0));
//! let levels = hops.run(Runtime::Tasks, Filter::Literal);
//! assert_eq!(levels[99], 18);
//! // Another ordering of the same processing function gives the same levels.
//! let kla = Machine::new(&graph, Hops::levelled(), Kla::new(4), Hops::start(0));
//! assert_eq!(kla.run(Runtime::Messages, Filter::Filtered), levels);
//! let components = Machine::new(&graph, Labels, Ascending, Labels::start(100));
//! assert!(components.run(Runtime::Tasks, Filter::Filtered).iter().all(|&label| label == 0));
//! ```

mod bins;
mod counts;
mod instances;
mod items;
mod machine;
mod messages;
mod state;
mod tasks;

pub use bins::Bins;
pub use counts::Counts;
pub use instances::{Hops, Labels};
pub use items::{
    Ascending, Kla, LevelledItem, Ordering, PlainItem, Successor, Unordered, WorkItem,
};
pub use machine::{Filter, Graph, Machine, Processing, Runtime};
pub use messages::Reduction;
