//! User-defined measurements, shown with the time: a counter that is read when a window opens and when it closes.
//! Types only: the worker reads them, the report shows them.

use std::{fmt, sync::Arc};

use crate::json::json_variants;

/// A counter that the harness reads at both edges of every window, outside of the timed part.
///
/// Name it in `#[bench(metrics = [Allocations])]`. The value must never go down; what is reported is how much it
/// went up during the calls. `cargo plusminus compare` gives a verdict on it.
///
/// ```
/// use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
/// use plusminus::{Metric, MetricKind, bench};
///
/// static PROBES: AtomicU64 = AtomicU64::new(0);
///
/// /// Slots of the table that a search looked at.
/// struct Probes;
///
/// impl Metric for Probes {
///     fn name(&self) -> &str { "probes" }
///     fn unit(&self) -> &str { "probes" }
///     fn read(&self) -> f64 { PROBES.load(Relaxed) as f64 }
/// }
///
/// #[bench(metrics = [Probes])]
/// fn search() {
///     PROBES.fetch_add(3, Relaxed);
/// }
/// # fn main() { assert_eq!(Probes.kind(), MetricKind::Cost); }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a metric",
    label = "implement `plusminus::Metric` for this type, or list such values: `metrics = [Allocations]`"
)]
pub trait Metric: Send + Sync {
    /// The name of the counted thing: the title of a column.
    fn name(&self) -> &str;

    /// The unit of the value, in the plural: "bytes", "probes".
    fn unit(&self) -> &str;

    /// Whether the value is reported for one call, or for a second.
    fn kind(&self) -> MetricKind {
        MetricKind::Cost
    }

    /// The present value.
    fn read(&self) -> f64;
}

/// How the value of a [`Metric`] is reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MetricKind {
    /// So much for one call: less is better.
    Cost,
    /// So much in a second of wall time: more is better.
    Rate,
}

json_variants! { MetricKind, blank = Self::Cost; "cost" Cost, "rate" Rate }

/// The metrics of a benchmark.
#[derive(Clone, Default)]
pub struct Metrics(pub Vec<Arc<dyn Metric>>);

impl fmt::Debug for Metrics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.0.iter().map(|metric| metric.name())).finish()
    }
}
