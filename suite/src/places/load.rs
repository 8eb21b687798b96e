//! The workload of tasks that run when they can, as the recursive kernels' do, and not in phases.

use std::cell::RefCell;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crossbeam_utils::CachePadded;

use super::Workload;
use super::workload::Scratch;

thread_local! {
    /// The memory that the workload of a thread's tasks touches, kept for the next run.
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

/// The [`Workload`] of all tasks of one run.
///
/// There are no phases at whose end mail could be exchanged: a packet is one atomic addition to the mailbox of its
/// receiver, whose next task takes everything out. So packets cost time and no memory, however many there are.
///
/// ```
/// use plusminus_suite::places::{Load, Workload};
///
/// let load = Load::new(Workload::Messages(3), 2);
/// let mut receivers = Vec::new();
/// load.work(0, &[1], |to| receivers.push(to));
/// assert_eq!(receivers, [1, 1, 1]);
/// assert_eq!(load.packets_read(), 3);
/// ```
#[derive(Debug)]
pub struct Load {
    workload: Workload,
    /// One per node where there are packets.
    mailboxes: Vec<CachePadded<Mailbox>>,
}

/// The packets of a node.
#[derive(Debug, Default)]
struct Mailbox {
    waiting: AtomicU64,
    read: AtomicU64,
}

impl Mailbox {
    /// Takes out what is there.
    fn read(&self) {
        let packets = self.waiting.swap(0, Relaxed);
        self.read.fetch_add(packets, Relaxed);
    }
}

impl Load {
    /// Makes the workload of tasks at this number of nodes.
    pub fn new(workload: Workload, nodes: usize) -> Self {
        let mailboxes = match workload {
            Workload::Messages(_) => nodes,
            Workload::None | Workload::Arithmetic(_) | Workload::Cache(_) => 0,
        };
        Self { workload, mailboxes: (0..mailboxes).map(|_| CachePadded::default()).collect() }
    }

    /// Does the work of one task at a node; `sent` hears the receiver of every packet, one of the neighbors in turn.
    pub fn work(&self, node: u32, neighbours: &[u32], mut sent: impl FnMut(u32)) {
        let Workload::Messages(packets) = self.workload else {
            SCRATCH.with_borrow_mut(|scratch| scratch.work(self.workload, node));
            return;
        };
        self.mailboxes[node as usize].read();
        for &to in neighbours.iter().cycle().take(packets as usize) {
            self.mailboxes[to as usize].waiting.fetch_add(1, Relaxed);
            sent(to);
        }
    }

    /// Returns how many packets were delivered and read. Packets that still wait are read now.
    pub fn packets_read(&self) -> u64 {
        self.mailboxes.iter().for_each(|mailbox| mailbox.read());
        self.mailboxes.iter().map(|mailbox| mailbox.read.load(Relaxed)).sum()
    }
}
