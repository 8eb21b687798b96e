//! `cargo bench`: measures, keeps the record, prints the report.

use std::{
    collections::BTreeSet,
    env,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use super::{
    Target,
    arguments::{Arguments, Format},
    baseline::{self, Prepared},
    measuring::Measuring,
    page,
    progress::{Progress, Terminal},
};
use crate::{
    baselines,
    engine::{self, InProcess, Silent, Watcher},
    output::{Disk, System, complain, print, view},
    record::{self, CaseRecord, Home, Record, StoreError},
    report,
    results::BaselineComparison,
    text::{View, number::duration, sentence, visible},
};
use plusminus_worker::{
    exit, processor_request,
    protocol::{CaseDescription, Role},
    sys,
};

/// Measures cases and reports. Returns the exit code.
pub(super) fn bench(
    target: &Target<'_>,
    selected: Vec<CaseDescription>,
    arguments: &Arguments,
    here: Option<InProcess>,
) -> Result<i32, String> {
    if arguments.format == Format::Json {
        print(&report::json_started(selected.len()))?;
    }
    if selected.is_empty() {
        return Ok(exit::FINE);
    }
    if arguments.page && arguments.load.is_none() && arguments.profile_time.is_none() {
        page::check()?;
    }
    let mut measuring = Measuring::new(target, arguments, here)?;
    if let Some(time) = arguments.profile_time {
        return profile(&selected, &measuring, time);
    }
    if arguments.tallies && !selected.iter().any(|case| case.has_tally) {
        return Err(
            "none of these benchmarks can count what it does: a variant of a problem names a function for that, with \
             `tally = path` in its `#[bench]`"
                .to_owned(),
        );
    }
    let home = Home::of(&target.binary, target.package);
    if arguments.in_process {
        return look(target, &selected, &measuring, &home, arguments);
    }
    if arguments.until_decided && !selected.iter().any(|case| case.role == Role::Baseline) {
        return Err(
            "none of these benchmarks is a `baseline` to compare others with, so nothing can be decided; leave \
             `--until decided` out"
                .to_owned(),
        );
    }
    tell_oversubscribed(&selected);
    let filtered_out = target.cases.len() - selected.len();
    let prepared = Prepared::new(&home, target, arguments)?;
    measuring.configuration.max_time = prepared.time(arguments.max_time);
    let begin = Instant::now();
    let (record, path) = match &arguments.load {
        Some(name) => (load(&home, name, &selected)?, Ok(None)),
        None => {
            let (record, path) = measure(&selected, &measuring, &home, arguments);
            (record, path.map(Some))
        }
    };
    let left = arguments.max_time.map(|time| time.saturating_sub(begin.elapsed()));
    let baseline = prepared.compare(&record, &selected, &measuring, arguments, left);
    // First what is kept, then what is printed, which may have no reader any more.
    let saved = prepared.save(&record, &home, arguments);
    let written = path.as_ref().ok().and_then(Option::as_deref);
    if let (Some(comparison), Some(path)) = (&baseline, written) {
        baseline::write_comparison(comparison, path);
    }
    show(&record, written, filtered_out, baseline.as_ref(), arguments)?;
    let paged = match written {
        Some(path) if arguments.page => make_page(path, arguments)?,
        _ => true,
    };
    if arguments.until_decided && arguments.load.is_none() {
        tell_undecidable(&record);
    }
    if let Err(error) = &path {
        tell(&format!("{error}; the report above is all there is"));
    }
    let is_kept = path.is_ok() && saved && paged;
    Ok(exit_code(&record, arguments.load.is_some(), is_kept, baseline.as_ref()))
}

/// Returns the exit code of a measurement: `is_loaded` for one of the past, whose interrupt was that of another process;
/// `is_kept` if everything was written that should be.
pub(super) fn exit_code(
    record: &Record,
    is_loaded: bool,
    is_kept: bool,
    baseline: Option<&BaselineComparison>,
) -> i32 {
    let interrupted = record.interrupted.filter(|_| !is_loaded);
    match interrupted.or(baseline.and_then(BaselineComparison::interrupted)) {
        Some(signal) => exit::INTERRUPTED + signal,
        None if !is_kept || record.cases.iter().any(CaseRecord::has_failed) => exit::FAILED,
        None => baseline.map_or(exit::FINE, BaselineComparison::exit_code),
    }
}

/// Has a page made of the record. Returns whether that went well.
fn make_page(record: &Path, arguments: &Arguments) -> Result<bool, String> {
    match page::make(record) {
        // Other formats are for programs, which find the page next to the record.
        Ok(said) if arguments.format == Format::Pretty => print(&said).map(|()| true),
        Ok(_) => Ok(true),
        Err(message) => {
            tell(&message);
            Ok(false)
        }
    }
}

pub(super) fn tell(sentence: &str) {
    complain(&format!("plusminus: {sentence}\n"));
}

/// Measures in this process, for a look at it: the record is shown, and not kept. Returns the exit code.
fn look(
    target: &Target<'_>,
    cases: &[CaseDescription],
    measuring: &Measuring,
    home: &Home,
    arguments: &Arguments,
) -> Result<i32, String> {
    let record = measuring.nothing_yet(cases, measuring.manifest(home));
    let before = record::Before::now();
    let mut record = measuring.measure(cases, record, &mut Silent);
    before.until_now(&mut record.manifest);
    // The kernels ran in the parent, whose time passes for that of others.
    record.manifest.others_seconds = None;
    show(&record, None, target.cases.len() - cases.len(), None, arguments)?;
    let failed = record.cases.iter().any(CaseRecord::has_failed);
    Ok(if failed { exit::FAILED } else { exit::FINE })
}

fn profile(
    cases: &[CaseDescription],
    measuring: &Measuring,
    time: Duration,
) -> Result<i32, String> {
    if !measuring.configuration.settings.in_process {
        sys::catch_interrupts();
    }
    let mut failed = false;
    let system = (measuring.machine.as_ref(), &measuring.program);
    for case in cases {
        match engine::profile(case, system, &measuring.configuration, time) {
            Ok(done) => print(&format!(
                "profiled {}: {} calls in {}\n",
                visible(&case.name),
                done.calls,
                duration(done.time.as_secs_f64())
            ))?,
            Err(message) => {
                failed = true;
                tell(&format!("{}: {}", visible(&case.name), sentence(&message)));
            }
        }
        if let Some(signal) = sys::interrupt() {
            return Ok(exit::INTERRUPTED + signal);
        }
    }
    Ok(if failed { exit::FAILED } else { exit::FINE })
}

fn measure(
    cases: &[CaseDescription],
    measuring: &Measuring,
    home: &Home,
    arguments: &Arguments,
) -> (Record, Result<PathBuf, StoreError>) {
    let mut manifest = measuring.manifest(home);
    let started = &manifest.started;
    let name = format!("{}, process {}, since {started}", home.name(), std::process::id());
    let lock = record::lock(&home.root, &name);
    if let Err(other) = &lock {
        let other = visible(other);
        tell(&format!("another measurement is going on here ({other}): both disturb each other"));
        manifest.other_run = Some(other.clone());
    }
    sys::catch_interrupts();
    let record = measuring.nothing_yet(cases, manifest);
    let clock = || measuring.machine.now();
    let place = (&System as &dyn Disk, &*home.folder());
    let terminal = Terminal { quiet: arguments.quiet, clock: &clock, say: &complain };
    keep(record, place, terminal, |record, progress| {
        let before = record::Before::now();
        let mut record = measuring.measure(cases, record, progress);
        drop(lock);
        before.until_now(&mut record.manifest);
        record
    })
}

/// Measures into a file that is there from the beginning, is written again after runs, and is whole at every moment.
pub(super) fn keep(
    record: Record,
    (disk, folder): (&dyn Disk, &Path),
    terminal: Terminal<'_>,
    measure: impl FnOnce(Record, &mut dyn Watcher) -> Record,
) -> (Record, Result<PathBuf, StoreError>) {
    let (path, created) = record::create(disk, &record, folder);
    let mut progress = Progress::new(terminal, (disk, path.clone()), created.err());
    let record = measure(record, &mut progress);
    progress.end();
    let written = record::write_on(disk, &record, &path);
    (record, written.map(|()| path))
}

fn load(home: &Home, name: &str, selected: &[CaseDescription]) -> Result<Record, String> {
    let mut record = baselines::read(home, name)?.record;
    let names: BTreeSet<&str> = selected.iter().map(|case| case.name.as_str()).collect();
    let wanted = |name: &String| names.contains(name.as_str());
    // The order speaks of all benchmarks; of a part of them it would be wrong.
    if !record.cases.iter().all(|case| wanted(&case.name)) {
        record.order.clear();
        record.cases.retain(|case| wanted(&case.name));
    }
    Ok(record)
}

fn show(
    record: &Record,
    path: Option<&Path>,
    filtered_out: usize,
    baseline: Option<&BaselineComparison>,
    arguments: &Arguments,
) -> Result<(), String> {
    let path = path.map(shown);
    let text = match arguments.format {
        Format::Pretty => {
            let view = View { sort: arguments.sort, ..view(arguments.color, arguments.verbose) };
            report::render(record, baseline, path.as_deref(), &view)
        }
        Format::Lines => report::bencher_lines(record),
        Format::Json => report::json_results(record, filtered_out, path.as_deref(), baseline),
    };
    print(&text)
}

/// Returns a path as people can use it: from the current folder, if it is below that.
fn shown(path: &Path) -> String {
    let here = env::current_dir().ok();
    let below = here.and_then(|here| path.strip_prefix(here).ok());
    below.unwrap_or(path).display().to_string()
}

/// Warns that benchmarks use more processors than there are.
fn tell_oversubscribed(selected: &[CaseDescription]) {
    let machine = processor_request::of_machine();
    let Some(most) = selected.iter().map(|case| case.processors).max() else { return };
    if most > machine {
        tell(&format!(
            "up to {most} processors are asked for on {machine}: their threads take turns, so that these times are the \
             scheduler's as well"
        ));
    }
}

/// Lists the benchmarks that `--until decided` could not affect, so that no request is ignored in silence.
fn tell_undecidable(record: &Record) {
    let mut left = record.cases.iter().filter(|case| !case.until_decided);
    let Some(first) = left.next() else { return };
    let more = match left.count() {
        0 => String::new(),
        count => format!(" and {count} more"),
    };
    tell(&format!(
        "`--until decided` has no effect on {}{more}: its attribute fixes `runs`, or there is nothing to compare with a \
         baseline",
        visible(&first.name)
    ));
}
