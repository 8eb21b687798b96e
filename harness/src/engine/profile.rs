//! Runs kernels for a while without measuring them, for a profiler, which can be started and stopped around it.

use std::{
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use super::{
    configuration::Configuration,
    exchange::{self, About, Stop, ask},
    machine::{Machine, Program, Start, TO_END, Worker},
    sizes::next_trial,
};
use crate::{
    sys,
    worker::{
        RawSample,
        protocol::{Answer, CaseDescription, Load, Request, Sampling},
    },
};

/// How long one request keeps the worker busy: short against what is profiled, long against asking.
const STRETCH_NS: u64 = 20_000_000;

/// How long a profiler may take to write what it has seen.
const PROFILER_ENDS: Duration = Duration::from_secs(30);

/// What was run for a profiler.
pub(crate) struct Profiled {
    /// Calls of the kernel while the profiler was there.
    pub(crate) calls: u64,
    /// How long they took, with what is around them.
    pub(crate) time: Duration,
}

/// Runs a case in a worker of its own for this long on each of its instances, warmed up.
///
/// The profiler is a command for the shell, started after the warm-up and interrupted at the end; `{pid}` in it stands
/// for the worker's process and `{name}` for the benchmark, with everything but letters and digits replaced.
///
/// # Errors
/// Why it could not be run.
pub(crate) fn profile(
    case: &CaseDescription,
    (machine, program): (&dyn Machine, &Program),
    configuration: &Configuration,
    time: Duration,
    profiler: Option<&str>,
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
    let mut attached =
        profiler.map(|command| attach(command, worker.process_id(), &case.name)).transpose()?;
    let begin = Instant::now();
    let mut total = 0;
    for (instance, calls) in sizes.into_iter().enumerate() {
        let begin = Instant::now();
        while begin.elapsed() < time {
            still_there(attached.as_mut())?;
            sample(worker.as_mut(), instance, calls, timeout)?;
            total += calls;
        }
    }
    let spent = begin.elapsed();
    still_there(attached.as_mut())?;
    if let Some(profiler) = &mut attached {
        detach(profiler)?;
    }
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
    let sampling = Sampling { case: 0, instance, calls, samples: 1, check: false };
    let samples = exchange::sample(worker, sampling, timeout, About::default()).map_err(said)?;
    samples.first().copied().ok_or_else(|| "the worker took no sample".to_owned())
}

fn said(stop: Stop) -> String {
    match stop {
        Stop::Failed(error) => error.cause.to_string(),
        Stop::Interrupted(signal) => format!("interrupted by signal {signal}"),
    }
}

fn attach(command: &str, worker: u32, name: &str) -> Result<Child, String> {
    // Names come from anywhere, and this becomes a part of a command.
    let name: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    let command = command.replace("{pid}", &worker.to_string()).replace("{name}", &name);
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(format!("exec {command}")).stdin(Stdio::null());
    sys::own_group(&mut shell);
    shell.spawn().map_err(|error| format!("cannot start the profiler `{command}`: {error}"))
}

/// Fails where the profiler has failed by itself: it has seen nothing, or is not even installed.
fn still_there(profiler: Option<&mut Child>) -> Result<(), String> {
    match profiler.map(Child::try_wait) {
        Some(Ok(Some(status))) if !status.success() => Err(format!(
            "the profiler ended by itself ({status}){}",
            if status.code() == Some(127) { "; is it installed?" } else { "" }
        )),
        _ => Ok(()),
    }
}

/// Asks the profiler to end, and waits until it has written what it has seen.
fn detach(profiler: &mut Child) -> Result<(), String> {
    sys::interrupt_group(profiler.id());
    let deadline = Instant::now() + PROFILER_ENDS;
    while Instant::now() < deadline {
        match profiler.try_wait() {
            Ok(Some(_)) => return Ok(()),
            Ok(None) => std::thread::sleep(Duration::from_millis(5)),
            Err(error) => return Err(format!("cannot wait for the profiler: {error}")),
        }
    }
    sys::kill_group(profiler.id());
    let _ = profiler.wait();
    Err(format!("the profiler did not end within {} s", PROFILER_ENDS.as_secs()))
}
