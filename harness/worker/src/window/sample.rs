//! One sample: the timed window around a stretch of calls, and nothing else inside it.

use std::{
    hint::black_box,
    mem::{MaybeUninit, needs_drop},
    time::Instant,
};

use super::{
    caller::{Ask, Caller, Reading, Windows},
    held::Held,
};
use crate::{protocol::RawSample, sys};

/// The most inputs or outputs that wait outside of a window, and the most bytes that they take themselves. Leftovers
/// of a kernel have to stay small, or the kernel is measured on memory that only the harness has filled.
const HELD: usize = 4096;
const HELD_BYTES: usize = 256 << 10;

/// Why an output is wrong, in the words of the problem's check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrongAnswer(pub String);

pub(crate) fn nanoseconds(duration: std::time::Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}

/// A window with nothing in it: what reading the clocks costs every sample.
pub(crate) fn empty_window(windows: &mut Windows) -> RawSample {
    let mut caller = Caller::alone(windows);
    let open = Reading::open(&caller);
    let close = Reading::close(&caller);
    open.until(&close, &mut caller)
}

/// How many calls share a window, when inputs or outputs of this size have to wait for its end.
fn held_at_once<I, O>() -> usize {
    let waiting = if needs_drop::<O>() { size_of::<O>() } else { 0 } + size_of::<I>();
    if waiting == 0 && !needs_drop::<O>() {
        // Nothing waits: all calls of a sample share one window.
        return usize::MAX;
    }
    (HELD_BYTES / waiting.max(1)).clamp(1, HELD)
}

/// Times `calls` calls, each on an input made before its window opens; outputs are dropped after it has closed.
///
/// `check`, if given, gets the last output, after the window.
pub(crate) fn take_sample<I, O, C>(
    ask: &mut Ask<'_>,
    make_input: impl FnMut() -> I,
    kernel: &mut impl FnMut(I) -> O,
    check: Option<C>,
) -> Result<RawSample, WrongAnswer>
where
    C: FnOnce(O) -> Result<(), String>,
{
    let size = (ask.calls, ask.at_once);
    take_sample_of(&mut Caller::alone(ask.windows), size, make_input, kernel, check)
}

/// Takes a sample of one caller.
pub(super) fn take_sample_of<I, O, C>(
    caller: &mut Caller<'_>,
    (calls, at_once): (u64, usize),
    mut make_input: impl FnMut() -> I,
    kernel: &mut impl FnMut(I) -> O,
    mut check: Option<C>,
) -> Result<RawSample, WrongAnswer>
where
    C: FnOnce(O) -> Result<(), String>,
{
    let begin = Instant::now();
    let mut left = usize::try_from(calls.max(1)).unwrap_or(usize::MAX);
    let held = held_at_once::<I, O>().min(at_once.max(1)).min(left);
    // Inputs of no size need no memory, however many they are.
    let mut inputs: Vec<I> = Vec::with_capacity(held);
    let waiting = if needs_drop::<O>() { held } else { 0 };
    let mut outputs: Vec<O> = Vec::with_capacity(waiting);
    // Fresh memory is mapped when it is first written to; that must not happen inside the window.
    outputs.spare_capacity_mut()[..waiting].fill_with(MaybeUninit::zeroed);
    black_box(outputs.as_mut_ptr());
    let mut sample: Option<RawSample> = None;
    let mut verdict = Ok(());
    let holds_more = needs_drop::<I>() || needs_drop::<O>();
    while left > 0 {
        let limit = |known: &&mut Held| known.limit();
        let most = caller.held.as_ref().filter(|_| holds_more).map_or(held, limit);
        let now = left.min(held).min(most);
        left -= now;
        inputs.extend((0..now).map(|_| make_input()));
        if needs_drop::<I>()
            && let Some(known) = &mut caller.held
        {
            known.look(now);
        }
        let window = if needs_drop::<O>() {
            // Dropping may cost more than the kernel, so outputs wait for the end of the window.
            let window = plusminus_counted_window(|| {
                keep_outputs(caller, &mut inputs, &mut outputs, kernel)
            });
            if let Some(known) = &mut caller.held {
                known.look_at_end(now);
            }
            if let Some(check) = check.take_if(|_| left == 0)
                && let Some(last) = outputs.pop()
            {
                verdict = check(last);
            }
            outputs.clear();
            window
        } else {
            // Nothing to drop: each output overwrites the one before, which `black_box` would do as well.
            let (window, last) =
                plusminus_counted_window(|| keep_last(caller, &mut inputs, kernel));
            if let Some(check) = check.take_if(|_| left == 0) {
                verdict = check(last);
            }
            if holds_more && let Some(known) = &mut caller.held {
                known.look_at_end(now);
            }
            window
        };
        sample = Some(sample.map_or(window, |sum| sum.and(window)));
    }
    let mut sample = sample.unwrap_or_default();
    sample.outside_ns = nanoseconds(begin.elapsed()).saturating_sub(sample.wall_ns);
    verdict.map(|()| sample).map_err(WrongAnswer)
}

/// A sample that the kernel times itself: it receives the number of calls, and returns their duration.
pub(crate) fn take_custom_sample(
    ask: &mut Ask<'_>,
    kernel: &mut dyn FnMut(u64) -> std::time::Duration,
) -> RawSample {
    let begin = Instant::now();
    let calls = ask.calls;
    let caller = Caller::alone(ask.windows);
    caller.opens();
    let others_ns = || Some(sys::process_cpu_ns()?.saturating_sub(sys::thread_cpu_ns()?));
    let before = others_ns();
    let wall_ns = nanoseconds(plusminus_counted_window(|| kernel(calls.max(1))));
    let others_ns = others_ns().zip(before).map(|(after, before)| after.saturating_sub(before));
    caller.closes();
    // Which part of its own processor time belongs to the calls is the kernel's knowledge.
    let outside_ns = nanoseconds(begin.elapsed()).saturating_sub(wall_ns);
    RawSample { wall_ns, cpu_ns: None, others_ns, switches: None, outside_ns, windows: 1 }
}

/// Around every window, so that valgrind knows by its name when to count.
#[inline(never)]
pub(crate) fn plusminus_counted_window<T>(window: impl FnOnce() -> T) -> T {
    window()
}

/// One window that calls the kernel on every input and appends what it returns to `outputs`, which has room for it.
fn keep_outputs<I, O>(
    caller: &mut Caller<'_>,
    inputs: &mut Vec<I>,
    outputs: &mut Vec<O>,
    kernel: &mut impl FnMut(I) -> O,
) -> RawSample {
    let calls = inputs.len();
    let kernel = anew(kernel);
    let slots = &mut outputs.spare_capacity_mut()[..calls];
    let open = Reading::open(caller);
    for (slot, input) in slots.iter_mut().zip(inputs.drain(..)) {
        black_box(slot.write(kernel(black_box(input))));
    }
    let close = Reading::close(caller);
    // SAFETY: the loop above ran `calls` times, as both its sides have exactly `calls` elements, and initialized the
    // first `calls` slots. `outputs` was empty before, because the caller clears it after every window, so these
    // slots are the first ones.
    unsafe { outputs.set_len(calls) };
    open.until(&close, caller)
}

/// One window that calls the kernel on every input, of which there is at least one, and keeps the last output.
fn keep_last<I, O>(
    caller: &mut Caller<'_>,
    inputs: &mut Vec<I>,
    kernel: &mut impl FnMut(I) -> O,
) -> (RawSample, O) {
    assert!(!inputs.is_empty(), "a window has at least one call");
    if size_of::<I>() == 0 {
        return keep_last_of_nothing(caller, inputs, kernel);
    }
    let kernel = anew(kernel);
    let mut last = MaybeUninit::uninit();
    let open = Reading::open(caller);
    for input in inputs.drain(..) {
        keep(&mut last, kernel(black_box(input)));
    }
    let close = Reading::close(caller);
    // SAFETY: there was at least one call, as checked above, and each initialises `last`.
    (open.until(&close, caller), unsafe { last.assume_init() })
}

/// The same for inputs of no size, with a loop that does nothing but count: it is all that is around the calls of the
/// smallest kernels.
fn keep_last_of_nothing<I, O>(
    caller: &mut Caller<'_>,
    inputs: &mut Vec<I>,
    kernel: &mut impl FnMut(I) -> O,
) -> (RawSample, O) {
    let calls = inputs.len();
    // SAFETY: zero is a valid length; from here on only the loop below owns the inputs.
    unsafe { inputs.set_len(0) };
    let kernel = anew(kernel);
    let mut last = MaybeUninit::uninit();
    let open = Reading::open(caller);
    for _ in 0..calls {
        // SAFETY: a value of no size has no bytes to be read, and exactly `calls` of them were made and forgotten.
        let input = unsafe { std::ptr::NonNull::<I>::dangling().read() };
        keep(&mut last, kernel(black_box(input)));
    }
    let close = Reading::close(caller);
    // SAFETY: the caller has checked that there is at least one call, and each initialises `last`.
    (open.until(&close, caller), unsafe { last.assume_init() })
}

/// Passes on a kernel so that each call reads anew what it has captured. Otherwise, results that depend on that alone would
/// be computed once, before the loop. There is one pointer to follow: with two, kernels of nanoseconds take noticeably longer.
#[inline(always)]
fn anew<K>(kernel: &mut K) -> &mut K {
    black_box(kernel)
}

/// Keeps an output from the optimiser, and until the next one comes.
#[inline(always)]
fn keep<O>(last: &mut MaybeUninit<O>, output: O) {
    if size_of::<O>() <= 2 * size_of::<usize>() {
        // A value that fits into registers is cheaper to pass on than to leave in memory.
        *last = MaybeUninit::new(black_box(output));
    } else {
        black_box(last.write(output));
    }
}

#[cfg(test)]
mod tests;
