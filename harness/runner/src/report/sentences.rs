//! Sentences that do not fit into a cell: why there is no result, and special observations.

use super::notes::{Kind, Note};
use crate::{
    analysis::verdict::Verdict,
    record::{CaseRecord, Cause, Manifest, Record, Unlike},
    results::Row,
    text::{number::percent, sentence, visible},
};

/// Returns the failures of a benchmark, in one line each.
pub(super) fn failures(case: &CaseRecord) -> Vec<String> {
    let mut sentences = Vec::new();
    for failure in &case.failures {
        let instance = failure
            .instance
            .and_then(|index| case.instances.get(index))
            .map(|instance| &instance.name);
        let place = match instance {
            Some(name) if !name.is_empty() => format!(" on instance {}", visible(name)),
            _ => String::new(),
        };
        if failure.cause == Cause::Nothing {
            let name = visible(&case.name);
            sentences.push(format!("{name} is skipped: {}", failure.cause));
            continue;
        }
        sentences.push(format!(
            "{} failed in run {}{place}: {}",
            visible(&case.name),
            failure.run + 1,
            sentence(&failure.cause.to_string())
        ));
        if let Some(line) = failure.output.lines().rev().find(|line| !line.trim().is_empty()) {
            sentences.push(format!("  it last printed: {}", sentence(line)));
        }
    }
    sentences
}

/// A sentence on the changes that so few runs or blocks cannot prove.
pub(super) fn would_miss(change: f64) -> String {
    match change < 10.0 {
        true => format!("a change below {} would be missed", percent(change)),
        false => "too few runs to tell any change".to_owned(),
    }
}

/// Returns the remark on a verdict that its line does not show.
pub(super) fn verdict_remark(row: &Row<'_>) -> Option<String> {
    let judgement = &row.speedup.as_ref()?.judgement;
    match judgement.verdict {
        Verdict::Inconclusive => {
            let missed = judgement.minimum_detectable_effect?;
            Some(would_miss(missed))
        }
        Verdict::WithinMargin if judgement.real_but_within_margin => {
            Some("the change is real but below the margin".to_owned())
        }
        _ => None,
    }
}

/// The problems with several variants whose outputs nothing has looked at; `None` if there is none.
fn unchecked(record: &Record) -> Option<String> {
    let is_unchecked = |case: &CaseRecord| {
        let workers = case.measurements.iter().filter_map(|cell| record.workers.get(cell.worker?));
        let mut workers = workers.peekable();
        // A process that measured what a broken one has left may have had one variant only.
        workers.peek().is_some() && workers.all(|worker| worker.unchecked)
    };
    let mut found: Vec<String> = Vec::new();
    for case in record.cases.iter().filter(|case| is_unchecked(case)) {
        let Some(problem) = &case.problem else { continue };
        let has_others = record
            .cases
            .iter()
            .any(|other| other.problem == case.problem && other.function != case.function);
        let name = format!("`{}`", visible(problem));
        if has_others && !found.contains(&name) {
            found.push(name);
        }
    }
    (!found.is_empty()).then(|| found.join(" and "))
}

/// Variants that a warning about answers names at most, in pairs.
const PAIRS: usize = 3;

/// The variants of problems without a check whose answers differ; `None` if there are none.
fn unlike(record: &Record) -> Option<String> {
    let mut pairs: Vec<String> = Vec::new();
    for Unlike { first, second, instance } in record.workers.iter().flat_map(|one| &one.unlike) {
        // Which of them comes first is random.
        let (first, second) = if first < second { (first, second) } else { (second, first) };
        let pair = format!("`{}` and `{}`", visible(first), visible(second));
        if !pairs.iter().any(|known| known.starts_with(&pair)) {
            let on = if instance.is_empty() { "" } else { " on instance " };
            pairs.push(format!("{pair}{on}{}", visible(instance)));
        }
    }
    let more = pairs.len().saturating_sub(PAIRS);
    pairs.truncate(PAIRS);
    if more > 0 {
        pairs.push(format!("{more} more"));
    }
    (!pairs.is_empty()).then(|| pairs.join(", "))
}

/// Returns the circumstances that spoil measurements, each with its cure.
pub(super) fn warnings(record: &Record) -> Vec<Note> {
    let mut warnings: Vec<Note> = Vec::new();
    let mut warn = |kind, said: String| warnings.push(Note::general(kind, said));
    of_the_program(record, &mut warn);
    of_other_programs(&record.manifest, &mut warn);
    of_the_machine(&record.manifest, &mut warn);
    of_clocks(record, &mut warn);
    of_the_end(record, &mut warn);
    warnings
}

type Warn<'a> = dyn FnMut(Kind, String) + 'a;

fn of_the_program(record: &Record, warn: &mut Warn<'_>) {
    let manifest = &record.manifest;
    if record.settings.in_process {
        let said =
            "measured once, in this process: not comparable with anything, as the spread between runs is \
             unknown. Nothing is saved."
                .to_owned();
        warn(Kind::InProcess, said);
    }
    if manifest.debug_assertions || manifest.opt_level == "0" {
        let said = "the program was built without optimization. Use `cargo bench`".to_owned();
        warn(Kind::DebugBuild, said);
    } else if manifest.opt_level == "1" {
        let said =
            "the program was built with `opt-level = 1`. Set 3 in `[profile.bench]`".to_owned();
        warn(Kind::DebugBuild, said);
    }
    if let Some(pairs) = unlike(record) {
        let said = format!("{pairs}. One of them may be wrong. Implement `check`, which decides");
        warn(Kind::Unlike, said);
    }
    if let Some(problems) = unchecked(record) {
        let said = format!(
            "{problems} has no `check`, and its answers cannot be compared with each other. A variant that answers \
             wrongly is taken for a fast one. Implement `check`"
        );
        warn(Kind::NotChecked, said);
    }
}

fn of_other_programs(manifest: &Manifest, warn: &mut Warn<'_>) {
    if let Some(other) = &manifest.other_run {
        let said = format!(
            "a different measurement ran at the same time ({}), and they slowed each other down. Measure one after the other",
            visible(other)
        );
        warn(Kind::ConcurrentMeasurement, said);
    }
    if let (Some(others), Some(seconds)) = (manifest.others_seconds, manifest.seconds) {
        let share = others / (seconds * manifest.cores as f64);
        // Counters of whole ticks say nothing of less time.
        if share > OTHERS && others > 0.2 {
            let said = format!(
                "other programs used {} of the CPU time during the measurement. Stop them, or expect wide intervals",
                percent(share)
            );
            warn(Kind::Busy, said);
        }
    }
}

fn of_the_machine(manifest: &Manifest, warn: &mut Warn<'_>) {
    if let Some(governor) = manifest.governor.as_deref()
        && governor != "performance"
    {
        let said = format!(
            "the frequency governor is `{}`. Fix the frequency: `cpupower frequency-set -g performance`",
            visible(governor)
        );
        warn(Kind::Governor, said);
    }
    if let (Some(ticks), Some(seconds)) = (manifest.steal_ticks, manifest.seconds) {
        // The system counts 100 ticks a second on each processor.
        let share = ticks as f64 / 100.0 / (seconds * manifest.cores as f64);
        if share > STEAL {
            let said = format!(
                "the hypervisor gave {} of the CPU time to other machines. Use a dedicated machine, or expect wide intervals",
                percent(share)
            );
            warn(Kind::StolenTime, said);
        }
    }
    if let Some(pages) = manifest.swapped_pages.filter(|&pages| pages > 0) {
        let said = format!(
            "{pages} pages of memory were swapped during the measurement. Stop other programs, or measure smaller inputs"
        );
        warn(Kind::Swapping, said);
    }
    if manifest.address_randomisation.as_deref() == Some("0") {
        let said =
            "address randomization is off, so every run has the same memory layout, and its placement looks like speed. \
             Set /proc/sys/kernel/randomize_va_space to 2, and start it without `setarch -R`"
                .to_owned();
        warn(Kind::FixedAddresses, said);
    }
}

fn of_clocks(record: &Record, warn: &mut Warn<'_>) {
    if let Some(source) = record.manifest.clock_source.as_deref()
        && SLOW_CLOCKS.contains(&source)
    {
        let said = format!(
            "the system clock is `{source}`, which is slow and coarse. Set it to `tsc` in \
             /sys/devices/system/clocksource/clocksource0/current_clocksource"
        );
        warn(Kind::SlowClock, said);
    }
    let mut counting = record.workers.iter().filter_map(|worker| worker.counting);
    if let Some(worst) = counting.find(|counting| !counting.is_steady()) {
        let said = format!(
            "the CPU's counter drifted by {} against the system clock. Use the system clock: `--clock os`",
            percent(worst.drift.unwrap_or(0.0))
        );
        warn(Kind::UnsteadyCounter, said);
    }
}

fn of_the_end(record: &Record, warn: &mut Warn<'_>) {
    if record.is_unfinished() {
        warn(Kind::Unfinished, UNFINISHED.to_owned());
    }
    if let Some(signal) = record.interrupted {
        let said =
            format!("interrupted by signal {signal}: the results are those of the finished runs");
        warn(Kind::Interrupted, said);
    }
}

/// The message about a record that a killed process has left.
pub(super) const UNFINISHED: &str =
    "the measurement was killed before its end: the results are those of the finished runs";

/// The share of the processors' time that other programs may use without a word.
const OTHERS: f64 = 0.2;

/// Above this share of processor time, stolen time is worth a warning.
const STEAL: f64 = 0.01;

/// Clocks of the system that take microseconds to read.
const SLOW_CLOCKS: [&str; 4] = ["acpi_pm", "hpet", "jiffies", "pit"];
