//! The command line of `cargo plusminus compare`.

use std::{path::PathBuf, time::Duration};

use clap::{Args, ValueEnum, builder::FalseyValueParser};
use plusminus::text::quantity;

use super::git::Range;
use crate::{error::Result, same_code::KEEP_ALL};

/// What to compare, and how.
#[derive(Debug, Args)]
#[command(after_help = "\
Exit codes: 0 fine, 1 regression, 2 a failed benchmark, build or wrong option, 3 unreliable measurement.
Examples:
  cargo plusminus compare main              the working tree, uncommitted changes included, against main
  cargo plusminus compare v1.0..v1.1        two tags
  cargo plusminus compare main...topic      topic against the commit where it left main
  cargo plusminus compare --binaries a b    two bench binaries that are built already; filters may follow
  git bisect run cargo plusminus compare v1.0 --bisect")]
pub(crate) struct Arguments {
    /// BASE, BASE..HEAD or BASE...HEAD (the merge base of both against HEAD); without HEAD the working tree.
    ///
    /// Beside `--binaries` it is the first filter.
    #[arg(value_name = "BASE[..HEAD]", required_unless_present_any = ["binaries", "from"])]
    pub(super) versions: Option<String>,
    /// Only benchmarks whose name contains one of these.
    #[arg(value_name = "FILTER")]
    pub(super) filters: Vec<String>,
    /// Compare two bench binaries that are built already.
    #[arg(long, num_args = 2, value_names = ["BASE", "HEAD"])]
    pub(super) binaries: Option<Vec<PathBuf>>,
    /// Report the record of a comparison again: nothing is built or measured.
    #[arg(long, value_name = "RECORD", conflicts_with_all = ["versions", "filters", "binaries"])]
    pub(super) from: Option<PathBuf>,
    /// Compare with the commit where head left base, as BASE...HEAD does.
    #[arg(long)]
    pub(super) merge_base: bool,
    /// Filters are whole names.
    #[arg(long)]
    pub(super) exact: bool,
    /// Ignored benchmarks too.
    #[arg(long)]
    pub(super) include_ignored: bool,
    #[command(flatten)]
    pub(super) build: Build,
    #[command(flatten)]
    pub(super) measure: Measure,
    #[command(flatten)]
    pub(super) output: Output,
}

impl Arguments {
    /// What the names of benchmarks are to contain. Where the programs are there already, no argument names versions.
    pub(super) fn filters(&self) -> impl Iterator<Item = &String> {
        let first = self.versions.as_ref().filter(|_| self.binaries.is_some());
        first.into_iter().chain(&self.filters)
    }

    /// The versions that are compared.
    pub(super) fn range(&self) -> Result<Range> {
        let range = Range::parse(self.versions.as_deref().unwrap_or("HEAD"))?;
        Ok(Range { merge_base: range.merge_base || self.merge_base, ..range })
    }
}

/// Which bench targets are built, and how: as cargo has it.
#[derive(Debug, Args, Default)]
#[command(next_help_heading = "Building")]
pub(super) struct Build {
    /// Only this package.
    #[arg(long, short, value_name = "NAME")]
    pub(super) package: Vec<String>,
    /// All packages of the workspace.
    #[arg(long)]
    pub(super) workspace: bool,
    /// All but this package.
    #[arg(long, value_name = "NAME", requires = "workspace")]
    pub(super) exclude: Vec<String>,
    /// Only this bench target.
    #[arg(long, value_name = "NAME")]
    pub(super) bench: Vec<String>,
    /// Features to turn on.
    #[arg(long, short = 'F', value_name = "FEATURES")]
    pub(super) features: Vec<String>,
    /// All features.
    #[arg(long)]
    pub(super) all_features: bool,
    /// Not the default features.
    #[arg(long)]
    pub(super) no_default_features: bool,
    /// The profile to build with, instead of `bench`.
    #[arg(long, value_name = "NAME")]
    pub(super) profile: Option<String>,
    /// The Cargo.toml of the package or workspace.
    #[arg(long, value_name = "PATH")]
    pub(super) manifest_path: Option<PathBuf>,
    /// Refuse to change Cargo.lock.
    #[arg(long)]
    pub(super) locked: bool,
    /// Do not use the network.
    #[arg(long)]
    pub(super) offline: bool,
    /// Whose Cargo.lock decides on the versions of dependencies.
    #[arg(long, value_enum, value_name = "WHOSE", default_value_t = Locks::Each)]
    pub(super) lock: Locks,
    /// Only build both sides, and say what was built from what.
    #[arg(long, conflicts_with_all = ["binaries", "comment"])]
    pub(super) no_run: bool,
    /// Where functions and constants lie, which moves times but is not the code [default: sampled, where the linker can].
    #[arg(long, value_enum, value_name = "HOW")]
    pub(super) layout: Option<Layout>,
}

impl Build {
    /// What is done about the luck of layouts, if the linker can.
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

/// What is done about the luck of layouts.
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
    /// The compiler's flags for it.
    pub(super) fn flags(self) -> &'static [&'static str] {
        match self {
            Self::Sampled | Self::Aligned => &[
                "-Cllvm-args=-align-all-functions=6",
                "-Cllvm-args=-align-all-nofallthru-blocks=6",
                "-Ccodegen-units=1",
                // A function with one caller is inlined whatever its size, unless it is visible from outside: without
                // this, a second caller anywhere in the crate changes the code of the first.
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

    /// The folder for builds of this kind. Cargo does not know that they differ: other flags, or another form of what is
    /// kept in programs, need another name.
    pub(super) fn folder(self) -> &'static str {
        match self {
            Self::Sampled | Self::Aligned => "aligned-6",
            Self::AsBuilt => "as-built-3",
        }
    }
}

/// Which benchmarks are measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(super) enum Which {
    /// Those that do not run identical machine code on both sides.
    #[default]
    Changed,
    /// All: what comes out of identical code is the effect of layout.
    All,
    /// None: the report says whose code changed, and how.
    None,
}

/// How to measure and judge. Each is a variable too.
#[derive(Debug, Args)]
#[command(next_help_heading = "Measuring")]
pub(super) struct Measure {
    /// Which benchmarks are measured.
    #[arg(long, value_enum, value_name = "WHICH", default_value_t = Which::Changed)]
    pub(super) measure: Which,
    /// Changes up to this count as none, in percent; also for benchmarks whose attribute says otherwise. With 0, `compare` measures
    /// until a difference is proven or the blocks are used up [default: 2].
    #[arg(long, value_name = "PERCENT", env = "PLUSMINUS_MARGIN", value_parser = quantity::percent)]
    pub(super) margin: Option<f64>,
    /// Accepted probability of any false alarm among all benchmarks.
    #[arg(long, value_name = "P", env = "PLUSMINUS_ALPHA", default_value_t = 0.05, value_parser = alpha)]
    pub(super) alpha: f64,
    /// Time for all measuring; what is open then is reported as inconclusive.
    #[arg(long, value_name = "TIME", env = "PLUSMINUS_COMPARE_TIME", default_value = "10m", value_parser = quantity::time)]
    pub(super) max_time: Duration,
    /// Blocks (fresh pairs of processes) that a benchmark may take [default: 60, or 10 s of blocks, if more fit into them].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(6..))]
    pub(super) max_blocks: Option<u32>,
    /// The seed of every random order [default: from the clock].
    #[arg(long, value_name = "N", env = "PLUSMINUS_SEED", value_parser = quantity::seed)]
    pub(super) seed: Option<u64>,
}

/// What to say, where, and what to answer.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(super) struct Output {
    /// What is printed.
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
    /// What makes the exit code 1.
    #[arg(long, value_enum, value_name = "WHAT", default_value_t = FailOn::Slower)]
    pub(super) fail_on: FailOn,
    /// Answer as `git bisect run` expects: 0 good, 1 bad, 125 where nothing can be said.
    #[arg(long)]
    pub(super) bisect: bool,
    /// Every number, note and definition.
    #[arg(long, short, env = "PLUSMINUS_VERBOSE", value_parser = FalseyValueParser::new())]
    pub(super) verbose: bool,
    /// No progress, and nothing from cargo but errors.
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

/// What fails a build.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FailOn {
    /// A benchmark is proven slower, and not proven to be within the margin.
    Slower,
    /// A benchmark is proven slower by more than the margin.
    SlowerThanMargin,
    /// A benchmark is slower, or benchmarks changed and not one of them could be decided.
    NothingDecided,
    /// A benchmark is slower, or inconclusive.
    Inconclusive,
    /// No verdict; only failures and unreliable measurements.
    Never,
}

/// A percentage above 0, as a fraction.
pub(crate) fn margin(text: &str) -> std::result::Result<f64, String> {
    quantity::percent(text)
        .ok()
        .filter(|margin| *margin > 0.0)
        .ok_or_else(|| "it takes a percentage above 0 and up to 1000, such as 2 or 0.5%".to_owned())
}

/// A probability above 0 and below one half.
pub(crate) fn alpha(text: &str) -> std::result::Result<f64, String> {
    let alpha: Option<f64> = text.parse().ok();
    alpha
        .filter(|alpha| *alpha > 0.0 && *alpha < 0.5)
        .ok_or_else(|| "it takes a probability above 0 and below 0.5, such as 0.05".to_owned())
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
}
