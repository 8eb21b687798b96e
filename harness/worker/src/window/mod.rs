//! The timed window: samples of kernels, read from the clocks, and all that happens when a window opens and closes.
//! May use `protocol`, `sys` and small tools; knows no benchmarks and no requests.

mod answers;
mod asynchronous;
mod caller;
mod callers;
mod clock;
mod held;
mod memory;
mod moment;
mod perf;
pub(crate) mod phases;
pub(crate) mod resources;
mod sample;

pub use answers::Compare;
pub(crate) use answers::{Compared, Comparison};
pub(crate) use asynchronous::take_async_sample;
pub use asynchronous::{Executor, Window};
pub use caller::Ask;
pub(crate) use caller::Windows;
pub(crate) use callers::take_shared_sample;
pub(crate) use clock::calibrate;
pub use memory::CountingAllocator;
pub(crate) use moment::{Calibration, TimeSource};
pub use phases::{Phase, phase};
pub use sample::WrongAnswer;
pub(crate) use sample::{take_custom_sample, take_sample};
