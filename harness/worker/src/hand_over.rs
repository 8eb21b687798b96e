//! The command line of a bench binary: the runner, which plans and reports, gets it, and drives this program as a worker. It
//! starts the runner, and decides nothing about benchmarks.

use std::{
    env,
    ffi::OsString,
    io::{self, Write as _},
    path::{Path, PathBuf},
    process::{Command, ExitCode, ExitStatus, Stdio},
};

use crate::{
    exit, registry,
    serve::{self, serve_here},
    sys::{self, complain},
};

/// How to get what is missing.
const CURE: &str = "build it here, with plusminus' feature `runner`; or with `linked`, for a program that is moved to another \
                    machine; or run `cargo install --locked cargo-plusminus`, from the same source as plusminus";

/// Marks a runner whose kernels run in the process that has started it.
pub const SESSION_VARIABLE: &str = "PLUSMINUS_WORKER_SESSION";

/// The runner of a bench binary.
#[derive(Clone, Copy)]
pub enum Runner {
    /// A program at this path; `cargo plusminus run` if it is empty, or nothing is there.
    Program(&'static str),
    /// A part of this program: it takes this program's path, the name of the package, and the command line.
    Linked(fn(&Path, &str, Vec<OsString>) -> i32),
}

/// Translates a command line of another harness.
pub type Translate<'a> = &'a dyn Fn(Vec<OsString>) -> Result<Vec<OsString>, String>;

/// Runs as a worker where a runner asks for one, and otherwise hands the command line to the runner.
///
/// `package` names the folder of the records; empty stands for an unknown one. `own` and `paths` are the crates and modules
/// whose benchmarks belong to the program.
pub fn run(package: &str, own: &str, paths: &[&str], runner: Runner) -> ExitCode {
    ExitCode::from(run_translated(package, own, paths, &Ok, runner) as u8)
}

/// The same for a program that speaks another harness's language; answers the exit code, if this process is still there. An
/// empty `own` stands for all crates.
pub fn run_translated(
    package: &str,
    own: &str,
    paths: &[&str],
    translate: Translate<'_>,
    runner: Runner,
) -> i32 {
    serve::if_asked(own, paths).unwrap_or_else(|| {
        let given: Vec<OsString> = env::args_os().skip(1).collect();
        let words = translate(given.clone());
        words.and_then(|words| hand_over(package, given, words, runner)).unwrap_or_else(|message| {
            complain(&format!("plusminus: {message}\n"));
            exit::FAILED
        })
    })
}

/// Returns the package of this program by its benchmarks, for a `main` that was written by hand and does not know it. Empty
/// if it is not known.
pub fn package() -> String {
    let binary = env::current_exe().unwrap_or_default();
    registry::package_of(&target_name(&binary).replace('-', "_"))
}

/// Returns the name of the bench target: the file's name without the hash that cargo appends.
pub fn target_name(binary: &Path) -> String {
    let stem = binary
        .file_stem()
        .map_or_else(|| "bench".into(), |stem| stem.to_string_lossy().into_owned());
    match stem.rsplit_once('-') {
        Some((name, hash)) if hash.len() == 16 && hash.chars().all(|c| c.is_ascii_hexdigit()) => {
            name.to_owned()
        }
        _ => stem,
    }
}

/// Has the runner run this program, whose command line `given` becomes `words`. Returns its exit code.
fn hand_over(
    package: &str,
    given: Vec<OsString>,
    words: Vec<OsString>,
    runner: Runner,
) -> Result<i32, String> {
    let own = env::current_exe()
        .map_err(|error| format!("cannot find this program's own file: {error}"))?;
    let is_runner = env::var_os(SESSION_VARIABLE).is_some();
    let is_on = |value: OsString| value == "1" || value == "true";
    let in_process = !is_runner
        && (words.iter().any(|word| word == "--in-process")
            || env::var_os("PLUSMINUS_IN_PROCESS").is_some_and(is_on));
    let mut command = match runner {
        Runner::Linked(run) if !in_process => return Ok(run(&own, package, words)),
        Runner::Linked(_) => {
            // It translates once more.
            let mut command = Command::new(&own);
            command.args(given);
            command
        }
        Runner::Program(path) => {
            let mut command = match built(path, &own) {
                Some(program) => Command::new(program),
                None => subcommand(path)?,
            };
            command.args(["run", "--package", package, "--"]).arg(&own).args(words);
            command
        }
    };
    // Texts that this program has printed come first.
    let _ = io::stdout().flush();
    if in_process {
        return host(command).map_err(|error| format!("--in-process is not possible: {error}"));
    }
    let error = sys::become_program(&mut command);
    Err(format!("cannot run {}: {error}", command.get_program().display()))
}

/// The file of the runner: in the folder that cargo builds in, which may have been moved with the program in it, or where it was
/// built.
fn built(path: &str, own: &Path) -> Option<PathBuf> {
    /// The file in `build/plusminus-HASH/out`, in the folder whose `deps` has the programs.
    const LEVELS: usize = 4;
    if path.is_empty() {
        return None;
    }
    let path = Path::new(path);
    let levels: Vec<_> = path.iter().rev().take(LEVELS).collect();
    let tail: PathBuf = levels.into_iter().rev().collect();
    let moved = own.ancestors().skip(1).take(2).map(|folder| folder.join(&tail));
    moved.chain([path.to_owned()]).find(|candidate| candidate.is_file())
}

/// Runs a session on this thread, the main one, on which a worker calls kernels as well: with its stack, and as the first one
/// that a debugger shows. The runner drives it from a process of its own. Returns the runner's exit code.
fn host(mut runner: Command) -> io::Result<i32> {
    runner.env(SESSION_VARIABLE, "1");
    let (mut child, requests, answers) = sys::start_with_channel(runner)?;
    serve_here(Box::new(requests), Box::new(answers));
    child.wait().map(code)
}

/// `cargo plusminus`, by the cargo that finds installed subcommands. `path` is where the runner was built, if it was.
fn subcommand(path: &str) -> Result<Command, String> {
    let named = || {
        let cargo = env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
        let mut command = Command::new(cargo);
        command.arg("plusminus");
        command
    };
    let there = named()
        .arg("--version")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .map_err(|error| format!("cannot run cargo: {error}; {CURE}"))?;
    if !there.success() {
        let missing = match path {
            "" => "this program has benchmarks and no runner".to_owned(),
            path => format!("the runner of this program is gone ({path})"),
        };
        return Err(format!("{missing}, and `cargo plusminus` is not installed: {CURE}"));
    }
    Ok(named())
}

/// The exit code to end with; that of a signal as shells have it.
fn code(status: ExitStatus) -> i32 {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return exit::INTERRUPTED + signal;
    }
    status.code().unwrap_or(exit::FAILED)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_runner_is_found_where_it_was_built_and_where_it_was_moved() {
        let folder = env::temp_dir().join(format!("plusminus-hand-over-{}", std::process::id()));
        let out = folder.join("release/build/plusminus-1/out");
        std::fs::create_dir_all(&out).unwrap();
        std::fs::write(out.join("runner"), "").unwrap();
        let program = folder.join("release/deps/sort-1");
        let found = |path: &Path| built(path.to_str().unwrap(), &program);
        assert_eq!(found(&out.join("runner")), Some(out.join("runner")));
        let elsewhere = Path::new("/nowhere/release/build/plusminus-1/out/runner");
        assert_eq!(found(elsewhere), Some(out.join("runner")));
        assert_eq!(found(Path::new("/nowhere/release/build/plusminus-2/out/runner")), None);
        assert_eq!(built("", &program), None);
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn the_hash_is_not_part_of_the_name() {
        assert_eq!(target_name(Path::new("/t/release/deps/sort-0123456789abcdef")), "sort");
        assert_eq!(
            target_name(Path::new("/t/release/deps/quick-sort-0123456789abcdef")),
            "quick-sort"
        );
    }
}
