//! A simulated machine behind the interface: virtual time, seeded noise, kernels that fail. Scheduling, stopping,
//! verdicts and exit codes are tested on it, exactly and in milliseconds. Not linked into bench binaries: feature
//! `simulated`.
//!
//! ```
//! use plusminus::engine::{Machine, Program, list, simulated::{Kernel, SimulatedMachine}};
//!
//! let program = Program::of("a".as_ref());
//! let machine = SimulatedMachine::new(1).with_program(&program, vec![Kernel::new("sort", 1000.0)]);
//! assert_eq!(list(&machine, &program).unwrap()[0].name, "sort");
//! assert!(machine.now().as_micros() > 0, "starting a process has taken virtual time");
//! ```

mod kernel;
mod noise;

use std::{cell::RefCell, path::PathBuf, rc::Rc, time::Duration};

pub use kernel::{Fault, Kernel};
pub use noise::{Neighbor, Noise};
use noise::{Normal, Process};

use super::{
    Random,
    machine::{Machine, Program, Start, Worker, WorkerError},
};
use crate::{
    probe::Probed,
    record::{Clock, CoreLoad, InstanceRecord, PhaseTimes},
};
use plusminus_worker::{
    protocol::RawSample,
    protocol::{Answer, Build, Extras, Failed, Request, Sampling},
    sys::Placement,
};

/// The cost of starting a process.
const START: Duration = Duration::from_millis(2);

/// The cost of a request besides the samples.
const REQUEST: Duration = Duration::from_micros(20);

/// Processors of all simulated machines.
const PROCESSORS: usize = 2;

/// The time between two ticks of the system's clock.
const TICK_NS: f64 = 4e6;

/// The clock of all simulated workers.
const CLOCK: Clock = Clock { tick_ns: 1.0, window_ns: 20.0, loop_ns: 0.25 };

/// A machine whose time passes only when something is done on it.
#[derive(Debug, Clone)]
pub struct SimulatedMachine {
    state: Rc<RefCell<State>>,
    programs: Vec<(PathBuf, Rc<Vec<Kernel>>)>,
    /// The noise of its own probes, and how much slower they are than elsewhere.
    noise: Noise,
    slower: f64,
}

#[derive(Debug)]
struct State {
    now: Duration,
    random: Random,
    /// The logarithm of the machine's present slowness, which changes slowly.
    slowness: f64,
    slowness_at: Duration,
    /// The moment at which the user interrupts.
    interrupt: Option<(Duration, i32)>,
    started: usize,
    running: usize,
    most_running: usize,
    neighbor: Option<Neighbor>,
}

impl SimulatedMachine {
    /// A machine without programs.
    pub fn new(seed: u64) -> Self {
        let state = State {
            now: Duration::ZERO,
            random: Random::new(seed),
            slowness: 0.0,
            slowness_at: Duration::ZERO,
            interrupt: None,
            started: 0,
            running: 0,
            most_running: 0,
            neighbor: None,
        };
        Self {
            state: Rc::new(RefCell::new(state)),
            programs: Vec::new(),
            noise: Noise::default(),
            slower: 1.0,
        }
    }

    /// Installs a program with its kernels.
    #[must_use]
    pub fn with_program(mut self, program: &Program, kernels: Vec<Kernel>) -> Self {
        self.programs.push((program.binary.clone(), Rc::new(kernels)));
        self
    }

    /// Has the machine's own probes suffer the noise of kernels.
    #[must_use]
    pub fn with_noise(mut self, noise: Noise) -> Self {
        self.noise = noise;
        self
    }

    /// Makes the machine's own probes take this many times as long.
    #[must_use]
    pub fn with_slowness(mut self, slower: f64) -> Self {
        self.slower = slower;
        self
    }

    /// Has a neighbor work on the core now and then.
    #[must_use]
    pub fn with_neighbor(self, neighbor: Neighbor) -> Self {
        self.state.borrow_mut().neighbor = Some(neighbor);
        self
    }

    /// Has the user interrupt by a signal after some time.
    #[must_use]
    pub fn interrupted_after(self, time: Duration, signal: i32) -> Self {
        self.state.borrow_mut().interrupt = Some((time, signal));
        self
    }

    /// Lets time pass, as if other code ran while the workers run.
    pub fn pass(&self, time: Duration) {
        self.state.borrow_mut().pass(time);
    }

    /// Processes that were started so far.
    pub fn started(&self) -> usize {
        self.state.borrow().started
    }

    /// Processes that have not been ended.
    pub fn running(&self) -> usize {
        self.state.borrow().running
    }

    /// The most processes that there were at one time.
    pub fn most_running(&self) -> usize {
        self.state.borrow().most_running
    }
}

impl State {
    fn interrupted(&self) -> Option<i32> {
        self.interrupt.filter(|(time, _)| self.now >= *time).map(|(_, signal)| signal)
    }

    fn pass(&mut self, time: Duration) {
        self.now = self.now.saturating_add(time);
    }

    /// How many times as long everything takes now, because a neighbor works on the core.
    fn crowded(&self) -> f64 {
        self.neighbor.map_or(1.0, |neighbor| neighbor.factor(self.now))
    }

    /// A number below 1.
    fn unit(&mut self) -> f64 {
        self.random.below(1 << 53) as f64 / (1_u64 << 53) as f64
    }

    fn normal(&mut self) -> f64 {
        Normal::from(self.unit(), self.unit()).0
    }

    /// The machine's slowness now: an autoregressive process in time with this standard deviation and memory.
    fn slowness(&mut self, deviation: f64, memory: Duration) -> f64 {
        let gap = self.now.saturating_sub(self.slowness_at).as_secs_f64();
        let kept = (-gap / memory.as_secs_f64().max(1e-9)).exp();
        self.slowness_at = self.now;
        self.slowness = kept * self.slowness + (1.0 - kept * kept).sqrt() * self.normal();
        deviation * self.slowness
    }
}

impl Machine for SimulatedMachine {
    fn start(&self, program: &Program, _: Start) -> Result<Box<dyn Worker>, WorkerError> {
        let found = self.programs.iter().find(|(binary, _)| *binary == program.binary);
        let Some((_, kernels)) = found else {
            let message = format!("cannot start {}: not found", program.binary.display());
            return Err(WorkerError::Protocol(message));
        };
        let mut state = self.state.borrow_mut();
        state.pass(START);
        if let Some(signal) = state.interrupted() {
            return Err(WorkerError::Interrupted(signal));
        }
        state.started += 1;
        state.running += 1;
        state.most_running = state.most_running.max(state.running);
        drop(state);
        Ok(Box::new(SimulatedWorker {
            machine: self.clone(),
            kernels: kernels.clone(),
            loaded: Vec::new(),
            used: false,
        }))
    }

    fn processors(&self) -> usize {
        PROCESSORS
    }

    fn now(&self) -> Duration {
        self.state.borrow().now
    }

    fn interrupt(&self) -> Option<i32> {
        self.state.borrow().interrupted()
    }

    fn probe(&self) -> Vec<Probed> {
        let mut state = self.state.borrow_mut();
        let mut log = self.noise.sample(|| state.normal());
        log += self.noise.drift_per_second * state.now.as_secs_f64();
        if self.noise.machine > 0.0 {
            log += state.slowness(self.noise.machine, self.noise.memory);
        }
        vec![Probed { name: "simulated", ns: 1e5 * self.slower * log.exp() }]
    }

    fn confine(&self) -> Placement {
        Placement::anywhere()
    }

    fn core(&self, _: &Placement) -> Option<CoreLoad> {
        let state = self.state.borrow();
        state.neighbor?;
        Some(CoreLoad { typical: 0.7 * state.crowded(), least: 0.7 })
    }
}

struct SimulatedWorker {
    machine: SimulatedMachine,
    kernels: Rc<Vec<Kernel>>,
    /// Indices of the loaded kernels, and the properties of this process for each of them.
    loaded: Vec<(usize, Process)>,
    /// Whether it has finished with other kernels.
    used: bool,
}

impl Worker for SimulatedWorker {
    fn ask(&mut self, request: &Request, allowed: Duration) -> Result<Answer, WorkerError> {
        let interrupt = self.machine.interrupt();
        if let Some(signal) = interrupt {
            return Err(WorkerError::Interrupted(signal));
        }
        self.machine.state.borrow_mut().pass(REQUEST);
        match request {
            Request::List => {
                let cases = self.kernels.iter().map(|kernel| kernel.description.clone()).collect();
                Ok(Answer::Listed { cases })
            }
            Request::Build => Ok(Answer::Built(Build::default())),
            Request::Load(load) => self.load(&load.cases, allowed),
            Request::Sample(ask) => self.sample(ask, allowed),
            Request::Count(ask) => {
                let kernel = &self.kernels[self.loaded[ask.case].0];
                let mut state = self.machine.state.borrow_mut();
                let resources = (kernel.resources)(&mut || state.unit());
                let of_events = if resources.counters.is_empty() { 0 } else { ask.calls };
                let calls = of_events + u64::from(resources.memory.is_some());
                let call_ns = kernel.call_ns * kernel.instances[ask.instance].1;
                state.pass(Duration::from_nanos((calls as f64 * call_ns) as u64));
                Ok(Answer::Counted { resources })
            }
            Request::Phases(ask) => self.phases(ask, allowed),
            Request::Tally(_) => Ok(Answer::Tallied { tallies: Vec::new() }),
            Request::Usage => {
                Ok(Answer::Usage { peak_rss_bytes: Some(1 << 20), counting: None, outputs: None })
            }
            Request::Extras => Ok(Answer::Extras(Extras::default())),
            Request::Finish | Request::Pause => {
                self.loaded.clear();
                self.used = true;
                Ok(Answer::Finished)
            }
        }
    }

    fn clock(&self) -> Clock {
        CLOCK
    }

    fn output(&self) -> String {
        String::new()
    }

    fn let_go(&mut self, _: Duration) {}
}

impl SimulatedWorker {
    fn load(&mut self, names: &[String], allowed: Duration) -> Result<Answer, WorkerError> {
        let mut state = self.machine.state.borrow_mut();
        for name in names {
            let found = self.kernels.iter().position(|k| k.description.name == *name);
            let Some(index) = found else {
                let message = format!("this program has no benchmark named `{name}`");
                return Ok(Answer::Failed(Failed::Misuse { message }));
            };
            let kernel = &self.kernels[index];
            if kernel.load > allowed {
                state.pass(allowed);
                return Err(WorkerError::TimedOut(allowed));
            }
            state.pass(kernel.load);
            let (normal, uniform) = (state.normal(), state.unit());
            let process = Process::draw(&kernel.noise, normal, uniform);
            self.loaded.push((index, process));
        }
        let nothing = |(index, _): &(usize, Process)| {
            matches!(self.kernels[*index].fault, Some((_, Fault::Nothing)))
        };
        if self.loaded.iter().any(nothing) {
            return Ok(Answer::Failed(Failed::Nothing));
        }
        let described = |kernel: &Kernel| -> Vec<InstanceRecord> {
            let name = kernel.instances.iter().map(|(name, _)| name.clone());
            name.map(|name| InstanceRecord { name, work: kernel.work.clone() }).collect()
        };
        let first = self.loaded.first().map(|(index, _)| described(&self.kernels[*index]));
        Ok(Answer::Loaded { instances: first.unwrap_or_default() })
    }

    /// Samples with timed phases: each phase takes its share of the time, and each entry the cost of reading the
    /// clock.
    fn phases(&mut self, ask: &Sampling, allowed: Duration) -> Result<Answer, WorkerError> {
        let samples = match self.sample(ask, allowed)? {
            Answer::Sampled { samples } => samples,
            other => return Ok(other),
        };
        let kernel = &self.kernels[self.loaded[ask.case].0];
        let entries = ask.calls;
        let clock_ns = entries as f64 * CLOCK.window_ns;
        let mut times = PhaseTimes { at_once: 1, ..PhaseTimes::default() };
        for sample in samples {
            let cost = 2.0 * clock_ns * kernel.phases.len() as f64;
            times.wall_ns.push(sample.wall_ns + cost as u64);
            times.own_ns.resize(kernel.phases.len(), Vec::new());
            times.entries.resize(kernel.phases.len(), 0);
            for (index, share) in kernel.phases.iter().enumerate() {
                let own_ns = share * sample.wall_ns as f64 + clock_ns;
                times.own_ns[index].push(own_ns as u64);
                times.entries[index] += entries;
            }
        }
        Ok(Answer::Phased { times })
    }

    fn sample(&mut self, ask: &Sampling, allowed: Duration) -> Result<Answer, WorkerError> {
        let (index, process) = &mut self.loaded[ask.case];
        let kernel = &self.kernels[*index];
        let mut state = self.machine.state.borrow_mut();
        let begin = state.now;
        let mut samples = Vec::new();
        for _ in 0..ask.samples {
            process.samples += 1;
            match kernel.fault.filter(|(after, _)| process.samples > *after) {
                None | Some((_, Fault::Nothing)) => {}
                Some((_, Fault::Stale)) if !self.used => {}
                Some((_, Fault::Hang)) => {
                    state.pass(allowed);
                    return Err(WorkerError::TimedOut(allowed));
                }
                Some((_, Fault::Abort)) => {
                    let how = "the process was killed by signal 6 (SIGABRT, abort)".to_owned();
                    return Err(WorkerError::Died(how));
                }
                Some((_, Fault::Panic | Fault::Stale)) => {
                    let message = "out of luck".to_owned();
                    return Ok(Answer::Failed(Failed::Panicked { message }));
                }
                Some((_, Fault::WrongAnswer)) if !ask.check => {}
                Some((_, Fault::WrongAnswer)) => {
                    let message = "41 is not 42".to_owned();
                    return Ok(Answer::Failed(Failed::WrongAnswer { message }));
                }
                Some((_, Fault::Babble)) => return Ok(Answer::Finished),
            }
            let cost = kernel.instances.get(ask.instance).map_or(1.0, |(_, cost)| *cost);
            let sample = draw(&mut state, kernel, process, cost, ask.calls);
            state.pass(Duration::from_nanos(sample.wall_ns + sample.outside_ns));
            if state.now.saturating_sub(begin) > allowed {
                return Err(WorkerError::TimedOut(allowed));
            }
            samples.push(sample);
        }
        Ok(Answer::Sampled { samples })
    }
}

/// One sample of a kernel in a process.
fn draw(
    state: &mut State,
    kernel: &Kernel,
    process: &mut Process,
    cost: f64,
    calls: u64,
) -> RawSample {
    let noise = &kernel.noise;
    let mut log = noise.sample(|| state.normal()) + process.log_factor;
    log += noise.drift_per_second * state.now.as_secs_f64();
    if noise.machine > 0.0 {
        log += state.slowness(noise.machine, noise.memory);
    }
    log += noise.warming(process.calls);
    process.calls += calls;
    let cpu_ns = (calls as f64 * kernel.call_ns * cost * log.exp() * state.crowded()).max(1.0);
    let mut wall_ns = cpu_ns;
    if state.unit() < noise.interruptions_per_second * cpu_ns * 1e-9 {
        wall_ns += noise.interruption_ns;
    }
    let used_ns = process.uncounted_ns + cpu_ns * kernel.helper_threads;
    if kernel.helpers_run_on {
        let since_tick_ns = (state.now.as_nanos() as f64 + wall_ns) % TICK_NS;
        process.uncounted_ns = used_ns.min(since_tick_ns * kernel.helper_threads);
    }
    let counted_ns = used_ns - process.uncounted_ns;
    RawSample {
        wall_ns: wall_ns as u64,
        cpu_ns: Some((cpu_ns * (1.0 - noise.waiting) * (1.0 - kernel.helper_threads)) as u64),
        others_ns: Some(counted_ns as u64),
        switches: Some(u64::from(noise.waiting > 0.0)),
        outside_ns: (calls as f64 * kernel.outside_ns) as u64,
        windows: 1,
    }
}

impl Drop for SimulatedWorker {
    fn drop(&mut self) {
        self.machine.state.borrow_mut().running -= 1;
    }
}
