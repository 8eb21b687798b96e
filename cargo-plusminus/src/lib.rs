//! `cargo plusminus`: everything about benchmarks besides running them. One folder for each subcommand, and the rooms
//! that they share: `report` describes the results, `relink` links programs again.
//!
//! This is a program. It is a library for the programs in `papers/` and `lab/` only: nothing that is public is stable.

mod assembly;
mod bench;
pub mod cargo;
mod changed;
mod changed_function;
mod clean;
mod compare;
mod csv;
pub mod error;
mod export;
mod history;
mod hybrid;
mod import;
mod init;
mod layouts;
mod manual;
mod newest;
mod own_program;
#[allow(missing_docs, reason = "types say what their fields are")]
pub mod pages;
pub mod progress;
mod relink;
pub mod report;
mod run;
pub mod selftest;
#[allow(missing_docs, reason = "types say what their fields are")]
pub mod study;
mod wrapper;

use std::{
    collections::BTreeMap,
    env,
    ffi::OsString,
    process::{self, ExitCode},
};

use clap::{
    CommandFactory, FromArgMatches, Parser, Subcommand, error::ErrorKind, parser::ValueSource,
};

/// Measures how fast code is, with the uncertainty of every number.
#[derive(Debug, Parser)]
#[command(name = "cargo plusminus", bin_name = "cargo plusminus", version, about)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Set up benchmarks and a gate for pull requests.
    Init(init::Arguments),
    /// Time a whole program, or compare two.
    Bench(bench::Arguments),
    /// Compare two versions of your code.
    Compare(Box<compare::Arguments>),
    /// List the benchmarks whose machine code changed, for any harness.
    Changed(Box<changed::Arguments>),
    /// Run cargo bench, and relink the program for every run.
    Layouts(layouts::Arguments),
    /// Run a bench program that has no runner of its own.
    Run(run::Arguments),
    /// Analyze sweeps: scaling, models of the time and Performance Complexity.
    Study(study::Arguments),
    /// Write records as HTML pages with figures.
    Report(pages::Arguments),
    /// Track timings across commits.
    History(history::Arguments),
    /// Write a record in the format of a different tool.
    Export(export::ExportArguments),
    /// Read the results of a different tool into a record.
    Import(import::ImportArguments),
    /// Measure which changes this machine can detect, and its false alarms.
    Selftest(selftest::Arguments),
    /// Show a glossary entry.
    Explain(manual::ExplainArguments),
    /// Delete cached builds and baseline programs.
    Clean(clean::Arguments),
    /// Print completions for a shell.
    Completions(manual::CompletionArguments),
    /// Write pages for man.
    Manual(manual::ManualArguments),
    /// Runs a command, and ends it when its runner is gone; a part of `compare`.
    #[command(hide = true)]
    Guard(compare::GuardArguments),
    /// Links a program once more in another order; a part of `compare` and `layouts`.
    #[command(hide = true)]
    Link(relink::LinkArguments),
}

const GROUPS: [(&str, &[&str]); 6] = [
    ("Begin", &["init"]),
    ("Measure", &["compare", "changed", "bench", "run", "layouts", "selftest"]),
    ("Look", &["report", "history", "study", "explain"]),
    ("Exchange", &["export", "import"]),
    ("Files", &["clean"]),
    ("Shell", &["completions", "manual"]),
];

/// Gives the command a help in which its subcommands stand in groups.
fn grouped(command: clap::Command) -> clap::Command {
    let mut text = "{before-help}{about}\n\n{usage-heading} {usage}\n".to_owned();
    for (title, names) in GROUPS {
        text.push_str(&format!("\n{title}:\n"));
        for name in names {
            let about = command.find_subcommand(name).and_then(clap::Command::get_about);
            let about = about.map_or(String::new(), ToString::to_string);
            text.push_str(&format!("  {name:<12}{about}\n"));
        }
    }
    text.push_str("\nOptions:\n{options}{after-help}");
    command.help_template(text)
}

use bench::program;
plusminus::register!(program);

/// The record of a comparison as a table, Markdown, a comment and JSON.
pub fn rendered(record: &plusminus::record::ComparisonRecord) -> [String; 4] {
    let comparison = report::of_record(record);
    [
        report::table::render(&comparison, None, &plusminus::text::View::unlimited()),
        report::markdown::render(&comparison),
        report::markdown::comment(&comparison),
        report::json::render(&comparison),
    ]
}

/// Runs this program in our place, with the same arguments and these variables.
fn with_variables(variables: BTreeMap<String, OsString>) -> error::Result<i32> {
    let mut command = process::Command::new(own_program::this_program()?);
    command.args(env::args_os().skip(1)).envs(variables);
    own_program::become_it(command)
}

/// Refuses settings of a measurement on the command line of a report that is printed again. As variables they are settings of
/// a project, and apply to its measurements only.
fn not_ignored(matches: &clap::ArgMatches) -> Result<(), clap::Error> {
    let Some(compare) = matches.subcommand_matches("compare") else { return Ok(()) };
    let given = |name: &&str| compare.value_source(name) == Some(ValueSource::CommandLine);
    let ignored = ["margin", "alpha", "max_time", "seed"].into_iter().find(given);
    match ignored.filter(|_| compare.contains_id("from")) {
        None => Ok(()),
        Some(name) => Err(Arguments::command().error(
            ErrorKind::ArgumentConflict,
            format!(
                "'--{}' is for measuring, and '--from <RECORD>' measures nothing: its verdicts are those of the record",
                name.replace('_', "-")
            ),
        )),
    }
}

/// Runs the program with the arguments of this process.
pub fn run() -> ExitCode {
    let mut arguments: Vec<OsString> = env::args_os().collect();
    if let Some(code) = wrapper::stand_in(&arguments) {
        return code;
    }
    if arguments.get(1).is_some_and(|first| first == plusminus::engine::WORKER_FLAG) {
        // The kernels of the self-test are measured like those of any bench binary.
        return plusminus::run("", module_path!(), &["plusminus_kernels"]);
    }
    if arguments.get(1).is_some_and(|first| first == bench::ALONE_FLAG) {
        return ExitCode::from(bench::run_alone() as u8);
    }
    // Cargo does not set the variables of its configuration for subcommands, as it does for benches.
    match cargo::variables::own() {
        Ok(variables) if variables.is_empty() => {}
        variables => return error::exit_code(variables.and_then(with_variables)),
    }
    // Cargo starts `cargo-plusminus plusminus …`.
    if arguments.get(1).is_some_and(|first| first == "plusminus") {
        arguments.remove(1);
    }
    let parsed =
        grouped(Arguments::command()).try_get_matches_from(arguments).and_then(|matches| {
            not_ignored(&matches).and_then(|()| Arguments::from_arg_matches(&matches))
        });
    let arguments = match parsed {
        Ok(arguments) => arguments,
        Err(error) => {
            let printed = error.print();
            let refused = printed.err().filter(|e| e.kind() != std::io::ErrorKind::BrokenPipe);
            if let Some(reason) = refused.filter(|_| !error.use_stderr()) {
                let message = format!("cannot write to standard output: {reason}");
                return error::exit_code(error::error(message));
            }
            let code = if error.use_stderr() { plusminus::exit::FAILED } else { 0 };
            return ExitCode::from(code as u8);
        }
    };
    if let Err(message) = plusminus::check_variables() {
        return error::exit_code(error::error(message));
    }
    if matches!(
        arguments.command,
        Command::Bench(_)
            | Command::Changed(_)
            | Command::Compare(_)
            | Command::Layouts(_)
            | Command::Selftest(_)
    ) {
        // They end what they have started, and report what they have found. The others simply end.
        plusminus::system::catch_interrupts();
    }
    let done = match arguments.command {
        Command::Bench(arguments) => bench::run(&arguments),
        Command::Compare(arguments) => compare::run(&arguments),
        Command::Changed(arguments) => changed::run(*arguments),
        Command::Layouts(arguments) => layouts::run(&arguments),
        Command::Link(arguments) => relink::link(&arguments),
        Command::Run(arguments) => run::run(arguments),
        Command::Study(arguments) => study::run(&arguments),
        Command::Report(arguments) => pages::run(&arguments),
        Command::History(arguments) => history::run(&arguments),
        Command::Export(arguments) => export::export(&arguments),
        Command::Init(arguments) => init::run(&arguments),
        Command::Import(arguments) => import::import(&arguments),
        Command::Selftest(arguments) => selftest::run(&arguments),
        Command::Explain(arguments) => manual::explain(&arguments),
        Command::Clean(arguments) => clean::run(&arguments),
        Command::Completions(arguments) => manual::complete(&arguments, Arguments::command()),
        Command::Manual(arguments) => manual::write(&arguments, Arguments::command()),
        Command::Guard(arguments) => compare::stand_guard(&arguments),
    };
    error::exit_code(done)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_usage_of_compare_is_accepted_and_shown_where_a_filter_is_not() {
        let parsed = |line: &str| Arguments::try_parse_from(line.split(' ').skip(1));
        let refused =
            parsed("cargo plusminus compare --from a.json parse").unwrap_err().to_string();
        let (_, usage) = refused.split_once("Usage: ").unwrap();
        let forms: Vec<&str> = usage.lines().map(str::trim).take_while(|l| !l.is_empty()).collect();
        assert_eq!(forms.len(), 4, "{refused}");
        for form in forms {
            let line = form
                .replace("[OPTIONS]", "--quiet")
                .replace("...", "")
                .replace("[FILTER]", "parse");
            let line = line.replace("<BASE[..HEAD]>", "main").replace(['<', '>'], "");
            assert!(parsed(&line).is_ok(), "{line}");
        }
    }

    #[test]
    fn every_command_stands_in_one_group() {
        let command = Arguments::command();
        let shown = command.get_subcommands().filter(|sub| !sub.is_hide_set());
        let mut shown: Vec<&str> = shown.map(clap::Command::get_name).collect();
        let mut grouped: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| *names).copied().collect();
        shown.sort_unstable();
        grouped.sort_unstable();
        assert_eq!(shown, grouped);
    }
}
