//! The styles with a task per node. FA: `finish { for all nodes async … }` in every phase, each task allocated,
//! queued and joined. FAC: a task per node is made at the beginning of a group of phases and lives to its end.
//! Between two phases it arrives at the clock and waits in the queue of its thread.

use std::collections::VecDeque;
use std::sync::atomic::{
    AtomicU32, AtomicUsize, Ordering::AcqRel, Ordering::Acquire, Ordering::Relaxed,
};

use crossbeam_utils::CachePadded;

use super::barrier::SpinBarrier;
use super::counters::wait_for_shifts;
use super::node::{Mailboxes, Node, Surroundings, ended};
use super::{Driver, Engine, Execution, Heard, Load, NodeProgram, Style, Tally};
use crate::tasks::of_threads;

/// Runs the tasks of some nodes: all of them on rayon, or those of one thread by a clock. One type for both styles,
/// so that an algorithm's driver is compiled for it once.
struct PerNode<'a, P: NodeProgram, C> {
    around: &'a Surroundings<'a, P>,
    first: u32,
    nodes: Vec<Node<P, C>>,
    turn: usize,
    /// All threads of the clocked style count the driver's costs; only those of the first one are kept.
    driver: C,
    clocked: Option<Clocked<'a>>,
}

/// One thread of the clocked style.
struct Clocked<'a> {
    clock: &'a Clock,
    index: usize,
    /// The tasks that wait for the next tick of the clock.
    waiting: VecDeque<Box<ClockedTask>>,
}

/// A task of a group of phases: the position of its node among those of its thread.
struct ClockedTask {
    position: usize,
}

/// The state that the threads of clocked tasks share.
struct Clock {
    barrier: SpinBarrier,
    /// Tasks that have arrived at the clock, ever.
    arrived: CachePadded<AtomicUsize>,
    /// The reports of each thread's nodes, in even and odd turns: how many raised a hand, and the first of them.
    heard: [Vec<CachePadded<(AtomicU32, AtomicU32)>>; 2],
}

impl Clocked<'_> {
    /// Makes a task for each node of the thread; those of the group before have ended.
    fn fork(&mut self, nodes: usize) {
        self.waiting.clear();
        self.waiting.extend((0..nodes).map(|position| Box::new(ClockedTask { position })));
    }

    /// Waits for all threads at the end of a turn, and returns the reports of all.
    fn meet(&self, mine: Heard, turn: usize) -> Heard {
        let slots = &self.clock.heard[turn % 2];
        slots[self.index].0.store(mine.raised, Relaxed);
        slots[self.index].1.store(mine.first, Relaxed);
        self.clock.barrier.wait();
        // The slots of this parity are written again only after the next barrier.
        slots.iter().fold(Heard::NOBODY, |heard, slot| {
            heard.and(Heard { raised: slot.0.load(Relaxed), first: slot.1.load(Relaxed) })
        })
    }
}

impl<P: NodeProgram, C: Tally> PerNode<'_, P, C> {
    /// Runs a phase at one node, if it is one of these.
    fn at(&mut self, id: u32, phase: P::Phase) -> Heard {
        let (around, turn) = (self.around, self.turn);
        let Some(node) = self.nodes.get_mut(id.wrapping_sub(self.first) as usize) else {
            return Heard::NOBODY;
        };
        node.run(around, phase, turn, false);
        node.heard
    }

    /// Forks a task for every node, and joins them.
    fn fork_and_join(&mut self, phase: P::Phase) -> Heard {
        let (around, turn) = (self.around, self.turn);
        rayon::scope(|scope| {
            for node in &mut self.nodes {
                scope.spawn(move |_| node.run(around, phase, turn, true));
            }
        });
        self.nodes.iter().fold(Heard::NOBODY, |heard, node| heard.and(node.heard))
    }

    /// Runs every waiting task up to its arrival at the clock.
    fn tick(&mut self, phase: P::Phase) -> Heard {
        let mut heard = Heard::NOBODY;
        let Some(clocked) = &mut self.clocked else { return heard };
        if clocked.waiting.is_empty() {
            // A phase that the driver did not fork for: it goes on in the tasks of the one before.
            clocked.fork(self.nodes.len());
        }
        for _ in 0..clocked.waiting.len() {
            let Some(task) = clocked.waiting.pop_front() else { break };
            let node = &mut self.nodes[task.position];
            node.run(self.around, phase, self.turn, true);
            heard = heard.and(node.heard);
            clocked.clock.arrived.fetch_add(1, AcqRel);
            clocked.waiting.push_back(task);
        }
        heard
    }
}

impl<P: NodeProgram, C: Tally> Engine<P> for PerNode<'_, P, C> {
    type Tally = C;

    fn fork(&mut self) {
        let nodes = self.nodes.len();
        if let Some(clocked) = &mut self.clocked {
            clocked.fork(nodes);
        }
    }

    fn execute(&mut self, phase: P::Phase, only: Option<u32>) -> Heard {
        let mine = match only {
            Some(id) => self.at(id, phase),
            None if self.clocked.is_some() => self.tick(phase),
            None => self.fork_and_join(phase),
        };
        wait_for_shifts(self.nodes.iter_mut().map(|node| &mut node.tally));
        let turn = self.turn;
        self.turn += 1;
        self.clocked.as_ref().map_or(mine, |clocked| clocked.meet(mine, turn))
    }

    fn tally(&mut self) -> &mut C {
        &mut self.driver
    }

    fn round(&mut self) {
        self.driver.round();
        self.nodes.iter_mut().for_each(|node| node.tally.round());
    }
}

/// Runs a program with a task per node.
pub(super) fn execute<P: NodeProgram, C: Tally>(program: &P, how: &Execution) -> (P::Output, C) {
    let count = program.nodes();
    let places = how.places_of(count);
    let (mailboxes, load) = (Mailboxes::new(count), Load::new(how.workload, count));
    let around = Surroundings { program, mailboxes, load };
    let run = |first: usize, end: usize, clocked: Option<Clocked<'_>>| {
        let mut engine = PerNode {
            around: &around,
            first: first as u32,
            nodes: (first..end).map(|id| Node::new(program, id as u32, places)).collect(),
            turn: 0,
            driver: C::new(places),
            clocked,
        };
        program.drive(&mut Driver::new(&mut engine, how.style, count, places));
        (engine.nodes, engine.driver)
    };
    let parts = match how.style {
        Style::Clocked => by_clock(count, how.processors, run),
        // Inside the pool, a fork and join stays between its threads.
        Style::ForkJoin | Style::Serial => vec![rayon::scope(|_| run(0, count, None))],
    };
    let (mut nodes, mut driver) = (Vec::with_capacity(count), None);
    for (own, tally) in parts {
        nodes.extend(own);
        driver.get_or_insert(tally);
    }
    let driver = driver.unwrap_or_else(|| C::new(places));
    let (ended, counted) = ended(program, nodes, driver);
    (program.output(ended), counted)
}

/// Runs a share of the nodes on each of some threads, which meet by a clock; answers in the order of the nodes.
fn by_clock<T: Send>(
    count: usize,
    processors: usize,
    run: impl Fn(usize, usize, Option<Clocked<'_>>) -> T + Sync,
) -> Vec<T> {
    let threads = processors.min(count).max(1);
    let slots = || (0..threads).map(|_| CachePadded::default()).collect();
    let barrier = SpinBarrier::new(threads);
    let clock = Clock { barrier, arrived: CachePadded::default(), heard: [slots(), slots()] };
    let found = of_threads(threads, &|index: usize| {
        let _poison = clock.barrier.poison_on_panic();
        let (first, end) = (index * count / threads, (index + 1) * count / threads);
        let clocked = Clocked { clock: &clock, index, waiting: VecDeque::new() };
        run(first, end, Some(clocked))
    });
    let arrived = clock.arrived.load(Acquire);
    debug_assert_eq!(arrived % count.max(1), 0, "every task arrives at every tick");
    found
}
