//! Exit codes of a bench binary; see the README for how a build server reads them.

/// All is well: nothing failed, and nothing got slower.
pub const FINE: i32 = 0;
/// A benchmark is slower than allowed.
pub const REGRESSION: i32 = 1;
/// A benchmark failed, the command line was wrong, or the environment did not let us measure.
pub const FAILED: i32 = 2;
/// The measurement cannot be trusted.
pub const UNRELIABLE: i32 = 3;
/// A worker's: the kernel has closed the channel to the runner.
#[doc(hidden)]
pub const CHANNEL_LOST: i32 = 86;
/// Of a process that a kernel has forked and that came back from the kernel: the harness must not go on twice.
#[doc(hidden)]
pub const FORKED: i32 = 87;
/// Added to the number of the signal that interrupted us, as shells have it.
pub const INTERRUPTED: i32 = 128;
