//! The exit code of a comparison, from its verdicts.

use plusminus::{
    exit,
    results::{CaseResult, Measure, RowResult},
};
use plusminus_analysis::verdict::Verdict;

use super::arguments::FailOn;
use crate::report::{Codes, Comparison};

/// The exit code of a comparison, as `Outcome::exit_code` has it. The effect of layout on code that has not changed counts
/// for nothing, and neither do slowdowns that the change accepts. A noisy machine leaves exact counts as they are.
pub(super) fn exit_code(comparison: &Comparison, codes: &Codes, fail_on: FailOn) -> i32 {
    let of_time = match of_time(comparison, codes, fail_on) {
        exit::UNRELIABLE if comparison.gate.of_time().is_none() => exit::FINE,
        code => code,
    };
    let fails = |measure: &Measure| measure.judgement.is_exact || of_time != exit::UNRELIABLE;
    let mut cases = comparison.outcome.cases.iter();
    let costs_more =
        |case: &CaseResult| case.rows.iter().any(|row| comparison.failing(case, row).any(fails));
    match of_time {
        exit::FAILED => exit::FAILED,
        _ if comparison.lacks_measures() => exit::FAILED,
        _ if fail_on != FailOn::Never && cases.any(costs_more) => exit::REGRESSION,
        code => code,
    }
}

/// The exit code that the times alone give.
fn of_time(comparison: &Comparison, codes: &Codes, fail_on: FailOn) -> i32 {
    let outcome = &comparison.outcome;
    let is_gated = comparison.gate.of_time().is_some();
    let counts = |case: &CaseResult| !codes.is_identical(&case.name);
    let nothing = outcome.nothing_decided(counts).is_some();
    let fails = |case: &CaseResult, row: &RowResult| match (fail_on, row.judgement.verdict) {
        (FailOn::Slower | FailOn::NothingDecided | FailOn::Inconclusive, Verdict::Slower) => {
            comparison.is_too_slow(case, row)
        }
        (FailOn::NothingDecided, Verdict::Inconclusive) => nothing && is_gated,
        (FailOn::SlowerThanMargin, Verdict::Slower) => {
            row.judgement.beyond_margin && comparison.is_too_slow(case, row)
        }
        (FailOn::Inconclusive, Verdict::Inconclusive) => is_gated,
        _ => false,
    };
    match outcome.exit_code(counts, fails) {
        exit::REGRESSION => {
            outcome.exit_code(|case| counts(case) && !comparison.accepts(case), fails)
        }
        code => code,
    }
}

/// Verdicts and exit codes of whole comparisons on simulated machines: false alarms, power, failures, controls.
#[cfg(test)]
mod tests;
