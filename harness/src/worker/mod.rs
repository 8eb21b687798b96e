//! The measuring side: a fresh process that runs kernels on request and answers with raw samples.
//! It plans nothing and prints nothing: what comes next is the runner's decision.

mod bencher;
mod clock;
mod memory;
mod panics;
mod perf;
pub(crate) mod protocol;
mod resources;
mod sample;
mod session;

pub use bencher::{Bencher, BencherWithInputs};
pub use memory::CountingAllocator;
pub use sample::RawSample;
pub(crate) use sample::{WrongAnswer, take_sample};
pub(crate) use session::serve;
