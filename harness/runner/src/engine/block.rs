//! One block of a comparison: a fresh worker of each side, asked in turns.

use super::{
    Random,
    asking::Stop,
    cells::{Cell, Cells},
    comparison::CommonCase,
    sampling::{Taken, Target, prepare, take_turn},
    sizes::{Design, Sizes},
    workers::{Plan, Workers},
};
use crate::record::{BlockRecord, InstanceRecord, WorkerRecord};

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
        Ok(Pairs { base, new, order, sizes: own })
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
        let base = self.base.measurement(at, workers, self.sizes, 0);
        let new = self.new.measurement(at, workers + 1, self.sizes, 0);
        BlockRecord { round, layout, order: self.order, base, new }
    }
}
