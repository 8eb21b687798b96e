//! One sample: the timed window around a stretch of calls, and nothing else inside it.

use std::{
    hint::black_box,
    mem::{MaybeUninit, needs_drop},
    sync::atomic::{AtomicBool, Ordering},
    time::Instant,
};

use serde::{Deserialize, Serialize};

use crate::sys;

/// One timed stretch of calls, as read from the clocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct RawSample {
    /// Wall time of all calls of the window, in nanoseconds.
    pub wall_ns: u64,
    /// CPU time of the window in nanoseconds: of the thread, or of the process for parallel kernels.
    pub cpu_ns: Option<u64>,
    /// How often the scheduler took the processor away during the window.
    pub switches: Option<u64>,
    /// Time spent outside the window: inputs made, outputs checked and dropped.
    pub outside_ns: u64,
}

/// Why an output is wrong, in the words of the problem's check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrongAnswer(pub String);

/// Whether CPU time is that of the whole process (parallel kernels) instead of the measuring thread.
static WHOLE_PROCESS: AtomicBool = AtomicBool::new(false);

/// Chooses whose CPU time samples carry.
pub(super) fn count_whole_process(whole: bool) {
    WHOLE_PROCESS.store(whole, Ordering::Relaxed);
}

/// The clocks at the edge of a window.
struct Reading {
    wall: Instant,
    cpu_ns: Option<u64>,
    switches: Option<u64>,
}

impl Reading {
    /// Opens a window: the wall clock is read last, so that the slower clocks stay outside.
    fn open() -> Self {
        let whole = WHOLE_PROCESS.load(Ordering::Relaxed);
        let switches = sys::involuntary_switches(whole);
        let cpu_ns = if whole { sys::process_cpu_ns() } else { sys::thread_cpu_ns() };
        Self { switches, cpu_ns, wall: Instant::now() }
    }

    /// Closes a window: the wall clock is read first.
    fn close() -> Self {
        let wall = Instant::now();
        let whole = WHOLE_PROCESS.load(Ordering::Relaxed);
        let cpu_ns = if whole { sys::process_cpu_ns() } else { sys::thread_cpu_ns() };
        Self { wall, cpu_ns, switches: sys::involuntary_switches(whole) }
    }

    /// What happened between two readings; the time outside is filled in later.
    fn until(&self, end: &Reading) -> RawSample {
        RawSample {
            wall_ns: nanoseconds(end.wall - self.wall),
            cpu_ns: self.cpu_ns.zip(end.cpu_ns).map(|(from, to)| to.saturating_sub(from)),
            switches: self.switches.zip(end.switches).map(|(from, to)| to.saturating_sub(from)),
            outside_ns: 0,
        }
    }
}

fn nanoseconds(duration: std::time::Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}

/// Times `calls` calls, each on an input made before the window opens; outputs are dropped after it has closed.
///
/// `check`, if given, sees the last output, after the window.
pub(crate) fn take_sample<I, O, C>(
    calls: u64,
    mut make_input: impl FnMut() -> I,
    mut kernel: impl FnMut(I) -> O,
    check: Option<C>,
) -> Result<RawSample, WrongAnswer>
where
    C: FnOnce(&O) -> Result<(), String>,
{
    let begin = Instant::now();
    let calls = usize::try_from(calls.max(1)).unwrap_or(usize::MAX);
    let mut inputs: Vec<I> = (0..calls).map(|_| make_input()).collect();
    let mut sample;
    let verdict;
    if needs_drop::<O>() {
        // Dropping may cost more than the kernel, so outputs wait for the end of the window.
        let mut outputs: Vec<O> = Vec::with_capacity(calls);
        let slots = outputs.spare_capacity_mut();
        let open = Reading::open();
        for (slot, input) in slots.iter_mut().zip(inputs.drain(..)) {
            black_box(slot.write(kernel(black_box(input))));
        }
        let close = Reading::close();
        // SAFETY: the loop above ran `calls` times, as both its sides have at least `calls` elements, and
        // initialised the first `calls` slots.
        unsafe { outputs.set_len(calls) };
        sample = open.until(&close);
        verdict = check.map_or(Ok(()), |check| check(&outputs[calls - 1]));
    } else {
        // Nothing to drop: each output overwrites the one before, which is what `black_box` would do as well.
        let mut last = MaybeUninit::uninit();
        let open = Reading::open();
        for input in inputs.drain(..) {
            black_box(last.write(kernel(black_box(input))));
        }
        let close = Reading::close();
        sample = open.until(&close);
        // SAFETY: there was at least one call, and each initialises `last`.
        let last = unsafe { last.assume_init() };
        verdict = check.map_or(Ok(()), |check| check(&last));
    }
    sample.outside_ns = nanoseconds(begin.elapsed()).saturating_sub(sample.wall_ns);
    verdict.map(|()| sample).map_err(WrongAnswer)
}

#[cfg(test)]
mod tests {
    use std::{cell::Cell, rc::Rc};

    use super::*;

    type NoCheck<O> = fn(&O) -> Result<(), String>;

    #[test]
    fn every_call_gets_an_input_and_every_output_is_dropped_once() {
        struct Output(Rc<Cell<u32>>);
        impl Drop for Output {
            fn drop(&mut self) {
                self.0.set(self.0.get() + 1);
            }
        }
        for calls in [1, 2, 1000] {
            let (made, called, dropped) = (Cell::new(0), Cell::new(0), Rc::new(Cell::new(0)));
            take_sample(
                calls,
                || made.set(made.get() + 1),
                |()| {
                    assert_eq!(
                        u64::from(made.get()),
                        calls,
                        "all inputs come before the first call"
                    );
                    assert_eq!(dropped.get(), 0, "no output is dropped inside the window");
                    called.set(called.get() + 1);
                    Output(dropped.clone())
                },
                None::<NoCheck<Output>>,
            )
            .unwrap();
            assert_eq!(
                (made.get(), called.get(), dropped.get()),
                (calls as u32, calls as u32, calls as u32)
            );
        }
    }

    #[test]
    fn the_check_sees_the_last_output() {
        let count = Cell::new(0_u32);
        let next = |()| {
            count.set(count.get() + 1);
            count.get()
        };
        let refuse = |last: &u32| Err(format!("{last} is wrong"));
        assert_eq!(
            take_sample(3, || (), next, Some(refuse)),
            Err(WrongAnswer("3 is wrong".into()))
        );
        let boxed =
            take_sample(2, || (), |()| Box::new(7), Some(|o: &Box<i32>| Err(format!("{o}"))));
        assert_eq!(boxed, Err(WrongAnswer("7".into())));
    }

    #[test]
    fn zero_calls_are_taken_as_one() {
        let count = Cell::new(0);
        take_sample(0, || (), |()| count.set(count.get() + 1), None::<NoCheck<()>>).unwrap();
        assert_eq!(count.get(), 1);
    }
}
