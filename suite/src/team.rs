//! Threads that run the same function side by side and wait for one another at barriers, for algorithms whose steps
//! are too short for a fork and a join each.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Condvar, LazyLock, Mutex, PoisonError};

use crate::tasks::on_threads;

/// Looks at a barrier before a waiting thread sleeps: some ten microseconds, a few times what waking it takes.
const SPINS: u32 = 1_000;

/// Processors that this process may use: asked once, because asking reads files.
static PROCESSORS: LazyLock<usize> =
    LazyLock::new(|| std::thread::available_parallelism().map_or(1, usize::from));

/// One member of a running team.
pub(crate) struct Member<'a> {
    /// Its number, 0 to `size` − 1. Number 0 is the thread that called.
    pub(crate) index: usize,
    barrier: &'a Barrier,
}

impl Member<'_> {
    /// Waits until all members have come here. Afterwards, all see their earlier writes.
    ///
    /// # Panics
    /// If another member has panicked: it would never come.
    pub(crate) fn wait(&self) {
        self.barrier.wait();
    }

    /// Lets a moment pass while waiting for something other than a barrier; `spins` counts from 0 for each wait.
    ///
    /// # Panics
    /// If another member has panicked: what is waited for would never happen.
    pub(crate) fn pause(&self, spins: &mut u32) {
        self.barrier.pause(spins);
    }
}

/// Runs a function on this number of threads at once, the calling one among them, until all have returned.
///
/// # Panics
/// If one of them panics; the others are released from their barriers.
pub(crate) fn run(size: usize, work: impl Fn(&Member<'_>) + Sync) {
    let barrier = Barrier::new(size);
    on_threads(size, &|index| {
        let _guard = ReleaseOnPanic(&barrier);
        work(&Member { index, barrier: &barrier });
    });
}

/// A barrier that spins for a while, because the steps between two are short, and then sleeps. If others want the
/// processors, a spinning thread keeps away the one that it waits for.
struct Barrier {
    size: usize,
    /// Looks before a waiting thread sleeps; none if there are more threads than processors.
    spins: u32,
    arrived: AtomicUsize,
    /// Counts how often the barrier has opened.
    phase: AtomicUsize,
    broken: AtomicBool,
    /// How many sleep, or are about to.
    sleepers: AtomicUsize,
    sleep: Mutex<()>,
    opened: Condvar,
}

impl Barrier {
    fn new(size: usize) -> Self {
        Self {
            size,
            spins: if size <= *PROCESSORS { SPINS } else { 0 },
            arrived: AtomicUsize::new(0),
            phase: AtomicUsize::new(0),
            broken: AtomicBool::new(false),
            sleepers: AtomicUsize::new(0),
            sleep: Mutex::new(()),
            opened: Condvar::new(),
        }
    }

    fn wait(&self) {
        if self.size == 1 {
            return;
        }
        let phase = self.phase.load(Ordering::SeqCst);
        if self.arrived.fetch_add(1, Ordering::SeqCst) + 1 == self.size {
            self.arrived.store(0, Ordering::SeqCst);
            self.phase.store(phase.wrapping_add(1), Ordering::SeqCst);
            self.wake();
            return;
        }
        for _ in 0..self.spins {
            if self.phase.load(Ordering::Acquire) != phase {
                return;
            }
            self.fail_if_broken();
            std::hint::spin_loop();
        }
        self.sleep_through(phase);
    }

    fn sleep_through(&self, phase: usize) {
        // Either the opener of the barrier sees a sleeper, or the sleeper sees that it is open.
        self.sleepers.fetch_add(1, Ordering::SeqCst);
        let mut guard = self.sleep.lock().unwrap_or_else(PoisonError::into_inner);
        while self.phase.load(Ordering::SeqCst) == phase && !self.broken.load(Ordering::SeqCst) {
            guard = self.opened.wait(guard).unwrap_or_else(PoisonError::into_inner);
        }
        drop(guard);
        self.sleepers.fetch_sub(1, Ordering::SeqCst);
        if self.phase.load(Ordering::SeqCst) == phase {
            self.fail_if_broken();
        }
    }

    /// Wakes all that sleep.
    fn wake(&self) {
        if self.sleepers.load(Ordering::SeqCst) > 0 {
            // Taken for a moment, so that nobody is between looking and sleeping.
            drop(self.sleep.lock().unwrap_or_else(PoisonError::into_inner));
            self.opened.notify_all();
        }
    }

    fn pause(&self, spins: &mut u32) {
        self.fail_if_broken();
        if *spins < self.spins {
            *spins += 1;
            std::hint::spin_loop();
        } else {
            std::thread::yield_now();
        }
    }

    fn fail_if_broken(&self) {
        assert!(!self.broken.load(Ordering::Relaxed), "another thread of the team panicked");
    }
}

/// Tells the others not to wait for a member that panicked.
struct ReleaseOnPanic<'a>(&'a Barrier);

impl Drop for ReleaseOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.broken.store(true, Ordering::SeqCst);
            self.0.wake();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_passes_a_barrier_before_all_have_come() {
        for size in [1, 2, 7] {
            let arrivals = AtomicUsize::new(0);
            run(size, |member| {
                for round in 1..200 {
                    arrivals.fetch_add(1, Ordering::Relaxed);
                    member.wait();
                    assert_eq!(arrivals.load(Ordering::Relaxed), round * size);
                    member.wait();
                }
            });
        }
    }

    #[test]
    #[should_panic(expected = "another thread of the team panicked")]
    fn a_panic_releases_the_others() {
        run(3, |member| {
            assert!(member.index != 2, "one fails");
            member.wait();
        });
    }
}
