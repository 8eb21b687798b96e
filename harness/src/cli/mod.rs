//! The command line of a bench binary: what cargo, nextest and people ask, turned into a list, a test or a measurement.
//! It decides nothing about numbers, and prints through `report`.

mod arguments;
mod baseline;
mod bench;
mod known;
mod list;
mod progress;
mod test;
mod values;

use std::{ffi::OsString, process::ExitCode};

use arguments::{Action, Arguments};

use crate::{
    exit,
    registry::{Case, Entry, Filter, cases, entries},
    runner::{self, Here, WORKER_FLAG},
    sys, worker,
};

/// Runs a bench binary as its command line says. [`main!`](crate::main) calls this with the name of the binary's own
/// crate, and the paths of the crates and modules whose benchmarks belong to it.
pub fn run(own: &str, paths: &[&str]) -> ExitCode {
    ExitCode::from(run_dialect(own, paths, &Dialect::default()) as u8)
}

/// How the command line of a program differs that speaks another harness's language.
#[derive(Clone, Copy)]
pub struct Dialect<'a> {
    /// Translates the options, without the name of the program.
    pub translate: Translate<'a>,
    /// Whether a filter selects a benchmark: the filter, the crate that registers the benchmark, its name.
    pub matches: fn(&str, &str, &str) -> bool,
}

/// What translates a command line.
type Translate<'a> = &'a dyn Fn(Vec<OsString>) -> Result<Vec<OsString>, String>;

impl Default for Dialect<'_> {
    fn default() -> Self {
        Self { translate: &Ok, matches: Filter::default().matches }
    }
}

/// The same for a program that speaks another harness's language; answers the exit code. An empty `own` stands for all
/// crates.
pub fn run_dialect(own: &str, paths: &[&str], dialect: &Dialect<'_>) -> i32 {
    let mut arguments = std::env::args().skip(1);
    if arguments.next().as_deref() == Some(WORKER_FLAG) {
        let Some(runner) = arguments.next().and_then(|number| number.parse().ok()) else {
            return fail(&format!("{WORKER_FLAG} is for plusminus itself"));
        };
        return worker::serve(runner);
    }
    let translated = (dialect.translate)(std::env::args_os().skip(1).collect());
    match translated.and_then(Arguments::parse) {
        Ok(mut arguments) => {
            arguments.filter.matches = dialect.matches;
            run_parsed(&arguments, own, paths)
        }
        Err(message) => fail(&message),
    }
}

fn run_parsed(arguments: &Arguments, own: &str, paths: &[&str]) -> i32 {
    if arguments.action == Action::Help {
        print!("{}", known::help());
        return exit::FINE;
    }
    let entries = match belonging(entries(), own, paths) {
        Ok(entries) => entries,
        Err(message) => return fail(&message),
    };
    let all = match cases(&entries) {
        Ok(all) => all,
        Err(message) => return fail(&message),
    };
    if arguments.action == Action::List {
        list::list(&all, arguments);
        return exit::FINE;
    }
    let selected = select(&all, arguments);
    if selected.is_empty() {
        eprintln!("plusminus: no benchmark matches the filters; `--list` shows all {}", all.len());
    }
    if arguments.counter
        && let Err(reason) = sys::proven_counter()
    {
        return fail(&format!(
            "--clock tsc is not possible: the processor's counter is not proven to be a clock here: {reason}"
        ));
    }
    if arguments.in_process
        && let Err(message) = runner::take_processors(&selected)
    {
        return fail(&message);
    }
    let run = |here: Option<Here>| match arguments.action {
        Action::Test => test::test(selected, all.len(), arguments, here),
        _ => bench::bench(selected, all.len(), arguments, here),
    };
    if !arguments.in_process {
        return run(None);
    }
    match runner::host(arguments.counter, |here| run(Some(here))) {
        Ok(code) => code,
        Err(error) => fail(&format!("--in-process finds no pipes left: {error}")),
    }
}

/// Prints a message for people and answers with the code of errors.
fn fail(message: &str) -> i32 {
    eprintln!("plusminus: {message}");
    exit::FAILED
}

/// The benchmarks that belong to this program: its own, those of the paths that `main!` names, and all variants of
/// the problems among them.
///
/// # Errors
/// Where a named path has no benchmark: it would otherwise look like a suite without any.
fn belonging(
    entries: Vec<&'static Entry>,
    own: &str,
    paths: &[&str],
) -> Result<Vec<&'static Entry>, String> {
    let paths: Vec<String> = paths.iter().map(|path| path.replace(' ', "")).collect();
    let below = |entry: &Entry, path: &str| {
        path.is_empty()
            || entry
                .module
                .strip_prefix(path)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
    };
    if let Some(missing) = paths.iter().find(|path| !entries.iter().any(|entry| below(entry, path)))
    {
        return Err(format!(
            "`plusminus::main!` names `{missing}`, but no benchmark is registered there; does it have a function \
             with `#[bench]`, and is the feature on that it may need?"
        ));
    }
    let direct = |entry: &Entry| below(entry, own) || paths.iter().any(|path| below(entry, path));
    let problems: Vec<_> =
        entries.iter().filter(|entry| direct(entry)).filter_map(|entry| entry.problem()).collect();
    let joins = |entry: &Entry| entry.problem().is_some_and(|problem| problems.contains(&problem));
    let belonging: Vec<_> =
        entries.iter().copied().filter(|entry| direct(entry) || joins(entry)).collect();
    if belonging.is_empty() {
        return Err("no benchmark is registered: put `#[bench]` on a function, and name the crates that contain \
                    benchmarks in `plusminus::main!(…)`, or they are not linked"
            .to_owned());
    }
    Ok(belonging)
}

/// The cases that the command line selects.
fn select(all: &[Case], arguments: &Arguments) -> Vec<Case> {
    let wanted = |case: &&Case| {
        arguments.ignored.selects(case.ignored().is_some())
            && arguments.filter.passes(case.entry.krate(), &case.name)
    };
    all.iter().filter(wanted).cloned().collect()
}
