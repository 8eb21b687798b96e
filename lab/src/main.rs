//! Programs that make the numbers in the documents. `truth` and `slowdowns` compare verdicts with known truths.
//! `peers` compares times with a loop by hand and with other harnesses. `references` checks the reference of real
//! speedups, and `limits` runs the largest inputs. Scripts in this folder do the same for whole programs.

mod baselines;
mod glances;
mod limits;
mod peers;
mod references;
mod slowdowns;
mod tiny;
mod truth;

use std::{
    path::{Path, PathBuf},
    process::{Command, ExitCode, Stdio},
};

use cargo_plusminus::error::{Result, at, error, exit_code};
use clap::{Parser, Subcommand};
use plusminus::engine::WORKER_FLAG;

/// Makes the published numbers of plusminus.
#[derive(Debug, Parser)]
#[command(version, about)]
struct Arguments {
    #[command(subcommand)]
    command: Task,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// Compare verdicts with known truths, quiet and under noise, together with criterion, and print every cell.
    Truth(truth::Arguments),
    /// Slow down kernels of twelve kinds by more data, and count the verdicts on them.
    Slowdowns(slowdowns::Arguments),
    /// Measure saved baselines of one program while neighbors come and go, and criterion's.
    Baselines(baselines::Arguments),
    /// Compare times with a loop by hand, and intervals with those of other harnesses.
    #[command(subcommand)]
    Peers(peers::Task),
    /// Compare speedups of `--quick` with those of a full measurement.
    Glances(glances::Arguments),
    /// Read records, and fail if something on one processor is faster than the reference of its real speedup.
    References(references::Arguments),
    /// Run the largest inputs: thousands of benchmarks, 100,000 instances, a million samples.
    Limits,
    /// Read a record, and print how long it took and how much memory; a part of `limits`.
    #[command(hide = true)]
    Load { record: PathBuf },
    /// Use processors in bursts until the runner has ended; a part of `truth`.
    #[command(hide = true)]
    Noise(truth::NoiseArguments),
    /// Time one kernel with a loop by hand; a part of `peers accuracy`.
    #[command(hide = true)]
    ByHand { kernel: String },
}

fn main() -> ExitCode {
    // This program is also a bench binary: of the kernels of the self-test, and of the tiny ones.
    let first = std::env::args_os().nth(1);
    if first.is_some_and(|first| first == WORKER_FLAG || first == "--bench") {
        return plusminus::run("", module_path!(), &["plusminus_kernels"]);
    }
    if std::env::args_os().nth(1).is_some_and(|first| first == limits::STUDY) {
        return cargo_plusminus::run();
    }
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => error.exit(),
    };
    plusminus::system::catch_interrupts();
    exit_code(match arguments.command {
        Task::Truth(arguments) => truth::run(&arguments),
        Task::Slowdowns(arguments) => slowdowns::run(&arguments),
        Task::Baselines(arguments) => baselines::run(&arguments),
        Task::Peers(task) => peers::run(&task),
        Task::Glances(arguments) => glances::run(&arguments),
        Task::References(arguments) => references::run(&arguments),
        Task::Limits => limits::run(),
        Task::Load { record } => limits::load(&record),
        Task::Noise(arguments) => truth::make_noise(&arguments),
        Task::ByHand { kernel } => peers::by_hand(&kernel),
    })
}

/// Builds a bench target of a crate below `lab`, from the source tree that this program was built from; returns the path
/// of the program.
fn built(package: &str, bench: &str) -> Result<PathBuf> {
    let lab = Path::new(env!("CARGO_MANIFEST_DIR"));
    let manifest = lab.join(package).join("Cargo.toml");
    let target = lab.with_file_name("target").join(package);
    let mut command = Command::new(option_env!("CARGO").unwrap_or("cargo"));
    command
        .args(["bench", "--no-run", "--quiet", "--message-format=json", "--bench", bench])
        .arg("--manifest-path")
        .arg(&manifest)
        .arg("--target-dir")
        .arg(&target)
        .stderr(Stdio::inherit());
    let output = command.output().map_err(at("run cargo for", &manifest))?;
    let messages = serde_json::Deserializer::from_slice(&output.stdout).into_iter().flatten();
    let programs = messages
        .filter_map(|message: serde_json::Value| message["executable"].as_str().map(PathBuf::from));
    match programs.last() {
        Some(program) if output.status.success() => Ok(program),
        _ => error(format!("{bench} does not build; cargo's message is above")),
    }
}
