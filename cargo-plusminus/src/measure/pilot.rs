//! The pilot: a pair of processes whose samples decide how long samples are, and count for nothing else.

use plusminus::__runner::{RawSample, Sampling};
use plusminus_analysis::steady;

use super::{
    block::{Trouble, TwoWorkers, Which},
    pairs::{can_tell_interruptions, is_clean},
    plan::{Clock, Cost, Plan, next_trial},
};

/// Samples of each side that a plan is tried with, where time allows.
const TRIED: u32 = 24;
/// What trying a plan may take.
const TRYING_NS: f64 = 100_000_000.0;
/// Samples are made shorter while fewer than this share of them is clean …
const MOSTLY_CLEAN: f64 = 0.8;
/// … but not more often than this.
const HALVINGS: usize = 3;

/// Finds a plan for one cell. Where several processors or callers are at work (`parallel`), CPU time is that of all of
/// them or of one, and says nothing about interruptions.
pub(super) fn find_plan(
    workers: &mut TwoWorkers,
    case: usize,
    instance: usize,
    clock: &Clock,
    parallel: bool,
) -> Result<Plan, Trouble> {
    let base = cost(workers, Which::Base, case, instance)?;
    let new = cost(workers, Which::New, case, instance)?;
    let cost = Cost {
        call_ns: base.call_ns.max(new.call_ns),
        outside_ns: base.outside_ns.max(new.outside_ns),
    };
    let mut plan = Plan::of(cost);
    if plan.whole_ns > TRYING_NS {
        // A block has too few of such samples to choose among them.
        return Ok(plan);
    }
    for _ in 0..=HALVINGS {
        let tried = try_plan(workers, case, instance, &plan)?;
        plan.tells_interruptions =
            !parallel && tried.iter().all(|samples| can_tell_interruptions(samples));
        plan.warm_up_at_least(
            tried.iter().map(|samples| settled_after(samples)).max().unwrap_or(0),
        );
        let all = || tried.iter().flatten();
        let clean = all().filter(|sample| is_clean(sample)).count() as f64 / all().count() as f64;
        if !plan.tells_interruptions || clean >= MOSTLY_CLEAN {
            break;
        }
        match plan.halved(cost, clock) {
            Some(shorter) => plan = shorter,
            None => break,
        }
    }
    Ok(plan)
}

/// What a call costs on one side. The first call is checked.
fn cost(
    workers: &mut TwoWorkers,
    which: Which,
    case: usize,
    instance: usize,
) -> Result<Cost, Trouble> {
    let (mut calls, mut expected_ns) = (1, 0.0);
    loop {
        let sampling = Sampling { case, instance, calls, samples: 1, check: calls == 1 };
        let found = workers.sample(which, sampling, expected_ns)?;
        let Some(found) = found.last() else { continue };
        match next_trial(calls, found.wall_ns, found.outside_ns) {
            Some(next) => {
                expected_ns =
                    (found.wall_ns + found.outside_ns) as f64 * next as f64 / calls as f64;
                calls = next;
            }
            None => {
                return Ok(Cost {
                    call_ns: found.wall_ns as f64 / calls as f64,
                    outside_ns: found.outside_ns as f64 / calls as f64,
                });
            }
        }
    }
}

/// Samples of both sides by a plan: a few where they are long.
fn try_plan(
    workers: &mut TwoWorkers,
    case: usize,
    instance: usize,
    plan: &Plan,
) -> Result<[Vec<RawSample>; 2], Trouble> {
    let samples = (TRYING_NS / (2.0 * plan.whole_ns)).clamp(1.0, f64::from(TRIED)) as u32;
    let sampling = Sampling { case, instance, calls: plan.calls, samples, check: false };
    let base = workers.sample(Which::Base, sampling.clone(), plan.whole_ns)?;
    let new = workers.sample(Which::New, sampling, plan.whole_ns)?;
    Ok([base, new])
}

/// After how many samples a process is steady, as far as these samples tell.
fn settled_after(samples: &[RawSample]) -> usize {
    let times = times(samples);
    steady::classify(&times).ok().and_then(|found| found.steady_from).unwrap_or(0)
}

/// CPU time where it is the time of the kernel, else wall time: interruptions are no change of the program.
fn times(samples: &[RawSample]) -> Vec<f64> {
    let cpu =
        || samples.iter().map(|sample| Some(sample.cpu_ns? as f64)).collect::<Option<Vec<_>>>();
    let wall = || samples.iter().map(|sample| sample.wall_ns.max(1) as f64).collect::<Vec<_>>();
    if can_tell_interruptions(samples) { cpu().unwrap_or_else(wall) } else { wall() }
}
