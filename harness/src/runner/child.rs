//! A worker process as the runner sees it: started for a number of processors, asked, and always ended.

use std::{
    collections::VecDeque,
    ffi::OsString,
    io::{self, BufRead, BufReader, Read, Write},
    path::Path,
    process::{Child, ChildStderr, Command, Stdio},
    sync::{Arc, Mutex},
    thread,
    time::{Duration, Instant},
};

use super::here::Here;
use crate::{
    exit,
    record::Clock,
    sys,
    threads::{self, Receiver, Silent},
    worker::protocol::{Answer, PADDING_VARIABLE, PROTOCOL, Request},
};

/// The argument that makes a bench binary a worker; the number of the runner's process follows it.
pub const WORKER_FLAG: &str = "--plusminus-worker";

/// What workers are told that they are called, whatever the path of the program is. A program finds its path among its
/// arguments, keeps it, and has everything that it allocates later elsewhere for it: a copy under a longer name was
/// measured to be up to 1 % faster than the program itself.
const WORKER_NAME: &str = "plusminus-worker";

/// The variables that tell a worker, and the thread pools that a kernel may use, how many processors they have.
pub(super) const PROCESSORS_VARIABLES: [&str; 4] =
    ["PLUSMINUS_WORKER_PROCESSORS", "RAYON_NUM_THREADS", "OMP_NUM_THREADS", "TOKIO_WORKER_THREADS"];

/// How much of a worker's printing is kept for the report of a failure.
const OUTPUT_KEPT_BYTES: usize = 4096;

/// How long a worker may take to start, and to say why it ends.
const GRACE: Duration = Duration::from_secs(20);

/// How long a worker that is let go may take to end.
const TO_END: Duration = Duration::from_secs(2);

/// The longest answer that is read: a worker that writes more has lost its mind, and must not take our memory.
const LONGEST_ANSWER: u64 = 256 << 20;

/// How often a waiting runner looks for an interrupt.
const LOOK: Duration = Duration::from_millis(50);

/// What has happened to a worker that is there and cannot speak.
const CHANNEL_CLOSED: &str = "the channel to the runner was closed in the process; a kernel must close only what it has opened";

/// A clock of which nothing is known yet.
const UNKNOWN: Clock = Clock { tick_ns: 0.0, window_ns: 0.0, loop_ns: 0.0 };

/// Where a session is asked, and where it answers.
pub(super) struct Line {
    requests: Option<Box<dyn Write + Send>>,
    answers: Receiver<io::Result<String>>,
}

impl Line {
    pub(super) fn new(
        requests: impl Write + Send + 'static,
        answers: impl Read + Send + 'static,
    ) -> Self {
        Self { requests: Some(Box::new(requests)), answers: lines_of(Box::new(answers)) }
    }

    /// The line itself; what is left can neither ask nor hear.
    pub(super) fn take(&mut self) -> Self {
        let (_, nobody) = threads::queue();
        std::mem::replace(self, Self { requests: None, answers: nobody })
    }
}

/// Who is at the other end of the line.
enum Other {
    /// A process of its own.
    Process(Child),
    /// The session of this process.
    Here(Here),
}

/// A running worker. Dropping it kills the process and everything that it has started in its group.
pub struct Worker {
    other: Other,
    line: Line,
    output: Arc<Mutex<VecDeque<u8>>>,
    clock: Clock,
    /// How long the process may take to end by itself, once nothing more is asked.
    let_go: Option<Duration>,
}

/// Why a worker did not answer.
#[derive(Debug, PartialEq)]
pub enum Silence {
    /// The process ended; the text says how.
    Died(String),
    /// The time allowed was over.
    TimedOut(Duration),
    /// The user wants to stop.
    Interrupted(i32),
    /// The worker could not be started or understood.
    Broken(String),
}

impl Worker {
    /// Starts a worker of a binary for a number of processors.
    ///
    /// `padding` bytes are added to its environment: they move the stack, so that no run depends on one position.
    pub fn start(
        binary: &Path,
        processors: usize,
        padding: usize,
        show_output: bool,
    ) -> Result<Self, Silence> {
        Self::start_with(binary, processors, padding, show_output, |_| ())
    }

    /// The same, with a last word on the command: the folder to start in, further variables.
    pub fn start_with(
        binary: &Path,
        processors: usize,
        padding: usize,
        show_output: bool,
        prepare: impl FnOnce(&mut Command),
    ) -> Result<Self, Silence> {
        Self::start_under(&[], binary, processors, padding, show_output, prepare)
    }

    /// The same, by a launcher: a program and its arguments, after which the worker's command stands.
    pub(crate) fn start_under(
        launcher: &[OsString],
        binary: &Path,
        processors: usize,
        padding: usize,
        show_output: bool,
        prepare: impl FnOnce(&mut Command),
    ) -> Result<Self, Silence> {
        let mut command = Self::command(launcher, binary, processors, padding, show_output);
        prepare(&mut command);
        Self::launch(command, binary)
    }

    fn command(
        launcher: &[OsString],
        binary: &Path,
        processors: usize,
        padding: usize,
        show_output: bool,
    ) -> Command {
        let mut command = match launcher {
            [] => {
                let mut command = Command::new(binary);
                sys::name(&mut command, WORKER_NAME);
                command
            }
            [program, arguments @ ..] => {
                let mut command = Command::new(program);
                command.args(arguments).arg(binary);
                command
            }
        };
        let count = processors.to_string();
        command
            .arg(WORKER_FLAG)
            .arg(std::process::id().to_string())
            .envs(PROCESSORS_VARIABLES.map(|name| (name, &count)))
            .env(PADDING_VARIABLE, "x".repeat(padding))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(if show_output { Stdio::inherit() } else { Stdio::piped() });
        command
    }

    fn launch(mut command: Command, binary: &Path) -> Result<Self, Silence> {
        sys::own_group(&mut command);
        let broken = |what: &str, error: io::Error| Silence::Broken(format!("{what}: {error}"));
        let mut child = command
            .spawn()
            .map_err(|error| broken(&format!("cannot start {}", binary.display()), error))?;
        let output = Arc::new(Mutex::new(VecDeque::new()));
        if let Some(printed) = child.stderr.take() {
            keep_the_end(printed, output.clone());
        }
        let (Some(requests), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(Silence::Broken("the worker has no pipes".to_owned()));
        };
        let mut worker = Self {
            other: Other::Process(child),
            line: Line::new(requests, stdout),
            output,
            clock: UNKNOWN,
            let_go: None,
        };
        match worker.answer(Some(GRACE))? {
            Answer::Ready { protocol: PROTOCOL, clock } => {
                worker.clock = clock;
                Ok(worker)
            }
            other => Err(Silence::Broken(format!(
                "{} speaks another protocol ({other:?}, not {PROTOCOL}): both sides need the same version of plusminus",
                binary.display()
            ))),
        }
    }

    /// The session of this process, if nobody else asks it and it has not failed.
    pub(super) fn here(here: &Here) -> Result<Self, Silence> {
        let Some(line) = here.take() else {
            return Err(Silence::Broken("the session of this process has ended".to_owned()));
        };
        let mut worker = Self {
            other: Other::Here(here.clone()),
            line,
            output: Arc::default(),
            clock: here.clock().unwrap_or(UNKNOWN),
            let_go: None,
        };
        if here.clock().is_none() {
            match worker.answer(None)? {
                Answer::Ready { protocol: PROTOCOL, clock } => {
                    here.set_clock(clock);
                    worker.clock = clock;
                }
                other => {
                    return Err(Silence::Broken(format!("the session began with {other:?}")));
                }
            }
        }
        Ok(worker)
    }

    /// Asks, and waits for the answer as long as allowed; without limit if the session is that of this process, where
    /// somebody may be looking at it in a debugger.
    pub fn ask(&mut self, request: &Request, allowed: Duration) -> Result<Answer, Silence> {
        // Quick answers leave no time to notice an interrupt while waiting for them.
        if let Some(signal) = sys::interrupt() {
            return Err(Silence::Interrupted(signal));
        }
        // What was printed for an earlier request belongs to another benchmark.
        if let Ok(mut kept) = self.output.lock() {
            kept.clear();
        }
        let sent = self.line.requests.as_mut().map(|pipe| pipe.write_all(&request.line()));
        if !matches!(sent, Some(Ok(()))) {
            return Err(self.how_it_ended());
        }
        self.answer(matches!(self.other, Other::Process(_)).then_some(allowed))
    }

    fn answer(&mut self, allowed: Option<Duration>) -> Result<Answer, Silence> {
        let begin = Instant::now();
        loop {
            let left = allowed.map(|allowed| allowed.saturating_sub(begin.elapsed()));
            let look = left.map_or(LOOK, |left| left.min(LOOK));
            match self.line.answers.receive(Some(look)) {
                Ok(Ok(line)) => {
                    return Answer::decode(&line).map_err(|error| {
                        Silence::Broken(format!("the worker's answer is not understood: {error}"))
                    });
                }
                Ok(Err(error)) => {
                    return Err(Silence::Broken(format!("the worker's answer is lost: {error}")));
                }
                Err(Silent::Closed) => return Err(self.how_it_ended()),
                Err(Silent::Late) => {
                    if let Some(signal) = sys::interrupt() {
                        return Err(Silence::Interrupted(signal));
                    }
                    if let Some(allowed) = allowed.filter(|_| left.is_some_and(|l| l.is_zero())) {
                        return Err(Silence::TimedOut(allowed));
                    }
                }
            }
        }
    }

    /// Waits a moment for the end of a process that has closed its channel, and says how it ended.
    fn how_it_ended(&mut self) -> Silence {
        let Other::Process(child) = &mut self.other else {
            return Silence::Died("the session of this process ended".to_owned());
        };
        let deadline = Instant::now() + GRACE.min(Duration::from_secs(2));
        while Instant::now() < deadline {
            match child.try_wait() {
                Ok(Some(status)) if status.code() == Some(exit::CHANNEL_LOST) => {
                    return Silence::Died(CHANNEL_CLOSED.to_owned());
                }
                Ok(Some(status)) => return Silence::Died(sys::describe_exit(status)),
                Ok(None) => thread::sleep(Duration::from_millis(5)),
                Err(error) => {
                    return Silence::Broken(format!("the worker cannot be waited for: {error}"));
                }
            }
        }
        Silence::Died(CHANNEL_CLOSED.to_owned())
    }

    /// Lets the process end by itself when this is dropped: what is to run at its exit, such as a profiler's writing,
    /// then runs.
    pub fn let_go(&mut self) {
        self.let_go_for(TO_END);
    }

    /// The same, for a process that may take longer.
    pub(crate) fn let_go_for(&mut self, allowed: Duration) {
        self.let_go = Some(allowed);
    }

    /// The number of the process.
    pub fn id(&self) -> u32 {
        match &self.other {
            Other::Process(child) => child.id(),
            Other::Here(_) => std::process::id(),
        }
    }

    /// What the worker's clock can do.
    pub fn clock(&self) -> Clock {
        self.clock
    }

    /// The end of what the worker has printed.
    pub fn output(&self) -> String {
        if matches!(self.other, Other::Here(_)) {
            return String::new();
        }
        // What was printed just before the end may still be on its way through the pipe.
        thread::sleep(Duration::from_millis(20));
        let kept = self
            .output
            .lock()
            .map(|kept| kept.iter().copied().collect::<Vec<u8>>())
            .unwrap_or_default();
        String::from_utf8_lossy(&kept).into_owned()
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        match &mut self.other {
            // Its next task is in the same session, unless that has not let go of this one.
            Other::Here(here) if self.let_go.is_some() => here.give_back(&mut self.line),
            Other::Here(_) => {}
            Other::Process(child) => {
                drop(self.line.requests.take());
                if let Some(allowed) = self.let_go {
                    sys::await_exit(child.id(), allowed);
                }
                // Whatever the kernel has started in its group goes with the worker, however that ended. The worker
                // has not been waited for yet, so that its number still means its group.
                sys::kill_group(child.id());
                let _ = child.kill();
                let _ = child.wait();
            }
        }
    }
}

/// Hands on the lines of a pipe, so that waiting for one can have a limit.
fn lines_of(pipe: Box<dyn Read + Send>) -> Receiver<io::Result<String>> {
    let (sender, receiver) = threads::queue();
    let refused = sender.clone();
    let started = threads::spawn(Box::new(move || {
        let mut pipe = BufReader::new(pipe);
        loop {
            let mut line = String::new();
            match (&mut pipe).take(LONGEST_ANSWER).read_line(&mut line) {
                Ok(0) => return,
                Ok(_) if !line.ends_with('\n') => {
                    let error = io::Error::new(io::ErrorKind::InvalidData, "it has no end");
                    sender.send(Err(error));
                    return;
                }
                Ok(_) if sender.send(Ok(line)) => {}
                Ok(_) => return,
                Err(error) => {
                    sender.send(Err(error));
                    return;
                }
            }
        }
    }));
    if let Err(error) = started {
        refused.send(Err(error));
    }
    receiver
}

/// Reads a pipe to its end, so that the writer never waits, and keeps the last bytes.
fn keep_the_end(mut pipe: ChildStderr, kept: Arc<Mutex<VecDeque<u8>>>) {
    // Where no thread can be had, the pipe is closed, and what the worker prints is lost.
    let _ = threads::spawn(Box::new(move || {
        let mut buffer = [0; 8192];
        while let Ok(count @ 1..) = pipe.read(&mut buffer) {
            let Ok(mut kept) = kept.lock() else { return };
            kept.extend(&buffer[..count]);
            let surplus = kept.len().saturating_sub(OUTPUT_KEPT_BYTES);
            kept.drain(..surplus);
        }
    }));
}
