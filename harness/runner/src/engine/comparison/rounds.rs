//! Rounds of blocks over everything that is inconclusive, in random order.

use super::{ComparisonWatcher, Course, Judge, Layouts, idle::Idle, turns::turns};
use crate::engine::{
    asking::Stop,
    block::{begins, wants_count},
    workers::Workers,
};

/// Pairs of processes in a block at most: more than one where links would be awaited otherwise. Processes often scatter more than
/// layouts; where they do not, this costs at most the time in which this thread could have linked as well.
const MOST_PROCESSES: u32 = 8;

impl<'m> Course<'m> {
    pub(super) fn rounds(
        &mut self,
        judge: &mut dyn Judge,
        watcher: &mut dyn ComparisonWatcher,
    ) -> Result<(), i32> {
        loop {
            let round = self.round;
            let mut blocks = self.next_blocks(round);
            self.random.shuffle(&mut blocks);
            let blocks = self.by_process(&blocks);
            let measured = self.pass(&blocks, round, watcher)?;
            self.record.out_of_time |= measured.len() < blocks.len();
            // Programs as they were built have no layout to measure again.
            let relinked = |group: &usize| self.layouts_of(*group).is_some();
            let again = measured.iter().copied().filter(relinked).collect::<Vec<_>>();
            for _ in 1..MOST_PROCESSES {
                if again.iter().any(|&group| self.waits_for_links(group, round + 1)) {
                    self.pass(&again, round, watcher)?;
                }
            }
            measured.iter().for_each(|&group| self.groups[group].end_block());
            if measured.is_empty() {
                return Ok(());
            }
            self.round += 1;
            for group in 0..self.groups.len() {
                for case in 0..self.groups[group].cases.len() {
                    if self.groups[group].is_open(case) {
                        self.look(group, case, judge);
                    }
                }
            }
        }
    }

    /// Measures groups with a pair of processes each, as far as there is time, and returns which.
    fn pass(
        &mut self,
        groups: &[usize],
        round: u32,
        watcher: &mut dyn ComparisonWatcher,
    ) -> Result<Vec<usize>, i32> {
        let mut idle = Idle::default();
        let mut measured = Vec::new();
        for (position, &group) in groups.iter().enumerate() {
            if !self.is_affordable(group) {
                continue;
            }
            measured.push(group);
            watcher.begin(self.position(group, 0, round + 1));
            let begin = self.machine.now();
            let benchmarks = self.block(group, round, &mut idle)?;
            if position + 1 == groups.len() {
                // The rest of a bench function may take longer than the block.
                idle.end();
            }
            let took = self.machine.now().saturating_sub(begin);
            self.groups[group].add(benchmarks.max(1), took);
        }
        Ok(measured)
    }

    /// Whether the programs of a group for a round are still being linked. To measure those at hand once more costs no time then.
    fn waits_for_links(&self, group: usize, round: u32) -> bool {
        self.layouts_of(group).is_some_and(|layouts| !layouts.is_ready(round))
    }

    fn layouts_of(&self, group: usize) -> Option<&dyn Layouts> {
        self.subjects[self.groups[group].subject].layouts.as_deref()
    }

    pub(super) fn look_again(&mut self, judge: &mut dyn Judge) {
        for group in 0..self.groups.len() {
            for case in 0..self.groups[group].cases.len() {
                if !self.case(group, case).blocks.is_empty() {
                    self.look(group, case, judge);
                }
            }
        }
    }

    fn look(&mut self, group: usize, case: usize, judge: &mut dyn Judge) {
        let group = &mut self.groups[group];
        let cases = if group.control { &self.record.control } else { &self.record.cases };
        let compared = &cases[group.cases[case]];
        group.open[case] = judge.look(compared, &self.record.workers, group.control);
        // Where samples are counted, blocks with few of them would only take longer.
        if self.record.settings.least_samples == 0 {
            group.choose_sizes(case, compared);
        }
    }

    fn next_blocks(&self, round: u32) -> Vec<usize> {
        let settings = &self.record.settings;
        let wanted = |&index: &usize| {
            let group = &self.groups[index];
            let open = self.healthy(index).into_iter().any(|case| group.is_open(case));
            open && group.is_wanted(settings)
        };
        let wanted = (0..self.groups.len()).filter(wanted).collect::<Vec<_>>();
        let costs = wanted
            .iter()
            .map(|&group| self.groups[group].likely_cost(settings))
            .collect::<Vec<_>>();
        turns(&costs, self.seconds_left(), round).into_iter().map(|place| wanted[place]).collect()
    }

    /// Whether the next block of a group is expected to end within the budget.
    fn is_affordable(&self, group: usize) -> bool {
        // Blocks differ.
        let expected = self.groups[group].block_time().mul_f64(1.25);
        self.seconds_left().is_none_or(|left| left > expected.as_secs_f64())
    }

    /// Measures one block of a group, and returns of how many benchmarks. A failure ends the case that caused it, unless others have
    /// used the process before.
    fn block(&mut self, group: usize, round: u32, idle: &mut Idle<'m>) -> Result<usize, i32> {
        let mut loaded = self.healthy(group);
        loaded.retain(|&case| self.groups[group].is_open(case));
        if loaded.is_empty() {
            return Ok(0);
        }
        loop {
            let process = self.process_of(group);
            let used = idle.take(process.as_ref(), self.groups[group].slow);
            let is_used = used.is_some();
            match self.measure_block(group, &loaded, round, used) {
                Ok(workers) => {
                    idle.keep(workers, process);
                    return Ok(loaded.len());
                }
                Err(Stop::Interrupted(signal)) => return Err(signal),
                Err(Stop::Failed(error)) if is_used && error.may_be_of_others() => {
                    self.groups[group].alone = true;
                }
                Err(Stop::Failed(error)) => {
                    self.note(group, &error, &loaded);
                    return Ok(loaded.len());
                }
            }
        }
    }

    fn measure_block(
        &mut self,
        group: usize,
        loaded: &[usize],
        round: u32,
        idle: Option<Workers<'m>>,
    ) -> Result<Workers<'m>, Stop> {
        let mut cells: Vec<(usize, usize)> = Vec::new();
        for (position, &case) in loaded.iter().enumerate() {
            let instances = self.case(group, case).instances.len();
            let wanted = self.groups[group].wanted(case, instances);
            cells.extend(wanted.into_iter().map(|instance| (position, instance)));
        }
        self.random.shuffle(&mut cells);
        let (number, first) = (self.blocks, self.record.workers.len());
        let mut block = self.start(group, loaded, Some(round), idle)?;
        let layout = if self.layouts_of(group).is_some() { round + 1 } else { 0 };
        let mut found = Vec::new();
        for (position, instance) in cells {
            let case = loaded[position];
            let begin = self.machine.now();
            let is_counted = !self.groups[group].control;
            let count = is_counted.then(|| wants_count(self.case(group, case), instance)).flatten();
            let coin = self.random.below(2);
            let begins = begins(self.case(group, case), instance).unwrap_or(coin);
            let of = &mut self.groups[group];
            let common = &of.common[case];
            let taken = block.pairs(
                ((position, instance), begins),
                common,
                &mut of.sizes,
                (case, instance),
                count.as_ref(),
                &mut self.random,
            )?;
            let time = self.machine.now().saturating_sub(begin);
            of.costs.add((case, instance), time, of.sizes[(case, instance)]);
            found.push((case, taken.record((number, instance), (round, layout), first)));
        }
        block.workers.note_usage()?;
        let (facts, workers) = block.end()?;
        self.record.workers.extend(facts);
        for (case, one) in found {
            self.case_mut(group, case).blocks.push(one);
        }
        self.blocks += 1;
        Ok(workers)
    }
}
