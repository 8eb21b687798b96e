//! A simulated program: kernels with costs, noise and faults.

use std::time::Duration;

use super::noise::Noise;
use plusminus_worker::protocol::{CaseDescription, Resources};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// It panics.
    Panic,
    /// It ends its process.
    Abort,
    /// It does not come back.
    Hang,
    /// Its output is wrong, which only a check sees.
    WrongAnswer,
    /// Its worker answers something else than was asked.
    Babble,
    /// It panics in a process that has measured other kernels before.
    Stale,
    /// Its function returns without measuring anything, as it may.
    Nothing,
}

#[derive(Debug, Clone)]
pub struct Kernel {
    pub description: CaseDescription,
    /// Time of a call on an instance of cost 1, in nanoseconds.
    pub call_ns: f64,
    /// Time around a call, in nanoseconds.
    pub outside_ns: f64,
    pub load: Duration,
    /// Name and relative cost of each instance.
    pub instances: Vec<(String, f64)>,
    /// Unit and amount of the work of a call.
    pub work: Vec<(String, f64)>,
    pub noise: Noise,
    /// After how many samples of a process it fails, and how.
    pub fault: Option<(u64, Fault)>,
    /// The part of a call that each phase takes.
    pub phases: Vec<f64>,
    /// The part of its processor time that other threads use.
    pub helper_threads: f64,
    /// Whether they still run when a call ends, so that the system counts their time up to its last tick.
    pub helpers_run_on: bool,
    /// Returns the resources of a call besides time; the argument draws numbers below 1.
    pub resources: fn(&mut dyn FnMut() -> f64) -> Resources,
}

impl Kernel {
    /// A function whose calls take so long, without noise.
    pub fn new(name: &str, call_ns: f64) -> Self {
        Self {
            description: CaseDescription {
                name: name.to_owned(),
                krate: "simulated".to_owned(),
                function: name.to_owned(),
                processors: 1,
                threads: 1,
                // A table of its own, unless it sets one.
                table: name.bytes().fold(7, |hash, byte| 31 * hash % 1_000_003 + usize::from(byte)),
                ..CaseDescription::default()
            },
            call_ns,
            outside_ns: 0.0,
            load: Duration::ZERO,
            instances: vec![(String::new(), 1.0)],
            work: Vec::new(),
            noise: Noise::default(),
            fault: None,
            phases: Vec::new(),
            helper_threads: 0.0,
            helpers_run_on: false,
            resources: |_| Resources::default(),
        }
    }

    #[must_use]
    pub fn with_noise(self, noise: Noise) -> Self {
        Self { noise, ..self }
    }

    #[must_use]
    pub fn failing(self, after: u64, fault: Fault) -> Self {
        Self { fault: Some((after, fault)), ..self }
    }

    #[must_use]
    pub fn with_instances(self, costs: &[f64]) -> Self {
        let named = |(index, &cost): (usize, &f64)| (format!("i{index}"), cost);
        Self { instances: costs.iter().enumerate().map(named).collect(), ..self }
    }

    #[must_use]
    pub fn with_phases(mut self, phases: &[(&str, f64)]) -> Self {
        self.description.phases = phases.iter().map(|(name, _)| (*name).to_owned()).collect();
        self.phases = phases.iter().map(|(_, share)| *share).collect();
        self
    }

    #[must_use]
    pub fn using(self, resources: fn(&mut dyn FnMut() -> f64) -> Resources) -> Self {
        Self { resources, ..self }
    }

    #[must_use]
    pub fn doing(self, amount: f64, unit: &str) -> Self {
        Self { work: vec![(unit.to_owned(), amount)], ..self }
    }

    #[must_use]
    pub fn described(mut self, change: impl FnOnce(&mut CaseDescription)) -> Self {
        change(&mut self.description);
        self
    }
}
