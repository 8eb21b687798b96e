//! Races among shortest path searches that go beyond the paper's experiment: the tuned searches, and the same orderings
//! on the runtime of active messages. They are a room of their own because they take longer than
//! [`sssp::ShortestPaths`](crate::sssp::ShortestPaths), whose points and sources they share.
//!
//! ```
//! use plusminus::Problem;
//! use plusminus_suite::race::{TunedPaths, split_delta_stepping};
//! use plusminus_suite::sssp::Point;
//!
//! let graph = TunedPaths::input(&Point { scale: 8, max_weight: 255, processors: 1 });
//! for source in TunedPaths::instances(&graph) {
//!     let found = split_delta_stepping(&graph, &source);
//!     assert_eq!(TunedPaths::check(&graph, &source, &found), Ok(()));
//! }
//! ```

mod messages;
mod tuned;

pub use messages::{MessagePaths, delta_stepping_by_messages, kla_by_messages};
pub use tuned::{
    SearchGraph, TunedPaths, dijkstra_heap, fused_delta_stepping, rho_stepping,
    split_delta_stepping,
};
