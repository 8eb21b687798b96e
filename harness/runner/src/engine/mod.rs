//! The one mechanism that measures: it plans what workers are asked, in which order and how long, and writes what they
//! answer into a record. It may touch processes, clocks and records; it prints nothing, and of statistics it uses only
//! what decides how to go on.
//!
//! Two courses stand on it: `measure` runs the tables of one program (`cargo bench`), [`compare_until_decided`] measures
//! two programs in turns (`cargo plusminus compare`, `--baseline`). Both know the system through [`Machine`] alone.

mod allocation;
mod asking;
mod block;
mod cells;
mod channel;
mod comparison;
mod configuration;
mod cores;
mod count;
mod course;
mod deciding;
mod in_process;
mod machine;
mod process;
mod profile;
mod relinked;
mod run;
mod sampling;
mod seen;
mod settling;
#[cfg(any(test, feature = "simulated"))]
pub mod simulated;
mod sizes;
mod surroundings;
mod table;
#[cfg(test)]
mod tests;
mod valgrind;
mod workers;

pub use comparison::{
    CommonCase, ComparisonPosition, ComparisonWatcher, Judge, Layouts, Subject, Versions, compare,
};
pub(crate) use configuration::Configuration;
pub(crate) use course::{Position, Watcher, measure, nothing_yet};
pub use deciding::compare_until_decided;
pub(crate) use in_process::InProcess;
pub use machine::{Machine, Program, Start, Weight, Worker, WorkerError};
pub use plusminus_analysis::random::Random;
pub use process::RealMachine;
pub(crate) use profile::{Profiled, profile};
pub(crate) use relinked::Relinked;
pub use relinked::{SUBCOMMAND_VARIABLE, link_folder};
pub use valgrind::count_compared_instructions;

pub use crate::probe::Probed;
pub use plusminus_worker::protocol::{
    Answer, CaseDescription, Extras, Failed, Load, PROTOCOL, RawSample, Request, Sampling,
    WORKER_FLAG, Wishes,
};
use plusminus_worker::{protocol::Build, sys::complain};

/// Lists the benchmarks of a program, as a worker of it describes them.
///
/// # Errors
/// Why there is no list.
pub fn list(machine: &dyn Machine, program: &Program) -> Result<Vec<CaseDescription>, WorkerError> {
    cases(machine.start(program, Start::plain(1))?.as_mut())
}

/// The fate of messages of the harness that a program prints while it lists its benchmarks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Listing {
    /// They are printed.
    WithMessages,
    /// They are dropped.
    Quiet,
}

/// Asks a program for its build settings and its benchmarks.
///
/// # Errors
/// Why there is no answer.
pub(crate) fn listed(
    machine: &dyn Machine,
    program: &Program,
    listing: Listing,
) -> Result<(Build, Vec<CaseDescription>), WorkerError> {
    let mut worker = machine.start(program, Start::plain(1))?;
    let Answer::Built(build) = worker.ask(&Request::Build, configuration::DEFAULT_TIMEOUT)? else {
        return Err(WorkerError::Protocol("it does not tell how it was built".to_owned()));
    };
    let cases = cases(worker.as_mut())?;
    if listing == Listing::WithMessages {
        let said = worker.output();
        said.lines()
            .filter(|line| line.starts_with("plusminus: "))
            .for_each(|line| complain(&format!("{line}\n")));
    }
    Ok((build, cases))
}

fn cases(worker: &mut dyn Worker) -> Result<Vec<CaseDescription>, WorkerError> {
    match worker.ask(&Request::List, configuration::DEFAULT_TIMEOUT)? {
        Answer::Listed { cases } => Ok(cases),
        Answer::Failed(Failed::Misuse { message } | Failed::Panicked { message }) => {
            Err(WorkerError::Protocol(message))
        }
        other => Err(WorkerError::unexpected(&other)),
    }
}
