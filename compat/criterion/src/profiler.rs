//! Profilers: they run outside of the bench binary here.

use std::path::Path;

/// A profiler within the bench binary. It is accepted, without effect: kernels run in worker processes. Start one from outside:
/// `perf record BINARY --bench --in-process --profile-time 10`, where `cargo bench --no-run` prints `BINARY`.
pub trait Profiler {
    /// Is not called.
    fn start_profiling(&mut self, benchmark_id: &str, benchmark_dir: &Path);

    /// Is not called.
    fn stop_profiling(&mut self, benchmark_id: &str, benchmark_dir: &Path);
}

/// Criterion's default: nothing within the binary, so that a profiler from outside sees the kernel alone.
#[derive(Debug, Clone, Copy, Default)]
pub struct ExternalProfiler;

impl Profiler for ExternalProfiler {
    fn start_profiling(&mut self, _: &str, _: &Path) {}

    fn stop_profiling(&mut self, _: &str, _: &Path) {}
}
