//! One sentence for each row of a comparison: subject, size, interval, scope, and the cure if nothing was decided.
//! Also further remarks about it.

use crate::{
    analysis::verdict::{Doubt, Shares, Verdict},
    record::Side,
    report::{
        ends::row_change,
        verdicts::{counted_words, margin_words, verdict_words},
    },
    results::{CaseResult, Longer, Outcome, RowResult},
    text::{
        number::{self, change, duration, percent, percent_proven, significant},
        sentence as bounded, visible,
    },
};

/// The name of a row: benchmark, and instance or "all instances" where there are several.
pub fn row_name(case: &CaseResult, row: &RowResult) -> String {
    let name = visible(&case.name);
    match &row.instance {
        Some(instance) if case.rows.len() > 1 => format!("{name} [{}]", visible(instance)),
        None if case.rows.len() > 1 => {
            format!("{name} (all {} instances)", case.rows.len() - 1)
        }
        _ => name,
    }
}

/// How large the change of a row is, with its interval at the confidence 1 − `alpha`.
pub fn row_size(row: &RowResult, alpha: f64) -> String {
    let sure = percent(1.0 - alpha).replace(".0 %", " %");
    match (row_change(row), row.change()) {
        (Some((size, ends)), _) => format!("{size} ({sure} interval {ends})"),
        (None, Some(size)) => format!("{} (too few blocks for an interval)", change(size)),
        (None, None) => "nothing was measured".to_owned(),
    }
}

/// Returns the result of a row in one sentence, and a second one if a call does not do the same work on both sides.
pub fn row_sentence(case: &CaseResult, row: &RowResult, alpha: f64) -> String {
    let said = verdict_sentence(case, row, alpha);
    match work_sentence(row) {
        Some(work) => format!("{said} {work}"),
        None => said,
    }
}

/// Returns the change of the work of a call, if there is one.
pub(super) fn work_sentence(row: &RowResult) -> Option<String> {
    let (work, each) = row.work.as_ref().zip(row.change_for_each_unit())?;
    Some(format!(
        "Work per call changed from {1} to {0} {unit} ({2}). The time per unit changed by {3}.",
        significant(work.new, 5),
        significant(work.base, 5),
        change(work.new / work.base - 1.0),
        change(each),
        unit = visible(&work.unit),
    ))
}

fn verdict_sentence(case: &CaseResult, row: &RowResult, alpha: f64) -> String {
    let name = row_name(case, row);
    let size = row_size(row, alpha);
    let judgement = &row.judgement;
    let remark = verdict_remark(case, row).map_or(String::new(), |remark| format!("; {remark}"));
    match judgement.verdict {
        Verdict::Slower | Verdict::Faster => {
            let word = judgement.verdict.id();
            // One direction for all numbers: parts of the time of base.
            let said = match judgement.at_least {
                Some(least) if judgement.verdict == Verdict::Slower => {
                    format!("at least {} {word}", percent_proven(least))
                }
                Some(least) => {
                    format!("{word}, by at least {} of the time of base", percent_proven(least))
                }
                None => word.to_owned(),
            };
            let beyond = if judgement.beyond_margin { "" } else { "; it may be within the margin" };
            format!("{name} is {said}: time {size}{beyond}.")
        }
        Verdict::WithinMargin => {
            format!("{name} is within ±{}: {size}{remark}.", margin_words(row.margin))
        }
        Verdict::Inconclusive => {
            // The interval of a row of which a check failed may exclude "no change".
            let why = row
                .doubts
                .first()
                .map_or(String::new(), |doubt| format!(" ({})", doubt_name(doubt)));
            format!("{name} is inconclusive{why}: {size}{remark}.")
        }
    }
}

/// Returns the remark on a verdict that its numbers do not show.
pub(super) fn verdict_remark(case: &CaseResult, row: &RowResult) -> Option<String> {
    let judgement = &row.judgement;
    match judgement.verdict {
        Verdict::WithinMargin => {
            let is_real = judgement.real_but_within_margin;
            is_real.then(|| "the change is real but below the margin".to_owned())
        }
        Verdict::Inconclusive => {
            let missed = match judgement.minimum_detectable_effect {
                Some(effect) => {
                    format!(
                        "a change of {} would have been detected in 4 of 5 cases",
                        percent(effect)
                    )
                }
                None => "there were too few blocks to detect any change".to_owned(),
            };
            Some(format!("{missed}{}", how_much_longer(case, row)))
        }
        Verdict::Slower | Verdict::Faster => None,
    }
}

fn how_much_longer(case: &CaseResult, row: &RowResult) -> String {
    let have = row.blocks.len();
    let Some(more) = row.blocks_needed.and_then(|needed| needed.checked_sub(have)) else {
        return String::new();
    };
    let more = more.max(1);
    let time = case
        .block_seconds
        .map_or(String::new(), |seconds| format!(" (about {})", duration(seconds * more as f64)));
    let more = number::counted(more, "more block");
    format!("; about {more}{time} would decide")
}

/// Returns the name of a check that failed.
pub(super) fn doubt_name(doubt: &Doubt) -> &'static str {
    match doubt {
        Doubt::ControlDiffers { .. } => "machine too noisy",
        Doubt::Contradiction => "contradictory blocks",
        Doubt::CorrelatedBlocks { .. } => "correlated blocks",
        Doubt::Drift { .. } => "drift",
        Doubt::FewCleanSamples { .. } => "interrupted samples",
        Doubt::NoSteadyState { .. } => "no steady state",
        Doubt::TwoSpeeds(_) => "two speeds",
        _ => "other",
    }
}

/// Why a verdict is not to be relied on.
pub fn doubt_sentence(doubt: &Doubt) -> String {
    match doubt {
        Doubt::ControlDiffers { verdict } => format!(
            "machine too noisy: base and an identical copy of base came out as {}",
            verdict.id()
        ),
        Doubt::Contradiction => {
            "early and late blocks contradict each other: the machine or the program changed during the measurement"
                .to_owned()
        }
        Doubt::CorrelatedBlocks { lag_1, limit } => format!(
            "neighboring blocks depend on each other (correlation {lag_1:.2}, limit {limit:.2})"
        ),
        Doubt::Drift { t } => {
            format!("the difference drifted during the measurement (slope {t:.1} times its uncertainty)")
        }
        Doubt::FewCleanSamples { fraction } => {
            format!("only {} of the samples were not interrupted", percent(*fraction))
        }
        Doubt::NoSteadyState { change: by } => format!(
            "the difference changes by {} or more within a process, so its direction is unclear. Check whether the \
             benchmark keeps state between calls",
            change(by.exp_m1())
        ),
        Doubt::TwoSpeeds(Shares { slow: [base, new], apart, equal }) => format!(
            "samples run at one of two speeds, {} apart: {} of base's are slow, and {} of new's. At equal speed, new changes \
             by {}. The shares may be different in the next run",
            percent(apart.exp_m1()),
            percent(*base),
            percent(*new),
            change(equal.exp_m1())
        ),
        other => format!("{other:?}"),
    }
}

/// Why a benchmark has no verdict.
pub fn case_failure(case: &CaseResult) -> Option<String> {
    let failure = case.failure.as_ref()?;
    let side = match failure.side {
        Some(Side::Base) => " in base",
        Some(Side::New) => " in new",
        None => "",
    };
    let how = if failure.is_nothing { "is skipped" } else { "failed" };
    Some(format!("{} {how}{side}: {}", visible(&case.name), bounded(&failure.message)))
}

/// Returns remarks about a row besides its sentence.
pub fn row_remarks(row: &RowResult) -> Vec<String> {
    let mut remarks: Vec<String> =
        row.doubts.iter().map(|doubt| format!("check failed: {}", doubt_sentence(doubt))).collect();
    remarks.extend(row.notes.iter().map(|note| format!("note: {note}")));
    if row.repaired {
        remarks.push(
            "note: correlated measurements: neighboring blocks were averaged in pairs, which the error rate α does not cover"
                .to_owned(),
        );
    }
    let clean_only = row.blocks.iter().filter(|block| block.clean_only).count();
    if clean_only > 0 {
        remarks.push(format!(
            "note: in {clean_only} of {} blocks only the pairs of samples without interruption were used",
            row.blocks.len()
        ));
    }
    remarks
}

const NAMED: usize = 3;

/// Returns the message about the part that an interrupt has prevented.
pub fn comparison_interrupted(outcome: &Outcome) -> Option<String> {
    let signal = outcome.interrupted?;
    let mut open = Vec::new();
    for case in &outcome.cases {
        let rows = case.rows.iter().filter(|row| row.judgement.verdict == Verdict::Inconclusive);
        open.extend(rows.map(|row| row_name(case, row)));
        // Benchmarks that were not begun have no rows.
        open.extend((case.rows.is_empty() && case.failure.is_none()).then(|| visible(&case.name)));
    }
    let more = open.len().saturating_sub(NAMED);
    let named = open[..open.len() - more].join(", ");
    let open = match (open.len(), more) {
        (0, _) => "; everything had been decided".to_owned(),
        (_, 0) => format!(". Not decided: {named}"),
        _ => format!(". Not decided: {named} and {more} more"),
    };
    Some(format!("Interrupted by signal {signal}{open}."))
}

/// Returns the verdicts of a comparison by `compare`, counted over the benchmarks that `count`. If nothing was
/// decided, the cure comes first. `others` are the words for benchmarks that were not measured, with their number.
pub fn comparison_headline(
    outcome: &Outcome,
    count: impl Fn(&CaseResult) -> bool,
    others: &[(&str, usize)],
) -> String {
    let text = counted(outcome, &count, others);
    match nothing_decided(outcome, count, COMPARE) {
        Some(said) => format!("{said}: {text}"),
        None => text,
    }
}

/// The results of a comparison, each benchmark counted once: as slower if any row of it is, else as its last row has it.
pub(super) fn counted(
    outcome: &Outcome,
    count: &dyn Fn(&CaseResult) -> bool,
    others: &[(&str, usize)],
) -> String {
    let cases = outcome.cases.iter().filter(|case| count(case) || case.failure.is_some());
    let mut words: Vec<String> = cases.map(case_words).collect();
    for (word, number) in others {
        words.extend((0..*number).map(|_| (*word).to_owned()));
    }
    let told = counted_words(words);
    let text = if told.is_empty() { "nothing to compare".to_owned() } else { told };
    match outcome.interrupted {
        Some(_) => format!("interrupted; {text}"),
        None => text,
    }
}

fn has_own_doubt(row: &RowResult) -> bool {
    row.doubts.iter().any(|doubt| !matches!(doubt, Doubt::ControlDiffers { .. }))
}

fn case_words(case: &CaseResult) -> String {
    let is_slower = |row: &RowResult| row.judgement.verdict == Verdict::Slower;
    match (&case.failure, case.rows.last()) {
        (Some(failure), _) if failure.is_nothing => "skipped".to_owned(),
        (Some(_), _) => "failed".to_owned(),
        (None, None) => "not measured".to_owned(),
        (None, Some(_)) if case.rows.iter().any(is_slower) => Verdict::Slower.id().to_owned(),
        (None, Some(whole)) if has_own_doubt(whole) => "check failed".to_owned(),
        (None, Some(whole)) => verdict_words(whole.judgement.verdict, whole.margin),
    }
}

/// The options of a command that measures a comparison.
#[derive(Clone, Copy)]
pub(in crate::report) struct Flags {
    /// The option that limits the blocks of a benchmark.
    blocks: &'static str,
    /// The part of `--max-time` that the comparison gets.
    share: f64,
}

const COMPARE: Flags = Flags { blocks: "--max-blocks", share: 1.0 };

/// Of `cargo bench`, half of whose time goes to the usual run.
pub(in crate::report) const BASELINE: Flags = Flags { blocks: "--runs", share: 0.5 };

/// The longest time that a message advises, in minutes.
const LONGEST: f64 = 60.0;

/// Returns the message that none of the benchmarks that `count` was decided, if that is so. Unless it was interrupted, it
/// contains the options that would decide them, by a forecast from their blocks: time in whole minutes if the limit is
/// shorter, and blocks if they were the limit.
pub(in crate::report) fn nothing_decided(
    outcome: &Outcome,
    count: impl Fn(&CaseResult) -> bool,
    flags: Flags,
) -> Option<String> {
    let longer = outcome.nothing_decided(count)?;
    if outcome.interrupted.is_some() {
        return Some("nothing decided".to_owned());
    }
    Some(match options(longer, outcome, flags) {
        Some(options) => format!("nothing decided, try {options}"),
        None => "nothing decided; a verdict would take more than an hour".to_owned(),
    })
}

/// Returns the options by which `compare` goes on for that long; `None` if that is more than an hour.
pub fn options_of_compare(longer: Longer, outcome: &Outcome) -> Option<String> {
    options(longer, outcome, COMPARE)
}

fn options(longer: Longer, outcome: &Outcome, flags: Flags) -> Option<String> {
    let minutes = (longer.seconds / flags.share / 60.0).ceil().max(1.0);
    let time = format!("--max-time {minutes}m");
    let blocks = format!("{} {}", flags.blocks, longer.blocks);
    let is_enough = |limit: f64| 60.0 * minutes <= limit / flags.share;
    let options = match () {
        () if outcome.out_of_time => time,
        () if outcome.max_seconds.is_some_and(is_enough) => blocks,
        () => format!("{time} {blocks}"),
    };
    (minutes <= LONGEST).then_some(options)
}

/// Returns the result of the control of a comparison.
pub fn control_sentence(outcome: &Outcome) -> String {
    let Some(case) = &outcome.control else {
        return "Control: none was measured.".to_owned();
    };
    let said = match (case.rows.last(), &case.failure) {
        (_, Some(failure)) => format!("failed: {}", bounded(&failure.message)),
        (Some(row), None) => {
            let size = row.change().map_or("nothing".to_owned(), change);
            let word = verdict_words(row.judgement.verdict, row.margin);
            format!("{word} ({size}, {})", number::counted(row.blocks.len(), "block"))
        }
        (None, None) => "nothing".to_owned(),
    };
    format!("Control (base against a copy of base, {}): {said}.", visible(&case.name))
}
