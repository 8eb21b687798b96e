//! `cargo plusminus run`: runs a bench program that has no runner of its own.
//! The command line and the engine are those of every bench program; nothing else is here.

use std::{ffi::OsString, path::PathBuf};

use crate::{error::Result, wrapper::must_speak};

/// Options of the subcommand.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The package of the program, which names the folder of its records.
    #[arg(long, default_value = "", hide_default_value = true)]
    package: String,
    /// The program, as `cargo bench --no-run` builds it.
    program: PathBuf,
    /// The options of a bench program: `cargo plusminus run PROGRAM -- --help` shows them.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<OsString>,
}

pub(crate) fn run(arguments: Arguments) -> Result<i32> {
    let Arguments { package, program, arguments } = arguments;
    must_speak(&program, "; `cargo plusminus bench` times any program")?;
    Ok(plusminus::run_other(&program, &package, arguments))
}
