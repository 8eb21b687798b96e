//! A command line that has been read.

use std::time::Duration;

use crate::{
    engine::CaseDescription,
    text::{Pattern, Sort},
};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Action {
    Bench,
    #[default]
    Test,
    List,
    Help,
    Explain,
}

/// Which benchmarks are selected, by whether they are marked as ignored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Ignored {
    #[default]
    LeftOut,
    Included,
    Only,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Format {
    #[default]
    Pretty,
    /// Names only, or one line for each result in the manner of libtest.
    Lines,
    /// One JSON object a line.
    Json,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Arguments {
    pub(crate) action: Action,
    pub(crate) filter: Filter,
    pub(crate) ignored: Ignored,
    pub(crate) format: Format,
    pub(crate) quiet: bool,
    /// Details and definitions are wanted.
    pub(crate) verbose: bool,
    pub(crate) sort: Sort,
    pub(crate) explain: Option<String>,
    /// Whether the subcommand makes a page of the record.
    pub(crate) page: bool,
    pub(crate) show_output: bool,
    /// Instructions under valgrind are wanted.
    pub(crate) instructions: bool,
    /// The processors to measure on, instead of the processors of the benchmarks.
    pub(crate) processors: Option<Vec<usize>>,
    /// Let workers for one processor use any.
    pub(crate) any_processor: bool,
    /// Whether each run is one of another layout of the program.
    pub(crate) layouts: bool,
    /// Whether operations of solutions are counted.
    pub(crate) tallies: bool,
    /// Colors wanted or not; `None` leaves it to the terminal.
    pub(crate) color: Option<bool>,
    /// Quick mode instead of a full measurement.
    pub(crate) quick: bool,
    pub(crate) runs: Option<u32>,
    pub(crate) samples: Option<u32>,
    pub(crate) sample_time: Option<Duration>,
    pub(crate) max_time: Option<Duration>,
    /// Whether windows are timed with the processor's counter instead of the clock of the operating system.
    pub(crate) counter: bool,
    /// Whether kernels run in this process instead of in workers.
    pub(crate) in_process: bool,
    pub(crate) memory_limit: Option<u64>,
    /// The command line that starts workers as several processes.
    pub(crate) launcher: Option<String>,
    pub(crate) profile_time: Option<Duration>,
    pub(crate) precision: Option<f64>,
    /// Whether runs are added until comparisons are decided, instead of until times are precise.
    pub(crate) until_decided: bool,
    pub(crate) iterations: Option<u64>,
    pub(crate) min_time: Option<Duration>,
    pub(crate) warm_up: Option<Duration>,
    pub(crate) timeout: Option<Duration>,
    pub(crate) margin: Option<f64>,
    pub(crate) seed: Option<u64>,
    /// Where the record is kept for later comparisons.
    pub(crate) save_baseline: Option<String>,
    /// The baseline that the record is compared with.
    pub(crate) baseline: Option<String>,
    /// Whether there may be no such baseline.
    pub(crate) baseline_may_lack: bool,
    /// The record that is reported instead of measuring.
    pub(crate) load: Option<String>,
}

/// Positive and negative filters, as libtest has them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Filter {
    /// A name passes if one of these selects it; all names pass if there is none.
    pub(crate) wanted: Vec<Pattern>,
    /// A name that one of these selects does not pass.
    pub(crate) skipped: Vec<Pattern>,
    /// Filters are whole names.
    pub(crate) exact: bool,
}

impl Filter {
    /// Returns whether a benchmark with this name, registered in that crate, passes. The name may be given with the
    /// crate in front, as tools do that know the full path of a function.
    pub(crate) fn passes(&self, krate: &str, name: &str) -> bool {
        let matches = |pattern: &Pattern| {
            if self.exact { pattern.equals(krate, name) } else { pattern.selects(krate, name) }
        };
        (self.wanted.is_empty() || self.wanted.iter().any(matches))
            && !self.skipped.iter().any(matches)
    }
}

impl Arguments {
    pub(crate) fn select(&self, case: &CaseDescription) -> bool {
        let ignored = case.ignore.is_some();
        let is_wanted = match self.ignored {
            Ignored::LeftOut => !ignored,
            Ignored::Included => true,
            Ignored::Only => ignored,
        };
        is_wanted && self.filter.passes(&case.krate, &case.name)
    }
}
