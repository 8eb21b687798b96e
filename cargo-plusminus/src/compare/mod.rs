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
mod lacking;
mod lend;
mod lockfile;
mod looking;
mod matching;
mod messages;
mod outside;
mod place;
mod programs;
mod relinking;
mod runner;
mod second_opinion;
mod sides;
mod slot;
mod submodules;
mod surroundings;
mod targets;
mod toolchain;
mod why;
mod work;

use std::{
    path::Path,
    time::{Duration, Instant},
};

use affected::Narrowed;
use answer::{again, only_built, reported};
use arguments::Measure;
pub(crate) use arguments::{Arguments, Build, Format, alpha, margin};
pub(crate) use command::{GuardArguments, stand_guard, watched};
pub(crate) use folders::Folders;
pub(crate) use git::{Range, describe_commit};
pub(crate) use looking::{Looked, look};
use plusminus::{
    engine::{
        self, CaseDescription, CommonCase, Machine, Program, RealMachine, Subject, WorkerError,
    },
    exit,
    output::{complain, try_file},
    record::{self, ComparedTarget, ComparisonRecord, ComparisonSettings, Manifest, SideRecord},
    text::{Pattern, quantity::fresh_seed, shell, visible},
};

use crate::{
    error::{Error, Result, at, error, harmless},
    progress::Progress,
    report::{self, Codes, Comparison, Identity, Names},
};
use exit_code::exit_code;
use matching::{Matching, match_cases};
use programs::{Programs, Target};
use sides::Prepared;

/// Changes up to here are ignored by default.
const MARGIN: f64 = 0.02;

/// The exit code by which `git bisect run` skips a commit.
const BISECT_SKIP: i32 = 125;

/// Runs the subcommand and answers the exit code.
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
    let mut progress = Progress::new(arguments.output.quiet);
    let mut build = arguments.build.clone();
    build.with_types = arguments.why.is_some();
    let mut prepared = match &arguments.binaries {
        Some(binaries) => sides::of_binaries(binaries)?,
        None => {
            let range = arguments.range()?;
            let build = match build.affected {
                true => affected::narrowed(&range, &build)?,
                false => Narrowed::To(build),
            };
            match build {
                Narrowed::To(build) => sides::of_versions(&range, &build, &mut progress)?,
                Narrowed::ToNothing(both) => return unaffected(&both, arguments),
            }
        }
    };
    if arguments.no_run {
        return only_built(&prepared, &arguments.output);
    }
    let machine = RealMachine::new();
    let mut names = Names::default();
    let selection = Selection::of(arguments);
    let mut subjects = subjects(&machine, &prepared, &selection, &mut names)?;
    if subjects.iter().all(|subject| subject.common.is_empty()) && names.is_empty() {
        return error("no benchmark matches the filters");
    }
    let common = subjects.iter().flat_map(|subject| &subject.common);
    let metrics = common.flat_map(|common| &common.new.metrics).map(|one| one.name.as_str());
    if let Some(name) = arguments.output.gate.unknown(metrics) {
        return error(format!(
            "`--gate` has `{}`, which is no measure, nor a metric of a benchmark
`cargo plusminus compare --help` lists \
             the measures",
            visible(name)
        ));
    }
    let mut record = ComparisonRecord {
        targets: targets(&prepared),
        added: names.added,
        removed: names.removed,
        renamed: names.renamed,
        identical_code: names.identical_code,
        accepted: prepared.accepted.clone(),
        ..empty_record([&prepared.base, &prepared.new], &arguments.measure)
    };
    record.settings.least_samples = arguments.output.gate.least_samples();
    record.settings.least_blocks = arguments.output.gate.least_blocks();
    let seed = record.settings.seed;
    let all = subjects.clone();
    let mut codes = code::look(&mut subjects, &prepared, arguments.measure.measure)?;
    if !codes.all_measured {
        record.identical_code = codes.identical().map(|case| case.name.clone()).collect();
    }
    if subjects.iter().any(|subject| !subject.common.is_empty()) {
        if let Some(path) = &prepared.lacks {
            return error(different_inputs(path));
        }
        relinking::begin(&mut subjects, &mut prepared, arguments.build.layout, seed)?;
        let limit = record.settings.max_seconds;
        record.settings.max_seconds = second_opinion::seconds_before(limit, &codes);
        let fail_on = arguments.output.fail_on;
        record = until_quiet(
            arguments.measure.retry_noisy,
            record,
            |record| {
                let done =
                    engine::compare_until_decided(&machine, &subjects, record, &mut progress);
                progress.end();
                done
            },
            |record| {
                let gate = arguments.output.gate.clone();
                let comparison = Comparison { gate, ..report::of_record(record) };
                exit_code(&comparison, &codes, fail_on) == exit::UNRELIABLE
            },
        );
        record.settings.max_seconds = limit;
        if arguments.measure.instructions && record.interrupted.is_none() {
            count_instructions(&machine, &subjects, &mut record);
        }
        let layouts = subjects.iter().map(|subject| subject.layouts.clone());
        let all = all.into_iter().zip(layouts);
        let all: Vec<Subject> =
            all.map(|(subject, layouts)| Subject { layouts, ..subject }).collect();
        let check = second_opinion::Check::of(&all, &record, &codes);
        codes.checked = check.run(&machine, &mut record, &mut progress);
        if let (Some(asked), None) = (&arguments.why, record.interrupted) {
            let (prepared, subjects) = (&prepared, &*all);
            let machine = &machine;
            let explaining =
                why::Explaining { machine, prepared, subjects, record: &record, asked };
            record.explanations = explaining.run(&mut progress);
            record.interrupted = record.explanations.iter().find_map(why::interrupted);
        }
    }
    codes.note(&mut record);
    progress.end();
    if arguments.binaries.is_none() {
        let explaining: f64 = record.explanations.iter().map(|one| one.seconds).sum();
        record.preparing_seconds = besides_measuring(begin.elapsed(), record.seconds + explaining);
    }
    if let Some(file) = &output.record {
        record::write_comparison(&record, file)
            .map_err(|error| Error::Message(error.to_string()))?;
    }
    let full = prepared.full.take();
    reported(&record, prepared.built, codes, full.as_deref(), arguments)
}

/// Has valgrind count the instructions of what was measured, and prints why some have no count.
fn count_instructions(machine: &dyn Machine, subjects: &[Subject], record: &mut ComparisonRecord) {
    match engine::count_compared_instructions(machine, subjects, record) {
        Ok(reasons) => {
            let said =
                |reason: &String| complain(&format!("plusminus: no instructions: {reason}\n"));
            reasons.iter().for_each(said);
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
    let record = empty_record([&both[0], &both[1]], &arguments.measure);
    if let Some(file) = &arguments.output.record {
        record::write_comparison(&record, file)
            .map_err(|error| Error::Message(error.to_string()))?;
    }
    reported(&record, report::Built::default(), Codes::default(), None, arguments)
}

/// The record of a comparison in which nothing is measured yet.
fn empty_record(sides: [&Identity; 2], measure: &Measure) -> ComparisonRecord {
    let settings = ComparisonSettings {
        seed: measure.seed.unwrap_or_else(fresh_seed),
        margin: measure.margin.unwrap_or(MARGIN),
        alpha: measure.alpha,
        max_seconds: Some(measure.max_time.as_secs_f64()),
        ..ComparisonSettings::of_blocks(measure.max_blocks)
    };
    let side = |identity: &Identity| SideRecord {
        name: identity.name.clone(),
        manifest: Manifest {
            commit: identity.commit.clone(),
            subject: identity.subject.clone(),
            dirty: Some(identity.dirty),
            ..Manifest::of_machine()
        },
    };
    let [base, new] = sides.map(side);
    ComparisonRecord::new(settings, base, new)
}

/// The bench targets that a record names.
fn targets(prepared: &Prepared) -> Vec<ComparedTarget> {
    let several = prepared.targets.len() > 1;
    let named = |target: &Target| {
        let (package, bench) = target.key.clone()?;
        let prefix = if several { target.name.clone() } else { String::new() };
        Some(ComparedTarget { prefix, package, bench })
    };
    prepared.targets.iter().filter_map(named).collect()
}

/// The benchmarks that the command line selects.
#[derive(Default)]
struct Selection {
    filters: Vec<Pattern>,
    exact: bool,
    include_ignored: bool,
    /// The margin for all of them, instead of their own.
    margin: Option<f64>,
}

impl Selection {
    fn of(arguments: &Arguments) -> Self {
        Self {
            filters: arguments.filters().map(|filter| Pattern::new(filter)).collect(),
            exact: arguments.exact,
            include_ignored: arguments.include_ignored,
            margin: arguments.measure.margin,
        }
    }

    fn has(&self, case: &CaseDescription) -> bool {
        let matches = |filter: &Pattern| match self.exact {
            true => filter.equals(&case.krate, &case.name),
            false => filter.selects(&case.krate, &case.name),
        };
        (self.include_ignored || case.ignore.is_none())
            && (self.filters.is_empty() || self.filters.iter().any(matches))
    }
}

/// The bench targets that both sides have, with the benchmarks that both have of them.
fn subjects(
    machine: &dyn Machine,
    prepared: &Prepared,
    selection: &Selection,
    names: &mut Names,
) -> Result<Vec<Subject>> {
    let several = prepared.targets.len() > 1;
    let mut subjects = Vec::new();
    for target in &prepared.targets {
        let prefix = if several { target.name.clone() } else { String::new() };
        let listed = |program| listed(machine, &target.name, program, selection);
        let (of_base, of_new) = match &target.programs {
            Programs::Both(both) => (listed(&both.versions.base)?, listed(&both.versions.new)?),
            Programs::Base(base) => (listed(base)?, Vec::new()),
            Programs::New(new) => (Vec::new(), listed(new)?),
        };
        let matching = match_cases(of_base, of_new);
        note_names(&matching, &prefix, names);
        if let Programs::Both(both) = &target.programs {
            let common = |(base, new): (CaseDescription, CaseDescription)| {
                let own = new.margin.map(|percent| percent / 100.0).filter(|margin| *margin > 0.0);
                let margin = selection.margin.or(own).unwrap_or(MARGIN);
                CommonCase { base, new, margin, later: false }
            };
            subjects.push(Subject {
                name: prefix,
                versions: both.versions.clone(),
                layouts: None,
                common: matching.common.into_iter().map(common).collect(),
            });
        }
    }
    Ok(subjects)
}

/// The selected benchmarks of one side of a target.
fn listed(
    machine: &dyn Machine,
    target: &str,
    program: &Program,
    selection: &Selection,
) -> Result<Vec<CaseDescription>> {
    let cases = engine::list(machine, program).map_err(|error| match error {
        WorkerError::Interrupted(signal) => Error::Interrupted(signal),
        error => {
            let binary = program.binary.display().to_string();
            // Two programs without a repository have no targets.
            let name = if target.is_empty() { &*binary } else { target };
            let is_built = !target.is_empty();
            let cure = match is_built && error.to_string().contains("speaks protocol") {
                true => "\nBuild base with the versions of head: `--lock head`. If it does not compile with them, merge the change \
                         without the gate.",
                false => "",
            };
            Error::Message(format!("{name} cannot list its benchmarks: {error}{cure}"))
        }
    })?;
    Ok(cases.into_iter().filter(|case| selection.has(case)).collect())
}

fn note_names(matching: &Matching, prefix: &str, names: &mut Names) {
    let full = |name: &String| match prefix {
        "" => name.clone(),
        prefix => format!("{prefix}: {name}"),
    };
    names.added.extend(matching.added.iter().map(full));
    names.removed.extend(matching.removed.iter().map(full));
    names.renamed.extend(matching.renamed.iter().map(|(from, to)| (full(from), full(to))));
}

#[cfg(test)]
mod tests {
    use super::*;

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
