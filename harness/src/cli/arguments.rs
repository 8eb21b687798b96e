//! Reads the command line: libtest's options as far as they have a meaning here, and our own.
//! Every option of ours is a variable too; a flag counts more than its variable.

use std::{env, ffi::OsString, time::Duration};

use lexopt::{Arg, Parser};

use super::{
    known,
    values::{baseline, color, command, count, counter, format, report, sort, switch, text, until},
    variables,
};
use crate::{
    asked,
    listed::Listed,
    registry::Filter,
    text::{Pattern, Sort, quantity},
};

/// What a bench binary is asked to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Action {
    Bench,
    #[default]
    Test,
    List,
    Help,
    Explain,
}

/// Which benchmarks are meant, of those that are marked as ignored and those that are not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Ignored {
    #[default]
    LeftOut,
    Included,
    Only,
}

impl Ignored {
    pub(crate) fn selects(self, ignored: bool) -> bool {
        match self {
            Self::LeftOut => !ignored,
            Self::Included => true,
            Self::Only => ignored,
        }
    }
}

/// The form of what is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Format {
    /// For people.
    #[default]
    Pretty,
    /// Names only, or one line for each result in the manner of libtest.
    Lines,
    /// One JSON object a line.
    Json,
}

/// A parsed command line.
#[derive(Debug, Clone, Default)]
pub(crate) struct Arguments {
    pub(crate) action: Action,
    pub(crate) filter: Filter,
    pub(crate) ignored: Ignored,
    /// The form of what is printed.
    pub(crate) format: Format,
    pub(crate) quiet: bool,
    /// Details and definitions are wanted.
    pub(crate) verbose: bool,
    /// In which order lines come.
    pub(crate) sort: Sort,
    /// What to explain.
    pub(crate) explain: Option<String>,
    /// Whether the subcommand makes a page of the record.
    pub(crate) page: bool,
    pub(crate) show_output: bool,
    /// Instructions under valgrind are wanted.
    pub(crate) instructions: bool,
    /// The processors to measure on, in place of those that benchmarks name.
    pub(crate) processors: Option<Vec<usize>>,
    /// Let workers for one processor use any.
    pub(crate) any_processor: bool,
    /// Whether each run is one of another layout of the program.
    pub(crate) layouts: bool,
    /// What solutions count is wanted.
    pub(crate) tallies: bool,
    /// Colours wanted or not; `None` leaves it to the terminal.
    pub(crate) color: Option<bool>,
    /// A glance instead of a measurement.
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
    /// What the record is compared with.
    pub(crate) baseline: Option<String>,
    /// What is reported instead of measuring.
    pub(crate) load: Option<String>,
}

impl Arguments {
    /// Reads a command line, then the variables for what it leaves open.
    ///
    /// # Errors
    /// A sentence that names the option.
    pub(crate) fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Self, String> {
        let variables = variables::read(env::vars_os())?;
        let value = |name: &str| variables.iter().find(|(known, _)| known == name);
        Self::read(arguments, |name| value(name).map(|(_, value)| value.clone()))
    }

    /// Reads a command line, and variables that are given as `NAME=VALUE`.
    ///
    /// # Errors
    /// A sentence that names the option.
    #[cfg(feature = "fuzzing")]
    pub(crate) fn of(words: &[&str], variables: &[&str]) -> Result<Self, String> {
        let pairs = variables.iter().filter_map(|variable| variable.split_once('='));
        let known = variables::read(pairs.map(|(name, value)| (name.into(), value.into())))?;
        let value = |name: &str| known.iter().find(|(known, _)| known == name);
        let words = words.iter().map(OsString::from);
        Self::read(words, |name| value(name).map(|(_, value)| value.clone()))
    }

    fn read(
        arguments: impl IntoIterator<Item = OsString>,
        variable: impl Fn(&str) -> Option<String>,
    ) -> Result<Self, String> {
        let mut parsed = Self::default();
        let given = parsed.set_options(arguments)?;
        if let Some(value) = variable("PLUSMINUS_IN_PROCESS").filter(|value| !value.is_empty()) {
            parsed.in_process |= switch("PLUSMINUS_IN_PROCESS", &value)?;
        }
        parsed.action = action(&given);
        if parsed.action == Action::Test && !given.contains(&"test") {
            let measuring = |name: &&&str| known::FOR_MEASURING.contains(*name);
            if let Some(name) = given.iter().find(measuring) {
                return Err(format!(
                    "--{name} is about measuring, and without --bench everything is only tested: use `cargo bench`, or \
                     add --bench"
                ));
            }
        }
        if let Some(name) = given.iter().find(|name| parsed.is_senseless(name)) {
            return Err(not_in_process(name));
        }
        parsed.set_variables(&given, variable)?;
        match parsed.contradiction() {
            Some(contradiction) => Err(contradiction.to_owned()),
            None => Ok(parsed),
        }
    }

    /// Takes the options of a command line, and returns their names.
    fn set_options(
        &mut self,
        arguments: impl IntoIterator<Item = OsString>,
    ) -> Result<Vec<&'static str>, String> {
        let mut given = Vec::new();
        let mut parser = Parser::from_args(arguments);
        while let Some(argument) = parser.next().map_err(|error| error.to_string())? {
            let name = match argument {
                Arg::Value(filter) => {
                    self.filter.wanted.push(Pattern::new(&text(filter)?));
                    continue;
                }
                Arg::Short(letter) => letter.to_string(),
                Arg::Long(name) => name.to_owned(),
            };
            let known = known::find(&name).ok_or_else(|| known::unknown(&name))?;
            let value = if known.value.is_empty() {
                String::new()
            } else {
                let missing = || format!("--{name} needs a value: --{name} {}", known.value);
                match parser.optional_value() {
                    Some(value) => text(value)?,
                    // An option behind it, such as cargo's own `--bench`, is no value that anybody means.
                    None => match parser.value().ok().map(text).transpose()? {
                        Some(value) if !value.starts_with("--") => value,
                        _ => return Err(missing()),
                    },
                }
            };
            self.set(known.name, &format!("--{name}"), &value)?;
            given.push(known.name);
        }
        Ok(given)
    }

    /// Takes the variables of options that were not given.
    fn set_variables(
        &mut self,
        given: &[&str],
        variable: impl Fn(&str) -> Option<String>,
    ) -> Result<(), String> {
        // What a project has set for its measurements is not meant for a look into one process.
        let left_out: Vec<&str> =
            known::FOR_WORKERS.into_iter().filter(|name| self.is_senseless(name)).listed();
        for known in known::all() {
            let is_known = given.contains(&known.name) || left_out.contains(&known.name);
            if known.variable.is_empty() || is_known {
                continue;
            }
            // A variable that is empty says nothing, so that a project's setting can be taken back.
            let Some(value) = variable(known.variable).filter(|value| !value.is_empty()) else {
                continue;
            };
            if !known.value.is_empty() {
                self.set(known.name, known.variable, &value)?;
            } else if switch(known.variable, &value)? {
                self.set(known.name, known.variable, "")?;
            }
        }
        Ok(())
    }

    /// Whether an option for worker processes is given where there are none.
    fn is_senseless(&self, name: &str) -> bool {
        match self.action {
            Action::Help | Action::Explain | Action::List => false,
            // Lines about tests have no numbers.
            Action::Test if name == "format" => false,
            _ => self.in_process && known::FOR_WORKERS.contains(&name),
        }
    }

    /// Which options contradict each other, and what to say instead.
    fn contradiction(&self) -> Option<&'static str> {
        match () {
            () if self.until_decided && self.quick => Some(
                "--quick (or PLUSMINUS_QUICK) takes few runs, and `--until decided` as many as it needs: say one of \
                 them",
            ),
            () if self.layouts && self.baseline.is_some() => Some(
                "--baseline (or PLUSMINUS_BASELINE) takes two programs as they are, and --layouts (or \
                 PLUSMINUS_LAYOUTS) links one again for each run: say one of them; `cargo plusminus compare` compares \
                 two versions over many layouts",
            ),
            () if self.until_decided && self.runs.is_some() => Some(
                "--runs (or PLUSMINUS_RUNS) fixes the number of runs, and `--until decided` leaves it open: say one of \
                 them",
            ),
            () => None,
        }
    }

    /// Takes an option; `label` is what the user wrote, for errors.
    fn set(&mut self, name: &str, label: &str, value: &str) -> Result<(), String> {
        let takes = |reason: String| format!("{label} takes {reason}");
        match name {
            "exact" => self.filter.exact = true,
            "skip" => self.filter.skipped.push(Pattern::new(value)),
            "ignored" => self.ignored = Ignored::Only,
            "include-ignored" => self.ignored = Ignored::Included,
            "quiet" => self.quiet = true,
            "verbose" => self.verbose = true,
            "sort" => self.sort = sort(label, value)?,
            "explain" => self.explain = Some(value.to_owned()),
            "nocapture" => self.show_output = true,
            "tallies" => self.tallies = true,
            "instructions" => self.instructions = true,
            "clock" => self.counter = counter(label, value)?,
            "in-process" => self.in_process = true,
            "processors" => self.processors = Some(asked::read(value).map_err(takes)?),
            "layouts" => self.layouts = true,
            "any-processor" => self.any_processor = true,
            "format" => self.format = format(label, value)?,
            "report" => self.page = report(label, value)?,
            "color" => self.color = color(label, value)?,
            "quick" => self.quick = true,
            "runs" => self.runs = Some(count(label, value)?),
            "samples" => self.samples = Some(count(label, value)?),
            "iterations" => self.iterations = Some(count(label, value)?),
            "sample-time" => self.sample_time = Some(quantity::time(value).map_err(takes)?),
            "min-time" => self.min_time = Some(quantity::time(value).map_err(takes)?),
            "warm-up" => self.warm_up = Some(quantity::time_or_none(value).map_err(takes)?),
            "until" => self.until_decided = until(label, value)?,
            "precision" => self.precision = Some(quantity::percent(value).map_err(takes)?),
            "max-time" => self.max_time = Some(quantity::time(value).map_err(takes)?),
            "profile-time" => self.profile_time = Some(quantity::time(value).map_err(takes)?),
            "launcher" => self.launcher = Some(command(label, value)?),
            "memory-limit" => self.memory_limit = Some(quantity::bytes(value).map_err(takes)?),
            "timeout" => self.timeout = Some(quantity::time(value).map_err(takes)?),
            "seed" => self.seed = Some(quantity::seed(value).map_err(takes)?),
            "margin" => self.margin = Some(quantity::percent(value).map_err(takes)?),
            "save-baseline" => self.save_baseline = Some(baseline(label, value)?),
            "baseline" => self.baseline = Some(baseline(label, value)?),
            "load" => self.load = Some(baseline(label, value)?),
            // What to do is decided when all options are known; the rest means nothing here.
            _ => {}
        }
        Ok(())
    }
}

/// What the flags ask for.
fn action(given: &[&str]) -> Action {
    let given = |name| given.contains(&name);
    match () {
        () if given("help") => Action::Help,
        () if given("explain") => Action::Explain,
        () if given("list") => Action::List,
        () if given("bench") && !given("test") => Action::Bench,
        () => Action::Test,
    }
}

/// Why an option makes no sense beside `--in-process`.
fn not_in_process(name: &str) -> String {
    let why = match name {
        "runs" | "quick" | "until" | "precision" | "max-time" => {
            "a process is one run, and no more can be added"
        }
        "memory-limit" => {
            "the limit would hold for the debugger's or profiler's part of the process, too"
        }
        "launcher" => "it starts processes",
        "layouts" => "this process has one",
        "any-processor" => "this process may use any already",
        "instructions" => "valgrind needs processes of its own",
        "timeout" => "a kernel may stand still in a debugger for as long as it takes",
        _ => "its numbers are not comparable: there is no spread between runs to judge them by",
    };
    format!("--{name} makes no sense with --in-process: {why}")
}

#[cfg(test)]
mod tests;
