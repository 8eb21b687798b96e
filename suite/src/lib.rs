//! Ready-made problems and variants for plusminus: graphs, their generators, and the algorithms of the papers. The
//! code here may use threads and memory freely, but takes no time itself: measuring is the harness's.
#![cfg_attr(not(test), forbid(unsafe_code))]

// The tests of the public interface are part of the program of unit tests: one of their own would compile every variant once more.
#[cfg(test)]
#[path = "../tests/all/mod.rs"]
mod all;
#[cfg(test)]
extern crate self as plusminus_suite;

#[cfg(feature = "benchmarks")]
pub mod agm;
pub mod apex_map;
mod bytes;
pub mod generate;
pub mod graph;
#[cfg(feature = "benchmarks")]
pub mod graph500;
pub mod imsuite;
#[cfg(feature = "benchmarks")]
mod inputs;
#[cfg(feature = "benchmarks")]
pub mod kernels;
pub mod memory;
#[cfg(feature = "benchmarks")]
pub mod micro;
#[cfg(feature = "benchmarks")]
pub mod places;
#[cfg(feature = "benchmarks")]
pub mod race;
#[cfg(feature = "benchmarks")]
pub mod sssp;
#[cfg(feature = "benchmarks")]
mod tasks;
#[cfg(feature = "benchmarks")]
mod team;
#[cfg(feature = "benchmarks")]
pub mod textbook;

pub use bytes::Bytes;
