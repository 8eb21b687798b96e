//! The API of criterion 0.5 to 0.8 over plusminus: existing benches run in fresh processes, with checked uncertainty and
//! verdicts that hold, when one line of Cargo.toml is changed.
//!
//! ```toml
//! [dev-dependencies]
//! criterion = { package = "plusminus-criterion", version = "0.1" }
//! ```
//!
//! # Life of a bench function
//!
//! `cargo bench` calls it once to find the ids of its benchmarks, without running their closures. Each benchmark is
//! measured in worker processes. They call the one bench function that has it again, up to its id, and run its closure.
//! Code between the benchmarks is set-up.
//!
//! So a function must give the same ids in every process, whether or not other bench functions ran before it. A
//! benchmark that is found in one process and missing in a different one is reported as failed.
//!
//! # Differences from criterion
//!
//! - Kernels see all processors of the machine, as under criterion, and begin on one of them, where kernels of one thread
//!   stay. `PLUSMINUS_PROCESSORS=1` leaves them no other. In a comparison, a kernel of one thread whose calls take 5 ms or more
//!   sees one while it is timed, as both sides share it.
//! - `measurement_time` and `warm_up_time` are budgets of all runs together, of which there are 60 at most.
//!   `noise_threshold` is the margin of comparisons.
//! - `sample_size`, `nresamples`, `confidence_level`, `significance_level`, `sampling_mode`, `plot_config` and the settings of reports
//!   have no effect. `cargo bench` accepts them, and lists once the ones that a bench uses.
//! - `iter` times the drop of the routine's result, as criterion does. `iter_with_large_drop` and `iter_batched` do not.
//! - Your own measurement ([`measurement::Measurement`]) is a compile error, which describes the alternative.
//! - Your own profiler ([`profiler::Profiler`]) has no effect. Start one from outside, with `--in-process --profile-time SECONDS`.
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
    pub use crate::program::{group, register, run};
    pub use plusminus::__private::{
        ENTRY_MARK, Entry, Listed, RegisteredSubject, Sections, Subject, inventory, package_name,
    };
    pub use plusminus::Options;
}

#[cfg(feature = "async")]
pub use async_bencher::AsyncBencher;
pub use bencher::{BatchSize, Bencher};
pub use configuration::{BenchmarkFilter, Criterion};
pub use group::{BenchmarkGroup, BenchmarkId, IntoBenchmarkId, Throughput};
pub use plotting::{AxisScale, PlotConfiguration, PlottingBackend, SamplingMode};
pub use plusminus::CountingAllocator;
pub use std::hint::black_box;
