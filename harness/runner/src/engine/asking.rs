//! Asks workers. If a request fails, the error contains its side, case and instance.

use std::time::Duration;

use super::{
    cells::Cell,
    machine::{Worker, WorkerError},
};
use crate::record::Cause;
use plusminus_worker::protocol::{Answer, Failed, RawSample, Request, Sampling};

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct CaseError {
    pub(crate) about: About,
    pub(crate) cause: Cause,
    pub(crate) output: String,
    /// Whether the worker can go on: a wrong answer ends its case only.
    pub(crate) alive: bool,
}

impl CaseError {
    /// Whether it may come from earlier measurements of its process, so that a fresh one has to show it.
    pub(crate) fn may_be_of_others(&self) -> bool {
        !matches!(self.cause, Cause::TimedOut { .. })
    }

    /// Returns its culprit among the cases that were loaded, or all of them.
    pub(crate) fn culprits<'l>(&self, loaded: &'l [usize]) -> &'l [usize] {
        match self.about.case {
            Some(case) => &loaded[case..=case],
            None => loaded,
        }
    }
}

/// Why measuring was given up.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Stop {
    Failed(Box<CaseError>),
    /// The user wants to stop: the signal.
    Interrupted(i32),
}

/// The subject of a request, for the message of its failure.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct About {
    /// The side: 0, or base 0 and new 1.
    pub(crate) side: usize,
    /// Position among the cases that the worker has loaded; `None` if it concerns all of them.
    pub(crate) case: Option<usize>,
    pub(crate) instance: Option<usize>,
}

impl About {
    /// All that a worker of a side has loaded.
    pub(crate) fn side(side: usize) -> Self {
        Self { side, ..Self::default() }
    }

    /// A cell on a side.
    pub(crate) fn cell(side: usize, (case, instance): Cell) -> Self {
        Self { side, case: Some(case), instance: Some(instance) }
    }

    fn failed(self, cause: Cause, output: String, alive: bool) -> Stop {
        Stop::Failed(Box::new(CaseError { about: self, cause, output, alive }))
    }

    /// A failure for which nothing that was printed is of interest.
    pub(crate) fn misuse(self, message: &str) -> Stop {
        self.failed(Cause::Misuse { message: message.to_owned() }, String::new(), false)
    }

    pub(crate) fn error(self, error: WorkerError, output: String) -> Stop {
        match error.cause() {
            Ok(cause) => self.failed(cause, output, false),
            Err(signal) => Stop::Interrupted(signal),
        }
    }

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

/// Asks two workers for samples of one cell, and waits for both: one that goes on after a failure of the other would give this answer
/// to what it is asked next.
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
    let (mut both, mut failure) = ([Vec::new(), Vec::new()], None);
    for (samples, (worker, about, early)) in both.iter_mut().zip(begun) {
        let answer = match early {
            Ok(None) => worker.wait(allowed),
            Ok(Some(answer)) => Ok(answer),
            Err(error) => Err(error),
        };
        match understood(worker, answer, about).and_then(|answer| samples_of(answer, about)) {
            Ok(taken) => *samples = taken,
            Err(Stop::Failed(error)) if error.alive => {
                failure.get_or_insert(Stop::Failed(error));
            }
            Err(stop) => return Err(stop),
        }
    }
    failure.map_or(Ok(both), Err)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Clock;

    /// Returns what it is given, later than it is asked.
    struct Late(Option<Result<Answer, WorkerError>>);

    impl Worker for Late {
        fn ask(&mut self, _: &Request, _: Duration) -> Result<Answer, WorkerError> {
            panic!("both are asked before the first answer");
        }

        fn begin(&mut self, _: &Request, _: Duration) -> Result<Option<Answer>, WorkerError> {
            Ok(None)
        }

        fn wait(&mut self, _: Duration) -> Result<Answer, WorkerError> {
            self.0.take().unwrap()
        }

        fn clock(&self) -> Clock {
            Clock { tick_ns: 1.0, window_ns: 20.0, loop_ns: 0.25 }
        }
    }

    /// Asks two workers that have these answers. Tells the number of samples, and whether each answer was taken.
    fn both(answers: [Result<Answer, WorkerError>; 2]) -> (Result<usize, Stop>, [bool; 2]) {
        let [mut first, mut second] = answers.map(|answer| Late(Some(answer)));
        let sampling =
            Sampling { case: 0, instance: 0, calls: 1, samples: 1, check: true, stay: true };
        let workers: [(&mut dyn Worker, About); 2] =
            [(&mut first, About::side(0)), (&mut second, About::side(1))];
        let result = sample_both(workers, sampling, Duration::from_secs(1));
        let taken = [first.0.is_none(), second.0.is_none()];
        (result.map(|[base, new]| base.len() + new.len()), taken)
    }

    #[test]
    fn no_answer_of_two_at_once_is_left_to_a_worker_that_goes_on() {
        let sampled = || Ok(Answer::Sampled { samples: vec![RawSample::default()] });
        let wrong =
            || Ok(Answer::Failed(Failed::WrongAnswer { message: "2 instead of 1".to_owned() }));
        let died = || Err(WorkerError::Died("signal 9".to_owned()));
        let failed = |result: Result<usize, Stop>| match result {
            Err(Stop::Failed(error)) => (error.about.side, error.alive),
            other => panic!("{other:?}"),
        };
        assert_eq!(both([sampled(), sampled()]), (Ok(2), [true, true]));
        for (answers, side) in
            [([wrong(), sampled()], 0), ([wrong(), wrong()], 0), ([sampled(), wrong()], 1)]
        {
            let (result, taken) = both(answers);
            assert_eq!((failed(result), taken), ((side, true), [true, true]));
        }
        // A dead worker says more than a wrong answer, and takes the other one with it.
        assert_eq!(failed(both([wrong(), died()]).0), (1, false));
        let (result, taken) = both([died(), sampled()]);
        assert_eq!((failed(result), taken), ((0, false), [true, false]));
        let interrupted = both([Err(WorkerError::Interrupted(2)), sampled()]).0;
        assert_eq!(interrupted, Err(Stop::Interrupted(2)));
    }
}
