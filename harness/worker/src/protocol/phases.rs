//! How long the parts of a kernel took, in samples of their own.

use crate::json::json_object;

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
