//! One block of a comparison: a fresh worker of each side, asked in turns.

use super::{
    Random,
    asking::Stop,
    cells::{Cell, Cells},
    comparison::CommonCase,
    count::resources,
    sampling::{Taken, Target, prepare, take_turn},
    sizes::{Design, Sizes},
    workers::{Plan, Workers},
};
use crate::record::{
    BlockRecord, ComparedCase, InstanceRecord, Measurement, MetricRecord, Resources, WorkerRecord,
};

/// Both workers, with the instances of each side.
pub(super) struct Block<'m> {
    workers: Workers<'m>,
    pub(super) instances: Vec<Vec<InstanceRecord>>,
}

/// The pairs of one cell.
pub(super) struct Pairs {
    base: Taken,
    new: Taken,
    /// The side that came first in each pair.
    order: String,
    sizes: Sizes,
    /// Metrics that both sides have.
    metrics: usize,
    /// Resources of a call of base and of new besides time, if they were counted.
    resources: [Option<Resources>; 2],
}

impl<'m> Block<'m> {
    pub(super) fn start(plan: &Plan<'_, 'm>, random: &mut Random) -> Result<Self, Stop> {
        let (workers, instances) = Workers::start(plan, random).map_err(|failed| failed.stop)?;
        Ok(Self { workers, instances })
    }

    fn target<'c>(common: &'c CommonCase, cell: Cell) -> Target<'c> {
        let wishes = common.new.wishes;
        Target { cell, case: &common.new, wishes, design: Design::Pairs }
    }

    /// Finds the sizes of a cell.
    pub(super) fn calibrate(
        &mut self,
        cell: Cell,
        common: &CommonCase,
        sizes: &mut Cells<Sizes>,
        key: Cell,
        random: &mut Random,
    ) -> Result<(), Stop> {
        let target = Self::target(common, cell);
        prepare(&mut self.workers, &target, sizes, key, random).map(drop)
    }

    /// Warms both sides up, and takes the pairs of a cell, each in random order.
    pub(super) fn pairs(
        &mut self,
        cell: Cell,
        common: &CommonCase,
        sizes: &mut Cells<Sizes>,
        key: Cell,
        random: &mut Random,
    ) -> Result<Pairs, Stop> {
        let target = Self::target(common, cell);
        let mut taken = prepare(&mut self.workers, &target, sizes, key, random)?;
        let own = sizes[key];
        let mut order = String::new();
        for pair in 0..own.samples {
            let turn = (1, pair == 0);
            let first = take_turn(&mut self.workers, &target, own, turn, random, &mut taken)?;
            order.push(if first == 0 { 'b' } else { 'n' });
        }
        let new = taken.pop().unwrap_or_default();
        let base = taken.pop().unwrap_or_default();
        let metrics = metrics_of(common).len();
        Ok(Pairs { base, new, order, sizes: own, metrics, resources: [None, None] })
    }

    /// Counts the resources of a call of a cell on both sides, after its pairs.
    pub(super) fn count(&mut self, cell: Cell, pairs: &mut Pairs) -> Result<(), Stop> {
        // As `cargo bench` does: a kernel that is too long to be warmed up is not called once more.
        if pairs.sizes.warm_up > 0 {
            for (side, found) in pairs.resources.iter_mut().enumerate() {
                *found = resources(&mut self.workers, side, cell, pairs.sizes)?;
            }
        }
        Ok(())
    }

    pub(super) fn note_usage(&mut self) -> Result<(), Stop> {
        self.workers.note_usage()
    }

    /// Ends a pilot.
    pub(super) fn finish(mut self) -> Result<(), Stop> {
        self.workers.finish()
    }

    /// Ends the block. Returns the facts about its workers.
    pub(super) fn end(mut self) -> Result<Vec<WorkerRecord>, Stop> {
        self.workers.finish()?;
        Ok(self.workers.facts())
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
        BlockRecord { round, layout, order: self.order, base, new }
    }
}

/// The metrics of a benchmark, if both sides have the same.
pub(super) fn metrics_of(common: &CommonCase) -> &[MetricRecord] {
    if common.base.metrics == common.new.metrics { &common.new.metrics } else { &[] }
}

/// Returns whether the next block of an instance has its calls counted. One block shows whether anything can be: two are
/// enough for counts that are the same on both sides, and a difference has to show in six. Events scatter, so that every
/// block counts them.
pub(super) fn wants_count(case: &ComparedCase, instance: usize) -> bool {
    let mut blocks = case.blocks.iter().filter(|block| block.base.instance == instance);
    let Some(first) = blocks.clone().next() else { return true };
    let counted =
        |block: &BlockRecord| block.base.resources.is_some() && block.new.resources.is_some();
    let has_events = first.base.resources.as_ref().is_some_and(|found| !found.counters.is_empty());
    let count = blocks.clone().filter(|block| counted(block)).count();
    let memory =
        |measured: &Measurement| measured.resources.as_ref().and_then(|found| found.memory);
    let differs = blocks.any(|block| memory(&block.base) != memory(&block.new));
    counted(first) && (has_events || count < if differs { 6 } else { 2 })
}
