//! One of the two versions of a bench binary, and how its workers are started and asked.

use std::{
    ffi::OsString,
    path::{Path, PathBuf},
    time::Duration,
};

use plusminus::__runner::{Answer, Failed, Listed, RawSample, Request, Silence, Worker};

/// The time that an answer may take where the attribute says nothing.
pub(super) const TIMEOUT: Duration = Duration::from_secs(120);

/// A bench binary with the surroundings that cargo would give it.
#[derive(Debug, Clone)]
pub(crate) struct Side {
    /// The program.
    pub(crate) binary: PathBuf,
    /// The folder it runs in: that of its package.
    pub(crate) folder: Option<PathBuf>,
    /// Variables it gets besides ours.
    pub(crate) variables: Vec<(OsString, OsString)>,
}

/// Why a side could not be measured.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Problem {
    /// The user wants to stop: the signal.
    Interrupted(i32),
    /// A failure, in words that follow "failed: ".
    Failed(String),
}

impl Side {
    /// A program that is started as it is.
    pub(crate) fn of(binary: &Path) -> Self {
        Self { binary: binary.to_owned(), folder: None, variables: Vec::new() }
    }

    /// Starts a worker.
    pub(super) fn start(&self, processors: usize, padding: usize) -> Result<Worker, Problem> {
        Worker::start_with(&self.binary, processors, padding, false, |command| {
            if let Some(folder) = &self.folder {
                command.current_dir(folder);
            }
            command.envs(self.variables.iter().map(|(name, value)| (name, value)));
        })
        .map_err(|silence| problem_of(silence, ""))
    }
}

/// The benchmarks of a bench binary.
pub(crate) fn list(side: &Side) -> Result<Vec<Listed>, Problem> {
    let mut worker = side.start(1, 0)?;
    match ask(&mut worker, &Request::List, TIMEOUT)? {
        Answer::Listed { cases } => Ok(cases),
        other => Err(unexpected(&other)),
    }
}

/// Asks a worker; everything but an answer to the question is a problem.
pub(super) fn ask(
    worker: &mut Worker,
    request: &Request,
    allowed: Duration,
) -> Result<Answer, Problem> {
    match worker.ask(request, allowed) {
        Ok(Answer::Failed(failed)) => Err(Problem::Failed(match failed {
            Failed::Panicked { message } => format!("it panicked: {message}"),
            Failed::WrongAnswer { message } => format!("wrong answer: {message}"),
            Failed::Misuse { message } => format!("it cannot be measured: {message}"),
        })),
        Ok(answer) => Ok(answer),
        Err(silence @ Silence::Interrupted(_)) => Err(problem_of(silence, "")),
        Err(silence) => {
            let printed = worker.output();
            Err(problem_of(silence, &printed))
        }
    }
}

/// Asks for samples of one cell.
pub(super) fn sample(
    worker: &mut Worker,
    request: &Request,
    allowed: Duration,
) -> Result<Vec<RawSample>, Problem> {
    match ask(worker, request, allowed)? {
        Answer::Sampled { samples } => Ok(samples),
        other => Err(unexpected(&other)),
    }
}

pub(super) fn unexpected(answer: &Answer) -> Problem {
    Problem::Failed(format!("the worker answered another question: {answer:?}"))
}

fn problem_of(silence: Silence, printed: &str) -> Problem {
    let text = match silence {
        Silence::Interrupted(signal) => return Problem::Interrupted(signal),
        Silence::Died(how) => how,
        Silence::TimedOut(allowed) => {
            format!("timed out: no answer within {} s", allowed.as_secs_f64())
        }
        Silence::Broken(message) => message,
    };
    match printed.lines().rev().find(|line| !line.trim().is_empty()) {
        Some(last) => Problem::Failed(format!("{text}; it last printed: {last}")),
        None => Problem::Failed(text),
    }
}
