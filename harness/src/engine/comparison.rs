//! The course of a comparison of two programs: pilots that find sizes, then rounds of blocks over everything that is
//! undecided, in random order, until nothing is or nothing more may be spent.

use std::time::Duration;

use super::{
    block::Block,
    cells::Cells,
    configuration::timeout_of,
    exchange::{CaseError, Stop},
    machine::{Machine, Program},
    random::Random,
    sizes::Sizes,
    workers::Plan,
};
use crate::{
    listed::Listed,
    order::sorted,
    record::{
        Cause, ComparedCase, ComparisonRecord, ComparisonSettings, Failure, InstanceRecord,
        MUCH_BESIDE, Side, SideFailure, WorkerRecord,
    },
    results::Missing,
    worker::protocol::{CaseDescription, Instance},
};

/// Two versions of a bench binary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pair {
    /// The version that the other one is compared with.
    pub base: Program,
    /// The version in question.
    pub new: Program,
}

/// A benchmark that both versions have.
#[derive(Debug, Clone, PartialEq)]
pub struct CommonCase {
    /// As base describes it.
    pub base: CaseDescription,
    /// As new describes it.
    pub new: CaseDescription,
    /// Changes up to this fraction count as none.
    pub margin: f64,
}

/// One bench target with the benchmarks that both versions have.
#[derive(Debug, Clone)]
pub struct Subject {
    /// What stands before the names of its benchmarks; empty if there is only one target.
    pub name: String,
    /// The programs: one pair, or several layouts of it.
    pub layouts: Vec<Pair>,
    /// A copy of base for the control; `None` for none.
    pub control: Option<Program>,
    /// The benchmarks.
    pub common: Vec<CommonCase>,
}

/// Decides between rounds which rows need more blocks.
pub trait Judge {
    /// Begins with so many rows: each instance of each case, and each case as a whole where it has several.
    fn begin(&mut self, rows: usize);

    /// Looks at the blocks of a case so far. Returns for each of its instances, and then for the case as a whole where
    /// it has several, what is still to be proven.
    fn missing(
        &mut self,
        case: &ComparedCase,
        workers: &[WorkerRecord],
        is_control: bool,
    ) -> Vec<Missing>;
}

/// What a benchmark may have taken when it is given further blocks because nothing is proven of it.
const FURTHER: Duration = Duration::from_secs(10);

/// Follows a comparison, always between samples.
pub trait ComparisonWatcher {
    /// Something is about to be measured.
    fn begin(&mut self, what: &str, spent: Duration);
}

/// Measures until everything is decided, or nothing more may be spent. `record` holds the settings and both sides; cases,
/// blocks, workers, failures and times are added.
pub fn compare(
    machine: &dyn Machine,
    subjects: &[Subject],
    record: ComparisonRecord,
    judge: &mut dyn Judge,
    watcher: &mut dyn ComparisonWatcher,
) -> ComparisonRecord {
    let mut course = Course {
        machine,
        subjects,
        random: Random::new(record.settings.seed),
        begin: machine.now(),
        blocks: 0,
        groups: Vec::new(),
        record,
    };
    course.group();
    let outcome = course.pilots(watcher);
    course.record.pilot_seconds = course.spent().as_secs_f64();
    let interrupted = match outcome {
        Err(signal) => Some(signal),
        Ok(()) => {
            judge.begin(course.groups.iter().flat_map(|group| &group.open).map(Vec::len).sum());
            course.choose_control();
            course.rounds(judge, watcher).err()
        }
    };
    course.end(interrupted)
}

/// Benchmarks of a subject that share an input, and are loaded together.
struct Group {
    subject: usize,
    control: bool,
    /// Indices into the cases of the record, or into its controls.
    cases: Vec<usize>,
    /// Each case as base and new describe it.
    common: Vec<CommonCase>,
    /// For each case, what its rows want; empty before the pilot.
    open: Vec<Vec<Missing>>,
    sizes: Cells<Sizes>,
    /// Whether threads that its kernels start do much of the work: one processor is not enough for its workers then.
    threaded: bool,
    blocks: u32,
    spent: Duration,
}

impl Group {
    fn is_open(&self, case: usize) -> bool {
        self.open[case].iter().any(|&missing| missing != Missing::Nothing)
    }

    /// The blocks that it may take in all.
    fn most(&self, settings: &ComparisonSettings) -> u32 {
        let unproven = self.open.iter().flatten().any(|&missing| missing == Missing::Sign);
        // The number of looks at layouts is fixed.
        let more = unproven && !self.control && settings.layouts == 1 && self.spent < FURTHER;
        let further = if more { settings.further_blocks } else { 0 };
        settings.maximum_blocks.saturating_add(further)
    }

    /// Instances of a case to be measured in the next block: while they, or the case as a whole, are undecided.
    fn wanted(&self, case: usize, instances: usize) -> Vec<usize> {
        let is_open =
            |row: usize| self.open[case].get(row).is_some_and(|&row| row != Missing::Nothing);
        let whole = is_open(instances);
        (0..instances).filter(|&instance| whole || is_open(instance)).listed()
    }
}

struct Course<'m> {
    machine: &'m dyn Machine,
    subjects: &'m [Subject],
    random: Random,
    begin: Duration,
    /// Blocks so far: each is a fresh pair of processes.
    blocks: u32,
    groups: Vec<Group>,
    record: ComparisonRecord,
}

impl<'m> Course<'m> {
    fn spent(&self) -> Duration {
        self.machine.now().saturating_sub(self.begin)
    }

    /// Puts the benchmarks of all subjects into groups by the input that they share on both sides.
    fn group(&mut self) {
        for (subject, of) in self.subjects.iter().enumerate() {
            let mut places: Vec<((usize, usize), usize)> = Vec::new();
            for common in &of.common {
                let tables = (common.base.table, common.new.table);
                let place = match places.binary_search_by_key(&tables, |&(tables, _)| tables) {
                    Ok(found) => places[found].1,
                    Err(at) => {
                        places.insert(at, (tables, self.groups.len()));
                        self.groups.push(Group {
                            subject,
                            control: false,
                            cases: Vec::new(),
                            common: Vec::new(),
                            open: Vec::new(),
                            sizes: Cells::new(),
                            threaded: false,
                            blocks: 0,
                            spent: Duration::ZERO,
                        });
                        self.groups.len() - 1
                    }
                };
                let group = &mut self.groups[place];
                group.cases.push(self.record.cases.len());
                group.common.push(common.clone());
                group.open.push(Vec::new());
                self.record.cases.push(empty_case(&of.name, common));
            }
        }
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

    /// Cases of a group that have not failed.
    fn healthy(&self, group: usize) -> Vec<usize> {
        let healthy = |&case: &usize| self.case(group, case).failures.is_empty();
        (0..self.groups[group].cases.len()).filter(healthy).listed()
    }

    /// Writes a failure down for its culprit, or for all that were loaded.
    fn note(&mut self, group: usize, error: &CaseError, loaded: &[usize]) {
        let culprits = match error.case {
            Some(case) => &loaded[case..=case],
            None => loaded,
        };
        let side = if error.side == 0 { Side::Base } else { Side::New };
        for &case in culprits {
            let failure = Failure {
                run: self.blocks,
                instance: error.instance,
                cause: error.cause.clone(),
                output: error.output.clone(),
            };
            let failures = &mut self.case_mut(group, case).failures;
            failures.push(SideFailure { side: Some(side), failure });
        }
    }

    /// Finds sizes for every cell. What fails here fails for good.
    fn pilots(&mut self, watcher: &mut dyn ComparisonWatcher) -> Result<(), i32> {
        for group in 0..self.groups.len() {
            // Each failure takes one case at least with it, so this ends.
            loop {
                let loaded = self.healthy(group);
                if loaded.is_empty() {
                    break;
                }
                if self.is_out_of_time() {
                    self.record.out_of_time = true;
                    return Ok(());
                }
                let what = format!("pilot of {}", self.case(group, loaded[0]).name);
                watcher.begin(&what, self.spent());
                match self.pilot(group, &loaded) {
                    // Sizes that were found on one processor say nothing of kernels with threads of their own.
                    Ok(true) if !self.groups[group].threaded => {
                        self.groups[group].threaded = true;
                        self.groups[group].sizes = Cells::new();
                    }
                    Ok(_) => break,
                    Err(Stop::Interrupted(signal)) => return Err(signal),
                    Err(Stop::Failed(error)) => self.note(group, &error, &loaded),
                }
            }
        }
        Ok(())
    }

    fn is_out_of_time(&self) -> bool {
        self.record.settings.max_seconds.is_some_and(|limit| self.spent().as_secs_f64() >= limit)
    }

    /// Returns whether threads that kernels started did much of the work.
    fn pilot(&mut self, group: usize, loaded: &[usize]) -> Result<bool, Stop> {
        let mut block = self.start(group, loaded, 0)?;
        if let Some(message) = differing_instances(&block.instances) {
            for &case in loaded {
                let cause = Cause::Misuse { message: message.clone() };
                let failure =
                    Failure { run: self.blocks, instance: None, cause, output: String::new() };
                let failures = &mut self.case_mut(group, case).failures;
                failures.push(SideFailure { side: None, failure });
            }
            return Ok(false);
        }
        let described: Vec<InstanceRecord> = block.instances[1]
            .iter()
            .map(|one| InstanceRecord { name: one.name.clone(), work: one.work.clone() })
            .listed();
        let base_work = block.instances[0].iter().map(|one| one.work.clone()).listed();
        let differs = !described.iter().map(|one| &one.work).eq(&base_work);
        let rows = described.len() + usize::from(described.len() > 1);
        for (position, &case) in loaded.iter().enumerate() {
            let compared = self.case_mut(group, case);
            compared.instances.clone_from(&described);
            if differs {
                compared.base_work.clone_from(&base_work);
            }
            let group = &mut self.groups[group];
            group.open[case] = vec![Missing::Sign; rows];
            for instance in 0..described.len() {
                let key = (case, instance);
                let common = &group.common[case];
                block.calibrate(
                    (position, instance),
                    common,
                    &mut group.sizes,
                    key,
                    &mut self.random,
                )?;
            }
        }
        let share = block.finish()?;
        Ok(share.is_some_and(|share| share > MUCH_BESIDE))
    }

    /// Starts the workers of a block with these cases loaded.
    fn start(&mut self, group: usize, loaded: &[usize], layout: usize) -> Result<Block<'m>, Stop> {
        let group = &self.groups[group];
        let subject = &self.subjects[group.subject];
        let pair = &subject.layouts[layout];
        let new = if group.control { subject.control.as_ref() } else { None };
        let programs = [&pair.base, new.unwrap_or(&pair.new)];
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
            confined: !group.threaded,
            // What is random and not code is the same on both sides, and drawn anew for each block.
            fixed_addresses: true,
            padding_bytes: self.random.below(4096),
        };
        Block::start(&plan, &mut self.random)
    }

    /// Chooses a case to be measured against a copy of its own base: one of the cheaper half, so that it costs little.
    fn choose_control(&mut self) {
        let mut all: Vec<(Duration, usize, usize)> = Vec::new();
        for (index, group) in self.groups.iter().enumerate() {
            if self.subjects[group.subject].control.is_none() {
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
        let mut sizes = Cells::new();
        let compared = self.case(group, case);
        for instance in 0..compared.instances.len() {
            if let Some(&known) = of.sizes.get((case, instance)) {
                sizes.insert((0, instance), known);
            }
        }
        let common = CommonCase { new: of.common[case].base.clone(), ..of.common[case].clone() };
        let open = vec![vec![Missing::Sign; of.open[case].len()]];
        let group = Group {
            subject: of.subject,
            control: true,
            cases: vec![self.record.control.len()],
            common: vec![common],
            open,
            sizes,
            threaded: of.threaded,
            blocks: 0,
            spent: Duration::ZERO,
        };
        let control = ComparedCase { blocks: Vec::new(), ..compared.clone() };
        self.record.control.push(control);
        self.groups.push(group);
    }

    /// Rounds over everything that is undecided.
    fn rounds(
        &mut self,
        judge: &mut dyn Judge,
        watcher: &mut dyn ComparisonWatcher,
    ) -> Result<(), i32> {
        for round in 0.. {
            let mut blocks = self.next_blocks();
            self.random.shuffle(&mut blocks);
            let mut measured = false;
            for (group, layout) in blocks {
                if !self.is_affordable(group) {
                    self.record.out_of_time = true;
                    continue;
                }
                measured = true;
                let name = &self.case(group, 0).name;
                watcher.begin(&format!("round {}: {name}", round + 1), self.spent());
                let begin = self.machine.now();
                self.block(group, round, layout)?;
                self.groups[group].blocks += 1;
                self.groups[group].spent += self.machine.now().saturating_sub(begin);
            }
            if !measured {
                return Ok(());
            }
            for group in 0..self.groups.len() {
                for case in 0..self.groups[group].cases.len() {
                    if self.groups[group].is_open(case) {
                        let compared = self.case(group, case);
                        let control = self.groups[group].control;
                        let missing = judge.missing(compared, &self.record.workers, control);
                        self.groups[group].open[case] = missing;
                    }
                }
            }
        }
        Ok(())
    }

    /// The blocks of the next round: group and layout.
    fn next_blocks(&self) -> Vec<(usize, usize)> {
        let mut blocks = Vec::new();
        for (index, group) in self.groups.iter().enumerate() {
            let open = self.healthy(index).into_iter().any(|case| group.is_open(case));
            let layouts = match group.control {
                true => 1,
                false => self.subjects[group.subject].layouts.len(),
            };
            let most = group.most(&self.record.settings);
            if open && group.blocks.saturating_add(layouts as u32) <= most {
                blocks.extend((0..layouts).map(|layout| (index, layout)));
            }
        }
        blocks
    }

    /// Whether the next block of a group is expected to end within the budget.
    fn is_affordable(&self, group: usize) -> bool {
        let Some(limit) = self.record.settings.max_seconds else { return true };
        let group = &self.groups[group];
        let expected = group.spent / group.blocks.max(1);
        limit - self.spent().as_secs_f64() > expected.as_secs_f64()
    }

    /// Measures one block of a group. A failure ends the case that caused it.
    fn block(&mut self, group: usize, round: u32, layout: usize) -> Result<(), i32> {
        let mut loaded = self.healthy(group);
        loaded.retain(|&case| self.groups[group].is_open(case));
        if loaded.is_empty() {
            return Ok(());
        }
        match self.measure_block(group, &loaded, round, layout) {
            Ok(()) => Ok(()),
            Err(Stop::Interrupted(signal)) => Err(signal),
            Err(Stop::Failed(error)) => {
                self.note(group, &error, &loaded);
                Ok(())
            }
        }
    }

    fn measure_block(
        &mut self,
        group: usize,
        loaded: &[usize],
        round: u32,
        layout: usize,
    ) -> Result<(), Stop> {
        let mut cells: Vec<(usize, usize)> = Vec::new();
        for (position, &case) in loaded.iter().enumerate() {
            let instances = self.case(group, case).instances.len();
            let wanted = self.groups[group].wanted(case, instances);
            cells.extend(wanted.into_iter().map(|instance| (position, instance)));
        }
        self.random.shuffle(&mut cells);
        let (number, workers) = (self.blocks, self.record.workers.len());
        let mut block = self.start(group, loaded, layout)?;
        let mut found = Vec::new();
        for (position, instance) in cells {
            let case = loaded[position];
            let of = &mut self.groups[group];
            let common = &of.common[case];
            let taken = block.pairs(
                (position, instance),
                common,
                &mut of.sizes,
                (case, instance),
                &mut self.random,
            )?;
            found.push((case, taken.record((number, instance), (round, layout), workers)));
        }
        block.note_usage()?;
        let facts = block.end()?;
        self.record.workers.extend(facts);
        for (case, one) in found {
            self.case_mut(group, case).blocks.push(one);
        }
        self.blocks += 1;
        Ok(())
    }

    fn end(mut self, interrupted: Option<i32>) -> ComparisonRecord {
        for index in 0..self.groups.len() {
            let (blocks, spent) = (self.groups[index].blocks, self.groups[index].spent);
            for case in 0..self.groups[index].cases.len() {
                self.case_mut(index, case).block_seconds =
                    (blocks > 0).then(|| spent.as_secs_f64() / f64::from(blocks));
            }
        }
        self.record.seconds = self.spent().as_secs_f64();
        self.record.interrupted = interrupted;
        self.record
    }
}

/// The sentence for sides that do not have the same instances.
fn differing_instances(instances: &[Vec<Instance>]) -> Option<String> {
    let names = |side: &[Instance]| -> Vec<String> {
        side.iter().map(|instance| instance.name.clone()).listed()
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
