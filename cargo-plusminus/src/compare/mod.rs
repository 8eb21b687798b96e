//! `cargo plusminus compare`: gets two versions of the benchmarks built, has them measured against each other, and
//! answers in a way that can gate a build.

mod accepted;
mod affected;
mod answer;
mod arguments;
mod beside;
mod build;
mod code;
mod command;
mod copy;
mod exit_code;
mod folders;
mod generated;
mod git;
mod harness;
mod inputs;
mod join;
mod kinds_of_files;
mod lacking;
mod lend;
mod lockfile;
mod looking;
mod matching;
mod messages;
mod options;
mod other_benches;
mod outside;
mod place;
mod programs;
mod range;
mod relinking;
mod runner;
mod second_opinion;
mod sides;
mod slot;
mod subjects;
mod submodules;
mod surroundings;
mod targets;
mod texts;
mod toolchain;
mod unmeasured;
mod vendored;
mod why;
mod work;

use std::{
    fs,
    path::Path,
    time::{Duration, Instant},
};

use affected::Narrowed;
use answer::{again, only_built, reported};
pub(crate) use arguments::{Arguments, Build, Format, alpha, margin};
pub(crate) use command::{GuardArguments, stand_guard, watched};
pub(crate) use folders::{Folders, remove};
pub(crate) use git::{Dated, dated};
pub(crate) use looking::{Looked, look};
pub(crate) use messages::{Message, parse as messages};
use plusminus::{
    engine::{self, Machine, RealMachine, Subject},
    exit,
    output::{complain, try_file},
    record::{self, ComparedCase, ComparisonRecord},
    text::{shell, visible},
};
pub(crate) use range::Range;

use crate::{
    error::{Error, Result, at, error, harmless},
    progress::Progress,
    report::{self, BISECT_SKIP, Codes, Comparison, Identity, Names},
};
use exit_code::exit_code;
use sides::Prepared;
use subjects::{Selection, subjects, why_nothing};
use unmeasured::{empty_record, unmeasured};

/// Changes up to here are ignored by default.
pub(crate) const MARGIN: f64 = 0.02;

pub(crate) fn run(arguments: &Arguments) -> Result<i32> {
    let done = compare(arguments);
    if !arguments.output.bisect {
        return done;
    }
    match done {
        Ok(code @ (exit::FINE | exit::REGRESSION)) => Ok(code),
        // Git ends the bisection.
        Ok(code) if code >= exit::INTERRUPTED => Ok(code),
        Ok(_) => Ok(BISECT_SKIP),
        Err(Error::Interrupted(signal)) => Err(Error::Interrupted(signal)),
        Err(Error::Message(message)) => {
            complain(&format!("plusminus: {}\n", harmless(&message)));
            Ok(BISECT_SKIP)
        }
    }
}

fn compare(arguments: &Arguments) -> Result<i32> {
    let begin = Instant::now();
    // Who has measured for an hour does not want to hear then that a file cannot be written.
    let output = &arguments.output;
    for file in output.json.iter().chain(&output.comment).chain(&output.record) {
        try_file(file).map_err(at("write", file))?;
    }
    if !arguments.join.is_empty() {
        return join::run(&arguments.join, arguments.measure.alpha, output);
    }
    if let Some(path) = &arguments.from {
        return again(path, arguments);
    }
    let mut progress = Progress::new(output.quiet);
    let mut prepared = match prepare(arguments, &mut progress)? {
        Start::Prepared(prepared) => prepared,
        Start::Unaffected(both) => return unaffected(&both, arguments),
    };
    if arguments.no_run {
        return only_built(&prepared, output);
    }
    let machine = RealMachine::new();
    let mut names = Names::default();
    let selection = Selection::of(arguments);
    let (mut subjects, failed) = subjects(&machine, &prepared, &selection, &mut names)?;
    let nothing_in_common = subjects.iter().all(|subject| subject.common.is_empty());
    if nothing_in_common && names.is_empty() {
        return error(why_nothing(&failed));
    }
    // Such a commit is neither good nor bad.
    if nothing_in_common && output.bisect {
        return error("the versions have no benchmark in common");
    }
    check_gate(arguments, &subjects)?;
    let record = unmeasured(&prepared, names, arguments);
    let all = subjects.clone();
    let codes = code::look(&mut subjects, &prepared, arguments.measure.measure)?;
    let measuring = Measuring { machine: &machine, arguments, codes, all, failed };
    let (mut record, codes) = measuring.run(record, &prepared, &mut subjects, &mut progress)?;
    progress.end();
    for case in record.cases.iter_mut().chain(&mut record.control) {
        let file = case.file.as_ref().map(|file| prepared.workspace.join(file));
        case.file = file.map(|file| file.display().to_string());
    }
    if arguments.binaries.is_none() {
        let explaining: f64 = record.explanations.iter().map(|one| one.seconds).sum();
        record.preparing_seconds = besides_measuring(begin.elapsed(), record.seconds + explaining);
    }
    let kept = keep(&record, arguments);
    let full = prepared.full.take();
    let programs = std::mem::take(&mut prepared.programs);
    let code = reported(&record, programs, codes, full.as_deref(), arguments)?;
    kept.map(|()| code)
}

/// Both versions, or that nothing that they have is affected.
enum Start {
    Prepared(Box<Prepared>),
    Unaffected([Identity; 2]),
}

/// Gets both versions, by building them where they are no files.
fn prepare(arguments: &Arguments, progress: &mut Progress) -> Result<Start> {
    if let Some(binaries) = &arguments.binaries {
        return sides::of_binaries(binaries).map(Box::new).map(Start::Prepared);
    }
    let mut build = arguments.build.clone();
    build.with_types = arguments.why.is_some();
    let versions = arguments.versions.as_deref().unwrap_or("HEAD");
    let range = Range::parse(versions, arguments.merge_base)?;
    if build.affected {
        match affected::narrowed(&range, &build)? {
            Narrowed::To(narrowed) => build = narrowed,
            Narrowed::ToNothing(both) => return Ok(Start::Unaffected(both)),
        }
    }
    sides::of_versions(&range, &build, progress).map(Box::new).map(Start::Prepared)
}

/// Rejects a gate on a measure that nothing has.
fn check_gate(arguments: &Arguments, subjects: &[Subject]) -> Result<()> {
    let common = subjects.iter().flat_map(|subject| &subject.common);
    let metrics = common.flat_map(|common| &common.new.metrics).map(|one| one.name.as_str());
    let Some(name) = arguments.output.gate.unknown(metrics) else { return Ok(()) };
    error(format!(
        "`--gate` has `{}`, which is no measure, nor a metric of a benchmark\n`cargo plusminus compare --help` lists the \
         measures",
        visible(name)
    ))
}

struct Measuring<'a> {
    machine: &'a RealMachine,
    arguments: &'a Arguments,
    codes: Codes,
    /// All benchmarks, also those of identical code.
    all: Vec<Subject>,
    /// Bench targets of which nothing can be measured.
    failed: Vec<ComparedCase>,
}

impl Measuring<'_> {
    /// Measures the benchmarks whose code differs, checks some of the others, and explains what is wanted.
    fn run(
        mut self,
        mut record: ComparisonRecord,
        prepared: &Prepared,
        subjects: &mut [Subject],
        progress: &mut Progress,
    ) -> Result<(ComparisonRecord, Codes)> {
        if !self.codes.all_measured {
            record.identical_code = self.codes.identical().map(|case| case.name.clone()).collect();
        }
        if subjects.iter().any(|subject| !subject.common.is_empty()) {
            if let Some(path) = &prepared.lacks {
                return error(different_inputs(path));
            }
            let layout = self.arguments.build.layout;
            let single = relinking::begin(subjects, prepared, layout, record.settings.seed)?;
            if let Some(built) = &mut record.built {
                built.one_layout = single;
            }
            record = self.decided(record, subjects, progress);
            if self.arguments.measure.instructions && record.interrupted.is_none() {
                count_instructions(self.machine, subjects, &mut record);
            }
            for (all, subject) in self.all.iter_mut().zip(&*subjects) {
                all.layouts.clone_from(&subject.layouts);
            }
            let check = second_opinion::Check::of(&self.all, &record, &self.codes);
            check.run(self.machine, &mut record, progress);
            if let (Some(asked), None) = (&self.arguments.why, record.interrupted) {
                // Links and builds of an explanation end with a signal: what was measured is not lost.
                if self.arguments.output.record.as_deref().is_some_and(is_replaced) {
                    let mut measured = record.clone();
                    self.complete(&mut measured);
                    keep(&measured, self.arguments)?;
                }
                let explaining = why::Explaining {
                    machine: self.machine,
                    prepared,
                    subjects: &self.all,
                    record: &record,
                    asked,
                    begin: Instant::now(),
                    limit: self.arguments.measure.max_time,
                };
                record.explanations = explaining.run(progress);
                record.interrupted = record.explanations.iter().find_map(why::interrupted);
            }
        }
        self.complete(&mut record);
        Ok((record, self.codes))
    }

    /// Adds everything that is known without measuring.
    fn complete(&self, record: &mut ComparisonRecord) {
        record.cases.extend(self.failed.iter().cloned());
        self.codes.note(record);
        let has_failed = record.cases.iter().any(|case| !case.failures.is_empty());
        if let Some(built) = record.built.as_mut().filter(|_| !has_failed) {
            built.ignored.clear();
        }
    }

    /// Measures until all is decided or the time is over, and again if the machine was too noisy and that is wanted.
    fn decided(
        &self,
        mut record: ComparisonRecord,
        subjects: &[Subject],
        progress: &mut Progress,
    ) -> ComparisonRecord {
        let limit = record.settings.max_seconds;
        record.settings.max_seconds = second_opinion::seconds_before(limit, &self.codes);
        let output = &self.arguments.output;
        let is_noisy = |record: &ComparisonRecord| {
            let comparison = Comparison { gate: output.gate.clone(), ..report::of_record(record) };
            exit_code(&comparison, &self.codes, output.fail_on) == exit::UNRELIABLE
        };
        let measure = |record| {
            let done = engine::compare_until_decided(self.machine, subjects, record, progress);
            progress.end();
            done
        };
        let mut record = until_quiet(self.arguments.measure.retry_noisy, record, measure, is_noisy);
        record.settings.max_seconds = limit;
        record
    }
}

/// Whether a later record replaces an earlier one at a path: a stream such as /dev/stdout would have both.
fn is_replaced(path: &Path) -> bool {
    fs::symlink_metadata(path).map_or(true, |found| found.is_file())
}

fn keep(record: &ComparisonRecord, arguments: &Arguments) -> Result<()> {
    let Some(file) = &arguments.output.record else { return Ok(()) };
    Ok(record::write_comparison(record, file)?)
}

/// Has valgrind count the instructions of what was measured, and prints why some have no count.
fn count_instructions(machine: &dyn Machine, subjects: &[Subject], record: &mut ComparisonRecord) {
    match engine::count_compared_instructions(machine, subjects, record) {
        Ok(reasons) => {
            for reason in reasons {
                complain(&format!("plusminus: no instructions: {reason}\n"));
            }
        }
        Err(signal) => record.interrupted = Some(signal),
    }
}

/// Explains that no verdict is possible on benchmarks that read a path which base lacks.
fn different_inputs(path: &Path) -> String {
    let path = visible(&path.to_string_lossy());
    format!(
        "base has no `{path}`, which git ignores and a bench program mentions: both versions would do different work.\n\
         Give both your files: `--share {}`",
        shell(&path)
    )
}

/// The seconds since the start that were not spent on measuring, so that both together are what the user waited.
fn besides_measuring(since_start: Duration, measuring_seconds: f64) -> f64 {
    (since_start.as_secs_f64() - measuring_seconds).max(0.0)
}

/// Measures what a record asks for, and again with another seed while that is too noisy and tries are left.
fn until_quiet(
    tries: u32,
    mut unmeasured: ComparisonRecord,
    mut measure: impl FnMut(ComparisonRecord) -> ComparisonRecord,
    is_noisy: impl Fn(&ComparisonRecord) -> bool,
) -> ComparisonRecord {
    for _ in 0..tries {
        let record = measure(unmeasured.clone());
        if record.interrupted.is_some() || !is_noisy(&record) {
            return record;
        }
        complain("plusminus: the machine was too noisy, so everything is measured again\n");
        unmeasured.settings.seed = unmeasured.settings.seed.wrapping_add(1);
    }
    measure(unmeasured)
}

/// Reports that no benchmark is affected, as a comparison of none.
fn unaffected(both: &[Identity; 2], arguments: &Arguments) -> Result<i32> {
    complain("plusminus: the change affects no package with benchmarks, so nothing was built\n");
    let record = empty_record([&both[0], &both[1]], arguments);
    keep(&record, arguments)?;
    reported(&record, Vec::new(), Codes::default(), None, arguments)
}

#[cfg(test)]
mod tests {
    use plusminus::record::{ComparisonSettings, Manifest, SideRecord};

    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_stream_gets_one_record_only() {
        assert!(is_replaced(&Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml")));
        assert!(is_replaced(Path::new("no file of this name")));
        assert!(!is_replaced(Path::new("/dev/null")) && !is_replaced(Path::new("/dev/stdout")));
    }

    #[test]
    fn both_times_of_the_last_line_are_what_the_user_waited() {
        assert_eq!(besides_measuring(Duration::from_secs(42), 30.0), 12.0);
        assert_eq!(besides_measuring(Duration::from_secs(1), 1.5), 0.0);
    }

    fn record() -> ComparisonRecord {
        let side = || SideRecord { name: String::new(), manifest: Manifest::of_machine() };
        ComparisonRecord::new(ComparisonSettings::of_blocks(None), side(), side())
    }

    #[test]
    fn a_noisy_machine_is_tried_again_with_another_seed() {
        for (tries, noisy, expected) in [(0, 9, 1), (2, 1, 2), (2, 9, 3)] {
            let mut seeds = Vec::new();
            let first = record();
            let measure = |record: ComparisonRecord| {
                seeds.push(record.settings.seed);
                ComparisonRecord { seconds: seeds.len() as f64, ..record }
            };
            let done = until_quiet(tries, first, measure, |record| record.seconds <= noisy as f64);
            assert_eq!((seeds.len(), done.seconds), (expected, expected as f64));
            assert!(seeds.windows(2).all(|pair| pair[1] == pair[0] + 1), "{seeds:?}");
        }
        let stop = |record| ComparisonRecord { interrupted: Some(2), ..record };
        assert_eq!(until_quiet(3, record(), stop, |_| true).interrupted, Some(2));
    }
}
