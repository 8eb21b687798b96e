//! Samples as they are read from the clocks, and a worker's findings on phases and outputs.

use crate::json::json_object;

json_object! {
    /// One timed stretch of calls, as read from the clocks.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
    pub struct RawSample {
        /// Wall time of all calls of the window, in nanoseconds.
        pub wall_ns: u64,
        /// CPU time of the threads that called the kernel during the window, in nanoseconds.
        pub cpu_ns: Option<u64>,
        /// CPU time of all other threads of the process meanwhile, in nanoseconds.
        pub others_ns: Option<u64>,
        /// How often the thread that called the kernel gave its processor up during the window, to wait for something.
        pub switches: Option<u64>,
        /// Time spent outside the window: inputs made, outputs checked and dropped.
        pub outside_ns: u64,
        /// Windows that make up the sample: more than one where inputs or outputs are too many to be held at once.
        pub windows: u64 = 1,
    }
}

impl RawSample {
    /// Adds another window of the same sample.
    pub fn and(self, other: RawSample) -> RawSample {
        let sum = |a: Option<u64>, b: Option<u64>| a.zip(b).map(|(a, b)| a + b);
        RawSample {
            wall_ns: self.wall_ns + other.wall_ns,
            cpu_ns: sum(self.cpu_ns, other.cpu_ns),
            others_ns: sum(self.others_ns, other.others_ns),
            switches: sum(self.switches, other.switches),
            outside_ns: self.outside_ns + other.outside_ns,
            windows: self.windows + other.windows,
        }
    }
}

json_object! {
    /// The phases of a kernel in the samples of one instance in one run in which they were timed. The time of the whole is
    /// that of other samples, in which no clock was read for phases.
    #[derive(Debug, Clone, PartialEq, Default)]
    pub struct PhaseTimes {
        /// Wall time of each of these samples, in nanoseconds for all its calls, the timing of phases included.
        pub wall_ns: Vec<u64>,
        /// For each phase that the benchmark declares: the time in it in each sample, of all callers and threads.
        pub own_ns: Vec<Vec<u64>>,
        /// For each phase: how often it was entered in all samples together.
        pub entries: Vec<u64>,
        /// The most phases that ran at once, one within another or on several threads: more than 1, and they overlap.
        pub at_once: u64,
    }
}

impl PhaseTimes {
    /// Adds samples that were taken later.
    #[doc(hidden)]
    pub fn extend(&mut self, later: Self) {
        self.wall_ns.extend(later.wall_ns);
        self.own_ns.resize(self.own_ns.len().max(later.own_ns.len()), Vec::new());
        self.own_ns.iter_mut().zip(later.own_ns).for_each(|(own, later)| own.extend(later));
        self.entries.resize(self.entries.len().max(later.entries.len()), 0);
        self.entries.iter_mut().zip(later.entries).for_each(|(own, later)| *own += later);
        self.at_once = self.at_once.max(later.at_once);
    }
}

json_object! {
    /// Outputs of a problem without a check.
    #[derive(Debug, Clone, PartialEq, Default)]
    pub struct Outputs {
        /// Whether nothing has looked at an output, neither a check nor a comparison with a different variant.
        pub unchecked: bool [unless_false],
        /// Variants whose outputs differ.
        pub unlike: Vec<Unlike> [unless_empty],
    }
}

json_object! {
    /// Two variants whose outputs differ.
    #[derive(Debug, Clone, PartialEq)]
    pub struct Unlike {
        /// The name of the benchmark whose output came first.
        pub first: String,
        /// The name of the other one.
        pub second: String,
        /// The name of the first instance on which they differ.
        pub instance: String,
    }
}
