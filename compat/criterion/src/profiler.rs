//! Profilers: they run outside of the bench binary here.

use std::path::Path;

/// A profiler within the bench binary. There is none for plusminus: kernels run in worker processes.
#[diagnostic::on_unimplemented(
    message = "plusminus runs kernels in worker processes, and cannot call `{Self}` around them",
    label = "not possible with plusminus-criterion",
    note = "leave `with_profiler` out, and start the profiler from outside: `perf record BINARY --bench \
            --in-process --profile-time 10`, where `cargo bench --no-run` prints BINARY"
)]
pub trait Profiler: sealed::Only {
    /// Called before.
    fn start_profiling(&mut self, benchmark_id: &str, benchmark_dir: &Path);

    /// Called after.
    fn stop_profiling(&mut self, benchmark_id: &str, benchmark_dir: &Path);
}

mod sealed {
    /// Keeps other crates from profilers of their own.
    #[diagnostic::on_unimplemented(
        message = "plusminus runs kernels in worker processes, and cannot call `{Self}` around them",
        label = "not possible with plusminus-criterion",
        note = "leave `with_profiler` out, and start the profiler from outside: `perf record BINARY --bench \
                --in-process --profile-time 10`, where `cargo bench --no-run` prints BINARY"
    )]
    pub trait Only {}
}

/// Criterion's default: nothing within the binary, so that a profiler from outside sees the kernel alone.
#[derive(Debug, Clone, Copy, Default)]
pub struct ExternalProfiler;

impl sealed::Only for ExternalProfiler {}

impl Profiler for ExternalProfiler {
    fn start_profiling(&mut self, _: &str, _: &Path) {}

    fn stop_profiling(&mut self, _: &str, _: &Path) {}
}
