//! The measurement options of an attribute. Plain data: the command line's defaults fill in the open ones.

use std::time::Duration;

use crate::{Work, metric::Metrics};

/// The settings of an attribute. `None` and empty mean: not set.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Fresh processes to measure in.
    pub runs: Option<u32>,
    /// Samples of each instance in each run.
    pub samples: Option<u32>,
    /// Calls in each sample.
    pub iterations: Option<u64>,
    /// Time that the samples of one instance in one run last at least.
    pub min_time: Option<Duration>,
    /// Time to spend on the samples of one instance in one run.
    pub sample_time: Option<Duration>,
    /// Time to warm up before the samples.
    pub warm_up: Option<Duration>,
    /// The change, in percent, up to which a comparison counts it as none.
    pub margin: Option<f64>,
    /// Longest time that one call of the kernel, or the building of its input, may take.
    pub timeout: Option<Duration>,
    /// Processor counts to measure with, one benchmark each: T(n, p).
    pub processors: Vec<usize>,
    /// Whether thread pools of the kernel get no number of processors if `processors` is not set.
    pub whole_machine: bool,
    /// The command that starts the worker as several processes, such as `mpirun -n {places}`.
    pub launcher: Option<&'static str>,
    /// Callers of the same kernel at once, one benchmark each. 0 stands for the number of processors.
    pub threads: Vec<usize>,
    /// Whether the benchmark is not run unless asked for.
    pub ignore: Option<Ignore>,
    /// Counters that are read besides the time.
    pub metrics: Metrics,
    /// The parts of the kernel that it names by [`phase`](crate::phase), each timed by itself as well.
    pub phases: Vec<&'static str>,
    /// Work of one call, where the benchmark itself does not state it.
    pub work: Option<Work>,
    /// Whether types, constants and arguments of the function may have one name: all but the first get a number behind it.
    pub equal_names: bool,
}

impl Options {
    /// Takes from the surrounding group what is not said here.
    #[must_use]
    pub(crate) fn or(self, group: Self) -> Self {
        let list = |own: Vec<usize>, group| if own.is_empty() { group } else { own };
        Self {
            runs: self.runs.or(group.runs),
            samples: self.samples.or(group.samples),
            iterations: self.iterations.or(group.iterations),
            min_time: self.min_time.or(group.min_time),
            sample_time: self.sample_time.or(group.sample_time),
            warm_up: self.warm_up.or(group.warm_up),
            margin: self.margin.or(group.margin),
            timeout: self.timeout.or(group.timeout),
            processors: list(self.processors, group.processors),
            launcher: self.launcher.or(group.launcher),
            whole_machine: self.whole_machine || group.whole_machine,
            threads: list(self.threads, group.threads),
            ignore: self.ignore.or(group.ignore),
            metrics: if self.metrics.0.is_empty() { group.metrics } else { self.metrics },
            // The parts of a kernel are its own.
            phases: self.phases,
            work: self.work.or(group.work),
            equal_names: self.equal_names,
        }
    }
}

/// The launcher of a literal in an attribute, looked at while the user's crate is compiled.
///
/// # Panics
/// Where it has no word, or a place that nothing is put into: the compiler shows the message at the literal.
#[doc(hidden)]
pub const fn literal_launcher(text: &'static str) -> &'static str {
    let (mut rest, mut words) = (text.as_bytes(), false);
    while let [first, others @ ..] = rest {
        if let [b'{', b'p', b'l', b'a', b'c', b'e', b's', b'}', others @ ..] = rest {
            rest = others;
            continue;
        }
        assert!(
            !matches!(*first, b'{' | b'}'),
            "expected a launcher such as `mpirun -n {{places}}`: nothing but `{{places}}` stands in braces"
        );
        words |= !first.is_ascii_whitespace();
        rest = others;
    }
    assert!(
        words,
        "expected a launcher such as `mpirun -n {{places}}`: a program and its arguments"
    );
    text
}

/// Whether a benchmark is skipped unless `--ignored` or `--include-ignored` asks for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ignore {
    /// It is measured, whatever the group has.
    No,
    /// It is skipped, for this reason.
    Because(&'static str),
}

/// Values of `ignore =`: a reason, or whether.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say whether to ignore a benchmark",
    label = "write a reason, such as `\"takes an hour\"`, or a `bool`, such as `cfg!(debug_assertions)`"
)]
pub trait IntoIgnore {
    /// The answer.
    fn into_ignore(self) -> Ignore;
}

impl IntoIgnore for &'static str {
    fn into_ignore(self) -> Ignore {
        Ignore::Because(self)
    }
}

impl IntoIgnore for bool {
    fn into_ignore(self) -> Ignore {
        if self { Ignore::Because("ignored in the source") } else { Ignore::No }
    }
}

/// Values of options that expect counts: one number, or a list of them.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a list of counts",
    label = "write `[1, 2, 4]`, or a single number"
)]
pub trait IntoCounts {
    /// The list.
    fn into_counts(self) -> Vec<usize>;
}

impl IntoCounts for usize {
    fn into_counts(self) -> Vec<usize> {
        vec![self]
    }
}

impl<const N: usize> IntoCounts for [usize; N] {
    fn into_counts(self) -> Vec<usize> {
        self.to_vec()
    }
}

impl IntoCounts for &[usize] {
    fn into_counts(self) -> Vec<usize> {
        self.to_vec()
    }
}

impl<const N: usize> IntoCounts for &[usize; N] {
    fn into_counts(self) -> Vec<usize> {
        self.to_vec()
    }
}

impl IntoCounts for Vec<usize> {
    fn into_counts(self) -> Vec<usize> {
        self
    }
}

impl IntoCounts for std::ops::RangeInclusive<usize> {
    fn into_counts(self) -> Vec<usize> {
        self.collect()
    }
}

/// Values of options that expect a time: a [`Duration`], or a number of seconds. The attribute itself reads a text in
/// quotes, such as `"1.5s"`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a time",
    label = "write a number of seconds, such as `2` or `0.5`, a literal with a unit, such as `\"10m\"`, or a `std::time::Duration`"
)]
pub trait IntoDuration {
    /// The time as a [`Duration`].
    fn into_duration(self) -> Duration;
}

impl IntoDuration for Duration {
    fn into_duration(self) -> Duration {
        self
    }
}

impl IntoDuration for u64 {
    fn into_duration(self) -> Duration {
        Duration::from_secs(self)
    }
}

impl IntoDuration for i32 {
    fn into_duration(self) -> Duration {
        Duration::from_secs(self.max(0) as u64)
    }
}

impl IntoDuration for f64 {
    /// Negative and impossible numbers of seconds become zero, which no benchmark can meet: the error then names
    /// the time-out.
    fn into_duration(self) -> Duration {
        Duration::try_from_secs_f64(self).unwrap_or_default()
    }
}
