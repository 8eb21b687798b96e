//! `--in-process`: the session of the process that has started this runner, for debuggers and profilers. Kernels run on its
//! main thread, and the runner asks them as it asks workers.

use std::{
    env, fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use super::{
    channel::{Channel, NoAnswer},
    machine::{Machine, Program, Start, Worker, WorkerError},
    process::UNKNOWN,
};
use crate::record::Clock;
use plusminus_worker::{
    hand_over::SESSION_VARIABLE,
    order::sorted,
    processor_request,
    protocol::{Answer, CaseDescription, Failed, PROTOCOL, Processors, Request},
    sys,
};

/// Interval at which a waiting runner looks for an interrupt.
const LOOK: Duration = Duration::from_millis(50);

/// The session of the parent process as a machine: its only worker is lent to one table after the other.
#[derive(Clone)]
pub(crate) struct InProcess {
    begin: Instant,
    state: Arc<Mutex<State>>,
}

struct State {
    /// The channel to the session, unless it is lent, or has ended.
    channel: Option<Channel>,
    clock: Option<Clock>,
}

impl InProcess {
    /// The session of the process that has started this one, with the processors of these cases.
    pub(crate) fn of_parent(cases: &[CaseDescription]) -> Result<Self, String> {
        if env::var_os(SESSION_VARIABLE).is_none() {
            return Err("--in-process needs a bench program that is started as itself".to_owned());
        }
        let wanted = processors(cases)?;
        let (to_session, from_session) = sys::channel_of_parent()
            .map_err(|error| format!("--in-process is not possible: {error}"))?;
        let state = State { channel: Some(Channel::new(to_session, from_session)), clock: None };
        let machine = Self { begin: Instant::now(), state: Arc::new(Mutex::new(state)) };
        if let Some(count) = wanted {
            machine.take_processors(count).map_err(|error| error.to_string())?;
        }
        Ok(machine)
    }

    /// Gives the process its processors, as a worker is started with them.
    fn take_processors(&self, count: usize) -> Result<(), WorkerError> {
        let asked = processor_request::variable().map_or(String::new(), |(_, counts)| counts);
        let mut worker = self.session()?;
        match worker.ask(&Request::Processors(Processors { count, asked }), Duration::ZERO)? {
            Answer::Finished => {
                worker.let_go(Duration::ZERO);
                Ok(())
            }
            Answer::Failed(Failed::Misuse { message }) => Err(WorkerError::Protocol(message)),
            other => Err(WorkerError::unexpected(&other)),
        }
    }

    fn session(&self) -> Result<Session, WorkerError> {
        let Some(channel) = self.state().channel.take() else {
            return Err(WorkerError::Protocol(
                "the process that has the kernels has ended".to_owned(),
            ));
        };
        let known = self.state().clock;
        let mut session = Session {
            owner: self.clone(),
            channel: Some(channel),
            clock: known.unwrap_or(UNKNOWN),
            let_go: false,
        };
        if known.is_none() {
            match session.answer()? {
                Answer::Ready { protocol: PROTOCOL, clock } => {
                    self.state().clock = Some(clock);
                    session.clock = clock;
                }
                other => return Err(WorkerError::unexpected(&other)),
            }
        }
        Ok(session)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // No code between two changes of it panics.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for InProcess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("InProcess")
    }
}

impl Machine for InProcess {
    fn start(&self, _: &Program, _: Start) -> Result<Box<dyn Worker>, WorkerError> {
        Ok(Box::new(self.session()?))
    }

    fn processors(&self) -> usize {
        processor_request::of_machine()
    }

    fn now(&self) -> Duration {
        self.begin.elapsed()
    }

    fn interrupt(&self) -> Option<i32> {
        sys::interrupt()
    }
}

struct Session {
    owner: InProcess,
    channel: Option<Channel>,
    clock: Clock,
    /// Whether the session has let go of its table, so that another one can have it.
    let_go: bool,
}

impl Session {
    /// Waits without limit: the kernel may be stopped in a debugger.
    fn answer(&mut self) -> Result<Answer, WorkerError> {
        loop {
            let ended = || WorkerError::Died("the process that has the kernels ended".to_owned());
            let channel = self.channel.as_ref().ok_or_else(ended)?;
            match channel.receive(LOOK) {
                Ok(answer) => return Ok(answer),
                Err(NoAnswer::Error(error)) => return Err(error),
                Err(NoAnswer::Closed) => return Err(ended()),
                Err(NoAnswer::Late) => {
                    if let Some(signal) = sys::interrupt() {
                        return Err(WorkerError::Interrupted(signal));
                    }
                }
            }
        }
    }
}

impl Worker for Session {
    fn ask(&mut self, request: &Request, _: Duration) -> Result<Answer, WorkerError> {
        if let Some(signal) = sys::interrupt() {
            return Err(WorkerError::Interrupted(signal));
        }
        if let Some(channel) = &mut self.channel {
            // Where it cannot be asked, there is no answer either.
            let _ = channel.send(request);
        }
        self.answer()
    }

    fn clock(&self) -> Clock {
        self.clock
    }

    fn let_go(&mut self, _: Duration) {
        self.let_go = true;
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        if self.let_go {
            self.owner.state().channel = self.channel.take();
        }
    }
}

/// The number of processors that all cases want; `None` without cases.
fn processors(cases: &[CaseDescription]) -> Result<Option<usize>, String> {
    let counts: Vec<usize> = cases.iter().map(|case| case.processors).collect();
    let mut counts = sorted(&counts, &Ord::cmp);
    counts.dedup();
    match counts[..] {
        [] => Ok(None),
        [count] => Ok(Some(count)),
        [..] => Err(format!(
            "--in-process has one process, and these benchmarks want {counts:?} processors each; choose those of one \
             number, such as `p{}`, by a filter",
            counts[0]
        )),
    }
}
