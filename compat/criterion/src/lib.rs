//! The API of criterion 0.5 to 0.8 over plusminus: existing benches run in fresh processes, with checked uncertainty and
//! verdicts that hold, when one line of Cargo.toml is changed.
//!
//! ```toml
//! [dev-dependencies]
//! criterion = { package = "plusminus-criterion", version = "0.1" }
//! ```
//!
//! # What happens to a bench function
//!
//! It is called once by `cargo bench` to find the ids of its benchmarks: their closures are not run then. Each benchmark
//! is measured in worker processes, in which the one bench function that has it is called again up to its id, and its
//! closure is run there. What stands between the benchmarks is set-up. A function must therefore give the same ids in
//! every process, whether or not other bench functions were called before it; a benchmark that is found in one process
//! and missing in another is reported as failed.
//!
//! # What differs from criterion
//!
//! - Kernels see all processors of the machine, as under criterion, and begin on one of them, where kernels of one thread
//!   stay. `PLUSMINUS_PROCESSORS=1` leaves them no other.
//! - `sample_size` below criterion's default of 100 is shared by the first five runs; from 100 on the harness chooses.
//!   `measurement_time` and `warm_up_time` are budgets of all runs together, of which there are 60 at most.
//!   `noise_threshold` is the margin of comparisons.
//! - `nresamples`, `confidence_level`, `significance_level`, `sampling_mode`, `plot_config` and the settings of reports
//!   have no meaning here: they are accepted, and `cargo bench` names those that a bench uses, once.
//! - `iter` times the drop of what the routine returns, as criterion does; `iter_with_large_drop` and `iter_batched` do
//!   not.
//! - A measurement of one's own ([`measurement::Measurement`]) and a profiler of one's own ([`profiler::Profiler`]) are
//!   compile errors that say what to do instead.
//! - The `main` function has to be that of [`criterion_main!`].
#![forbid(unsafe_code)]

#[cfg(feature = "async")]
mod async_bencher;
#[cfg(feature = "async")]
pub mod async_executor;
mod bencher;
mod command_line;
mod configuration;
mod group;
mod macros;
pub mod measurement;
mod plotting;
pub mod profiler;
mod program;
mod settings;

#[doc(hidden)]
pub mod __private {
    pub use crate::program::{register, run, section};
    pub use plusminus::__private::{ENTRY_MARK, Entry, RegisteredSubject, Subject, inventory};
    pub use plusminus::Options;
}

#[cfg(feature = "async")]
pub use async_bencher::AsyncBencher;
pub use bencher::{BatchSize, Bencher};
pub use configuration::{BenchmarkFilter, Criterion};
pub use group::{BenchmarkGroup, BenchmarkId, IntoBenchmarkId, Throughput};
pub use plotting::{AxisScale, PlotConfiguration, PlottingBackend, SamplingMode};
pub use std::hint::black_box;
