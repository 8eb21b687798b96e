//! Benchmarks that are measured together because they share an input, and what is known of each so far.

use std::{collections::BTreeMap, time::Duration};

use plusminus::__runner::{Listed, Placement};

use super::{
    block::Trouble,
    plan::Plan,
    side::{Problem, TIMEOUT},
    suite::{Settings, Subject},
};
use crate::results::{Block, CaseResult, Decided, Failure, Row, together};

/// One benchmark while it is measured.
pub(super) struct CaseRun {
    pub(super) name: String,
    pub(super) base: Listed,
    pub(super) new: Listed,
    pub(super) margin: f64,
    pub(super) plans: Vec<Plan>,
    pub(super) rows: Vec<Row>,
    pub(super) failure: Option<Failure>,
}

/// Benchmarks that share an input, and are loaded together.
pub(super) struct Group {
    pub(super) subject: usize,
    pub(super) control: bool,
    /// Whether threads that its kernels start do much of the work: then one processor is not enough for its workers.
    pub(super) threaded: bool,
    pub(super) cases: Vec<CaseRun>,
    pub(super) blocks: u32,
    pub(super) seconds: f64,
}

/// The benchmarks of all subjects, grouped by the input that they share on both sides.
pub(super) fn groups(subjects: &[Subject], settings: &Settings) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for (index, subject) in subjects.iter().enumerate() {
        let mut of_tables: BTreeMap<(usize, usize), usize> = BTreeMap::new();
        for (base, new) in &subject.common {
            let place = *of_tables.entry((base.table, new.table)).or_insert_with(|| {
                groups.push(Group {
                    subject: index,
                    control: false,
                    threaded: false,
                    cases: Vec::new(),
                    blocks: 0,
                    seconds: 0.0,
                });
                groups.len() - 1
            });
            let own =
                new.margin.filter(|_| !settings.margin_for_all).map(|percent| percent / 100.0);
            let name = match subject.name.as_str() {
                "" => new.name.clone(),
                target => format!("{target}: {}", new.name),
            };
            groups[place].cases.push(CaseRun {
                name,
                base: base.clone(),
                new: new.clone(),
                margin: own.filter(|margin| *margin > 0.0).unwrap_or(settings.margin),
                plans: Vec::new(),
                rows: Vec::new(),
                failure: None,
            });
        }
    }
    groups
}

impl CaseRun {
    pub(super) fn is_open(&self) -> bool {
        self.failure.is_none() && self.rows.iter().any(|row| row.open)
    }

    /// Whether an instance is measured in the next block: while it, or all of them together, are undecided.
    pub(super) fn wants(&self, instance: usize) -> bool {
        let whole = self.rows.len() > self.plans.len() && self.rows[self.plans.len()].open;
        self.failure.is_none() && (whole || self.rows[instance].open)
    }

    pub(super) fn conclude(
        self,
        rows: usize,
        layouts: usize,
        alpha: f64,
        block_seconds: Option<f64>,
    ) -> CaseResult {
        let by = Decided { margin: self.margin, alpha, rows, layouts };
        let rows = self.rows.iter().map(|row| row.conclude(&by)).collect();
        let place = Some((self.new.file, self.new.line));
        CaseResult { name: self.name, place, rows, failure: self.failure, block_seconds }
    }

    /// Adds the blocks of its instances, and that of all together if all were measured.
    pub(super) fn take(&mut self, case: usize, found: &BTreeMap<(usize, usize), Block>) {
        let instances = self.plans.len();
        let mut all: Vec<&Block> = Vec::new();
        for instance in 0..instances {
            if let Some(block) = found.get(&(case, instance)) {
                all.push(block);
                if self.rows[instance].open {
                    self.rows[instance].blocks.push(block.clone());
                }
            }
        }
        let whole = self.rows.get_mut(instances).filter(|row| row.open);
        if let Some(row) = whole
            && all.len() == instances
        {
            row.blocks.push(together(&all));
        }
    }
}

impl Group {
    pub(super) fn healthy(&self) -> Vec<usize> {
        (0..self.cases.len()).filter(|&index| self.cases[index].failure.is_none()).collect()
    }

    /// Writes down who failed. `loaded` are the cases that the workers know.
    pub(super) fn note(&mut self, trouble: &Trouble, loaded: &[usize]) -> Result<(), i32> {
        let message = match &trouble.problem {
            Problem::Interrupted(signal) => return Err(*signal),
            Problem::Failed(message) => message.clone(),
        };
        let culprits = match trouble.case {
            Some(index) => vec![loaded[index]],
            None => loaded.to_vec(),
        };
        for index in culprits {
            let failure = Failure { side: Some(trouble.which.side()), message: message.clone() };
            self.cases[index].failure = Some(failure);
        }
        Ok(())
    }

    pub(super) fn processors(&self) -> usize {
        self.cases[0].new.processors
    }

    /// Where its workers run: beside the runner, on the same processor, if they are to use one only.
    pub(super) fn placement(&self) -> Placement {
        if self.threaded || self.processors() > 1 || self.cases[0].new.threads > 1 {
            Placement::anywhere()
        } else {
            Placement::here()
        }
    }

    pub(super) fn allowed(&self) -> Duration {
        let longest = self.cases.iter().filter_map(|case| case.new.timeout).fold(0.0, f64::max);
        if longest > 0.0 { Duration::from_secs_f64(longest) } else { TIMEOUT }
    }

    pub(super) fn names(&self, of: &[usize]) -> [Vec<String>; 2] {
        let cases = || of.iter().map(|&index| &self.cases[index]);
        [
            cases().map(|case| case.base.name.clone()).collect(),
            cases().map(|case| case.new.name.clone()).collect(),
        ]
    }
}
