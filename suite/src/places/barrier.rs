//! The barrier between the phases of clocked threads.

use std::sync::atomic::{
    AtomicBool, AtomicUsize,
    Ordering::{AcqRel, Acquire, Relaxed, SeqCst},
};
use std::sync::{Condvar, Mutex, PoisonError};

use crossbeam_utils::CachePadded;

/// How often a thread looks before it goes to sleep: some microseconds, longer than a short phase of an equal.
const LOOKS: u32 = 2_000;

/// A barrier for phases of microseconds: threads that wait look for a while before they sleep, and where there are more
/// threads than processors they sleep at once. A thread that panics wakes all others, which then panic as well.
///
/// ```
/// use plusminus_suite::places::SpinBarrier;
///
/// let barrier = SpinBarrier::new(2);
/// std::thread::scope(|scope| {
///     scope.spawn(|| barrier.wait());
///     barrier.wait();
/// });
/// ```
#[derive(Debug)]
pub struct SpinBarrier {
    threads: usize,
    looks: u32,
    missing: CachePadded<AtomicUsize>,
    generation: CachePadded<AtomicUsize>,
    sleepers: AtomicUsize,
    poisoned: AtomicBool,
    bed: Mutex<()>,
    alarm: Condvar,
}

impl SpinBarrier {
    /// Makes a barrier at which this number of threads meet.
    pub fn new(threads: usize) -> Self {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        Self {
            threads,
            looks: if threads <= processors { LOOKS } else { 0 },
            missing: CachePadded::new(AtomicUsize::new(threads)),
            generation: CachePadded::new(AtomicUsize::new(0)),
            sleepers: AtomicUsize::new(0),
            poisoned: AtomicBool::new(false),
            bed: Mutex::new(()),
            alarm: Condvar::new(),
        }
    }

    /// Returns once all threads have come.
    ///
    /// # Panics
    /// When another thread has panicked and will never come.
    pub fn wait(&self) {
        if self.threads == 1 {
            return;
        }
        let generation = self.generation.load(Acquire);
        if self.missing.fetch_sub(1, AcqRel) == 1 {
            self.missing.store(self.threads, Relaxed);
            // The order with `sleepers` decides who sees whom: either the sleeper sees the new generation before it
            // sleeps, or it is seen here and woken.
            self.generation.store(generation.wrapping_add(1), SeqCst);
            if self.sleepers.load(SeqCst) > 0 {
                self.wake();
            }
            return;
        }
        for _ in 0..self.looks {
            if self.generation.load(Acquire) != generation {
                return;
            }
            std::hint::spin_loop();
        }
        self.sleep(generation);
    }

    /// Sleeps until the generation changes.
    fn sleep(&self, generation: usize) {
        let mut bed = self.bed.lock().unwrap_or_else(PoisonError::into_inner);
        self.sleepers.fetch_add(1, SeqCst);
        while self.generation.load(SeqCst) == generation && !self.poisoned.load(SeqCst) {
            bed = self.alarm.wait(bed).unwrap_or_else(PoisonError::into_inner);
        }
        self.sleepers.fetch_sub(1, SeqCst);
        drop(bed);
        assert!(
            self.generation.load(SeqCst) != generation,
            "another thread of this run has panicked"
        );
    }

    /// Wakes everyone. The lock is taken so that no thread is between looking and sleeping.
    fn wake(&self) {
        drop(self.bed.lock().unwrap_or_else(PoisonError::into_inner));
        self.alarm.notify_all();
    }

    /// While this lives, a panic of the thread that holds it frees all others from waiting.
    pub fn poison_on_panic(&self) -> PoisonOnPanic<'_> {
        PoisonOnPanic(self)
    }
}

/// See [`SpinBarrier::poison_on_panic`].
#[derive(Debug)]
pub struct PoisonOnPanic<'a>(&'a SpinBarrier);

impl Drop for PoisonOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.poisoned.store(true, SeqCst);
            self.0.wake();
        }
    }
}
