//! `cargo plusminus layouts`: cargo bench, with each run in another layout of the program. Cargo builds into a folder of its
//! own, with this program between it and the linker, so that the program can be linked again.

use std::{
    env,
    ffi::{OsStr, OsString},
    path::{Path, PathBuf},
    process::Command,
};

use plusminus::{engine::SUBCOMMAND_VARIABLE, exit};

use crate::{
    cargo::{self, target_directory},
    compare::Folders,
    error::{Result, at},
    progress::Progress,
    same_code,
};

/// Runs cargo bench with each run in another layout of the program.
///
/// Where the linker puts functions and constants decides a few percent of some times, and so of speedups between variants
/// in one program. Here each run is one of another order of them, so that the ± of times and speedups has that luck in
/// it. Nothing is compiled again for it: a link takes some 50 ms. Needs the linker lld, which is the usual one on x86-64 Linux.
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
    let build = folders.build("layouts");
    let mut cargo = Command::new(cargo::program());
    cargo.arg("bench").arg("--target-dir").arg(&build).args(arguments);
    same_code::wrap(&mut cargo, &[], &build.join("linkers"))
        .map_err(at("find", Path::new("this program")))?;
    // The bench binary asks this very program for its layouts, wherever it lies.
    cargo.env("PLUSMINUS_LAYOUTS", "1").env(SUBCOMMAND_VARIABLE, this_program()?);
    if env::var_os("PLUSMINUS_OUTPUT").is_none() {
        // Where cargo bench keeps records, too.
        cargo.env("PLUSMINUS_OUTPUT", target.join("plusminus"));
    }
    let status = cargo.status().map_err(at("run", Path::new("cargo bench")))?;
    drop(lock);
    let signal = plusminus::system::interrupt().map(|signal| exit::INTERRUPTED + signal);
    Ok(signal.or(status.code()).unwrap_or(exit::FAILED))
}

fn this_program() -> Result<PathBuf> {
    env::current_exe().map_err(at("find", Path::new("this program")))
}

/// What stands behind the name of the subcommand, as it is: a parser would take the first `--` for itself.
fn for_cargo(all: impl Iterator<Item = OsString>) -> Vec<OsString> {
    all.skip_while(|argument| argument != "layouts").skip(1).collect()
}

/// The manifest that cargo is told of.
fn manifest(arguments: &[OsString]) -> Option<PathBuf> {
    const OPTION: &str = "--manifest-path";
    let own: Vec<&OsStr> = arguments
        .iter()
        .map(OsString::as_os_str)
        .take_while(|argument| *argument != "--")
        .collect();
    own.iter().enumerate().find_map(|(index, argument)| {
        if *argument == OPTION {
            return own.get(index + 1).map(PathBuf::from);
        }
        let rest = argument.to_str()?.strip_prefix(OPTION)?;
        rest.strip_prefix('=').map(PathBuf::from)
    })
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
