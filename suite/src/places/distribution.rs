//! Which node lives at which place, and what lies between places.

use super::ShiftCost;

/// A block distribution of nodes to places: consecutive nodes, the first places one node larger where it does not divide.
///
/// ```
/// let places = plusminus_suite::places::Places::new(10, 4);
/// let of: Vec<usize> = (0..10).map(|node| places.of(node)).collect();
/// assert_eq!(of, [0, 0, 0, 1, 1, 1, 2, 2, 3, 3]);
/// assert_eq!(places.remote(0..10), 7);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Places {
    cost: ShiftCost,
    traced: bool,
    one_task: bool,
    count: usize,
    small: usize,
    large_places: usize,
}

impl Places {
    /// Distributes this number of nodes to this number of places, at most one place per node.
    pub fn new(nodes: usize, places: usize) -> Self {
        let count = places.clamp(1, nodes.max(1));
        let (small, large_places) = (nodes / count, nodes % count);
        Self { cost: ShiftCost::NONE, traced: false, one_task: false, count, small, large_places }
    }

    /// The same, with shifts between places that take time.
    #[must_use]
    pub fn with_cost(mut self, cost: ShiftCost) -> Self {
        self.cost = cost;
        self
    }

    /// The same, with every shift between nodes kept: see [`Counted::trace`](super::Counted::trace).
    #[must_use]
    pub fn traced(mut self) -> Self {
        self.traced = true;
        self
    }

    /// The same, for a serial program, whose one task makes all shifts.
    #[must_use]
    pub(super) fn in_one_task(mut self) -> Self {
        self.one_task = true;
        self
    }

    /// Whether all shifts are those of one task.
    pub(super) fn is_one_task(&self) -> bool {
        self.one_task
    }

    /// Returns the cost of a shift between places.
    pub fn cost(&self) -> ShiftCost {
        self.cost
    }

    /// Whether every shift is kept.
    pub(super) fn keeps_trace(&self) -> bool {
        self.traced
    }

    /// How many places there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The place of a node.
    #[inline]
    pub fn of(&self, node: u32) -> usize {
        if self.count == 1 {
            return 0;
        }
        let (node, large) = (node as usize, self.small + 1);
        if node < self.large_places * large {
            node / large
        } else {
            self.large_places + (node - self.large_places * large) / self.small
        }
    }

    /// The nodes of a place.
    pub fn nodes(&self, place: usize) -> std::ops::Range<u32> {
        let start = |place: usize| (place * self.small + place.min(self.large_places)) as u32;
        start(place)..start(place + 1)
    }

    /// How many of these nodes do not live where the driver does, at place 0.
    pub fn remote(&self, nodes: std::ops::Range<u32>) -> u64 {
        let local = self.nodes(0).end.clamp(nodes.start, nodes.end.max(nodes.start)) - nodes.start;
        nodes.len() as u64 - u64::from(local)
    }
}
