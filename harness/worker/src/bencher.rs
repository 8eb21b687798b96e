//! The handle with which a benchmark function sets things up outside the window.

use std::{io, time::Duration};

use crate::{
    Work,
    protocol::{Failed, RawSample},
    window::{
        Ask, Executor, WrongAnswer, take_async_sample, take_custom_sample, take_sample,
        take_shared_sample,
    },
};

pub(crate) type Sampler<'a> = dyn FnMut(&mut Ask<'_>) -> Result<RawSample, WrongAnswer> + 'a;

/// The other side of a bencher. It serves requests by calling the kernel that it gets, maybe on a thread of a pool.
pub(crate) trait Host: Send {
    /// The work of one call, where the benchmark does not state it itself.
    fn work(&self) -> &Work;
    fn callers(&self) -> usize;
    /// Lets the function return without measuring anything.
    fn make_optional(&mut self);
    /// Serves requests by this kernel until the runner lets go of it.
    fn serve(&mut self, work: &Work, sampler: &mut Sampler<'_>) -> io::Result<()>;
    /// Answers that the benchmark cannot be measured.
    fn fail(&mut self, reason: Failed) -> io::Result<()>;
}

/// No check: what a function returns is only kept from the optimiser.
type NoCheck<O> = fn(O) -> Result<(), String>;

/// Takes the kernel out of a function that has something to set up first.
///
/// Code before the call of `bench` is set-up, and code after it is tear-down. Both run once in each process, outside
/// of every window. The result of the kernel is also dropped outside the window, so an output whose `Drop` tidies up
/// is a tear-down for each call.
///
/// ```
/// use plusminus::{Bencher, Work, bench};
///
/// #[bench(args = [10, 1000])]
/// fn sort(bencher: Bencher<'_>, n: u32) {
///     let numbers: Vec<u32> = (0..n).rev().collect();            // once, not timed
///     bencher
///         .work(Work::items(n.into()))                           // shown as items per second
///         .with_inputs(|| numbers.clone())                       // for every call, not timed
///         .bench_refs(|numbers| numbers.sort());                 // timed
///     drop(numbers);                                             // once, not timed
/// }
/// # fn main() {}
/// ```
///
/// The kernels of benchmarks with `threads` are called by several threads at once; they have to be `Fn + Sync`, and
/// are handed to the methods that end in `_shared`:
///
/// ```
/// use std::sync::Mutex;
/// use plusminus::{Bencher, bench};
///
/// #[bench(threads = [1, 2])]
/// fn contended(bencher: Bencher<'_>) {
///     let counter = Mutex::new(0_u64);
///     bencher.bench_shared(|| *counter.lock().unwrap() += 1);
/// }
/// # fn main() {}
/// ```
#[must_use = "a benchmark function has to call `bench`, or there is nothing to measure"]
pub struct Bencher<'a> {
    host: &'a mut dyn Host,
    outcome: &'a mut io::Result<()>,
    work: Work,
}

impl<'a> Bencher<'a> {
    pub(crate) fn new(host: &'a mut dyn Host, outcome: &'a mut io::Result<()>) -> Self {
        let work = host.work().clone();
        Self { host, outcome, work }
    }

    /// Lets the function return without measuring anything, as functions of divan may. The benchmark is then skipped,
    /// and has not failed.
    #[doc(hidden)]
    pub fn optional(self) -> Self {
        self.host.make_optional();
        self
    }

    /// States the work of one call, for throughput.
    pub fn work(mut self, work: Work) -> Self {
        self.work = work;
        self
    }

    /// Measures a closure. Its result is dropped outside the window.
    pub fn bench<O>(self, mut kernel: impl FnMut() -> O) {
        let mut kernel = move |()| kernel();
        self.serve_alone("bench_shared", &mut |ask| {
            take_sample(ask, || (), &mut kernel, None::<NoCheck<O>>)
        });
    }

    /// Measures a closure that several threads may call at once, as `threads` asks.
    pub fn bench_shared<O>(self, kernel: impl Fn() -> O + Sync) {
        let mut kernel = move |()| kernel();
        self.serve(&mut |ask| take_shared_sample(ask, || (), &mut kernel, None::<NoCheck<O>>));
    }

    /// Measures an `async` closure, each call awaited after the one before.
    ///
    /// ```
    /// use plusminus::{Bencher, Window, bench};
    /// # struct Runtime;
    /// # impl Runtime { fn block_on<F: Future>(&self, _: F) {} }
    ///
    /// #[bench]
    /// fn ready(bencher: Bencher<'_>) {
    ///     let runtime = Runtime;
    ///     bencher.bench_async(|window: Window<'_>| runtime.block_on(window), async || 42);
    /// }
    /// # fn main() {}
    /// ```
    pub fn bench_async<F: Future>(self, executor: impl Executor, mut kernel: impl FnMut() -> F) {
        self.serve_alone("bench_shared", &mut |ask| {
            take_async_sample(ask, &mut kernel, &executor, None::<NoCheck<F::Output>>)
        });
    }

    /// Makes a fresh input for every call, outside the window.
    pub fn with_inputs<G>(self, generator: G) -> BencherWithInputs<'a, G> {
        BencherWithInputs { bencher: self, generator, at_once: usize::MAX }
    }

    /// Measures a closure that times itself: it receives the number of calls, and returns their duration.
    ///
    /// For what cannot be a closure that is called again and again, such as a protocol between two threads. Its other
    /// work is set-up and not part of the time. The harness knows only the time that it returns: neither the
    /// processor time, nor whether it was interrupted.
    ///
    /// ```
    /// use std::time::Instant;
    /// use plusminus::{Bencher, bench};
    ///
    /// #[bench]
    /// fn send(bencher: Bencher<'_>) {
    ///     bencher.bench_custom(|calls| {
    ///         let (sender, receiver) = std::sync::mpsc::channel();
    ///         let begin = Instant::now();
    ///         for i in 0..calls {
    ///             sender.send(i).unwrap();
    ///         }
    ///         let time = begin.elapsed();
    ///         drop(receiver);
    ///         time
    ///     });
    /// }
    /// # fn main() {}
    /// ```
    pub fn bench_custom(self, mut kernel: impl FnMut(u64) -> Duration) {
        self.serve_alone("bench_shared", &mut |ask| Ok(take_custom_sample(ask, &mut kernel)));
    }

    /// Serves requests by a kernel that only one thread can call.
    fn serve_alone(self, instead: &str, sampler: &mut Sampler<'_>) {
        if self.host.callers() > 1 {
            let message = format!(
                "with `threads`, the kernel is called by several threads at once: hand it to `{instead}`, which takes \
                 closures that are `Fn + Sync`"
            );
            *self.outcome = self.host.fail(Failed::Misuse { message });
            return;
        }
        self.serve(sampler);
    }

    fn serve(self, sampler: &mut Sampler<'_>) {
        *self.outcome = self.host.serve(&self.work, sampler);
    }
}

/// A [`Bencher`] that makes an input for every call.
#[must_use = "a benchmark function has to call `bench_values` or `bench_refs`, or there is nothing to measure"]
pub struct BencherWithInputs<'a, G> {
    bencher: Bencher<'a>,
    generator: G,
    /// The most inputs that wait at once.
    at_once: usize,
}

impl<G> BencherWithInputs<'_, G> {
    /// States the work of one call as a function of its input. It is asked once, of an input made for that purpose:
    /// all inputs have to be worth the same.
    pub fn work_of_input<I>(mut self, work: impl FnOnce(&I) -> Work) -> Self
    where
        G: FnMut() -> I,
    {
        self.bencher.work = work(&(self.generator)());
        self
    }

    /// Makes at most this number of inputs before the kernel gets the first of them. Choose a small number for large
    /// inputs, and 1 if two of them cannot exist at once. Each batch has its own window. With a small number, the
    /// kernel should last much longer than reading the clocks.
    pub fn at_once(mut self, inputs: usize) -> Self {
        self.at_once = inputs;
        self
    }

    /// Measures a closure that takes its input by value.
    pub fn bench_values<I, O>(mut self, mut kernel: impl FnMut(I) -> O)
    where
        G: FnMut() -> I,
    {
        let at_once = self.at_once;
        self.bencher.serve_alone("bench_values_shared", &mut |ask| {
            ask.at_once = at_once;
            take_sample(ask, &mut self.generator, &mut kernel, None::<NoCheck<O>>)
        });
    }

    /// Measures a closure that changes its input in place; inputs are dropped outside the window.
    pub fn bench_refs<I, O>(mut self, mut kernel: impl FnMut(&mut I) -> O)
    where
        G: FnMut() -> I,
    {
        let at_once = self.at_once;
        let mut call = move |mut input: I| {
            let output = kernel(&mut input);
            (output, input)
        };
        self.bencher.serve_alone("bench_refs_shared", &mut |ask| {
            ask.at_once = at_once;
            take_sample(ask, &mut self.generator, &mut call, None::<NoCheck<(O, I)>>)
        });
    }

    /// Like [`bench_values`](Self::bench_values), with inputs made and kernels called by several threads at once.
    pub fn bench_values_shared<I, O>(self, mut kernel: impl Fn(I) -> O + Sync)
    where
        G: Fn() -> I + Sync,
    {
        let (generator, at_once) = (&self.generator, self.at_once);
        self.bencher.serve(&mut |ask| {
            ask.at_once = at_once;
            take_shared_sample(ask, generator, &mut kernel, None::<NoCheck<O>>)
        });
    }

    /// Like [`bench_refs`](Self::bench_refs), with inputs made and kernels called by several threads at once.
    pub fn bench_refs_shared<I, O>(self, kernel: impl Fn(&mut I) -> O + Sync)
    where
        G: Fn() -> I + Sync,
    {
        let (generator, at_once) = (&self.generator, self.at_once);
        let mut call = move |mut input: I| {
            let output = kernel(&mut input);
            (output, input)
        };
        self.bencher.serve(&mut |ask| {
            ask.at_once = at_once;
            take_shared_sample(ask, generator, &mut call, None::<NoCheck<(O, I)>>)
        });
    }
}
