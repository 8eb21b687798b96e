//! What happens at the two edges of every window besides reading the clocks: callers wait for each other, and the
//! metrics of the benchmark are read.

use std::{
    cell::{Cell, RefCell},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use super::{callers::Gate, moment::Moment, phases};
use crate::Metric;

thread_local! {
    /// The gate at which this thread waits for the other callers, and whether it reads the metrics for all.
    static PLACE: Cell<Option<(&'static Gate, bool)>> = const { Cell::new(None) };
    /// When the windows of this caller's sample opened and closed.
    static WINDOWS: RefCell<Vec<(Moment, Moment)>> = const { RefCell::new(Vec::new()) };
}

/// Whether there are any metrics, so that benchmarks without them need not look.
static ACTIVE: AtomicBool = AtomicBool::new(false);

/// The metrics of the benchmark that is being sampled.
static WATCHED: Mutex<Vec<Watched>> = Mutex::new(Vec::new());

struct Watched {
    metric: Arc<dyn Metric>,
    before: f64,
    /// How much it went up in the windows of this sample.
    sum: f64,
}

fn watched() -> MutexGuard<'static, Vec<Watched>> {
    // A metric that panics ends the process; until then its numbers are not wrong.
    WATCHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Chooses the metrics to read from now on.
pub(crate) fn watch(metrics: &[Arc<dyn Metric>]) {
    let watch =
        |metric: &Arc<dyn Metric>| Watched { metric: metric.clone(), before: 0.0, sum: 0.0 };
    *watched() = metrics.iter().map(watch).collect();
    ACTIVE.store(!metrics.is_empty(), Ordering::Relaxed);
}

/// How much each metric went up since the last time.
pub(crate) fn take_sums() -> Vec<f64> {
    watched().iter_mut().map(|watched| std::mem::take(&mut watched.sum)).collect()
}

/// Makes this thread one of several callers while `run` runs; the first one reads the metrics. Answers when its windows
/// opened and closed, too.
pub(crate) fn as_caller<T>(
    gate: &'static Gate,
    first: bool,
    run: impl FnOnce() -> T,
) -> (T, Vec<(Moment, Moment)>) {
    PLACE.set(Some((gate, first)));
    WINDOWS.take();
    let result = run();
    PLACE.set(None);
    (result, WINDOWS.take())
}

/// Keeps the edges of a window that has closed, where there are other callers to set them against.
pub(crate) fn note(open: Moment, close: Moment) {
    if PLACE.get().is_some() {
        WINDOWS.with_borrow_mut(|windows| windows.push((open, close)));
    }
}

/// A window is about to open on this thread.
pub(crate) fn opens() {
    at_edge(|watched| watched.before = watched.metric.read());
    phases::window_opens();
}

/// A window has closed on this thread.
pub(crate) fn closes() {
    // Where there are several callers, all of them are done when this comes back.
    at_edge(|watched| watched.sum += watched.metric.read() - watched.before);
    phases::window_closes();
}

fn at_edge(look: impl Fn(&mut Watched)) {
    let place = PLACE.get();
    if let Some((gate, _)) = place {
        // Nothing is made or dropped while another caller is being timed.
        gate.wait();
    }
    if !ACTIVE.load(Ordering::Relaxed) {
        return;
    }
    if place.is_none_or(|(_, first)| first) {
        watched().iter_mut().for_each(look);
    }
    if let Some((gate, _)) = place {
        gate.wait();
    }
}
