//! One table: the variants that are compared with each other, measured together by one worker in each run.

use std::time::Duration;

use super::{
    Random,
    allocation::Need,
    cells::Cells,
    configuration::Configuration,
    plan::Kind,
    run::{Run, Setting},
    sizes::Sizes,
    workers::Workers,
};
use crate::{
    analysis::{Confidence, two_stage},
    record::{CaseRecord, Record, Role},
    results::{self, mean_of_cells},
};
use plusminus_worker::protocol::CaseDescription;

/// Cases that share an input, with the known facts about them.
pub(super) struct Table {
    pub(super) cases: Vec<(usize, CaseDescription)>,
    pub(super) sizes: Cells<Sizes>,
    durations: Vec<Duration>,
}

/// Returns the logarithm of the time of each run of a case in the pilot; `None` if it is incomplete.
fn pilot_logs(record: &Record, case: &CaseRecord, pilot: u32) -> Option<Vec<f64>> {
    let runs = record.complete_runs(case);
    let logs: Vec<f64> = runs.iter().map(|(_, cells)| mean_of_cells(cells).ln()).collect();
    (logs.len() == pilot as usize && case.failures.is_empty()).then_some(logs)
}

impl Table {
    /// Groups cases into tables, in the order of the cases.
    pub(super) fn all(cases: &[CaseDescription]) -> Vec<Table> {
        let mut tables: Vec<Table> = Vec::new();
        // The number of a table is the position of its first case.
        let mut places: Vec<(usize, usize)> = Vec::new();
        for (index, case) in cases.iter().enumerate() {
            match places.binary_search_by_key(&case.table, |&(number, _)| number) {
                Ok(found) => tables[places[found].1].cases.push((index, case.clone())),
                Err(place) => {
                    places.insert(place, (case.table, tables.len()));
                    tables.push(Table {
                        cases: vec![(index, case.clone())],
                        sizes: Cells::default(),
                        durations: Vec::new(),
                    });
                }
            }
        }
        tables
    }

    /// The name of the problem and point, or of the function.
    pub(super) fn title(&self) -> String {
        let case = &self.cases[0].1;
        match &case.problem {
            Some(problem) => format!("{problem} {}", case.point),
            None => case.name.clone(),
        }
    }

    pub(super) fn kind(&self) -> Kind {
        Kind::of(&self.cases[0].1)
    }

    /// Runs to begin with: as many as its most demanding case.
    pub(super) fn runs(&self, configuration: &Configuration) -> u32 {
        self.cases.iter().map(|(_, case)| configuration.runs_of(case)).max().unwrap_or(0)
    }

    /// Whether a flag or an attribute fixes the number of runs, so that none are added.
    pub(super) fn is_fixed(&self, configuration: &Configuration) -> bool {
        self.cases.iter().any(|(_, case)| configuration.fixed_runs_of(case).is_some())
    }

    /// Whether it has a baseline, and something to compare with it.
    pub(super) fn compares(&self) -> bool {
        let is_base = |(_, case): &(usize, CaseDescription)| case.role == Role::Baseline;
        self.cases.len() > 1 && self.cases.iter().any(is_base)
    }

    /// Whether a comparison with the baseline is still open after the runs so far. Those of failed benchmarks are not.
    pub(super) fn is_undecided(&self, record: &Record) -> bool {
        let cases = || self.cases.iter().map(|&(index, _)| &record.cases[index]);
        let healthy = |case: &&CaseRecord| case.failures.is_empty();
        let Some(base) = cases().find(|case| case.role == Role::Baseline).filter(healthy) else {
            return false;
        };
        let comparisons = self.cases.len() - 1;
        let open = |case: &CaseRecord| {
            results::decided(record, base, case, comparisons)
                .is_none_or(|seen| seen.decision().is_none())
        };
        cases().filter(healthy).filter(|case| case.role != Role::Baseline).any(open)
    }

    /// Returns the average time of a run of the table; `None` before the first.
    pub(super) fn cost(&self) -> Option<Duration> {
        let runs = u32::try_from(self.durations.len()).ok().filter(|&runs| runs > 0)?;
        Some(self.durations.iter().sum::<Duration>() / runs)
    }

    /// How far the widest interval reaches after the pilot, and how far it should: that of the time of a case, and
    /// that of a ratio to the baseline. `None` where nothing can be said or wanted of more runs.
    ///
    /// Times are `widened` by this factor, as neighboring runs resemble each other; ratios of neighbors are not.
    pub(super) fn need(
        &self,
        record: &Record,
        pilot: u32,
        precision: f64,
        widened: f64,
    ) -> Option<Need> {
        let logs = |case: &CaseRecord| pilot_logs(record, case, pilot);
        let cases = || self.cases.iter().map(|&(index, _)| &record.cases[index]);
        let base = cases().find(|case| case.role == Role::Baseline).and_then(logs);
        let (mut times, mut ratios): (Vec<Vec<f64>>, Vec<Vec<f64>>) = (Vec::new(), Vec::new());
        for case in cases() {
            let Some(own) = logs(case) else { continue };
            if let Some(base) = &base
                && case.role != Role::Baseline
            {
                ratios.push(own.iter().zip(base).map(|(own, base)| own - base).collect());
            }
            times.push(own);
        }
        let reach = |logs: &Vec<f64>| two_stage::reach(logs, 1, Confidence::P95).ok();
        let of_times = times.iter().filter_map(reach).map(|reach| widened * reach);
        let widest = of_times.chain(ratios.iter().filter_map(reach)).max_by(f64::total_cmp)?;
        Some(Need { reach_of_one: widest / precision, cost: self.cost()?, pilot })
    }

    /// The logarithms of the times of all its cases in the pilot, as far as they are complete.
    pub(super) fn all_pilot_logs(&self, record: &Record, pilot: u32) -> Vec<Vec<f64>> {
        let logs = |&(index, _): &(usize, CaseDescription)| {
            pilot_logs(record, &record.cases[index], pilot)
        };
        self.cases.iter().filter_map(logs).collect()
    }

    /// Measures everything in the table once through, and writes it into the record. Returns whether all workers lived
    /// to their end; the error is the signal by which the user wants to stop.
    pub(super) fn run<'m>(
        &mut self,
        run: u32,
        setting: Setting<'m>,
        random: &mut Random,
        record: &mut Record,
        idle: &mut Option<Workers<'m>>,
    ) -> Result<bool, i32> {
        let begin = setting.machine.now();
        let mut healthy = true;
        let (done, used) = (Cells::default(), false);
        let mut one = Run { setting, table: self, run, random, record, idle, done, used };
        // Each failure takes one case at least with it, so this ends.
        while one.with_fresh_worker()? {
            healthy = false;
            if setting.configuration.settings.in_process {
                break;
            }
        }
        self.durations.push(setting.machine.now().saturating_sub(begin));
        Ok(healthy)
    }
}
