//! What a table cannot say in a cell: why there is no result, and what was noticed.

use super::{Row, format::percent};
use crate::{
    analysis::verdict::Verdict,
    record::{CaseRecord, Record},
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
            Some(name) if !name.is_empty() => format!(" on instance {name}"),
            _ => String::new(),
        };
        sentences.push(format!(
            "{} failed in run {}{place}: {}",
            case.name,
            failure.run + 1,
            failure.cause
        ));
        if let Some(line) = failure.output.lines().rev().find(|line| !line.trim().is_empty()) {
            sentences.push(format!("  it last printed: {}", printable(line)));
        }
    }
    sentences
}

/// Text from outside, without what could move the cursor or colour the terminal.
pub(super) fn printable(text: &str) -> String {
    text.chars().take(200).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}

/// The verdict, with the number that belongs to it.
pub(super) fn verdict(row: &Row<'_>) -> String {
    let Some(compared) = &row.speedup else { return String::new() };
    let judgement = &compared.judgement;
    match judgement.verdict {
        Verdict::Undecided => match judgement.minimum_detectable_effect {
            Some(effect) => format!("undecided (would have seen {})", percent(effect)),
            None => "undecided (one run)".to_owned(),
        },
        Verdict::Same if judgement.real_but_within_margin => {
            "same (a real change, within the margin)".to_owned()
        }
        verdict => verdict.label().to_owned(),
    }
}

/// What spoils measurements, each with its cure.
pub(super) fn warnings(record: &Record) -> Vec<String> {
    let manifest = &record.manifest;
    let mut warnings = Vec::new();
    if manifest.debug_assertions || manifest.opt_level == "0" {
        warnings.push(
            "built without optimisation: these times say nothing about a release build; use `cargo bench`".to_owned(),
        );
    }
    if let Some(load) = manifest.load_before
        && load > 0.7 * manifest.cores as f64
    {
        warnings.push(format!(
            "the machine was busy before we began (load {load:.1} on {} cores): stop other programs, or expect wide \
             intervals",
            manifest.cores
        ));
    }
    if let Some(governor) = manifest.governor.as_deref()
        && governor != "performance"
    {
        warnings.push(format!(
            "the frequency governor is `{governor}`: set `performance` for steadier times"
        ));
    }
    if let Some(signal) = record.interrupted {
        warnings.push(format!(
            "interrupted by signal {signal}: the results are those of the finished runs"
        ));
    }
    warnings
}
