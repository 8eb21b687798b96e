//! Reads the command line: libtest's options as far as they have a meaning here, and our own.
//! Every option of ours is a variable too; a flag counts more than its variable.

use std::{env, ffi::OsString, time::Duration};

use lexopt::{Arg, Parser, ValueExt};

use crate::registry::Filter;

/// The text of `--help`.
pub(crate) const HELP: &str = "\
Measures the benchmarks of this program, and says how sure it is.

Usage: cargo bench [--bench TARGET] -- [FILTER]... [OPTION]...

What to run:
  FILTER                 only benchmarks whose name contains one of the filters
  --exact                filters are whole names
  --skip FILTER          leave out what contains FILTER (may be repeated)
  --ignored              only ignored benchmarks
  --include-ignored      ignored benchmarks too
  --list                 list the benchmarks [--format terse: names only]
  --test                 run everything once at its smallest point, without timing

How to measure (each also as variable, such as PLUSMINUS_RUNS=5):
  --runs N               fresh processes to measure in [5, and more while not precise]
  --samples N            samples of each instance in each run [by time]
  --sample-time SECONDS  time for the samples of an instance in a run [0.016]
  --precision PERCENT    half width of the interval of a time, for which runs are added [1]
  --max-time SECONDS     time for everything (also 2m, 1h), spent where the uncertainty is
  --memory-limit BYTES   memory that a worker process may use (also 512M, 2G)
  --timeout SECONDS      longest time for one call [120]
  --margin PERCENT       differences up to this count as none [2]
  --seed N               the seed of every random order [from the clock]

What to show:
  --tallies              what one solution counts, untimed, of variants that can tell
  --nocapture            let kernels print
  --color WHEN           auto, always or never [auto]
  -q, --quiet            no progress
  -h, --help             this text

Exit codes: 0 fine, 1 regression, 2 a failed benchmark, a wrong option or environment, 3 unreliable measurement.
";

/// What a bench binary is asked to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Action {
    Bench,
    Test,
    List,
    Help,
}

/// Which benchmarks are meant, of those that are marked as ignored and those that are not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ignored {
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

/// A parsed command line.
#[derive(Debug, Clone)]
pub(crate) struct Arguments {
    pub(crate) action: Action,
    pub(crate) filter: Filter,
    pub(crate) ignored: Ignored,
    /// Lists without anything but names.
    pub(crate) terse: bool,
    pub(crate) quiet: bool,
    pub(crate) show_output: bool,
    /// What solutions count is wanted.
    pub(crate) tallies: bool,
    /// Colours wanted or not; `None` leaves it to the terminal.
    pub(crate) color: Option<bool>,
    pub(crate) runs: Option<u32>,
    pub(crate) samples: Option<u32>,
    pub(crate) sample_time: Option<Duration>,
    pub(crate) max_time: Option<Duration>,
    pub(crate) memory_limit: Option<u64>,
    pub(crate) precision: Option<f64>,
    pub(crate) iterations: Option<u64>,
    pub(crate) min_time: Option<Duration>,
    pub(crate) warm_up: Option<Duration>,
    pub(crate) timeout: Option<Duration>,
    pub(crate) margin: Option<f64>,
    pub(crate) seed: Option<u64>,
}

impl Arguments {
    /// Reads a command line, then the variables for what it leaves open.
    ///
    /// # Errors
    /// A sentence that names the option.
    pub(crate) fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Self, String> {
        let mut parsed = Self::read(arguments)?;
        parsed.read_variables(|name| env::var(name).ok())?;
        Ok(parsed)
    }

    fn read(arguments: impl IntoIterator<Item = OsString>) -> Result<Self, String> {
        let (mut bench, mut test, mut list, mut help) = (false, false, false, false);
        let mut parsed = Self {
            action: Action::Test,
            filter: Filter::default(),
            ignored: Ignored::LeftOut,
            terse: false,
            quiet: false,
            show_output: false,
            tallies: false,
            color: None,
            runs: None,
            samples: None,
            sample_time: None,
            max_time: None,
            memory_limit: None,
            precision: None,
            iterations: None,
            min_time: None,
            warm_up: None,
            timeout: None,
            margin: None,
            seed: None,
        };
        let mut parser = Parser::from_args(arguments);
        while let Some(argument) = parser.next().map_err(|error| error.to_string())? {
            let option = match argument {
                Arg::Value(filter) => {
                    parsed.filter.wanted.push(text(filter)?);
                    continue;
                }
                Arg::Short('h') => "help".to_owned(),
                Arg::Short('q') => "quiet".to_owned(),
                Arg::Short(letter) => letter.to_string(),
                Arg::Long(name) => name.to_owned(),
            };
            let mut value =
                || parser.value().map_err(|_| format!("--{option} needs a value")).and_then(text);
            match option.as_str() {
                "bench" => bench = true,
                "test" => test = true,
                "list" => list = true,
                "help" => help = true,
                "exact" => parsed.filter.exact = true,
                "skip" => {
                    let skipped = value()?;
                    parsed.filter.skipped.push(skipped);
                }
                "ignored" => parsed.ignored = Ignored::Only,
                "include-ignored" => parsed.ignored = Ignored::Included,
                "quiet" => parsed.quiet = true,
                "nocapture" | "no-capture" | "show-output" => parsed.show_output = true,
                "tallies" => parsed.tallies = true,
                "format" => parsed.terse = value()? == "terse",
                "color" => parsed.color = color(&value()?)?,
                "runs" => parsed.runs = Some(number("--runs", &value()?)?),
                "samples" => parsed.samples = Some(number("--samples", &value()?)?),
                "sample-time" => {
                    parsed.sample_time = Some(seconds("--sample-time", &value()?)?);
                }
                "memory-limit" => {
                    parsed.memory_limit = Some(bytes("--memory-limit", &value()?)?);
                }
                "precision" => {
                    let wanted = percent("--precision", &value()?)?;
                    parsed.precision = Some(wanted);
                }
                "max-time" => parsed.max_time = Some(seconds("--max-time", &value()?)?),
                "timeout" => parsed.timeout = Some(seconds("--timeout", &value()?)?),
                "margin" => parsed.margin = Some(percent("--margin", &value()?)?),
                "seed" => parsed.seed = Some(number("--seed", &value()?)?),
                // Options of libtest that mean nothing here: a caller that gives them to every target is not wrong.
                "test-threads" | "logfile" | "shuffle-seed" | "Z" => drop(value()?),
                "force-run-in-process"
                | "exclude-should-panic"
                | "fail-fast"
                | "report-time"
                | "ensure-time"
                | "shuffle" => {}
                _ => {
                    return Err(format!(
                        "unknown option `{}`; `--help` shows all",
                        dashed(&option)
                    ));
                }
            }
        }
        parsed.action = match () {
            () if help => Action::Help,
            () if list => Action::List,
            () if bench && !test => Action::Bench,
            () => Action::Test,
        };
        Ok(parsed)
    }

    fn read_variables(&mut self, variable: impl Fn(&str) -> Option<String>) -> Result<(), String> {
        fill(&mut self.runs, "PLUSMINUS_RUNS", &variable, number)?;
        fill(&mut self.samples, "PLUSMINUS_SAMPLES", &variable, number)?;
        fill(&mut self.sample_time, "PLUSMINUS_SAMPLE_TIME", &variable, seconds)?;
        fill(&mut self.max_time, "PLUSMINUS_MAX_TIME", &variable, seconds)?;
        fill(&mut self.memory_limit, "PLUSMINUS_MEMORY_LIMIT", &variable, bytes)?;
        fill(&mut self.precision, "PLUSMINUS_PRECISION", &variable, percent)?;
        fill(&mut self.timeout, "PLUSMINUS_TIMEOUT", &variable, seconds)?;
        fill(&mut self.margin, "PLUSMINUS_MARGIN", &variable, percent)?;
        fill(&mut self.seed, "PLUSMINUS_SEED", &variable, number)?;
        let mut tallies = self.tallies.then_some(true);
        fill(&mut tallies, "PLUSMINUS_TALLIES", &variable, switch)?;
        self.tallies = tallies.unwrap_or(false);
        Ok(())
    }
}

/// Takes a variable where the command line has said nothing.
fn fill<T>(
    option: &mut Option<T>,
    name: &str,
    variable: impl Fn(&str) -> Option<String>,
    read: impl Fn(&str, &str) -> Result<T, String>,
) -> Result<(), String> {
    if option.is_none()
        && let Some(value) = variable(name)
    {
        *option = Some(read(name, &value)?);
    }
    Ok(())
}

fn text(value: OsString) -> Result<String, String> {
    value.string().map_err(|error| error.to_string())
}

fn dashed(option: &str) -> String {
    if option.chars().count() == 1 { format!("-{option}") } else { format!("--{option}") }
}

fn number<T: std::str::FromStr>(name: &str, value: &str) -> Result<T, String> {
    value
        .parse()
        .map_err(|_| format!("{name} takes a whole number that is not too large, not `{value}`"))
}

/// 1 or 0, of a variable that stands for a flag.
fn switch(name: &str, value: &str) -> Result<bool, String> {
    match value.trim() {
        "1" => Ok(true),
        "0" | "" => Ok(false),
        _ => Err(format!("{name} takes 1 or 0, not `{value}`")),
    }
}

fn seconds(name: &str, value: &str) -> Result<Duration, String> {
    let (number, unit) = match value.trim().char_indices().next_back() {
        Some((end, 's')) => (&value.trim()[..end], 1.0),
        Some((end, 'm')) => (&value.trim()[..end], 60.0),
        Some((end, 'h')) => (&value.trim()[..end], 3600.0),
        _ => (value.trim(), 1.0),
    };
    let seconds = number.trim().parse::<f64>().ok().map(|seconds| seconds * unit);
    let duration = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    duration.filter(|duration| !duration.is_zero()).ok_or_else(|| {
        format!("{name} takes a number of seconds above 0, such as 0.5 or 2m, not `{value}`")
    })
}

/// A number of bytes, with K, M or G for powers of 1024.
fn bytes(name: &str, value: &str) -> Result<u64, String> {
    let (number, unit) = match value.trim().char_indices().next_back() {
        Some((end, 'K' | 'k')) => (&value.trim()[..end], 1_u64 << 10),
        Some((end, 'M')) => (&value.trim()[..end], 1 << 20),
        Some((end, 'G')) => (&value.trim()[..end], 1 << 30),
        _ => (value.trim(), 1),
    };
    let bytes = number.parse::<u64>().ok().and_then(|number| number.checked_mul(unit));
    bytes.filter(|&bytes| bytes > 0).ok_or_else(|| {
        format!("{name} takes a number of bytes above 0, such as 512M, not `{value}`")
    })
}

/// A percentage, as a fraction.
fn percent(name: &str, value: &str) -> Result<f64, String> {
    let percent: Option<f64> = value.strip_suffix('%').unwrap_or(value).trim().parse().ok();
    percent
        .filter(|percent| (0.0..=1000.0).contains(percent))
        .map(|percent| percent / 100.0)
        .ok_or_else(|| {
            format!("{name} takes a percentage from 0 to 1000, such as 2, not `{value}`")
        })
}

fn color(value: &str) -> Result<Option<bool>, String> {
    match value {
        "auto" => Ok(None),
        "always" => Ok(Some(true)),
        "never" => Ok(Some(false)),
        _ => Err(format!("--color takes auto, always or never, not `{value}`")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Arguments, String> {
        Arguments::read(line.split_whitespace().map(OsString::from))
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
        assert_eq!(parse("a b --skip c").unwrap().filter.wanted, ["a", "b"]);
    }

    #[test]
    fn mistakes_are_named() {
        for (line, part) in [
            ("--wibble", "`--wibble`"),
            ("-y", "`-y`"),
            ("--runs x", "--runs takes a whole number"),
            ("--runs", "--runs needs a value"),
            ("--max-time 0", "--max-time takes a number of seconds"),
            ("--max-time nan", "--max-time takes"),
            ("--max-time 5x", "such as 0.5 or 2m"),
            ("--memory-limit 3T", "--memory-limit takes a number of bytes"),
            ("--margin -1", "--margin takes a percentage"),
            ("--color blue", "not `blue`"),
        ] {
            assert!(parse(line).unwrap_err().contains(part), "{line}: {:?}", parse(line));
        }
    }

    #[test]
    fn times_and_bytes_have_units() {
        let arguments = parse("--max-time 2m --sample-time 0.5s --memory-limit 512M").unwrap();
        assert_eq!(arguments.max_time, Some(Duration::from_secs(120)));
        assert_eq!(arguments.sample_time, Some(Duration::from_millis(500)));
        assert_eq!(arguments.memory_limit, Some(512 << 20));
    }

    #[test]
    fn tallies_are_wanted_by_flag_or_variable() {
        let with = |line: &str, value: Option<&str>| {
            let mut arguments = parse(line).unwrap();
            let variable = |name: &str| value.filter(|_| name == "PLUSMINUS_TALLIES");
            let read = arguments.read_variables(|name| variable(name).map(str::to_owned));
            read.map(|()| arguments.tallies)
        };
        assert_eq!(with("", None), Ok(false));
        assert_eq!(with("--tallies", None), Ok(true));
        assert_eq!(with("", Some("1")), Ok(true));
        assert_eq!(with("", Some("0")), Ok(false));
        assert_eq!(with("--tallies", Some("0")), Ok(true));
        assert!(with("", Some("yes")).unwrap_err().contains("PLUSMINUS_TALLIES takes 1 or 0"));
    }

    #[test]
    fn a_flag_counts_more_than_its_variable() {
        let mut arguments = parse("--runs 3").unwrap();
        let set = |name: &str| {
            ["PLUSMINUS_RUNS", "PLUSMINUS_SEED"].contains(&name).then(|| "7".to_owned())
        };
        arguments.read_variables(set).unwrap();
        assert_eq!((arguments.runs, arguments.seed, arguments.samples), (Some(3), Some(7), None));
        assert!(
            arguments
                .read_variables(|_| Some("x".into()))
                .unwrap_err()
                .contains("PLUSMINUS_SAMPLES")
        );
    }
}
