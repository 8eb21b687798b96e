//! What a table cannot say in a cell: why there is no result, and what was noticed.

use super::notes::{Kind, Note};
use crate::{
    analysis::verdict::Verdict,
    record::{CaseRecord, Cause, Record},
    results::Row,
    text::{number::percent, sentence, visible},
};

/// What went wrong with a benchmark, in one line each.
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
            sentences.push(format!("{name} is left out: {}", failure.cause));
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

/// The verdict, with the number that belongs to it.
pub(super) fn verdict(row: &Row<'_>) -> String {
    let Some(compared) = &row.speedup else { return String::new() };
    let judgement = &compared.judgement;
    match judgement.verdict {
        Verdict::Undecided => match judgement.minimum_detectable_effect {
            Some(effect) => format!("undecided (would have seen {})", percent(effect)),
            // A confidence sequence begins later than the interval of a fixed number of runs.
            None if row.case.until_decided => "undecided (too few runs)".to_owned(),
            None => "undecided (one run)".to_owned(),
        },
        Verdict::Same if judgement.real_but_within_margin => {
            "same (a real change, within the margin)".to_owned()
        }
        verdict => verdict.label().to_owned(),
    }
}

/// What spoils measurements, each with its cure.
pub(super) fn warnings(record: &Record) -> Vec<Note> {
    let manifest = &record.manifest;
    let mut warnings: Vec<Note> = Vec::new();
    let mut warn = |kind, said: String| warnings.push(Note::general(kind, said));
    if record.settings.in_process {
        warn(Kind::InProcess,
            "measured once, in one process that is also the runner's: not comparable with anything, as nobody knows \
             how much runs differ; nothing is kept"
                .to_owned(),
        );
    }
    if manifest.debug_assertions || manifest.opt_level == "0" {
        warn(Kind::DebugBuild,
            "built without optimisation: these times say nothing about a release build; use `cargo bench`".to_owned(),
        );
    } else if manifest.opt_level == "1" {
        warn(
            Kind::DebugBuild,
            "built with `opt-level = 1`: set 3 in `[profile.bench]`, or measure what you ship"
                .to_owned(),
        );
    }
    if let Some(other) = &manifest.other_run {
        warn(
            Kind::OtherMeasurement,
            format!(
                "another measurement ran at the same time ({}): both disturb each other; measure again, one after the other",
                visible(other)
            ),
        );
    }
    if let Some(load) = manifest.load_before
        && load > 0.7 * manifest.cores as f64
    {
        warn(
            Kind::Busy,
            format!(
                "the machine was busy before we began (load {load:.1} on {} cores): stop other programs, or expect wide \
             intervals",
                manifest.cores
            ),
        );
    }
    if let Some(governor) = manifest.governor.as_deref()
        && governor != "performance"
    {
        warn(
            Kind::Governor,
            format!(
                "the frequency governor is `{}`: set `performance` for steadier times (`cpupower frequency-set -g \
             performance`)",
                visible(governor)
            ),
        );
    }
    if let (Some(ticks), Some(seconds)) = (manifest.steal_ticks, manifest.seconds) {
        // The system counts 100 ticks a second on each processor.
        let share = ticks as f64 / 100.0 / (seconds * manifest.cores as f64);
        if share > STEAL {
            warn(
                Kind::StolenTime,
                format!(
                    "the hypervisor gave {} of the processor time to other machines: use a dedicated machine, or expect \
                 wide intervals",
                    percent(share)
                ),
            );
        }
    }
    if let Some(pages) = manifest.swapped_pages.filter(|&pages| pages > 0) {
        warn(
            Kind::Swapping,
            format!(
                "{pages} pages of memory were swapped while measuring: stop other programs, or measure smaller inputs"
            ),
        );
    }
    if let Some(source) = manifest.clock_source.as_deref()
        && SLOW_CLOCKS.contains(&source)
    {
        warn(
            Kind::SlowClock,
            format!(
                "the system's clock is `{source}`, which is slow and coarse: let it use the processor's counter (`tsc` in \
             /sys/devices/system/clocksource/clocksource0/current_clocksource)"
            ),
        );
    }
    let mut counting = record.workers.iter().filter_map(|worker| worker.counting);
    if let Some(worst) = counting.find(|counting| !counting.is_steady()) {
        warn(
            Kind::UnsteadyCounter,
            format!(
                "the processor's counter moved by {} against the system's clock while measuring: use `--clock os`",
                percent(worst.drift.unwrap_or(0.0))
            ),
        );
    }
    if manifest.address_randomisation.as_deref() == Some("0") {
        warn(Kind::FixedAddresses,
            "address randomisation is off: every run has the same layout, and its luck looks like speed; set \
             /proc/sys/kernel/randomize_va_space to 2, and start it without `setarch -R`"
                .to_owned(),
        );
    }
    if record.is_unfinished() {
        warn(Kind::Unfinished, UNFINISHED.to_owned());
    }
    if let Some(signal) = record.interrupted {
        warn(
            Kind::Interrupted,
            format!("interrupted by signal {signal}: the results are those of the finished runs"),
        );
    }
    warnings
}

/// What is said of a record that a killed process has left.
pub(super) const UNFINISHED: &str =
    "the measurement was killed before its end: the results are those of the finished runs";

/// Above this share of processor time, what the hypervisor takes is worth a warning.
const STEAL: f64 = 0.01;

/// Clocks of the system that take microseconds to read.
const SLOW_CLOCKS: [&str; 4] = ["acpi_pm", "hpet", "jiffies", "pit"];
