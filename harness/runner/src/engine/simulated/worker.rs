//! Workers of simulated machines: they answer every request from what the kernels are said to do.

use std::{rc::Rc, time::Duration};

use super::{
    SimulatedMachine, State,
    kernel::{Fault, Kernel},
    noise::Process,
};
use crate::{
    engine::machine::{Machine, Worker, WorkerError},
    record::{Clock, InstanceRecord, PhaseTimes},
};
use plusminus_worker::protocol::{Answer, Build, Extras, Failed, RawSample, Request, Sampling};

/// The cost of a request besides the samples.
const REQUEST: Duration = Duration::from_micros(20);

/// The time between two ticks of the system's clock.
const TICK_NS: f64 = 4e6;

const CLOCK: Clock = Clock { tick_ns: 1.0, window_ns: 20.0, loop_ns: 0.25 };

pub(super) struct SimulatedWorker {
    pub(super) machine: SimulatedMachine,
    pub(super) kernels: Rc<Vec<Kernel>>,
    /// Indices of the loaded kernels, and the properties of this process for each of them.
    pub(super) loaded: Vec<(usize, Process)>,
    /// Whether it has finished with other kernels.
    pub(super) used: bool,
    /// The case of the latest sample.
    pub(super) latest: Option<usize>,
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
            Request::Processors(_) => Ok(Answer::Finished),
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
            let mut cost = kernel.instances.get(ask.instance).map_or(1.0, |(_, cost)| *cost);
            if self.latest.replace(ask.case) != Some(ask.case) {
                cost *= 1.0 + kernel.noise.cold;
            }
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
