//! A page of a record, made by the subcommand: nothing of it is in the build of a bench binary.

use std::{
    env,
    ffi::OsString,
    path::Path,
    process::{Command, Output, Stdio},
};

use crate::{output::complain, text::block};

/// The cure if the subcommand is missing.
const INSTALL: &str = "`--report html` needs the subcommand: `cargo install --locked cargo-plusminus`, from the same \
                       source as plusminus, or unset PLUSMINUS_REPORT";

/// Tries whether the subcommand is there, so that it is known before anything is measured.
pub(super) fn check() -> Result<(), String> {
    match subcommand(&["report".as_ref(), "--help".as_ref()]) {
        Ok(output) if output.status.success() => Ok(()),
        Ok(_) => Err(INSTALL.to_owned()),
        Err(error) => Err(format!("cannot run cargo: {error}; {INSTALL}")),
    }
}

/// Has the page of a record made; returns the output of the subcommand.
pub(super) fn make(record: &Path) -> Result<String, String> {
    let output = subcommand(&["report".as_ref(), "--".as_ref(), record.as_os_str()])
        .map_err(|error| format!("no page was made: cannot run cargo: {error}"))?;
    if !output.status.success() {
        complain(&block(&String::from_utf8_lossy(&output.stderr)));
        return Err(
            "no page was made: `cargo plusminus report` failed, as it says above".to_owned()
        );
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Runs `cargo plusminus`, by the cargo that finds installed subcommands.
fn subcommand(arguments: &[&std::ffi::OsStr]) -> std::io::Result<Output> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
    Command::new(cargo).arg("plusminus").args(arguments).stdin(Stdio::null()).output()
}
