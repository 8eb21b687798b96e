//! Stands between cargo and rustc, and between rustc and the linker, while a comparison builds. It passes everything
//! on, adds the flags of the wanted layout, and keeps the linker's inputs in the program that it makes.

mod crate_hash;
mod link;

use std::{
    env,
    ffi::{OsStr, OsString},
    fs,
    path::Path,
    process::{Command, ExitCode},
};

use memchr::memmem;
use plusminus::engine::WORKER_FLAG;

use crate::{
    error::{Result, at, error, exit_code},
    own_program::{become_it, this_program},
};
use link::name_for;

/// Marks this process as rustc's wrapper, and contains the flags that it adds, separated by blanks.
const FLAGS_VARIABLE: &str = "PLUSMINUS_BUILD_FLAGS";
/// The folder for the names under which we are the linker.
const FOLDER_VARIABLE: &str = "PLUSMINUS_LINK_FOLDER";
/// Marks this process as the linker's wrapper, and contains the path of the linker.
const LINKER_VARIABLE: &str = "PLUSMINUS_LINKER";
const OUTER_VARIABLE: &str = "PLUSMINUS_OUTER_WRAPPER";

/// Has functions of a library stay visible to the linker, and with them the code of functions that are called once only: visible
/// functions are not inlined for having one caller. In a program, and with optimization at link time, far less would be inlined than
/// cargo has inlined, above all of generic code.
pub(crate) const KEEP_ALL: &str = "-Clink-dead-code";

/// Variables that cargo sets for build scripts, and all of them for nothing else.
const OF_BUILD_SCRIPTS: [&str; 4] = ["HOST", "NUM_JOBS", "OPT_LEVEL", "OUT_DIR"];

/// The runner: programs that a comparison builds only serve this process, so that their builds skip it.
const OF_RUNNER: [&str; 2] = ["plusminus_runner", "plusminus_program"];

/// Leaves the code of the crate out.
const WITHOUT_CODE: [&str; 1] = ["--cfg=plusminus_serves_only"];

/// The runner inside a bench program is needed, and is not optimized.
const LINKED: &str = "feature=\"linked\"";
const FLAGS_OF_LINKED: [&str; 2] = ["-Copt-level=0", "-Cdebug-assertions=off"];

/// First arguments with which this program is started as itself, and not instead of rustc.
const OWN_COMMANDS: [&str; 2] = ["plusminus", "guard"];

/// Has cargo call us instead of rustc. `folder` is where names for linkers are kept, and `outer` the user's own wrapper.
///
/// # Errors
/// That we cannot find ourselves.
pub(crate) fn wrap(
    cargo: &mut Command,
    flags: &[&str],
    folder: &Path,
    outer: Option<&OsStr>,
) -> Result<()> {
    match outer {
        Some(outer) => cargo.env(OUTER_VARIABLE, outer),
        None => cargo.env_remove(OUTER_VARIABLE),
    };
    cargo
        .env("RUSTC_WRAPPER", this_program()?)
        .env(FLAGS_VARIABLE, flags.join(" "))
        .env(FOLDER_VARIABLE, folder);
    Ok(())
}

/// Acts as rustc or the linker, if started as one of them.
pub(crate) fn stand_in(arguments: &[OsString]) -> Option<ExitCode> {
    let arguments = arguments.get(1..)?;
    if let Some(linker) = env::var_os(LINKER_VARIABLE) {
        return Some(link::link(&linker, arguments));
    }
    let flags = env::var(FLAGS_VARIABLE).ok()?;
    let (rustc, arguments) = arguments.split_first()?;
    // Below cargo, or as the guard above it, but started as ourselves.
    if OWN_COMMANDS.iter().any(|own| rustc == own) {
        return None;
    }
    Some(compile(rustc, arguments, &flags))
}

/// Runs rustc with the flags, and with this program as its linker if it makes a program.
fn compile(rustc: &OsStr, arguments: &[OsString], flags: &str) -> ExitCode {
    let outer = env::var_os(OUTER_VARIABLE);
    let mut command = Command::new(outer.as_deref().unwrap_or(rustc));
    command.args(outer.as_ref().map(|_| rustc));
    let mut arguments = arguments.to_owned();
    let texts = texts(&arguments);
    // Code that a build script compiles is part of its output: an object for a different target, a probe of the
    // compiler.
    let is_nested = OF_BUILD_SCRIPTS.iter().all(|name| env::var_os(name).is_some());
    let added = added(&texts, flags).filter(|_| !is_nested);
    if added.is_some()
        && let Ok(package) = env::var("CARGO_PKG_NAME")
        && let Some((place, hash)) = crate_hash::settled(&texts, &package)
    {
        arguments[place] = hash.into();
    }
    command.args(arguments);
    if let Some(added) = added {
        command.args(added.flags);
        if let Some(linker) = added.linker
            && let Ok(name) = name_for(&linker)
        {
            command.arg(format!("-Clinker={}", name.display())).env(LINKER_VARIABLE, linker);
        }
    }
    exit_code(become_it(command))
}

fn texts(arguments: &[OsString]) -> Vec<String> {
    arguments.iter().map(|argument| argument.to_string_lossy().into_owned()).collect()
}

/// Additions to a command line of rustc.
#[derive(Debug, PartialEq)]
struct Added {
    flags: Vec<String>,
    /// The linker that it would use, if it makes a program.
    linker: Option<String>,
}

/// Returns the additions; none if rustc compiles no code of the program: build scripts, procedural macros, questions.
fn added(arguments: &[String], flags: &str) -> Option<Added> {
    let value = |name: &str| {
        let position = arguments.iter().position(|argument| argument == name)?;
        arguments.get(position + 1).map(String::as_str)
    };
    let krate = value("--crate-name")?;
    if let Some(flags) = flags_of_runner(krate, arguments, flags) {
        return Some(Added { flags, linker: None });
    }
    let kinds = arguments.windows(2).filter(|pair| pair[0] == "--crate-type");
    let kinds: Vec<&str> = kinds.map(|pair| pair[1].as_str()).collect();
    let asks = arguments.iter().any(|argument| argument.starts_with("--print"));
    if asks || krate.starts_with("build_script_") || kinds.contains(&"proc-macro") {
        return None;
    }
    let given = |flag: &&str| {
        // Of what is handed on to LLVM, each option stands for itself.
        let parts = if flag.starts_with("-Cllvm-args=") { 2 } else { 1 };
        let name = flag.split('=').take(parts).collect::<Vec<_>>().join("=");
        arguments.iter().any(|argument| argument.contains(name.trim_start_matches("-C")))
    };
    // Without a type it is a program.
    let is_program = kinds.is_empty() || kinds.contains(&"bin");
    // Cargo silences warnings from crates of a registry or git. Published crates do not change with the user's code.
    // A state of a repository may be a folder on the other side, and is built alike.
    let from_git = |path: &String| path.ends_with(".rs") && path.contains("/git/checkouts/");
    let is_foreign = arguments.iter().any(|argument| argument == "--cap-lints")
        && !arguments.iter().any(from_git);
    let keeps_all = !is_program && !is_foreign && !has_link_time_optimization(arguments);
    let flags: Vec<String> = flags
        .split(' ')
        .filter(|flag| !flag.is_empty() && !given(flag))
        .filter(|flag| *flag != KEEP_ALL || keeps_all)
        .map(str::to_owned)
        .collect();
    let option = |name: &str| {
        let joined = format!("-C{name}=");
        let after = format!("{name}=");
        let mut found = None;
        for (index, argument) in arguments.iter().enumerate() {
            let value = argument.strip_prefix(&joined).or_else(|| {
                let before = index.checked_sub(1).map(|index| arguments[index].as_str());
                argument.strip_prefix(&after).filter(|_| matches!(before, Some("-C" | "--codegen")))
            });
            found = value.map(str::to_owned).or(found);
        }
        found
    };
    let links = is_program && cfg!(target_os = "linux");
    // The usual linker of other systems is not known.
    let usual = value("--target").is_none_or(|target| target.contains("-linux-"));
    let linker = option("linker").or_else(|| usual.then(|| "cc".to_owned()));
    let linker = linker.filter(|_| links);
    let mut added = Added { flags, linker };
    // Names give the functions of both sides one order, and tell which are the same. No process loads them.
    if is_program && option("strip").as_deref() == Some("symbols") {
        added.flags.push("-Cstrip=debuginfo".to_owned());
    }
    Some(added)
}

/// The flags for a crate instead of all `others`, if it is of the runner. Programs in the layout of `cargo bench` have all that
/// it has. In the runner's own repository, it is measured as it is.
fn flags_of_runner(krate: &str, arguments: &[String], others: &str) -> Option<Vec<String>> {
    let is_apart = OF_RUNNER.contains(&krate)
        && !others.is_empty()
        && env::var_os("CARGO_PRIMARY_PACKAGE").is_none();
    let is_linked = arguments.iter().any(|argument| argument == LINKED);
    let flags = if is_linked { FLAGS_OF_LINKED.as_slice() } else { &WITHOUT_CODE };
    is_apart.then(|| flags.iter().map(|&flag| flag.to_owned()).collect())
}

/// Whether cargo has this crate optimized when the program is linked.
fn has_link_time_optimization(arguments: &[String]) -> bool {
    let is_on = |value: &str| !["off", "no", "n", "false"].contains(&value);
    arguments.iter().any(|argument| match argument.trim_start_matches("-C") {
        "lto" | "linker-plugin-lto" => true,
        option => option.strip_prefix("lto=").is_some_and(is_on),
    })
}

/// Whether a program contains our harness: its private flag stands in it.
///
/// Other programs are not started to find out, as what they would do is not known.
pub(crate) fn speaks(program: &Path) -> Result<bool> {
    let bytes = fs::read(program).map_err(at("read", program))?;
    Ok(memmem::find(&bytes, WORKER_FLAG.as_bytes()).is_some())
}

/// An error for a file that does not contain our harness; its message has `cure`.
pub(crate) fn must_speak(program: &Path, cure: &str) -> Result<()> {
    let shown = program.display();
    // A pipe would be waited for, and a device may have no end.
    if !fs::metadata(program).map_err(at("find", program))?.is_file() {
        return error(format!("{shown} is not a regular file"));
    }
    if !speaks(program)? {
        return error(format!(
            "{shown} is not a bench program of plusminus (or one of another version){cure}"
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split(' ').map(str::to_owned).collect()
    }

    fn of(text: &str) -> Option<Added> {
        added(&words(text), "-Cllvm-args=-align-all-functions=6")
    }

    #[test]
    fn programs_get_flags_and_a_linker_and_libraries_only_flags() {
        let program =
            of("--crate-name speed --crate-type bin -C linker=clang --emit=link").unwrap();
        assert_eq!(program.flags, ["-Cllvm-args=-align-all-functions=6"]);
        if cfg!(target_os = "linux") {
            assert_eq!(program.linker.as_deref(), Some("clang"));
        }
        assert_eq!(
            of("--crate-name speed --cfg test --emit=link").unwrap().linker,
            program_linker()
        );
        let library = of("--crate-name speed --crate-type lib --emit=link").unwrap();
        assert_eq!((library.flags.len(), library.linker), (1, None));
    }

    #[test]
    fn only_the_runner_and_only_in_layouts_of_our_own_is_left_out() {
        let layout = "-Ccodegen-units=1";
        for krate in OF_RUNNER {
            assert_eq!(flags_of_runner(krate, &[], layout).unwrap(), WITHOUT_CODE);
            assert_eq!(flags_of_runner(krate, &[], ""), None);
        }
        assert_eq!(flags_of_runner("plusminus_worker", &[], layout), None);
        let linked = ["--cfg", LINKED].map(str::to_owned);
        assert_eq!(flags_of_runner(OF_RUNNER[0], &linked, layout).unwrap(), FLAGS_OF_LINKED);
    }

    #[test]
    fn targets_without_the_usual_linker_keep_their_own() {
        let linker = |text: &str| of(text).unwrap().linker;
        let program = "--crate-name speed --crate-type bin --target";
        assert_eq!(linker(&format!("{program} wasm32-unknown-unknown")), None);
        assert_eq!(linker(&format!("{program} thumbv7em-none-eabi")), None);
        assert_eq!(linker(&format!("{program} x86_64-unknown-linux-gnu")), program_linker());
    }

    fn program_linker() -> Option<String> {
        cfg!(target_os = "linux").then(|| "cc".to_owned())
    }

    #[test]
    fn questions_build_scripts_and_macros_are_left_alone() {
        for text in [
            "-vV",
            "- --crate-name ___ --print=file-names --crate-type bin",
            "--crate-name build_script_build --crate-type bin --emit=link",
            "--crate-name m --crate-type proc-macro --emit=link",
        ] {
            assert_eq!(of(text), None, "{text}");
        }
    }

    #[test]
    fn functions_of_the_users_libraries_stay_visible_and_not_those_of_programs() {
        let of = |text: &str| added(&words(text), KEEP_ALL).unwrap().flags.join(" ");
        assert_eq!(of("--crate-name own --crate-type lib"), KEEP_ALL);
        assert_eq!(of("--crate-name own --crate-type lib -C link-dead-code=no"), "");
        assert_eq!(of("--crate-name other --crate-type lib --cap-lints allow"), "");
        for lto in ["-C lto", "-Clto=thin", "-C lto=fat", "-C linker-plugin-lto"] {
            assert_eq!(of(&format!("--crate-name own --crate-type lib {lto}")), "", "{lto}");
        }
        assert_eq!(of("--crate-name own --crate-type lib -C lto=off"), KEEP_ALL);
        let git =
            "--crate-name g --crate-type lib --cap-lints allow /c/git/checkouts/g-1/2/src/lib.rs";
        assert_eq!(of(git), KEEP_ALL);
        assert_eq!(of("--crate-name speed --crate-type bin"), "");
    }

    #[test]
    fn a_flag_of_the_user_counts() {
        let own = "--crate-name speed --crate-type lib -C llvm-args=-align-all-functions=4";
        assert!(of(own).unwrap().flags.is_empty());
        let own = "--crate-name speed --crate-type lib -C codegen-units=4";
        assert_eq!(added(&words(own), "-Ccodegen-units=1").unwrap().flags, [""; 0]);
    }

    #[test]
    fn programs_keep_their_symbols() {
        let flags = |text: &str| added(&words(text), "").unwrap().flags;
        let program = "--crate-name speed --crate-type bin -C";
        assert_eq!(flags(&format!("{program} strip=symbols")), ["-Cstrip=debuginfo"]);
        assert_eq!(flags(&format!("{program} strip=debuginfo")), [""; 0]);
        assert_eq!(flags("--crate-name own --crate-type lib -C strip=symbols"), [""; 0]);
    }

    #[test]
    fn only_programs_with_the_harness_are_started() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("program");
        fs::write(&file, b"\x7fELF something else").unwrap();
        assert!(!speaks(&file).unwrap());
        fs::write(&file, format!("\0\0{WORKER_FLAG}\0")).unwrap();
        assert!(speaks(&file).unwrap());
    }
}
