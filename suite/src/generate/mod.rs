//! Random graphs, weights and sources, the same for a seed on every machine and with every number of threads.
//! Everything here is a pure function of its parameters.
//!
//! ```
//! use plusminus_suite::generate::{Rmat, Seed};
//!
//! let small = Rmat::graph500(8, Seed(101));
//! assert_eq!(small.weighted(255).edges().len(), 16 << 8);
//! ```

mod lanes;
mod mrg;
mod plain;
mod rmat;
mod sources;
mod wide;

pub use mrg::Mrg;
pub use plain::{gnm, grid, path, star};
pub use rmat::Rmat;
pub use sources::{sources, sources_among};

/// Where a stream of random numbers starts.
///
/// Graph500 wants two numbers ("user seeds"): they are this one and its successor, so that `Seed(2)` makes the
/// graphs of the official runs, whose user seeds are 2 and 3.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Seed(pub u64);
