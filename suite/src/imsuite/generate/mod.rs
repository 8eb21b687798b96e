//! Inputs for the kernels: the original generators reproduced draw for draw, and fast ones for large networks.
//! Everything here is a pure function of its options and its seed; it reads no file and takes no time of a measurement.
//!
//! ```
//! use plusminus_suite::imsuite::Kernel;
//! use plusminus_suite::imsuite::generate::{OriginalOptions, Shape, network};
//!
//! let original = OriginalOptions::new(Kernel::Mis, 16, Shape::SparseMaximum).generate();
//! let fast = network(Shape::SparseMaximum, 16, 101);
//! assert_eq!(original.topology.unwrap().edges(), fast.edges());
//! ```

mod fast;
mod java_random;
mod original;
mod x10_random;

pub use fast::{
    distinct_weights, identifiers, network, random_weights, renumber, tree, votes_and_traitors,
};
pub use java_random::JavaRandom;
pub use original::{DEFAULT_SEED, OriginalOptions, RouteWeights, Shape};
pub use x10_random::X10Random;
