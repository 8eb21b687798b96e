//! A check of the proof itself: some benchmarks that run identical machine code are measured all the same, and one whose
//! time proves to differ is an error of ours.

use std::{
    hash::{DefaultHasher, Hash, Hasher},
    rc::Rc,
};

use plusminus::{
    engine::{self, ComparisonWatcher, Layouts, Machine, Subject, Versions, WorkerError},
    record::{ComparisonRecord, ComparisonSettings},
    results::{self, CaseResult, Outcome, RowResult},
};
use plusminus_analysis::verdict::Verdict;

use super::code::name_in;
use crate::report::Codes;

/// As many checks as a comparison has at most.
const MOST: usize = 3;

/// Probability that any of a comparison's checks is wrong. An accusation must be rarer than what it accuses.
const ALPHA: f64 = 1e-4;

/// The first round of the second measurement: more than the first one can have.
const LATER: u32 = 1 << 20;

/// The share of the time for measuring that checks take on average.
const SHARE: f64 = 0.1;
/// Seconds that a check needs: with an error probability this small, fewer blocks prove nothing.
const EACH_SECONDS: f64 = 5.0;

/// Benchmarks with identical code that are measured as a check, after everything else.
pub(super) struct Check {
    subjects: Vec<Subject>,
    max_seconds: Option<f64>,
}

/// The time for everything else. If identical benchmarks are measured anyway, one that comes out as different has a claim to be checked;
/// else checks get what the others leave.
pub(super) fn seconds_before(limit: Option<f64>, codes: &Codes) -> Option<f64> {
    limit.map(|limit| if codes.all_measured { limit * (1.0 - SHARE) } else { limit })
}

impl Check {
    /// Chooses what to check: benchmarks whose time came out as different, or a few in proportion to the time that all others took. In a
    /// single layout, time may differ although the code does not: such targets are skipped.
    pub(super) fn of(all: &[Subject], record: &ComparisonRecord, codes: &Codes) -> Self {
        let sampled = all.iter().filter(|subject| subject.layouts.is_some());
        let names = sampled.flat_map(|subject| {
            subject.common.iter().map(|case| name_in(&subject.name, &case.new.name))
        });
        let identical: Vec<String> = names.filter(|name| codes.is_identical(name)).collect();
        let left = record.settings.max_seconds.map(|limit| limit - record.seconds);
        let (chosen, max_seconds) = if codes.all_measured {
            let suspects = differing(&results::outcome(record));
            (identical.into_iter().filter(|name| suspects.contains(name)).collect(), left)
        } else {
            let count = number(record.seconds, record.settings.seed);
            let seconds = (SHARE * record.seconds).max(count as f64 * EACH_SECONDS);
            let chosen = chosen(identical, count, record.settings.seed);
            (chosen, Some(left.map_or(seconds, |left| left.min(seconds))))
        };
        let mut subjects = all.to_vec();
        for subject in &mut subjects {
            let target = subject.name.clone();
            subject.common.retain(|case| chosen.contains(&name_in(&target, &case.new.name)));
            subject.layouts = subject.layouts.take().map(|first| Rc::new(Later(first, LATER)) as _);
        }
        Self { subjects, max_seconds }
    }

    /// Measures, and notes which benchmarks are proven to differ, and how many were measured long enough for that.
    pub(super) fn run(
        &self,
        machine: &dyn Machine,
        record: &mut ComparisonRecord,
        watcher: &mut dyn ComparisonWatcher,
    ) {
        let nothing = self.subjects.iter().all(|subject| subject.common.is_empty());
        let no_time = self.max_seconds.is_some_and(|seconds| seconds <= 0.0);
        if nothing || no_time || record.interrupted.is_some() {
            return;
        }
        let settings = ComparisonSettings {
            alpha: ALPHA,
            seed: record.settings.seed.wrapping_add(1),
            max_seconds: self.max_seconds,
            ..record.settings.clone()
        };
        let again = ComparisonRecord::new(settings, record.base.clone(), record.new.clone());
        let again = engine::compare_until_decided(machine, &self.subjects, again, watcher);
        record.seconds += again.seconds;
        record.interrupted = again.interrupted;
        let outcome = results::outcome(&again);
        record.contradicted = differing(&outcome);
        record.checked = outcome.cases.iter().filter(|case| judged(case).is_some()).count();
    }
}

/// Returns the number of checks after this time of measuring in seconds. The seed rounds it up or down, so that short
/// comparisons have one now and then.
fn number(seconds: f64, seed: u64) -> usize {
    let rounding = hashed(seed) as f64 / u64::MAX as f64;
    ((SHARE * seconds / EACH_SECONDS + rounding) as usize).min(MOST)
}

/// Chooses among benchmarks with identical code, others with each seed.
fn chosen(mut identical: Vec<String>, count: usize, seed: u64) -> Vec<String> {
    identical.sort_by_key(|name| hashed((seed, name)));
    identical.truncate(count);
    identical
}

pub(super) fn hashed(what: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    what.hash(&mut hasher);
    hasher.finish()
}

/// Layouts that earlier measurements have not had: those of rounds from a number on.
#[derive(Debug)]
pub(super) struct Later(pub(super) Rc<dyn Layouts>, pub(super) u32);

impl Layouts for Later {
    fn of_round(&self, round: u32) -> Result<Versions, WorkerError> {
        self.0.of_round(self.1 + round)
    }

    fn is_ready(&self, round: u32) -> bool {
        self.0.is_ready(self.1 + round)
    }
}

/// The benchmarks whose time is proven to differ by more than their margin.
fn differing(outcome: &Outcome) -> Vec<String> {
    let differs = |case: &&CaseResult| {
        judged(case).is_some_and(|row| {
            let differs = matches!(row.judgement.verdict, Verdict::Slower | Verdict::Faster);
            differs && row.judgement.beyond_margin
        })
    };
    outcome.cases.iter().filter(differs).map(|case| case.name.clone()).collect()
}

/// The row of a benchmark as a whole, if it has an interval that no check of the measurement speaks against.
fn judged(case: &CaseResult) -> Option<&RowResult> {
    let row = case.rows.last()?;
    let has_interval = row.judgement.interval.is_some();
    (has_interval && row.doubts.is_empty() && row.work.is_none()).then_some(row)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checks_are_few_and_others_with_each_seed() {
        let names: Vec<String> = (0..40).map(|number| format!("b{number}")).collect();
        let all = |seed| chosen(names.clone(), 3, seed);
        assert_eq!(all(7), all(7));
        let had: std::collections::BTreeSet<String> = (0..200).flat_map(all).collect();
        assert_eq!(had.len(), names.len(), "each has its turn");
        assert!(chosen(Vec::new(), 3, 1).is_empty());
    }

    #[test]
    fn checks_take_a_tenth_of_the_time_on_average() {
        for (seconds, expected) in [(1.0, 0.02), (5.0, 0.1), (75.0, 1.5), (100.0, 2.0), (1e6, 3.0)]
        {
            let counts = (0..2000).map(|seed| number(seconds, seed));
            let mean = counts.sum::<usize>() as f64 / 2000.0;
            assert!((mean - expected).abs() < 0.05, "{seconds}: {mean}");
        }
        assert_eq!(number(0.0, 1), 0);
    }
}
