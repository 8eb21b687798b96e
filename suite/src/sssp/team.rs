//! Threads that run the same function side by side and wait for one another at barriers, for algorithms whose steps
//! are too short for a fork and a join each.

use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Looks at a barrier before a waiting thread lets another one run: some microseconds.
const SPINS: u32 = 4_000;

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
    /// Waits until all members have come here. What they wrote before, all see after.
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

/// Runs a function on so many threads at once, the calling one among them, until all have returned.
///
/// # Panics
/// If one of them panics; the others are released from their barriers.
pub(crate) fn run(size: usize, work: impl Fn(&Member<'_>) + Sync) {
    let barrier = Barrier::new(size);
    let member = |index| {
        let _guard = ReleaseOnPanic(&barrier);
        work(&Member { index, barrier: &barrier });
    };
    std::thread::scope(|scope| {
        for index in 1..size {
            let member = &member;
            scope.spawn(move || member(index));
        }
        member(0);
    });
}

/// A barrier that spins: the steps between two are short, and members seldom outnumber processors.
struct Barrier {
    size: usize,
    /// Looks before a waiting thread lets another one run; it has to at once if that one needs its processor.
    spins: u32,
    arrived: AtomicUsize,
    /// Counts how often the barrier has opened.
    phase: AtomicUsize,
    broken: AtomicBool,
}

impl Barrier {
    fn new(size: usize) -> Self {
        Self {
            size,
            spins: if size <= *PROCESSORS { SPINS } else { 0 },
            arrived: AtomicUsize::new(0),
            phase: AtomicUsize::new(0),
            broken: AtomicBool::new(false),
        }
    }

    fn wait(&self) {
        if self.size == 1 {
            return;
        }
        let phase = self.phase.load(Ordering::Acquire);
        if self.arrived.fetch_add(1, Ordering::AcqRel) + 1 == self.size {
            self.arrived.store(0, Ordering::Relaxed);
            self.phase.store(phase.wrapping_add(1), Ordering::Release);
            return;
        }
        let mut spins = 0;
        while self.phase.load(Ordering::Acquire) == phase {
            self.pause(&mut spins);
        }
    }

    fn pause(&self, spins: &mut u32) {
        assert!(!self.broken.load(Ordering::Relaxed), "another thread of the team panicked");
        if *spins < self.spins {
            *spins += 1;
            std::hint::spin_loop();
        } else {
            std::thread::yield_now();
        }
    }
}

/// Tells the others not to wait for a member that panicked.
struct ReleaseOnPanic<'a>(&'a Barrier);

impl Drop for ReleaseOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.broken.store(true, Ordering::Relaxed);
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
