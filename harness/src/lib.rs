//! A benchmark harness that says how sure it is: every speedup as S ± σ.
//!
//! Put [`bench`] on a function, or implement [`Problem`] and enter variants into it; end the bench target with
//! [`main!`]. `cargo bench` then measures everything in fresh processes and prints what it found, with the
//! uncertainty of each number.
//!
//! ```
//! use plusminus::bench;
//!
//! #[bench]
//! fn parse() -> u64 {
//!     "12345".parse().unwrap()
//! }
//!
//! plusminus::main!();
//! ```

pub use plusminus_analysis as analysis;

mod cli;
mod metric;
mod options;
mod problem;
pub mod record;
mod registry;
pub mod report;
mod runner;
mod sys;
mod worker;

pub use cli::run;
pub use metric::{Metric, MetricKind, Metrics};
pub use options::{Ignore, IntoCounts, IntoDuration, IntoIgnore, Options};
pub use plusminus_macros::{bench, bench_group};
pub use problem::{Problem, Work};
pub use record::Tally;
pub use worker::{Bencher, BencherWithInputs, CountingAllocator, Executor, Window};

#[doc(hidden)]
pub use registry::private as __private;

/// Workers as other programs of this project drive them. Public for that reason only; nothing here is stable.
#[doc(hidden)]
pub mod __runner {
    pub use crate::{
        runner::{
            child::{Silence, WORKER_FLAG, Worker},
            random::Random,
        },
        sys::{
            address_randomisation, catch_interrupts, cpu_model, governor, interrupt, kill_group,
            load_average, own_group, steal_ticks, system_version,
        },
        worker::{
            RawSample,
            protocol::{Answer, Failed, Instance, Listed, Load, PROTOCOL, Request, Sampling},
        },
    };
}

/// What a bench binary answers with; see the README for how a build server reads them.
pub mod exit {
    /// All is well: nothing failed, and nothing got slower.
    pub const FINE: i32 = 0;
    /// A benchmark is slower than allowed.
    pub const REGRESSION: i32 = 1;
    /// A benchmark failed, the command line was wrong, or the environment did not let us measure.
    pub const FAILED: i32 = 2;
    /// The measurement cannot be trusted.
    pub const UNRELIABLE: i32 = 3;
    /// A worker's: the kernel has closed the channel to the runner.
    pub(crate) const CHANNEL_LOST: i32 = 86;
    /// Of a process that a kernel has forked and that came back from the kernel: the harness must not go on twice.
    pub(crate) const FORKED: i32 = 87;
    /// Added to the number of the signal that interrupted us, as shells have it.
    pub const INTERRUPTED: i32 = 128;
}

/// Writes the `main` function of a bench target.
///
/// Name the crates whose benchmarks are to be found too, such as the package's own library, or single modules of
/// them: naming a crate is what makes the linker include it. A named crate or module without any benchmark is an
/// error. Variants of a problem that is found this way are found wherever they are registered.
///
/// ```
/// plusminus::main!();
/// ```
///
/// ```ignore
/// plusminus::main!(my_library, plusminus_suite::sssp);
/// ```
#[macro_export]
macro_rules! main {
    ($($path:path),* $(,)?) => {
        $(use $path as _;)*

        fn main() -> ::std::process::ExitCode {
            $crate::run(::core::module_path!(), &[$(::core::stringify!($path)),*])
        }
    };
}

/// The processors that the running kernel was given, p of T(n, p); 1 outside of a measurement.
///
/// A parallel kernel that manages its own threads starts this many. Pools that read `RAYON_NUM_THREADS`,
/// `OMP_NUM_THREADS` or `TOKIO_WORKER_THREADS` need not ask: the worker process is started with these set.
///
/// ```
/// assert_eq!(plusminus::processors(), 1);
/// ```
pub fn processors() -> usize {
    std::env::var("PLUSMINUS_WORKER_PROCESSORS").ok().and_then(|p| p.parse().ok()).unwrap_or(1)
}
