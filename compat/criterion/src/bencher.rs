//! The argument of a benchmark's closure. Each of its methods hands the routine over to the harness, which calls it
//! until it has been measured.

use std::{hint::black_box, marker::PhantomData};

use crate::measurement::{Measurement, WallTime};

/// Measures the routine of a benchmark. Exactly one of its methods has to be called, once.
pub struct Bencher<'a, M: Measurement = WallTime> {
    inner: Option<plusminus::Bencher<'a>>,
    measurement: PhantomData<M>,
}

impl<'a, M: Measurement> Bencher<'a, M> {
    pub(crate) fn new(inner: plusminus::Bencher<'a>) -> Self {
        Self { inner: Some(inner), measurement: PhantomData }
    }

    /// The harness's own, once.
    pub(crate) fn take(&mut self) -> plusminus::Bencher<'a> {
        self.inner.take().expect(
            "the closure of a benchmark calls `iter` or one of its relatives more than once, and criterion counts only the last; \
             write a benchmark for each",
        )
    }

    /// Measures a routine. Its result is dropped inside of the window, right after the call, as criterion does.
    pub fn iter<O, R>(&mut self, mut routine: R)
    where
        R: FnMut() -> O,
    {
        self.take().bench(move || {
            black_box(routine());
        });
    }

    /// Measures a routine that times itself: it gets the number of calls, and returns their duration.
    pub fn iter_custom<R>(&mut self, mut routine: R)
    where
        R: FnMut(u64) -> M::Value,
    {
        self.take().bench_custom(|calls| M::duration(routine(calls)));
    }

    /// Measures a routine on a fresh input for every call; the next input is made when the call before has ended.
    pub fn iter_with_setup<I, O, S, R>(&mut self, setup: S, routine: R)
    where
        S: FnMut() -> I,
        R: FnMut(I) -> O,
    {
        self.iter_batched(setup, routine, BatchSize::PerIteration);
    }

    /// Measures a routine on a fresh input for every call; at most a few inputs wait at once.
    pub fn iter_with_large_setup<I, O, S, R>(&mut self, setup: S, routine: R)
    where
        S: FnMut() -> I,
        R: FnMut(I) -> O,
    {
        self.iter_batched(setup, routine, BatchSize::NumBatches(1));
    }

    /// Measures a routine. Its result is dropped outside of the window.
    pub fn iter_with_large_drop<O, R>(&mut self, routine: R)
    where
        R: FnMut() -> O,
    {
        self.take().bench(routine);
    }

    /// Measures a routine on a fresh input for every call, made outside of the window. Its result is dropped outside
    /// of the window.
    pub fn iter_batched<I, O, S, R>(&mut self, setup: S, routine: R, size: BatchSize)
    where
        S: FnMut() -> I,
        R: FnMut(I) -> O,
    {
        self.take().with_inputs(setup).at_once(size.at_once()).bench_values(routine);
    }

    /// Measures a routine that changes a fresh input in place; inputs and results are dropped outside of the window.
    pub fn iter_batched_ref<I, O, S, R>(&mut self, setup: S, routine: R, size: BatchSize)
    where
        S: FnMut() -> I,
        R: FnMut(&mut I) -> O,
    {
        self.take().with_inputs(setup).at_once(size.at_once()).bench_refs(routine);
    }

    /// Measures asynchronous routines on this executor.
    #[cfg(feature = "async")]
    pub fn to_async<'b, A>(&'b mut self, runner: A) -> crate::AsyncBencher<'a, 'b, A, M>
    where
        A: crate::async_executor::AsyncExecutor,
    {
        crate::AsyncBencher::new(self, runner)
    }
}

/// How many inputs may wait at once.
#[derive(Debug, Eq, PartialEq, Copy, Hash, Clone)]
pub enum BatchSize {
    /// As many as the harness holds at most.
    SmallInput,
    /// Few: 64 at most.
    LargeInput,
    /// One: two of them could not exist at the same time. Reading the clocks for each call costs some precision.
    PerIteration,
    /// As many as the harness holds at most. Criterion divides a sample into this number of batches; the harness
    /// divides it by the memory that the batches take.
    NumBatches(u64),
    /// At most this number.
    NumIterations(u64),
}

impl BatchSize {
    pub(crate) fn at_once(self) -> usize {
        match self {
            Self::SmallInput | Self::NumBatches(_) => usize::MAX,
            Self::LargeInput => 64,
            Self::PerIteration => 1,
            Self::NumIterations(count) => usize::try_from(count).unwrap_or(usize::MAX).max(1),
        }
    }
}
