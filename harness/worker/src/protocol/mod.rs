//! Requests of a runner and answers of a worker, as plain data: one JSON value a line.
//! May use `json` only; records keep the same types.

mod build;
mod case;
mod resources;
mod sample;
mod tally;

pub use build::Build;
pub use case::{CaseDescription, InstanceRecord, MetricRecord, Role, Wishes};
pub use resources::{Clock, Counter, Counting, MemoryUse, Resources};
pub use sample::{Outputs, PhaseTimes, RawSample, Unlike};
pub use tally::Tally;

use crate::json::{decode, encode, encode_in, json_object, json_variants};

/// Changes whenever a runner and a worker of different versions could misunderstand each other.
pub const PROTOCOL: u32 = 9;

/// The argument that makes a bench binary a worker; the number of the runner's process follows it.
pub const WORKER_FLAG: &str = "--plusminus-worker";

/// The variable with the memory that a worker may use, in bytes.
pub const MEMORY_VARIABLE: &str = "PLUSMINUS_WORKER_MEMORY";

/// The variable that fills the environment of a worker up, by a random number of bytes.
pub const PADDING_VARIABLE: &str = "PLUSMINUS_PADDING";

/// The variable with the seed of a worker's random numbers.
pub const SEED_VARIABLE: &str = "PLUSMINUS_WORKER_SEED";

/// The variable with the number of bytes by which a worker moves its heap, and of pages by which it moves its
/// mappings.
pub const HEAP_VARIABLE: &str = "PLUSMINUS_WORKER_HEAP";

/// The variable with the processor on which a worker waits for requests.
pub const PLACE_VARIABLE: &str = "PLUSMINUS_WORKER_PLACE";

/// The variable that makes a worker read the processor's counter, if it is `tsc`.
pub const CLOCK_VARIABLE: &str = "PLUSMINUS_WORKER_CLOCK";

/// The variables that tell a worker, and the thread pools that a kernel may use, how many processors they have.
pub const PROCESSORS_VARIABLES: [&str; 4] =
    ["PLUSMINUS_WORKER_PROCESSORS", "RAYON_NUM_THREADS", "OMP_NUM_THREADS", "TOKIO_WORKER_THREADS"];

/// Requests of a runner.
#[derive(Debug, Clone, PartialEq)]
pub enum Request {
    /// Name all benchmarks.
    List,
    /// Tell with what the program was built.
    Build,
    /// Work with these processors, in a process that was started without.
    Processors(Processors),
    /// Build the input of the point that these cases share.
    Load(Load),
    /// Take samples.
    Sample(Sampling),
    /// Count what a call uses besides time; `samples` means nothing here.
    Count(Sampling),
    /// Count one solution as the variant itself does; `calls`, `samples` and `check` mean nothing here.
    Tally(Sampling),
    /// Take samples in which the phases of the kernel are timed; `check` means nothing here.
    Phases(Sampling),
    /// Tell what the process has used.
    Usage,
    /// Hand over what was measured besides time in the samples taken last.
    Extras,
    /// Let go of the input.
    Finish,
    /// Let go of the input, and stay in the function that registers benchmarks: the next one may come later in it.
    Pause,
}

json_variants! {
    Request, blank = Self::List;
    "list" List,
    "build" Build,
    "processors" Processors(processors),
    "load" Load(load),
    "sample" Sample(sampling),
    "count" Count(sampling),
    "tally" Tally(sampling),
    "phases" Phases(sampling),
    "usage" Usage,
    "extras" Extras,
    "finish" Finish,
    "pause" Pause,
}

json_object! {
    /// Processors that a worker gets by variables when it is started.
    #[derive(Debug, Clone, PartialEq)]
    pub struct Processors {
        /// Those of its benchmarks.
        pub count: usize,
        /// The counts of sweeps that the command line asks for, `1,2,4`; empty if it does not.
        pub asked: String,
    }
}

json_object! {
    /// The cases to measure together: variants of one problem at one point, or a single function.
    #[derive(Debug, Clone, PartialEq)]
    pub struct Load {
        /// Their names; later requests give an index into this list.
        pub cases: Vec<String>,
        /// The sections that register the benchmark, each within the one before it, where no other one is needed.
        pub sections: Option<Vec<u32>>,
    }
}

impl Load {
    /// Asks for these cases, which share a table.
    pub fn of(cases: &[&CaseDescription]) -> Self {
        Self {
            cases: cases.iter().map(|case| case.name.clone()).collect(),
            sections: cases.first().and_then(|case| case.sections.clone()),
        }
    }
}

json_object! {
    /// A request for samples of one case on one instance.
    #[derive(Debug, Clone, PartialEq)]
    pub struct Sampling {
        /// Index into the loaded cases.
        pub case: usize,
        /// Index into the instances.
        pub instance: usize,
        /// Kernel calls in one sample.
        pub calls: u64,
        /// How many samples.
        pub samples: u32,
        /// Check the last output of the first sample.
        pub check: bool,
        /// Keep the kernel on the processor on which the worker waits, while it is timed: another worker shares it meanwhile.
        pub stay: bool [unless_false],
    }
}

/// Answers of a worker.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    /// All benchmarks of the program, in the order of the source.
    Listed {
        /// The benchmarks.
        cases: Vec<CaseDescription>,
    },
    /// With what the program was built.
    Built(Build),
    /// The process has started.
    Ready {
        /// The protocol it speaks.
        protocol: u32,
        /// Properties of its clock.
        clock: Clock,
    },
    /// The input is built.
    Loaded {
        /// The instances to solve.
        instances: Vec<InstanceRecord>,
    },
    /// The samples that were asked for, in the order in which they were taken.
    Sampled {
        /// The samples.
        samples: Vec<RawSample>,
    },
    /// Resources of a call besides time.
    Counted {
        /// All that was counted.
        resources: Resources,
    },
    /// Counts of one solution.
    Tallied {
        /// The counts, in the order in which the variant names them.
        tallies: Vec<Tally>,
    },
    /// The times of the phases in the samples that were asked for.
    Phased {
        /// The times.
        times: PhaseTimes,
    },
    /// Resources that the process has used.
    Usage {
        /// The most memory that it had in use at once, if the system reports it.
        peak_rss_bytes: Option<u64>,
        /// The processor's counter, checked again, if that is the clock.
        counting: Option<Counting>,
        /// The worker's findings on outputs of a problem without a check; `None` from workers that do not send them.
        outputs: Option<Outputs>,
    },
    /// Measurements besides time, one entry for each sample taken last.
    Extras(Extras),
    /// The input is dropped.
    Finished,
    /// The request could not be carried out; the process ends unless the answer was wrong only.
    Failed(Failed),
}

json_variants! {
    Answer, blank = Self::Finished;
    "listed" Listed { cases },
    "built" Built(build),
    "ready" Ready { protocol, clock },
    "loaded" Loaded { instances },
    "sampled" Sampled { samples },
    "counted" Counted { resources },
    "tallied" Tallied { tallies },
    "phased" Phased { times },
    "usage" Usage { peak_rss_bytes, counting, outputs },
    "extras" Extras(extras),
    "finished" Finished,
    "failed" Failed(failed),
}

impl Answer {
    /// The line that a runner reads, with its end.
    ///
    /// The memory for measurements depends on their number alone. If the digits of times decided how much is allocated, the
    /// allocator would not be in the same state on both sides of a pair, and kernels that allocate would take different times.
    pub fn line(&self) -> Vec<u8> {
        /// Room for six numbers with their names.
        const SAMPLE_BYTES: usize = 256;
        /// Room for the digits of a number, and a comma.
        const NUMBER_BYTES: usize = 32;
        let bytes = match self {
            Self::Sampled { samples } => samples.len() * SAMPLE_BYTES,
            Self::Extras(extras) => extras.numbers() * NUMBER_BYTES,
            _ => 0,
        };
        let mut line = encode_in(self, SAMPLE_BYTES + bytes);
        line.push(b'\n');
        line
    }

    /// Reads a line.
    pub fn decode(line: &str) -> Result<Self, String> {
        decode(line.as_bytes()).map_err(|error| error.to_string())
    }
}

impl Request {
    /// The line that a worker reads, with its end.
    pub fn line(&self) -> Vec<u8> {
        let mut line = encode(self);
        line.push(b'\n');
        line
    }

    /// Reads a line.
    pub fn decode(line: &str) -> Result<Self, String> {
        decode(line.as_bytes()).map_err(|error| error.to_string())
    }
}

json_object! {
    /// Measurements besides time.
    #[derive(Debug, Clone, PartialEq, Default)]
    pub struct Extras {
        /// Wall time of each caller, in nanoseconds; empty where there was only one.
        pub threads_ns: Vec<Vec<u64>>,
        /// How much later than the first caller each of them began, in nanoseconds; empty where there was only one.
        pub late_ns: Vec<Vec<u64>>,
        /// How much each metric went up during the calls of a sample; empty without metrics.
        pub metrics: Vec<Vec<f64>>,
    }
}

impl Extras {
    /// How many numbers there are, and lists of them.
    fn numbers(&self) -> usize {
        let times = self.threads_ns.iter().chain(&self.late_ns).map(Vec::len);
        times.chain(self.metrics.iter().map(Vec::len)).map(|count| 1 + count).sum()
    }
}

/// Why a request failed, where the worker itself can still tell.
#[derive(Debug, Clone, PartialEq)]
pub enum Failed {
    /// The kernel, or the building of its input, panicked.
    Panicked {
        /// Message and place.
        message: String,
    },
    /// The problem's check refused the output.
    WrongAnswer {
        /// The check's words.
        message: String,
    },
    /// The function returned without measuring anything, and had said that it may.
    Nothing,
    /// The benchmark cannot be measured as it is written.
    Misuse {
        /// The fault and its cure.
        message: String,
    },
}

json_variants! {
    Failed, blank = Self::Panicked { message: String::new() };
    "panicked" Panicked { message },
    "wrong_answer" WrongAnswer { message },
    "nothing" Nothing,
    "misuse" Misuse { message },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_of_measurements_do_not_decide_how_much_memory_an_answer_takes() {
        let samples = |ns| {
            let times = [Some(ns); 3];
            let [cpu_ns, others_ns, switches] = times;
            RawSample { wall_ns: ns, cpu_ns, others_ns, switches, outside_ns: ns, windows: ns }
        };
        let extras = |ns| Extras {
            threads_ns: vec![vec![ns; 64]; 21],
            late_ns: vec![vec![ns; 64]; 21],
            metrics: vec![vec![ns as f64 / 1e300; 3]; 21],
        };
        let clock = |ns| Clock { tick_ns: ns, window_ns: ns, loop_ns: ns };
        let pairs = [
            [1, u64::MAX].map(|ns| Answer::Sampled { samples: vec![samples(ns); 21] }),
            [0, u64::MAX].map(|ns| Answer::Extras(extras(ns))),
            [1.0, 1.0 / 300_000.0].map(|ns| Answer::Ready { protocol: PROTOCOL, clock: clock(ns) }),
        ];
        for lines in pairs.map(|pair| pair.map(|answer| answer.line())) {
            assert!(lines[1].len() > lines[0].len() + 30);
            assert_eq!(lines[0].capacity(), lines[1].capacity());
        }
    }
}
