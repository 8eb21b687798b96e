//! One block of a comparison: a fresh worker of each side, asked in turns.

use super::{
    Random,
    asking::Stop,
    cells::{Cell, Cells},
    comparison::CommonCase,
    count::resources,
    plan::Plan,
    sampling::{Sampler, Taken},
    sizes::{Design, Sizes},
    workers::Workers,
};
use crate::record::{
    BlockRecord, ComparedCase, InstanceRecord, MemoryUse, MetricRecord, Resources, WorkerRecord,
};
use plusminus_worker::protocol::Request;

/// Both workers, with the instances of each side.
pub(super) struct Block<'m> {
    pub(super) workers: Workers<'m>,
    pub(super) instances: Vec<Vec<InstanceRecord>>,
}

pub(super) struct Pairs {
    base: Taken,
    new: Taken,
    /// The side that came first in each pair.
    order: String,
    sizes: Sizes,
    /// Metrics that both sides have.
    metrics: usize,
    resources: Counts,
}

/// Resources of a call of base and of new besides time, if they were counted.
pub(super) type Counts = [Option<Resources>; 2];

fn memory(counted: &Option<Resources>) -> Option<MemoryUse> {
    counted.as_ref()?.memory
}

impl<'m> Block<'m> {
    /// Starts the block with these workers of the one before, or with new ones.
    pub(super) fn start(
        plan: &Plan<'_, 'm>,
        idle: Option<Workers<'m>>,
        random: &mut Random,
    ) -> Result<Self, Stop> {
        let (workers, instances) =
            Workers::start(plan, idle, random).map_err(|failed| failed.stop)?;
        Ok(Self { workers, instances })
    }

    fn sampler<'a>(
        &'a mut self,
        common: &'a CommonCase,
        cell: Cell,
        random: &'a mut Random,
    ) -> Sampler<'a, 'm> {
        let (case, wishes, design) = (&common.new, common.new.wishes, Design::Pairs);
        Sampler { workers: &mut self.workers, random, cell, case, wishes, design }
    }

    pub(super) fn calibrate(
        &mut self,
        cell: Cell,
        common: &CommonCase,
        sizes: &mut Cells<Sizes>,
        key: Cell,
        random: &mut Random,
    ) -> Result<(), Stop> {
        self.sampler(common, cell, random).prepare(sizes, key, 0).map(drop)
    }

    /// Warms both sides up, and takes the pairs of a cell. The side `begins` has the first sample of the first one; then they begin in
    /// turns, so that each first sample follows one of its own side, and each second one follows the other side. `count` are the
    /// resources of its calls that were counted last, if they are to be counted again.
    pub(super) fn pairs(
        &mut self,
        (cell, begins): (Cell, usize),
        common: &CommonCase,
        sizes: &mut Cells<Sizes>,
        key: Cell,
        count: Option<&Counts>,
        random: &mut Random,
    ) -> Result<Pairs, Stop> {
        let known = sizes.get(key).copied();
        // If a sample is one call, one that warms up is counted: that costs nothing.
        let early = known.filter(|sizes| sizes.calls == 1 && sizes.warm_up > 0);
        let before = count.filter(|counts| counts.iter().all(|one| memory(one).is_some()));
        let counted = match early.zip(before) {
            Some((sizes, _)) => self.count(cell, sizes, sizes.warm_up == 1)?,
            None => [None, None],
        };
        let made = u32::from(counted != [None, None]);
        let mut sampler = self.sampler(common, cell, random);
        let mut taken = sampler.prepare(sizes, key, made)?;
        let own = sizes[key];
        let mut order = String::new();
        let mut sides = [begins, 1 - begins];
        for pair in 0..own.samples {
            let turn = (1, pair == 0);
            match own.time_shared {
                true => sampler.take_at_once(sides[0], own, turn, &mut taken)?,
                false => sampler.take_turn(&sides, own, turn, &mut taken)?,
            }
            order.push(if sides[0] == 0 { 'b' } else { 'n' });
            sides.reverse();
        }
        // Processor time does not contain what it waits for, so later blocks take turns.
        let time_shared = own.time_shared && taken.iter().all(Taken::computes);
        sizes.insert(key, Sizes { time_shared, rests: self.workers.rests, ..own });
        let new = taken.pop().unwrap_or_default();
        let base = taken.pop().unwrap_or_default();
        let metrics = metrics_of(common).len();
        // The first call of a process may allocate what later ones use. As in `cargo bench`, a kernel that is too long to be
        // warmed up is not called once more.
        let is_known = before.is_some_and(|before| *before == counted);
        let resources = match count.is_some() && own.warm_up > 0 && !is_known {
            true => self.count(cell, own, false)?,
            false => counted,
        };
        Ok(Pairs { base, new, order, sizes: own, metrics, resources })
    }

    fn count(&mut self, cell: Cell, sizes: Sizes, check: bool) -> Result<Counts, Stop> {
        let mut count = |side| resources(&mut self.workers, side, cell, sizes, check);
        Ok([count(0)?, count(1)?])
    }

    /// Ends the block. Returns the facts about its workers, and these, which may load others.
    pub(super) fn end(mut self) -> Result<(Vec<WorkerRecord>, Workers<'m>), Stop> {
        self.workers.release(&Request::Pause)?;
        Ok((self.workers.facts(), self.workers))
    }
}

impl Pairs {
    /// Returns the part of a block that a record keeps. `workers` is the index of the worker of base.
    pub(super) fn record(
        self,
        (block, instance): (u32, usize),
        (round, layout): (u32, u32),
        workers: usize,
    ) -> BlockRecord {
        let at = (block, instance);
        let mut base = self.base.measurement(at, workers, self.sizes, self.metrics);
        let mut new = self.new.measurement(at, workers + 1, self.sizes, self.metrics);
        [base.resources, new.resources] = self.resources;
        let time_shared = self.sizes.time_shared;
        BlockRecord { round, layout, order: self.order, time_shared, base, new }
    }
}

/// The metrics of a benchmark, if both sides have the same.
pub(super) fn metrics_of(common: &CommonCase) -> &[MetricRecord] {
    if common.base.metrics == common.new.metrics { &common.new.metrics } else { &[] }
}

/// Returns the side that begins the pairs of an instance in the next process: not that of the last process. `None` if it is the first
/// one.
pub(super) fn begins(case: &ComparedCase, instance: usize) -> Option<usize> {
    let last = case.blocks.iter().rfind(|block| block.base.instance == instance)?;
    Some(usize::from(last.order.starts_with('b')))
}

/// Returns the counts of an instance so far if the next block has its calls counted: those of the latest block. One block
/// shows whether anything can be counted: two are enough for counts that are the same on both sides, and a difference has to
/// show in six. Events scatter, so that every block counts them.
pub(super) fn wants_count(case: &ComparedCase, instance: usize) -> Option<Counts> {
    let blocks = case.blocks.iter().filter(|block| block.base.instance == instance);
    let counts: Vec<[&Option<Resources>; 2]> =
        blocks.map(|block| [&block.base.resources, &block.new.resources]).collect();
    let Some(first) = counts.first() else { return Some([None, None]) };
    let counted: Vec<_> =
        counts.iter().filter(|sides| sides.iter().all(|side| side.is_some())).collect();
    let has_events = first[0].as_ref().is_some_and(|found| !found.counters.is_empty());
    let differs = counted.iter().any(|[base, new]| memory(base) != memory(new));
    let is_wanted = has_events || counted.len() < if differs { 6 } else { 2 };
    let latest = counted.last().filter(|_| is_wanted && first.iter().all(|side| side.is_some()))?;
    Some([latest[0].clone(), latest[1].clone()])
}
