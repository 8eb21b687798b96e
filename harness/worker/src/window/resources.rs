//! What a kernel uses besides time, counted in samples that are not timed.

use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicBool, Ordering},
};

use super::{memory, perf::Counters};
use crate::protocol::{MemoryUse, Resources};

/// Whether windows count; off while anything is timed.
static ARMED: AtomicBool = AtomicBool::new(false);

/// What windows count while armed.
static WANTED: Mutex<Option<Wanted>> = Mutex::new(None);

enum Wanted {
    Memory,
    Events(Counters),
}

/// Called before a window opens.
pub(crate) fn window_opens() {
    if ARMED.load(Ordering::Relaxed) {
        match &*WANTED.lock().unwrap_or_else(PoisonError::into_inner) {
            Some(Wanted::Memory) => memory::start(),
            Some(Wanted::Events(counters)) => counters.start(),
            None => {}
        }
    }
}

/// Called after a window has closed.
pub(crate) fn window_closes() {
    if ARMED.load(Ordering::Relaxed) {
        memory::stop();
        if let Some(Wanted::Events(counters)) =
            &*WANTED.lock().unwrap_or_else(PoisonError::into_inner)
        {
            counters.stop();
        }
    }
}

/// Runs `sample` so that its windows count.
fn armed<E>(wanted: Wanted, sample: impl FnOnce() -> Result<(), E>) -> Result<Option<Wanted>, E> {
    *WANTED.lock().unwrap_or_else(PoisonError::into_inner) = Some(wanted);
    ARMED.store(true, Ordering::Relaxed);
    let outcome = sample();
    ARMED.store(false, Ordering::Relaxed);
    memory::stop();
    outcome.map(|()| WANTED.lock().unwrap_or_else(PoisonError::into_inner).take())
}

/// Counts one call for memory, and `calls` calls for events; `sample` calls the kernel as often as it is told.
///
/// # Errors
/// That of a sample.
pub(crate) fn count<E>(
    calls: u64,
    mut sample: impl FnMut(u64) -> Result<(), E>,
) -> Result<Resources, E> {
    let memory: Option<MemoryUse> = if memory::installed() {
        armed(Wanted::Memory, || sample(1))?;
        Some(memory::counted())
    } else {
        None
    };
    let (counters, absent) = Counters::open();
    let counters = if counters.is_empty() {
        Vec::new()
    } else {
        match armed(Wanted::Events(counters), || sample(calls))? {
            Some(Wanted::Events(counters)) => counters.per_call(calls),
            _ => Vec::new(),
        }
    };
    Ok(Resources { memory, counters, absent })
}
