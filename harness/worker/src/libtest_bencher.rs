//! The bencher of libtest, for benches that were written for it.

use std::marker::PhantomData;

use crate::{Bencher as Ours, Work};

/// The bencher that libtest benchmarks take by reference.
///
/// Such a bench target needs no nightly compiler and few changes: `harness = false` in Cargo.toml,
///
/// ```
/// # mod benches {
/// use plusminus::{bench, libtest as test}; // for `#![feature(test)]` and `extern crate test;`
/// # }
/// # fn main() {}
/// ```
///
/// and `plusminus::main!();` at its end.
pub struct Bencher<'a> {
    ours: Option<Ours<'a>>,
    /// The bytes of a call, for throughput. They have to be set before [`iter`](Self::iter) is called.
    pub bytes: u64,
    /// As the bencher behind it, it belongs to one thread.
    thread: PhantomData<*mut ()>,
}

impl Bencher<'_> {
    /// Measures a closure. Its result is dropped outside the window. Only the first call is measured, because a
    /// benchmark has one kernel.
    pub fn iter<O>(&mut self, kernel: impl FnMut() -> O) {
        let Some(bencher) = self.ours.take() else { return };
        match self.bytes {
            0 => bencher.bench(kernel),
            bytes => bencher.work(Work::of("bytes", bytes as f64)).bench(kernel),
        }
    }
}

/// Types that a benchmark may take by mutable reference.
#[diagnostic::on_unimplemented(
    message = "a `Bencher` is passed by value: write `bencher: Bencher<'_>`",
    label = "only `plusminus::libtest::Bencher` is taken by reference, for benches of libtest",
    note = "`bencher.bench(|| …)` is the `iter` of other harnesses"
)]
pub trait ByReference<'a> {
    /// Wraps the bencher that there is.
    fn of(bencher: Ours<'a>) -> Self;
}

impl<'a> ByReference<'a> for Bencher<'a> {
    fn of(bencher: Ours<'a>) -> Self {
        Self { ours: Some(bencher), bytes: 0, thread: PhantomData }
    }
}

/// The bencher in the form that a function takes by reference.
pub fn by_reference<'a, B: ByReference<'a>>(bencher: Ours<'a>) -> B {
    B::of(bencher)
}
