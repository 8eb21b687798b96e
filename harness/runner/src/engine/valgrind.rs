//! Instructions of a call, counted under valgrind: a second opinion that no busy machine disturbs. They are not time.

use std::{
    ffi::OsString,
    fs, io,
    process::{Command, Stdio},
    time::Duration,
};

use super::{
    asking::{About, Stop, ask},
    comparison::{CommonCase, Subject, Versions},
    configuration::timeout_of,
    machine::{Machine, Program, Start, WorkerError},
    relinked::Temporary,
    run::Setting,
};
use crate::record::{BlockRecord, CaseRecord, ComparedCase, ComparisonRecord, Counter, Record};
use plusminus_worker::protocol::{Answer, CaseDescription, Load, Request, Sampling};

/// The name of the count in records and reports.
const NAME: &str = "instructions under valgrind";

/// The most calls that are counted together: nothing varies from which more would have to be averaged.
const MOST_CALLS: u64 = 10_000;

/// How much longer than a kernel's usual time its calls may take: valgrind interprets every instruction.
const SLOWDOWN: u32 = 200;

/// How long valgrind may take to write its counts.
const TO_WRITE: Duration = Duration::from_secs(30);

/// Functions of the worker between whose begin and end valgrind counts: the first is around every window, and the others
/// are its edges, which turn counting off inside of it.
const TOGGLES: [&str; 3] = [
    "*plusminus_counted_window*",
    "*plusminus*worker*Reading*open*",
    "*plusminus*worker*Reading*close*",
];

enum Missing {
    Because(String),
    /// The user wants to stop.
    Interrupted(i32),
}

impl From<Stop> for Missing {
    fn from(stop: Stop) -> Self {
        match stop {
            Stop::Interrupted(signal) => Self::Interrupted(signal),
            Stop::Failed(error) => Self::Because(format!("under valgrind it {}", error.cause)),
        }
    }
}

/// Counts the instructions of each healthy benchmark, and writes them, or why there are none, into the record. The error is
/// the signal by which the user wants to stop.
pub(super) fn count_instructions(
    cases: &[CaseDescription],
    setting: Setting<'_>,
    record: &mut Record,
) -> Result<(), i32> {
    let installed = installed();
    for (index, case) in cases.iter().enumerate() {
        let known = &record.cases[index];
        if known.measurements.is_empty() || !known.failures.is_empty() {
            continue;
        }
        let counted = match &installed {
            Err(reason) => Err(Missing::Because(reason.clone())),
            Ok(()) => {
                let (machine, program) = (setting.machine, setting.program);
                let calls_on = |instance: usize| {
                    let cell = known.measurements.iter().find(|cell| cell.instance == instance);
                    cell.map_or(1, |cell| cell.calls)
                };
                let calls = (0..known.instances.len()).map(calls_on).collect::<Vec<_>>();
                let allowed = setting.configuration.timeout_of(case);
                Under { machine, program, allowed, random_seed: None }.count_case(case, &calls)
            }
        };
        match counted {
            Ok(per_call) => {
                for (instance, per_call) in per_call.into_iter().enumerate() {
                    keep(&mut record.cases[index], instance, Ok(counter(per_call)));
                }
            }
            Err(Missing::Because(reason)) => {
                let sentence = format!("no {NAME}: {reason}");
                keep(&mut record.cases[index], 0, Err(sentence));
            }
            Err(Missing::Interrupted(signal)) => return Err(signal),
        }
    }
    Ok(())
}

fn counter(per_call: f64) -> Counter {
    Counter { name: NAME.to_owned(), per_call, counted_share: 1.0 }
}

/// Writes a count, or why there is none, to the first measurement of an instance.
fn keep(case: &mut CaseRecord, instance: usize, found: Result<Counter, String>) {
    let first = case.measurements.iter_mut().find(|cell| cell.instance == instance);
    let Some(measurement) = first else { return };
    let resources = measurement.resources.get_or_insert_default();
    match found {
        Ok(counter) => resources.counters.push(counter),
        Err(sentence) => resources.absent.push(sentence),
    }
}

fn installed() -> Result<(), String> {
    let mut version = Command::new("valgrind");
    version.arg("--version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    match version.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("`valgrind --version` does not work here: {status}")),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            Err("valgrind is not installed".to_owned())
        }
        Err(error) => Err(format!("valgrind cannot be started: {error}")),
    }
}

/// Counts the instructions of each compared benchmark in its first blocks, each in another layout of both programs. Returns
/// why there are none of some.
pub fn count_compared_instructions(
    machine: &dyn Machine,
    subjects: &[Subject],
    record: &mut ComparisonRecord,
) -> Result<Vec<String>, i32> {
    let mut reasons = Vec::new();
    if let Err(reason) = installed() {
        return Ok(vec![reason]);
    }
    for subject in subjects {
        for round in 0..LAYOUTS {
            let versions = match &subject.layouts {
                Some(layouts) => layouts.of_round(AFTER + round),
                None => Ok(subject.versions.clone()),
            };
            let versions = match versions.map_err(WorkerError::cause) {
                Ok(versions) => versions,
                Err(Ok(cause)) => {
                    reasons.push(cause.to_string());
                    break;
                }
                Err(Err(signal)) => return Err(signal),
            };
            for common in &subject.common {
                let name = subject.name_of(common);
                let found = record.cases.iter_mut().find(|case| case.name == name);
                let Some(case) = found.filter(|case| case.failures.is_empty()) else { continue };
                match count_sides(machine, &versions, common, case, round) {
                    Ok(()) => {}
                    Err(Missing::Because(reason)) => {
                        let said = format!("{name}: {reason}");
                        if !reasons.contains(&said) {
                            reasons.push(said);
                        }
                    }
                    Err(Missing::Interrupted(signal)) => return Err(signal),
                }
            }
        }
    }
    Ok(reasons)
}

/// Layouts in which instructions are counted: as many processes as make a count exact.
const LAYOUTS: u32 = 2;

/// The round of the first of these layouts, which no block has had.
const AFTER: u32 = 1 << 21;

/// Counts the instructions of both sides of a benchmark, and writes them to its block of this number.
fn count_sides(
    machine: &dyn Machine,
    versions: &Versions,
    common: &CommonCase,
    case: &mut ComparedCase,
    block: u32,
) -> Result<(), Missing> {
    let first = |instance: usize| case.blocks.iter().find(|block| block.base.instance == instance);
    let calls = (0..case.instances.len()).map(|one| first(one).map_or(1, |of| of.base.calls));
    let calls = calls.collect::<Vec<_>>();
    let allowed = timeout_of(&common.new);
    let random_seed = Some(u64::from(block) + 1);
    let count = |program: &Program, case: &CaseDescription| {
        Under { machine, program, allowed, random_seed }.count_case(case, &calls)
    };
    let (base, new) = (count(&versions.base, &common.base)?, count(&versions.new, &common.new)?);
    for (instance, counts) in base.into_iter().zip(new).enumerate() {
        let of_instance = |block: &&mut BlockRecord| block.base.instance == instance;
        let Some(block) = case.blocks.iter_mut().filter(of_instance).nth(block as usize) else {
            continue;
        };
        for (side, per_call) in [(&mut block.base, counts.0), (&mut block.new, counts.1)] {
            side.resources.get_or_insert_default().counters.push(counter(per_call));
        }
    }
    Ok(())
}

struct Under<'a> {
    machine: &'a dyn Machine,
    program: &'a Program,
    /// The time-out of its calls without valgrind.
    allowed: Duration,
    /// The seed of its random numbers, if they are to be the same.
    random_seed: Option<u64>,
}

impl Under<'_> {
    /// Instructions of a call on each instance.
    ///
    /// One process calls the kernel the same number of times on every instance. For each instance, a second process does
    /// the same and makes that many calls more there. The difference is the count of these calls: everything else happens
    /// in both.
    fn count_case(&self, case: &CaseDescription, calls: &[u64]) -> Result<Vec<f64>, Missing> {
        if case.processors > 1 || case.threads > 1 {
            let reason = "valgrind runs threads one after the other, and would count how they wait for each other";
            return Err(Missing::Because(reason.to_owned()));
        }
        let calls = calls.iter().map(|calls| (*calls).clamp(1, MOST_CALLS)).collect::<Vec<_>>();
        let once = self.total(case, &calls)?;
        let mut per_call = Vec::new();
        for instance in 0..calls.len() {
            let mut more = calls.clone();
            more[instance] *= 2;
            let twice = self.total(case, &more)?;
            per_call.push(twice.saturating_sub(once) as f64 / calls[instance] as f64);
        }
        if once == 0 {
            let reason = "it does not find the window in this program; `strip` in the profile takes the names away";
            return Err(Missing::Because(reason.to_owned()));
        }
        Ok(per_call)
    }

    /// Counts the instructions in all windows of a worker that makes one call and then `calls` calls on each instance.
    fn total(&self, case: &CaseDescription, calls: &[u64]) -> Result<u64, Missing> {
        let name = format!("plusminus-{}.callgrind", std::process::id());
        let file = Temporary(std::env::temp_dir().join(name));
        let _ = fs::remove_file(&file.0);
        let mut launcher: Vec<OsString> =
            vec!["valgrind".into(), "-q".into(), "--tool=callgrind".into()];
        launcher.extend(TOGGLES.map(|name| format!("--toggle-collect={name}").into()));
        let mut to_file = OsString::from("--callgrind-out-file=");
        // The percent sign has a meaning of its own there.
        to_file.push(file.0.to_string_lossy().replace('%', "%%"));
        launcher.push(to_file);
        // Neither the limit of memory nor another clock: both would be valgrind's.
        let own = self.program;
        // With a launcher, they are about that.
        let is_launched = !own.launcher.is_empty();
        let variables = if is_launched { Vec::new() } else { own.variables.clone() };
        let (folder, show_output) = (own.folder.clone(), own.show_output);
        let program =
            Program { launcher, folder, variables, show_output, ..Program::of(&own.binary) };
        let start = Start { random_seed: self.random_seed, ..Start::of(case) };
        let about = About::default();
        let mut worker = self
            .machine
            .start(&program, start)
            .map_err(|error| about.error(error, String::new()))?;
        let allowed = self.allowed.saturating_mul(SLOWDOWN);
        let mut expect = |request: Request, wanted: fn(&Answer) -> bool| match ask(
            worker.as_mut(),
            &request,
            allowed,
            about,
        )? {
            answer if wanted(&answer) => Ok(()),
            other => Err(about.unexpected(&other)),
        };
        let load = Load::of(&[case]);
        expect(Request::Load(load), |answer| matches!(answer, Answer::Loaded { .. }))?;
        for (instance, &calls) in calls.iter().enumerate() {
            // The single work of a first call, such as filling a cache, is done in both processes.
            for calls in [1, calls] {
                let sampling =
                    Sampling { case: 0, instance, calls, samples: 1, check: false, stay: false };
                expect(Request::Sample(sampling), |answer| {
                    matches!(answer, Answer::Sampled { .. })
                })?;
            }
        }
        expect(Request::Finish, |answer| matches!(answer, Answer::Finished))?;
        worker.let_go(TO_WRITE);
        drop(worker);
        let text = fs::read_to_string(&file.0)
            .map_err(|error| Missing::Because(format!("valgrind has written nothing: {error}")))?;
        total_of(&text)
            .ok_or_else(|| Missing::Because("valgrind's counts are not understood".to_owned()))
    }
}

/// The instructions that a callgrind file sums up: its first event is the only one.
fn total_of(text: &str) -> Option<u64> {
    let line = |key: &str| text.lines().find_map(|line| line.strip_prefix(key));
    (line("events:")?.split_whitespace().next()? == "Ir").then_some(())?;
    line("totals:").or_else(|| line("summary:"))?.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::total_of;

    #[test]
    fn totals_are_read() {
        let file = |end: &str| format!("version: 1\nevents: Ir\nfn=(1) x\n3 17\n\n{end}\n");
        assert_eq!(total_of(&file("totals: 1234")), Some(1234));
        assert_eq!(total_of(&file("summary: 12")), Some(12));
        assert_eq!(total_of(&file("totals: many")), None);
        assert_eq!(total_of(&file("")), None);
        assert_eq!(total_of("events: Dr\ntotals: 3\n"), None, "another event");
    }
}
