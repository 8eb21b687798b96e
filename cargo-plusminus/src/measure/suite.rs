//! The suite: pilots first, then rounds of blocks over everything that is not decided yet, in random order.

use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

use plusminus::__runner::{Listed, Random, interrupt};
use plusminus_analysis::verdict::{Doubt, Verdict};

use super::{
    block::{CellSamples, Trouble, TwoWorkers, Which},
    pairs::summarise,
    pilot::{find_plan, was_steady},
    plan::{Clock, Plan},
    row::{Block, Decided, Row, RowResult},
    side::{Problem, Side, TIMEOUT},
};

/// Base and new of one bench target.
#[derive(Debug, Clone)]
pub(crate) struct Version {
    pub(crate) base: Side,
    pub(crate) new: Side,
}

/// One bench target with the benchmarks that both sides have.
#[derive(Debug)]
pub(crate) struct Subject {
    /// What stands before the names of its benchmarks; empty if there is only one target.
    pub(crate) name: String,
    /// The programs: one version, or several re-links of it.
    pub(crate) versions: Vec<Version>,
    /// A copy of base for the A/A control.
    pub(crate) control: Option<Side>,
    /// The benchmarks: as base and as new list them.
    pub(crate) common: Vec<(Listed, Listed)>,
}

/// What decides, and what may be spent.
#[derive(Debug, Clone)]
pub(crate) struct Settings {
    /// Margin of benchmarks whose attribute gives none, as a fraction.
    pub(crate) margin: f64,
    /// The margin counts more than that of attributes.
    pub(crate) margin_for_all: bool,
    pub(crate) alpha: f64,
    /// Blocks after which a benchmark is left undecided.
    pub(crate) maximum_blocks: u32,
    /// Time after which no block is begun.
    pub(crate) budget: Duration,
    pub(crate) seed: u64,
}

/// Why a benchmark has no verdict.
#[derive(Debug, Clone)]
pub(crate) struct Failure {
    /// The side; `None` if it lies between them.
    pub(crate) which: Option<Which>,
    pub(crate) message: String,
}

/// A benchmark with its verdicts: one for each instance, and then one for all if there are several.
#[derive(Debug, Clone)]
pub(crate) struct CaseResult {
    /// Its name, with the target in front where there are several.
    pub(crate) name: String,
    /// As new lists it.
    pub(crate) listed: Listed,
    pub(crate) rows: Vec<RowResult>,
    pub(crate) failure: Option<Failure>,
    /// Time that its blocks took, on average.
    pub(crate) block_seconds: Option<f64>,
}

/// Everything that was found.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) cases: Vec<CaseResult>,
    /// The A/A control.
    pub(crate) control: Option<CaseResult>,
    /// M: rows that could have raised an alarm.
    pub(crate) rows: usize,
    pub(crate) interrupted: Option<i32>,
    /// The time budget ended measuring.
    pub(crate) out_of_time: bool,
    /// Wall time of all of it.
    pub(crate) seconds: f64,
    /// Of this, the pilots.
    pub(crate) pilot_seconds: f64,
    /// Of this, inside the windows of samples that count.
    pub(crate) window_seconds: f64,
}

/// Is told what goes on.
pub(crate) trait Watcher {
    /// Something is about to be measured.
    fn begin(&mut self, what: &str);
}

/// One benchmark while it is measured.
struct CaseRun {
    name: String,
    base: Listed,
    new: Listed,
    margin: f64,
    plans: Vec<Plan>,
    rows: Vec<Row>,
    failure: Option<Failure>,
}

/// Benchmarks that share an input, and are loaded together.
struct Group {
    subject: usize,
    control: bool,
    cases: Vec<CaseRun>,
    blocks: u32,
    seconds: f64,
}

/// Measures until everything is decided, or nothing more may be spent.
pub(crate) fn measure(
    subjects: &[Subject],
    settings: &Settings,
    watcher: &mut dyn Watcher,
) -> Outcome {
    let mut suite = Suite {
        subjects,
        settings,
        random: Random::new(settings.seed),
        clock: Clock::measured(),
        begin: Instant::now(),
        window_ns: 0,
        out_of_time: false,
    };
    let mut groups = groups(subjects, settings);
    let mut interrupted = suite.pilots(&mut groups, watcher).err();
    let pilot_seconds = suite.begin.elapsed().as_secs_f64();
    let rows = groups.iter().flat_map(|group| &group.cases).map(|case| case.rows.len()).sum();
    groups.extend(suite.control(&groups));
    let layouts = subjects.iter().map(|subject| subject.versions.len()).max().unwrap_or(1);
    if interrupted.is_none() {
        interrupted = suite.rounds(&mut groups, rows, layouts, watcher).err();
    }
    let mut cases: Vec<(usize, CaseResult)> = Vec::new();
    let mut control = None;
    for group in groups {
        // The control is two copies of one binary: there is no layout to average over.
        let layouts = if group.control { 1 } else { layouts };
        let seconds = (group.blocks > 0).then(|| group.seconds / f64::from(group.blocks));
        for case in group.cases {
            let result = case.conclude(rows, layouts, settings.alpha, seconds);
            if group.control {
                control = Some(result);
            } else {
                cases.push((group.subject, result));
            }
        }
    }
    if let Some(verdict) = control.as_ref().and_then(alarm_of) {
        let all = cases.iter_mut().flat_map(|(_, case)| &mut case.rows);
        all.for_each(|row| row.doubts.insert(0, Doubt::ControlDiffers { verdict }));
    }
    Outcome {
        cases: cases.into_iter().map(|(_, case)| case).collect(),
        control,
        rows,
        interrupted,
        out_of_time: suite.out_of_time,
        seconds: suite.begin.elapsed().as_secs_f64(),
        pilot_seconds,
        window_seconds: suite.window_ns as f64 / 1e9,
    }
}

/// Faster or slower, if the benchmark as a whole is said to be.
fn alarm_of(case: &CaseResult) -> Option<Verdict> {
    let verdict = case.rows.last()?.judgement.verdict;
    matches!(verdict, Verdict::Faster | Verdict::Slower).then_some(verdict)
}

/// The benchmarks of all subjects, grouped by the input that they share on both sides.
fn groups(subjects: &[Subject], settings: &Settings) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for (index, subject) in subjects.iter().enumerate() {
        let mut of_tables: BTreeMap<(usize, usize), usize> = BTreeMap::new();
        for (base, new) in &subject.common {
            let place = *of_tables.entry((base.table, new.table)).or_insert_with(|| {
                groups.push(Group {
                    subject: index,
                    control: false,
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
    fn is_open(&self) -> bool {
        self.failure.is_none() && self.rows.iter().any(|row| row.open)
    }

    /// Whether an instance is measured in the next block: while it, or all of them together, are undecided.
    fn wants(&self, instance: usize) -> bool {
        let whole = self.rows.len() > self.plans.len() && self.rows[self.plans.len()].open;
        self.failure.is_none() && (whole || self.rows[instance].open)
    }

    fn conclude(
        self,
        rows: usize,
        layouts: usize,
        alpha: f64,
        block_seconds: Option<f64>,
    ) -> CaseResult {
        let by = Decided { margin: self.margin, alpha, rows, layouts };
        let rows = self.rows.iter().map(|row| row.conclude(&by)).collect();
        CaseResult { name: self.name, listed: self.new, rows, failure: self.failure, block_seconds }
    }
}

impl Group {
    fn healthy(&self) -> Vec<usize> {
        (0..self.cases.len()).filter(|&index| self.cases[index].failure.is_none()).collect()
    }

    /// Writes down who failed. `loaded` are the cases that the workers know.
    fn note(&mut self, trouble: &Trouble, loaded: &[usize]) -> Result<(), i32> {
        let message = match &trouble.problem {
            Problem::Interrupted(signal) => return Err(*signal),
            Problem::Failed(message) => message.clone(),
        };
        let culprits = match trouble.case {
            Some(index) => vec![loaded[index]],
            None => loaded.to_vec(),
        };
        for index in culprits {
            let failure = Failure { which: Some(trouble.which), message: message.clone() };
            self.cases[index].failure = Some(failure);
        }
        Ok(())
    }

    fn processors(&self) -> usize {
        self.cases[0].new.processors
    }

    fn allowed(&self) -> Duration {
        let longest = self.cases.iter().filter_map(|case| case.new.timeout).fold(0.0, f64::max);
        if longest > 0.0 { Duration::from_secs_f64(longest) } else { TIMEOUT }
    }

    fn names(&self, of: &[usize]) -> [Vec<String>; 2] {
        let cases = || of.iter().map(|&index| &self.cases[index]);
        [
            cases().map(|case| case.base.name.clone()).collect(),
            cases().map(|case| case.new.name.clone()).collect(),
        ]
    }
}

struct Suite<'a> {
    subjects: &'a [Subject],
    settings: &'a Settings,
    random: Random,
    clock: Clock,
    begin: Instant,
    window_ns: u64,
    out_of_time: bool,
}

impl Suite<'_> {
    /// Finds a plan for every cell. What fails here fails for good.
    fn pilots(&mut self, groups: &mut [Group], watcher: &mut dyn Watcher) -> Result<(), i32> {
        for group in groups {
            // Each failure takes one case at least with it, so this ends.
            while !group.healthy().is_empty() {
                if let Some(signal) = interrupt() {
                    return Err(signal);
                }
                watcher.begin(&format!("pilot of {}", group.cases[0].name));
                let loaded = group.healthy();
                match self.pilot(group, &loaded) {
                    Ok(()) => break,
                    Err(trouble) => group.note(&trouble, &loaded)?,
                }
            }
        }
        Ok(())
    }

    fn pilot(&mut self, group: &mut Group, loaded: &[usize]) -> Result<(), Trouble> {
        let version = &self.subjects[group.subject].versions[0];
        let names = group.names(loaded);
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
            let failure = Failure { which: None, message };
            loaded.iter().for_each(|&case| group.cases[case].failure = Some(failure.clone()));
            return Ok(());
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
        workers.finish()
    }

    /// One case to be measured against a copy of its own base: of the cheaper half, so that it costs little.
    fn control(&mut self, groups: &[Group]) -> Option<Group> {
        let cost = |case: &CaseRun| -> f64 {
            case.plans.iter().map(|plan| f64::from(plan.pairs) * plan.whole_ns).sum()
        };
        let mut all: Vec<(f64, usize, &CaseRun)> = groups
            .iter()
            .filter(|group| self.subjects[group.subject].control.is_some())
            .flat_map(|group| group.cases.iter().map(|case| (group.subject, case)))
            .filter(|(_, case)| case.failure.is_none() && !case.rows.is_empty())
            .map(|(subject, case)| (cost(case), subject, case))
            .collect();
        all.sort_by(|a, b| a.0.total_cmp(&b.0));
        let half = all.len().div_ceil(2);
        if half == 0 {
            return None;
        }
        let (_, subject, case) = all[self.random.below(half)];
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
        Some(Group { subject, control: true, cases: vec![run], blocks: 0, seconds: 0.0 })
    }

    /// Rounds over what is undecided, until nothing is or nothing more may be spent.
    fn rounds(
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
        let summary = summarise(&samples.pairs, plan.tells_interruptions)?;
        let window = |pair: &super::pairs::PairOfSamples| pair.base.wall_ns + pair.new.wall_ns;
        self.window_ns += samples.pairs.iter().map(window).sum::<u64>();
        let steady: Vec<bool> = [&samples.base, &samples.new]
            .into_iter()
            .filter_map(|series| was_steady(series))
            .collect();
        Some(Block {
            round,
            layout,
            log_ratio: summary.log_ratio,
            cpu_log_ratio: summary.cpu_log_ratio,
            mean_log_ratio: summary.mean_log_ratio,
            clean: summary.clean,
            clean_only: summary.clean_only,
            base_ns: summary.base_ns / plan.calls as f64,
            new_ns: summary.new_ns / plan.calls as f64,
            told: steady.len() as u32,
            unsteady: steady.iter().filter(|steady| !**steady).count() as u32,
        })
    }
}

impl CaseRun {
    /// Adds the blocks of its instances, and that of all together if all were measured.
    fn take(&mut self, case: usize, found: &BTreeMap<(usize, usize), Block>) {
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

/// All instances of a block as one: the mean of the log-ratios, which is the geometric mean of the speedups.
fn together(blocks: &[&Block]) -> Block {
    let count = blocks.len() as f64;
    let mean = |value: fn(&Block) -> f64| blocks.iter().map(|b| value(b)).sum::<f64>() / count;
    let all = |value: fn(&Block) -> Option<f64>| {
        let values: Option<Vec<f64>> = blocks.iter().map(|block| value(block)).collect();
        values.map(|values| values.iter().sum::<f64>() / count)
    };
    Block {
        round: blocks[0].round,
        layout: blocks[0].layout,
        log_ratio: mean(|block| block.log_ratio),
        cpu_log_ratio: all(|block| block.cpu_log_ratio),
        mean_log_ratio: mean(|block| block.mean_log_ratio),
        clean: all(|block| block.clean),
        clean_only: blocks.iter().any(|block| block.clean_only),
        base_ns: mean(|block| block.base_ns),
        new_ns: mean(|block| block.new_ns),
        told: blocks.iter().map(|block| block.told).sum(),
        unsteady: blocks.iter().map(|block| block.unsteady).sum(),
    }
}
