//! The command line of a bench binary without a runner: `cargo plusminus run` gets it, and drives this program.

use std::{
    env,
    ffi::OsString,
    process::{Command, ExitCode, ExitStatus, Stdio},
};

use crate::{exit, serve, sys::complain};

/// How to get what is missing.
const CURE: &str = "run `cargo install --locked cargo-plusminus`, from the same source as plusminus, or turn on plusminus' \
                    feature `runner`";

/// Runs as a worker where a runner asks for one, and otherwise hands the command line to `cargo plusminus run`.
///
/// `package` names the folder of the records. `own` and `paths` are the crates and modules whose benchmarks belong to the
/// program.
pub fn run(package: &str, own: &str, paths: &[&str]) -> ExitCode {
    let code = serve::if_asked(own, paths).unwrap_or_else(|| {
        hand_over(package).unwrap_or_else(|message| {
            complain(&format!("plusminus: {message}\n"));
            exit::FAILED
        })
    });
    ExitCode::from(code as u8)
}

/// Has the subcommand run this program. Returns its exit code.
fn hand_over(package: &str) -> Result<i32, String> {
    let own = env::current_exe()
        .map_err(|error| format!("cannot find this program's own file: {error}"))?;
    let failed = |error| format!("cannot run cargo: {error}; {CURE}");
    let there = subcommand()
        .arg("--version")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .map_err(failed)?;
    if !there.success() {
        return Err(format!(
            "this program has benchmarks and no runner, and `cargo plusminus` is not installed: {CURE}"
        ));
    }
    let mut command = subcommand();
    command.args(["run", "--package", package, "--"]).arg(own).args(env::args_os().skip(1));
    command.status().map(code).map_err(failed)
}

/// `cargo plusminus`, by the cargo that finds installed subcommands.
fn subcommand() -> Command {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
    let mut command = Command::new(cargo);
    command.arg("plusminus");
    command
}

/// The exit code to end with; that of a signal as shells have it.
fn code(status: ExitStatus) -> i32 {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return exit::INTERRUPTED + signal;
    }
    status.code().unwrap_or(exit::FAILED)
}
