//! What is measured: wall time. Other measurements are not possible here.

use std::time::Duration;

/// What a benchmark measures. The only one is [`WallTime`]; the trait stands here for the types of bench functions.
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
    note = "to have a counter of your own beside the time, write the benchmark with `#[plusminus::bench(metrics = […])]` \
            and implement `plusminus::Metric`; for instructions run `cargo bench -- --instructions`"
)]
pub trait Measurement: sealed::Only {
    /// What a routine that times itself returns.
    type Value;

    #[doc(hidden)]
    fn duration(value: Self::Value) -> Duration;
}

/// How criterion would write values of a measurement of one's own: there are none here, and nothing to format.
pub trait ValueFormatter: sealed::Only {}

mod sealed {
    /// Keeps other crates from measurements of their own.
    #[diagnostic::on_unimplemented(
        message = "plusminus measures wall time, and cannot use `{Self}` as a measurement of its own",
        label = "not possible with plusminus-criterion",
        note = "to have a counter of your own beside the time, write the benchmark with `#[plusminus::bench(metrics = \
                […])]` and implement `plusminus::Metric`; for instructions run `cargo bench -- --instructions`"
    )]
    pub trait Only {}
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
