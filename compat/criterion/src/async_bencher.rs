//! Asynchronous routines: each call is awaited before the next begins, within one entry into the executor.

use std::{
    hint::black_box,
    time::{Duration, Instant},
};

use plusminus::{Executor, Window};

use crate::{
    BatchSize, Bencher,
    async_executor::AsyncExecutor,
    measurement::{Measurement, WallTime},
};

/// Measures asynchronous routines; made by [`Bencher::to_async`].
pub struct AsyncBencher<'a, 'b, A: AsyncExecutor, M: Measurement = WallTime> {
    bencher: &'b mut Bencher<'a, M>,
    runner: A,
}

/// An executor as the harness calls it.
struct Adapter<'a, A>(&'a A);

impl<A: AsyncExecutor> Executor for Adapter<'_, A> {
    fn block_on(&self, window: Window<'_>) {
        self.0.block_on(window);
    }
}

impl<'a, 'b, A: AsyncExecutor, M: Measurement> AsyncBencher<'a, 'b, A, M> {
    pub(crate) fn new(bencher: &'b mut Bencher<'a, M>, runner: A) -> Self {
        Self { bencher, runner }
    }

    /// Measures a routine. Its result is dropped inside of the window, right after the call.
    pub fn iter<O, R, F>(&mut self, mut routine: R)
    where
        R: FnMut() -> F,
        F: Future<Output = O>,
    {
        self.bencher.take().bench_async(Adapter(&self.runner), || {
            let call = routine();
            async {
                black_box(call.await);
            }
        });
    }

    /// Measures a routine that times itself: it gets the number of calls, and returns their duration.
    pub fn iter_custom<R, F>(&mut self, mut routine: R)
    where
        R: FnMut(u64) -> F,
        F: Future<Output = M::Value>,
    {
        let runner = &self.runner;
        self.bencher.take().bench_custom(|calls| M::duration(runner.block_on(routine(calls))));
    }

    /// Measures a routine on a fresh input for every call; the next input is made when the call before has ended.
    pub fn iter_with_setup<I, O, S, R, F>(&mut self, setup: S, routine: R)
    where
        S: FnMut() -> I,
        R: FnMut(I) -> F,
        F: Future<Output = O>,
    {
        self.iter_batched(setup, routine, BatchSize::PerIteration);
    }

    /// Measures a routine on a fresh input for every call; at most a few inputs wait at once.
    pub fn iter_with_large_setup<I, O, S, R, F>(&mut self, setup: S, routine: R)
    where
        S: FnMut() -> I,
        R: FnMut(I) -> F,
        F: Future<Output = O>,
    {
        self.iter_batched(setup, routine, BatchSize::NumBatches(1));
    }

    /// Measures a routine. Its result is dropped outside of the window.
    pub fn iter_with_large_drop<O, R, F>(&mut self, routine: R)
    where
        R: FnMut() -> F,
        F: Future<Output = O>,
    {
        self.bencher.take().bench_async(Adapter(&self.runner), routine);
    }

    /// Measures a routine on a fresh input for every call, made on the executor outside of the window. Its result is
    /// dropped outside of the window. The clock is that of the operating system.
    pub fn iter_batched<I, O, S, R, F>(&mut self, mut setup: S, mut routine: R, size: BatchSize)
    where
        S: FnMut() -> I,
        R: FnMut(I) -> F,
        F: Future<Output = O>,
    {
        self.batches(size, async |count| {
            let inputs: Vec<I> = (0..count).map(|_| black_box(setup())).collect();
            let mut outputs = Vec::with_capacity(inputs.len());
            let begin = Instant::now();
            for input in inputs {
                outputs.push(routine(input).await);
            }
            let time = begin.elapsed();
            drop(black_box(outputs));
            time
        });
    }

    /// Measures a routine that changes a fresh input in place; inputs and results are dropped outside of the window.
    /// The clock is that of the operating system.
    pub fn iter_batched_ref<I, O, S, R, F>(&mut self, mut setup: S, mut routine: R, size: BatchSize)
    where
        S: FnMut() -> I,
        R: FnMut(&mut I) -> F,
        F: Future<Output = O>,
    {
        self.batches(size, async |count| {
            let mut inputs: Vec<I> = (0..count).map(|_| black_box(setup())).collect();
            let mut outputs = Vec::with_capacity(inputs.len());
            let begin = Instant::now();
            for input in &mut inputs {
                outputs.push(routine(input).await);
            }
            let time = begin.elapsed();
            drop(black_box((outputs, inputs)));
            time
        });
    }

    /// Measures batches, each of which times its calls.
    fn batches(&mut self, size: BatchSize, mut batch: impl AsyncFnMut(usize) -> Duration) {
        /// The most inputs that wait at once.
        const MOST: usize = 4096;
        let (runner, most) = (&self.runner, size.at_once().min(MOST));
        self.bencher.take().bench_custom(|calls| {
            runner.block_on(async {
                let (mut left, mut time) =
                    (usize::try_from(calls).unwrap_or(usize::MAX), Duration::ZERO);
                while left > 0 {
                    let count = left.min(most);
                    left -= count;
                    time += batch(count).await;
                }
                time
            })
        });
    }
}
