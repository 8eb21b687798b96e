//! Runs kernels for a while without measuring them, for a profiler.

use std::time::{Duration, Instant};

use super::{
    asking::{self, About, Stop, ask},
    configuration::Configuration,
    machine::{Machine, Program, Start, TO_END, Worker},
    sizes::next_trial,
};
use plusminus_worker::{
    protocol::RawSample,
    protocol::{Answer, CaseDescription, Load, Request, Sampling},
};

/// How long one request keeps the worker busy: short compared with profiling, long compared with asking.
const STRETCH_NS: u64 = 20_000_000;

pub(crate) struct Profiled {
    /// Calls of the kernel after the warm-up.
    pub(crate) calls: u64,
    /// How long they took, with everything around them.
    pub(crate) time: Duration,
}

/// Runs a case in a worker of its own for this long on each of its instances, warmed up.
pub(crate) fn profile(
    case: &CaseDescription,
    (machine, program): (&dyn Machine, &Program),
    configuration: &Configuration,
    time: Duration,
) -> Result<Profiled, String> {
    let timeout = configuration.timeout_of(case);
    let start = Start::of(case);
    let mut worker = machine.start(program, start).map_err(|error| error.to_string())?;
    let load = Request::Load(Load::of(&[case]));
    let instances = match ask(worker.as_mut(), &load, timeout, About::default()).map_err(said)? {
        Answer::Loaded { instances } => instances.len(),
        other => return Err(said(About::default().unexpected(&other))),
    };
    let mut sizes = Vec::new();
    for instance in 0..instances {
        let mut calls = 1;
        loop {
            let sample = sample(worker.as_mut(), instance, calls, timeout)?;
            match next_trial(calls, sample.wall_ns, sample.outside_ns) {
                Some(next) => calls = next,
                None => {
                    let whole_ns = (sample.wall_ns + sample.outside_ns).max(1);
                    let stretch = calls as f64 * STRETCH_NS as f64 / whole_ns as f64;
                    sizes.push((stretch as u64).max(1));
                    break;
                }
            }
        }
    }
    let begin = Instant::now();
    let mut total = 0;
    for (instance, calls) in sizes.into_iter().enumerate() {
        let begin = Instant::now();
        while begin.elapsed() < time {
            sample(worker.as_mut(), instance, calls, timeout)?;
            total += calls;
        }
    }
    let spent = begin.elapsed();
    let end = ask(worker.as_mut(), &Request::Finish, timeout, About::default());
    if let Answer::Finished = end.map_err(said)? {
        worker.let_go(TO_END);
    }
    Ok(Profiled { calls: total, time: spent })
}

fn sample(
    worker: &mut dyn Worker,
    instance: usize,
    calls: u64,
    timeout: Duration,
) -> Result<RawSample, String> {
    let sampling = Sampling { case: 0, instance, calls, samples: 1, check: false, stay: false };
    let samples = asking::sample(worker, sampling, timeout, About::default()).map_err(said)?;
    samples.first().copied().ok_or_else(|| "the worker took no sample".to_owned())
}

fn said(stop: Stop) -> String {
    match stop {
        Stop::Failed(error) => error.cause.to_string(),
        Stop::Interrupted(signal) => format!("interrupted by signal {signal}"),
    }
}
