//! Benchmarks that are loaded together, with what is still to be proven of them.

use std::time::Duration;

use super::{CommonCase, Subject};
use crate::{
    engine::{cells::Cells, sizes::Sizes},
    listed::Listed,
    record::{ComparedCase, ComparisonRecord, ComparisonSettings},
    results::Missing,
};

/// What a benchmark may have taken when it is given further blocks because nothing is proven of it.
const FURTHER: Duration = Duration::from_secs(10);

/// Benchmarks of a subject that share an input, and are loaded together.
pub(super) struct Group {
    pub(super) subject: usize,
    pub(super) control: bool,
    /// Indices into the cases of the record, or into its controls.
    pub(super) cases: Vec<usize>,
    /// Each case as base and new describe it.
    pub(super) common: Vec<CommonCase>,
    /// For each case, what its rows want; empty before the pilot.
    pub(super) open: Vec<Vec<Missing>>,
    pub(super) sizes: Cells<Sizes>,
    pub(super) blocks: u32,
    pub(super) spent: Duration,
}

impl Group {
    pub(super) fn is_open(&self, case: usize) -> bool {
        self.open[case].iter().any(|&missing| missing != Missing::Nothing)
    }

    /// The blocks that it may take in all.
    pub(super) fn most(&self, settings: &ComparisonSettings) -> u32 {
        let unproven = self.open.iter().flatten().any(|&missing| missing == Missing::Sign);
        let more = unproven && !self.control && self.spent < FURTHER;
        let further = if more { settings.further_blocks } else { 0 };
        settings.maximum_blocks.saturating_add(further)
    }

    /// Instances of a case to be measured in the next block: while they, or the case as a whole, are undecided.
    pub(super) fn wanted(&self, case: usize, instances: usize) -> Vec<usize> {
        let is_open =
            |row: usize| self.open[case].get(row).is_some_and(|&row| row != Missing::Nothing);
        let whole = is_open(instances);
        (0..instances).filter(|&instance| whole || is_open(instance)).listed()
    }
}

/// Puts the benchmarks of all subjects into groups by the input that they share on both sides, and into the record.
pub(super) fn groups(subjects: &[Subject], record: &mut ComparisonRecord) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for (subject, of) in subjects.iter().enumerate() {
        let mut places: Vec<((usize, usize), usize)> = Vec::new();
        for common in &of.common {
            let tables = (common.base.table, common.new.table);
            let place = match places.binary_search_by_key(&tables, |&(tables, _)| tables) {
                Ok(found) => places[found].1,
                Err(at) => {
                    places.insert(at, (tables, groups.len()));
                    groups.push(Group {
                        subject,
                        control: false,
                        cases: Vec::new(),
                        common: Vec::new(),
                        open: Vec::new(),
                        sizes: Cells::new(),
                        blocks: 0,
                        spent: Duration::ZERO,
                    });
                    groups.len() - 1
                }
            };
            let group = &mut groups[place];
            group.cases.push(record.cases.len());
            group.common.push(common.clone());
            group.open.push(Vec::new());
            record.cases.push(empty_case(&of.name, common));
        }
    }
    groups
}

fn empty_case(target: &str, common: &CommonCase) -> ComparedCase {
    let CommonCase { new, margin, .. } = common;
    ComparedCase {
        name: match target {
            "" => new.name.clone(),
            target => format!("{target}: {}", new.name),
        },
        function: new.function.clone(),
        problem: new.problem.clone(),
        point: new.point.clone(),
        size: new.size,
        processors: new.processors,
        threads: new.threads,
        file: Some(new.file.clone()),
        line: Some(new.line),
        margin: *margin,
        instances: Vec::new(),
        base_work: Vec::new(),
        blocks: Vec::new(),
        failures: Vec::new(),
        block_seconds: None,
    }
}
