//! `cargo plusminus`: what is done with benchmarks besides running them. One folder for each subcommand, and the
//! rooms that they share: `report` words what was measured, `layouts` links programs again.
//!
//! This is a program. It is a library for the programs in `papers/` and `lab/` only: nothing that is public is stable.

mod bench;
pub mod cargo;
mod clean;
mod compare;
mod csv;
pub mod error;
mod exchange;
mod history;
mod layouts;
mod manual;
#[allow(missing_docs, reason = "types say what their fields are")]
pub mod pages;
pub mod progress;
pub mod report;
mod run;
mod same_code;
mod sampled;
pub mod selftest;
#[allow(missing_docs, reason = "types say what their fields are")]
pub mod study;

use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

/// Measures how fast code is, and says how sure it is.
#[derive(Debug, Parser)]
#[command(name = "cargo plusminus", bin_name = "cargo plusminus", version, about)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Whole programs: how long one takes, or a verdict between two.
    Bench(bench::Arguments),
    /// A verdict between two versions of a program: faster, slower, within the margin or inconclusive.
    Compare(Box<compare::Arguments>),
    /// Cargo bench, with each run in another layout of the program.
    Layouts(sampled::Arguments),
    /// Run a bench program that has no runner of its own.
    Run(run::Arguments),
    /// Scaling, models of the time and Performance Complexity, from the records of sweeps.
    Study(study::Arguments),
    /// Pages and figures from records: one HTML file for each.
    Report(pages::Arguments),
    /// Times of many commits: added, looked at, and checked for steps.
    History(history::Arguments),
    /// Writes a record in the format of another tool.
    Export(exchange::ExportArguments),
    /// Makes a record from the results of another tool.
    Import(exchange::ImportArguments),
    /// How far verdicts can be trusted on this machine: false alarms, power, the margin to use.
    Selftest(selftest::Arguments),
    /// What a word of a report means.
    Explain(manual::ExplainArguments),
    /// Removes what is kept and can be made again: programs of baselines, and what `compare` builds into.
    Clean(clean::Arguments),
    /// Completions for a shell, on standard output.
    Completions(manual::CompletionArguments),
    /// Pages for man, as files.
    Manual(manual::ManualArguments),
    /// Runs a command, and ends it when its runner is gone; a part of `compare`.
    #[command(hide = true)]
    Guard(compare::GuardArguments),
    /// Links a program once more in another order; a part of `layouts`.
    #[command(hide = true)]
    Link(layouts::LinkArguments),
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

/// Runs the program with the arguments of this process.
pub fn run() -> ExitCode {
    let mut arguments: Vec<std::ffi::OsString> = std::env::args_os().collect();
    if let Some(code) = same_code::stand_in(&arguments) {
        return code;
    }
    if arguments.get(1).is_some_and(|first| first == plusminus::engine::WORKER_FLAG) {
        // The kernels of the self-test are measured like those of any bench binary.
        return plusminus::run("", module_path!(), &["plusminus_kernels"]);
    }
    if arguments.get(1).is_some_and(|first| first == bench::ALONE_FLAG) {
        return ExitCode::from(bench::run_alone() as u8);
    }
    // Cargo starts `cargo-plusminus plusminus …`.
    if arguments.get(1).is_some_and(|first| first == "plusminus") {
        arguments.remove(1);
    }
    let arguments = match Arguments::try_parse_from(arguments) {
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
        Command::Bench(_) | Command::Compare(_) | Command::Layouts(_) | Command::Selftest(_)
    ) {
        // They end what they have started, and report what they have found. The others simply end.
        plusminus::system::catch_interrupts();
    }
    let done = match arguments.command {
        Command::Bench(arguments) => bench::run(&arguments),
        Command::Compare(arguments) => compare::run(&arguments),
        Command::Layouts(arguments) => sampled::run(&arguments),
        Command::Link(arguments) => layouts::link(&arguments),
        Command::Run(arguments) => run::run(arguments),
        Command::Study(arguments) => study::run(&arguments),
        Command::Report(arguments) => pages::run(&arguments),
        Command::History(arguments) => history::run(&arguments),
        Command::Export(arguments) => exchange::export(&arguments),
        Command::Import(arguments) => exchange::import(&arguments),
        Command::Selftest(arguments) => selftest::run(&arguments),
        Command::Explain(arguments) => manual::explain(&arguments),
        Command::Clean(arguments) => clean::run(&arguments),
        Command::Completions(arguments) => manual::complete(&arguments, Arguments::command()),
        Command::Manual(arguments) => manual::write(&arguments, Arguments::command()),
        Command::Guard(arguments) => compare::stand_guard(&arguments),
    };
    error::exit_code(done)
}
