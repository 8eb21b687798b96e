//! The functions that a bench program calls: its own command line, unless it is started as a worker. Programs that a
//! comparison builds have `serving.rs` instead, which needs nothing of this crate.

use std::process::ExitCode;

use super::{Dialect, Target, known, run_words};
use crate::record;
use plusminus_worker::{protocol::Build, registry, serve};

/// Runs a bench binary by its command line. `main!` passes the name of the package, which is part of its folder of
/// records, and the name of the binary's own crate. `paths` are the crates and modules whose benchmarks belong to it.
/// An empty package stands for an unknown one.
pub fn run(package: &str, own: &str, paths: &[&str]) -> ExitCode {
    ExitCode::from(run_dialect(package, own, paths, &Dialect { translate: &Ok }) as u8)
}

/// The same for a program that speaks another harness's language; answers the exit code. An empty `own` stands for all
/// crates.
pub fn run_dialect(package: &str, own: &str, paths: &[&str], dialect: &Dialect<'_>) -> i32 {
    serve::if_asked(own, paths).unwrap_or_else(|| run_own(package, dialect))
}

/// Runs the command line of this program.
fn run_own(package: &str, dialect: &Dialect<'_>) -> i32 {
    let of_own = || {
        let binary = std::env::current_exe()
            .map_err(|error| format!("cannot find this program's own file: {error}"))?;
        Ok(Target { binary, package, build: Build::own(), cases: serve::listed()? })
    };
    let arguments = (dialect.translate)(std::env::args_os().skip(1).collect());
    run_words(arguments, of_own, true)
}

/// Returns the package of this program by its benchmarks, for a `main` that was written by hand and does not know it. Empty if
/// it is not known.
pub fn package() -> &'static str {
    let binary = std::env::current_exe().unwrap_or_default();
    registry::package_of(&record::target_name(&binary).replace('-', "_"))
}

/// Whether an option, as it is written, is followed by a value, which may look like an option or a filter.
pub fn takes_value(written: &str) -> bool {
    let name = written.strip_prefix("--").or_else(|| written.strip_prefix('-'));
    name.and_then(known::find).is_some_and(|known| !known.value.is_empty())
}
