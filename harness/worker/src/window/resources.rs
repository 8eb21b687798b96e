//! Resources of a kernel besides time, counted in samples that are not timed.

use super::{Windows, memory, perf::Counters};
use crate::protocol::{MemoryUse, Resources};

/// Counters of windows besides time, while they count anything.
pub(in crate::window) enum Counted {
    Memory,
    Events(Counters),
}

impl Counted {
    /// Begins when a window opens.
    pub(crate) fn start(&self) {
        match self {
            Self::Memory => memory::start(),
            Self::Events(counters) => counters.start(),
        }
    }

    /// Ends when it closes.
    pub(crate) fn stop(&self) {
        match self {
            Self::Memory => memory::stop(),
            Self::Events(counters) => counters.stop(),
        }
    }
}

/// Runs `sample` so that its windows count.
fn counting<E>(
    windows: &mut Windows,
    what: Counted,
    sample: impl FnOnce(&mut Windows) -> Result<(), E>,
) -> Result<Option<Counted>, E> {
    windows.shared.counted = Some(what);
    let outcome = sample(windows);
    let counted = windows.shared.counted.take();
    memory::stop();
    outcome.map(|()| counted)
}

/// Counts one call for memory, and `calls` calls for events. The argument of `sample` is the number of calls.
pub(crate) fn count<E>(
    windows: &mut Windows,
    calls: u64,
    mut sample: impl FnMut(&mut Windows, u64) -> Result<(), E>,
) -> Result<Resources, E> {
    let memory: Option<MemoryUse> = if memory::installed() {
        counting(windows, Counted::Memory, |windows| sample(windows, 1))?;
        Some(memory::counted())
    } else {
        None
    };
    let (counters, absent) = Counters::open();
    let counters = if counters.is_empty() {
        Vec::new()
    } else {
        match counting(windows, Counted::Events(counters), |windows| sample(windows, calls))? {
            Some(Counted::Events(counters)) => counters.per_call(calls),
            _ => Vec::new(),
        }
    };
    Ok(Resources { memory, counters, absent })
}
