//! The clock that a worker reads, and what a call uses besides time.

use crate::json::json_object;

json_object! {
    /// Properties of the clock of a worker, measured by the worker before its first kernel.
    #[derive(Debug, Clone, Copy, PartialEq)]
    pub struct Clock {
        /// The step of the clock, in nanoseconds.
        pub tick_ns: f64,
        /// Duration of an empty window in nanoseconds, which is part of every window.
        pub window_ns: f64,
        /// Duration of one call of an empty kernel in nanoseconds: the loop around the calls.
        pub loop_ns: f64,
    }
}

json_object! {
    /// The processor's counter (TSC) as the clock of a worker, set against the clock of the operating system.
    #[derive(Debug, Clone, Copy, PartialEq)]
    pub struct Counting {
        /// Counts in a second, as found before anything was measured.
        pub hertz: f64,
        /// Relative standard uncertainty of that, from how closely both clocks can be read at once (type B).
        pub u_relative: f64,
        /// By how much the frequency over the whole life of the worker differs from that, as a fraction; `None` where the
        /// worker did not live to its end.
        pub drift: Option<f64>,
    }
}

impl Counting {
    /// Whether the counter and the system's clock stayed together: as closely as both can be read, and as the system
    /// may slew its clock to follow the time of day, by 500 ppm on both sides.
    pub fn is_steady(&self) -> bool {
        self.drift.is_none_or(|drift| drift.abs() <= 1e-3 + 5.0 * self.u_relative)
    }
}

json_object! {
    /// Resources of one call of a kernel besides time. They are counted in calls of their own, never in a timed sample.
    #[derive(Debug, Clone, PartialEq, Default)]
    pub struct Resources {
        /// Memory, if the program has [`CountingAllocator`](crate::CountingAllocator) as its global allocator.
        pub memory: Option<MemoryUse>,
        /// Events that the processor or the system counted, per call.
        pub counters: Vec<Counter>,
        /// Why counters are missing, one sentence for each reason.
        pub absent: Vec<String>,
    }
}

json_object! {
    /// The memory that one call of a kernel asked for.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct MemoryUse {
        /// Blocks that were allocated or changed in size.
        pub allocations: u64,
        /// Bytes of these blocks; of a block that grew, what it grew by.
        pub bytes: u64,
        /// The most bytes in use at once, beyond those in use before the call.
        pub peak_bytes: u64,
        /// Bytes that are still in use at its end, with those of its output; `None` from workers that do not count them.
        pub kept_bytes: Option<u64> [unless_none],
    }
}

json_object! {
    /// A counted event.
    #[derive(Debug, Clone, PartialEq)]
    pub struct Counter {
        /// The name of the event: `instructions`, `cycles`.
        pub name: String,
        /// How many in one call, on average over a sample.
        pub per_call: f64,
        /// The part of the window in which the event was counted: below 1, others wanted the same counter, and the
        /// number is an extrapolation.
        pub counted_share: f64,
    }
}
