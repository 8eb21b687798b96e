//! A ledger that spends the time which shifts between places take.

use super::Ledger;
use crate::imsuite::placement;
use crate::places::{Counts, Placement, Places, spend};

/// Counts nothing, and spends what shifts between places cost.
///
/// A task of a recursion that has begun stays on its thread: while it waits for a shift, no other task runs there. So each
/// shift between nodes keeps its thread busy for a latency and a gap, each call of the driver for a gap, and each join
/// and barrier for a latency.
#[derive(Debug)]
pub struct Paying {
    places: Places,
}

impl Paying {
    /// Makes the ledger of this number of nodes.
    pub fn new(nodes: usize, placement: &Placement) -> Self {
        let places = Places::new(nodes, placement.places.unwrap_or(nodes));
        Self { places: places.with_cost(placement.cost) }
    }

    /// The one that the variables ask for.
    pub(super) fn of_environment(nodes: usize) -> Option<Self> {
        Some(Self::new(nodes, placement::of_environment()?))
    }
}

impl Ledger for Paying {
    // The forks of the driver have to be told.
    const COUNTS: bool = true;

    fn add(&self, counts: Counts) {
        if self.places.count() > 1 {
            spend(self.places.cost().of(0, counts.joins + counts.barriers));
        }
    }

    fn shift(&self, from: u32, to: u32) {
        if self.places.of(from) != self.places.of(to) {
            spend(self.places.cost().of(1, 1));
        }
    }

    fn control(&self, node: u32) {
        spend(self.places.cost().of(self.places.remote(node..node + 1), 0));
    }

    fn round(&self) {}
}
