//! A ledger that gives every task more to do than its own.

use super::Ledger;
use crate::imsuite::Topology;
use crate::places::{Counts, Load, Workload};

/// Another ledger, with a workload in every task.
///
/// ```
/// use plusminus_suite::imsuite::recursive::{Loaded, bf, counted};
/// use plusminus_suite::imsuite::{Topology, bf::Root};
/// use plusminus_suite::places::{Style, Workload};
///
/// let path = Topology::from_edges(3, [(0, 1), (1, 2)]);
/// let root = Root::new(&path, 0);
/// let (packets, counted) = counted(3, 3, |ledger| {
///     let loaded = Loaded::new(ledger, Workload::Messages(5), &path);
///     bf::search(&path, &root, Style::ForkJoin, &loaded);
///     loaded.packets_read()
/// });
/// assert_eq!((counted.total().tasks, counted.total().messages, packets), (8, 40, 40));
/// ```
#[derive(Debug)]
pub struct Loaded<'a, L> {
    ledger: &'a L,
    load: Load,
    topology: &'a Topology,
}

impl<'a, L: Ledger> Loaded<'a, L> {
    /// The tasks of one run on a network, with a workload each.
    pub fn new(ledger: &'a L, workload: Workload, topology: &'a Topology) -> Self {
        Self { ledger, load: Load::new(workload, topology.nodes()), topology }
    }

    /// Returns how many extra packets were delivered and read. It includes packets that are read now because their
    /// receiver had no task after them.
    pub fn packets_read(&self) -> u64 {
        self.load.packets_read()
    }
}

impl<L: Ledger> Ledger for Loaded<'_, L> {
    const COUNTS: bool = L::COUNTS;
    const LOADED: bool = true;
    fn add(&self, counts: Counts) {
        self.ledger.add(counts);
    }
    fn shift(&self, from: u32, to: u32) {
        self.ledger.shift(from, to);
    }
    fn control(&self, node: u32) {
        self.ledger.control(node);
    }
    fn round(&self) {
        self.ledger.round();
    }
    fn work(&self, node: u32) {
        self.ledger.work(node);
        self.load.work(node, self.topology.neighbours(node), |to| {
            self.ledger.shift(node, to);
            self.ledger.add(Counts { messages: 1, ..Counts::default() });
        });
    }
}
