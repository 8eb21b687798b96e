//! The interface between planning and measuring: what a program is, how its workers are started and asked, and how
//! time passes. It is implemented by real processes ([`super::process`]), the process of the runner itself
//! ([`super::in_process`]) and simulated machines ([`super::simulated`]).

use std::{
    borrow::Cow,
    ffi::OsString,
    fmt,
    path::{Path, PathBuf},
    time::Duration,
};

use crate::{
    record::{Cause, Clock, CoreLoad},
    text::sentence,
};
use plusminus_worker::{
    protocol::{Answer, CaseDescription, Request},
    ranks::LAUNCHED_VARIABLE,
    sys::{Placement, Probed},
};

pub(crate) const LAUNCHER_VARIABLE: &str = "PLUSMINUS_LAUNCHER";

/// Stands for the number of processors of a case in a launcher.
pub(crate) const PLACES: &str = "{places}";

/// A bench binary with the surroundings that cargo would give it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Program {
    pub binary: PathBuf,
    /// The folder it runs in; `None` for that of the runner.
    pub folder: Option<PathBuf>,
    /// Variables that it gets besides those of the runner.
    pub variables: Vec<(OsString, OsString)>,
    /// A program and its arguments after which the command of the worker stands; empty for none.
    pub launcher: Vec<OsString>,
    /// A program and its arguments by which cargo starts programs of the target; empty for none.
    pub runner: Vec<OsString>,
    /// Whether the output of kernels is shown instead of being kept for failures.
    pub show_output: bool,
}

impl Program {
    pub fn of(binary: &Path) -> Self {
        Self { binary: binary.to_owned(), ..Self::default() }
    }

    /// Has workers started by a launcher: a command line, split at spaces, in which `{places}` stands for the processors
    /// of a case. An empty one changes nothing.
    #[must_use]
    pub fn with_launcher(mut self, line: &str) -> Self {
        self.launcher = line.split_whitespace().map(OsString::from).collect();
        if self.launcher.is_empty() {
            return self;
        }
        self.with_variable(LAUNCHED_VARIABLE, "1")
    }

    /// Returns the same for a case with a launcher, unless a flag or variable sets a different one.
    #[must_use]
    pub(crate) fn for_case(&self, case: &CaseDescription) -> Cow<'_, Self> {
        match &case.launcher {
            Some(line) if self.launcher.is_empty() => Cow::Owned(self.clone().with_launcher(line)),
            _ => Cow::Borrowed(self),
        }
    }

    /// The same by the launcher that the variable `PLUSMINUS_LAUNCHER` names.
    #[must_use]
    pub fn with_launcher_of_environment(self) -> Self {
        self.with_launcher(&std::env::var(LAUNCHER_VARIABLE).unwrap_or_default())
    }

    #[must_use]
    pub fn with_variable(mut self, name: &str, value: impl Into<OsString>) -> Self {
        self.variables.push((name.into(), value.into()));
        self
    }
}

/// How a worker is started.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Start {
    pub processors: usize,
    /// Whether thread pools of its kernels get no number of processors.
    pub whole_machine: bool,
    /// The processor on which it waits for requests, with all processors of the runner at its disposal; `None` for that and
    /// those of the thread that starts it.
    pub place: Option<u32>,
    /// Bytes that are added to its environment: they move the stack, and the heap with it, so that no run depends on
    /// one position.
    pub padding_bytes: usize,
    /// Whether the system is asked to load the program at the same addresses every time: the two workers of a pair
    /// then differ in their code only.
    pub fixed_addresses: bool,
    /// Bytes by which its heap moves.
    pub heap_bytes: usize,
    /// Pages of addresses that it leaves free before it maps anything.
    pub gap_pages: usize,
    /// The seed of its hash maps' keys and of its generators, if they are not random; not 0.
    pub random_seed: Option<u64>,
    /// The weight up to which its environment is filled, besides the padding.
    pub level: Weight,
}

impl Start {
    /// A worker for a case, of which nothing else is chosen.
    pub(crate) fn of(case: &CaseDescription) -> Self {
        Self { whole_machine: case.whole_machine, ..Self::plain(case.processors) }
    }

    /// Describes a worker for this number of processors, without other choices.
    pub(crate) fn plain(processors: usize) -> Self {
        Self { processors, ..Self::default() }
    }
}

/// Data that the system puts on the stack of a new process, above the program's own frames: the path of the program,
/// its arguments and its variables, and a pointer to each of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Weight {
    /// Bytes of all texts, with their ends.
    pub bytes: usize,
    pub entries: usize,
}

impl Weight {
    /// The weight of an entry without a value that makes up for a missing one.
    pub(super) const FILLER_BYTES: usize = "PLUSMINUS_LEVEL_000=".len() + 1;

    /// The least weight up to which both can be filled.
    #[must_use]
    pub(crate) fn level(self, other: Self) -> Self {
        let entries = self.entries.max(other.entries);
        let filled = |one: Self| one.bytes + (entries - one.entries) * Self::FILLER_BYTES;
        Self { bytes: filled(self).max(filled(other)), entries }
    }
}

/// A system that starts workers and reads the time.
pub trait Machine {
    /// Starts a worker of a program.
    fn start(&self, program: &Program, start: Start) -> Result<Box<dyn Worker>, WorkerError>;

    /// Returns the part of a worker's stack that differs between programs.
    fn weight(&self, _program: &Program, _start: Start) -> Weight {
        Weight::default()
    }

    /// Returns the processors that unconfined kernels may use.
    fn processors(&self) -> usize;

    /// Makes ready for a run of all tables.
    fn begin_run(&self) {}

    /// The time since some fixed moment.
    fn now(&self) -> Duration;

    /// The signal by which the user wants to stop, if there was one.
    fn interrupt(&self) -> Option<i32>;

    /// Takes the probes, by which a change of the machine's speed shows; empty if there are none.
    fn probe(&self) -> Vec<Probed> {
        Vec::new()
    }

    /// Confines the runner to one processor until the result is dropped, if that makes sense: to one whose core nothing else
    /// works on, if there is one.
    fn confine(&self) -> Placement {
        Placement::anywhere()
    }

    /// Looks whether something else works on the core of a placement; `None` if that cannot be seen.
    fn core(&self, _placement: &Placement) -> Option<CoreLoad> {
        None
    }
}

/// A worker that was started. Dropping it ends it.
pub trait Worker {
    /// Asks, and waits for the answer as long as allowed.
    ///
    /// # Errors
    /// Why there is no answer; the worker is of no further use then.
    fn ask(&mut self, request: &Request, allowed: Duration) -> Result<Answer, WorkerError>;

    /// Asks without waiting; [`wait`](Self::wait) gets the answer, unless it is here at once.
    fn begin(
        &mut self,
        request: &Request,
        allowed: Duration,
    ) -> Result<Option<Answer>, WorkerError> {
        self.ask(request, allowed).map(Some)
    }

    /// Waits for the answer to what was begun.
    fn wait(&mut self, _allowed: Duration) -> Result<Answer, WorkerError> {
        Err(WorkerError::Protocol("the worker was not asked anything".to_owned()))
    }

    /// Properties of the clock that it measures with.
    fn clock(&self) -> Clock;

    /// Returns the end of its output since the last call; empty if it is not kept.
    fn output(&self) -> String {
        String::new()
    }

    /// Whether its threads have gone on while it waited for requests, since it was asked to load its cases.
    fn goes_on(&self) -> bool {
        false
    }

    /// Has its threads stopped while it waits for requests, until it is asked to load others.
    fn rest(&mut self) {}

    /// Keeps the threads that it has now off the processor of the runner, but that which answers.
    fn keep_threads_off(&mut self) {}

    /// Lets the process end by itself when this is dropped, within the time allowed. Code at its exit, such as the
    /// writing of a profile, then runs.
    fn let_go(&mut self, _allowed: Duration) {}
}

/// How long a worker that is let go may take to end.
pub(crate) const TO_END: Duration = Duration::from_secs(2);

#[derive(Debug, Clone, PartialEq)]
pub enum WorkerError {
    /// The process ended, as the text describes.
    Died(String),
    /// The time allowed was over.
    TimedOut(Duration),
    /// The user wants to stop: the signal.
    Interrupted(i32),
    /// The worker could not be started or understood.
    Protocol(String),
}

impl WorkerError {
    /// A protocol error: an answer of the wrong kind.
    pub fn unexpected(answer: &Answer) -> Self {
        let mut answer = format!("{answer:?}");
        if let Some((end, _)) = answer.char_indices().nth(200) {
            answer.truncate(end);
        }
        Self::Protocol(format!("protocol error: unexpected response {answer}"))
    }

    /// Adds what the worker has printed to how it ended, such as the loader's reason.
    pub(super) fn with_printed(self, printed: impl FnOnce() -> String) -> Self {
        let Self::Died(how) = self else { return self };
        match sentence(printed().trim()).as_str() {
            "" => Self::Died(how),
            printed => Self::Died(format!("{how}; it printed: {printed}")),
        }
    }

    /// The cause as a record has it; `Err` with the signal if the user wants to stop.
    pub(crate) fn cause(self) -> Result<Cause, i32> {
        Ok(match self {
            Self::Interrupted(signal) => return Err(signal),
            Self::Died(how) => Cause::Died { how },
            Self::TimedOut(allowed) => Cause::TimedOut { seconds: allowed.as_secs_f64() },
            Self::Protocol(message) => Cause::Worker { message },
        })
    }
}

impl fmt::Display for WorkerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Died(how) => f.write_str(how),
            Self::TimedOut(allowed) => write!(f, "no answer within {} s", allowed.as_secs_f64()),
            Self::Interrupted(signal) => write!(f, "interrupted by signal {signal}"),
            Self::Protocol(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for WorkerError {}
