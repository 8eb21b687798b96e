//! `cargo plusminus layouts`: cargo bench, with each run in another layout of the program. Cargo builds where it always does,
//! with this program between it and the linker, so that the program can be linked again.

use std::{
    env,
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use plusminus::{engine::SUBCOMMAND_VARIABLE, exit};
use plusminus_same_code::carries_code;

use crate::{
    cargo::{
        self,
        configuration::{self, Settings},
        target_directory,
    },
    compare::{Folders, Message, messages},
    error::{Result, at},
    own_program::this_program,
    progress::Progress,
    wrapper,
};

/// Run `cargo bench` with a different layout of the program in each run.
///
/// The place of functions and constants changes some times by a few percent, and so the speedups between variants in
/// one program. This command links the program again for each run, in a different order. The ± of times and speedups
/// then includes placement. It compiles nothing: a link takes about 50 ms. It needs the linker lld, which is the
/// default on x86-64 Linux.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Pass these to cargo bench: `cargo plusminus layouts --bench speed -- --runs 20 sort`.
    #[arg(
        trailing_var_arg = true,
        allow_hyphen_values = true,
        value_name = "ARGUMENTS OF CARGO BENCH"
    )]
    arguments: Vec<OsString>,
}

/// Runs cargo, and answers its exit code.
pub(crate) fn run(_: &Arguments) -> Result<i32> {
    let arguments = for_cargo(env::args_os());
    let target = target_directory(manifest(&arguments).as_deref())?;
    let folders = Folders::below(&target)?;
    let lock = folders.lock(&mut Progress::new(false))?;
    let linkers = folders.build("layouts").join("linkers");
    let here = env::current_dir().map_err(at("find", Path::new("the current folder")))?;
    let outer = configuration::wrapper(&Settings::read(&configuration::files(&here))?);
    let bench = || -> Result<Command> {
        let mut cargo = Command::new(cargo::program());
        cargo.arg("bench");
        wrapper::wrap(&mut cargo, &[], &linkers, outer.as_deref())?;
        Ok(cargo)
    };
    // A program that cargo has linked without us would pass for fresh.
    let mut build = bench()?;
    build.args(["--no-run", "--message-format=json-render-diagnostics"]);
    build.args(arguments.iter().take_while(|argument| *argument != "--"));
    build.stderr(Stdio::inherit());
    let built = build.output().map_err(at("run", Path::new("cargo bench")))?;
    if !built.status.success() {
        return Ok(interrupted().or(built.status.code()).unwrap_or(exit::FAILED));
    }
    let executable = |message| match message {
        Message::Artifact { executable, .. } => executable,
        _ => None,
    };
    for program in messages(&built.stdout).flatten().filter_map(executable) {
        if !carries_code(&program).map_err(at("read", &program))? {
            fs::remove_file(&program).map_err(at("remove", &program))?;
        }
    }
    let mut cargo = bench()?;
    cargo.args(arguments);
    // The bench binary asks this very program for its layouts, wherever it lies.
    cargo.env("PLUSMINUS_LAYOUTS", "1").env(SUBCOMMAND_VARIABLE, this_program()?);
    if env::var_os("PLUSMINUS_OUTPUT").is_none() {
        // The folder in which cargo bench also keeps records.
        cargo.env("PLUSMINUS_OUTPUT", target.join("plusminus"));
    }
    let status = cargo.status().map_err(at("run", Path::new("cargo bench")))?;
    drop(lock);
    Ok(interrupted().or(status.code()).unwrap_or(exit::FAILED))
}

/// The exit code after a signal.
fn interrupted() -> Option<i32> {
    plusminus::system::interrupt().map(|signal| exit::INTERRUPTED + signal)
}

/// Returns the arguments after the name of the subcommand, unchanged: a parser would take the first `--` for itself.
fn for_cargo(all: impl Iterator<Item = OsString>) -> Vec<OsString> {
    all.skip_while(|argument| argument != "layouts").skip(1).collect()
}

fn manifest(arguments: &[OsString]) -> Option<PathBuf> {
    let mut own = arguments.iter().take_while(|argument| *argument != "--");
    while let Some(argument) = own.next() {
        if argument == "--manifest-path" {
            return own.next().map(PathBuf::from);
        }
        let text = argument.to_str().unwrap_or_default();
        if let Some(path) = text.strip_prefix("--manifest-path=") {
            return Some(PathBuf::from(path));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<OsString> {
        line.split(' ').map(OsString::from).collect()
    }

    #[test]
    fn cargo_gets_everything_behind_the_name_as_it_is() {
        let of = |line: &str| for_cargo(words(line).into_iter());
        assert_eq!(of("x plusminus layouts -- --runs 9"), words("-- --runs 9"));
        assert_eq!(of("x layouts --bench a -- layouts -- b"), words("--bench a -- layouts -- b"));
        assert!(of("x layouts").is_empty());
    }

    #[test]
    fn the_manifest_is_that_of_cargo_and_not_of_the_bench() {
        let of = |line: &str| manifest(&words(line));
        assert_eq!(of("--bench a --manifest-path b/Cargo.toml"), Some("b/Cargo.toml".into()));
        assert_eq!(of("--manifest-path=c -- x"), Some("c".into()));
        assert_eq!(of("--bench a -- --manifest-path b"), None);
        assert_eq!(of("--manifest-path"), None);
    }
}
