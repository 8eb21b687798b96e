//! One sentence for each verdict: subject, size, interval, scope, and what to do where nothing was decided.

use plusminus_analysis::verdict::{Doubt, Verdict};

use plusminus::{
    record::Side,
    text::{
        number::{change, duration, percent},
        sentence as bounded, visible,
    },
};

use super::Comparison;
use crate::results::{CaseResult, RowResult};

/// The name of a row: benchmark, and instance or "all instances" where there are several.
pub(super) fn row_name(case: &CaseResult, row: &RowResult) -> String {
    let name = visible(&case.name);
    match &row.instance {
        Some(instance) if case.rows.len() > 1 => format!("{name} [{}]", visible(instance)),
        None if case.rows.len() > 1 => {
            format!("{name} (all {} instances)", case.rows.len() - 1)
        }
        _ => name,
    }
}

/// The word for a verdict, with `(unreliable)` where a check failed.
pub(super) fn label(case: &CaseResult, row: &RowResult, comparison: &Comparison) -> String {
    if comparison.codes.is_unchanged(&case.name) {
        return "unchanged (layout)".to_owned();
    }
    let label = row.judgement.verdict.label();
    if row.doubts.is_empty() { label.to_owned() } else { format!("{label} (unreliable)") }
}

/// The relative change of time, new/base − 1.
pub(super) fn change_of(row: &RowResult) -> Option<f64> {
    row.speedup.map(|speedup| 1.0 / speedup - 1.0)
}

/// The 95 % interval of the change, in the order low, high.
pub(super) fn interval_of(row: &RowResult) -> Option<(f64, f64)> {
    let interval = row.judgement.interval?;
    Some((1.0 / interval.high - 1.0, 1.0 / interval.low - 1.0))
}

/// What a row says, in one sentence.
pub(super) fn sentence(case: &CaseResult, row: &RowResult, comparison: &Comparison) -> String {
    let name = row_name(case, row);
    let sure = percent(1.0 - comparison.summary.alpha).replace(".0 %", " %");
    let size = match (change_of(row), interval_of(row)) {
        (Some(size), Some((low, high))) => {
            format!("{} ({sure} interval {} to {})", change(size), change(low), change(high))
        }
        (Some(size), None) => format!("{} (too few blocks for an interval)", change(size)),
        _ => "nothing was measured".to_owned(),
    };
    if comparison.codes.is_unchanged(&case.name) {
        return format!(
            "{name} runs identical machine code; the effect of layout on its time: {size}."
        );
    }
    let judgement = &row.judgement;
    match judgement.verdict {
        Verdict::Slower | Verdict::Faster => {
            let word = judgement.verdict.label();
            // One direction for all numbers: parts of the time of base.
            let said = match judgement.at_least {
                Some(least) if judgement.verdict == Verdict::Slower => {
                    format!("at least {} {word}", percent(least))
                }
                Some(least) => {
                    format!("{word}, by at least {} of the time of base", percent(least))
                }
                None => word.to_owned(),
            };
            let beyond = if judgement.beyond_margin {
                ""
            } else {
                "; it is not proven to exceed the margin"
            };
            format!("{name} is {said}: time {size}{beyond}.")
        }
        Verdict::Same if judgement.real_but_within_margin => format!(
            "{name} is the same within ±{}: {size}; the change is real but below the margin.",
            percent(row.margin)
        ),
        Verdict::Same => format!("{name} is the same within ±{}: {size}.", percent(row.margin)),
        Verdict::Undecided => {
            let missed = match judgement.minimum_detectable_effect {
                Some(effect) => {
                    format!("a change of {} would have been found in 4 of 5 cases", percent(effect))
                }
                None => "there were too few blocks to find any change".to_owned(),
            };
            format!("{name} is undecided: {size}; {missed}{}.", how_much_longer(case, row))
        }
    }
}

/// How much longer it would take to decide.
fn how_much_longer(case: &CaseResult, row: &RowResult) -> String {
    let have = row.blocks.len();
    let Some(more) = row.blocks_needed.and_then(|needed| needed.checked_sub(have)) else {
        return String::new();
    };
    let more = more.max(1);
    let time = case
        .block_seconds
        .map_or(String::new(), |seconds| format!(" (about {})", duration(seconds * more as f64)));
    format!("; about {more} more blocks{time} would tell whether it is the same")
}

/// Why a verdict is not to be relied on.
pub(super) fn doubt(doubt: &Doubt) -> String {
    match doubt {
        Doubt::ControlDiffers { verdict } => format!(
            "the control, base against a copy of base, came out as {}: this machine was too restless",
            verdict.label()
        ),
        Doubt::Contradiction => {
            "early and late blocks contradict each other: the machine or the program changed while measuring"
                .to_owned()
        }
        Doubt::CorrelatedBlocks { lag_1, limit } => format!(
            "neighbouring blocks depend on each other (correlation {lag_1:.2}, limit {limit:.2})"
        ),
        Doubt::Drift { t } => {
            format!("the difference drifted while measuring (slope {t:.1} times its uncertainty)")
        }
        Doubt::FewCleanSamples { fraction } => {
            format!("only {} of the samples were not interrupted", percent(*fraction))
        }
        Doubt::NoSteadyState { fraction } => format!(
            "{} of the processes did not reach a steady state; does the kernel keep state between calls?",
            percent(*fraction)
        ),
        other => format!("{other:?}"),
    }
}

/// Why a benchmark has no verdict.
pub(crate) fn failure(case: &CaseResult) -> Option<String> {
    let failure = case.failure.as_ref()?;
    let side = match failure.side {
        Some(Side::Base) => " in base",
        Some(Side::New) => " in new",
        None => "",
    };
    Some(format!("{} failed{side}: {}", visible(&case.name), bounded(&failure.message)))
}

/// What verdicts are about.
pub(super) fn scope(comparison: &Comparison) -> String {
    match (comparison.summary.layouts, comparison.summary.layout) {
        (1, Some("aligned")) => "Scope: these two binaries on this machine, both with aligned functions and blocks; where \
                                 the linker puts changed code can still move its time (--layout shuffle)."
            .to_owned(),
        (1, _) => "Scope: these two binaries on this machine, in the layout that they have; where the linker puts code \
                   can change its time by a few per cent, and that of a short loop by half (--layout shuffle)."
            .to_owned(),
        (layouts, _) => format!(
            "Scope: the code on this machine, over {layouts} layouts of each side, linked with shuffled sections."
        ),
    }
}

/// What the control said.
fn control(comparison: &Comparison) -> String {
    let Some(case) = &comparison.outcome.control else {
        return "Control: none was measured.".to_owned();
    };
    let said = match (case.rows.last(), &case.failure) {
        (_, Some(failure)) => format!("failed: {}", bounded(&failure.message)),
        (Some(row), None) => {
            let size = change_of(row).map_or("nothing".to_owned(), change);
            format!("{} ({size}, {} blocks)", row.judgement.verdict.label(), row.blocks.len())
        }
        (None, None) => "nothing".to_owned(),
    };
    format!("Control (base against a copy of base, {}): {said}.", visible(&case.name))
}

/// How it was measured.
fn method(comparison: &Comparison) -> String {
    let summary = &comparison.summary;
    let outcome = &comparison.outcome;
    if outcome.cases.is_empty() {
        return format!(
            "Nothing was measured; {} of building and checking out.",
            duration(summary.preparing_seconds)
        );
    }
    let of_time = if outcome.out_of_time { "; the time was up before all was decided" } else { "" };
    format!(
        "Each block is a fresh process of both sides, asked in turn; margin {}; α {} over {} verdicts; seed {}; {} \
         of measuring, {} of building and checking out{of_time}.",
        percent(summary.margin),
        summary.alpha,
        outcome.rows,
        summary.seed,
        duration(outcome.seconds),
        duration(summary.preparing_seconds),
    )
}

/// What verdicts are about and how they were found; where nothing was measured, only that.
pub(super) fn foot(comparison: &Comparison) -> Vec<String> {
    if comparison.outcome.cases.is_empty() {
        return vec![method(comparison)];
    }
    vec![scope(comparison), control(comparison), method(comparison)]
}

/// Benchmarks that could not be compared because only one side has them.
pub(super) fn names(comparison: &Comparison) -> Vec<String> {
    let names = &comparison.names;
    let added = names.added.iter().map(|name| format!("added: {}", visible(name)));
    let removed = names.removed.iter().map(|name| format!("removed: {}", visible(name)));
    let renamed = names.renamed.iter().map(|(from, to)| {
        format!(
            "probably renamed, not compared: {} → {} (same place in the source)",
            visible(from),
            visible(to)
        )
    });
    let unchanged = names
        .unchanged
        .iter()
        .map(|name| format!("not measured, as its machine code is the same: {}", visible(name)));
    added.chain(removed).chain(renamed).chain(unchanged).collect()
}

/// What an interrupt has left open.
pub(super) fn interrupted(comparison: &Comparison) -> Option<String> {
    let signal = comparison.outcome.interrupted?;
    let mut open = Vec::new();
    for case in &comparison.outcome.cases {
        let rows = case.rows.iter().filter(|row| row.judgement.verdict == Verdict::Undecided);
        open.extend(rows.map(|row| row_name(case, row)));
        // Those that were not begun have no rows.
        open.extend((case.rows.is_empty() && case.failure.is_none()).then(|| visible(&case.name)));
    }
    let open = if open.is_empty() {
        "; everything had been decided".to_owned()
    } else {
        format!(". Not decided: {}", open.join(", "))
    };
    Some(format!("Interrupted by signal {signal}{open}."))
}

/// The verdict on everything, for headings.
pub(super) fn headline(comparison: &Comparison) -> String {
    let codes = &comparison.codes;
    let cases = comparison.outcome.cases.iter();
    let changed: Vec<&CaseResult> = cases.filter(|case| !codes.is_unchanged(&case.name)).collect();
    let rows = || changed.iter().flat_map(|case| &case.rows);
    let count = |verdict| rows().filter(|row| row.judgement.verdict == verdict).count();
    let failed = comparison.outcome.cases.iter().filter(|case| case.failure.is_some()).count();
    let unreliable = rows().filter(|row| !row.doubts.is_empty()).count();
    let parts = [
        (count(Verdict::Slower), "slower"),
        (count(Verdict::Faster), "faster"),
        (count(Verdict::Same), "same"),
        (count(Verdict::Undecided), "undecided"),
        (unreliable, "of these unreliable"),
        (failed, "failed"),
        (codes.unchanged().count(), "unchanged"),
    ];
    let told: Vec<String> = parts
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, word)| format!("{count} {word}"))
        .collect();
    let text = if told.is_empty() { "nothing to compare".to_owned() } else { told.join(", ") };
    match comparison.outcome.interrupted {
        Some(_) => format!("interrupted; {text}"),
        None => text,
    }
}
