//! The measuring side of plusminus: what attributes register, the timed window, and the process that runs kernels on
//! request. A crate that only has benchmarks compiles this one, and no runner.
//!
//! Users write `plusminus::…`, which re-exports what is theirs. The rest is shared with `plusminus-runner` and not stable.
//! Arrows point down: `serve` → `registry` → `bencher` → `window` → `protocol`.

mod bencher;
pub mod exit;
pub mod hand_over;
#[doc(hidden)]
pub mod json;
mod libtest_bencher;
pub mod listed;
mod metric;
mod options;
pub mod order;
mod problem;
pub mod processor_request;
pub mod protocol;
pub mod registry;
pub mod serve;
pub mod sys;
pub mod text;
mod window;

pub use bencher::{Bencher, BencherWithInputs};
pub use metric::{Metric, MetricKind, Metrics};
pub use processor_request::{asked_processor_counts, processor_counts};
// Attributes make these of their values.
pub use options::{Ignore, IntoCounts, IntoDuration, IntoIgnore, Options};
pub use problem::{Problem, Work};
pub use protocol::Tally;
pub use registry::Registry;
// Attributes write its name, also in crates to which this one is `plusminus`.
#[doc(hidden)]
pub use registry::private as __private;
pub use serve::ranks;
pub use window::{CountingAllocator, Executor, Phase, Window, phase};

/// The API of libtest's own benchmarks, under the same names.
pub mod libtest {
    pub use std::hint::black_box;

    pub use crate::libtest_bencher::Bencher;
}

/// The system as the programs of this project see it: interrupts, process groups, and facts for manifests.
pub mod system {
    pub use crate::sys::{
        Placement, address_randomisation, catch_interrupts, cpu_model, go_last, governor,
        interrupt, kill_group, load_average, own_group, steal_ticks, system_version,
    };
}

/// Makes a function known that registers benchmarks while the program runs; see [`Registry`].
///
/// ```
/// fn squares(registry: &plusminus::Registry) {
///     for n in [2_u64, 3] {
///         registry.bench(&n.to_string(), |bencher| bencher.bench(|| std::hint::black_box(n).pow(2)));
///     }
/// }
///
/// plusminus::register!(squares);
/// plusminus::main!();
/// ```
#[macro_export]
macro_rules! register {
    ($function:ident) => {
        const _: () = {
            $crate::registry::private::inventory::submit! {
                $crate::registry::private::Entry {
                    mark: $crate::registry::private::ENTRY_MARK,
                    module: ::core::module_path!(),
                    name: ::core::stringify!($function),
                    file: ::core::file!(),
                    line: ::core::line!(),
                    column: ::core::column!(),
                    combination: 0,
                    metrics: ::core::option::Option::None,
                    package: $crate::package_name!(),
                    options: $crate::Options::default,
                    subject: $crate::registry::private::Subject::Registered(
                        $crate::registry::private::RegisteredSubject {
                            register: $function,
                            prefixed: true,
                        },
                    ),
                }
            }
        };
    };
}

/// The processors that the running kernel was given, p of T(n, p); 1 outside of a measurement.
///
/// A parallel kernel that manages its own threads starts this many. Pools that read `RAYON_NUM_THREADS`,
/// `OMP_NUM_THREADS` or `TOKIO_WORKER_THREADS` need not ask: the worker process is started with these set.
///
/// ```
/// assert_eq!(plusminus::processors(), 1);
/// ```
pub fn processors() -> usize {
    std::env::var("PLUSMINUS_WORKER_PROCESSORS").ok().and_then(|p| p.parse().ok()).unwrap_or(1)
}
