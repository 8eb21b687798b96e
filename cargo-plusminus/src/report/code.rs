//! What is said of benchmarks by looking at their code instead of measuring.

use std::collections::BTreeMap;

use plusminus::text::{number::counted, sentence, visible};
use serde::Serialize;

use super::Comparison;
use crate::same_code::{Change, Code, How};

/// Functions that are named in a sentence.
const NAMED: usize = 5;
/// Functions that the JSON report names for a benchmark.
const LISTED: usize = 100;

/// What is known of the code of each benchmark.
#[derive(Debug, Default)]
pub(crate) struct Codes {
    /// Whether benchmarks whose code is the same are measured like all others.
    pub(crate) all_measured: bool,
    /// How many of those were measured after all others, to check that their time does not differ.
    pub(crate) checked: usize,
    /// In the order of the programs.
    pub(crate) cases: Vec<CodeOf>,
}

/// What is known of the code of one.
#[derive(Debug)]
pub(crate) struct CodeOf {
    /// The benchmark, with its target in front where there are several.
    pub(crate) name: String,
    pub(crate) code: Code,
}

impl Codes {
    /// Whether both programs execute the same machine code for a benchmark.
    pub(crate) fn is_identical(&self, name: &str) -> bool {
        self.of(name) == Some(&Code::Identical)
    }

    /// Whether what differs makes only what a benchmark is timed on.
    pub(crate) fn is_only_set_up(&self, name: &str) -> bool {
        matches!(self.of(name), Some(Code::Differs { only_set_up: true, .. }))
    }

    /// Those of which it is so.
    pub(super) fn only_set_up(&self) -> impl Iterator<Item = &CodeOf> {
        let differs = |case: &&CodeOf| matches!(case.code, Code::Differs { only_set_up: true, .. });
        self.cases.iter().filter(differs)
    }

    /// Those that execute the same.
    pub(crate) fn identical(&self) -> impl Iterator<Item = &CodeOf> {
        self.cases.iter().filter(|case| case.code == Code::Identical)
    }

    pub(super) fn of(&self, name: &str) -> Option<&Code> {
        self.cases.iter().find(|case| case.name == name).map(|case| &case.code)
    }
}

/// What the JSON report says of the code of a benchmark.
#[derive(Serialize)]
pub(super) struct CodeForm<'a> {
    verdict: &'static str,
    /// Why it is unknown, or the first difference.
    reason: Option<&'a str>,
    /// Whether all that may run in timed windows is the same.
    only_set_up: bool,
    /// The functions that differ.
    functions: &'a [Change],
    /// How many of them there are; the list may be shorter.
    functions_in_all: usize,
}

/// The JSON form.
pub(super) fn form(code: &Code) -> CodeForm<'_> {
    let (verdict, reason, functions): (_, _, &[Change]) = match code {
        Code::Identical => ("identical_code", None, &[]),
        Code::Differs { first, changes, .. } => ("differs", Some(first.as_str()), changes),
        Code::Unknown(why) => ("unknown", Some(why.as_str()), &[]),
    };
    let shown = &functions[..functions.len().min(LISTED)];
    CodeForm {
        verdict,
        reason,
        only_set_up: matches!(code, Code::Differs { only_set_up: true, .. }),
        functions: shown,
        functions_in_all: functions.len(),
    }
}

/// How many benchmarks run identical machine code; nothing if none does and others were measured.
pub(super) fn identical(comparison: &Comparison) -> Option<String> {
    let codes = &comparison.codes;
    let reported_again = comparison.names.identical_code.len();
    let identical = codes.identical().count() + reported_again;
    let all = match codes.cases.len() {
        0 => comparison.outcome.cases.len() + reported_again,
        all => all,
    };
    // Without any, only what was asked for instead of a measurement is worth a line.
    if identical == 0 && (!comparison.outcome.cases.is_empty() || codes.cases.is_empty()) {
        return None;
    }
    let (runs, needs) = if identical == 1 { ("runs", "needs") } else { ("run", "need") };
    let measured = match () {
        () if identical == 0 => String::new(),
        () if codes.all_measured => {
            "; measured anyway, to show the effect of code placement".to_owned()
        }
        () if codes.checked > 0 => {
            format!(" and {needs} no measuring; {} measured as a check", codes.checked)
        }
        () => format!(" and {needs} no measuring"),
    };
    Some(format!(
        "{identical} of {} {runs} identical machine code{measured}.",
        counted(all, "benchmark"),
    ))
}

/// How many benchmarks run the same code, and why it is not known of others.
pub(super) fn lines(comparison: &Comparison) -> Vec<String> {
    let codes = &comparison.codes;
    let mut lines: Vec<String> = identical(comparison).into_iter().collect();
    match codes.only_set_up().count() {
        0 => {}
        1 => lines.push("1 benchmark: only its set-up changed.".to_owned()),
        some => lines.push(format!("{some} benchmarks: only their set-up changed.")),
    }
    let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
    for case in &codes.cases {
        if let Code::Unknown(why) = &case.code {
            *reasons.entry(why).or_default() += 1;
        }
    }
    for (why, count) in reasons {
        lines.push(format!(
            "Could not compare the machine code of {}: {}.",
            counted(count, "benchmark"),
            sentence(why)
        ));
    }
    lines
}

/// The error that measuring has found in the proof, if it has.
pub(super) fn contradictions(comparison: &Comparison) -> Vec<String> {
    let said = |name: &String| {
        format!(
            "Internal error: {} was found to run identical machine code, and its time differs by more than the margin in \
             whatever layout. No verdict of this comparison can be trusted. Please report it with both versions of the code.",
            visible(name)
        )
    };
    comparison.contradicted.iter().map(said).collect()
}

/// What differs in the code of benchmarks that were not measured.
pub(super) fn unmeasured(comparison: &Comparison) -> Vec<String> {
    let measured = &comparison.outcome.cases;
    let is_measured = |name: &str| measured.iter().any(|case| case.name == name);
    let others = comparison.codes.cases.iter().filter(|case| !is_measured(&case.name));
    others
        .filter_map(|case| Some((&case.name, remark(comparison, &case.name)?)))
        .map(|(name, remark)| format!("{} was not measured; {remark}", visible(name)))
        .collect()
}

/// What differs in the code of a benchmark, in one sentence.
pub(super) fn remark(comparison: &Comparison, name: &str) -> Option<String> {
    let Some(Code::Differs { first, changes, .. }) = comparison.codes.of(name) else { return None };
    if changes.is_empty() {
        return Some(format!("code: {} differ", sentence(first)));
    }
    let mut parts = Vec::new();
    let mut left = NAMED;
    for (how, word) in
        [(How::Changed, "changed"), (How::Added, "new"), (How::Removed, "gone or inlined")]
    {
        let all: Vec<&Change> = changes.iter().filter(|change| change.how == how).collect();
        let shown: Vec<String> = all.iter().take(left).map(|change| named(change)).collect();
        left -= shown.len();
        let more = all.len() - shown.len();
        if all.is_empty() {
            continue;
        }
        let and = match (shown.is_empty(), more) {
            (_, 0) => String::new(),
            (true, more) => counted(more, "function"),
            (false, more) => format!(" and {more} more"),
        };
        parts.push(format!("{word}: {}{and}", shown.join(", ")));
    }
    Some(format!("code: {}", parts.join("; ")))
}

fn named(change: &Change) -> String {
    let name = visible(&change.name);
    match &change.place {
        Some(place) => format!("{name} ({})", visible(place)),
        None => name,
    }
}
