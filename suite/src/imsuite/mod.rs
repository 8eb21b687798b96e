//! IMSuite: twelve classical distributed algorithms, simulated node by node, with their inputs and validators.
//! The algorithms are node programs that the executors of [`places`](crate::places) run; nothing here takes time.
//!
//! ```
//! use plusminus_suite::imsuite::generate::{OriginalOptions, Shape};
//! use plusminus_suite::imsuite::{Kernel, Whole, mst, Weighted};
//!
//! // The paper's own input, its minimum spanning tree, and the check by definition.
//! let input = OriginalOptions::new(Kernel::Mst, 64, Shape::SparseMaximum).generate();
//! let network = Weighted::from(input);
//! let tree = mst::fork_join(&network, &Whole);
//! assert_eq!(mst::check(&network, &tree), Ok(()));
//! ```

#[cfg(feature = "benchmarks")]
pub mod bf;
#[cfg(feature = "benchmarks")]
pub mod by;
#[cfg(feature = "benchmarks")]
pub mod characterise;
#[cfg(feature = "benchmarks")]
pub mod dp;
#[cfg(feature = "benchmarks")]
pub mod dr;
#[cfg(feature = "benchmarks")]
pub mod ds;
#[cfg(feature = "benchmarks")]
pub mod dst;
#[cfg(feature = "benchmarks")]
mod entry;
pub mod generate;
#[cfg(feature = "benchmarks")]
pub mod hs;
#[cfg(feature = "benchmarks")]
pub mod inputs;
#[cfg(feature = "benchmarks")]
pub mod kc;
#[cfg(feature = "benchmarks")]
pub mod kc_faithful;
#[cfg(feature = "benchmarks")]
mod kruskal;
#[cfg(feature = "benchmarks")]
pub mod lcr;
#[cfg(feature = "benchmarks")]
pub mod mis;
#[cfg(feature = "benchmarks")]
pub mod mst;
#[cfg(feature = "benchmarks")]
mod node_random;
#[cfg(feature = "benchmarks")]
pub mod placement;
#[cfg(feature = "benchmarks")]
pub mod problems;
#[cfg(feature = "benchmarks")]
pub mod recursive;
#[cfg(feature = "benchmarks")]
mod ring;
#[cfg(feature = "benchmarks")]
mod tally;
mod text;
mod topology;
#[cfg(feature = "benchmarks")]
pub mod vc;

#[cfg(feature = "benchmarks")]
pub use dp::Identified;
#[cfg(feature = "benchmarks")]
pub use entry::{GRAIN_VARIABLE, Mode, Seed, WORKLOAD_VARIABLE, Whole, grain, workload};
#[cfg(feature = "benchmarks")]
use entry::{one_per_node, run, run_at, tally, variant, variants};
#[cfg(feature = "benchmarks")]
pub use ring::{Election, Ring};
#[cfg(feature = "benchmarks")]
pub use tally::{local_tallies, tallies};
pub use text::{Kernel, Original, TextError};
pub use topology::{RootedTree, Topology, UNREACHABLE, Weighted};
