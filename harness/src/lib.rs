//! A benchmark harness that says how sure it is: every speedup as S ± σ.

mod problem;

pub use problem::{Problem, Work};

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
