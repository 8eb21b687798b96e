//! Independent callers of one kernel: threads that live as long as the worker, and start every window together.

use std::{
    any::Any,
    panic::{self, AssertUnwindSafe},
    sync::{
        Arc, Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
};

use super::{
    caller::{Ask, Caller, Windows},
    moment::{Moment, TimeSource},
    sample::{WrongAnswer, take_sample_of},
};
use crate::protocol::RawSample;

/// How callers shared the wall time of a sample, in nanoseconds, summed over its windows. The rest of the wall time
/// is how long a caller had ended before the last one.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Shares {
    pub(crate) own_ns: Vec<u64>,
    /// How much later than the first caller each of them began.
    pub(crate) late_ns: Vec<u64>,
}

/// Where callers wait for each other: they spin, because being woken takes longer than many kernels.
pub(crate) struct Gate {
    callers: usize,
    arrived: AtomicUsize,
    round: AtomicUsize,
    /// A caller has panicked, so that waiting for it would never end.
    broken: AtomicBool,
}

impl Gate {
    fn new(callers: usize) -> Self {
        Self {
            callers,
            arrived: AtomicUsize::new(0),
            round: AtomicUsize::new(0),
            broken: AtomicBool::new(false),
        }
    }

    pub(crate) fn wait(&self) {
        let round = self.round.load(Ordering::Acquire);
        if self.arrived.fetch_add(1, Ordering::AcqRel) + 1 == self.callers {
            self.arrived.store(0, Ordering::Relaxed);
            self.round.store(round.wrapping_add(1), Ordering::Release);
            return;
        }
        let mut looks = 0_u32;
        while self.round.load(Ordering::Acquire) == round {
            assert!(!self.broken.load(Ordering::Relaxed), "another caller of the kernel panicked");
            looks = looks.saturating_add(1);
            // With more callers than processors, the missing one may need this processor.
            if looks < 2000 { std::hint::spin_loop() } else { thread::yield_now() }
        }
    }
}

/// The job of every caller. Its argument is the number of the caller.
type Job = dyn Fn(usize) + Sync;

pub(super) struct Threads {
    count: usize,
    board: Arc<Board>,
    /// Lives as long as the process: a caller may still be leaving it when its sample is done.
    gate: &'static Gate,
}

/// Where threads find the next job, and where its end is noted.
#[derive(Default)]
struct Board {
    notes: Mutex<Notes>,
    begun: Condvar,
    ended: Condvar,
}

#[derive(Default)]
struct Notes {
    /// The present job; `None` between two of them.
    job: Option<&'static Job>,
    /// The number of jobs so far. It also goes up when no more will come.
    jobs: usize,
    /// Threads that have not ended the present one.
    busy: usize,
    /// A panic that ended it.
    panicked: Option<Box<dyn Any + Send>>,
}

impl Board {
    /// Nothing that can panic is done under the lock.
    fn notes(&self) -> MutexGuard<'_, Notes> {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does the part of this caller in every job.
    fn serve(&self, index: usize) {
        for done in 0.. {
            let notes = self.begun.wait_while(self.notes(), |notes| notes.jobs == done);
            let Some(job) = notes.unwrap_or_else(PoisonError::into_inner).job else { return };
            let end = panic::catch_unwind(AssertUnwindSafe(|| job(index)));
            let mut notes = self.notes();
            let other = end.err().and_then(|payload| notes.panicked.replace(payload));
            notes.busy -= 1;
            if notes.busy == 0 {
                self.ended.notify_one();
            }
            drop(notes);
            // Its code may be the user's.
            drop(other);
        }
    }
}

impl Threads {
    fn start(count: usize) -> Self {
        let board = Arc::new(Board::default());
        let threads = Self { count, board, gate: Box::leak(Box::new(Gate::new(count))) };
        plusminus_starts_callers(count, &threads.board);
        threads
    }

    /// Runs the job on all threads, and returns when all have ended it.
    fn run(&self, job: &(dyn Fn(usize) + Sync)) {
        // SAFETY: only the lifetime is changed. Every thread with the reference counts itself as one that has ended the job
        // after its last use of it, even when the job panics. This function waits for all of them before it returns or
        // panics, so the reference is never used after the borrow.
        let job: &'static Job =
            unsafe { std::mem::transmute::<&(dyn Fn(usize) + Sync), &'static Job>(job) };
        let mut notes = self.board.notes();
        notes.job = Some(job);
        notes.jobs += 1;
        notes.busy = self.count;
        self.board.begun.notify_all();
        let notes = self.board.ended.wait_while(notes, |notes| notes.busy > 0);
        let mut notes = notes.unwrap_or_else(PoisonError::into_inner);
        notes.job = None;
        let panicked = notes.panicked.take();
        drop(notes);
        if let Some(payload) = panicked {
            panic::resume_unwind(payload);
        }
    }
}

/// Starts the threads. Apart from all else, so that the proof of identical code knows by its name who starts them.
#[inline(never)]
fn plusminus_starts_callers(count: usize, board: &Arc<Board>) {
    for index in 0..count {
        let board = board.clone();
        if let Err(error) = thread::Builder::new().spawn(move || board.serve(index)) {
            panic!("the system does not let caller {index} have a thread: {error}");
        }
    }
}

impl Drop for Threads {
    fn drop(&mut self) {
        self.board.notes().jobs += 1;
        self.board.begun.notify_all();
    }
}

/// Takes a sample with all callers of the benchmark: each makes its own inputs and calls the kernel as often as
/// asked, and all windows open together. The sample's wall time is that from the first caller's begin to the last one's
/// end.
///
/// The first caller's last output is checked.
pub(crate) fn take_shared_sample<I, O, C>(
    ask: &mut Ask<'_>,
    make_input: impl Fn() -> I + Sync,
    kernel: &mut (impl Fn(I) -> O + Sync),
    check: Option<C>,
) -> Result<RawSample, WrongAnswer>
where
    C: Fn(O) -> Result<(), String> + Sync,
{
    let size = (ask.calls, ask.at_once);
    if ask.windows.callers == 1 {
        let caller = &mut Caller::alone(ask.windows);
        return take_sample_of(caller, size, make_input, kernel, check);
    }
    let kernel = &*kernel;
    by_all(ask.windows, &|caller, is_first| {
        let check = check.as_ref().filter(|_| is_first);
        take_sample_of(caller, size, &make_input, &mut &*kernel, check)
    })
}

/// Takes a sample with all callers. Apart from the kernels' own code, so that the compiler makes it once, and not with
/// every benchmark, where it would differ by what else is in the crate.
#[inline(never)]
fn by_all(windows: &mut Windows, take: &Take<'_>) -> Result<RawSample, WrongAnswer> {
    let count = windows.callers;
    let idle = windows.threads.take().filter(|threads| threads.count == count);
    let threads = idle.unwrap_or_else(|| Threads::start(count));
    let (shared, gate) = (&windows.shared, threads.gate);
    let found: Vec<Mutex<Option<Part>>> = (0..count).map(|_| Mutex::new(None)).collect();
    threads.run(&|index| {
        let breaks = BreaksGate(gate);
        let mut caller = Caller::of_several(shared, gate, index == 0);
        let part = take(&mut caller, index == 0).map(|sample| (sample, caller.edges));
        *found[index].lock().unwrap_or_else(PoisonError::into_inner) = Some(part);
        std::mem::forget(breaks);
    });
    // After a panic the threads are not used again, as some of them may have left the gate and some not.
    let source = windows.shared.source;
    windows.threads = Some(threads);
    let (samples, edges): (Vec<RawSample>, Vec<Vec<(Moment, Moment)>>) = found
        .into_iter()
        .filter_map(|one| one.into_inner().unwrap_or_else(PoisonError::into_inner))
        .collect::<Result<Vec<_>, _>>()?
        .into_iter()
        .unzip();
    let (wall_ns, shares) = shared_of(source, &edges);
    windows.shares = shares;
    Ok(RawSample { wall_ns, ..together(&samples) })
}

/// Takes the sample of one caller. Its argument is whether it is the first.
type Take<'a> = dyn Fn(&mut Caller<'_>, bool) -> Result<RawSample, WrongAnswer> + Sync + 'a;

/// The result of a caller: its sample, and when its windows opened and closed.
type Part = Result<(RawSample, Vec<(Moment, Moment)>), WrongAnswer>;

/// The wall time of a sample of several callers, and their shares of it. A common window lasts from the start of the
/// first caller to the end of the last one. This is the maximum over processors. A caller that starts late for lack
/// of a processor makes it longer.
fn shared_of(source: TimeSource, windows: &[Vec<(Moment, Moment)>]) -> (u64, Shares) {
    let mut shares = Shares { own_ns: vec![0; windows.len()], late_ns: vec![0; windows.len()] };
    let mut wall_ns = 0;
    // All callers meet at both edges, so that they have equally many windows.
    for index in 0..windows.iter().map(Vec::len).min().unwrap_or(0) {
        let callers = || windows.iter().map(|windows| windows[index]);
        let earlier = |a: Moment, b: Moment| if source.between(b, a) > 0 { b } else { a };
        let Some(begin) = callers().map(|(open, _)| open).reduce(earlier) else { continue };
        wall_ns += callers().map(|(_, close)| source.between(begin, close)).max().unwrap_or(0);
        for (caller, (open, close)) in callers().enumerate() {
            shares.own_ns[caller] += source.between(open, close);
            shares.late_ns[caller] += source.between(begin, open);
        }
    }
    (wall_ns, shares)
}

/// Releases the other callers when this one panics.
struct BreaksGate(&'static Gate);

impl Drop for BreaksGate {
    fn drop(&mut self) {
        self.0.broken.store(true, Ordering::Relaxed);
    }
}

/// The sum over all callers; the wall time is that of one of them.
fn together(samples: &[RawSample]) -> RawSample {
    let all = |value: fn(&RawSample) -> Option<u64>| {
        samples.iter().map(value).collect::<Option<Vec<u64>>>()
    };
    let cpu_ns = all(|sample| sample.cpu_ns).map(|own| own.iter().sum::<u64>());
    // To each caller all others are other threads: the process has used what one of them saw of it.
    let process = all(|sample| Some(sample.cpu_ns? + sample.others_ns?));
    let process_ns = process.and_then(|all| all.into_iter().max());
    RawSample {
        cpu_ns,
        others_ns: process_ns.zip(cpu_ns).map(|(all, own)| all.saturating_sub(own)),
        switches: all(|sample| sample.switches).and_then(|all| all.into_iter().max()),
        outside_ns: samples.iter().map(|sample| sample.outside_ns).max().unwrap_or(0),
        ..samples.first().copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    type NoCheck<O> = fn(O) -> Result<(), String>;

    #[test]
    fn every_caller_makes_its_inputs_and_calls_as_often_as_asked() {
        for callers in [1, 2, 5] {
            let mut windows = Windows { callers, ..Windows::default() };
            let (made, called) = (AtomicUsize::new(0), AtomicUsize::new(0));
            let threads = Mutex::new(BTreeSet::new());
            for _ in 0..3 {
                let sample = take_shared_sample(
                    &mut windows.ask(7),
                    || made.fetch_add(1, Ordering::Relaxed),
                    &mut |_| {
                        let all_made = made.load(Ordering::Relaxed) % (7 * callers) == 0;
                        assert!(all_made, "no window opens before all inputs are made");
                        threads.lock().unwrap().insert(format!("{:?}", thread::current().id()));
                        called.fetch_add(1, Ordering::Relaxed);
                    },
                    None::<NoCheck<()>>,
                )
                .unwrap();
                let shares = windows.take_shares();
                assert_eq!(shares.own_ns.len(), if callers == 1 { 0 } else { callers });
                for (own, late) in shares.own_ns.iter().zip(&shares.late_ns) {
                    assert!(
                        own + late <= sample.wall_ns,
                        "a caller ends with the last one at most"
                    );
                }
                assert!(callers == 1 || shares.late_ns.contains(&0), "one of them is the first");
            }
            assert_eq!(made.load(Ordering::Relaxed), 3 * 7 * callers);
            assert_eq!(called.load(Ordering::Relaxed), 3 * 7 * callers);
            assert_eq!(threads.lock().unwrap().len(), callers, "threads live on between samples");
        }
    }

    #[test]
    fn the_wall_time_is_from_the_first_begin_to_the_last_end() {
        let zero = std::time::Instant::now();
        let window = |open, close| {
            let at = |ns| Moment::System(zero + std::time::Duration::from_nanos(ns));
            (at(open), at(close))
        };
        // The second caller begins 30 ns late and ends last; in the second window the first one does.
        let windows =
            [vec![window(0, 100), window(1000, 1090)], vec![window(30, 140), window(1000, 1080)]];
        let (wall_ns, shares) = shared_of(TimeSource::System, &windows);
        assert_eq!(wall_ns, 140 + 90);
        assert_eq!(shares, Shares { own_ns: vec![190, 190], late_ns: vec![0, 30] });
        assert_eq!(shared_of(TimeSource::System, &[]), (0, Shares::default()));
    }

    #[test]
    fn a_panic_of_one_caller_ends_the_sample_of_all() {
        let mut windows = Windows { callers: 3, ..Windows::default() };
        let calls = AtomicUsize::new(0);
        let sample = panic::catch_unwind(AssertUnwindSafe(|| {
            take_shared_sample(
                &mut windows.ask(1),
                || (),
                &mut |()| {
                    assert!(calls.fetch_add(1, Ordering::Relaxed) != 1, "the second call fails")
                },
                None::<NoCheck<()>>,
            )
        }));
        assert!(sample.is_err());
    }

    #[test]
    fn a_wrong_answer_is_found_among_callers() {
        let mut windows = Windows { callers: 2, ..Windows::default() };
        let wrong = take_shared_sample(
            &mut windows.ask(1),
            || (),
            &mut |()| 3,
            Some(|n: i32| Err(n.to_string())),
        );
        assert_eq!(wrong, Err(WrongAnswer("3".to_owned())));
    }
}
