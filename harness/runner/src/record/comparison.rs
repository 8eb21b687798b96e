//! The record of a comparison: two versions of the same benchmarks, measured in turns, with every sample of both.
//! Pure data, like [`Record`](super::Record); each side of it is one too, so that whatever reads records reads comparisons.

mod built;
mod check;
mod side;

use super::{
    Explanation, Failure, InstanceRecord, Manifest, Measurement, MetricRecord, WorkerRecord,
};
pub use built::{Built, Dependency, LockFile, LockFiles, OutsideCrates, SkippedTarget};
pub(super) use check::consistent;
use plusminus_worker::json::{FromJson, json_object, json_variants};

/// The version of the format of comparisons; later versions read all earlier ones.
pub const COMPARISON_SCHEMA: u32 = 1;

/// One of the two versions of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Side {
    /// The version that the other one is compared with.
    Base,
    /// The version in question.
    New,
}

json_variants! {
    Side, blank = Self::Base;
    "base" Base, "new" New,
}

/// The mark that distinguishes the file of a comparison from that of a [`Record`](super::Record).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Two versions of the same benchmarks.
    Comparison,
}

json_variants! {
    Kind, blank = Self::Comparison;
    "comparison" Comparison,
}

json_object! {
    /// Everything that one comparison of two versions measured.
    #[derive(Debug, Clone, PartialEq)]
    pub struct ComparisonRecord {
        /// The version of the format, [`COMPARISON_SCHEMA`].
        pub schema: u32,
        /// The kind of this record.
        pub kind: Kind,
        /// How it was to be measured and judged.
        pub settings: ComparisonSettings,
        /// The version that the other one is compared with.
        pub base: SideRecord,
        /// The version in question.
        pub new: SideRecord,
        /// The signal that ended the measurement before its time, if any.
        pub interrupted: Option<i32>,
        /// Whether the time allowed was over before all was decided.
        pub out_of_time: bool [unless_false],
        /// Seconds since the start besides measuring: for checking out, building and comparing code.
        pub preparing_seconds: f64 = 0.0,
        /// Seconds for measuring, pilots included.
        pub seconds: f64 = 0.0,
        /// Seconds of these for the pilots, whose samples decide how to measure and count for nothing else.
        pub pilot_seconds: f64 = 0.0,
        /// The processes that measured, in order of time; their `run` is the block.
        pub workers: Vec<WorkerRecord> = Vec::new(),
        /// The bench targets whose names are known; none in records from before they were kept.
        pub targets: Vec<ComparedTarget> [unless_empty],
        /// How far layouts alone are known to move times, where both sides are different programs in one layout each: no margin is smaller,
        /// and no change below it is called slower or faster.
        pub least_margin: Option<f64> [unless_none],
        /// The benchmarks that both sides have, in the order of the source.
        pub cases: Vec<ComparedCase>,
        /// The control: benchmarks of base, measured against a copy of base.
        pub control: Vec<ComparedCase> [unless_empty],
        /// Benchmarks that were not measured because both sides run the same machine code for them.
        pub identical_code: Vec<String> [unless_empty],
        /// The same list in records of earlier versions, which is moved to `identical_code` when a record is read.
        #[doc(hidden)]
        pub unchanged: Vec<String> [unless_empty],
        /// How many benchmarks with the same machine code were measured after all others, to check that their time does not differ.
        pub checked: usize = 0,
        /// Benchmarks that were found to run the same machine code, and whose time differs all the same: an error of the proof.
        pub contradicted: Vec<String> [unless_empty],
        /// Benchmarks that only the new side has.
        pub added: Vec<String> [unless_empty],
        /// Benchmarks that only the base has.
        pub removed: Vec<String> [unless_empty],
        /// Benchmarks that have probably got another name, from and to; they are not compared.
        pub renamed: Vec<(String, String)> [unless_empty],
        /// Slowdowns that the new side accepts in its `plusminus.toml`.
        pub accepted: Vec<AcceptedSlowdown> [unless_empty],
        /// Why the time of benchmarks differs, where that was asked for.
        pub explanations: Vec<Explanation> [unless_empty],
        /// The sources of both builds; `None` for programs that were built already.
        pub built: Option<Built> [unless_none],
        /// The options with which these benchmarks are compared again, as they are typed.
        pub options: Vec<String> [unless_empty],
    }
}

impl ComparisonRecord {
    /// A comparison of two sides of which nothing is measured yet.
    pub fn new(settings: ComparisonSettings, base: SideRecord, new: SideRecord) -> Self {
        let (schema, kind) = (COMPARISON_SCHEMA, Kind::Comparison);
        Self { schema, kind, settings, base, new, ..Self::blank() }
    }

    /// Returns the bench target of a benchmark and the benchmark's name there, by the name that it has in this record;
    /// `None` if the target is not known.
    pub fn target_of<'a>(&self, name: &'a str) -> Option<(&ComparedTarget, &'a str)> {
        self.targets.iter().find_map(|target| {
            let own = match target.prefix.as_str() {
                "" => Some(name),
                prefix => name.strip_prefix(prefix).and_then(|rest| rest.strip_prefix(": ")),
            };
            own.map(|own| (target, own))
        })
    }

    /// How many layouts of each side were measured: 1, or as many as rounds if both were linked anew for each.
    pub fn layouts(&self) -> u32 {
        let blocks = self.cases.iter().flat_map(|case| &case.blocks);
        blocks.map(|block| block.layout).max().unwrap_or(0).max(1)
    }
}

json_object! {
    /// A bench target of a comparison.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct ComparedTarget {
        /// The name in front of those of its benchmarks, with a colon; empty if there is one target.
        pub prefix: String,
        /// The package.
        pub package: String,
        /// The bench target.
        pub bench: String,
    }
}

json_object! {
    /// A slowdown that a version accepts.
    #[derive(Debug, Clone, PartialEq, Default)]
    pub struct AcceptedSlowdown {
        /// The benchmark, or how its name begins and a `*`.
        pub benchmark: String,
        /// The largest change that is accepted: 0.08 for 8 %.
        pub up_to: f64,
        /// Why it is accepted.
        pub reason: String,
        /// The author and the commit of the entry.
        pub by: String,
        /// Whether base has the entry already, so that it accepts nothing any more.
        pub is_merged: bool [unless_false],
    }
}

json_object! {
    /// How a comparison was to be measured and judged.
    #[derive(Debug, Clone, PartialEq)]
    pub struct ComparisonSettings {
        /// The seed of every random choice.
        pub seed: u64,
        /// Differences up to this fraction are ignored, for benchmarks without a margin of their own: 0.02 = 2 %.
        pub margin: f64,
        /// Probability of a wrong claim that is accepted, over all benchmarks and instances.
        pub alpha: f64,
        /// Blocks after which a benchmark is left as it is.
        pub maximum_blocks: u32,
        /// Blocks beyond these for a benchmark whose blocks are short, while they may still bring a verdict.
        pub further_blocks: u32 = 0,
        /// Samples of each side that an instance has at least before it is decided, if each is one call: for a gate on their
        /// slowest.
        pub least_samples: usize = 0,
        /// Blocks that a benchmark has at least before it is decided: for a gate on its memory.
        pub least_blocks: usize = 0,
        /// Seconds after which no block was begun.
        pub max_seconds: Option<f64>,
        /// How the placement of code was treated: `sampled`, `aligned` or `as-built`, and `whole-programs` for programs of any
        /// language; `None` if binaries were given.
        pub layout: Option<String> = None,
    }
}

impl ComparisonSettings {
    /// No limit of time, and as many blocks as a user asks for. Else 150, and more while they are short and may still bring a
    /// first verdict.
    pub fn of_blocks(wished: Option<u32>) -> Self {
        let (maximum_blocks, further_blocks) = wished.map_or((150, 250), |blocks| (blocks, 0));
        Self { margin: 0.02, alpha: 0.05, maximum_blocks, further_blocks, ..Self::blank() }
    }
}

json_object! {
    /// One side of a comparison.
    #[derive(Debug, Clone, PartialEq)]
    pub struct SideRecord {
        /// The name that the user gave it: a branch, a commit, a path.
        pub name: String,
        /// The build, and the place and time of the measurement.
        pub manifest: Manifest,
    }
}

json_object! {
    /// One benchmark at one point that both sides have, with everything measured of it.
    #[derive(Debug, Clone, PartialEq, Default)]
    pub struct ComparedCase {
        /// The full name, unique among the cases of the record, with the target in front if there are several.
        pub name: String,
        /// `module::function`, as the new side names it.
        pub function: String,
        /// The problem that it solves, if it is a variant.
        pub problem: Option<String>,
        /// The name of the point; empty for a function without arguments.
        pub point: String,
        /// The size n of the point, if it has one.
        pub size: Option<f64>,
        /// The models of the time that a study compares, by name; all that fit the data, if there are none.
        pub models: Vec<String> [unless_empty],
        /// The file of the new side in which the function stands.
        pub file: Option<String>,
        /// The line there.
        pub line: Option<u32>,
        /// Processors given to the kernel.
        pub processors: usize,
        /// Callers of the kernel at once.
        pub threads: usize = 1,
        /// Counters that were read besides the time, if both sides have the same.
        pub metrics: Vec<MetricRecord> [unless_empty],
        /// Differences of this benchmark up to this fraction are ignored.
        pub margin: f64,
        /// The instances; a function has one without a name.
        pub instances: Vec<InstanceRecord>,
        /// The work of a call of base on each instance, by units and amounts, if it is not that of the new side.
        pub base_work: Vec<Vec<(String, f64)>> [unless_empty],
        /// The measurements in order of time: one entry for each instance of each pair of processes. Those of a layout are one block.
        pub blocks: Vec<BlockRecord>,
        /// How its machine code differs between the sides; `None` if it does not or it is not known, and in records from before it
        /// was kept.
        pub code: Option<ChangedCode> [unless_none],
        /// Why its machine code could not be compared.
        pub not_comparable: Option<String> [unless_none],
        /// Both sides run the same machine code for it, and it was measured all the same.
        pub is_identical: bool [unless_false],
        /// The cause and the output.
        pub failures: Vec<SideFailure> = Vec::new(),
        /// The average time of its blocks in seconds; `None` without blocks.
        pub block_seconds: Option<f64>,
    }
}

json_object! {
    /// How the machine code of a benchmark differs between two versions, for people.
    #[derive(Debug, Clone, PartialEq, Eq, Default)]
    pub struct ChangedCode {
        /// The first difference that was found.
        pub first: String,
        /// Whether it only makes what the benchmark is timed on, or chooses which of the same functions is timed.
        pub only_set_up: bool,
        /// The first functions that differ.
        pub functions: Vec<ChangedFunction>,
        /// How many functions differ in all.
        pub functions_in_all: usize,
        /// The sizes of all that it reaches.
        pub sizes: Vec<CodeSize> [unless_empty],
    }
}

json_object! {
    /// The size of a part of a program on both sides, in bytes: before linking, so that no layout changes it.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct CodeSize {
        /// `code` for functions, `data` for constants and variables that the benchmark reaches, `program` for all of both.
        pub part: String,
        /// The size in base.
        pub base: u64,
        /// The size in new.
        pub new: u64,
    }
}

json_object! {
    /// A function that differs between two versions.
    #[derive(Debug, Clone, PartialEq, Eq, Default)]
    pub struct ChangedFunction {
        /// `changed`; `added` if only the new version has it, `removed` if only the base has it.
        pub how: String,
        /// Its name.
        pub name: String,
        /// The file and line of its first instruction, if they are known.
        pub place: Option<String> [unless_none],
    }
}

json_object! {
    /// The samples of one instance by one pair of processes, of each side one that has not measured it before, asked in turn.
    #[derive(Debug, Clone, PartialEq)]
    pub struct BlockRecord {
        /// The round that the block belongs to, from 0: one pass over everything that was inconclusive.
        pub round: u32,
        /// 0 where the programs were measured as they were built; else one more than the round, for which they were linked again.
        pub layout: u32 = 0,
        /// Which side came first in each pair of samples: `b` base, `n` new.
        pub order: String,
        /// Whether both samples of each pair ran at once on one processor. Their times are processor times then.
        pub time_shared: bool [unless_false],
        /// The samples of base. The k-th one was taken in turn with the k-th one of new. `run` is the number of the
        /// pair of processes: the same two measured all with the same number.
        pub base: Measurement,
        /// The samples of new, of the same instance.
        pub new: Measurement,
    }
}

json_object! {
    /// A failure, and the side on which it happened.
    #[derive(Debug, Clone, PartialEq)]
    pub struct SideFailure {
        /// The side; `None` if it lies between them, as instances do that only one of them has.
        pub side: Option<Side>,
        /// The failure itself.
        pub failure: Failure,
    }
}
