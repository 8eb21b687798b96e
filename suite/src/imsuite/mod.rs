//! IMSuite: twelve classical distributed algorithms, simulated node by node, with their inputs and validators.
//! The algorithms are node programs that the executors of [`places`](crate::places) run; nothing here takes time.

pub mod generate;
mod text;
mod topology;

pub use text::{Kernel, Original, TextError};
pub use topology::{RootedTree, Topology, UNREACHABLE, Weighted};
