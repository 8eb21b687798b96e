//! Asks workers. If a request fails, the error contains its side, case and instance.

use std::time::Duration;

use super::machine::{Worker, WorkerError};
use crate::record::Cause;
use plusminus_worker::{
    protocol::RawSample,
    protocol::{Answer, Extras, Failed, Request, Sampling},
};

/// A failure with its culprit.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct CaseError {
    /// The side: 0, or base 0 and new 1.
    pub(crate) side: usize,
    /// Position among the cases that the worker has loaded; `None` if it concerns all of them.
    pub(crate) case: Option<usize>,
    pub(crate) instance: Option<usize>,
    pub(crate) cause: Cause,
    /// The end of the worker's output.
    pub(crate) output: String,
    /// Whether the worker can go on: a wrong answer ends its case only.
    pub(crate) alive: bool,
}

impl CaseError {
    /// Whether it may come from earlier measurements of its process, so that a fresh one has to show it.
    pub(crate) fn may_be_of_others(&self) -> bool {
        !matches!(self.cause, Cause::TimedOut { .. })
    }
}

/// Why measuring was given up.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Stop {
    /// Something failed.
    Failed(Box<CaseError>),
    /// The user wants to stop: the signal.
    Interrupted(i32),
}

/// The subject of a request, for the message of its failure.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct About {
    pub(crate) side: usize,
    pub(crate) case: Option<usize>,
    pub(crate) instance: Option<usize>,
}

impl About {
    /// All that a worker of a side has loaded.
    pub(crate) fn side(side: usize) -> Self {
        Self { side, ..Self::default() }
    }

    /// A cell, as it is sampled on a side.
    pub(crate) fn cell(side: usize, sampling: &Sampling) -> Self {
        Self { side, case: Some(sampling.case), instance: Some(sampling.instance) }
    }

    fn failed(self, cause: Cause, output: String, alive: bool) -> Stop {
        let Self { side, case, instance } = self;
        Stop::Failed(Box::new(CaseError { side, case, instance, cause, output, alive }))
    }

    /// A failure for which nothing that was printed is of interest.
    pub(crate) fn misuse(self, message: &str) -> Stop {
        self.failed(Cause::Misuse { message: message.to_owned() }, String::new(), false)
    }

    /// A worker's error.
    pub(crate) fn error(self, error: WorkerError, output: String) -> Stop {
        match error.cause() {
            Ok(cause) => self.failed(cause, output, false),
            Err(signal) => Stop::Interrupted(signal),
        }
    }

    /// An answer to something that was not asked.
    pub(crate) fn unexpected(self, answer: &Answer) -> Stop {
        self.error(WorkerError::unexpected(answer), String::new())
    }
}

/// Asks a worker; errors and failures become a stop that names what they concern.
pub(crate) fn ask(
    worker: &mut dyn Worker,
    request: &Request,
    allowed: Duration,
    about: About,
) -> Result<Answer, Stop> {
    let answer = worker.ask(request, allowed);
    understood(worker, answer, about)
}

/// Turns errors and failures into a stop that names what they concern.
fn understood(
    worker: &dyn Worker,
    answer: Result<Answer, WorkerError>,
    about: About,
) -> Result<Answer, Stop> {
    match answer {
        Ok(Answer::Failed(failed)) => {
            let (cause, alive, told) = match failed {
                // The message is complete; other output helps with the rest.
                Failed::Panicked { message } => (Cause::Panicked { message }, false, true),
                Failed::WrongAnswer { message } => (Cause::WrongAnswer { message }, true, true),
                Failed::Nothing => (Cause::Nothing, false, true),
                Failed::Misuse { message } => (Cause::Misuse { message }, false, false),
            };
            let output = if told { String::new() } else { worker.output() };
            Err(about.failed(cause, output, alive))
        }
        Ok(answer) => Ok(answer),
        Err(WorkerError::Interrupted(signal)) => Err(Stop::Interrupted(signal)),
        Err(error) => {
            let output = worker.output();
            Err(about.error(error, output))
        }
    }
}

/// Asks for samples of one cell.
pub(crate) fn sample(
    worker: &mut dyn Worker,
    sampling: Sampling,
    allowed: Duration,
    about: About,
) -> Result<Vec<RawSample>, Stop> {
    samples_of(ask(worker, &Request::Sample(sampling), allowed, about)?, about)
}

fn samples_of(answer: Answer, about: About) -> Result<Vec<RawSample>, Stop> {
    match answer {
        Answer::Sampled { samples } => Ok(samples),
        other => Err(about.unexpected(&other)),
    }
}

/// Asks two workers for samples of one cell, and waits for both.
pub(crate) fn sample_both(
    workers: [(&mut dyn Worker, About); 2],
    sampling: Sampling,
    allowed: Duration,
) -> Result<[Vec<RawSample>; 2], Stop> {
    let request = Request::Sample(sampling);
    let mut begun = Vec::new();
    for (worker, about) in workers {
        let early = worker.begin(&request, allowed);
        begun.push((worker, about, early));
    }
    let mut both = [Vec::new(), Vec::new()];
    for (samples, (worker, about, early)) in both.iter_mut().zip(begun) {
        let answer = match early {
            Ok(None) => worker.wait(allowed),
            Ok(Some(answer)) => Ok(answer),
            Err(error) => Err(error),
        };
        *samples = samples_of(understood(worker, answer, about)?, about)?;
    }
    Ok(both)
}

/// Asks for the measurements besides time of the samples taken last.
pub(crate) fn extras(
    worker: &mut dyn Worker,
    allowed: Duration,
    about: About,
) -> Result<Extras, Stop> {
    match ask(worker, &Request::Extras, allowed, about)? {
        Answer::Extras(extras) => Ok(extras),
        other => Err(about.unexpected(&other)),
    }
}
