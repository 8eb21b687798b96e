//! `--in-process`: the session of this very process, for debuggers and profilers. Kernels run on the main thread, and
//! the runner, which speaks to them as it speaks to workers, on another one.

use std::{
    io, panic,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread,
};

use super::child::{Line, PROCESSORS_VARIABLES};
use crate::{record::Clock, registry::Case, sys, worker};

/// The session of this process, which one table after the other asks.
#[derive(Clone)]
pub(crate) struct Here(Arc<Mutex<State>>);

struct State {
    /// The line to it, unless somebody has it, or it has ended.
    line: Option<Line>,
    /// What it has said of its clock, if it has been asked already.
    clock: Option<Clock>,
}

impl Here {
    fn state(&self) -> MutexGuard<'_, State> {
        // Nobody panics between two changes of it.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn take(&self) -> Option<Line> {
        self.state().line.take()
    }

    pub(super) fn give_back(&self, line: &mut Line) {
        self.state().line = Some(line.take());
    }

    pub(super) fn clock(&self) -> Option<Clock> {
        self.state().clock
    }

    pub(super) fn set_clock(&self, clock: Clock) {
        self.state().clock = Some(clock);
    }
}

impl std::fmt::Debug for Here {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Here")
    }
}

/// Gives this process the processors of the cases, as a worker is started with them.
///
/// # Errors
/// Where the cases differ in them, or it is too late for this process.
pub(crate) fn take_processors(cases: &[Case]) -> Result<(), String> {
    let mut counts: Vec<usize> = cases.iter().map(|case| case.processors).collect();
    counts.sort_unstable();
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
    // One processor is what a process has of which nothing is said.
    let done = sys::set_variables(&PROCESSORS_VARIABLES, &wanted)
        || PROCESSORS_VARIABLES.iter().all(there)
        || count == 1;
    if done {
        return Ok(());
    }
    let settings: Vec<String> =
        PROCESSORS_VARIABLES.iter().map(|name| format!("{name}={count}")).collect();
    Err(format!(
        "--in-process cannot give this process its {count} processors any more: start it with {}",
        settings.join(" ")
    ))
}

/// Runs a session on this thread, and `run`, which asks it, on another one. Answers what `run` does.
///
/// It reads the processor's counter instead of the system's clock if `counter` says so.
///
/// The session has the main thread because that is the one a worker calls kernels on: with its stack, and as the first
/// that a debugger shows.
///
/// # Errors
/// Where the system has no pipes left.
pub(crate) fn host<T: Send>(counter: bool, run: impl FnOnce(Here) -> T + Send) -> io::Result<T> {
    let (requests, to_session) = io::pipe()?;
    let (from_session, answers) = io::pipe()?;
    let line = Line::new(to_session, from_session);
    let here = Here(Arc::new(Mutex::new(State { line: Some(line), clock: None })));
    Ok(thread::scope(|scope| {
        // The session ends when `run` has dropped the line.
        let runner = scope.spawn(move || run(here));
        worker::serve_here(Box::new(requests), Box::new(answers), counter);
        runner.join().unwrap_or_else(|payload| panic::resume_unwind(payload))
    }))
}
