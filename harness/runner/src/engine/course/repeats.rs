//! Runs that shared their core with something else are measured again, as long as that takes no more than a part of the time.

use super::{Course, End};
use crate::{
    engine::cores::{REPEATING, affordable},
    record::CoreLoad,
};

impl Course<'_> {
    /// Repeats a run of a table while it shared its core, and keeps the try whose core was the freest.
    pub(super) fn improve(&mut self, index: usize, run: u32) -> Result<(), End> {
        // One process for all tables stays on its core, and a number of runs that the user has set is that of processes.
        let configuration = self.setting.configuration;
        if configuration.shares_workers() || self.tables[index].is_fixed(configuration) {
            return Ok(());
        }
        while let Some(core) = self.core_of(index, run) {
            let begin = self.spent();
            let may_repeat = self.record.least_load().is_some_and(|least| core.is_shared(least))
                && affordable(self.repeated, begin, REPEATING)
                && self.time_left().is_none_or(|left| !left.is_zero());
            if !may_repeat {
                break;
            }
            let tried: Vec<usize> = self.cases_of(index).map(|case| self.measured(case)).collect();
            let steps = self.record.order.len();
            let healthy = self.run(index, run)?;
            self.repeated += self.spent().saturating_sub(begin);
            if !healthy {
                break;
            }
            let newer = self.record.workers.last().and_then(|worker| worker.core);
            let is_better = newer.is_none_or(|newer| newer.typical < core.typical);
            self.drop_try(index, run, (&tried, steps), is_better);
        }
        Ok(())
    }

    /// Repeats runs of which only later ones showed that their core was shared. Comparisons that were looked at run by run,
    /// and runs in layouts of their own, stay as they are.
    pub(super) fn improve_all(&mut self) -> Result<(), End> {
        if self.record.settings.layouts {
            return Ok(());
        }
        for run in 0..self.done.iter().copied().max().unwrap_or(0) {
            for index in 0..self.tables.len() {
                if run < self.done[index] && !self.until_decided(index) {
                    self.improve(index, run)?;
                }
            }
        }
        Ok(())
    }

    /// Removes one of two tries of a run: the one before these numbers of measurements and steps, or the one after them.
    fn drop_try(&mut self, index: usize, run: u32, before: (&[usize], usize), older: bool) {
        let cases: Vec<usize> = self.cases_of(index).collect();
        for (&case, &number) in cases.iter().zip(before.0) {
            let mut at = 0;
            self.record.cases[case].measurements.retain(|one| {
                at += 1;
                one.run != run || (at > number) == older
            });
        }
        let mut at = 0;
        self.record.order.retain(|step| {
            at += 1;
            let of_table = step.run == run && step.cases.iter().any(|case| cases.contains(case));
            !of_table || (at > before.1) == older
        });
    }

    fn cases_of(&self, index: usize) -> impl Iterator<Item = usize> + '_ {
        self.tables[index].cases.iter().map(|&(case, _)| case)
    }

    fn measured(&self, case: usize) -> usize {
        self.record.cases[case].measurements.len()
    }

    fn core_of(&self, index: usize, run: u32) -> Option<CoreLoad> {
        let measurements =
            self.cases_of(index).flat_map(|case| &self.record.cases[case].measurements);
        let worker = measurements.filter(|one| one.run == run).find_map(|one| one.worker)?;
        self.record.workers.get(worker)?.core
    }
}
