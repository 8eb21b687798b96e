//! What was noticed in a comparison, each kind counted, in the order of what the reader should do about it.

use plusminus::{
    report::counted_note,
    results::{CaseResult, RowResult},
};
use plusminus_analysis::verdict::Doubt;

use super::Comparison;
use crate::same_code::Code;

/// What a number of notes is a number of.
enum Of {
    /// Benchmarks that were compared.
    Benchmarks,
    /// What the label says.
    Themselves,
    /// Nothing: a note is about everything.
    Nothing,
}

/// The notes of the short report. `cargo plusminus explain` knows each.
pub(super) fn counted(comparison: &Comparison) -> Vec<String> {
    let outcome = &comparison.outcome;
    let with = |noticed: &dyn Fn(&CaseResult) -> bool| {
        outcome.cases.iter().filter(|case| noticed(case)).count()
    };
    let with_row =
        |noticed: &dyn Fn(&RowResult) -> bool| with(&|case| case.rows.iter().any(noticed));
    let by_control = |doubt: &Doubt| matches!(doubt, Doubt::ControlDiffers { .. });
    let own_doubt = |row: &RowResult| row.doubts.iter().any(|doubt| !by_control(doubt));
    let clean_only = |row: &RowResult| row.blocks.iter().any(|block| block.clean_only);
    let not_measured = |case: &CaseResult| case.rows.is_empty() && case.failure.is_none();
    let is_nothing = |case: &CaseResult| case.failure.is_some() && !case.has_failed();
    let rows = outcome.cases.iter().flat_map(|case| &case.rows);
    let control_differs = rows.flat_map(|row| &row.doubts).any(by_control);
    let (names, built, codes) = (&comparison.names, &comparison.built, &comparison.codes.cases);
    let locks = built.locks.iter().flat_map(|locks| [&locks.base, &locks.new]);
    let other_locks = locks.filter(|lock| !lock.own || lock.adjusted).count();
    let outside = built.outside.iter().map(|outside| outside.crates.len()).sum();
    let set_up = comparison.codes.only_set_up().count();
    let unknown = codes.iter().filter(|case| matches!(case.code, Code::Unknown(_))).count();
    let notes = [
        ("failed", with(&CaseResult::has_failed), Of::Benchmarks),
        ("not measured", with(&not_measured), Of::Benchmarks),
        ("interrupted", outcome.interrupted.iter().count(), Of::Nothing),
        ("machine too noisy", usize::from(control_differs), Of::Nothing),
        ("time limit reached", usize::from(outcome.out_of_time), Of::Nothing),
        ("check failed", with_row(&own_doubt), Of::Benchmarks),
        ("work per call changed", with_row(&|row| row.work.is_some()), Of::Benchmarks),
        ("correlated measurements", with_row(&|row| row.repaired), Of::Benchmarks),
        ("methods disagree", with_row(&|row| !row.notes.is_empty()), Of::Benchmarks),
        ("dependencies differ", built.dependencies.len(), Of::Themselves),
        ("different lock file", other_locks, Of::Themselves),
        ("path dependencies outside the repository", outside, Of::Themselves),
        ("single layout", built.one_layout.len(), Of::Themselves),
        ("skipped", built.left_out.len() + with(&is_nothing), Of::Themselves),
        ("removed", names.removed.len(), Of::Themselves),
        ("renamed", names.renamed.len(), Of::Themselves),
        ("added", names.added.len(), Of::Themselves),
        ("only set-up changed", set_up, Of::Themselves),
        ("code not comparable", unknown, Of::Themselves),
        ("interrupted samples", with_row(&clean_only), Of::Benchmarks),
    ];
    let found = notes.into_iter().filter(|(_, count, _)| *count > 0);
    found
        .map(|(label, count, of)| match of {
            Of::Benchmarks => counted_note(label, count, outcome.cases.len()),
            Of::Themselves => format!("{count} {label}"),
            Of::Nothing => label.to_owned(),
        })
        .collect()
}
