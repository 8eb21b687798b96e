//! `cargo plusminus bench`: whole programs, as they are, measured by the same engine as benchmarks: one alone, or two in
//! turns with a verdict. Starts nothing but this program as a worker, and the programs that the user names.

mod program;

use std::{
    env,
    ffi::OsString,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use clap::builder::FalseyValueParser;
use plusminus::{
    engine::{self, CommonCase, Program, RealMachine, Subject, Versions, WorkerError},
    exit,
    output::{print, try_file, view, write_file},
    record::{self, CaseRecord, ComparisonRecord, ComparisonSettings, Manifest, SideRecord},
    report::{json_results, render},
    results::{CaseResult, RowResult},
    text::{quantity, quantity::fresh_seed},
};
use plusminus_analysis::verdict::Verdict;
pub(crate) use program::program;
use program::{Surroundings, WholeProgram};

use crate::{
    compare::{Format, MARGIN, alpha, margin},
    error::{Error, Result, at, error},
    newest,
    own_program::{become_it, this_program},
    progress::Progress,
    report,
};

/// The argument by which this program becomes the bench binary whose one benchmark is a whole program.
pub(crate) const ALONE_FLAG: &str = "--plusminus-whole-program";

/// Where the names of whole programs begin, among all benchmarks of this program.
const PREFIX: &str = "program::";

/// The message if one program is to be reported in Markdown.
const ONLY_COMPARISONS: &str = "--format markdown is for comparisons of two programs";

/// The programs, the options, and the output.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
A program runs from its start to its end, once in each sample, without a shell; what it prints is thrown away. Two programs
are measured in turns, and the verdict is on the second against the first.
Exit codes: 0 fine, 1 the second is proven slower, 2 a program failed or wrong option, 3 unreliable measurement.
Examples:
  cargo plusminus bench -- ./sort numbers.txt                          how long it takes, with σ
  cargo plusminus bench -- ./old numbers.txt -- ./new numbers.txt      the new one against the old one
  cargo plusminus bench --input numbers.txt -- ./old -- ./new          both read the file from standard input
  cargo plusminus bench -- sh -c 'gzip -9 < a' -- sh -c 'zstd -19 < a' with a shell, where one is needed")]
pub(crate) struct Arguments {
    /// One command to time, or two commands separated by `--` to compare: `-- OLD ARGS -- NEW ARGS`.
    #[arg(last = true, required_unless_present_any = ["load", "explain"], value_name = "PROGRAM")]
    words: Vec<OsString>,
    /// Print the report of a single program again: `last`, or the path of a record. Measures nothing.
    #[arg(long, value_name = "RECORD", conflicts_with = "words")]
    load: Option<PathBuf>,
    /// Explain a term of the report, as `cargo plusminus explain` does.
    #[arg(long, value_name = "TERM", conflicts_with_all = ["words", "load"])]
    explain: Option<String>,
    /// Separate the two programs by this word, if `--` is an argument of one of them.
    #[arg(long, value_name = "WORD", default_value = "--")]
    separator: OsString,
    #[command(flatten)]
    surroundings: Surroundings,
    /// Ignore changes up to this, in percent [default: 2].
    #[arg(long, value_name = "PERCENT", env = "PLUSMINUS_MARGIN", value_parser = margin)]
    margin: Option<f64>,
    /// Accept this probability of a false alarm.
    #[arg(long, value_name = "P", env = "PLUSMINUS_ALPHA", default_value_t = 0.05, value_parser = alpha)]
    alpha: f64,
    /// Stop measuring after this long.
    #[arg(long, value_name = "DURATION", env = "PLUSMINUS_COMPARE_TIME", default_value = "5m", value_parser = quantity::time)]
    max_time: Duration,
    /// Stop after this many blocks (rounds of fresh processes) [default: 150, or 10 s of blocks if that is more].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(6..))]
    max_blocks: Option<u32>,
    /// Set the seed of every random order [default: from the clock].
    #[arg(long, value_name = "N", env = "PLUSMINUS_SEED", value_parser = quantity::seed)]
    seed: Option<u64>,
    /// Choose what to print.
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = Format::Table)]
    format: Format,
    /// Write the JSON result of a comparison into this file.
    #[arg(long, value_name = "FILE", conflicts_with = "load")]
    json: Option<PathBuf>,
    /// Write the record of a comparison, every sample of both programs, into this file: `report` and `compare --from` read it.
    #[arg(long, value_name = "FILE", conflicts_with = "load")]
    record: Option<PathBuf>,
    /// Print all numbers and notes, and what they mean.
    #[arg(long, short, env = "PLUSMINUS_VERBOSE", value_parser = FalseyValueParser::new())]
    verbose: bool,
    /// Print no progress.
    #[arg(long, short)]
    quiet: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<i32> {
    if let Some(word) = &arguments.explain {
        return report::explain(word);
    }
    if let Some(record) = &arguments.load {
        return again(record, arguments);
    }
    let commands: Vec<&[OsString]> =
        arguments.words.split(|word| *word == arguments.separator).collect();
    if commands.iter().any(|command| command.is_empty()) {
        let separator = arguments.separator.display();
        return error(format!("there is no program before or after `{separator}`"));
    }
    let whole =
        |command: &&[OsString]| Ok(WholeProgram::new(&in_words(command)?, &arguments.surroundings));
    match &commands.iter().map(whole).collect::<Result<Vec<_>>>()?[..] {
        [only] => {
            if arguments.json.is_some() || arguments.record.is_some() {
                return error(
                    "--json and --record are for comparisons: name two programs, with `--` between them; \
                     --format json prints the result of one",
                );
            }
            only.try_once()?;
            alone(only, arguments)
        }
        [base, new] => {
            for file in arguments.json.iter().chain(&arguments.record) {
                try_file(file).map_err(at("write", file))?;
            }
            base.try_once()?;
            new.try_once()?;
            against(base, new, arguments)
        }
        more => error(format!(
            "expected one program to measure, or two to compare, and got {}; if `{}` is an argument of a program, \
             choose a different word between them with --separator",
            more.len(),
            arguments.separator.display(),
        )),
    }
}

/// The words of a command, also of one that was typed in one piece: `'sleep 1'`.
///
/// # Errors
/// That only a shell understands it.
fn in_words(command: &[OsString]) -> Result<Vec<OsString>> {
    let [only] = command else { return Ok(command.to_vec()) };
    let text = only.to_string_lossy();
    if !text.trim().contains(char::is_whitespace) || Path::new(only).exists() {
        return Ok(command.to_vec());
    }
    if text.split_whitespace().all(is_plain) {
        return Ok(text.split_whitespace().map(OsString::from).collect());
    }
    let typed = typed(&text);
    error(format!("{typed} needs a shell: `cargo plusminus bench -- sh -c {typed}` runs it in one"))
}

/// Whether a word means the same to a shell and without one.
fn is_plain(word: &str) -> bool {
    let plain = |letter: char| letter.is_alphanumeric() || "-_./=+,:@%…".contains(letter);
    !word.is_empty() && word.chars().all(plain)
}

/// Measures a program alone, as a bench binary measures a benchmark.
fn alone(only: &WholeProgram, arguments: &Arguments) -> Result<i32> {
    let mut command = Command::new(this_program()?);
    command.arg(ALONE_FLAG).arg("--bench");
    command.args(arguments.quiet.then_some("--quiet"));
    match arguments.format {
        Format::Table => {}
        Format::Json => drop(command.args(["--format", "json"])),
        Format::Markdown => return error(ONLY_COMPARISONS),
    }
    command.args(arguments.verbose.then_some("--verbose"));
    command.env("PLUSMINUS_OUTPUT", folder_of_records());
    // By the part of its name that is not the user's, which may hold anything.
    command.arg(format!("^{PREFIX}"));
    command.arg("--max-time").arg(format!("{}s", arguments.max_time.as_secs_f64()));
    command.args(arguments.seed.iter().flat_map(|seed| ["--seed".to_owned(), seed.to_string()]));
    command.envs(only.variables());
    become_it(command)
}

/// Reports the record of a program that was measured alone.
fn again(wanted: &Path, arguments: &Arguments) -> Result<i32> {
    let is_last = wanted == Path::new("last");
    let path = if is_last { newest_record()? } else { wanted.to_owned() };
    let record = record::read(&path)?;
    let text = match arguments.format {
        Format::Table => render(&record, None, None, &view(None, arguments.verbose)),
        Format::Json => json_results(&record, 0, None, None),
        Format::Markdown => return error(ONLY_COMPARISONS),
    };
    print(&text).map_err(Error::Message)?;
    Ok(if record.cases.iter().any(CaseRecord::has_failed) { exit::FAILED } else { exit::FINE })
}

fn newest_record() -> Result<PathBuf> {
    let folder = folder_of_records();
    newest::record_below(&folder).ok_or_else(|| {
        let folder = folder.display();
        Error::Message(format!("no program has been measured alone yet: {folder} has no record"))
    })
}

/// The folder of the records of programs that are measured alone. A program need not belong to a package, and a
/// folder `target` next to it would be litter.
fn folder_of_records() -> PathBuf {
    if let Some(chosen) = env::var_os("PLUSMINUS_OUTPUT") {
        return chosen.into();
    }
    let named = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let cache = named("XDG_CACHE_HOME")
        .or_else(|| named("HOME").map(|home| home.join(".cache")))
        .or_else(|| named("LOCALAPPDATA"));
    cache.unwrap_or_else(env::temp_dir).join("plusminus-programs")
}

/// Runs this program under [`ALONE_FLAG`].
pub(crate) fn run_alone() -> i32 {
    let translate = |mut words: Vec<OsString>| {
        words.remove(0);
        Ok(words)
    };
    plusminus::run_translated("", "", &[], &translate)
}

/// Measures two programs in turns, and prints which is faster.
fn against(base: &WholeProgram, new: &WholeProgram, arguments: &Arguments) -> Result<i32> {
    let machine = RealMachine::new();
    let own = this_program()?;
    let program_of =
        |whole: &WholeProgram| Program { variables: whole.variables(), ..Program::of(&own) };
    let (base_program, new_program) = (program_of(base), program_of(new));
    let case = |program: &Program| {
        let cases = engine::list(&machine, program).map_err(|error| match error {
            WorkerError::Interrupted(signal) => Error::Interrupted(signal),
            error => Error::Message(format!("this program cannot measure others: {error}")),
        })?;
        let found = cases.into_iter().find(|case| case.name.starts_with(PREFIX));
        found.ok_or_else(|| Error::Message("this program cannot measure others".to_owned()))
    };
    let margin = arguments.margin.unwrap_or(MARGIN);
    let common =
        CommonCase { base: case(&base_program)?, new: case(&new_program)?, margin, later: false };
    let subject = Subject {
        name: String::new(),
        versions: Versions {
            control: Some(base_program.clone()),
            base: base_program,
            new: new_program,
        },
        layouts: None,
        common: vec![common],
    };
    let settings = ComparisonSettings {
        seed: arguments.seed.unwrap_or_else(fresh_seed),
        margin,
        alpha: arguments.alpha,
        max_seconds: Some(arguments.max_time.as_secs_f64()),
        layout: Some(report::WHOLE_PROGRAMS.to_owned()),
        ..ComparisonSettings::of_blocks(arguments.max_blocks)
    };
    let side =
        |whole: &WholeProgram| SideRecord { name: whole.shown(), manifest: Manifest::of_machine() };
    let mut progress = Progress::new(arguments.quiet);
    let record = ComparisonRecord::new(settings, side(base), side(new));
    let record = engine::compare_until_decided(&machine, &[subject], record, &mut progress);
    progress.end();
    reported(&record, arguments)
}

/// Writes and prints the results of a comparison, and returns the exit code.
fn reported(record: &ComparisonRecord, arguments: &Arguments) -> Result<i32> {
    if let Some(file) = &arguments.record {
        record::write_comparison(record, file)?;
    }
    let mut comparison = report::of_record(record);
    let slower = |_: &CaseResult, row: &RowResult| row.judgement.verdict == Verdict::Slower;
    let code = match record.interrupted {
        Some(signal) => exit::INTERRUPTED + signal,
        None => comparison.outcome.exit_code(|_| true, slower),
    };
    comparison.summary.exit_code = code;
    if let Some(file) = &arguments.json {
        let json = report::json::render(&comparison);
        write_file(file, json.as_bytes()).map_err(at("write", file))?;
    }
    let full = folder_of_records().join("report.txt");
    let text = match arguments.format {
        Format::Table => report::table::printed(&comparison, Some(&full), arguments.verbose),
        Format::Json => report::json::render(&comparison),
        Format::Markdown => report::markdown::render(&comparison),
    };
    print(&text).map_err(Error::Message)?;
    Ok(code)
}

/// A word as people would type it.
fn typed(text: &str) -> String {
    match is_plain(text) {
        true => text.to_owned(),
        false => format!("'{}'", text.replace('\'', "'\\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_in_one_piece_is_split_unless_it_needs_a_shell() {
        let words = |text: &str| in_words(&[OsString::from(text)]);
        assert_eq!(words("sleep 0.01").unwrap(), ["sleep", "0.01"]);
        assert_eq!(words("sleep").unwrap(), ["sleep"]);
        let both = ["sh", "sleep 1; sleep 2"].map(OsString::from);
        assert_eq!(in_words(&both).unwrap(), both);
        let said = words("gzip -1 < a").unwrap_err().to_string();
        assert!(said.contains("`cargo plusminus bench -- sh -c 'gzip -1 < a'`"), "{said}");
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("a program");
        std::fs::write(&program, "").unwrap();
        assert_eq!(words(program.to_str().unwrap()).unwrap(), [program.as_os_str()]);
    }
}
