//! The argument of a benchmark function: each `bench…` hands the kernel over to the harness.

use std::marker::PhantomData;

use crate::counter::{
    AsCountUInt, BytesCount, CharsCount, Counter, Counters, CyclesCount, IntoCounter, ItemsCount,
};

/// Measures a kernel after its function has set up what it needs.
///
/// ```
/// use divan::{Bencher, counter::ItemsCount};
///
/// #[divan::bench]
/// fn sort(bencher: Bencher<'_, '_>) {
///     bencher
///         .with_inputs(|| vec![3, 1, 2])
///         .input_counter(|numbers| ItemsCount::new(numbers.len()))
///         .bench_refs(|numbers| numbers.sort());
/// }
/// # fn main() {}
/// ```
#[must_use = "a benchmark function has to call one of the methods that bench"]
pub struct Bencher<'a, 'b, C = BencherConfig> {
    inner: plusminus::Bencher<'a>,
    counters: Counters,
    config: C,
    shared: PhantomData<&'b ()>,
}

/// How inputs are made, if they are.
pub struct BencherConfig<G = ()> {
    generator: G,
}

/// The bencher of divan over that of the harness.
#[doc(hidden)]
pub fn bencher(inner: plusminus::Bencher<'_>) -> Bencher<'_, '_> {
    let config = BencherConfig { generator: () };
    // divan warns of functions that return without measuring, and goes on.
    Bencher { inner: inner.optional(), counters: Counters::new(), config, shared: PhantomData }
}

impl<'a, 'b> Bencher<'a, 'b> {
    /// Measures a closure that several threads may call at once. Its result is dropped outside of the window.
    pub fn bench<O, B>(self, kernel: B)
    where
        B: Fn() -> O + Sync,
    {
        let (inner, _) = self.with_work();
        inner.bench_shared(kernel);
    }

    /// Measures a closure on one thread. Its result is dropped outside of the window.
    pub fn bench_local<O, B>(self, kernel: B)
    where
        B: FnMut() -> O,
    {
        let (inner, _) = self.with_work();
        inner.bench(kernel);
    }

    /// Makes a fresh input for every call, outside of the window.
    pub fn with_inputs<G>(self, generator: G) -> Bencher<'a, 'b, BencherConfig<G>> {
        let config = BencherConfig { generator };
        Bencher { inner: self.inner, counters: self.counters, config, shared: PhantomData }
    }
}

impl<'a, G> Bencher<'a, '_, BencherConfig<G>> {
    /// States how much a call processes.
    pub fn counter<C>(mut self, counter: C) -> Self
    where
        C: IntoCounter,
    {
        self.counters = self.counters.with(counter);
        self
    }

    fn with_work(self) -> (plusminus::Bencher<'a>, G) {
        let inner = match self.counters.work() {
            Some(work) => self.inner.work(work),
            None => self.inner,
        };
        (inner, self.config.generator)
    }
}

impl<I, G> Bencher<'_, '_, BencherConfig<G>>
where
    G: FnMut() -> I,
{
    /// States how much a call processes by its input: it is asked of one input, as all have to be worth the same.
    pub fn input_counter<C, F>(mut self, counter: F) -> Self
    where
        F: Fn(&I) -> C + Sync + 'static,
        C: IntoCounter,
    {
        let input = (self.config.generator)();
        self.counter(counter(&input))
    }

    /// Takes the input itself for a counter.
    ///
    /// # Panics
    /// Never: there are no other counters than those of this crate.
    pub fn count_inputs_as<C>(self) -> Self
    where
        C: Counter,
        I: AsCountUInt,
    {
        use std::any::TypeId;
        let wanted = TypeId::of::<C>();
        if wanted == TypeId::of::<BytesCount>() {
            self.input_counter(|input| BytesCount::from(input))
        } else if wanted == TypeId::of::<CharsCount>() {
            self.input_counter(|input| CharsCount::from(input))
        } else if wanted == TypeId::of::<CyclesCount>() {
            self.input_counter(|input| CyclesCount::from(input))
        } else {
            self.input_counter(|input| ItemsCount::from(input))
        }
    }

    /// Measures a closure that takes its input by value, and that several threads may call at once.
    pub fn bench_values<O, B>(self, kernel: B)
    where
        B: Fn(I) -> O + Sync,
        G: Fn() -> I + Sync,
    {
        let (inner, generator) = self.with_work();
        inner.with_inputs(generator).bench_values_shared(kernel);
    }

    /// Measures a closure that takes its input by value, on one thread.
    pub fn bench_local_values<O, B>(self, kernel: B)
    where
        B: FnMut(I) -> O,
    {
        let (inner, generator) = self.with_work();
        inner.with_inputs(generator).bench_values(kernel);
    }

    /// Measures a closure that changes its input in place, and that several threads may call at once.
    pub fn bench_refs<O, B>(self, kernel: B)
    where
        B: Fn(&mut I) -> O + Sync,
        G: Fn() -> I + Sync,
    {
        let (inner, generator) = self.with_work();
        inner.with_inputs(generator).bench_refs_shared(kernel);
    }

    /// Measures a closure that changes its input in place, on one thread.
    pub fn bench_local_refs<O, B>(self, kernel: B)
    where
        B: FnMut(&mut I) -> O,
    {
        let (inner, generator) = self.with_work();
        inner.with_inputs(generator).bench_refs(kernel);
    }
}
