//! The parts of a kernel: how long each phase that it names has taken in the windows of a sample. The clock is read for
//! phases only while a runner asks for their times, in samples of their own, so that the time of the whole has nothing of
//! that in it.

use std::sync::{
    Mutex, PoisonError, RwLock,
    atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
};

use super::moment::{Moment, TimeSource};
use crate::protocol::PhaseTimes;

/// The phases of the kernels of this process: [`phase`] is called by code that is handed nothing of ours.
pub(crate) static TIMES: Recorder = Recorder::new();

/// Times phases while it is asked to.
pub(crate) struct Recorder {
    /// Whether phases are timed in the sample that is being taken.
    asked: AtomicBool,
    /// Whether a window of such a sample is open: what happens around windows is no part of the kernel.
    timed: AtomicBool,
    /// The phases that the benchmark declares.
    declared: RwLock<Vec<Declared>>,
    /// A phase that was begun and is not declared.
    unknown: Mutex<Option<String>>,
    /// Phases that have begun and not ended, and the most that there were at once.
    open: AtomicU64,
    at_once: AtomicU64,
    /// The length of a count of the processor's counter in nanoseconds, as bits, if that is the clock; else 0.
    ns_per_count: AtomicU64,
}

struct Declared {
    name: &'static str,
    ns: AtomicU64,
    entries: AtomicU64,
}

/// Runs a part of a kernel, which `phases = [...]` of its attribute names.
///
/// After the samples in which the kernel is timed as a whole come others, in the same processes, in which its phases are timed
/// as well. The report sets the sum of the parts against the whole. At all other times this calls the closure and does
/// nothing else but look at a flag.
///
/// ```
/// use plusminus::{bench, phase};
///
/// #[bench(args = [1000], phases = ["sort", "search"])]
/// fn find(n: u32) -> usize {
///     let mut numbers: Vec<u32> = (0..n).rev().collect();
///     phase("sort", || numbers.sort_unstable());
///     phase("search", || numbers.partition_point(|&number| number < n / 2))
/// }
///
/// plusminus::main!();
/// ```
///
/// The rest of the whole here, making the list, is in no phase, and the report prints how long that takes. For a part
/// that is no closure, such as one with `await` in it, there is [`Phase`].
#[inline]
pub fn phase<T>(name: &str, work: impl FnOnce() -> T) -> T {
    let _phase = Phase::begin(name);
    work()
}

/// A part of a kernel that lasts until this is dropped: [`phase`] without a closure.
///
/// ```
/// use plusminus::Phase;
///
/// let parse = Phase::begin("parse");
/// let numbers: Vec<u32> = "3 1 2".split(' ').filter_map(|text| text.parse().ok()).collect();
/// drop(parse);
/// assert_eq!(numbers.len(), 3);
/// ```
#[must_use = "a phase ends when this is dropped: `let phase = Phase::begin(\"…\");`"]
#[derive(Debug)]
pub struct Phase(Option<Begun>);

struct Begun {
    recorder: &'static Recorder,
    phase: usize,
    at: Moment,
}

impl std::fmt::Debug for Begun {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Begun").field("phase", &self.phase).field("at", &self.at).finish()
    }
}

impl Phase {
    /// Begins a phase that the attribute of the benchmark declares.
    #[inline]
    pub fn begin(name: &str) -> Self {
        TIMES.phase(name)
    }
}

impl Drop for Phase {
    #[inline]
    fn drop(&mut self) {
        if let Some(begun) = self.0.take() {
            begun.recorder.end(&begun);
        }
    }
}

impl Recorder {
    const fn new() -> Self {
        Self {
            asked: AtomicBool::new(false),
            timed: AtomicBool::new(false),
            declared: RwLock::new(Vec::new()),
            unknown: Mutex::new(None),
            open: AtomicU64::new(0),
            at_once: AtomicU64::new(0),
            ns_per_count: AtomicU64::new(0),
        }
    }

    fn source(&self) -> TimeSource {
        match f64::from_bits(self.ns_per_count.load(Relaxed)) {
            0.0 => TimeSource::System,
            ns_per_count => TimeSource::Counter { ns_per_count },
        }
    }

    #[inline]
    fn phase(&'static self, name: &str) -> Phase {
        Phase(if self.timed.load(Relaxed) { self.begin(name) } else { None })
    }

    /// Finds the phase, and reads the clock last.
    #[cold]
    fn begin(&'static self, name: &str) -> Option<Begun> {
        let declared = self.declared.read().unwrap_or_else(PoisonError::into_inner);
        let Some(phase) = declared.iter().position(|phase| phase.name == name) else {
            let mut unknown = self.unknown.lock().unwrap_or_else(PoisonError::into_inner);
            unknown.get_or_insert_with(|| name.to_owned());
            return None;
        };
        self.at_once.fetch_max(self.open.fetch_add(1, Relaxed) + 1, Relaxed);
        drop(declared);
        Some(Begun { recorder: self, phase, at: self.source().now() })
    }

    /// Reads the clock first, and keeps the time.
    #[cold]
    fn end(&self, begun: &Begun) {
        let source = self.source();
        let ns = source.between(begun.at, source.now());
        // One that has begun in an earlier sample is not counted among those of this one.
        let _ = self.open.fetch_update(Relaxed, Relaxed, |open| open.checked_sub(1));
        let declared = self.declared.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(phase) = declared.get(begun.phase) {
            phase.ns.fetch_add(ns, Relaxed);
            phase.entries.fetch_add(1, Relaxed);
        }
    }

    /// Chooses the phases that are timed in the next sample.
    pub(crate) fn ask(&self, names: &[&'static str], source: TimeSource) {
        let ns_per_count = match source {
            TimeSource::System => 0.0,
            TimeSource::Counter { ns_per_count } => ns_per_count,
        };
        self.ns_per_count.store(f64::to_bits(ns_per_count), Relaxed);
        let declared = |&name: &&'static str| Declared {
            name,
            ns: AtomicU64::new(0),
            entries: AtomicU64::new(0),
        };
        *self.declared.write().unwrap_or_else(PoisonError::into_inner) =
            names.iter().map(declared).collect();
        self.unknown.lock().unwrap_or_else(PoisonError::into_inner).take();
        self.open.store(0, Relaxed);
        self.at_once.store(0, Relaxed);
        self.asked.store(true, Relaxed);
    }

    pub(crate) fn stop(&self) {
        self.asked.store(false, Relaxed);
        self.timed.store(false, Relaxed);
    }

    /// Writes the phases of a sample, which lasted `wall_ns`, down, and times no more of them.
    pub(crate) fn take(&self, wall_ns: u64, times: &mut PhaseTimes) -> Result<(), String> {
        self.stop();
        if let Some(name) = self.unknown.lock().unwrap_or_else(PoisonError::into_inner).take() {
            return Err(format!(
                "the kernel has a phase `{name}` that its attribute does not declare; add it to `phases = [...]`"
            ));
        }
        let declared = self.declared.read().unwrap_or_else(PoisonError::into_inner);
        times.own_ns.resize(declared.len(), Vec::new());
        times.entries.resize(declared.len(), 0);
        for (index, phase) in declared.iter().enumerate() {
            times.own_ns[index].push(phase.ns.load(Relaxed));
            times.entries[index] += phase.entries.load(Relaxed);
        }
        times.wall_ns.push(wall_ns);
        times.at_once = times.at_once.max(self.at_once.load(Relaxed));
        Ok(())
    }

    /// A window is about to open: phases count from here on, if they are asked for.
    pub(crate) fn window_opens(&self) {
        self.timed.store(self.asked.load(Relaxed), Relaxed);
    }

    /// A window has closed.
    pub(crate) fn window_closes(&self) {
        self.timed.store(false, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phases_count_in_windows_of_samples_that_ask_for_them() {
        static OWN: Recorder = Recorder::new();
        let mut times = PhaseTimes::default();
        OWN.ask(&["build", "search", "never"], TimeSource::System);
        drop(OWN.phase("outside of a window, so not even a name is looked at"));
        OWN.window_opens();
        (0..3).for_each(|_| drop(OWN.phase("build")));
        let outer = OWN.phase("search");
        drop(OWN.phase("build"));
        drop(outer);
        OWN.window_closes();
        drop(OWN.phase("build"));
        OWN.take(1_000_000, &mut times).unwrap();
        assert_eq!(times.entries, [4, 1, 0]);
        assert_eq!(times.at_once, 2, "one within another");
        assert_eq!((times.wall_ns.len(), times.own_ns.len()), (1, 3));
        assert!(times.own_ns[1] >= times.own_ns[2] && times.own_ns[2] == [0]);
        OWN.window_opens();
        assert!(OWN.phase("nobody asks any more").0.is_none());
    }

    #[test]
    fn a_phase_that_is_not_declared_is_named() {
        static OWN: Recorder = Recorder::new();
        OWN.ask(&["build"], TimeSource::System);
        OWN.window_opens();
        drop(OWN.phase("serach"));
        let refused = OWN.take(1, &mut PhaseTimes::default()).unwrap_err();
        assert!(refused.contains("`serach`") && refused.contains("phases = "), "{refused}");
    }

    #[test]
    fn phases_of_several_threads_are_added_up() {
        static OWN: Recorder = Recorder::new();
        OWN.ask(&["work"], TimeSource::System);
        OWN.window_opens();
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| (0..100).for_each(|_| drop(OWN.phase("work"))));
            }
        });
        let mut times = PhaseTimes::default();
        OWN.take(1, &mut times).unwrap();
        assert_eq!(times.entries, [400]);
        assert!((1..=4).contains(&times.at_once));
    }
}
