//! A program of the user as a benchmark of this one: how a worker learns of it, and how it is run.

use std::{
    env,
    ffi::OsString,
    fs::File,
    path::{Path, PathBuf},
    process::{Command, ExitStatus, Output, Stdio},
    time::{Duration, Instant},
};

use plusminus::{
    Options, Registry,
    text::{sentence, without_secrets},
};

use super::typed;
use crate::{
    compare::watched,
    error::{Error, Result, at},
};

/// The number of words of the program; they stand in variables of their own, as not every word is a text.
const WORDS: &str = "PLUSMINUS_PROGRAM_WORDS";

const NAME: &str = "PLUSMINUS_PROGRAM_NAME";

const INPUT: &str = "PLUSMINUS_PROGRAM_INPUT";

const PREPARE: &str = "PLUSMINUS_PROGRAM_PREPARE";

/// That any exit code is as good as 0.
const IGNORE_FAILURE: &str = "PLUSMINUS_PROGRAM_IGNORE_FAILURE";

/// Variables that set the number of processors for thread pools. A worker has its own: the program gets the user's.
const POOLS: [&str; 3] = ["RAYON_NUM_THREADS", "OMP_NUM_THREADS", "TOKIO_WORKER_THREADS"];

/// How a variable of the user is kept through a worker.
fn kept(name: &str) -> String {
    format!("PLUSMINUS_PROGRAM_{name}")
}

fn word(index: usize) -> String {
    format!("PLUSMINUS_PROGRAM_WORD_{index}")
}

/// The settings that both programs of a comparison share.
#[derive(Debug, Clone, PartialEq, clap::Args)]
pub(super) struct Surroundings {
    /// Feed this file to the programs on standard input.
    #[arg(long, value_name = "FILE")]
    pub(super) input: Option<PathBuf>,
    /// Run this command by `sh -c` before every run, untimed, such as to clean up or empty caches.
    #[arg(long, value_name = "COMMAND")]
    pub(super) prepare: Option<OsString>,
    /// Also measure programs that end with an exit code other than 0.
    #[arg(long)]
    pub(super) ignore_failure: bool,
}

#[derive(Debug, PartialEq)]
pub(super) struct WholeProgram {
    words: Vec<OsString>,
    surroundings: Surroundings,
}

impl WholeProgram {
    pub(super) fn new(words: &[OsString], surroundings: &Surroundings) -> Self {
        Self { words: words.to_vec(), surroundings: surroundings.clone() }
    }

    /// Returns the command as people would type it, without possible secrets: it stands in records and reports.
    pub(super) fn shown(&self) -> String {
        let words: Vec<String> =
            self.words.iter().map(|word| word.to_string_lossy().into_owned()).collect();
        without_secrets(&words).iter().map(|word| typed(word)).collect::<Vec<_>>().join(" ")
    }

    /// The name of the benchmark: the file's name without its folder and ending.
    fn name(&self) -> String {
        let stem = Path::new(&self.words[0]).file_stem().map(|stem| stem.to_string_lossy());
        stem.map_or_else(|| "program".to_owned(), |stem| stem.replace("::", "_"))
    }

    /// Returns the variables that a worker reads.
    pub(super) fn variables(&self) -> Vec<(OsString, OsString)> {
        let mut all: Vec<(OsString, OsString)> = vec![
            (WORDS.into(), self.words.len().to_string().into()),
            (NAME.into(), self.name().into()),
        ];
        for (index, text) in self.words.iter().enumerate() {
            all.push((word(index).into(), text.clone()));
        }
        let Surroundings { input, prepare, ignore_failure } = &self.surroundings;
        all.extend(input.iter().map(|input| (INPUT.into(), input.into())));
        all.extend(prepare.iter().map(|prepare| (PREPARE.into(), prepare.clone())));
        all.extend(ignore_failure.then(|| (IGNORE_FAILURE.into(), "1".into())));
        let pools = POOLS.iter().filter_map(|name| Some((kept(name).into(), env::var_os(name)?)));
        all.extend(pools);
        all
    }

    /// The program that this process is to run, if it is to run one.
    fn of_environment() -> Option<(String, Self)> {
        let count: usize = env::var(WORDS).ok()?.parse().ok()?;
        let words: Option<Vec<OsString>> = (0..count).map(|at| env::var_os(word(at))).collect();
        let surroundings = Surroundings {
            input: env::var_os(INPUT).map(PathBuf::from),
            prepare: env::var_os(PREPARE),
            ignore_failure: env::var_os(IGNORE_FAILURE).is_some(),
        };
        let words = words.filter(|words| !words.is_empty())?;
        Some((env::var(NAME).ok()?, Self { words, surroundings }))
    }

    /// The command, with the variables that the user would give it.
    fn command(&self) -> Command {
        let mut command = Command::new(&self.words[0]);
        command.args(&self.words[1..]);
        for (name, _) in self.variables() {
            command.env_remove(name);
        }
        if env::var_os(WORDS).is_some() {
            for name in POOLS {
                match env::var_os(kept(name)) {
                    Some(value) => command.env(name, value).env_remove(kept(name)),
                    None => command.env_remove(name),
                };
            }
        }
        command
    }

    fn input(&self) -> Result<Stdio> {
        match &self.surroundings.input {
            Some(file) => Ok(File::open(file).map_err(at("read", file))?.into()),
            None => Ok(Stdio::null()),
        }
    }

    fn preparation(&self) -> Option<Command> {
        let mut shell = Command::new("sh");
        shell.arg("-c").arg(self.surroundings.prepare.as_ref()?);
        Some(shell)
    }

    fn judged(&self, status: ExitStatus, printed: &str) -> Result<()> {
        if status.success() || self.surroundings.ignore_failure && status.code().is_some() {
            return Ok(());
        }
        let hint = match status.code() {
            Some(_) => "; --ignore-failure measures it all the same",
            None => "",
        };
        Err(Error::Message(format!("{} failed: {status}{printed}{hint}", self.shown())))
    }

    /// Runs it once before anything is measured. If it fails, the error contains its output.
    pub(super) fn try_once(&self) -> Result<()> {
        if let Some(preparation) = self.preparation() {
            prepared(&watched(preparation, Stdio::null())?)?;
        }
        let output = watched(self.command(), self.input()?)?;
        self.judged(output.status, &last_line(&output.stderr))
    }

    /// Runs it this number of times. Returns the sum of the times from each start to its end.
    fn times(&self, calls: u64) -> Result<Duration> {
        let mut total = Duration::ZERO;
        for _ in 0..calls {
            if let Some(mut preparation) = self.preparation() {
                let output = preparation.stdin(Stdio::null()).output();
                prepared(&output.map_err(at("start", Path::new("sh")))?)?;
            }
            let mut command = self.command();
            command.stdin(self.input()?).stdout(Stdio::null()).stderr(Stdio::null());
            let begin = Instant::now();
            let status = command.status().map_err(|error| {
                let program = typed(&self.words[0].to_string_lossy());
                Error::Message(format!("cannot start {program}: {error}"))
            })?;
            total += begin.elapsed();
            self.judged(status, "")?;
        }
        Ok(total)
    }
}

fn prepared(output: &Output) -> Result<()> {
    if output.status.success() {
        return Ok(());
    }
    let printed = last_line(&output.stderr);
    Err(Error::Message(format!("--prepare failed: {}{printed}", output.status)))
}

fn last_line(printed: &[u8]) -> String {
    let text = String::from_utf8_lossy(printed);
    let last = text.lines().rev().find(|line| !line.trim().is_empty());
    last.map_or_else(String::new, |line| format!("; it last printed: {}", sentence(line)))
}

/// Registers the program of the environment, if there is one, as a benchmark that may use the whole machine.
pub(crate) fn program(registry: &Registry) {
    let Some((name, program)) = WholeProgram::of_environment() else { return };
    let options = Options { whole_machine: true, ..Options::default() };
    registry.bench_with(&name, options, |bencher| {
        // A kernel fails by a panic, which the worker turns into a failure with its cause.
        bencher
            .bench_custom(|calls| program.times(calls).unwrap_or_else(|error| panic!("{error}")));
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(words: &[&str]) -> WholeProgram {
        let words: Vec<OsString> = words.iter().map(OsString::from).collect();
        let surroundings = Surroundings { input: None, prepare: None, ignore_failure: false };
        WholeProgram::new(&words, &surroundings)
    }

    #[test]
    fn commands_are_shown_as_they_are_typed() {
        assert_eq!(
            whole(&["./sort", "-n", "a b", "it's", ""]).shown(),
            "./sort -n 'a b' 'it'\\''s' ''"
        );
        assert_eq!(whole(&["send", "--token", "abc", "KEY=1"]).shown(), "send --token … KEY=1");
        assert_eq!(whole(&["/usr/bin/sort.sh"]).name(), "sort");
        assert_eq!(whole(&["a::b"]).name(), "a_b");
    }

    #[cfg(unix)]
    #[test]
    fn failures_say_what_failed_and_what_was_printed() {
        let fails = whole(&["sh", "-c", "echo no disk >&2; exit 7"]);
        let said = fails.try_once().unwrap_err().to_string();
        assert!(said.contains("exit status: 7") && said.contains("no disk"), "{said}");
        let ignored = Surroundings { ignore_failure: true, ..fails.surroundings.clone() };
        WholeProgram::new(&fails.words, &ignored).try_once().unwrap();
        let killed = WholeProgram::new(&whole(&["sh", "-c", "kill -9 $$"]).words, &ignored);
        assert!(killed.try_once().unwrap_err().to_string().contains("signal: 9"));
        let said = whole(&["./there/is/no/such/program"]).try_once().unwrap_err().to_string();
        assert!(said.contains("./there/is/no/such/program`: No such file"), "{said}");
    }

    #[cfg(unix)]
    #[test]
    fn input_and_preparation_come_before_every_run() {
        let folder = tempfile::tempdir().unwrap();
        let (input, count) = (folder.path().join("input"), folder.path().join("count"));
        std::fs::write(&input, "expected\n").unwrap();
        let surroundings = Surroundings {
            input: Some(input),
            prepare: Some(format!("echo x >> '{}'", count.display()).into()),
            ignore_failure: false,
        };
        let words = ["sh", "-c", "read line; test \"$line\" = expected"].map(OsString::from);
        WholeProgram::new(&words, &surroundings).times(3).unwrap();
        assert_eq!(std::fs::read_to_string(count).unwrap(), "x\nx\nx\n");
        let missing = Surroundings { input: Some("no/such".into()), ..surroundings };
        assert!(WholeProgram::new(&words, &missing).times(1).is_err());
    }
}
