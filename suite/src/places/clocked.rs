//! FAC: threads that live as long as the algorithm, each with blocks of nodes, and meet at one barrier per phase.
//!
//! There is no coordinating thread: each runs its own copy of the driver, which is deterministic, so that no thread has to
//! be told which phase comes next.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use crossbeam_utils::CachePadded;

use super::barrier::SpinBarrier;
use super::block::{Block, Cut, Ended, Mailroom};
use super::counters::wait_for_shifts;
use super::{Driver, Engine, Execution, Heard, NodeProgram, Style, Tally};
use crate::tasks::of_threads;

/// The state that all threads share.
struct Shared<'a, P: NodeProgram> {
    program: &'a P,
    mailroom: Mailroom<P>,
    barrier: SpinBarrier,
    /// The reports of each thread's nodes, in even and odd phases.
    heard: [Vec<CachePadded<Slot>>; 2],
}

/// Where a thread leaves what it has heard.
#[derive(Default)]
struct Slot {
    raised: AtomicU32,
    first: AtomicU32,
}

struct Worker<'a, P: NodeProgram, C> {
    shared: &'a Shared<'a, P>,
    index: usize,
    turn: usize,
    blocks: Vec<Block<P, C>>,
    /// All copies of the driver count; only that of the first thread is kept.
    driver_tally: C,
}

impl<P: NodeProgram, C: Tally> Engine<P> for Worker<'_, P, C> {
    type Tally = C;

    fn execute(&mut self, phase: P::Phase, only: Option<u32>) -> Heard {
        let shared = self.shared;
        let mine = self.blocks.iter_mut().fold(Heard::NOBODY, |heard, block| {
            heard.and(block.run(shared.program, &shared.mailroom, phase, only))
        });
        // Before the barrier: the others wait for what is under way here.
        wait_for_shifts(self.blocks.iter_mut().map(|block| &mut block.tally));
        let slots = &shared.heard[self.turn % 2];
        slots[self.index].raised.store(mine.raised, Relaxed);
        slots[self.index].first.store(mine.first, Relaxed);
        shared.barrier.wait();
        self.turn += 1;
        // The slots of this parity are written again only after the next barrier.
        slots.iter().fold(Heard::NOBODY, |heard, slot| {
            heard.and(Heard { raised: slot.raised.load(Relaxed), first: slot.first.load(Relaxed) })
        })
    }

    fn tally(&mut self) -> &mut C {
        &mut self.driver_tally
    }

    fn round(&mut self) {
        self.driver_tally.round();
        self.blocks.iter_mut().for_each(|block| block.tally.round());
    }
}

/// Runs a program on a thread for each processor, each with this number of blocks of nodes.
pub(super) fn execute<P: NodeProgram, C: Tally>(
    program: &P,
    how: &Execution,
    blocks: usize,
) -> (P::Output, C) {
    let nodes = program.nodes();
    let places = how.places_of(nodes);
    let cut = Cut::new(nodes, how.processors * blocks);
    let total = cut.blocks();
    let threads = how.processors.min(total);
    let slots = || (0..threads).map(|_| CachePadded::new(Slot::default())).collect();
    let shared = Shared {
        program,
        mailroom: Mailroom::new(total),
        barrier: SpinBarrier::new(threads),
        heard: [slots(), slots()],
    };
    let mut all = of_threads(threads, &|index: usize| {
        let _poison = shared.barrier.poison_on_panic();
        let own = index * total / threads..(index + 1) * total / threads;
        let block = |number| Block::<P, C>::new(program, number, cut, places, how.workload);
        let mut worker = Worker {
            shared: &shared,
            index,
            turn: 0,
            blocks: own.map(block).collect(),
            driver_tally: C::new(places),
        };
        program.drive(&mut Driver::new(&mut worker, Style::Clocked, nodes, places));
        (worker.blocks, (index == 0).then_some(worker.driver_tally))
    });
    let driver_tally = all[0].1.take();
    let mut blocks = Vec::with_capacity(total);
    for (own, _) in all {
        blocks.extend(own);
    }
    let (ended, mut counted) = Ended::new(program, blocks);
    if let Some(driver_tally) = driver_tally {
        counted.merge(driver_tally);
    }
    (program.output(ended), counted)
}
