//! How simulated times scatter: between samples, between processes, with time.

use std::time::Duration;

use crate::engine::Random;

/// The noise of a kernel. All deviations are of the logarithm of the time, so that 0.01 is 1 %.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Noise {
    pub sample: f64,
    /// Weight of a long tail to the right in it: 0 is lognormal, 1 has the square of a normal value.
    pub tail: f64,
    pub process: f64,
    /// The share of processes in a second mode, and by how much it is slower.
    pub second_mode: (f64, f64),
    pub drift_per_second: f64,
    /// Standard deviation of the machine's own state, which all kernels share …
    pub machine: f64,
    /// … and how long it lasts.
    pub memory: Duration,
    /// By how much the first calls are slower, and for how many calls.
    pub warm_up: (f64, u64),
    /// By how much a sample is slower right after another kernel.
    pub cold: f64,
    /// Interruptions in a second of a sample's time, each this long.
    pub interruptions_per_second: f64,
    /// The time that an interruption takes, in nanoseconds.
    pub interruption_ns: f64,
    /// The part of the time that the kernel waits.
    pub waiting: f64,
}

/// A neighbor on the same core.
#[derive(Debug, Clone, Copy)]
pub struct Neighbor {
    /// How long it works or rests at least.
    pub phase: Duration,
    /// The share of the phases in which it works.
    pub share: f64,
    /// How many times as long everything takes then.
    pub factor: f64,
}

impl Neighbor {
    pub(super) fn factor(self, now: Duration) -> f64 {
        let phase = (now.as_secs_f64() / self.phase.as_secs_f64()) as u64;
        let works = (Random::new(phase).below(1000) as f64) < 1000.0 * self.share;
        if works { self.factor } else { 1.0 }
    }
}

impl Default for Noise {
    fn default() -> Self {
        Self {
            sample: 0.0,
            tail: 0.0,
            process: 0.0,
            second_mode: (0.0, 0.0),
            drift_per_second: 0.0,
            machine: 0.0,
            memory: Duration::from_secs(5),
            warm_up: (0.0, 0),
            cold: 0.0,
            interruptions_per_second: 0.0,
            interruption_ns: 1e6,
            waiting: 0.0,
        }
    }
}

impl Noise {
    /// A quiet machine: 0.5 % between samples, 0.8 % between processes.
    pub fn quiet() -> Self {
        Self { sample: 0.005, process: 0.008, ..Self::default() }
    }

    /// A busy one: a tail, interruptions, a state that lasts for seconds.
    pub fn busy() -> Self {
        Self {
            sample: 0.02,
            tail: 0.5,
            process: 0.02,
            machine: 0.05,
            interruptions_per_second: 100.0,
            ..Self::default()
        }
    }

    pub(super) fn sample(&self, mut normal: impl FnMut() -> f64) -> f64 {
        if self.sample == 0.0 {
            return 0.0;
        }
        let value = normal();
        self.sample * (value + self.tail * (value * value - 1.0))
    }

    /// Returns how much slower a call is after this number of calls.
    pub(super) fn warming(&self, calls: u64) -> f64 {
        let (slower, lasts) = self.warm_up;
        if calls < lasts { slower } else { 0.0 }
    }
}

/// The properties of a process, as long as it lives.
#[derive(Debug)]
pub(super) struct Process {
    pub(super) log_factor: f64,
    pub(super) calls: u64,
    pub(super) samples: u64,
    /// Processor time of helpers that the system has not counted yet.
    pub(super) uncounted_ns: f64,
}

impl Process {
    /// A process by a normal value, and a uniform one that chooses its mode.
    pub(super) fn draw(noise: &Noise, normal: f64, uniform: f64) -> Self {
        let (share, slower) = noise.second_mode;
        let mode = if uniform < share { slower } else { 0.0 };
        Self { log_factor: noise.process * normal + mode, calls: 0, samples: 0, uncounted_ns: 0.0 }
    }
}

/// A standard normal value of two uniform ones, by Box and Muller's transformation.
pub(super) fn normal(first: f64, second: f64) -> f64 {
    (-2.0 * (1.0 - first).ln()).sqrt() * (std::f64::consts::TAU * second).cos()
}
