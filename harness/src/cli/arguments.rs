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
    pub(crate) profiler: Option<String>,
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
        let mut given: Vec<&str> = Vec::new();
        let mut parser = Parser::from_args(arguments);
        while let Some(argument) = parser.next().map_err(|error| error.to_string())? {
            let name = match argument {
                Arg::Value(filter) => {
                    parsed.filter.wanted.push(Pattern::new(&text(filter)?));
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
            parsed.set(known.name, &format!("--{name}"), &value)?;
            given.push(known.name);
        }
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
        let senseless = |name: &str| match parsed.action {
            Action::Help | Action::Explain | Action::List => false,
            // Lines about tests have no numbers.
            Action::Test if name == "format" => false,
            _ => parsed.in_process && known::FOR_WORKERS.contains(&name),
        };
        if let Some(name) = given.iter().find(|name| senseless(name)) {
            return Err(not_in_process(name));
        }
        let left_out: Vec<&str> = known::FOR_WORKERS.into_iter().filter(|n| senseless(n)).listed();
        for known in known::all() {
            // What a project has set for its measurements is not meant for a look into one process.
            let left_out = left_out.contains(&known.name);
            if known.variable.is_empty() || given.contains(&known.name) || left_out {
                continue;
            }
            match variable(known.variable) {
                // A variable that is empty says nothing, so that a project's setting can be taken back.
                None => {}
                Some(value) if value.is_empty() => {}
                Some(value) if known.value.is_empty() => {
                    let on = switch(known.variable, &value)?;
                    if on {
                        parsed.set(known.name, known.variable, "")?;
                    }
                }
                Some(value) => parsed.set(known.name, known.variable, &value)?,
            }
        }
        if parsed.until_decided && parsed.quick {
            return Err("--quick (or PLUSMINUS_QUICK) takes few runs, and `--until decided` as many as it needs: say one \
                        of them"
                .to_owned());
        }
        if parsed.layouts && parsed.baseline.is_some() {
            return Err("--baseline (or PLUSMINUS_BASELINE) takes two programs as they are, and --layouts (or \
                        PLUSMINUS_LAYOUTS) links one again for each run: say one of them; `cargo plusminus compare` \
                        compares two versions over many layouts"
                .to_owned());
        }
        if parsed.until_decided && parsed.runs.is_some() {
            return Err("--runs (or PLUSMINUS_RUNS) fixes the number of runs, and `--until decided` leaves it open: say \
                        one of them"
                .to_owned());
        }
        Ok(parsed)
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
            "profiler" => self.profiler = Some(command(label, value)?),
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
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Arguments, String> {
        Arguments::read(line.split_whitespace().map(OsString::from), |_| None)
    }

    #[test]
    fn cargo_decides_between_measuring_and_testing() {
        assert_eq!(parse("--bench").unwrap().action, Action::Bench);
        assert_eq!(parse("").unwrap().action, Action::Test);
        assert_eq!(parse("--bench --test").unwrap().action, Action::Test);
        assert_eq!(parse("--list --bench").unwrap().action, Action::List);
    }

    #[test]
    fn what_callers_pass_is_accepted() {
        for line in [
            "--exact a::b --nocapture --bench",
            "--list --format terse --ignored",
            "a b --skip c --skip d -q --test-threads 3 --color always -Z unstable-options --format=json",
            "--shuffle --shuffle-seed 3 --logfile x --fail-fast --include-ignored --no-capture --show-output",
        ] {
            assert!(parse(line).is_ok(), "{line}: {:?}", parse(line));
        }
        let filter = parse("a b --skip c").unwrap().filter;
        let wanted: Vec<&str> = filter.wanted.iter().map(Pattern::text).collect();
        assert_eq!(wanted, ["a", "b"]);
    }

    #[test]
    fn mistakes_are_named() {
        for (line, part) in [
            ("--wibble", "`--wibble`"),
            ("-y", "`-y`"),
            ("--runs x", "--runs takes a whole number"),
            ("--runs", "--runs needs a value"),
            ("--save-baseline --bench", "--save-baseline needs a value: --save-baseline NAME"),
            ("--max-time 0", "--max-time takes a number of seconds"),
            ("--max-time nan", "--max-time takes"),
            ("--max-time 5x", "such as 90 or 0.5"),
            ("--memory-limit 3X", "--memory-limit takes a number of bytes"),
            ("--margin -1", "--margin takes a percentage"),
            ("--color blue", "not `blue`"),
            ("--sort size", "--sort takes source, name, time or speedup, not `size`"),
            ("--until bored", "--until takes precise or decided, not `bored`"),
            ("--until decided --runs 3", "fixes the number of runs"),
            ("--clock sundial", "--clock takes os or tsc, not `sundial`"),
            ("--runs 0", "leaves nothing to measure"),
            ("--format xml", "takes pretty, terse, bencher or json"),
            ("--baseline=", "a baseline needs a name"),
            ("--basline x", "did you mean `--baseline`?"),
        ] {
            let line = format!("--bench {line}");
            assert!(parse(&line).unwrap_err().contains(part), "{line}: {:?}", parse(&line));
        }
    }

    #[test]
    fn measuring_needs_to_be_asked_for() {
        for line in ["--runs 3", "--load x", "--save-baseline x", "--in-process --profile-time 3"] {
            assert!(parse(line).unwrap_err().contains("add --bench"), "{line}");
            assert!(parse(&format!("{line} --list")).is_ok(), "{line}");
        }
        assert!(parse("--test --runs 3").is_ok() && parse("--seed 3 --timeout 2").is_ok());
    }

    #[test]
    fn times_and_bytes_have_units() {
        let arguments =
            parse("--bench --max-time 2m --sample-time 0.5s --memory-limit 512M").unwrap();
        assert_eq!(arguments.max_time, Some(Duration::from_secs(120)));
        assert_eq!(arguments.sample_time, Some(Duration::from_millis(500)));
        assert_eq!(arguments.memory_limit, Some(512 << 20));
    }

    #[test]
    fn a_flag_counts_more_than_its_variable() {
        let with = |line: &str, variables: &[(&str, &str)]| {
            let variable = |name: &str| {
                let found = variables.iter().find(|(known, _)| *known == name);
                found.map(|(_, value)| (*value).to_owned())
            };
            Arguments::read(line.split_whitespace().map(OsString::from), variable)
        };
        let seven = [("PLUSMINUS_RUNS", "7"), ("PLUSMINUS_SEED", "7"), ("PLUSMINUS_QUIET", "1")];
        let arguments = with("--bench --runs 3", &seven).unwrap();
        assert_eq!((arguments.runs, arguments.seed, arguments.samples), (Some(3), Some(7), None));
        assert!(arguments.quiet);
        assert_eq!(with("", &[("PLUSMINUS_RUNS", "")]).unwrap().runs, None);
        assert!(!with("", &[("PLUSMINUS_QUIET", "0")]).unwrap().quiet);
        for (name, value) in [("PLUSMINUS_SAMPLES", "x"), ("PLUSMINUS_NOCAPTURE", "maybe")] {
            assert!(with("", &[(name, value)]).unwrap_err().contains(name));
        }
    }

    #[test]
    fn one_process_is_no_measurement() {
        for name in known::FOR_WORKERS {
            let value = match name {
                "instructions" | "any-processor" | "quick" => "",
                "format" => "json",
                "until" => "decided",
                "report" => "html",
                _ => "3",
            };
            let message = parse(&format!("--bench --in-process --{name} {value}")).unwrap_err();
            assert!(message.contains(&format!("--{name} makes no sense with --in-process")));
        }
        // What a project has set for all its measurements is not in the way.
        let set = |name: &str| {
            ["PLUSMINUS_RUNS", "PLUSMINUS_BASELINE"].contains(&name).then(|| "3".to_owned())
        };
        let line = ["--bench", "--in-process", "--samples", "3"].map(OsString::from);
        let arguments = Arguments::read(line, set).unwrap();
        assert!(arguments.in_process);
        assert_eq!((arguments.runs, arguments.samples), (None, Some(3)));
        assert_eq!(arguments.baseline, None);
        let by_variable = |name: &str| (name == "PLUSMINUS_IN_PROCESS").then(|| "1".to_owned());
        let runs = ["--bench", "--runs", "3"].map(OsString::from);
        assert!(Arguments::read(runs, by_variable).unwrap_err().contains("--in-process"));
        // A caller that only asks for names is not in the way of the variable.
        let list = ["--list", "--format", "terse"].map(OsString::from);
        assert_eq!(Arguments::read(list, by_variable).unwrap().action, Action::List);
    }

    #[test]
    fn every_variable_is_read() {
        for known in known::all().filter(|known| !known.variable.is_empty()) {
            // No option accepts this, whatever it takes, but for the names of baselines and of programs.
            let read = Arguments::read([], |name| (name == known.variable).then(|| "\u{1}".into()));
            match (known.name, read) {
                ("save-baseline" | "baseline" | "load", Ok(arguments)) => {
                    let names = [arguments.save_baseline, arguments.baseline, arguments.load];
                    assert!(names.contains(&Some("\u{1}".to_owned())));
                }
                ("profiler" | "launcher", Ok(arguments)) => {
                    let commands = [arguments.profiler, arguments.launcher];
                    assert!(commands.contains(&Some("\u{1}".to_owned())));
                }
                (_, read) => assert!(read.unwrap_err().contains(known.variable)),
            }
        }
    }
}
