//! Inputs for the kernels: the original generators reproduced draw for draw, and fast ones for large networks.
//! Everything here is a pure function of its options and its seed; it reads no file and takes no time of a measurement.

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
