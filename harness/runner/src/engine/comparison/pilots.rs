//! The part before the rounds: pilots, which find sizes, and the choice of the control.

use std::time::Duration;

use super::{
    CommonCase, ComparisonWatcher, Course,
    group::Group,
    idle::{Idle, SLOW},
};
use crate::{
    engine::{asking::Stop, cells::Cells, workers::Workers},
    record::{Cause, ComparedCase, Failure, InstanceRecord, SideFailure},
    results::{Missing, Outlook},
};
use plusminus_worker::order::sorted;

impl<'m> Course<'m> {
    /// Finds sizes for every cell of the groups that are measured first, or later. A failure here is final.
    pub(super) fn pilots(
        &mut self,
        later: bool,
        watcher: &mut dyn ComparisonWatcher,
    ) -> Result<(), i32> {
        let begin = self.spent();
        let found = self.find_sizes(later, watcher);
        self.record.pilot_seconds += (self.spent() - begin).as_secs_f64();
        found
    }

    fn find_sizes(&mut self, later: bool, watcher: &mut dyn ComparisonWatcher) -> Result<(), i32> {
        let mut idle = Idle::default();
        // Before what comes later, all that had no time yet.
        let wanted = |&group: &usize| {
            let group = &self.groups[group];
            !group.control && group.later <= later && group.open.iter().all(Vec::is_empty)
        };
        let mut wanted: Vec<usize> = (0..self.groups.len()).filter(wanted).collect();
        wanted.sort_by_key(|&group| self.groups[group].later);
        for group in wanted {
            // Each failure takes one case at least with it, so this ends.
            loop {
                let loaded = self.healthy(group);
                if loaded.is_empty() {
                    break;
                }
                if self.seconds_left().is_some_and(|left| left <= 0.0) {
                    self.record.out_of_time = true;
                    return Ok(());
                }
                watcher.begin(self.position(group, loaded[0], 0));
                let process = self.process_of(group);
                let used = idle.take(process.as_ref(), true);
                let is_used = used.is_some();
                match self.pilot(group, &loaded, used) {
                    Ok(workers) => {
                        workers.into_iter().for_each(|workers| idle.keep(workers, process.clone()));
                        // Each has a fresh process, unless set-up takes long.
                        if !self.groups[group].slow {
                            idle.end();
                        }
                        break;
                    }
                    Err(Stop::Interrupted(signal)) => return Err(signal),
                    Err(Stop::Failed(error)) if is_used && error.may_be_of_others() => {
                        self.groups[group].alone = true;
                    }
                    Err(Stop::Failed(error)) => self.note(group, &error, &loaded),
                }
            }
        }
        Ok(())
    }

    /// Finds sizes with the cases of a group. Returns its workers, if it can be measured.
    fn pilot(
        &mut self,
        group: usize,
        loaded: &[usize],
        idle: Option<Workers<'m>>,
    ) -> Result<Option<Workers<'m>>, Stop> {
        let (begin, is_used) = (self.machine.now(), idle.is_some());
        let mut block = self.start(group, loaded, None, idle)?;
        let took = self.machine.now().saturating_sub(begin);
        self.groups[group].slow = is_used || took > SLOW;
        if let Some(message) = differing_instances(&block.instances) {
            for &case in loaded {
                let cause = Cause::Misuse { message: message.clone() };
                let failure =
                    Failure { run: self.blocks, instance: None, cause, output: String::new() };
                let failures = &mut self.case_mut(group, case).failures;
                failures.push(SideFailure { side: None, failure });
            }
            return Ok(None);
        }
        let described = block.instances[1].clone();
        let base_work = block.instances[0].iter().map(|one| one.work.clone()).collect();
        let differs = !described.iter().map(|one| &one.work).eq(&base_work);
        let rows = described.len() + usize::from(described.len() > 1);
        for (position, &case) in loaded.iter().enumerate() {
            let compared = self.case_mut(group, case);
            compared.instances.clone_from(&described);
            if differs {
                compared.base_work.clone_from(&base_work);
            }
            let of = &mut self.groups[group];
            of.open[case] = vec![Outlook::of(Missing::Sign); rows];
            for instance in 0..described.len() {
                let key = (case, instance);
                let common = &of.common[case];
                block.calibrate(
                    (position, instance),
                    common,
                    &mut of.sizes,
                    key,
                    &mut self.random,
                )?;
            }
            let mut instances = 0..described.len();
            let named = of.common[case].new.names_processors;
            let several = instances.any(|instance| of.sizes[(case, instance)].several);
            if several && is_used {
                // Threads of others may still run in their process.
                drop(block);
                self.groups[group].sizes = Cells::default();
                return self.pilot(group, loaded, None);
            }
            if !named && several {
                let processors = self.machine.processors();
                let compared = self.case_mut(group, case);
                compared.processors = compared.processors.max(processors);
            }
        }
        block.end().map(|(_, workers)| Some(workers))
    }

    /// Chooses a case to be measured against a copy of its own base: one of the cheaper half, so that it costs little.
    pub(super) fn choose_control(&mut self) {
        if self.groups.iter().any(|group| group.control) {
            return;
        }
        let mut all: Vec<(Duration, usize, usize)> = Vec::new();
        for (index, group) in self.groups.iter().enumerate() {
            if self.subjects[group.subject].versions.control.is_none() {
                continue;
            }
            for case in self.healthy(index) {
                let instances = self.case(index, case).instances.len();
                let sizes = (0..instances).filter_map(|instance| group.sizes.get((case, instance)));
                let cost = sizes.map(|sizes| sizes.expected.saturating_mul(sizes.samples)).sum();
                if instances > 0 {
                    all.push((cost, index, case));
                }
            }
        }
        let all = sorted(&all, &Ord::cmp);
        let half = all.len().div_ceil(2);
        if half == 0 {
            return;
        }
        let (_, group, case) = all[self.random.below(half)];
        let of = &self.groups[group];
        let mut sizes = Cells::default();
        let compared = self.case(group, case);
        for instance in 0..compared.instances.len() {
            if let Some(&known) = of.sizes.get((case, instance)) {
                sizes.insert((0, instance), known);
            }
        }
        let common = CommonCase { new: of.common[case].base.clone(), ..of.common[case].clone() };
        let open = vec![vec![Outlook::of(Missing::Sign); of.open[case].len()]];
        let group = Group {
            subject: of.subject,
            control: true,
            alone: true,
            cases: vec![self.record.control.len()],
            common: vec![common],
            open,
            sizes,
            ..Group::default()
        };
        let control = ComparedCase { blocks: Vec::new(), ..compared.clone() };
        self.record.control.push(control);
        self.groups.push(group);
    }
}

fn differing_instances(instances: &[Vec<InstanceRecord>]) -> Option<String> {
    let names = |side: &[InstanceRecord]| -> Vec<String> {
        side.iter().map(|instance| instance.name.clone()).collect()
    };
    let (base, new) = (names(&instances[0]), names(&instances[1]));
    (base != new).then(|| {
        format!(
            "the instances differ between the two versions: base has {}, new has {}",
            base.join(", "),
            new.join(", ")
        )
    })
}
