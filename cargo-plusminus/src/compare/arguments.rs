//! The command line of `cargo plusminus compare`.

use std::{ffi::OsStr, path::PathBuf, time::Duration};

use clap::{Args, ValueEnum, builder::FalseyValueParser};
use plusminus::text::quantity;

use super::second_opinion::hashed;
use crate::{report::Gate, wrapper::KEEP_ALL};

/// The subjects of a comparison, and its options.
#[derive(Debug, Args)]
#[command(
    override_usage = "\
cargo plusminus compare [OPTIONS] <BASE[..HEAD]> [FILTER]...
       cargo plusminus compare [OPTIONS] --binaries <BASE> <HEAD> [FILTER]...
       cargo plusminus compare [OPTIONS] --from <RECORD>
       cargo plusminus compare [OPTIONS] --join <RECORD> <RECORD>...",
    after_help = "\
DURATION: seconds, or with a unit: 90, 2m, 1h
Exit codes: 0 no regression, 1 slower and not accepted in plusminus.toml, 2 failed, 3 machine too noisy
Examples:
  cargo plusminus compare main              the working tree, uncommitted changes included, against main
  cargo plusminus compare v1.0..v1.1        two tags
  cargo plusminus compare main...topic      topic against the commit where it left main
  cargo plusminus compare --binaries a b    two bench binaries that are built already; filters may follow
  git bisect run cargo plusminus compare v1.0 --bisect"
)]
pub(crate) struct Arguments {
    /// BASE, BASE..HEAD or BASE...HEAD (the merge base of both against HEAD); without HEAD the working tree.
    ///
    /// With `--binaries` it is the first filter.
    #[arg(value_name = "BASE[..HEAD]", required_unless_present_any = ["binaries", "from", "join"])]
    pub(super) versions: Option<String>,
    /// Compare only benchmarks whose name contains one of these, or matches it as a regular expression.
    #[arg(value_name = "FILTER")]
    pub(super) filters: Vec<String>,
    /// Compare copies of two bench binaries that were built before.
    #[arg(long, num_args = 2, value_names = ["BASE", "HEAD"], conflicts_with_all = ["share", "affected"])]
    pub(super) binaries: Option<Vec<PathBuf>>,
    /// Print the report of a comparison again, without building or measuring.
    #[arg(long, value_name = "RECORD", conflicts_with_all = ["versions", "filters", "binaries", "exact", "include_ignored", "merge_base", "no_run", "package", "workspace", "bench", "features", "layout", "lock", "measure", "max_blocks", "retry_noisy", "record"])]
    pub(super) from: Option<PathBuf>,
    /// Join the records of the same two versions from several machines into one verdict per benchmark.
    #[arg(long, num_args = 2.., value_name = "RECORD", conflicts_with_all = ["versions", "filters", "binaries", "from", "max_blocks", "retry_noisy", "record", "bisect"])]
    pub(super) join: Vec<PathBuf>,
    /// Compare with the commit where head left base, as BASE...HEAD does.
    #[arg(long)]
    pub(super) merge_base: bool,
    /// Build both versions, print what was built, and stop.
    #[arg(long, conflicts_with_all = ["binaries", "comment"])]
    pub(super) no_run: bool,
    /// Take filters as whole names.
    #[arg(long)]
    pub(super) exact: bool,
    /// Also run ignored benchmarks.
    #[arg(long)]
    pub(super) include_ignored: bool,
    /// Also measure which changed functions a difference comes from, for benchmarks whose name contains BENCHMARK. This takes at
    /// most --max-time once more.
    #[arg(long, value_name = "BENCHMARK", num_args = 0..=1, require_equals = true, default_missing_value = "",
          conflicts_with_all = ["binaries", "from", "join", "no_run"])]
    pub(super) why: Option<String>,
    #[command(flatten)]
    pub(super) build: Build,
    #[command(flatten)]
    pub(super) measure: Measure,
    #[command(flatten)]
    pub(super) output: Output,
}

impl Arguments {
    /// Returns the texts that names of benchmarks must contain. For given programs, all arguments are filters.
    pub(super) fn filters(&self) -> impl Iterator<Item = &String> {
        let first = self.versions.as_ref().filter(|_| self.binaries.is_some());
        first.into_iter().chain(&self.filters)
    }
}

/// Which bench targets are built, and how: as cargo has it.
#[derive(Debug, Clone, Args, Default)]
#[command(next_help_heading = "Building")]
pub(crate) struct Build {
    /// Build only this package.
    #[arg(long, short, value_name = "NAME")]
    pub(super) package: Vec<String>,
    /// Build all packages of the workspace.
    #[arg(long)]
    pub(super) workspace: bool,
    /// Skip this package.
    #[arg(long, value_name = "NAME", requires = "workspace")]
    pub(super) exclude: Vec<String>,
    /// Build only this bench target.
    #[arg(long, value_name = "NAME")]
    pub(super) bench: Vec<String>,
    /// Turn on these features.
    #[arg(long, short = 'F', value_name = "FEATURES")]
    pub(super) features: Vec<String>,
    /// Turn on all features.
    #[arg(long)]
    pub(super) all_features: bool,
    /// Turn off the default features.
    #[arg(long)]
    pub(super) no_default_features: bool,
    /// Build with this profile instead of `bench`.
    #[arg(long, value_name = "NAME")]
    pub(super) profile: Option<String>,
    /// Use the package or workspace of this Cargo.toml.
    #[arg(long, value_name = "PATH")]
    pub(super) manifest_path: Option<PathBuf>,
    /// Refuse to change Cargo.lock.
    #[arg(long)]
    pub(super) locked: bool,
    /// Do not use the network.
    #[arg(long)]
    pub(super) offline: bool,
    /// Give both versions this file or folder of the working tree, which git does not keep.
    #[arg(long, value_name = "PATH")]
    pub(super) share: Vec<PathBuf>,
    /// Choose whose Cargo.lock sets the versions of dependencies.
    #[arg(long, value_enum, value_name = "WHOSE", default_value_t = Locks::Each)]
    pub(super) lock: Locks,
    /// Build only packages whose sources or dependencies changed. In doubt, a package is built.
    #[arg(long)]
    pub(super) affected: bool,
    /// Programs keep debug information about types.
    #[arg(skip)]
    pub(super) with_types: bool,
    /// Bench targets of other harnesses will do.
    #[arg(skip)]
    pub(super) any_harness: bool,
    /// Choose how to treat code placement, which changes times without a change of code [default: sampled if the linker can].
    #[arg(long, value_enum, value_name = "HOW")]
    pub(super) layout: Option<Layout>,
}

impl Build {
    /// Returns how to treat the placement by layouts, if the linker can.
    pub(super) fn layout(&self) -> Layout {
        self.layout.unwrap_or_default()
    }
}

/// Whose lock file a side is built with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(super) enum Locks {
    /// Each version's own; one without gets that of the working tree.
    #[default]
    Each,
    /// Head's for both.
    Head,
}

/// How to treat the placement by layouts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(super) enum Layout {
    /// Aligned, and both sides linked again for each round, with their sections in another order (linker lld).
    #[default]
    Sampled,
    /// One binary of each side, in which functions and blocks that nothing falls into begin at multiples of 64 bytes.
    Aligned,
    /// One binary of each side, as cargo makes it for users.
    AsBuilt,
}

impl Layout {
    pub(super) fn flags(self) -> &'static [&'static str] {
        match self {
            Self::Sampled | Self::Aligned => &[
                "-Cllvm-args=-align-all-functions=6",
                "-Cllvm-args=-align-all-nofallthru-blocks=6",
                "-Ccodegen-units=1",
                // A function with one caller is inlined whatever its size, unless it is visible from outside: without
                // this, a second caller anywhere in a library changes the code of the first.
                KEEP_ALL,
            ],
            Self::AsBuilt => &[],
        }
    }

    /// Its name in reports.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Sampled => "sampled",
            Self::Aligned => "aligned",
            Self::AsBuilt => "as-built",
        }
    }

    /// The folder for builds of this kind in a role. Cargo does not know that they differ: other flags, or a different form of
    /// the kept data, need a different name. So does each value of `RUSTC_BOOTSTRAP`, by which the compiler names symbols.
    pub(super) fn folder(self, unstable: Option<&OsStr>, role: &str) -> String {
        let kind = match self {
            Self::Sampled | Self::Aligned => "aligned-22",
            Self::AsBuilt => "as-built-14",
        };
        match unstable {
            None => format!("{kind}-{role}"),
            Some(value) => format!("{kind}-unstable-{:016x}-{role}", hashed(value)),
        }
    }
}

/// Which benchmarks are measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(super) enum Which {
    /// Benchmarks whose machine code differs.
    #[default]
    Changed,
    /// All benchmarks. A difference of identical code is the effect of its placement.
    All,
    /// None. The report lists whose code changed, and how.
    None,
}

/// How to measure and judge. Each is a variable too.
#[derive(Debug, Args)]
#[command(next_help_heading = "Measuring")]
pub(super) struct Measure {
    /// Choose which benchmarks to measure.
    #[arg(long, value_enum, value_name = "WHICH", default_value_t = Which::Changed)]
    pub(super) measure: Which,
    /// Ignore changes up to this, in percent. Overrides the attribute. With 0, `compare` measures until a difference is proven or
    /// the blocks are used up [default: 2].
    #[arg(long, value_name = "PERCENT", env = "PLUSMINUS_MARGIN", value_parser = quantity::percent)]
    pub(super) margin: Option<f64>,
    /// Accept this probability of any false alarm among all benchmarks.
    #[arg(long, value_name = "P", env = "PLUSMINUS_ALPHA", default_value_t = 0.05, value_parser = alpha)]
    pub(super) alpha: f64,
    /// Stop measuring after this long.
    #[arg(long, value_name = "DURATION", env = "PLUSMINUS_COMPARE_TIME", default_value = "10m", value_parser = quantity::time)]
    pub(super) max_time: Duration,
    /// Also count the instructions of each measured benchmark, under valgrind and after everything else.
    #[arg(long, env = "PLUSMINUS_INSTRUCTIONS", value_parser = FalseyValueParser::new())]
    pub(super) instructions: bool,
    /// Measure everything again, at most this often, if the machine was too noisy. Each time has the whole `--max-time`.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(super) retry_noisy: u32,
    /// Stop measuring a benchmark after this many blocks (rounds of fresh processes) [default: 150, or 10 s of blocks if that is more].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(6..))]
    pub(super) max_blocks: Option<u32>,
    /// Set the seed of every random order [default: from the clock].
    #[arg(long, value_name = "N", env = "PLUSMINUS_SEED", value_parser = quantity::seed)]
    pub(super) seed: Option<u64>,
}

/// The report, its place, and the exit code.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(super) struct Output {
    /// Choose what to print.
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = Format::Table)]
    pub(super) format: Format,
    /// Write the body of a comment for a pull request into this file.
    #[arg(long, value_name = "FILE")]
    pub(super) comment: Option<PathBuf>,
    /// Write the JSON result into this file.
    #[arg(long, value_name = "FILE")]
    pub(super) json: Option<PathBuf>,
    /// Write the record, every sample of both sides, into this file: `--from` and `study` read it.
    #[arg(long, value_name = "FILE")]
    pub(super) record: Option<PathBuf>,
    /// Choose what makes the exit code 1.
    #[arg(long, value_enum, value_name = "WHAT", default_value_t = FailOn::Slower)]
    pub(super) fail_on: FailOn,
    /// Choose which measures can make the exit code 1, each with a change that passes: time,allocations:1%. Measures: time,
    /// allocations, bytes, peak, kept, memory, code, data, program, instructions, p50, p95, p99, and your own metrics by name.
    #[arg(long, value_name = "MEASURES", default_value = "time", value_parser = Gate::parse, conflicts_with = "join")]
    pub(super) gate: Gate,
    /// Exit as `git bisect run` expects: 0 good, 1 bad, 125 unknown.
    #[arg(long)]
    pub(super) bisect: bool,
    /// Print all numbers and notes, and what they mean.
    #[arg(long, short, env = "PLUSMINUS_VERBOSE", value_parser = FalseyValueParser::new())]
    pub(super) verbose: bool,
    /// Print no progress, and only errors of cargo.
    #[arg(long, short)]
    pub(super) quiet: bool,
}

/// The format of standard output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people at a terminal.
    Table,
    /// For programs.
    Json,
    /// For pages and comments.
    Markdown,
}

/// The policy for failing a build.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FailOn {
    /// A benchmark is proven slower, and not proven to be within the margin.
    Slower,
    /// A benchmark is proven slower by more than the margin.
    SlowerThanMargin,
    /// A benchmark is slower, or benchmarks changed and all of them are inconclusive.
    NothingDecided,
    /// A benchmark is slower, or inconclusive.
    Inconclusive,
    /// No verdict, only failures and a machine that was too noisy.
    Never,
}

/// A percentage above 0, as a fraction.
pub(crate) fn margin(text: &str) -> Result<f64, String> {
    let margin = quantity::percent(text).ok().filter(|margin| *margin > 0.0);
    margin
        .ok_or_else(|| "it takes a percentage above 0 and up to 1000, such as 2 or 0.5%".to_owned())
}

/// A probability above 0 and below one half.
pub(crate) fn alpha(text: &str) -> Result<f64, String> {
    let alpha = text.parse().ok().filter(|alpha| *alpha > 0.0 && *alpha < 0.5);
    alpha.ok_or_else(|| "it takes a probability above 0 and below 0.5, such as 0.05".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentages_and_probabilities_have_limits() {
        assert_eq!(margin("2"), Ok(0.02));
        assert_eq!(margin("0.5 %"), Ok(0.005));
        for wrong in ["0", "-1", "nan", "x", "1001"] {
            assert!(margin(wrong).is_err(), "{wrong}");
        }
        assert!(alpha("0.05").is_ok() && alpha("0").is_err() && alpha("1").is_err());
    }

    #[test]
    fn builds_with_other_names_of_symbols_do_not_meet() {
        let folder =
            |unstable: Option<&str>, role| Layout::Sampled.folder(unstable.map(OsStr::new), role);
        let all = [None, Some("1"), Some("some_crate")].map(|value| folder(value, "base"));
        assert!(all[0] != all[1] && all[0] != all[2] && all[1] != all[2], "{all:?}");
        // Paths of both sides differ in the role alone.
        assert_eq!(all[1].replace("base", "work"), folder(Some("1"), "work"));
    }
}
