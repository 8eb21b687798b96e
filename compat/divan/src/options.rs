//! The options of divan's attributes, and what they mean here.

use std::{borrow::Borrow, time::Duration};

use plusminus::{IntoIgnore, Options};
use plusminus_compat::budget::share;

use crate::counter::Counters;

/// The measurement options of an attribute.
#[doc(hidden)]
#[derive(Default)]
pub struct BenchOptions {
    /// Without a meaning here: time decides.
    pub sample_count: Option<u32>,
    /// Calls in each sample.
    pub sample_size: Option<u32>,
    /// Callers of the kernel at once.
    pub threads: Option<Vec<usize>>,
    /// Work of one call.
    pub counters: Counters,
    /// Time that samples take at least.
    pub min_time: Option<Duration>,
    /// Time that samples take at most.
    pub max_time: Option<Duration>,
    /// Without a meaning here.
    pub skip_ext_time: Option<bool>,
    /// Whether the benchmark is skipped unless asked for.
    pub ignore: Option<bool>,
}

impl BenchOptions {
    /// The same for the harness, whose options are for each run.
    #[must_use]
    pub fn into_options(self) -> Options {
        Options {
            iterations: self.sample_size.map(u64::from),
            min_time: self.min_time.map(share),
            sample_time: self.max_time.map(share),
            threads: self.threads.unwrap_or_default(),
            ignore: self.ignore.map(IntoIgnore::into_ignore),
            work: self.counters.work(),
            whole_machine: true,
            equal_names: true,
            ..Options::default()
        }
    }
}

/// Values of `threads =`. The number distinguishes numbers from lists, which may be anything that iterates.
#[doc(hidden)]
pub trait IntoThreads<const KIND: u8> {
    /// Returns the counts, each once; 0 stands for the number of processors.
    fn into_threads(self) -> Vec<usize>;
}

impl IntoThreads<0> for usize {
    fn into_threads(self) -> Vec<usize> {
        vec![self]
    }
}

impl IntoThreads<0> for bool {
    fn into_threads(self) -> Vec<usize> {
        vec![usize::from(!self)]
    }
}

impl<I> IntoThreads<1> for I
where
    I: IntoIterator,
    I::Item: Borrow<usize>,
{
    fn into_threads(self) -> Vec<usize> {
        let mut counts: Vec<usize> = self.into_iter().map(|count| *count.borrow()).collect();
        counts.sort_unstable();
        counts.dedup();
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budgets_are_shared_by_the_runs() {
        let options = BenchOptions {
            sample_size: Some(7),
            max_time: Some(Duration::from_secs(6)),
            ..BenchOptions::default()
        };
        let options = options.into_options();
        assert_eq!(options.iterations, Some(7));
        assert_eq!(options.sample_time, Some(Duration::from_millis(100)));
    }

    #[test]
    fn threads_are_numbers_lists_or_yes() {
        assert_eq!(IntoThreads::into_threads(4_usize), [4]);
        assert_eq!(
            (IntoThreads::into_threads(true), IntoThreads::into_threads(false)),
            (vec![0], vec![1])
        );
        assert_eq!(IntoThreads::into_threads([4, 1, 4]), [1, 4]);
        let list: &[usize] = &[2, 0];
        assert_eq!(IntoThreads::into_threads(list), [0, 2]);
    }
}
