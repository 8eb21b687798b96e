//! Facts about each worker process.

use super::{Clock, Counting};
use plusminus_worker::{json::json_object, protocol::Unlike};

/// Threads of a kernel do much if they take more than this part of the processor time of its process.
pub const MUCH_BESIDE: f64 = 0.1;

/// A core with this many times the least load is shared.
const SHARED: f64 = 1.1;

json_object! {
    /// The load of a core by two loops of arithmetic, one of which a neighbor on the same core slows down: the ratio of their times.
    #[derive(Debug, Clone, Copy, PartialEq)]
    pub struct CoreLoad {
        /// The median over the looks at the core while the worker measured.
        pub typical: f64,
        /// The least load of any core that was known until then.
        pub least: f64,
    }
}

impl CoreLoad {
    /// Whether something else worked on the core, if a free one has the load `least`.
    pub fn is_shared(&self, least: f64) -> bool {
        self.typical > SHARED * least
    }
}

json_object! {
    /// One worker process.
    #[derive(Debug, Clone, PartialEq)]
    pub struct WorkerRecord {
        /// The run that it measured in.
        pub run: u32,
        /// Whether it had measured other tables of the run before, as in quick mode: the following values belong to this
        /// one.
        pub used: bool [unless_false],
        /// Its clock.
        pub clock: Option<Clock>,
        /// The processor's counter, if its clock reads it.
        pub counting: Option<Counting> [unless_none],
        /// The processor on which it waited for requests, so that its samples began there, or which was the only one that it could
        /// use; `None` where the system chose.
        pub processor: Option<u32> [unless_none],
        /// Whether its core was its own; `None` where that was not looked at.
        pub core: Option<CoreLoad> [unless_none],
        /// The part of its processor time in windows that threads used which kernels had started. It is set if the
        /// command line gave them one processor to share. If an attribute sets it, a pool of one thread may do
        /// everything.
        pub beside: Option<f64> [unless_none],
        /// Bytes that were added to its environment, so that the stack lies elsewhere in every run.
        pub padding_bytes: usize,
        /// The most memory that it had in use at once.
        pub peak_rss_bytes: Option<u64>,
        /// Whether the problem has no check, and nothing else has looked at an output.
        pub unchecked: bool [unless_false],
        /// Variants whose outputs differ, of a problem without a check.
        pub unlike: Vec<Unlike> [unless_empty],
        /// Samples that it was asked for, warm-up included.
        pub samples: u64,
        /// Time from the first request for samples to the last answer, less windows and what belongs to kernels around
        /// them: what the protocol costs. It lies outside of every window.
        pub protocol_ns: u64,
    }
}
