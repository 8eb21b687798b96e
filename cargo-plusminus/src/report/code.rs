//! Results about benchmarks from their code instead of a measurement.

use std::collections::BTreeMap;

use plusminus::{
    record::{ChangedCode, CodeSize, ComparedCase, ComparisonRecord},
    text::{number::counted, sentence, visible},
};
use plusminus_same_code::{Change, Code, How, Size};

use super::Comparison;
use crate::changed_function::{kept, of_record};

/// The number of functions that a sentence lists.
const NAMED: usize = 5;
/// Functions that a record names for a benchmark.
const KEPT: usize = 20;

#[derive(Debug, Default)]
pub(crate) struct Codes {
    /// Whether benchmarks whose code is the same are measured like all others.
    pub(crate) all_measured: bool,
    /// In the order of the programs.
    pub(crate) cases: Vec<CodeOf>,
}

#[derive(Debug)]
pub(crate) struct CodeOf {
    /// The benchmark, with its target in front where there are several.
    pub(crate) name: String,
    pub(crate) code: Code,
}

impl Codes {
    /// The code of the benchmarks in a record.
    pub(super) fn of_record(record: &ComparisonRecord) -> Self {
        let size = |CodeSize { part, base, new }| Size { part, base, new };
        let differs = |code: ChangedCode| Code::Differs {
            first: code.first,
            unlisted: code.functions_in_all.saturating_sub(code.functions.len()),
            changes: code.functions.into_iter().map(of_record).collect(),
            only_set_up: code.only_set_up,
            sizes: code.sizes.into_iter().map(size).collect(),
        };
        let told = |case: &ComparedCase| {
            let code = match &case.not_comparable {
                _ if case.is_identical => Code::Identical,
                Some(why) => Code::Unknown(why.clone()),
                None => differs(case.code.clone()?),
            };
            Some(CodeOf { name: case.name.clone(), code })
        };
        let all_measured = record.cases.iter().any(|case| case.is_identical);
        Self { all_measured, cases: record.cases.iter().filter_map(told).collect() }
    }

    /// Notes in a record which functions differ, which benchmarks were measured whose code does not, and of which it is not known.
    pub(crate) fn note(&self, record: &mut ComparisonRecord) {
        for case in &mut record.cases {
            case.is_identical = self.all_measured && self.is_identical(&case.name);
            match self.of(&case.name) {
                Some(Code::Differs { first, changes, unlisted, only_set_up, sizes }) => {
                    case.code = Some(ChangedCode {
                        first: first.clone(),
                        only_set_up: *only_set_up,
                        functions: changes.iter().take(KEPT).map(kept).collect(),
                        functions_in_all: changes.len() + unlisted,
                        sizes: sizes.iter().map(kept_size).collect(),
                    });
                }
                Some(Code::Unknown(why)) => case.not_comparable = Some(why.clone()),
                Some(Code::Identical) | None => {}
            }
        }
    }

    /// Whether both programs execute the same machine code for a benchmark.
    pub(crate) fn is_identical(&self, name: &str) -> bool {
        self.of(name) == Some(&Code::Identical)
    }

    /// Whether what differs makes only what a benchmark is timed on.
    pub(crate) fn is_only_set_up(&self, name: &str) -> bool {
        matches!(self.of(name), Some(Code::Differs { only_set_up: true, .. }))
    }

    pub(super) fn only_set_up(&self) -> impl Iterator<Item = &CodeOf> {
        let differs = |case: &&CodeOf| matches!(case.code, Code::Differs { only_set_up: true, .. });
        self.cases.iter().filter(differs)
    }

    /// Returns the benchmarks that execute the same code.
    pub(crate) fn identical(&self) -> impl Iterator<Item = &CodeOf> {
        self.cases.iter().filter(|case| case.code == Code::Identical)
    }

    pub(super) fn of(&self, name: &str) -> Option<&Code> {
        self.cases.iter().find(|case| case.name == name).map(|case| &case.code)
    }
}

fn kept_size(Size { part, base, new }: &Size) -> CodeSize {
    CodeSize { part: part.clone(), base: *base, new: *new }
}

/// How many benchmarks run identical machine code; nothing if none does and others were measured.
pub(super) fn identical(comparison: &Comparison) -> Option<String> {
    let codes = &comparison.codes;
    let reported_again = comparison.names.identical_code.len();
    let identical = codes.identical().count() + reported_again;
    let all = codes.cases.len().max(comparison.outcome.cases.len() + reported_again);
    // Without any, only what was asked for instead of a measurement is worth a line.
    if identical == 0 && (!comparison.outcome.cases.is_empty() || codes.cases.is_empty()) {
        return None;
    }
    let mut changed = String::new();
    if comparison.outcome.cases.is_empty() {
        let mut names = codes.cases.iter().filter(|case| matches!(case.code, Code::Differs { .. }));
        let first: Vec<String> =
            names.by_ref().take(NAMED).map(|case| format!("`{}`", visible(&case.name))).collect();
        let more = match names.count() {
            0 => String::new(),
            more => format!(" and {more} more, which `-v` lists"),
        };
        if !first.is_empty() {
            changed = format!(" Changed: {}{more}.", first.join(", "));
        }
    }
    if identical == 0 {
        let all = counted(all, "benchmark");
        return Some(format!("None of {all} runs identical machine code.{changed}"));
    }
    let (runs, needs) = if identical == 1 { ("runs", "needs") } else { ("run", "need") };
    let measured = match () {
        () if codes.all_measured => {
            "; measured anyway, to show the effect of code placement".to_owned()
        }
        () if comparison.checked > 0 => {
            format!(" and {needs} no measuring; {} measured as a check", comparison.checked)
        }
        () => format!(" and {needs} no measuring"),
    };
    Some(format!(
        "{identical} of {} {runs} identical machine code{measured}.{changed}",
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

/// The code of benchmarks that were not measured.
pub(super) fn without_measurement(comparison: &Comparison) -> impl Iterator<Item = &CodeOf> {
    let measured = &comparison.outcome.cases;
    let is_measured = |name: &str| measured.iter().any(|case| case.name == name);
    comparison.codes.cases.iter().filter(move |case| !is_measured(&case.name))
}

/// Describes the differences in the code of benchmarks that were not measured.
pub(super) fn unmeasured(comparison: &Comparison) -> Vec<String> {
    let others = without_measurement(comparison);
    others
        .filter_map(|case| Some((&case.name, remark(comparison, &case.name)?)))
        .map(|(name, remark)| format!("{} was not measured; {remark}", visible(name)))
        .collect()
}

/// The difference in the code of a benchmark, in one sentence.
pub(crate) fn remark(comparison: &Comparison, name: &str) -> Option<String> {
    let Some(Code::Differs { first, changes, unlisted, only_set_up, .. }) =
        comparison.codes.of(name)
    else {
        return None;
    };
    let described = |change: &Change| match is_loop(change) && *only_set_up {
        true => "the timed loop of another benchmark".to_owned(),
        false => named(change),
    };
    let of = if *only_set_up { "code of its set-up" } else { "code" };
    if changes.is_empty() {
        return Some(format!("{of}: {} differ", sentence(first)));
    }
    let mut changes: Vec<&Change> = changes.iter().collect();
    changes.sort_by_key(|change| !is_own(change, comparison));
    let mut parts = Vec::new();
    let mut left = NAMED;
    for (how, word) in
        [(How::Changed, "changed"), (How::Added, "new"), (How::Removed, "gone or inlined")]
    {
        let all: Vec<&Change> =
            changes.iter().copied().filter(|change| change.how == how).collect();
        let mut shown: Vec<String> =
            all.iter().take(left).map(|change| described(change)).collect();
        left -= shown.len();
        let more = all.len() - shown.len();
        // The loop around a kernel is several functions.
        shown.dedup();
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
    if *unlisted > 0 {
        parts.push(format!("and {unlisted} more"));
    }
    Some(format!("{of}: {}", parts.join("; ")))
}

/// The functions that differ in any benchmark. Functions that most benchmarks run come first.
pub(crate) fn changed(comparison: &Comparison) -> Option<String> {
    let mut counts: BTreeMap<&str, (usize, &Change)> = BTreeMap::new();
    for case in &comparison.codes.cases {
        let Code::Differs { changes, .. } = &case.code else { continue };
        for change in changes {
            counts.entry(&change.name).or_insert((0, change)).0 += 1;
        }
    }
    let mut all: Vec<(usize, &Change)> = counts.into_values().collect();
    all.sort_by_key(|(count, change)| {
        let comes_last = (!is_own(change, comparison), change.is_general());
        (std::cmp::Reverse(*count), comes_last, change.how)
    });
    let names: Vec<String> = all.iter().take(NAMED).map(|(_, change)| named(change)).collect();
    let more = match all.len() - names.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    (!names.is_empty()).then(|| names.join(", ") + &more)
}

/// Whether a function is of a package that has the benchmarks, by its name: those of dependencies come after it.
fn is_own(change: &Change, comparison: &Comparison) -> bool {
    let is_part_of_path = |c: char| c.is_alphanumeric() || "_:".contains(c);
    let mut paths = change.name.split(|c| !is_part_of_path(c));
    let is_of = |krate: &str| {
        comparison.targets.iter().any(|target| target.package.replace('-', "_") == krate)
    };
    paths.any(|path| path.split("::").next().is_some_and(is_of))
}

/// Where the loops around kernels are, whose names are no help to who changed a kernel.
const LOOPS: &str = "plusminus_worker::window::";

fn is_loop(change: &Change) -> bool {
    change.name.starts_with(LOOPS)
}

pub(super) fn named(change: &Change) -> String {
    if is_loop(change) {
        return "the timed loop, which contains the kernel".to_owned();
    }
    let name = visible(&change.name);
    match &change.place {
        Some(place) => format!("{name} ({})", visible(place)),
        None => name,
    }
}

#[cfg(test)]
mod tests {
    use super::{super::of_record, *};

    #[test]
    fn a_record_has_what_is_reported_of_codes() {
        let mut record = crate::report::kept_record();
        let code = |(case, code): (&ComparedCase, Code)| CodeOf { name: case.name.clone(), code };
        let codes = [Code::Unknown("a reason".to_owned()), Code::Identical];
        let codes =
            Codes { cases: record.cases.iter().zip(codes).map(code).collect(), ..Codes::default() };
        codes.note(&mut record);
        (record.checked, record.identical_code) = (1, vec!["same".to_owned()]);
        let comparison = of_record(&record);
        let lines = lines(&comparison);
        assert!(lines[0].contains("; 1 measured as a check."), "{lines:?}");
        assert_eq!(lines[1], "Could not compare the machine code of 1 benchmark: a reason.");
        let warnings = crate::report::warnings(&comparison);
        assert!(warnings.iter().any(|one| one.label == "code not comparable"), "{warnings:?}");
    }

    #[test]
    fn a_kernel_inlined_into_the_loop_is_not_named_after_it() {
        let of = |name: &str| Change {
            how: How::Changed,
            name: name.to_owned(),
            symbol: String::new(),
            place: Some("src/lib.rs:3".to_owned()),
        };
        let inlined = named(&of("plusminus_worker::window::sample::keep_last"));
        assert_eq!(inlined, "the timed loop, which contains the kernel");
        assert_eq!(named(&of("mine::window::parse")), "mine::window::parse (src/lib.rs:3)");
    }
}
