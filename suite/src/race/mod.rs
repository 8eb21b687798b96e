//! Races among shortest path searches that go beyond the paper's experiment: the tuned searches. They are a room of their own
//! because they want graphs prepared for them; points and sources are those of
//! [`sssp::ShortestPaths`](crate::sssp::ShortestPaths).
//!
//! ```
//! use plusminus::Problem;
//! use plusminus_suite::race::{TunedPaths, split_delta_stepping};
//! use plusminus_suite::sssp::Point;
//!
//! let graph = TunedPaths::input(&Point::new(8, 255, 1));
//! for source in TunedPaths::instances(&graph) {
//!     let found = split_delta_stepping(&graph, &source);
//!     assert_eq!(TunedPaths::check(&graph, &source, &found), Ok(()));
//! }
//! ```

mod tuned;

pub use tuned::{
    SearchGraph, TunedPaths, dijkstra_heap, fused_delta_stepping, rho_stepping,
    split_delta_stepping,
};
