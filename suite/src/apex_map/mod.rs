//! Apex-MAP (Strohmaier and Shan): a kernel whose spatial and temporal locality are parameters, so that one sweep
//! covers what many benchmarks would. Only memory is touched here; `cargo plusminus study` analyzes a finished sweep,
//! because the problems declare the model [`MODEL`].
//!
//! A call visits I blocks of L consecutive words of an array of M words. The starts of the blocks follow
//! X = M·U^(1/α) with U uniform, rounded down to a multiple of L, which gives the hit-rate law
//!
//! ```text
//! P(X < c) = (c/M)^α
//! ```
//!
//! α = 1 is uniformly random, α → 0 stays at the first block; L is the spatial locality. Starts are drawn when the
//! input is built, so that a timed call only walks over them (the original's "buffered index computing").
//!
//! Sources: E. Strohmaier and H. Shan, "Apex-MAP: A Global Data Access Benchmark to Analyze HPC Systems and Parallel
//! Programming Paradigms", SC'05; E. Strohmaier, "Performance Complexity"; and the behavior of the published
//! generator of version 3.0. If this implementation differs from it, the item's documentation describes that.
//!
//! ```
//! use plusminus::Problem;
//! use plusminus_suite::apex_map::{ApexMap, Parameters, nested_scalar};
//!
//! let point: Parameters = "512KiB".parse().unwrap();
//! let input = ApexMap::input(&point);
//! let instances = ApexMap::instances(&input);
//! assert_eq!(instances.len(), 10 * 17);
//! let output = nested_scalar(&input, &instances[0]);
//! ApexMap::check(&input, &instances[0], &output).unwrap();
//! ```

#[cfg(feature = "benchmarks")]
mod access;
#[cfg(feature = "benchmarks")]
mod data;
#[cfg(feature = "benchmarks")]
pub(crate) mod drand48;
#[cfg(feature = "benchmarks")]
mod kernels;
mod locality;
#[cfg(feature = "benchmarks")]
pub mod parallel;
mod parameters;
mod per_processor;
#[cfg(feature = "benchmarks")]
pub mod serial;
#[cfg(feature = "benchmarks")]
mod stream;

#[cfg(feature = "benchmarks")]
pub use access::Access;
#[cfg(feature = "benchmarks")]
pub use data::{Arrays, Destination, element};
#[cfg(feature = "benchmarks")]
pub use drand48::Drand48;
/// The models that both problems declare: `cargo plusminus study` fits those of Apex-MAP to their sweeps.
pub const MODEL: &str = "apex-map";

pub use locality::{ALPHAS, BLOCK_WORDS, Locality};
pub use parameters::{MAX_ACCESSES, Parameters, ParametersError};
pub use per_processor::PerProcessor;
#[cfg(feature = "benchmarks")]
pub use serial::{
    Accessed, ApexMap, Kept, Memory, fused_array, fused_scalar, nested_array, nested_scalar,
};
#[cfg(feature = "benchmarks")]
pub use stream::{Blocks, IndexStream};
