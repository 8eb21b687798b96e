//! `--in-process`: the session of the runner's own process, for debuggers and profilers. Kernels run on the main thread,
//! and the runner, which asks them as it asks workers, on another one.

use std::{
    fmt, io, panic,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread,
    time::{Duration, Instant},
};

use super::{
    channel::{Channel, NoAnswer},
    machine::{Machine, Program, Start, Worker, WorkerError},
    process::UNKNOWN,
    surroundings::PROCESSORS_VARIABLES,
};
use crate::record::Clock;
use plusminus_worker::{
    listed::Listed,
    order::sorted,
    processor_request,
    protocol::{Answer, CaseDescription, PROTOCOL, Request},
    serve,
    sys::{self, Placement},
};

/// Interval at which a waiting runner looks for an interrupt.
const LOOK: Duration = Duration::from_millis(50);

/// The session of this process as a machine: its only worker is lent to one table after the other.
#[derive(Clone)]
pub(crate) struct InProcess {
    begin: Instant,
    state: Arc<Mutex<State>>,
}

struct State {
    /// The channel to the session, unless it is lent, or has ended.
    channel: Option<Channel>,
    /// The clock of the session, once it has sent it.
    clock: Option<Clock>,
}

impl InProcess {
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
        let Some(channel) = self.state().channel.take() else {
            return Err(WorkerError::Protocol("the session of this process has ended".to_owned()));
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
        Ok(Box::new(session))
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

    fn confine(&self) -> Placement {
        Placement::anywhere()
    }
}

/// The session while it is lent.
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
            let ended = || WorkerError::Died("the session of this process ended".to_owned());
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

    fn output(&self) -> String {
        String::new()
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

/// Gives this process the processors of the cases, as a worker is started with them.
///
/// # Errors
/// Where the cases differ in them, or it is too late for this process.
pub(crate) fn take_processors(cases: &[CaseDescription]) -> Result<(), String> {
    let counts: Vec<usize> = cases.iter().map(|case| case.processors).listed();
    let mut counts = sorted(&counts, &Ord::cmp);
    counts.dedup();
    let count = match counts[..] {
        [] => return Ok(()),
        [count] => count,
        [..] => {
            return Err(format!(
                "--in-process has one process, and these benchmarks want {counts:?} processors each; choose those of one \
                 number, such as `p{}`, by a filter",
                counts[0]
            ));
        }
    };
    let wanted = count.to_string();
    let there = |name: &&str| std::env::var(name).is_ok_and(|value| value == wanted);
    // A process without settings has one processor.
    let done = sys::set_variables(&PROCESSORS_VARIABLES, &wanted)
        || PROCESSORS_VARIABLES.iter().all(there)
        || count == 1;
    if done {
        return Ok(());
    }
    let settings: Vec<String> =
        PROCESSORS_VARIABLES.iter().map(|name| format!("{name}={count}")).listed();
    Err(format!(
        "--in-process cannot give this process its {count} processors any more: start it with {}",
        settings.join(" ")
    ))
}

/// Runs a session on this thread, and `run`, which sends it requests, on a second one. Returns the result of `run`.
///
/// With `counter`, it reads the processor's counter instead of the system's clock.
///
/// The session has the main thread because that is the one a worker calls kernels on: with its stack, and as the first
/// that a debugger shows.
///
/// # Errors
/// If the system has no pipes left.
pub(crate) fn host<T: Send>(
    counter: bool,
    run: impl FnOnce(InProcess) -> T + Send,
) -> io::Result<T> {
    let (requests, to_session) = io::pipe()?;
    let (from_session, answers) = io::pipe()?;
    let channel = Channel::new(to_session, from_session);
    let state = State { channel: Some(channel), clock: None };
    let here = InProcess { begin: Instant::now(), state: Arc::new(Mutex::new(state)) };
    Ok(thread::scope(|scope| {
        // The session ends when `run` has dropped the channel.
        let runner = scope.spawn(move || run(here));
        serve::serve_here(Box::new(requests), Box::new(answers), counter);
        runner.join().unwrap_or_else(|payload| panic::resume_unwind(payload))
    }))
}
