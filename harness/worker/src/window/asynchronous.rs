//! Samples of `async` kernels: the whole window is one future, so that entering the executor costs nothing in it.

use std::{hint::black_box, pin::Pin, pin::pin};

use super::{
    caller::{Ask, Caller, Reading},
    sample::{WrongAnswer, plusminus_counted_window},
};
use crate::protocol::RawSample;

/// The future that an executor has to run to its end: it makes the calls of a window one after another.
pub type Window<'a> = Pin<&'a mut (dyn Future<Output = ()> + 'a)>;

/// Runs `async` kernels. Closures are executors, so that one line adapts any runtime.
///
/// ```
/// use std::{future::Future, task::{Context, Poll, Waker}};
/// use plusminus::{Executor, Window, bench};
///
/// /// Polls until the end: enough for futures that never wait.
/// struct Polls;
///
/// impl Executor for Polls {
///     fn block_on(&self, mut window: Window<'_>) {
///         let mut context = Context::from_waker(Waker::noop());
///         while window.as_mut().poll(&mut context).is_pending() {}
///     }
/// }
///
/// #[bench(executor = Polls)]
/// async fn nothing() {}
/// # fn main() {}
/// ```
///
/// For tokio, `executor = tokio::runtime::Runtime::new().unwrap()` is enough: any value with a method `block_on`
/// that takes a future will do.
pub trait Executor {
    /// Runs the window to its end on this thread.
    fn block_on(&self, window: Window<'_>);
}

impl<F: Fn(Window<'_>)> Executor for F {
    fn block_on(&self, window: Window<'_>) {
        self(window);
    }
}

/// The most outputs that wait for the end of a window.
const HELD: u64 = 4096;

/// Times `calls` calls of an `async` kernel; outputs are dropped after the window has closed.
pub(crate) fn take_async_sample<F: Future, C>(
    ask: &mut Ask<'_>,
    mut kernel: impl FnMut() -> F,
    executor: &dyn Executor,
    mut check: Option<C>,
) -> Result<RawSample, WrongAnswer>
where
    C: FnMut(&F::Output) -> Result<(), String>,
{
    let begin = std::time::Instant::now();
    let mut left = ask.calls.max(1);
    let caller = &mut Caller::alone(ask.windows);
    let mut sample: Option<RawSample> = None;
    let mut verdict = Ok(());
    while left > 0 {
        let now = left.min(HELD);
        left -= now;
        let mut outputs = Vec::with_capacity(now as usize);
        let mut window = None;
        {
            let future = pin!(async {
                let open = Reading::open(caller);
                for _ in 0..now {
                    outputs.push(black_box(kernel().await));
                }
                let close = Reading::close(caller);
                window = Some(open.until(&close, caller));
            });
            plusminus_counted_window(|| executor.block_on(future));
        }
        let window = window.expect("an executor returns from `block_on` when the future has ended");
        sample = Some(sample.map_or(window, |sum: RawSample| sum.and(window)));
        if left == 0
            && let (Some(check), Some(last)) = (&mut check, outputs.last())
        {
            verdict = check(last);
        }
    }
    let mut sample = sample.expect("there is at least one window");
    sample.outside_ns = super::sample::nanoseconds(begin.elapsed()).saturating_sub(sample.wall_ns);
    verdict.map(|()| sample).map_err(WrongAnswer)
}
