//! The program: divan's command line in the words of plusminus, and the builder with the same options in code.

use std::{ffi::OsString, time::Duration};

use plusminus_compat::{
    budget::share,
    command_line::{Becomes, Known, all_seconds, own, translate},
};

use crate::counter::{BytesCount, BytesFormat, CharsCount, CyclesCount, IntoCounter, ItemsCount};

/// Runs all benchmarks that are linked into the program, by its command line.
pub fn main() {
    Divan::from_args().main();
}

/// Options of the whole program; the command line counts more.
#[derive(Clone, Debug, Default)]
#[must_use = "nothing is run before `main` is called"]
pub struct Divan {
    arguments: Vec<String>,
    action: Option<&'static str>,
}

impl Divan {
    /// Takes the command line for the options that are not given in code.
    pub fn from_args() -> Self {
        Self::default()
    }

    /// Takes the command line for the options that are not given in code; it is always taken.
    pub fn config_with_args(self) -> Self {
        self
    }

    /// Runs benchmarks, or lists or tests them, by the command line. On Unix nothing behind it runs; elsewhere, it ends the
    /// process if anything fails.
    pub fn main(&self) {
        let translate = |arguments| self.translate(arguments);
        let code = plusminus::run_translated(&plusminus::package(), "", &[], &translate);
        if code != plusminus::exit::FINE {
            std::process::exit(code);
        }
    }

    /// Measures benchmarks.
    pub fn run_benches(&self) {
        Self { action: Some("--bench"), ..self.clone() }.main();
    }

    /// Runs everything once.
    pub fn test_benches(&self) {
        Self { action: Some("--test"), ..self.clone() }.main();
    }

    /// Lists benchmarks.
    pub fn list_benches(&self) {
        Self { action: Some("--list"), ..self.clone() }.main();
    }

    fn with(mut self, option: &str, value: impl ToString) -> Self {
        self.arguments.push(format!("{option}={}", value.to_string()));
        self
    }

    /// Colors the output, or does not.
    pub fn color(self, yes: impl Into<Option<bool>>) -> Self {
        match yes.into() {
            Some(yes) => self.with("--color", if yes { "always" } else { "never" }),
            None => self.with("--color", "auto"),
        }
    }

    /// Also runs ignored benchmarks.
    pub fn run_ignored(mut self) -> Self {
        self.arguments.push("--include-ignored".to_owned());
        self
    }

    /// Runs ignored benchmarks only.
    pub fn run_only_ignored(mut self) -> Self {
        self.arguments.push("--ignored".to_owned());
        self
    }

    /// Leaves out benchmarks whose name a regular expression matches.
    pub fn skip_regex(self, filter: impl AsRef<str>) -> Self {
        self.with("--skip", filter.as_ref())
    }

    /// Leaves out the benchmark of this name.
    pub fn skip_exact(self, filter: impl Into<String>) -> Self {
        self.with("--skip", format!("^{}$", regex_lite::escape(&filter.into())))
    }

    /// Without effect: as many samples are taken as time allows.
    pub fn sample_count(self, _: u32) -> Self {
        self
    }

    /// Asks for this number of calls in each sample.
    pub fn sample_size(self, count: u32) -> Self {
        self.with("--iterations", count)
    }

    /// Limits the time for samples from below, of all runs together.
    pub fn min_time(self, time: Duration) -> Self {
        self.with("--min-time", share(time).as_secs_f64())
    }

    /// Limits the time for samples, of all runs together.
    pub fn max_time(self, time: Duration) -> Self {
        self.with("--sample-time", share(time).as_secs_f64())
    }

    /// Without effect: making inputs is never part of a sample.
    pub fn skip_ext_time(self, _: bool) -> Self {
        self
    }

    /// Without effect: the harness writes bytes in its own way.
    pub fn bytes_format(self, _: BytesFormat) -> Self {
        self
    }

    /// Ends the program: threads are options of benchmarks and groups here, as they are part of names.
    pub fn threads<T: IntoIterator<Item = usize>>(self, _: T) -> Self {
        self.refuse("threads")
    }

    /// Ends the program: counters are options of benchmarks and groups here.
    pub fn counter<C: IntoCounter>(self, _: C) -> Self {
        self.refuse("counter")
    }

    /// Ends the program: counters are options of benchmarks and groups here.
    pub fn items_count<C: Into<ItemsCount>>(self, _: C) -> Self {
        self.refuse("items_count")
    }

    /// Ends the program: counters are options of benchmarks and groups here.
    pub fn bytes_count<C: Into<BytesCount>>(self, _: C) -> Self {
        self.refuse("bytes_count")
    }

    /// Ends the program: counters are options of benchmarks and groups here.
    pub fn chars_count<C: Into<CharsCount>>(self, _: C) -> Self {
        self.refuse("chars_count")
    }

    /// Ends the program: counters are options of benchmarks and groups here.
    pub fn cycles_count<C: Into<CyclesCount>>(self, _: C) -> Self {
        self.refuse("cycles_count")
    }

    fn refuse(self, option: &str) -> Self {
        plusminus::complain(&format!(
            "plusminus: `Divan::{option}` cannot be an option of the whole program here; write it in `#[divan::bench({option} \
             = …)]`, or for all benchmarks of a module in `#[divan::bench_group({option} = …)]`\n"
        ));
        std::process::exit(plusminus::exit::FAILED);
    }

    /// Returns the command line in the words of plusminus. Settings in code apply where it has no option.
    fn translate(&self, arguments: Vec<OsString>) -> Result<Vec<OsString>, String> {
        let mut translated = translate(&OPTIONS, arguments)?;
        let given: Vec<String> =
            translated.iter().map(|one| one.to_string_lossy().into_owned()).collect();
        for argument in &self.arguments {
            let name = argument.split('=').next().unwrap_or(argument);
            let said = given.iter().any(|one| one.split('=').next() == Some(name));
            if name == "--skip" || !said {
                translated.push(argument.into());
            }
        }
        if let Some(action) = self.action {
            translated.retain(|one| one != "--bench" && one != "--test" && one != "--list");
            translated.push(action.into());
        }
        Ok(translated)
    }
}

/// Divan's names, and their translations.
const OPTIONS: [Known; 9] = [
    (&["--sort", "--sortr", "--bytes-format"], Becomes::NothingOfValue),
    (&["--skip-ext-time"], Becomes::NothingOfSwitch),
    (&["--timer"], Becomes::Option("--clock")),
    (&["--sample-count"], Becomes::NothingOfValue),
    (&["--sample-size"], Becomes::Option("--iterations")),
    (&["--max-time"], Becomes::Made(|name, value| time("--sample-time", name, value))),
    (&["--min-time"], Becomes::Made(|name, value| time("--min-time", name, value))),
    (
        &["--items-count", "--bytes-count", "--chars-count", "--cycles-count"],
        Becomes::Made(refused),
    ),
    (&["--threads"], Becomes::Made(refused)),
];

/// Divan's times are numbers of seconds. One with a unit is an option of plusminus, as its reports advise it.
fn time(option: &str, name: &str, value: &str) -> Result<Vec<String>, String> {
    own(name, value).map_or_else(|| all_seconds(option, name, value), Ok)
}

fn refused(name: &str, _: &str) -> Result<Vec<String>, String> {
    let option = name.trim_start_matches('-').replace('-', "_");
    Err(format!("{name} is not possible here: write `{option} = …` in `#[divan::bench]`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn translated(divan: &Divan, line: &str) -> Result<String, String> {
        let all = divan.translate(line.split_whitespace().map(OsString::from).collect())?;
        Ok(all.iter().map(|word| word.to_str().unwrap()).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn options_of_divan_become_ours() {
        for (theirs, ours) in [
            ("--bench --sample-count 20 --sample-size=7", "--bench --iterations 7"),
            ("--max-time 6 --sort name a|b", "--sample-time 0.1 a|b"),
            ("--timer tsc --skip-ext-time true", "--clock tsc"),
            ("--skip-ext-time --bench --max-time 2m", "--bench --max-time 2m"),
            ("--list --exact a(", "--list --exact a("),
        ] {
            assert_eq!(translated(&Divan::default(), theirs).as_deref(), Ok(ours), "{theirs}");
        }
        assert!(translated(&Divan::default(), "--threads 4").unwrap_err().contains("not possible"));
    }

    #[test]
    fn the_command_line_counts_more_than_code() {
        let divan = Divan::default().sample_size(3).skip_exact("a.b");
        assert_eq!(translated(&divan, "").as_deref(), Ok("--iterations=3 --skip=^a\\.b$"));
        let with = translated(&divan, "--sample-size 5");
        assert_eq!(with.as_deref(), Ok("--iterations 5 --skip=^a\\.b$"));
    }
}
