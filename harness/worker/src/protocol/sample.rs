//! One sample as it is read from the clocks.

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
