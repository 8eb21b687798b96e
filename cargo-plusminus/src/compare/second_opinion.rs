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

/// Chooses which of the benchmarks with identical code to measure: few, in proportion to those that are measured anyway, and
/// others with each seed. With nothing else to measure there is no time to take them from.
pub(super) fn chosen(identical: &[String], measured: usize, seed: u64) -> Vec<String> {
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

/// Measures benchmarks again whose code was found to be identical and whose time came out as different, and returns the names
/// of those for which that is proven by the new measurement alone. In a single layout, time may differ although the code does
/// not: such targets are skipped.
pub(super) fn contradicted(
    machine: &dyn Machine,
    subjects: &mut [Subject],
    record: &ComparisonRecord,
    codes: &Codes,
    watcher: &mut dyn ComparisonWatcher,
) -> Vec<String> {
    let suspects: Vec<String> =
        differing(record).into_iter().filter(|name| codes.is_unchanged(name)).collect();
    for subject in subjects.iter_mut() {
        let target = subject.name.clone();
        let sampled = subject.layouts.is_some();
        subject
            .common
            .retain(|case| sampled && suspects.contains(&name_in(&target, &case.new.name)));
        subject.layouts = subject.layouts.take().map(|first| Rc::new(Later(first)) as _);
    }
    if record.interrupted.is_some() || subjects.iter().all(|subject| subject.common.is_empty()) {
        return Vec::new();
    }
    let settings = ComparisonSettings {
        alpha: ALPHA,
        seed: record.settings.seed.wrapping_add(1),
        ..record.settings.clone()
    };
    let again = ComparisonRecord::new(settings, record.base.clone(), record.new.clone());
    differing(&engine::compare_until_decided(machine, subjects, again, watcher))
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
