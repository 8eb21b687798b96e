//! Workers as real processes: started for a number of processors, asked through pipes, and always ended.

use std::{
    cell::RefCell,
    collections::VecDeque,
    io::{self, Read},
    process::{Child, ChildStderr, ExitStatus},
    sync::{Arc, Mutex},
    thread,
    time::{Duration, Instant},
};

use super::{
    channel::{Channel, NoAnswer},
    cores::Cores,
    machine::{Machine, Program, Start, Weight, Worker, WorkerError},
    surroundings::{self, command},
    waiting::Waiting,
};
use crate::record::{Clock, CoreLoad};
use plusminus_worker::{
    exit, processor_request,
    protocol::{Answer, PADDING_VARIABLE, PROTOCOL, Request},
    sys::{self, FixedAddresses, Lifted, Placement, Probed, Probes, core_load},
};

/// How much of a worker's printing is kept for the report of a failure.
const OUTPUT_KEPT_BYTES: usize = 4096;

const TO_START: Duration = Duration::from_secs(20);

/// How long a worker that has closed its channel may take to end, and a dead one's last answer to arrive.
const TO_SAY_WHY: Duration = Duration::from_secs(2);

/// Interval at which a waiting runner looks for an interrupt, and for the death of its worker.
const LOOK: Duration = Duration::from_millis(50);

/// The end of a worker that is alive and cannot answer.
const CHANNEL_CLOSED: &str = "the channel to the runner was closed in the process; a kernel must close only what it has opened";

/// A clock of which nothing is known yet.
pub(super) const UNKNOWN: Clock = Clock { tick_ns: 0.0, window_ns: 0.0, loop_ns: 0.0 };

#[derive(Debug)]
pub struct RealMachine {
    begin: Instant,
    /// Counted before anything is confined.
    processors: usize,
    /// Made when they are first taken.
    probes: RefCell<Option<Probes>>,
    cores: RefCell<Cores>,
}

impl RealMachine {
    pub fn new() -> Self {
        sys::orphans::adopt();
        let (begin, processors) = (Instant::now(), processor_request::of_machine());
        Self { begin, processors, probes: RefCell::new(None), cores: RefCell::default() }
    }
}

impl Default for RealMachine {
    fn default() -> Self {
        Self::new()
    }
}

impl Machine for RealMachine {
    fn start(&self, program: &Program, start: Start) -> Result<Box<dyn Worker>, WorkerError> {
        Ok(Box::new(WorkerProcess::launch(program, start)?))
    }

    fn weight(&self, program: &Program, start: Start) -> Weight {
        surroundings::weight(&command(program, start))
    }

    fn processors(&self) -> usize {
        self.processors
    }

    fn now(&self) -> Duration {
        self.begin.elapsed()
    }

    fn interrupt(&self) -> Option<i32> {
        sys::interrupt()
    }

    fn probe(&self) -> Vec<Probed> {
        self.probes.borrow_mut().get_or_insert_default().take()
    }

    fn confine(&self) -> Placement {
        let mut load_on = |processor: u32| {
            let _there = Placement::on(processor);
            core_load()
        };
        let choices = Placement::choices();
        let mut cores = self.cores.borrow_mut();
        let chosen = cores.choose(&choices, &mut load_on, &|| self.now());
        chosen.map_or_else(Placement::here, Placement::on)
    }

    fn core(&self, placement: &Placement) -> Option<CoreLoad> {
        placement.processor()?;
        Some(self.cores.borrow_mut().note(core_load()?))
    }
}

/// A running worker. Dropping it kills the process and everything that it has started in its group.
struct WorkerProcess {
    child: Child,
    channel: Channel,
    output: Arc<Mutex<VecDeque<u8>>>,
    clock: Clock,
    waiting: Waiting,
    /// How long the process may take to end by itself, once nothing more is asked.
    let_go: Option<Duration>,
    /// Whether it is a launcher, which ends its children when it is asked to.
    launched: bool,
    /// Whether it has been waited for: its number may belong to another process then.
    reaped: bool,
}

impl WorkerProcess {
    fn launch(program: &Program, start: Start) -> Result<Self, WorkerError> {
        let mut command = command(program, start);
        surroundings::fill(&mut command, start);
        sys::own_group(&mut command);
        let protocol =
            |what: &str, error: io::Error| WorkerError::Protocol(format!("{what}: {error}"));
        let binary = program.binary.display();
        let launched = !program.launcher.is_empty();
        let fixed = start.fixed_addresses.then(FixedAddresses::begin);
        let lifted = start.place.map(|_| Lifted::begin());
        let child = command.spawn();
        drop((fixed, lifted));
        let mut child =
            child.map_err(|error| protocol(&format!("cannot start {binary}"), error))?;
        sys::orphans::began(child.id());
        let output = Arc::new(Mutex::new(VecDeque::new()));
        if let Some(printed) = child.stderr.take() {
            keep_the_end(printed, output.clone());
        }
        let (Some(requests), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(WorkerError::Protocol("the worker has no pipes".to_owned()));
        };
        let channel = Channel::new(requests, stdout);
        let waiting = Waiting::of((!launched).then_some(child.id()));
        let (clock, let_go, reaped) = (UNKNOWN, None, false);
        let mut worker = Self { child, channel, output, clock, waiting, let_go, launched, reaped };
        // A launcher such as valgrind starts slowly on a busy machine.
        let allowed = if launched { 6 * TO_START } else { TO_START };
        match worker.answer(allowed).map_err(|error| error.with_printed(|| worker.output()))? {
            Answer::Ready { protocol: PROTOCOL, clock } => {
                worker.clock = clock;
                Ok(worker)
            }
            Answer::Ready { protocol, .. } => Err(WorkerError::Protocol(format!(
                "{binary} speaks protocol {protocol}, not {PROTOCOL}: both sides need the same version of plusminus"
            ))),
            other => Err(WorkerError::unexpected(&other)),
        }
    }

    fn answer(&mut self, allowed: Duration) -> Result<Answer, WorkerError> {
        let begin = Instant::now();
        loop {
            let left = allowed.saturating_sub(begin.elapsed());
            match self.channel.receive(left.min(LOOK)) {
                Ok(answer) => {
                    self.waiting.begin();
                    return Ok(answer);
                }
                Err(NoAnswer::Error(error)) => return Err(error),
                Err(NoAnswer::Closed) => return Err(self.how_it_ended()),
                Err(NoAnswer::Late) => {
                    if let Some(signal) = sys::interrupt() {
                        return Err(WorkerError::Interrupted(signal));
                    }
                    if self.has_ended() {
                        return self.last_answer();
                    }
                    if left.is_zero() {
                        return Err(WorkerError::TimedOut(allowed));
                    }
                }
            }
        }
    }

    /// Whether the process is gone. Its pipe can stay open all the same: a process that it has forked may also hold
    /// it.
    fn has_ended(&self) -> bool {
        sys::has_exited(self.child.id())
    }

    /// The answer that a process sent before it ended, if it did.
    fn last_answer(&mut self) -> Result<Answer, WorkerError> {
        match self.channel.receive(LOOK) {
            Ok(answer) => Ok(answer),
            Err(NoAnswer::Error(error)) => Err(error),
            Err(NoAnswer::Late | NoAnswer::Closed) => Err(self.how_it_ended()),
        }
    }

    /// Waits for the end of a process that is about to end, and ends its remaining children outside of its group.
    fn wait(&mut self) -> io::Result<ExitStatus> {
        let waited = self.child.wait();
        sys::orphans::ended(self.child.id(), PADDING_VARIABLE);
        waited
    }

    /// Returns why a process has closed its channel. A signal to the whole group of the runner also ends a worker
    /// that has no group of its own yet. Then the reason is the user's wish to stop, and not a failure of the worker.
    fn how_it_ended(&mut self) -> WorkerError {
        let how = self.its_end();
        sys::interrupt().map_or(how, WorkerError::Interrupted)
    }

    /// Waits a moment for the end of a process that has closed its channel, and describes it.
    fn its_end(&mut self) -> WorkerError {
        let deadline = Instant::now() + TO_SAY_WHY;
        while Instant::now() < deadline {
            if !self.has_ended() {
                thread::sleep(Duration::from_millis(5));
                continue;
            }
            // Its group goes first: once it has been waited for, its number may belong to another process.
            sys::kill_group(self.child.id());
            self.reaped = true;
            return match self.wait() {
                Ok(status) if status.code() == Some(exit::CHANNEL_LOST) => {
                    WorkerError::Died(CHANNEL_CLOSED.to_owned())
                }
                Ok(status) => WorkerError::Died(sys::describe_exit(status)),
                Err(error) => {
                    WorkerError::Protocol(format!("the worker cannot be waited for: {error}"))
                }
            };
        }
        WorkerError::Died(CHANNEL_CLOSED.to_owned())
    }
}

impl Worker for WorkerProcess {
    fn ask(&mut self, request: &Request, allowed: Duration) -> Result<Answer, WorkerError> {
        self.begin(request, allowed)?;
        self.answer(allowed)
    }

    fn begin(
        &mut self,
        request: &Request,
        _allowed: Duration,
    ) -> Result<Option<Answer>, WorkerError> {
        // Quick answers leave no time to notice an interrupt while waiting for them.
        if let Some(signal) = sys::interrupt() {
            return Err(WorkerError::Interrupted(signal));
        }
        // Output of an earlier request belongs to a different benchmark.
        if let Ok(mut kept) = self.output.lock() {
            kept.clear();
        }
        self.waiting.end();
        if matches!(request, Request::Load(_)) {
            self.waiting.renew();
        }
        match self.channel.send(request) {
            Ok(()) => Ok(None),
            Err(reason) => Err(reason.unwrap_or_else(|| self.how_it_ended())),
        }
    }

    fn wait(&mut self, allowed: Duration) -> Result<Answer, WorkerError> {
        self.answer(allowed)
    }

    fn clock(&self) -> Clock {
        self.clock
    }

    fn output(&self) -> String {
        // Output from just before the end may still be on its way through the pipe.
        thread::sleep(Duration::from_millis(20));
        let kept = self.output.lock();
        let kept: Vec<u8> = kept.map(|kept| kept.iter().copied().collect()).unwrap_or_default();
        String::from_utf8_lossy(&kept).into_owned()
    }

    fn goes_on(&self) -> bool {
        self.waiting.goes_on()
    }

    fn rest(&mut self) {
        self.waiting.rest();
    }

    fn keep_threads_off(&mut self) {
        if !self.launched {
            sys::keep_threads_off(self.child.id());
        }
    }

    fn let_go(&mut self, allowed: Duration) {
        self.let_go = Some(allowed);
    }
}

impl Drop for WorkerProcess {
    fn drop(&mut self) {
        self.channel.close();
        if self.reaped {
            return;
        }
        self.waiting.end();
        if let Some(allowed) = self.let_go.or(self.launched.then_some(TO_SAY_WHY)) {
            sys::await_exit(self.child.id(), allowed);
        }
        if self.launched && !self.has_ended() {
            sys::interrupt_group(self.child.id());
            sys::await_exit(self.child.id(), TO_SAY_WHY);
        }
        // Whatever the kernel has started in its group goes with the worker, however that ended. The worker has not
        // been waited for yet, so that its number still means its group.
        sys::kill_group(self.child.id());
        let _ = self.child.kill();
        let _ = self.wait();
    }
}

/// Reads a pipe to its end, so that the writer never waits, and keeps the last bytes.
fn keep_the_end(mut pipe: ChildStderr, kept: Arc<Mutex<VecDeque<u8>>>) {
    // Where no thread can be had, the pipe is closed, and what the worker prints is lost.
    let _ = thread::Builder::new().spawn(move || {
        let mut buffer = [0; 8192];
        while let Ok(count @ 1..) = pipe.read(&mut buffer) {
            let Ok(mut kept) = kept.lock() else { return };
            kept.extend(&buffer[..count]);
            let surplus = kept.len().saturating_sub(OUTPUT_KEPT_BYTES);
            kept.drain(..surplus);
        }
    });
}
