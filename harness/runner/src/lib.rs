//! The planning side of plusminus: the engine that asks workers, records, results, the report, and the command line
//! of a bench binary. The measured code runs in `plusminus-worker`.
//!
//! Users write `plusminus::…`, which re-exports the public part. The rest is shared with `cargo plusminus` and not
//! stable.

// Programs that a comparison builds are not run by it.
#![cfg(not(plusminus_serves_only))]

pub use plusminus_analysis as analysis;

mod baselines;
mod cli;
// The subcommand and the drop-ins share these with bench binaries; no part of the interface.
#[doc(hidden)]
pub mod engine;
#[doc(hidden)]
pub mod output;
pub mod record;
pub mod report;
pub mod results;
#[doc(hidden)]
pub mod text;

/// Entry points for fuzzers; no part of the interface.
#[cfg(feature = "fuzzing")]
#[doc(hidden)]
pub mod fuzzing {
    pub use crate::cli::understand as options;
}

#[doc(hidden)]
pub use cli::{check_variables, help, run, run_asked};
