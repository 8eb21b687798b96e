//! Micro-kernels that calibrate a machine: bandwidth, latency, messages, fork and join, barriers. Their results give
//! reports a bound to compare a kernel with, and fitted models a check of plausibility.
//!
//! Each is a problem: its instances are what is measured, its variants are how it is done.
//!
//! | problem | measures | compares with |
//! |---|---|---|
//! | [`Bandwidth`] | streaming over arrays, as STREAM does (McCalpin), and a running sum | the gap g of a model |
//! | [`RandomReads`] | independent and dependent random reads by working set | the latency l; steps show the caches |
//! | [`RoundTrip`] | a question and its answer between two threads, by size | l and g of message passing |
//! | [`ForkJoin`] | starting one empty task on each processor and waiting for all | the least grain of parallel work |
//! | [`PhaseBarrier`] | an empty phase between two barriers | the least length of a phase |
//!
//! ```
//! use plusminus::Problem;
//! use plusminus_suite::micro::{RandomReads, random_reads};
//!
//! let cycle = RandomReads::input(&"64KiB".parse().unwrap());
//! for order in RandomReads::instances(&cycle) {
//!     let read = random_reads(&cycle, &order);
//!     RandomReads::check(&cycle, &order, &read).unwrap();
//! }
//! ```

mod bandwidth;
mod phases;
mod reads;
mod round_trip;

pub use bandwidth::{
    Bandwidth, Operation, StreamArrays, Streamed, stream_on_all_processors, stream_on_one,
};
pub use phases::{ForkJoin, PhaseBarrier, Phases, Team, TeamSize, join, scope, standard_barrier};
pub use reads::{Order, RandomReads, ReadCycle, ReadOrder, Reads, random_reads};
pub use round_trip::{Answered, Pair, RoundTrip, Server, blocking, polling};
