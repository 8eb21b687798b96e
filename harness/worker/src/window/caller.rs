//! One caller of a kernel, and all that happens when a window of it opens and closes. Callers meet, metrics are read,
//! phases and counters begin and end, and the clocks are read next to the kernel.

use std::{
    mem,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use super::{
    answers::Comparison,
    callers::{Gate, Shares, Threads},
    held::{Held, Known},
    moment::{Moment, TimeSource},
    phases,
    resources::Counted,
};
use crate::{
    Metric,
    protocol::RawSample,
    sys::{self, StartingPlace},
};

/// Everything that belongs to the windows of one worker. Its session owns it.
pub(crate) struct Windows {
    pub(crate) callers: usize,
    /// Their threads, once there was need for them.
    pub(super) threads: Option<Threads>,
    /// How the callers shared the latest sample; empty where there was only one.
    pub(super) shares: Shares,
    /// The known memory of inputs and outputs, for a kernel with one caller.
    pub(crate) held: Known,
    /// The outputs of variants whose problem has no check.
    pub(crate) answers: Comparison,
    pub(super) shared: Shared,
}

/// The part that all callers see.
pub(super) struct Shared {
    pub(super) source: TimeSource,
    /// Metrics that are read around each window, by the first caller.
    metrics: Mutex<Vec<Watched>>,
    has_metrics: bool,
    /// Counters besides time, while nothing is timed.
    pub(super) counted: Option<Counted>,
    /// Where windows stay; `None` where the system may move them.
    stay: Option<StartingPlace>,
}

struct Watched {
    metric: Arc<dyn Metric>,
    before: f64,
    /// How much it went up in the windows of this sample.
    sum: f64,
}

impl Default for Windows {
    fn default() -> Self {
        let metrics = Mutex::new(Vec::new());
        let source = TimeSource::System;
        Self {
            callers: 1,
            threads: None,
            shares: Shares::default(),
            held: Known::default(),
            answers: Comparison::default(),
            shared: Shared { source, metrics, has_metrics: false, counted: None, stay: None },
        }
    }
}

impl Windows {
    pub(crate) fn timed_by(source: TimeSource) -> Self {
        let mut windows = Self::default();
        windows.shared.source = source;
        windows
    }

    pub(crate) fn source(&self) -> TimeSource {
        self.shared.source
    }

    pub(crate) fn watch(&mut self, metrics: &[Arc<dyn Metric>]) {
        let watch =
            |metric: &Arc<dyn Metric>| Watched { metric: metric.clone(), before: 0.0, sum: 0.0 };
        *self.shared.metrics() = metrics.iter().map(watch).collect();
        self.shared.has_metrics = !metrics.is_empty();
    }

    /// Has windows stay at a place from now on, if there is one.
    pub(crate) fn stay(&mut self, place: Option<StartingPlace>) {
        self.shared.stay = place;
    }

    /// Takes how much each metric went up since the last time.
    pub(crate) fn take_sums(&mut self) -> Vec<f64> {
        self.shared.metrics().iter_mut().map(|watched| mem::take(&mut watched.sum)).collect()
    }

    /// Takes how the callers shared the latest sample; empty where there was only one.
    pub(crate) fn take_shares(&mut self) -> Shares {
        mem::take(&mut self.shares)
    }

    /// A request for a sample of this number of calls, without a session.
    pub(crate) fn ask(&mut self, calls: u64) -> Ask<'_> {
        Ask { case: 0, instance: 0, calls, at_once: usize::MAX, check: false, windows: self }
    }
}

impl Shared {
    fn look(&self, look: impl Fn(&mut Watched)) {
        if self.has_metrics {
            self.metrics().iter_mut().for_each(look);
        }
    }

    fn metrics(&self) -> MutexGuard<'_, Vec<Watched>> {
        // A metric that panics ends the process; until then its numbers are not wrong.
        self.metrics.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A request for one sample, as it reaches the code of a benchmark.
pub struct Ask<'w> {
    pub(crate) case: usize,
    pub(crate) instance: usize,
    pub(crate) calls: u64,
    /// The most inputs and outputs that each caller has at once.
    pub(crate) at_once: usize,
    pub(crate) check: bool,
    pub(crate) windows: &'w mut Windows,
}

pub(super) struct Caller<'w> {
    shared: &'w Shared,
    pub(super) held: Option<&'w mut Held>,
    /// Where it waits for the other callers, if there are any.
    gate: Option<&'static Gate>,
    /// Whether it reads the metrics for all.
    first: bool,
    /// When its windows opened and closed, where there are others to set them against.
    pub(super) edges: Vec<(Moment, Moment)>,
}

impl<'w> Caller<'w> {
    pub(super) fn alone(windows: &'w mut Windows) -> Self {
        let held = windows.held.current();
        Self { shared: &windows.shared, held, gate: None, first: true, edges: Vec::new() }
    }

    /// One of several, which meet at this gate.
    pub(super) fn of_several(shared: &'w Shared, gate: &'static Gate, first: bool) -> Self {
        Self { shared, held: None, gate: Some(gate), first, edges: Vec::new() }
    }

    /// A window of this caller is about to open.
    pub(super) fn opens(&self) {
        self.shared.stay.iter().for_each(StartingPlace::wait);
        self.at_edge(|shared| {
            shared.look(|watched| watched.before = watched.metric.read());
            shared.counted.iter().for_each(Counted::start);
        });
        phases::TIMES.window_opens();
    }

    /// A window of this caller has closed.
    pub(super) fn closes(&self) {
        // Where there are several callers, all of them are done when this looks.
        self.at_edge(|shared| {
            shared.counted.iter().for_each(Counted::stop);
            shared.look(|watched| watched.sum += watched.metric.read() - watched.before);
        });
        phases::TIMES.window_closes();
        self.shared.stay.iter().for_each(StartingPlace::go);
    }

    /// Meets the other callers, and looks at metrics and counters once for all: nothing is made or dropped while another
    /// caller is being timed, and nothing is missed of what it does.
    fn at_edge(&self, look: impl Fn(&Shared)) {
        self.gate.inspect(|gate| gate.wait());
        if !self.shared.has_metrics && self.shared.counted.is_none() {
            return;
        }
        if self.first {
            look(self.shared);
        }
        self.gate.inspect(|gate| gate.wait());
    }
}

/// The clocks at the edge of a window.
pub(super) struct Reading {
    wall: Moment,
    cpu_ns: Option<u64>,
    process_ns: Option<u64>,
    switches: Option<u64>,
}

impl Reading {
    /// Opens a window: the wall clock is read last, so that the slower clocks stay outside. Valgrind knows it by name.
    #[inline(never)]
    pub(super) fn open(caller: &Caller<'_>) -> Self {
        caller.opens();
        let switches = sys::waits();
        let process_ns = sys::process_cpu_ns();
        let cpu_ns = sys::thread_cpu_ns();
        Self { switches, process_ns, cpu_ns, wall: caller.shared.source.now() }
    }

    /// Closes a window: the wall clock is read first. Valgrind knows it by name.
    #[inline(never)]
    pub(super) fn close(caller: &Caller<'_>) -> Self {
        let wall = caller.shared.source.now();
        let cpu_ns = sys::thread_cpu_ns();
        let process_ns = sys::process_cpu_ns();
        let switches = sys::waits();
        caller.closes();
        Self { wall, cpu_ns, process_ns, switches }
    }

    /// Returns the difference between two readings. The time outside is filled in later.
    pub(super) fn until(&self, end: &Reading, caller: &mut Caller<'_>) -> RawSample {
        if caller.gate.is_some() {
            caller.edges.push((self.wall, end.wall));
        }
        let between = |from: Option<u64>, to: Option<u64>| {
            from.zip(to).map(|(from, to)| to.saturating_sub(from))
        };
        let cpu_ns = between(self.cpu_ns, end.cpu_ns);
        let process_ns = between(self.process_ns, end.process_ns);
        RawSample {
            wall_ns: caller.shared.source.between(self.wall, end.wall),
            cpu_ns,
            others_ns: process_ns.zip(cpu_ns).map(|(all, own)| all.saturating_sub(own)),
            switches: between(self.switches, end.switches),
            outside_ns: 0,
            windows: 1,
        }
    }
}
