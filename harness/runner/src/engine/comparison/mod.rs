//! The course of a comparison of two programs: pilots that find sizes, then rounds of blocks over everything that is
//! inconclusive, in random order, until nothing is or nothing more may be spent.

mod group;
mod idle;
mod pilots;
mod rounds;
mod subject;
mod turns;

use std::time::Duration;

use group::{Group, groups};
pub use subject::{CommonCase, Layouts, Subject, Versions};

use super::{
    Random,
    asking::{About, CaseError, Stop},
    block::Block,
    configuration::timeout_of,
    machine::Machine,
    plan::Plan,
    workers::Workers,
};
use crate::{
    record::{ComparedCase, ComparisonRecord, Failure, Side, SideFailure, WorkerRecord},
    results::Outlook,
};

/// Decides between rounds which rows need more blocks.
pub trait Judge {
    /// Begins with this number of rows: each instance of each case, and each case as a whole if it has several.
    fn begin(&mut self, rows: usize);

    /// Looks at the blocks of a case so far. Returns for each of its instances, and then for the case as a whole where
    /// it has several, what is still to be proven and what that will take.
    fn look(
        &mut self,
        case: &ComparedCase,
        workers: &[WorkerRecord],
        is_control: bool,
    ) -> Vec<Outlook>;
}

#[derive(Debug, Clone, Copy)]
pub struct ComparisonPosition<'a> {
    /// The next subject: the first of the benchmarks that are loaded together.
    pub name: &'a str,
    /// The round, from 1; 0 while sizes are found.
    pub round: u32,
    /// Benchmarks of which everything is decided.
    pub decided: usize,
    pub benchmarks: usize,
    pub spent: Duration,
    /// The most time that it may still take; `None` without a limit yet.
    pub left: Option<Duration>,
}

impl ComparisonPosition<'_> {
    pub fn part(&self) -> String {
        match self.round {
            0 => "finding sizes".to_owned(),
            round => format!("{} of {} decided, round {round}", self.decided, self.benchmarks),
        }
    }
}

/// Follows a comparison, always between samples.
pub trait ComparisonWatcher {
    /// Something is about to be measured.
    fn begin(&mut self, _: ComparisonPosition<'_>) {}
}

/// Measures until everything is decided, or nothing more may be spent. `record` holds the settings and both sides; cases,
/// blocks, workers, failures and times are added.
pub fn compare(
    machine: &dyn Machine,
    subjects: &[Subject],
    mut record: ComparisonRecord,
    judge: &mut dyn Judge,
    watcher: &mut dyn ComparisonWatcher,
) -> ComparisonRecord {
    let mut course = Course {
        machine,
        subjects,
        random: Random::new(record.settings.seed),
        begin: machine.now(),
        blocks: 0,
        round: 0,
        groups: groups(subjects, &mut record),
        kept_for_later: 0.0,
        record,
    };
    let interrupted = course.measure(judge, watcher).err();
    course.end(interrupted)
}

struct Course<'m> {
    machine: &'m dyn Machine,
    subjects: &'m [Subject],
    random: Random,
    begin: Duration,
    blocks: u32,
    round: u32,
    groups: Vec<Group>,
    /// The part of a limited time that is not spent yet, because of what is measured later.
    kept_for_later: f64,
    record: ComparisonRecord,
}

impl<'m> Course<'m> {
    /// Measures the groups that are wanted first, and then the rest.
    fn measure(
        &mut self,
        judge: &mut dyn Judge,
        watcher: &mut dyn ComparisonWatcher,
    ) -> Result<(), i32> {
        for later in [false, true] {
            if !self.groups.iter().any(|group| group.later == later) {
                continue;
            }
            self.kept_for_later = if later { 0.0 } else { self.part_for_later() };
            self.record.out_of_time = false;
            self.pilots(later, watcher)?;
            // How many instances a benchmark has is known from its pilot: until then, it has one.
            let rows = |group: &Group| match group.later && !later {
                true => group.open.len(),
                false => group.open.iter().map(Vec::len).sum(),
            };
            let benchmarks = self.groups.iter().filter(|group| !group.control);
            judge.begin(benchmarks.map(rows).sum());
            // With more rows than that, what was decided may be open again.
            self.look_again(judge);
            self.choose_control();
            self.rounds(judge, watcher)?;
        }
        Ok(())
    }

    /// The part of a limited time that stays for what is measured later: as large as its part of the benchmarks, and half at most.
    fn part_for_later(&self) -> f64 {
        let cases = |groups: &mut dyn Iterator<Item = &Group>| {
            groups.map(|group| group.cases.len()).sum::<usize>() as f64
        };
        let later = cases(&mut self.groups.iter().filter(|group| group.later));
        (later / cases(&mut self.groups.iter())).min(0.5)
    }

    /// The seconds that are left of a limited time.
    fn seconds_left(&self) -> Option<f64> {
        let limit = self.record.settings.max_seconds?;
        Some(limit * (1.0 - self.kept_for_later) - self.spent().as_secs_f64())
    }

    fn spent(&self) -> Duration {
        self.machine.now().saturating_sub(self.begin)
    }

    fn position(&self, group: usize, case: usize, round: u32) -> ComparisonPosition<'_> {
        let cases = |group: &Group| if group.control { 0 } else { group.cases.len() };
        let open = |group: &Group| (0..cases(group)).filter(|&case| group.is_open(case)).count();
        let benchmarks = self.groups.iter().map(cases).sum();
        let open: usize = self.groups.iter().map(open).sum();
        ComparisonPosition {
            name: &self.case(group, case).name,
            round,
            // Before the rounds nothing is open because nothing is known.
            decided: if round == 0 { 0 } else { benchmarks - open },
            benchmarks,
            spent: self.spent(),
            left: self.left(round),
        }
    }

    /// Returns the most time that is left: all open groups, within the budget.
    fn left(&self, round: u32) -> Option<Duration> {
        let settings = &self.record.settings;
        let budget = settings.max_seconds.and_then(|limit| {
            Duration::try_from_secs_f64((limit - self.spent().as_secs_f64()).max(0.0)).ok()
        });
        let of_group = |group: &Group| {
            match (group.is_wanted(settings), group.blocks) {
                (false, _) => Some(Duration::ZERO),
                // How long a block takes is not known.
                (true, 0) => None,
                (true, blocks) => {
                    let most = group.most(settings).saturating_sub(blocks);
                    Some(group.block_time().saturating_mul(most))
                }
            }
        };
        let blocks = self
            .groups
            .iter()
            .try_fold(Duration::ZERO, |sum, group| Some(sum.saturating_add(of_group(group)?)));
        [budget, blocks.filter(|_| round > 0)].into_iter().flatten().min()
    }

    fn case(&self, group: usize, case: usize) -> &ComparedCase {
        let group = &self.groups[group];
        let cases = if group.control { &self.record.control } else { &self.record.cases };
        &cases[group.cases[case]]
    }

    fn case_mut(&mut self, group: usize, case: usize) -> &mut ComparedCase {
        let group = &self.groups[group];
        let cases = if group.control { &mut self.record.control } else { &mut self.record.cases };
        &mut cases[group.cases[case]]
    }

    fn healthy(&self, group: usize) -> Vec<usize> {
        let healthy = |&case: &usize| self.case(group, case).failures.is_empty();
        (0..self.groups[group].cases.len()).filter(healthy).collect()
    }

    /// Writes a failure down for its culprit, or for all that were loaded.
    fn note(&mut self, group: usize, error: &CaseError, loaded: &[usize]) {
        let side = if error.about.side == 0 { Side::Base } else { Side::New };
        for &case in error.culprits(loaded) {
            let failure = Failure {
                run: self.blocks,
                instance: error.about.instance,
                cause: error.cause.clone(),
                output: error.output.clone(),
            };
            let failures = &mut self.case_mut(group, case).failures;
            failures.push(SideFailure { side: Some(side), failure });
        }
    }

    /// Starts the workers of a block with these cases loaded: in the layout of a round, if there are several. Idle workers are of
    /// that layout.
    fn start(
        &mut self,
        group: usize,
        loaded: &[usize],
        round: Option<u32>,
        idle: Option<Workers<'m>>,
    ) -> Result<Block<'m>, Stop> {
        let group = &self.groups[group];
        let subject = &self.subjects[group.subject];
        let versions = match (round, &subject.layouts) {
            (Some(round), Some(layouts)) => {
                &layouts.of_round(round).map_err(|error| match self.machine.interrupt() {
                    // It has also ended the linker.
                    Some(signal) => Stop::Interrupted(signal),
                    None => About::side(1).error(error, String::new()),
                })?
            }
            _ => &subject.versions,
        };
        let new = if group.control { versions.control.as_ref() } else { None };
        let programs = [&versions.base, new.unwrap_or(&versions.new)];
        let common = || loaded.iter().map(|&case| &group.common[case]);
        let plan = Plan {
            machine: self.machine,
            programs: &programs,
            run: self.blocks,
            cases: vec![
                common().map(|case| &case.base).collect(),
                common().map(|case| &case.new).collect(),
            ],
            timeouts: common().map(|case| timeout_of(&case.new)).collect(),
            placed: true,
            // Everything that is random and not code is the same on both sides, and drawn anew for each block.
            fixed_addresses: true,
            padding_bytes: self.random.below(4096),
        };
        Block::start(&plan, idle, &mut self.random)
    }

    fn end(mut self, interrupted: Option<i32>) -> ComparisonRecord {
        for index in 0..self.groups.len() {
            let group = &self.groups[index];
            let seconds = (group.blocks > 0).then(|| group.block_time().as_secs_f64());
            for case in 0..group.cases.len() {
                self.case_mut(index, case).block_seconds = seconds;
            }
        }
        self.record.seconds = self.spent().as_secs_f64();
        self.record.interrupted = interrupted;
        self.record
    }
}
