//! A benchmark as a worker describes it to a runner: names, its table, and what its attribute asks for.

use crate::{
    MetricKind,
    json::{json_object, json_variants},
};

json_object! {
    /// A benchmark at one point, with all that a runner needs to plan its measurement.
    #[derive(Debug, Clone, PartialEq, Default)]
    pub struct CaseDescription {
        /// Its name, unique in the program.
        pub name: String,
        /// The crate that registered it.
        pub krate: String,
        /// `module::function`, without the crate.
        pub function: String,
        /// The problem that it solves, if any.
        pub problem: Option<String>,
        /// The name of the point; empty for a function without arguments.
        pub point: String,
        /// The number of its types and constants among the combinations of its function.
        pub combination: u32 = 0,
        /// The place of the point in the list of them: of a function with these types and constants, the place of its argument.
        pub point_index: usize = 0,
        /// The size n of the point, if it has one.
        pub size: Option<f64>,
        /// The models of the time that a study compares, by name.
        pub models: Vec<String> [unless_empty],
        /// Its part in comparisons within a table.
        pub role: Role,
        /// Processors given to the kernel; 1 where nothing names them.
        pub processors: usize,
        /// Whether an attribute or a point names them.
        pub names_processors: bool = false,
        /// Whether it may use its one processor only, because an attribute or a command line restricts it.
        pub confined: bool [unless_false],
        /// Whether it finds the machine as under other harnesses, without a number of threads for thread pools.
        pub whole_machine: bool [unless_false],
        /// Cases with the same number share an input and are loaded together.
        pub table: usize,
        /// The sections of the registering functions, each within the one before it, that are enough to load it.
        pub sections: Option<Vec<u32>>,
        /// Where the program has what is called for this benchmark alone, if it was registered at run time: the distance
        /// from the place where the program begins, modulo 2⁶⁴.
        pub run_code: Option<u64> [unless_none],
        /// The same kind of mark, of the code of these sections.
        pub section_code: Vec<u64> [unless_empty],
        /// Callers of the kernel at once.
        pub threads: usize = 1,
        /// Counters that are read besides the time.
        pub metrics: Vec<MetricRecord> [unless_empty],
        /// The phases that it declares.
        pub phases: Vec<String> [unless_empty],
        /// Whether it can count what one solution does.
        pub has_tally: bool = false,
        /// Wishes of its attribute about samples.
        pub wishes: Wishes,
        /// Runs that its attribute asks for.
        pub runs: Option<u32>,
        /// The margin that its attribute gives, in percent.
        pub margin: Option<f64>,
        /// The time-out that its attribute gives, in seconds.
        pub timeout: Option<f64>,
        /// The launcher that its attribute names.
        pub launcher: Option<String> [unless_none],
        /// Why it is not measured unless asked for.
        pub ignore: Option<String>,
        /// The file of the function, to recognize it under another name.
        pub file: String,
        /// The line there.
        pub line: u32,
    }
}

/// The part that a benchmark plays in comparisons.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Role {
    /// Compared with the baseline.
    #[default]
    Contender,
    /// The others are compared with this one.
    Baseline,
    /// The best sequential solution: speedups against it are real speedups.
    Reference,
}

json_variants! {
    Role, blank = Self::Contender;
    "contender" Contender, "baseline" Baseline, "reference" Reference,
}

json_object! {
    /// A metric of the user's own.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct MetricRecord {
        /// The name of the counted thing.
        pub name: String,
        /// The unit of the value.
        pub unit: String,
        /// Whether it is reported for one call or for a second.
        pub kind: MetricKind,
    }
}

json_object! {
    /// One thing that was solved.
    #[derive(Debug, Clone, PartialEq)]
    pub struct InstanceRecord {
        /// Its name; empty for a function.
        pub name: String,
        /// Unit and amount of the work of one call.
        pub work: Vec<(String, f64)>,
    }
}

json_object! {
    /// Wishes of an attribute or the command line about the samples of one instance in one run. `None` leaves it to
    /// calibration.
    #[derive(Debug, Clone, Copy, PartialEq, Default)]
    pub struct Wishes {
        /// Samples.
        pub samples: Option<u32>,
        /// Calls in a sample.
        pub iterations: Option<u64>,
        /// Seconds that the samples last at least.
        pub least_seconds: Option<f64>,
        /// Seconds that the samples should take.
        pub seconds: Option<f64>,
        /// Seconds to warm up before them.
        pub warm_up_seconds: Option<f64>,
    }
}

impl Wishes {
    /// Takes from `other` what is left open here.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self {
            samples: self.samples.or(other.samples),
            iterations: self.iterations.or(other.iterations),
            least_seconds: self.least_seconds.or(other.least_seconds),
            seconds: self.seconds.or(other.seconds),
            warm_up_seconds: self.warm_up_seconds.or(other.warm_up_seconds),
        }
    }
}
