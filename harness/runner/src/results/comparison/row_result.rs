//! The result of a line of a comparison, as plain data.

use super::{Block, Measure};
use crate::{
    analysis::{
        Interval,
        verdict::{Doubt, Judgement},
    },
    results::Time,
};

/// The result of a row.
#[derive(Debug, Clone, Default)]
pub struct RowResult {
    /// The instance; `None` for all of them together, and for a benchmark that has only one.
    pub instance: Option<String>,
    /// The verdict and its numbers.
    pub judgement: Judgement,
    /// S = base/new.
    pub speedup: Option<f64>,
    /// σ of S.
    pub sigma: Option<f64>,
    /// Anytime-valid p-value of no change.
    pub p_value: Option<f64>,
    /// Blocks in all that a decision would take.
    pub blocks_needed: Option<usize>,
    /// The signs of the blocks alone decided, because their mean is far from their typical value.
    pub by_signs_alone: bool,
    /// Neighboring blocks depended on each other, and were averaged.
    pub repaired: bool,
    /// Why it is not to be relied on.
    pub doubts: Vec<Doubt>,
    /// Second opinions that disagree.
    pub notes: Vec<String>,
    /// How much of its work a call does, where that differs between the sides.
    pub work: Option<WorkChange>,
    /// The costs of a call besides time: all that both sides have.
    pub measures: Vec<Measure>,
    /// The time of a call of base and of new.
    pub times: Option<[Time; 2]>,
    /// Margin it was judged with.
    pub margin: f64,
    /// The blocks that it was judged by, in the order in which they were measured.
    pub blocks: Vec<Block>,
}

/// Work of a call that differs between two versions: a change of time may come from it alone.
#[derive(Debug, Clone, PartialEq)]
pub struct WorkChange {
    /// The unit, such as bytes.
    pub unit: String,
    /// The amount for a call of base.
    pub base: f64,
    /// The amount for a call of new.
    pub new: f64,
}

impl RowResult {
    /// The relative change of the time for each unit of work, where a call does more or less work than before.
    pub fn change_for_each_unit(&self) -> Option<f64> {
        let work = self.work.as_ref()?;
        Some((1.0 + self.change()?) * work.base / work.new - 1.0)
    }

    /// The relative change of time, new/base − 1.
    pub fn change(&self) -> Option<f64> {
        self.speedup.map(|speedup| 1.0 / speedup - 1.0)
    }

    /// The interval of the change, low and high: all those of a comparison together contain the true changes with
    /// probability 1 − α.
    pub fn change_interval(&self) -> Option<(f64, f64)> {
        self.judgement.interval.map(of_change)
    }

    /// The interval of the change, low and high, of this row alone: narrower than [`Self::change_interval`], as it allows for no
    /// other row. It decides nothing.
    pub fn change_interval_alone(&self) -> Option<(f64, f64)> {
        self.judgement.interval_alone.map(of_change)
    }
}

/// From an interval of S to one of new/base − 1, low and high.
fn of_change(speedup: Interval) -> (f64, f64) {
    (1.0 / speedup.high - 1.0, 1.0 / speedup.low - 1.0)
}
