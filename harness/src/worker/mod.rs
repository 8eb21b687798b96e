//! The measuring side: a fresh process that runs kernels on request and answers with raw samples.
//! It plans nothing and prints nothing: what comes next is the runner's decision.

mod asynchronous;
mod bencher;
mod callers;
mod clock;
mod edges;
mod held;
pub(crate) mod libtest;
mod lookup;
mod memory;
mod moment;
mod panics;
mod perf;
mod phases;
pub(crate) mod protocol;
pub(crate) mod ranks;
mod resources;
mod sample;
mod session;

pub(crate) use asynchronous::take_async_sample;
pub use asynchronous::{Executor, Window};
pub use bencher::{Bencher, BencherWithInputs};
pub(crate) use callers::take_shared_sample;
pub(crate) use lookup::describe;
pub use memory::CountingAllocator;
pub use phases::{Phase, phase};
pub use sample::RawSample;
pub(crate) use sample::{WrongAnswer, take_sample};
pub(crate) use session::{serve_alone, serve_here};
