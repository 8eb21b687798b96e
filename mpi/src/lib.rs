//! The suite of plusminus over the ranks of MPI: node programs, graphs and searches whose parts live in several processes.
//! All that knows MPI is here; it needs an MPI and libclang to build, and therefore is a workspace of its own.
//!
//! Every rank runs the same program and makes the same calls in the same order.
#![deny(unsafe_code)]

pub mod bfs;
pub mod graph;
mod launch;
pub mod loggp;
mod mail;
mod ranks;
pub mod search;
pub mod stepping;
pub mod validate;
mod watch;
pub mod window;
mod workers;

pub use launch::{over_ranks, run, threads};
pub use mail::Mail;
pub use ranks::{Ranks, Traffic, Word, end_all_at_panic};
