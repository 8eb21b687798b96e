//! Asks a worker, and turns its silence and its failures into trouble with a name.

use std::time::Duration;

use super::{
    super::child::{Silence, Worker},
    Pass,
};
use crate::{
    record::Cause,
    worker::protocol::{Answer, Failed, Request},
};

/// The end of a worker: what it was asked about, and why it is over.
pub(in crate::runner) struct Trouble {
    /// Position of the case in the table; `None` if it concerns all of them.
    pub(super) case: Option<usize>,
    pub(super) instance: Option<usize>,
    pub(super) cause: Cause,
    pub(super) output: String,
    /// Whether the process can go on.
    pub(super) alive: bool,
}

/// Why a pass over a table stopped.
pub(in crate::runner) enum Stop {
    Trouble(Trouble),
    Interrupted(i32),
}

impl Pass<'_> {
    /// Asks the worker; silence and failures become trouble with a name.
    pub(super) fn ask(
        &self,
        worker: &mut Worker,
        request: &Request,
        case: Option<usize>,
        instance: Option<usize>,
        allowed: Duration,
    ) -> Result<Answer, Stop> {
        match worker.ask(request, allowed) {
            Ok(Answer::Failed(failed)) => {
                let alive = matches!(failed, Failed::WrongAnswer { .. });
                // The message of a panic says it all; what else was printed helps with the rest.
                let told = matches!(failed, Failed::WrongAnswer { .. } | Failed::Panicked { .. });
                let output = if told { String::new() } else { worker.output() };
                let cause = match failed {
                    Failed::Panicked { message } => Cause::Panicked { message },
                    Failed::WrongAnswer { message } => Cause::WrongAnswer { message },
                    Failed::Misuse { message } => Cause::Misuse { message },
                };
                Err(Stop::Trouble(Trouble { case, instance, cause, output, alive }))
            }
            Ok(answer) => Ok(answer),
            Err(silence) => {
                let output = if matches!(silence, Silence::Interrupted(_)) {
                    String::new()
                } else {
                    worker.output()
                };
                Err(trouble_of(self.explained(silence, &output), case, instance, output))
            }
        }
    }

    /// Names the limit of memory where a worker has died of it.
    fn explained(&self, silence: Silence, output: &str) -> Silence {
        match (silence, self.configuration.memory_limit) {
            (Silence::Died(how), Some(limit)) if output.contains("memory allocation of") => {
                Silence::Died(format!(
                    "{how}: it needed more than the {limit} bytes that `--memory-limit` allows"
                ))
            }
            (silence, _) => silence,
        }
    }
}

pub(super) fn trouble_of(
    silence: Silence,
    case: Option<usize>,
    instance: Option<usize>,
    output: String,
) -> Stop {
    let cause = match silence {
        Silence::Interrupted(signal) => return Stop::Interrupted(signal),
        Silence::Died(how) => Cause::Died { how },
        Silence::TimedOut(allowed) => Cause::TimedOut { seconds: allowed.as_secs_f64() },
        Silence::Broken(message) => Cause::Worker { message },
    };
    Stop::Trouble(Trouble { case, instance, cause, output, alive: false })
}

pub(super) fn unexpected(answer: &Answer) -> Stop {
    let message = format!("it answered another question: {answer:?}");
    let cause = Cause::Worker { message };
    Stop::Trouble(Trouble {
        case: None,
        instance: None,
        cause,
        output: String::new(),
        alive: false,
    })
}
