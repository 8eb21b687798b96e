//! The command line of a bench binary: it turns the requests of cargo, nextest and people into a list, a test or a
//! measurement. It decides nothing about numbers, and prints through `report`.

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
#[cfg(test)]
mod replay;
mod test;
mod values;
mod variables;

use std::{
    ffi::OsString,
    path::{Path, PathBuf},
};

use arguments::{Action, Arguments};
pub use known::help;
pub use variables::check as check_variables;

use crate::{
    engine::{self, InProcess, Program, RealMachine},
    output::{complain, print, view},
    report,
    text::sentence,
};
use plusminus_worker::{
    exit, processor_request,
    protocol::{Build, CaseDescription},
    sys,
};

struct Target<'a> {
    binary: PathBuf,
    /// Its package, which names the folder of its records; empty if it is not known.
    package: &'a str,
    build: Build,
    words: Vec<String>,
    cases: Vec<CaseDescription>,
}

/// Runs the command line of a bench program, and answers the exit code. An empty package stands for an unknown one.
pub fn run(binary: &Path, package: &str, words: Vec<OsString>) -> i32 {
    let shown = words.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let done = Arguments::parse(words).and_then(|arguments| {
        run_parsed(&arguments, || {
            let binary = binary
                .canonicalize()
                .map_err(|error| format!("cannot find {}: {error}", binary.display()))?;
            let (build, cases) = listed(&binary, &arguments)?;
            Ok(Target { binary, package, build, words: shown, cases })
        })
    });
    done.unwrap_or_else(|message| {
        let lines: Vec<String> = message.lines().map(sentence).collect();
        complain(&format!("plusminus: {}\n", lines.join("\n")));
        exit::FAILED
    })
}

/// The same from a program that is the runner and nothing else: `run --package PACKAGE -- BINARY WORDS…`, as a bench program
/// starts it. `None` for any other command line.
pub fn run_asked(words: impl IntoIterator<Item = OsString>) -> Option<i32> {
    let mut words = words.into_iter();
    let mut next_is = |expected: &str| words.next().is_some_and(|word| word == expected);
    let is_asked = next_is("run") && next_is("--package");
    let package = words.next().filter(|_| is_asked)?;
    let binary = words.nth(1)?;
    Some(run(Path::new(&binary), &package.to_string_lossy(), words.collect()))
}

/// The build settings and the benchmarks of a program. Where they are measured, messages of the harness in it are printed.
fn listed(binary: &Path, arguments: &Arguments) -> Result<(Build, Vec<CaseDescription>), String> {
    let mut program = Program::of(binary);
    program.show_output = arguments.show_output;
    let hear = arguments.action == Action::Bench;
    let listed = engine::listed(&RealMachine::new(), &program, arguments.timeout, hear);
    let (build, cases, printed) = listed.map_err(|error| error.to_string())?;
    let own = printed.lines().filter(|line| line.starts_with("plusminus: "));
    own.for_each(|line| complain(&format!("{line}\n")));
    Ok((build, cases))
}

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
    let selected: Vec<CaseDescription> =
        target.cases.iter().filter(|case| arguments.select(case)).cloned().collect();
    if arguments.action == Action::Bench
        && let Some(message) = filter::faulty(&target.cases, &arguments.filter)
    {
        return Err(message);
    }
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
    let here = arguments.in_process.then(|| InProcess::of_parent(&selected)).transpose()?;
    match arguments.action {
        Action::Test => test::test(&target, selected, arguments, here),
        _ => bench::bench(&target, selected, arguments, here),
    }
}

/// Reads a command line and variables, each of them as `NAME=VALUE`.
#[cfg(feature = "fuzzing")]
pub fn understand(words: &[&str], variables: &[&str]) -> Result<(), String> {
    Arguments::of(words, variables).map(drop)
}
