//! Pilots first, then rounds of blocks over everything that is not decided yet, in random order.

use std::{collections::BTreeMap, time::Instant};

use plusminus::__runner::{Random, interrupt};

use super::{
    block::{CellSamples, Trouble, TwoWorkers},
    group::{CaseRun, Group},
    pairs::recorded,
    pilot::find_plan,
    plan::{Clock, Plan},
    suite::{Settings, Subject, Watcher},
};
use crate::results::{Block, Decided, Failure, Row, block_of};

/// What a comparison runs on, and what it has spent.
pub(super) struct Suite<'a> {
    pub(super) subjects: &'a [Subject],
    pub(super) settings: &'a Settings,
    pub(super) random: Random,
    pub(super) clock: Clock,
    pub(super) begin: Instant,
    pub(super) window_ns: u64,
    pub(super) out_of_time: bool,
}

impl Suite<'_> {
    /// Finds a plan for every cell. What fails here fails for good.
    pub(super) fn pilots(
        &mut self,
        groups: &mut [Group],
        watcher: &mut dyn Watcher,
    ) -> Result<(), i32> {
        for group in groups {
            // Each failure takes one case at least with it, so this ends.
            while !group.healthy().is_empty() {
                if let Some(signal) = interrupt() {
                    return Err(signal);
                }
                watcher.begin(&format!("pilot of {}", group.cases[0].name));
                let loaded = group.healthy();
                match self.pilot(group, &loaded) {
                    // Plans that were made on one processor say nothing of kernels with threads of their own.
                    Ok(threaded) if threaded && !group.threaded => group.threaded = true,
                    Ok(_) => break,
                    Err(trouble) => group.note(&trouble, &loaded)?,
                }
            }
        }
        Ok(())
    }

    /// Answers whether threads that kernels started did much of the work.
    fn pilot(&mut self, group: &mut Group, loaded: &[usize]) -> Result<bool, Trouble> {
        let version = &self.subjects[group.subject].versions[0];
        let names = group.names(loaded);
        let _placement = group.placement();
        let (mut workers, instances) = TwoWorkers::start(
            (&version.base, &version.new),
            group.processors(),
            [&names[0], &names[1]],
            group.allowed(),
            &mut self.random,
        )?;
        let parallel = group.processors() > 1 || group.cases[0].new.threads > 1;
        let name = |instance: &plusminus::__runner::Instance| instance.name.clone();
        let [base, new] = instances.map(|side| side.iter().map(name).collect::<Vec<String>>());
        if base != new {
            let message = format!(
                "the instances differ between the two versions: base has {}, new has {}",
                base.join(", "),
                new.join(", ")
            );
            let failure = Failure { side: None, message };
            loaded.iter().for_each(|&case| group.cases[case].failure = Some(failure.clone()));
            return Ok(false);
        }
        for (position, &case) in loaded.iter().enumerate() {
            let run = &mut group.cases[case];
            run.plans.clear();
            run.rows.clear();
            for (instance, name) in new.iter().enumerate() {
                let plan = find_plan(&mut workers, position, instance, &self.clock, parallel)?;
                let resolution = self.clock.resolution(plan.sample_ns);
                run.plans.push(plan);
                run.rows.push(Row::new(Some(name.clone()).filter(|n| !n.is_empty()), resolution));
            }
            if new.len() > 1 {
                let finest = run.rows.iter().map(|row| row.resolution).fold(0.0, f64::max);
                run.rows.push(Row::new(None, finest));
            }
        }
        // Who says that one processor is enough may have a pool with one thread, which does everything.
        let threaded = workers.threaded()? && !group.cases[0].new.names_processors;
        workers.finish()?;
        Ok(threaded)
    }

    /// One case to be measured against a copy of its own base: of the cheaper half, so that it costs little.
    pub(super) fn control(&mut self, groups: &[Group]) -> Option<Group> {
        let cost = |case: &CaseRun| -> f64 {
            case.plans.iter().map(|plan| f64::from(plan.pairs) * plan.whole_ns).sum()
        };
        let mut all: Vec<(f64, &Group, &CaseRun)> = groups
            .iter()
            .filter(|group| self.subjects[group.subject].control.is_some())
            .flat_map(|group| group.cases.iter().map(move |case| (group, case)))
            .filter(|(_, case)| case.failure.is_none() && !case.rows.is_empty())
            .map(|(group, case)| (cost(case), group, case))
            .collect();
        all.sort_by(|a, b| a.0.total_cmp(&b.0));
        let half = all.len().div_ceil(2);
        if half == 0 {
            return None;
        }
        let (_, &Group { subject, threaded, .. }, case) = all[self.random.below(half)];
        let mut rows = case.rows.clone();
        // The verdict is that of the benchmark as a whole.
        let last = rows.len() - 1;
        rows[..last].iter_mut().for_each(|row| row.open = false);
        let run = CaseRun {
            name: case.name.clone(),
            base: case.base.clone(),
            new: case.base.clone(),
            margin: case.margin,
            plans: case.plans.clone(),
            rows,
            failure: None,
        };
        Some(Group { subject, control: true, threaded, cases: vec![run], blocks: 0, seconds: 0.0 })
    }

    /// Rounds over what is undecided, until nothing is or nothing more may be spent.
    pub(super) fn rounds(
        &mut self,
        groups: &mut [Group],
        rows: usize,
        layouts: usize,
        watcher: &mut dyn Watcher,
    ) -> Result<(), i32> {
        for round in 0.. {
            let mut blocks: Vec<(usize, usize)> = Vec::new();
            for (index, group) in groups.iter().enumerate() {
                let open = group.cases.iter().any(CaseRun::is_open);
                let versions = if group.control { 1 } else { layouts };
                if open && group.blocks + versions as u32 <= self.settings.maximum_blocks {
                    blocks.extend((0..versions).map(|version| (index, version)));
                }
            }
            if blocks.is_empty() {
                return Ok(());
            }
            self.random.shuffle(&mut blocks);
            let mut any = false;
            for (index, version) in blocks {
                if let Some(signal) = interrupt() {
                    return Err(signal);
                }
                let group = &mut groups[index];
                if !self.affordable(group) {
                    self.out_of_time = true;
                    continue;
                }
                any = true;
                watcher.begin(&format!("round {}: {}", round + 1, group.cases[0].name));
                let begin = Instant::now();
                self.block(group, round, version)?;
                group.blocks += 1;
                group.seconds += begin.elapsed().as_secs_f64();
            }
            for group in groups.iter_mut() {
                let layouts = if group.control { 1 } else { layouts };
                for case in &mut group.cases {
                    let by =
                        Decided { margin: case.margin, alpha: self.settings.alpha, rows, layouts };
                    for row in case.rows.iter_mut().filter(|row| row.open) {
                        row.open = !row.is_decided(&by);
                    }
                }
            }
            if !any {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Whether the next block of a group is expected to end within the budget.
    fn affordable(&self, group: &Group) -> bool {
        let expected = group.seconds / f64::from(group.blocks.max(1));
        let left = self.settings.budget.as_secs_f64() - self.begin.elapsed().as_secs_f64();
        left > expected
    }

    /// Measures one block of a group. A failure ends the case that caused it.
    fn block(&mut self, group: &mut Group, round: u32, version: usize) -> Result<(), i32> {
        let loaded: Vec<usize> =
            group.healthy().into_iter().filter(|&case| group.cases[case].is_open()).collect();
        if loaded.is_empty() {
            return Ok(());
        }
        match self.measure_block(group, &loaded, round, version) {
            Ok(()) => Ok(()),
            Err(trouble) => group.note(&trouble, &loaded),
        }
    }

    fn measure_block(
        &mut self,
        group: &mut Group,
        loaded: &[usize],
        round: u32,
        version: usize,
    ) -> Result<(), Trouble> {
        let subject = &self.subjects[group.subject];
        let sides = &subject.versions[version];
        let new = if group.control { subject.control.as_ref() } else { None };
        let names = group.names(loaded);
        let _placement = group.placement();
        let (mut workers, _) = TwoWorkers::start(
            (&sides.base, new.unwrap_or(&sides.new)),
            group.processors(),
            [&names[0], &names[1]],
            group.allowed(),
            &mut self.random,
        )?;
        let mut cells: Vec<(usize, usize)> = Vec::new();
        for (position, &case) in loaded.iter().enumerate() {
            let run = &group.cases[case];
            let wanted = (0..run.plans.len()).filter(|&instance| run.wants(instance));
            cells.extend(wanted.map(|instance| (position, instance)));
        }
        self.random.shuffle(&mut cells);
        let mut found: BTreeMap<(usize, usize), Block> = BTreeMap::new();
        for (position, instance) in cells {
            let case = loaded[position];
            let plan = group.cases[case].plans[instance];
            let samples = workers.cell(position, instance, &plan, &mut self.random)?;
            if let Some(block) = self.block_of(&samples, &plan, round, version) {
                found.insert((case, instance), block);
            }
        }
        workers.finish()?;
        for &case in loaded {
            group.cases[case].take(case, &found);
        }
        Ok(())
    }

    fn block_of(
        &mut self,
        samples: &CellSamples,
        plan: &Plan,
        round: u32,
        layout: usize,
    ) -> Option<Block> {
        let window = |pair: &super::pairs::PairOfSamples| pair.base.wall_ns + pair.new.wall_ns;
        self.window_ns += samples.pairs.iter().map(window).sum::<u64>();
        block_of(&recorded(samples, plan, round, layout), &[], !plan.tells_interruptions)
    }
}
