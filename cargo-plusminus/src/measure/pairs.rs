//! Pairs of samples, as they are recorded.

use plusminus::{
    __runner::RawSample,
    record::{BlockRecord, Measurement},
    results,
};

use super::{block::CellSamples, plan::Plan};

/// A sample of each side, taken one right after the other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct PairOfSamples {
    pub(super) base: RawSample,
    pub(super) new: RawSample,
}

/// Whether samples tell by their CPU time that they were interrupted: not for kernels that wait for other threads
/// or for devices, and not where CPU time is unknown.
pub(super) fn can_tell_interruptions(samples: &[RawSample]) -> bool {
    let wall_ns: Vec<u64> = samples.iter().map(|sample| sample.wall_ns).collect();
    let cpu_ns: Option<Vec<u64>> = samples.iter().map(|sample| sample.cpu_ns).collect();
    cpu_ns.is_some_and(|cpu_ns| !results::waits(&wall_ns, &cpu_ns))
}

/// Whether a sample was hardly interrupted.
pub(super) fn is_clean(sample: &RawSample) -> bool {
    sample.cpu_ns.is_some_and(|cpu_ns| results::is_clean(sample.wall_ns, cpu_ns))
}

/// The samples of a cell as a record has them. Which side came first is not known here any more.
pub(super) fn recorded(
    samples: &CellSamples,
    plan: &Plan,
    round: u32,
    layout: usize,
) -> BlockRecord {
    let warm_up = samples.base.len().saturating_sub(samples.pairs.len());
    let side = |all: &[RawSample]| {
        let (before, counted) = all.split_at(warm_up.min(all.len()));
        let cpu = |samples: &[RawSample]| -> Vec<u64> {
            let cpu_ns: Option<Vec<u64>> = samples.iter().map(|sample| sample.cpu_ns).collect();
            cpu_ns.unwrap_or_default()
        };
        let wall = |samples: &[RawSample]| samples.iter().map(|sample| sample.wall_ns).collect();
        Measurement {
            calls: plan.calls,
            windows: counted.first().map_or(1, |sample| sample.windows),
            warm_up_ns: wall(before),
            warm_up_cpu_ns: cpu(before),
            wall_ns: wall(counted),
            cpu_ns: cpu(counted),
            ..Measurement::default()
        }
    };
    let order = "b".repeat(samples.pairs.len());
    BlockRecord { round, layout, order, base: side(&samples.base), new: side(&samples.new) }
}
