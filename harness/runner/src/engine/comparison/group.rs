//! Benchmarks that are loaded together, with their remaining proofs.

use std::time::Duration;

use super::{CommonCase, Subject};
use crate::{
    analysis::verdict::pairs_of_a_block,
    engine::{
        block::metrics_of,
        cells::{Cell, Cells},
        sizes::Sizes,
    },
    record::{ComparedCase, ComparisonRecord, ComparisonSettings, Measurement},
    results::{Missing, Outlook},
};

/// The time that a benchmark of a group may take for further blocks.
const SENSIBLE: Duration = Duration::from_secs(10);

/// The most blocks of a benchmark with a verdict whose change is to be known better.
const DECIDED: u32 = 60;

/// Benchmarks of a subject that share an input, and are loaded together.
#[derive(Default)]
pub(super) struct Group {
    pub(super) subject: usize,
    pub(super) control: bool,
    /// It failed in a process that others had used.
    pub(super) alone: bool,
    /// Its set-up takes long, or that of a benchmark before it in the process of its pilot.
    pub(super) slow: bool,
    /// All its benchmarks wait for the others.
    pub(super) later: bool,
    /// Indices into the cases of the record, or into its controls.
    pub(super) cases: Vec<usize>,
    /// Each case as base and new describe it.
    pub(super) common: Vec<CommonCase>,
    /// For each case, the remaining proofs of its rows; empty before the pilot.
    pub(super) open: Vec<Vec<Outlook>>,
    pub(super) sizes: Cells<Sizes>,
    pub(super) costs: Costs,
    pub(super) blocks: u32,
    /// The pairs of processes of these blocks.
    pub(super) processes: u32,
    pub(super) spent: Spent,
}

#[derive(Default)]
pub(super) struct Spent {
    /// Of a benchmark that all blocks had, its part.
    each: Duration,
    /// That of the present block so far, and its pairs of processes.
    present: (Duration, u32),
    /// Of the last block, or more after longer ones: later ones have fewer benchmarks.
    block: Duration,
}

#[derive(Default)]
pub(super) struct Costs {
    /// Of each cell, the time of its turns, in which both sides give a sample, and their number: those of warming up are as
    /// long as those of pairs.
    cells: Cells<(Duration, u32)>,
    /// Of the present block, the time of pairs that count, in all its cells, and the number of these.
    present: (Duration, u32),
    /// The time of a cell in a block besides these: the later ones count most, as they wait for links that the first do not.
    besides: Option<Duration>,
}

impl Costs {
    pub(super) fn add(&mut self, cell: Cell, time: Duration, sizes: Sizes) {
        let turns = (sizes.samples + sizes.warm_up).max(1);
        let (before, count) = self.cells.get(cell).copied().unwrap_or_default();
        self.cells.insert(cell, (before + time, count + turns));
        let (pairs, cells) = self.present;
        self.present = (pairs + time / turns * sizes.samples, cells + 1);
    }

    /// Ends a block, which took so long as a whole.
    pub(super) fn end_block(&mut self, took: Duration) {
        let (pairs, cells) = std::mem::take(&mut self.present);
        let besides = took.saturating_sub(pairs) / cells.max(1);
        self.besides = Some(self.besides.map_or(besides, |before| (before + besides) / 2));
    }

    /// Returns the cost of a cell in a block besides its pairs, and of each of its pairs.
    fn of(&self, cell: Cell) -> Option<[f64; 2]> {
        let (time, turns) = self.cells.get(cell).filter(|(time, _)| !time.is_zero())?;
        Some([self.besides?.as_secs_f64(), time.as_secs_f64() / f64::from(*turns)])
    }
}

impl Group {
    pub(super) fn is_open(&self, case: usize) -> bool {
        self.open[case].iter().any(|row| row.missing != Missing::Nothing)
    }

    /// Adds the time of a pair of processes that measured this number of its benchmarks.
    pub(super) fn add(&mut self, benchmarks: usize, took: Duration) {
        self.spent.each += took / u32::try_from(benchmarks).unwrap_or(u32::MAX);
        let (before, processes) = self.spent.present;
        self.spent.present = (before + took, processes + 1);
    }

    pub(super) fn end_block(&mut self) {
        let (took, processes) = std::mem::take(&mut self.spent.present);
        self.costs.end_block(took);
        self.spent.block = took.max((self.spent.block + took) / 2);
        self.blocks += 1;
        self.processes += processes;
    }

    pub(super) fn block_time(&self) -> Duration {
        self.spent.block
    }

    /// Returns the most blocks for a missing proof: more if they are short and nothing is proven.
    fn most_for(&self, missing: Missing, settings: &ComparisonSettings) -> u32 {
        let most = settings.maximum_blocks;
        match missing {
            Missing::Nothing => 0,
            // A number that the user asks for holds for all.
            Missing::Size if settings.further_blocks == 0 => most,
            Missing::Size => most.min(DECIDED),
            Missing::Sign => {
                let part = self.spent.each / self.blocks.max(1);
                let sensible = SENSIBLE.as_secs_f64() / part.as_secs_f64().max(1e-6);
                (sensible as u32).clamp(most, most.saturating_add(settings.further_blocks))
            }
        }
    }

    /// The rows that may still get a verdict, or a final one, with the blocks that the group may take for that.
    fn hopeful(&self, settings: &ComparisonSettings) -> impl Iterator<Item = (&Outlook, u32)> {
        let rows = self.open.iter().flatten();
        rows.map(move |row| (row, self.most_for(row.missing, settings))).filter(
            move |(row, most)| {
                self.blocks < *most && row.soonest.is_none_or(|soonest| soonest <= *most as usize)
            },
        )
    }

    /// The blocks that it may take in all.
    pub(super) fn most(&self, settings: &ComparisonSettings) -> u32 {
        self.hopeful(settings).map(|(_, most)| most).max().unwrap_or(self.blocks)
    }

    /// Whether more blocks may bring a verdict.
    pub(super) fn is_wanted(&self, settings: &ComparisonSettings) -> bool {
        self.hopeful(settings).next().is_some()
    }

    /// The time until its next verdict, if it is known, or else that of a block.
    pub(super) fn likely_cost(&self, settings: &ComparisonSettings) -> Duration {
        let more = |(row, most): (&Outlook, u32)| {
            let likely = row.likely.map_or(0, |blocks| u32::try_from(blocks).unwrap_or(u32::MAX));
            likely.clamp(self.blocks + 1, most) - self.blocks
        };
        let next = self.hopeful(settings).map(more).min().unwrap_or(0);
        self.block_time().saturating_mul(next)
    }

    /// Gives each cell as many pairs in its next blocks as bring a verdict soonest, and no longer warm-up than it needs, by its
    /// blocks so far.
    pub(super) fn choose_sizes(&mut self, case: usize, compared: &ComparedCase) {
        for (instance, row) in self.open[case].iter().enumerate() {
            let cell = (case, instance);
            let wishes = self.common[case].new.wishes;
            if let Some(&sizes) = self.sizes.get(cell) {
                let blocks = compared.blocks.iter().filter(|block| block.base.instance == instance);
                let blocks =
                    blocks.map(|block| [&block.base, &block.new].map(times)).collect::<Vec<_>>();
                self.sizes.insert(cell, sizes.with_short_warm_up(&blocks));
            }
            let known = self.sizes.get(cell).zip(row.by_pairs).zip(self.costs.of(cell));
            let Some(((&sizes, blocks), [block, pair])) = known else { continue };
            // Pairs of a block are divided among its processes.
            let processes = f64::from(self.processes) / f64::from(self.blocks.max(1));
            let least = sizes.least_pairs();
            let best = f64::from(pairs_of_a_block(processes * block, pair, &blocks, least));
            let best = ((best / processes) as u32).max(least);
            self.sizes.insert(cell, sizes.with_pairs(best, wishes));
        }
    }

    /// Returns the instances of a case to be measured in the next block: while they, or the case as a whole, are
    /// inconclusive.
    pub(super) fn wanted(&self, case: usize, instances: usize) -> Vec<usize> {
        let is_open = |row: usize| {
            self.open[case].get(row).is_some_and(|row| row.missing != Missing::Nothing)
        };
        let whole = is_open(instances);
        (0..instances).filter(|&instance| whole || is_open(instance)).collect()
    }
}

/// The times of a side while it warms up, and its times that count.
fn times(side: &Measurement) -> (&[u64], &[u64]) {
    (&side.warm_up_ns, &side.wall_ns)
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
                    groups.push(Group { subject, later: true, ..Group::default() });
                    groups.len() - 1
                }
            };
            let group = &mut groups[place];
            group.cases.push(record.cases.len());
            group.later &= common.later;
            group.common.push(common.clone());
            group.open.push(Vec::new());
            record.cases.push(empty_case(of.name_of(common), common));
        }
    }
    groups
}

fn empty_case(name: String, common: &CommonCase) -> ComparedCase {
    let CommonCase { new, margin, .. } = common;
    ComparedCase {
        name,
        function: new.function.clone(),
        problem: new.problem.clone(),
        point: new.point.clone(),
        size: new.size,
        models: new.models.clone(),
        processors: new.processors,
        threads: new.threads,
        metrics: metrics_of(common).to_vec(),
        file: Some(new.file.clone()),
        line: Some(new.line),
        margin: *margin,
        ..ComparedCase::default()
    }
}
