//! The command line of a bench binary: what cargo, nextest and people ask, turned into a list, a test or a measurement.
//! It decides nothing about numbers, and prints through `report`.

mod arguments;
mod baseline;
mod bench;
mod filter;
mod known;
mod list;
mod measuring;
mod page;
mod parse;
mod progress;
mod test;
mod values;
mod variables;

use std::{ffi::OsString, process::ExitCode};

use arguments::{Action, Arguments};
pub use known::{help, takes_value};
pub use variables::check as check_variables;

use crate::{
    asked,
    engine::{self, InProcess, WORKER_FLAG},
    exit,
    output::{complain, print, view},
    record,
    registry::{self, Case, belonging, cases},
    report, sys,
    worker::{self, describe},
};

/// Runs a bench binary as its command line says. [`main!`](crate::main) calls this with the name of the package, which
/// names the folder of its records; the name of the binary's own crate; and the paths of the crates and modules whose
/// benchmarks belong to it. An empty package stands for one that is not known.
pub fn run(package: &str, own: &str, paths: &[&str]) -> ExitCode {
    ExitCode::from(run_dialect(package, own, paths, &Dialect::default()) as u8)
}

/// How the command line of a program differs that speaks another harness's language.
#[derive(Clone, Copy)]
pub struct Dialect<'a> {
    /// Translates the options, without the name of the program.
    pub translate: Translate<'a>,
}

/// What translates a command line.
type Translate<'a> = &'a dyn Fn(Vec<OsString>) -> Result<Vec<OsString>, String>;

impl Default for Dialect<'_> {
    fn default() -> Self {
        Self { translate: &Ok }
    }
}

/// The same for a program that speaks another harness's language; answers the exit code. An empty `own` stands for all
/// crates.
pub fn run_dialect(package: &str, own: &str, paths: &[&str], dialect: &Dialect<'_>) -> i32 {
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next().is_some_and(|first| first == WORKER_FLAG) {
        let number = arguments.next().and_then(|number| number.to_str()?.parse().ok());
        let Some(runner) = number else {
            return fail(&format!("{WORKER_FLAG} is for plusminus itself"));
        };
        registry::choose(own, paths);
        return worker::serve_alone(runner);
    }
    let translated = (dialect.translate)(std::env::args_os().skip(1).collect());
    let done = translated
        .and_then(Arguments::parse)
        .and_then(|arguments| run_parsed(&arguments, package, own, paths));
    done.unwrap_or_else(|message| fail(&message))
}

/// Returns the package of this program by its benchmarks, for a `main` that is no macro's and so does not know it. Empty if
/// it is not known.
pub fn package() -> &'static str {
    let binary = std::env::current_exe().unwrap_or_default();
    registry::package_of(&record::target_name(&binary).replace('-', "_"))
}

/// Does what the command line asks, and returns the exit code.
///
/// # Errors
/// A sentence for the user; the exit code is then that of errors.
fn run_parsed(
    arguments: &Arguments,
    package: &str,
    own: &str,
    paths: &[&str],
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
        asked::ask(counts.clone());
    }
    let entries = belonging(own, paths)?;
    if entries.is_empty() {
        return Err("no benchmark is registered: put `#[bench]` on a function, and name the crates that contain \
                    benchmarks in `plusminus::main!(…)`, or they are not linked"
            .to_owned());
    }
    let all = cases(&entries)?;
    if let ([], Some(counts)) = (all.as_slice(), &arguments.processors) {
        return Err(format!(
            "--processors: no benchmark has points on {}; without it, `--list` shows those that there are",
            asked::listing(counts)
        ));
    }
    if arguments.action == Action::List {
        return list::list(&all, arguments);
    }
    let selected = select(&all, arguments);
    if selected.is_empty() {
        let message = filter::no_match(&all, &arguments.filter);
        // Cargo gives the same filters to all targets, and stops at the first that fails; to test nothing is no error
        // for libtest, and for who calls it.
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
        engine::take_processors(&describe(&selected))?;
    }
    let run = |here: Option<InProcess>| match arguments.action {
        Action::Test => test::test(selected, all.len(), arguments, here),
        _ => bench::bench(selected, all.len(), arguments, here, package),
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
/// A sentence that says what is wrong.
#[cfg(feature = "fuzzing")]
pub fn understand(words: &[&str], variables: &[&str]) -> Result<(), String> {
    Arguments::of(words, variables).map(drop)
}

/// Prints a message for people and answers with the code of errors.
fn fail(message: &str) -> i32 {
    complain(&format!("plusminus: {message}\n"));
    exit::FAILED
}

/// The cases that the command line selects.
fn select(all: &[Case], arguments: &Arguments) -> Vec<Case> {
    let wanted = |case: &&Case| {
        arguments.ignored.selects(case.ignored().is_some())
            && arguments.filter.passes(case.entry.krate(), &case.name)
    };
    all.iter().filter(wanted).cloned().collect()
}
