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
mod worker;

use std::{cell::RefCell, path::PathBuf, rc::Rc, time::Duration};

pub use kernel::{Fault, Kernel};
use noise::normal;
pub use noise::{Neighbor, Noise};
use worker::SimulatedWorker;

use super::{
    Random,
    machine::{Machine, Program, Start, Worker, WorkerError},
};
use crate::record::CoreLoad;
use plusminus_worker::sys::{Placement, Probed};

const START: Duration = Duration::from_millis(2);

const PROCESSORS: usize = 2;

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
    interrupt: Option<(Duration, i32)>,
    started: usize,
    running: usize,
    most_running: usize,
    neighbor: Option<Neighbor>,
}

impl SimulatedMachine {
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

    pub fn started(&self) -> usize {
        self.state.borrow().started
    }

    /// Processes that have not been ended.
    pub fn running(&self) -> usize {
        self.state.borrow().running
    }

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

    fn unit(&mut self) -> f64 {
        self.random.below(1 << 53) as f64 / (1_u64 << 53) as f64
    }

    fn normal(&mut self) -> f64 {
        normal(self.unit(), self.unit())
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
            latest: None,
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

    fn core(&self, _: &Placement) -> Option<CoreLoad> {
        let state = self.state.borrow();
        state.neighbor?;
        Some(CoreLoad { typical: 0.7 * state.crowded(), least: 0.7 })
    }
}
