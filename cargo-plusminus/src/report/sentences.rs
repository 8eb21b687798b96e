//! One sentence for each verdict: subject, size, interval, scope, and the cure if nothing was decided.

use plusminus::{
    report::{
        IDENTICAL_CODE, NOT_MEASURED, comparison_headline, control_sentence, row_change, row_label,
        row_name, row_sentence, row_size,
    },
    results::{CaseResult, RowResult},
    text::{
        number::{counted, duration, percent},
        visible,
    },
};

use plusminus_analysis::verdict::Verdict;

use super::{Comparison, WHOLE_PROGRAMS, code, costs};

/// The word for a verdict, with `(check failed)` if one did.
pub(super) fn label(case: &CaseResult, row: &RowResult, comparison: &Comparison) -> String {
    match comparison.codes.is_identical(&case.name) {
        true => IDENTICAL_CODE.to_owned(),
        false if row.judgement.verdict == Verdict::Slower && comparison.accepts(case) => {
            format!("{}, accepted", row_label(row))
        }
        false => row_label(row),
    }
}

/// Returns the result of a row in one sentence.
pub(crate) fn sentence(case: &CaseResult, row: &RowResult, comparison: &Comparison) -> String {
    let alpha = comparison.summary.alpha;
    if comparison.codes.is_identical(&case.name) {
        return format!(
            "{} runs identical machine code; the effect of layout on its time: {}.",
            row_name(case, row),
            row_size(row, alpha)
        );
    }
    row_sentence(case, row, alpha)
}

/// How programs in layouts of our own are built.
const OWN_BUILD: &str = "Each crate was compiled as one codegen unit, with aligned functions. `--layout as-built` measures the \
                         programs that cargo builds.";

pub(super) fn scope(comparison: &Comparison) -> String {
    match (comparison.summary.layouts, comparison.summary.layout) {
        (_, Some(WHOLE_PROGRAMS)) => "Scope: these two programs on this machine, from start to end, with file caches as the \
                                      earlier runs leave them."
            .to_owned(),
        (1, Some("sampled" | "aligned")) => format!(
            "Scope: these two binaries on this machine, both with aligned functions and blocks. Placement of changed code can \
             still move its time. {OWN_BUILD}"
        ),
        (1, _) => "Scope: these two binaries on this machine, in a single layout. Code placement can change a time by a few \
                   percent, and that of a short loop by half."
            .to_owned(),
        (layouts, _) => format!(
            "Scope: the code on this machine, independent of its layout: both versions were relinked for each of {layouts} \
             rounds of blocks, with functions and constants in a different order. {OWN_BUILD}"
        ),
    }
}

fn method(comparison: &Comparison) -> String {
    let summary = &comparison.summary;
    let outcome = &comparison.outcome;
    if outcome.cases.is_empty() {
        return format!(
            "Nothing was measured; {} of building and checking out.",
            duration(summary.preparing_seconds)
        );
    }
    let of_time = if outcome.out_of_time {
        "; the time limit was reached before everything was decided"
    } else {
        ""
    };
    format!(
        "Each block is one or more fresh processes of both versions, measured in turns; margin {}; α {} over {}; seed {}; {} \
         of measuring, {} of building and checking out{of_time}.",
        percent(summary.margin),
        summary.alpha,
        counted(outcome.rows, "verdict"),
        summary.seed,
        duration(outcome.seconds),
        duration(summary.preparing_seconds),
    )
}

/// Describes the scope of the verdicts and how they were found. If nothing was measured, only the scope.
pub(super) fn foot(comparison: &Comparison) -> Vec<String> {
    if comparison.outcome.cases.is_empty() {
        return vec![method(comparison)];
    }
    vec![scope(comparison), control_sentence(&comparison.outcome), method(comparison)]
}

/// Benchmarks that could not be compared because only one side has them, behind a label for each kind.
pub(super) fn of_one_side(comparison: &Comparison) -> Vec<(&'static str, String)> {
    let names = &comparison.names;
    let listed = |names: &[String]| {
        let names: Vec<String> = names.iter().map(|name| format!("`{}`", visible(name))).collect();
        names.join(", ")
    };
    let renamed =
        names.renamed.iter().map(|(from, to)| format!("`{}` → `{}`", visible(from), visible(to)));
    let renamed: Vec<String> = renamed.collect();
    let why = [
        ("removed", listed(&names.removed), "Only base has them, so they are not compared."),
        (
            "renamed",
            renamed.join(", "),
            "Same place in the source, so probably renamed. They are not compared.",
        ),
        ("added", listed(&names.added), "Only the new version has them, so they are not compared."),
    ];
    let some = why.into_iter().filter(|(_, names, _)| !names.is_empty());
    some.map(|(label, names, why)| (label, format!("{names}. {why}"))).collect()
}

/// The same in sentences, and the benchmarks that need no measuring.
pub(super) fn names(comparison: &Comparison) -> Vec<String> {
    let of_one_side = of_one_side(comparison);
    let lines = of_one_side.into_iter().map(|(label, said)| format!("{label}: {said}"));
    let identical = comparison.names.identical_code.iter();
    let identical =
        identical.map(|name| format!("identical code, not measured: {}", visible(name)));
    lines.chain(identical).collect()
}

/// Whether benchmarks whose code changed were measured, and none of them was decided.
pub(super) fn is_nothing_decided(comparison: &Comparison) -> bool {
    let counts = |case: &CaseResult| !comparison.codes.is_identical(&case.name);
    comparison.outcome.nothing_decided(counts).is_some()
}

/// The verdict on everything, for headings.
pub(super) fn headline(comparison: &Comparison) -> String {
    let codes = &comparison.codes;
    let counts = |case: &CaseResult| !codes.is_identical(&case.name);
    let others = [(IDENTICAL_CODE, identical(comparison)), (NOT_MEASURED, unmeasured(comparison))];
    let told = comparison_headline(&comparison.outcome, counts, &others);
    let told = match comparison.slower_and_accepted() {
        (_, 0) => told,
        (all, some) if all == some => told.replacen(" slower", " slower, accepted", 1),
        (_, some) => told.replacen(" slower", &format!(" slower ({some} accepted)"), 1),
    };
    let told = match of_one_side_alone(comparison) {
        Some(said) => format!("{told}: {said}"),
        None => told,
    };
    match costs::benchmarks(comparison) {
        0 => told,
        some => format!("{told}; other costs of {some} changed"),
    }
}

/// Why nothing is compared, if only one side has benchmarks: `2 benchmarks added`.
fn of_one_side_alone(comparison: &Comparison) -> Option<String> {
    let names = &comparison.names;
    let kinds = [(names.added.len(), "added"), (names.removed.len(), "removed")];
    let some = kinds.iter().filter(|(number, _)| *number > 0);
    let said: Vec<String> =
        some.map(|(number, kind)| format!("{} {kind}", counted(*number, "benchmark"))).collect();
    (benchmarks(comparison) == 0 && !said.is_empty()).then(|| said.join(", "))
}

/// How many benchmarks run identical machine code, and did not fail when they were measured all the same.
pub(super) fn identical(comparison: &Comparison) -> usize {
    let failed = |name: &str| {
        comparison.outcome.cases.iter().any(|case| case.name == name && case.failure.is_some())
    };
    let identical = comparison.codes.identical().filter(|case| !failed(&case.name)).count();
    // Of a record that is reported again, only their names are known.
    identical + comparison.names.identical_code.len()
}

/// How many benchmarks were neither measured nor found to be identical.
fn unmeasured(comparison: &Comparison) -> usize {
    let others = code::without_measurement(comparison);
    others.filter(|case| !comparison.codes.is_identical(&case.name)).count()
}

/// How many benchmarks there are, identical ones included.
pub(super) fn benchmarks(comparison: &Comparison) -> usize {
    let is_identical = |case: &CaseResult| comparison.codes.is_identical(&case.name);
    let cases = comparison.outcome.cases.iter();
    let others = cases.filter(|case| !is_identical(case) || case.failure.is_some());
    others.count() + identical(comparison) + unmeasured(comparison)
}

/// The verdict on everything with the worst row: `3 of 67 slower (worst parse/long +5.0 % [+4.1, +6.0] %), 56 faster`.
pub(crate) fn answer(comparison: &Comparison) -> String {
    let told = headline(comparison);
    let all = benchmarks(comparison);
    let mut slower: Vec<(&CaseResult, &RowResult)> = Vec::new();
    for case in &comparison.outcome.cases {
        let counts = case.failure.is_none() && !comparison.codes.is_identical(&case.name);
        let rows = case.rows.iter().filter(|row| row.judgement.verdict == Verdict::Slower);
        slower.extend(rows.filter(|_| counts).map(|row| (case, row)));
    }
    let size = |row: &RowResult| row.change().unwrap_or(0.0);
    let worst = slower.into_iter().max_by(|a, b| size(a.1).total_cmp(&size(b.1)));
    let Some((case, row)) = worst else {
        return format!("{}: {told}", counted(all, "benchmark"));
    };
    let change =
        row_change(row).map_or(String::new(), |(middle, ends)| format!(" {middle} {ends}"));
    told.replacen(
        " slower",
        &format!(" of {all} slower (worst `{}`{change})", row_name(case, row)),
        1,
    )
}

/// The sentences below the verdicts: what the code shows, what was built, and the method.
pub(crate) fn ends(comparison: &Comparison) -> Vec<String> {
    let mut said = super::code::unmeasured(comparison);
    said.extend(super::built::sentences(&comparison.built));
    said.extend(foot(comparison));
    said
}
