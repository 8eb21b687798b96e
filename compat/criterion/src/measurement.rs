//! The measured quantity: wall time. Other measurements are not possible here.

use std::time::Duration;

/// The quantity that a benchmark measures. The only one is [`WallTime`]. The trait exists for the types of bench
/// functions.
///
/// ```compile_fail,E0277
/// struct Cycles;
///
/// fn measure(criterion: criterion::Criterion) {
///     let _ = criterion.with_measurement(Cycles);
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "plusminus measures wall time, and cannot use `{Self}` as a measurement of its own",
    label = "not possible with plusminus-criterion",
    note = "for your own counter, write the benchmark with `#[plusminus::bench(metrics = […])]` \
            and implement `plusminus::Metric`; for instructions run `cargo bench -- --instructions`"
)]
pub trait Measurement: sealed::Only {
    /// The return value of a routine that times itself.
    type Value;

    #[doc(hidden)]
    fn duration(value: Self::Value) -> Duration;
}

/// The format of values of your own measurement in criterion. There are none here, and nothing to format.
pub trait ValueFormatter: sealed::Only {}

mod sealed {
    /// Keeps other crates from measurements of their own.
    #[diagnostic::on_unimplemented(
        message = "plusminus measures wall time, and cannot use `{Self}` as a measurement of its own",
        label = "not possible with plusminus-criterion",
        note = "for your own counter, write the benchmark with `#[plusminus::bench(metrics = \
                […])]` and implement `plusminus::Metric`; for instructions run `cargo bench -- --instructions`"
    )]
    pub trait Only: 'static {}
}

/// Wall time.
#[derive(Debug, Clone, Copy, Default)]
pub struct WallTime;

impl sealed::Only for WallTime {}

impl Measurement for WallTime {
    type Value = Duration;

    fn duration(value: Duration) -> Duration {
        value
    }
}
