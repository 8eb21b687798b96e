//! The one mechanism that measures: it plans what workers are asked, in which order and how long, and writes what they
//! answer into a record. It may touch processes, clocks and records; it prints nothing, and of statistics it uses only
//! what decides how to go on.
//!
//! Two courses stand on it: `measure` runs the tables of one program (`cargo bench`), [`compare_until_decided`] measures
//! two programs in turns (`cargo plusminus compare`, `--baseline`). Both know the system through [`Machine`] alone.

use std::time::Duration;

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
mod plan;
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
mod waiting;
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
pub(crate) use profile::profile;
pub(crate) use relinked::Relinked;
pub use relinked::{SUBCOMMAND_VARIABLE, link_folder};
pub use valgrind::count_compared_instructions;

use plusminus_worker::protocol::Build;
pub use plusminus_worker::protocol::{
    Answer, CaseDescription, Extras, Failed, Load, PROTOCOL, RawSample, Request, Sampling,
    WORKER_FLAG, Wishes,
};
pub use plusminus_worker::sys::Probed;

/// Shows nothing of a measurement and writes nothing.
#[derive(Debug)]
pub struct Silent;

impl Watcher for Silent {}
impl ComparisonWatcher for Silent {}

/// Lists the benchmarks of a program, as a worker of it describes them.
pub fn list(machine: &dyn Machine, program: &Program) -> Result<Vec<CaseDescription>, WorkerError> {
    let mut worker = machine.start(program, Start::plain(1))?;
    cases(worker.as_mut(), configuration::DEFAULT_TIMEOUT)
}

/// Asks a program for its build settings and its benchmarks. With `hear`, the text that it has printed meanwhile comes along.
pub(crate) fn listed(
    machine: &dyn Machine,
    program: &Program,
    timeout: Option<Duration>,
    hear: bool,
) -> Result<(Build, Vec<CaseDescription>, String), WorkerError> {
    let mut worker = machine.start(program, Start::plain(1))?;
    let Answer::Built(build) = worker.ask(&Request::Build, configuration::DEFAULT_TIMEOUT)? else {
        return Err(WorkerError::Protocol("it does not tell how it was built".to_owned()));
    };
    let cases = cases(worker.as_mut(), timeout.unwrap_or(configuration::DEFAULT_TIMEOUT));
    let printed = if hear || cases.is_err() { worker.output() } else { String::new() };
    match cases {
        Ok(cases) => Ok((build, cases, printed)),
        Err(error) => Err(error.with_printed(|| printed)),
    }
}

fn cases(worker: &mut dyn Worker, allowed: Duration) -> Result<Vec<CaseDescription>, WorkerError> {
    match worker.ask(&Request::List, allowed)? {
        Answer::Listed { cases } => Ok(cases),
        Answer::Failed(Failed::Misuse { message } | Failed::Panicked { message }) => {
            Err(WorkerError::Protocol(message))
        }
        other => Err(WorkerError::unexpected(&other)),
    }
}
