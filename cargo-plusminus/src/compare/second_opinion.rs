//! A check of the proof itself: some benchmarks that run identical machine code are measured all the same, and one whose
//! time proves to differ is an error of ours.

use std::{
    hash::{DefaultHasher, Hash, Hasher},
    rc::Rc,
};

use plusminus::{
    engine::{self, ComparisonWatcher, Layouts, Machine, Subject, Versions, WorkerError},
    record::{ComparisonRecord, ComparisonSettings},
    results::{self, CaseResult},
};
use plusminus_analysis::verdict::Verdict;

use super::code::name_in;
use crate::report::Codes;

/// Benchmarks measured for their own sake, for each one that is measured as a check.
const FOR_EACH: usize = 10;
/// As many checks as a comparison has at most.
const MOST: usize = 3;

/// Probability that any of a comparison's checks is wrong. An accusation must be rarer than what it accuses.
const ALPHA: f64 = 1e-4;

/// The first round of the second measurement: more than the first one can have.
const LATER: u32 = 1 << 20;

/// The share of the time for measuring that checks may take, and the least, in seconds.
const SHARE: f64 = 0.1;
const LEAST_SECONDS: f64 = 1.0;

/// Benchmarks with identical code that are measured as a check, after everything else.
pub(super) struct Check {
    subjects: Vec<Subject>,
    max_seconds: Option<f64>,
}

impl Check {
    /// Chooses what to check, and notes it: benchmarks whose time came out as different, or few others, in proportion to those that were
    /// measured for their own sake. In a single layout time may differ although the code does not: such targets are skipped.
    pub(super) fn of(
        all: &[Subject],
        record: &ComparisonRecord,
        codes: &mut Codes,
        measured: usize,
    ) -> Self {
        let suspects = differing(record);
        let sampled = all.iter().filter(|subject| subject.layouts.is_some());
        let names = sampled.flat_map(|subject| {
            subject.common.iter().map(|case| name_in(&subject.name, &case.new.name))
        });
        let identical: Vec<String> = names.filter(|name| codes.is_unchanged(name)).collect();
        let (chosen, max_seconds) = if codes.checked.is_empty() {
            let chosen = chosen(&identical, measured, record.settings.seed);
            codes.checked.clone_from(&chosen);
            (chosen, Some((SHARE * record.seconds).max(LEAST_SECONDS)))
        } else {
            let again = identical.into_iter().filter(|name| suspects.contains(name));
            (again.collect(), record.settings.max_seconds)
        };
        let mut subjects = all.to_vec();
        for subject in &mut subjects {
            let target = subject.name.clone();
            subject.common.retain(|case| chosen.contains(&name_in(&target, &case.new.name)));
            subject.layouts = subject.layouts.take().map(|first| Rc::new(Later(first)) as _);
        }
        Self { subjects, max_seconds }
    }

    /// Measures, and returns the names of those benchmarks whose time is proven to differ.
    pub(super) fn contradicted(
        &self,
        machine: &dyn Machine,
        record: &ComparisonRecord,
        watcher: &mut dyn ComparisonWatcher,
    ) -> Vec<String> {
        let nothing = self.subjects.iter().all(|subject| subject.common.is_empty());
        if nothing || record.interrupted.is_some() {
            return Vec::new();
        }
        let settings = ComparisonSettings {
            alpha: ALPHA,
            seed: record.settings.seed.wrapping_add(1),
            max_seconds: self.max_seconds,
            ..record.settings.clone()
        };
        let again = ComparisonRecord::new(settings, record.base.clone(), record.new.clone());
        differing(&engine::compare_until_decided(machine, &self.subjects, again, watcher))
    }
}

/// Chooses among benchmarks with identical code, others with each seed. With nothing else to measure there is no time to take
/// theirs from.
fn chosen(identical: &[String], measured: usize, seed: u64) -> Vec<String> {
    let rank = |name: &String| {
        let mut hasher = DefaultHasher::new();
        (seed, name).hash(&mut hasher);
        hasher.finish()
    };
    let mut names = identical.to_vec();
    names.sort_by_key(rank);
    names.truncate(measured.div_ceil(FOR_EACH).min(MOST));
    names
}

/// Layouts that the first measurement has not had.
#[derive(Debug)]
struct Later(Rc<dyn Layouts>);

impl Layouts for Later {
    fn of_round(&self, round: u32) -> Result<Versions, WorkerError> {
        self.0.of_round(LATER + round)
    }
}

/// The benchmarks whose time is proven to differ by more than their margin.
fn differing(record: &ComparisonRecord) -> Vec<String> {
    let differs = |case: &&CaseResult| {
        case.rows.last().is_some_and(|row| {
            let differs = matches!(row.judgement.verdict, Verdict::Slower | Verdict::Faster);
            differs && row.judgement.beyond_margin && row.doubts.is_empty() && row.work.is_none()
        })
    };
    results::outcome(record).cases.iter().filter(differs).map(|case| case.name.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checks_are_few_and_others_with_each_seed() {
        let names: Vec<String> = (0..40).map(|number| format!("b{number}")).collect();
        let count = |measured| chosen(&names, measured, 1).len();
        assert_eq!([0, 1, 10, 11, 1000].map(count), [0, 1, 1, 2, 3]);
        assert!(chosen(&[], 5, 1).is_empty());
        assert_eq!(chosen(&names, 30, 7), chosen(&names, 30, 7));
        let all: std::collections::BTreeSet<String> =
            (0..200).flat_map(|seed| chosen(&names, 30, seed)).collect();
        assert_eq!(all.len(), names.len(), "each has its turn");
    }
}
