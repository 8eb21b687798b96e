//! The command line of a bench binary: what cargo, nextest and people ask, turned into a list, a test or a measurement.
//! It decides nothing about numbers, and prints through `report`.

mod arguments;
mod bench;
mod list;
mod progress;
mod test;

use std::process::ExitCode;

use arguments::{Action, Arguments};

use crate::{
    exit,
    registry::{Case, Entry, cases, entries},
    runner::WORKER_FLAG,
    worker,
};

/// Runs a bench binary as its command line says. [`main!`](crate::main) calls this with the names of the crates
/// whose benchmarks it links.
pub fn run(krates: &[&str]) -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    if arguments.next().as_deref() == Some(WORKER_FLAG) {
        let Some(runner) = arguments.next().and_then(|number| number.parse().ok()) else {
            return fail(&format!("{WORKER_FLAG} is for plusminus itself"));
        };
        return worker::serve(runner);
    }
    match Arguments::parse(std::env::args_os().skip(1)) {
        Ok(arguments) => run_parsed(&arguments, krates),
        Err(message) => fail(&message),
    }
}

fn run_parsed(arguments: &Arguments, krates: &[&str]) -> ExitCode {
    if arguments.action == Action::Help {
        print!("{}", arguments::HELP);
        return ExitCode::SUCCESS;
    }
    let entries = entries();
    if let Err(message) = all_linked(&entries, krates) {
        return fail(&message);
    }
    let all = match cases(&entries) {
        Ok(all) => all,
        Err(message) => return fail(&message),
    };
    if arguments.action == Action::List {
        list::list(&all, arguments);
        return ExitCode::SUCCESS;
    }
    let selected = select(&all, arguments);
    if selected.is_empty() {
        eprintln!("plusminus: no benchmark matches the filters; `--list` shows all {}", all.len());
    }
    let code = match arguments.action {
        Action::Test => test::test(selected, all.len(), arguments),
        _ => bench::bench(selected, arguments),
    };
    ExitCode::from(code as u8)
}

/// Prints a message for people and answers with the code of errors.
fn fail(message: &str) -> ExitCode {
    eprintln!("plusminus: {message}");
    ExitCode::from(exit::FAILED as u8)
}

/// Checks that every crate that `main!` names has registered something: a name that does not link anything would
/// otherwise look like a suite without benchmarks.
fn all_linked(entries: &[&'static Entry], krates: &[&str]) -> Result<(), String> {
    if let Some(missing) =
        krates.iter().find(|krate| !entries.iter().any(|entry| entry.krate() == **krate))
    {
        return Err(format!(
            "`plusminus::main!` names the crate `{missing}`, but no benchmark is registered in it; does it have a \
             function with `#[bench]`, and is the feature on that it may need?"
        ));
    }
    if entries.is_empty() {
        return Err("no benchmark is registered: put `#[bench]` on a function, and name the crates that contain \
                    benchmarks in `plusminus::main!(…)`, or they are not linked"
            .to_owned());
    }
    Ok(())
}

/// The cases that the command line selects.
fn select(all: &[Case], arguments: &Arguments) -> Vec<Case> {
    let wanted = |case: &&Case| {
        arguments.ignored.selects(case.options.ignore.is_some())
            && arguments.filter.passes(case.entry.krate(), &case.name)
    };
    all.iter().filter(wanted).cloned().collect()
}
