//! What a benchmark function is handed when it wants to set something up outside the window.

use std::io;

use super::{sample::take_sample, session::Session};
use crate::Work;

/// No check: what a function returns is only kept from the optimiser.
type NoCheck<O> = fn(&O) -> Result<(), String>;

/// Takes the kernel out of a function that has something to set up first.
///
/// ```
/// use plusminus::{Bencher, bench};
///
/// #[bench(args = [10, 1000])]
/// fn sort(bencher: Bencher, n: u32) {
///     let numbers: Vec<u32> = (0..n).rev().collect();            // once, not timed
///     bencher
///         .with_inputs(|| numbers.clone())                       // for every call, not timed
///         .bench_refs(|numbers| numbers.sort());                 // timed
/// }
/// # fn main() {}
/// ```
#[must_use = "a benchmark function has to call `bench`, or there is nothing to measure"]
pub struct Bencher<'a> {
    session: &'a mut Session,
    outcome: &'a mut io::Result<()>,
    work: Work,
}

impl<'a> Bencher<'a> {
    pub(super) fn new(session: &'a mut Session, outcome: &'a mut io::Result<()>) -> Self {
        Self { session, outcome, work: Work::none() }
    }

    /// States the work of one call, for throughput.
    pub fn work(mut self, work: Work) -> Self {
        self.work = work;
        self
    }

    /// Measures a closure. What it returns is dropped outside the window.
    pub fn bench<O>(self, mut kernel: impl FnMut() -> O) {
        let mut sampler = |ask: &super::protocol::Sampling| {
            take_sample(ask.calls, || (), |()| kernel(), None::<NoCheck<O>>)
        };
        *self.outcome = self.session.serve_function(&self.work, &mut sampler);
    }

    /// Makes a fresh input for every call, outside the window.
    pub fn with_inputs<I, G: FnMut() -> I>(self, generator: G) -> BencherWithInputs<'a, G> {
        BencherWithInputs { bencher: self, generator }
    }
}

/// A [`Bencher`] that makes an input for every call.
#[must_use = "a benchmark function has to call `bench_values` or `bench_refs`, or there is nothing to measure"]
pub struct BencherWithInputs<'a, G> {
    bencher: Bencher<'a>,
    generator: G,
}

impl<G> BencherWithInputs<'_, G> {
    /// Measures a closure that takes its input by value.
    pub fn bench_values<I, O>(mut self, mut kernel: impl FnMut(I) -> O)
    where
        G: FnMut() -> I,
    {
        let mut sampler = |ask: &super::protocol::Sampling| {
            take_sample(ask.calls, &mut self.generator, &mut kernel, None::<NoCheck<O>>)
        };
        *self.bencher.outcome =
            self.bencher.session.serve_function(&self.bencher.work, &mut sampler);
    }

    /// Measures a closure that changes its input in place; inputs are dropped outside the window.
    pub fn bench_refs<I, O>(mut self, mut kernel: impl FnMut(&mut I) -> O)
    where
        G: FnMut() -> I,
    {
        let mut sampler = |ask: &super::protocol::Sampling| {
            let call = |mut input: I| {
                let output = kernel(&mut input);
                (output, input)
            };
            take_sample(ask.calls, &mut self.generator, call, None::<NoCheck<(O, I)>>)
        };
        *self.bencher.outcome =
            self.bencher.session.serve_function(&self.bencher.work, &mut sampler);
    }
}
