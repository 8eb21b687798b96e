//! `cargo plusminus`: what is done with benchmarks besides running them. One folder for each subcommand, and the
//! rooms that they share: `measure` takes blocks, `report` words what they mean.

mod compare;
mod error;
mod generate;
mod kernels;
mod measure;
mod progress;
mod report;
mod same_code;
mod selftest;
mod study;
mod truth;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Measures how fast code is, and says how sure it is.
#[derive(Debug, Parser)]
#[command(name = "cargo plusminus", bin_name = "cargo plusminus", version, about)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// A verdict between two versions of a program: faster, slower, same or undecided.
    Compare(Box<compare::Arguments>),
    /// Scaling, models of the time and Performance Complexity, from the records of sweeps.
    Study(study::Arguments),
    /// Writes graphs and networks to files: inputs for benchmarks, and for other programs.
    Generate(generate::Arguments),
    /// How far verdicts can be trusted on this machine: false alarms, power, the margin to use.
    Selftest(selftest::Arguments),
    /// Checks verdicts against known truths, quiet and under noise, and prints every cell.
    #[command(hide = true)]
    Truth(truth::Arguments),
    /// Uses processors in bursts until its runner is gone; a part of `truth`.
    #[command(hide = true)]
    Noise(truth::NoiseArguments),
}

fn main() -> ExitCode {
    let mut arguments: Vec<std::ffi::OsString> = std::env::args_os().collect();
    if let Some(code) = same_code::stand_in(&arguments) {
        return code;
    }
    if arguments.get(1).is_some_and(|first| first == plusminus::__runner::WORKER_FLAG) {
        // Our own kernels are measured the same way as everybody's.
        return plusminus::run(module_path!(), &[]);
    }
    // Cargo starts `cargo-plusminus plusminus …`.
    if arguments.get(1).is_some_and(|first| first == "plusminus") {
        arguments.remove(1);
    }
    let arguments = match Arguments::try_parse_from(arguments) {
        Ok(arguments) => arguments,
        Err(error) => {
            let _ = error.print();
            let code = if error.use_stderr() { plusminus::exit::FAILED } else { 0 };
            return ExitCode::from(code as u8);
        }
    };
    plusminus::__runner::catch_interrupts();
    let done = match arguments.command {
        Command::Compare(arguments) => compare::run(&arguments),
        Command::Study(arguments) => study::run(&arguments),
        Command::Generate(arguments) => generate::run(&arguments),
        Command::Selftest(arguments) => selftest::run(&arguments),
        Command::Truth(arguments) => truth::run(&arguments),
        Command::Noise(arguments) => truth::make_noise(&arguments),
    };
    let code = done.unwrap_or_else(|error| {
        if !matches!(error, error::Error::Interrupted(_)) {
            eprintln!("plusminus: {error}");
        }
        error.code()
    });
    ExitCode::from(code as u8)
}
