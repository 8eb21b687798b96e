//! The kernels that `cargo plusminus selftest` measures, and the loop around them. They are a crate of their own
//! because timed code has to be optimized, unlike the rest of the subcommand.

mod selftest;
mod work;

pub use work::{DEFAULT_STEPS, STEPS};

/// The module of the kernels, as names of benchmarks have it.
pub const KERNELS: &str = "selftest::";
