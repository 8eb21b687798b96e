//! How a benchmark is to be measured, as an attribute says it.
//! Plain data: what is left open here is filled in by the command line's defaults.

use std::time::Duration;

/// What an attribute may say about measuring. `None` and empty mean: not said.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Fresh processes to measure in.
    pub runs: Option<u32>,
    /// Samples of each instance in each run.
    pub samples: Option<u32>,
    /// Longest time to spend on the samples of one instance in one run.
    pub max_time: Option<Duration>,
    /// The change, in percent, up to which a comparison counts it as none.
    pub margin: Option<f64>,
    /// Longest time that one call of the kernel, or the building of its input, may take.
    pub timeout: Option<Duration>,
    /// Processor counts to measure with, one benchmark each: T(n, p).
    pub processors: Vec<usize>,
    /// Callers of the same kernel at once, one benchmark each.
    pub threads: Vec<usize>,
    /// Why the benchmark is not run unless asked for.
    pub ignore: Option<&'static str>,
}

/// What can be written where an attribute expects a time: a [`Duration`], or a number of seconds.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a time",
    label = "write a number of seconds, such as `2` or `0.5`, or a `std::time::Duration`"
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
