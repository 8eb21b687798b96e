//! The command line of a bench binary: it turns the requests of cargo, nextest and people into a list, a test or a
//! measurement. It decides nothing about numbers, and prints through `report`.

mod arguments;
mod baseline;
mod bench;
mod filter;
mod known;
mod list;
mod measuring;
#[cfg_attr(plusminus_serves_only, path = "serving.rs")]
mod own;
mod page;
mod parse;
mod progress;
#[cfg(test)]
mod replay;
mod selection;
mod test;
mod values;
mod variables;

use std::{
    ffi::OsString,
    path::{Path, PathBuf},
};

use arguments::{Action, Arguments};
pub use known::help;
pub use own::{package, run, run_dialect, takes_value};
pub use variables::check as check_variables;

use crate::{
    engine::{self, InProcess, Program, RealMachine},
    output::{complain, print, view},
    report,
    text::sentence,
};
use plusminus_worker::{
    exit,
    listed::Listed,
    processor_request,
    protocol::{Build, CaseDescription},
    sys,
};

/// The bench program that a command line is about.
struct Target<'a> {
    /// Its file.
    binary: PathBuf,
    /// Its package, which names the folder of its records; empty if it is not known.
    package: &'a str,
    /// Its build settings.
    build: Build,
    /// All its benchmarks.
    cases: Vec<CaseDescription>,
}

/// How the command line of a program differs that speaks another harness's language.
#[derive(Clone, Copy)]
pub struct Dialect<'a> {
    /// Translates the options, without the name of the program.
    pub translate: Translate<'a>,
}

/// Translates a command line.
type Translate<'a> = &'a dyn Fn(Vec<OsString>) -> Result<Vec<OsString>, String>;

/// Runs the command line of a bench program that has no runner of its own; answers the exit code.
pub fn run_other(binary: &Path, package: &str, arguments: Vec<OsString>) -> i32 {
    let of_other = || {
        let binary = binary
            .canonicalize()
            .map_err(|error| format!("cannot find {}: {error}", binary.display()))?;
        let (build, cases) = engine::build_and_list(&RealMachine::new(), &Program::of(&binary))
            .map_err(|error| format!("{}: {error}", binary.display()))?;
        Ok(Target { binary, package, build, cases })
    };
    run_words(Ok(arguments), of_other, false)
}

/// Runs a command line for a target, which may be this program itself.
fn run_words<'a>(
    words: Result<Vec<OsString>, String>,
    target: impl FnOnce() -> Result<Target<'a>, String>,
    own: bool,
) -> i32 {
    let done = words.and_then(Arguments::parse).and_then(|arguments| {
        if arguments.in_process && !own {
            return Err("--in-process needs a program with a runner of its own: turn on plusminus' feature `runner`"
                .to_owned());
        }
        run_parsed(&arguments, target)
    });
    done.unwrap_or_else(|message| {
        let lines: Vec<String> = message.lines().map(sentence).listed();
        complain(&format!("plusminus: {}\n", lines.join("\n")));
        exit::FAILED
    })
}

/// Runs the command line, and returns the exit code.
///
/// # Errors
/// A sentence for the user; the exit code is then that of errors.
fn run_parsed<'a>(
    arguments: &Arguments,
    target: impl FnOnce() -> Result<Target<'a>, String>,
) -> Result<i32, String> {
    if arguments.action == Action::Help {
        let all = arguments.filter.wanted.iter().any(|word| word.text() == "all");
        let text = if all { known::help() } else { known::short_help() };
        return print(&text).map(|()| exit::FINE);
    }
    if let (Action::Explain, Some(word)) = (arguments.action, &arguments.explain) {
        let view = view(arguments.color, true);
        let said = report::explain(word)?;
        let lines: String = said.lines().map(|line| view.paragraph(line, 2)).collect();
        return print(&lines).map(|()| exit::FINE);
    }
    if let Some(counts) = &arguments.processors {
        processor_request::request(counts.clone());
    }
    let target = target()?;
    if let ([], Some(counts)) = (target.cases.as_slice(), &arguments.processors) {
        return Err(format!(
            "--processors: no benchmark has points on {}; without it, `--list` shows the points that exist",
            processor_request::listing(counts)
        ));
    }
    if arguments.action == Action::List {
        return list::list(&target.cases, arguments);
    }
    let selected = select(&target.cases, arguments);
    if selected.is_empty() {
        let message = filter::all_ignored(&target.cases, arguments)
            .unwrap_or_else(|| filter::no_match(&target.cases, &arguments.filter));
        // Cargo gives the same filters to all targets, and stops at the first that fails. Libtest and its callers do
        // not treat an empty test run as an error.
        if arguments.action == Action::Bench && !filter::may_be_meant_for_others() {
            return Err(message);
        }
        complain(&format!("plusminus: {message}\n"));
    }
    if arguments.counter
        && let Err(reason) = sys::proven_counter()
    {
        return Err(format!(
            "--clock tsc is not possible: the processor's counter is not proven to be a clock here: {reason}"
        ));
    }
    if arguments.in_process {
        engine::take_processors(&selected)?;
    }
    let run = |here: Option<InProcess>| match arguments.action {
        Action::Test => test::test(&target, selected, arguments, here),
        _ => bench::bench(&target, selected, arguments, here),
    };
    if !arguments.in_process {
        return run(None);
    }
    engine::host(arguments.counter, |here| run(Some(here)))
        .unwrap_or_else(|error| Err(format!("--in-process finds no pipes left: {error}")))
}

/// Reads a command line and variables, each of them as `NAME=VALUE`.
///
/// # Errors
/// A sentence that describes the fault.
#[cfg(feature = "fuzzing")]
pub fn understand(words: &[&str], variables: &[&str]) -> Result<(), String> {
    Arguments::of(words, variables).map(drop)
}

/// The cases that the command line selects.
fn select(all: &[CaseDescription], arguments: &Arguments) -> Vec<CaseDescription> {
    let wanted = |case: &&CaseDescription| {
        arguments.ignored.selects(case.ignore.is_some())
            && arguments.filter.passes(&case.krate, &case.name)
    };
    all.iter().filter(wanted).cloned().collect()
}
