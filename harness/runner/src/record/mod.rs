//! The data model of measurements, and their files. Raw data only: every number of a report is computed from a
//! record, so that it can be computed again.

mod beside;
mod comparison;
mod consistent;
mod directory;
mod explanation;
mod lock;
mod manifest;
mod resources;
mod store;

use plusminus_worker::json::{json_object, json_variants};

pub use beside::FileBeside;
pub(crate) use beside::{beside, changed_since};
pub use comparison::{
    AcceptedSlowdown, BlockRecord, Built, COMPARISON_SCHEMA, ChangedCode, ChangedFunction,
    CodeSize, ComparedCase, ComparedTarget, ComparisonRecord, ComparisonSettings, Dependency,
    Kind as ComparisonKind, LockFile, LockFiles, OutsideCrates, Side, SideFailure, SideRecord,
    SkippedTarget,
};
pub(crate) use directory::Home;
pub use explanation::{ChangedPart, Explanation, Listing, ListingRow};
pub(crate) use lock::lock;
pub(crate) use manifest::{Before, SUBCOMMAND, program_hash};
pub use manifest::{Manifest, ProbeRecord};
#[doc(hidden)]
pub use resources::MUCH_BESIDE;
pub use resources::{CoreLoad, WorkerRecord};
pub use store::{
    AnyRecord, StoreError, parse, parse_any, read, read_any, read_comparison, write,
    write_comparison,
};
pub(crate) use store::{create, utc_timestamp, write_on};

pub use plusminus_worker::protocol::{
    Clock, Counter, Counting, InstanceRecord, MemoryUse, MetricRecord, PhaseTimes, Resources, Role,
    Tally, Unlike,
};

/// The version of the format; later versions read all earlier ones.
pub const SCHEMA: u32 = 1;

json_object! {
    /// Everything that one invocation measured.
    #[derive(Debug, Clone, Default, PartialEq)]
    pub struct Record {
        /// The version of the format, [`SCHEMA`].
        pub schema: u32,
        /// The subject, place and time of the measurement.
        pub manifest: Manifest,
        /// How it was to be measured.
        pub settings: Settings,
        /// The signal that ended the measurement before its time, if any: the last run is then incomplete.
        pub interrupted: Option<i32>,
        /// The order in which everything was measured, one step for each instance of a table in a run.
        pub order: Vec<Step>,
        /// The processes that measured, in order of time.
        pub workers: Vec<WorkerRecord> = Vec::new(),
        /// The benchmarks, in the order of the source.
        pub cases: Vec<CaseRecord>,
    }
}

impl Record {
    /// Returns whether the process that measured was killed: nothing was written at its end.
    pub fn is_unfinished(&self) -> bool {
        let manifest = &self.manifest;
        self.interrupted.is_none() && manifest.seconds.is_none() && manifest.load_after.is_none()
    }

    /// The least load of a core that any of its workers knew; `None` if no core was looked at.
    pub(crate) fn least_load(&self) -> Option<f64> {
        let cores = self.workers.iter().filter_map(|worker| worker.core);
        cores.map(|core| core.least).reduce(f64::min)
    }
}

json_object! {
    /// How an invocation was to measure.
    #[derive(Debug, Clone, Default, PartialEq)]
    pub struct Settings {
        /// The seed of every random choice.
        pub seed: u64,
        /// Runs for benchmarks that do not say otherwise.
        pub runs: u32,
        /// Whether this was quick mode: one worker for all tables of a run, few short runs, and fewer of benchmarks that
        /// take long to prepare.
        pub glance: bool [unless_false],
        /// Whether kernels ran in the process of the runner, for a debugger or profiler: the numbers are not comparable.
        pub in_process: bool [unless_false],
        /// Whether each run was one of another layout of the program.
        pub layouts: bool [unless_false],
        /// Half width of a 95 % interval, as a fraction of the time, for which runs are added after the first ones;
        /// `None` where the number of runs was fixed.
        pub precision: Option<f64>,
        /// Seconds that the whole invocation could take, if they were limited.
        pub max_seconds: Option<f64>,
        /// Differences up to this fraction are ignored: 0.02 = 2 %.
        pub margin: f64,
        /// Probability of a wrong claim that is accepted, over a whole table.
        pub alpha: f64,
    }
}

json_object! {
    /// One instance of one table in one run: the variants that were sampled, in order.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Step {
        /// The run, from 0.
        pub run: u32,
        /// The index of the instance.
        pub instance: usize,
        /// Indices into [`Record::cases`], in the order of sampling, every round anew.
        pub cases: Vec<usize>,
    }
}

json_object! {
    /// One benchmark at one point, with everything measured of it.
    #[derive(Debug, Clone, Default, PartialEq)]
    pub struct CaseRecord {
        /// The full name, unique in the record.
        pub name: String,
        /// `module::function`: the variant, whatever the point.
        pub function: String,
        /// The problem that it solves, if it is a variant.
        pub problem: Option<String>,
        /// The name of the point; empty for a function without arguments.
        pub point: String,
        /// The size n of the point, if it has one.
        pub size: Option<f64>,
        /// The models of the time that a study compares, by name; all that fit the data, if there are none.
        pub models: Vec<String> = Vec::new(),
        /// Its part in comparisons.
        pub role: Role,
        /// Processors given to the kernel.
        pub processors: usize,
        /// Callers of the kernel at once.
        pub threads: usize = 1,
        /// Counters that were read besides the time.
        pub metrics: Vec<MetricRecord> [unless_empty],
        /// The phases that it declares, whose times each measurement has.
        pub phases: Vec<String> [unless_empty],
        /// The instances; a function has one without a name.
        pub instances: Vec<InstanceRecord>,
        /// The first runs, after which their spread decided how many more there were; `None` where nothing was decided.
        pub pilot_runs: Option<u32>,
        /// Whether it was checked after every run if the comparison with the baseline variant was decided, and measured
        /// on only while it was not.
        pub until_decided: bool [unless_false],
        /// The measurements in order of time.
        pub measurements: Vec<Measurement>,
        /// The operations of one solution of each instance; empty unless requested and defined by the variant.
        pub tallies: Vec<InstanceTally> [unless_empty],
        /// Its failures.
        pub failures: Vec<Failure>,
    }
}

json_object! {
    /// Operations of one solution of an instance.
    #[derive(Debug, Clone, PartialEq)]
    pub struct InstanceTally {
        /// The index of the instance.
        pub instance: usize,
        /// The counts, in the order in which the variant names them.
        pub tallies: Vec<Tally>,
    }
}

json_object! {
    /// The samples of one instance in one run.
    #[derive(Debug, Clone, PartialEq, Default)]
    pub struct Measurement {
        /// The run, from 0.
        pub run: u32,
        /// The index of the instance.
        pub instance: usize,
        /// The process that took the samples: an index into [`Record::workers`].
        pub worker: Option<usize>,
        /// Calls in each sample.
        pub calls: u64,
        /// Windows that make up each sample; each has the cost of reading the clock in it.
        pub windows: u64 = 1,
        /// Wall time of the samples of the same size that came before and were to warm up.
        pub warm_up_ns: Vec<u64> = Vec::new(),
        /// CPU time of the warm-up samples; empty if it was not kept.
        pub warm_up_cpu_ns: Vec<u64> [unless_empty],
        /// Wall time of each sample, in nanoseconds for all its calls.
        pub wall_ns: Vec<u64>,
        /// CPU time of each sample; empty where the system does not tell.
        pub cpu_ns: Vec<u64>,
        /// How often the kernel's thread gave its processor up to wait, in each sample; empty where the system does not tell.
        pub switches: Vec<u64>,
        /// Wall time of each caller in each sample, if there were several; `wall_ns` is from the first start to the last
        /// end.
        pub threads_ns: Vec<Vec<u64>> [unless_empty],
        /// How much later than the first caller each caller began, in each sample, summed over its windows. The rest of
        /// `wall_ns` after this and `threads_ns` is how much earlier than the last one it ended.
        pub late_ns: Vec<Vec<u64>> [unless_empty],
        /// For each metric of the case: how much it went up during the calls of each sample, of all callers.
        pub metrics: Vec<Vec<f64>> [unless_empty],
        /// The times of the phases of the case, if it declares any.
        pub phases: Option<PhaseTimes> [unless_none],
        /// Resources of a call besides time, if they were counted.
        pub resources: Option<Resources>,
    }
}

impl Measurement {
    /// Wall time of one call in each sample, in nanoseconds.
    pub fn call_ns(&self) -> impl Iterator<Item = f64> + '_ {
        self.wall_ns.iter().map(|&wall| wall as f64 / self.calls as f64)
    }
}

json_object! {
    /// Why a benchmark has no result, or not all of them.
    #[derive(Debug, Clone, PartialEq)]
    pub struct Failure {
        /// The run, from 0.
        pub run: u32,
        /// The index of the instance, unless it happened before there were any.
        pub instance: Option<usize>,
        /// The cause of the failure.
        pub cause: Cause,
        /// The end of the worker's output.
        pub output: String,
    }
}

/// The ways in which a benchmark can fail.
#[derive(Debug, Clone, PartialEq)]
pub enum Cause {
    /// The kernel, or the building of its input, panicked.
    Panicked {
        /// Message and place.
        message: String,
    },
    /// The problem's check refused an output.
    WrongAnswer {
        /// The check's words.
        message: String,
    },
    /// The benchmark cannot be measured as it is written.
    Misuse {
        /// The fault and its cure.
        message: String,
    },
    /// Its function returned without measuring anything, as benchmarks of some other harnesses may. It is skipped,
    /// and has not failed.
    Nothing,
    /// The process ended in the middle.
    Died {
        /// How.
        how: String,
    },
    /// The time allowed was over.
    TimedOut {
        /// The time allowed, in seconds.
        seconds: f64,
    },
    /// The worker could not be started or understood.
    Worker {
        /// The fault.
        message: String,
    },
}

json_variants! {
    Cause, blank = Self::Panicked { message: String::new() };
    "panicked" Panicked { message },
    "wrong_answer" WrongAnswer { message },
    "misuse" Misuse { message },
    "nothing" Nothing,
    "died" Died { how },
    "timed_out" TimedOut { seconds },
    "worker" Worker { message },
}

impl CaseRecord {
    /// Returns whether it failed. A benchmark with nothing to measure is skipped and has not failed.
    #[must_use]
    pub fn has_failed(&self) -> bool {
        self.failures.iter().any(|failure| failure.cause != Cause::Nothing)
    }

    /// Whether it runs on one processor: it was given one, or it is marked as the sequential reference, which leaves others
    /// alone.
    #[must_use]
    pub fn runs_on_one(&self) -> bool {
        self.processors == 1 || self.role == Role::Reference
    }

    /// Returns whether it is skipped, because its function measures nothing.
    #[must_use]
    pub fn has_nothing(&self) -> bool {
        !self.failures.is_empty() && !self.has_failed()
    }
}

impl std::fmt::Display for Cause {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Panicked { message } => write!(f, "panicked: {message}"),
            Self::WrongAnswer { message } => write!(f, "wrong answer: {message}"),
            Self::Misuse { message } => write!(f, "cannot be measured: {message}"),
            Self::Nothing => {
                f.write_str("nothing to measure: its function returned without calling its bencher")
            }
            Self::Died { how } => write!(f, "died while measuring: {how}"),
            Self::TimedOut { seconds } => {
                write!(
                    f,
                    "timed out: no answer within {seconds} s (allow more with `timeout = seconds`)"
                )
            }
            Self::Worker { message } => write!(f, "no working worker: {message}"),
        }
    }
}
