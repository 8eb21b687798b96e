//! The runtime of tasks: a few items each, that any thread may steal. Within a class nobody waits for anybody; the class
//! has ended when no thread works and no queue holds a task.

use std::sync::atomic::{
    AtomicU64, AtomicUsize, Ordering::AcqRel, Ordering::Acquire, Ordering::Relaxed,
};
use std::sync::{Mutex, PoisonError};

use crossbeam_deque::{Steal, Stealer, Worker};
use crossbeam_utils::CachePadded;

use super::Counts;
use super::bins::Bins;
use super::items::{Ordering, WorkItem};
use super::machine::{Graph, Machine, Mode, Processing};
use super::state::States;
use crate::team::{self, Member};

/// Items of a task: few enough to share a class out evenly, as degrees differ widely.
const TASK: usize = 64;
/// No class.
const NONE: u64 = u64::MAX;

/// Runs a machine on as many threads as the current rayon pool has.
pub(super) fn run<G, P, O, M>(machine: &Machine<'_, G, P, O>) -> (Vec<u32>, Counts)
where
    G: Graph,
    P: Processing<G>,
    O: Ordering<Item = P::Item>,
    M: Mode,
{
    let states = States::new(machine.graph.vertices(), P::UNSET);
    let threads = rayon::current_num_threads();
    let counts = if threads == 1 {
        alone::<_, _, _, M>(machine, &states)
    } else {
        together::<_, _, _, M>(machine, &states, threads)
    };
    (states.into_values(), counts)
}

/// The private state of a thread: items of later classes, items of its class that are not a task yet, and its counts.
struct Own<I> {
    bins: Bins<I>,
    class: u64,
    /// Items of the class being processed; a full task goes to the queue.
    fresh: Vec<I>,
    /// Emptied tasks, to be filled again.
    spare: Vec<Vec<I>>,
    counts: Counts,
}

impl<I> Own<I> {
    fn new() -> Self {
        Self {
            bins: Bins::new(),
            class: 0,
            fresh: Vec::with_capacity(TASK),
            spare: Vec::new(),
            counts: Counts::default(),
        }
    }
}

/// The machine on one thread: nothing is shared, and items of a class are processed in the order in which they were made.
fn alone<G, P, O, M>(machine: &Machine<'_, G, P, O>, states: &States) -> Counts
where
    G: Graph,
    P: Processing<G>,
    O: Ordering<Item = P::Item>,
    M: Mode,
{
    let (mut bins, mut counts) = (Bins::new(), Counts::default());
    for &item in &machine.start {
        counts.created += 1;
        if !M::FILTERED || states.improve::<G, P, false>(item.vertex(), item.value()) {
            bins.push(machine.class(&item), item);
        } else {
            counts.discarded += 1;
        }
    }
    let mut items = Vec::new();
    while let Some(class) = bins.first_class() {
        bins.advance(class);
        counts.classes += 1;
        counts.barriers += 1;
        loop {
            bins.take_current(&mut items);
            if items.is_empty() {
                break;
            }
            for item in items.drain(..) {
                process::<_, _, _, M, false>(machine, states, item, &mut counts, |next| {
                    bins.push(machine.class(&next), next);
                });
            }
        }
    }
    counts
}

/// The processing function: where the condition holds, keeps every item that follows and passes the filter.
#[inline]
fn process<G, P, O, M, const SHARED: bool>(
    machine: &Machine<'_, G, P, O>,
    states: &States,
    item: P::Item,
    counts: &mut Counts,
    mut keep: impl FnMut(P::Item),
) where
    G: Graph,
    P: Processing<G>,
    O: Ordering<Item = P::Item>,
    M: Mode,
{
    // An item that passed the filter has written its value. A better one may have come since.
    let useful = if M::FILTERED {
        item.value() == states.get(item.vertex())
    } else {
        states.improve::<G, P, SHARED>(item.vertex(), item.value())
    };
    if M::COUNTED {
        counts.useful += u64::from(useful);
        counts.discarded += u64::from(!useful);
    }
    if !useful {
        return;
    }
    machine.processing.follow(machine.graph, item, |next| {
        if M::COUNTED {
            counts.relaxations += 1;
        }
        if !M::FILTERED || states.improve::<G, P, SHARED>(next.vertex(), next.value()) {
            if M::COUNTED {
                counts.created += 1;
            }
            keep(next);
        }
    });
}

/// The state that the threads of a run share.
struct Shared<'a, 'g, G, P: Processing<G>, O> {
    machine: &'a Machine<'g, G, P, O>,
    states: &'a States,
    /// Where to take tasks from each thread's queue.
    stealers: Vec<Stealer<Vec<P::Item>>>,
    /// The number of working threads. A thread takes a credit before it looks into another one's queue. It gives it
    /// back when its own queue is empty and all work that it made is done. No credit left means that nobody works and
    /// no queue holds anything. Only work makes work, so that stays so.
    working: CachePadded<AtomicUsize>,
    /// The smallest class that any thread has, voted for in turns.
    votes: [AtomicU64; 2],
}

/// The machine on several threads.
fn together<G, P, O, M>(machine: &Machine<'_, G, P, O>, states: &States, threads: usize) -> Counts
where
    G: Graph,
    P: Processing<G>,
    O: Ordering<Item = P::Item>,
    M: Mode,
{
    let queues: Vec<Worker<Vec<P::Item>>> = (0..threads).map(|_| Worker::new_fifo()).collect();
    let stealers = queues.iter().map(Worker::stealer).collect();
    let queues: Vec<_> = queues.into_iter().map(|queue| Mutex::new(Some(queue))).collect();
    let working = CachePadded::new(AtomicUsize::new(0));
    let votes = [AtomicU64::new(NONE), AtomicU64::new(NONE)];
    let shared = Shared { machine, states, stealers, working, votes };
    let counts = Mutex::new(Counts::default());
    team::run(threads, |member| {
        let queue = queues[member.index].lock().unwrap_or_else(PoisonError::into_inner).take();
        let queue = queue.expect("each member takes its own queue once");
        let mut thread = Thread { shared: &shared, queue, own: Own::new() };
        thread.run::<M>(member);
        counts.lock().unwrap_or_else(PoisonError::into_inner).add(&thread.own.counts);
    });
    counts.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// One thread of a run.
struct Thread<'a, 'g, G, P: Processing<G>, O> {
    shared: &'a Shared<'a, 'g, G, P, O>,
    queue: Worker<Vec<P::Item>>,
    own: Own<P::Item>,
}

impl<G, P, O> Thread<'_, '_, G, P, O>
where
    G: Graph,
    P: Processing<G>,
    O: Ordering<Item = P::Item>,
{
    /// Goes through all classes together with the other threads.
    fn run<M: Mode>(&mut self, member: &Member<'_>) {
        self.start::<M>(member);
        let shared = self.shared;
        let mut turn = 0;
        loop {
            if let Some(class) = self.own.bins.first_class() {
                shared.votes[turn].fetch_min(class, Relaxed);
            }
            // Nobody may find the class quiet before all have begun.
            shared.working.fetch_add(1, AcqRel);
            member.wait();
            let class = shared.votes[turn].load(Relaxed);
            if class == NONE {
                return;
            }
            self.enter(class);
            self.exhaust::<M>(member);
            member.wait();
            self.own.counts.barriers += 1;
            if member.index == 0 {
                // All have read it before the last barrier; the next vote is the other one's.
                shared.votes[turn].store(NONE, Relaxed);
            }
            turn ^= 1;
        }
    }

    /// Takes every n-th item of the start set, with one n per thread.
    fn start<M: Mode>(&mut self, member: &Member<'_>) {
        let shared = self.shared;
        let threads = shared.stealers.len();
        for &item in shared.machine.start.iter().skip(member.index).step_by(threads) {
            self.own.counts.created += 1;
            if !M::FILTERED || shared.states.improve::<G, P, true>(item.vertex(), item.value()) {
                self.own.bins.push(shared.machine.class(&item), item);
            } else {
                self.own.counts.discarded += 1;
            }
        }
    }

    /// Makes tasks of what it has kept for a class.
    fn enter(&mut self, class: u64) {
        let own = &mut self.own;
        own.counts.classes += 1;
        own.class = class;
        own.bins.advance(class);
        let mut items = Vec::new();
        own.bins.take_current(&mut items);
        let last = items.len() - items.len() % TASK;
        own.fresh.extend_from_slice(&items[last..]);
        for task in items[..last].chunks(TASK) {
            let mut filled = own.spare.pop().unwrap_or_else(|| Vec::with_capacity(TASK));
            filled.extend_from_slice(task);
            self.queue.push(filled);
        }
    }

    /// Works until no item of the class is left anywhere.
    fn exhaust<M: Mode>(&mut self, member: &Member<'_>) {
        loop {
            while let Some(task) = self.next_task() {
                self.own.counts.tasks += 1;
                self.process::<M>(task);
            }
            self.shared.working.fetch_sub(1, AcqRel);
            match self.steal(member) {
                Some(task) => {
                    self.own.counts.tasks += 1;
                    self.own.counts.stolen += 1;
                    self.process::<M>(task);
                }
                None => return,
            }
        }
    }

    /// A task of its own, the oldest first.
    fn next_task(&mut self) -> Option<Vec<P::Item>> {
        self.queue.pop().or_else(|| {
            let empty = self.own.fresh.is_empty();
            (!empty).then(|| self.own.take_fresh())
        })
    }

    /// Another thread's task, with a credit for working on it; `None` when the class has ended.
    fn steal(&self, member: &Member<'_>) -> Option<Vec<P::Item>> {
        let shared = self.shared;
        let mut spins = 0;
        loop {
            for victim in 1..shared.stealers.len() {
                let stealer = &shared.stealers[(member.index + victim) % shared.stealers.len()];
                if stealer.is_empty() {
                    continue;
                }
                shared.working.fetch_add(1, AcqRel);
                loop {
                    match stealer.steal() {
                        Steal::Success(task) => return Some(task),
                        Steal::Retry => {}
                        Steal::Empty => break,
                    }
                }
                shared.working.fetch_sub(1, AcqRel);
            }
            if shared.working.load(Acquire) == 0 {
                return None;
            }
            member.pause(&mut spins);
        }
    }

    /// Processes the items of a task, which make tasks of the same class and items of later ones.
    fn process<M: Mode>(&mut self, mut task: Vec<P::Item>) {
        let Shared { machine, states, .. } = *self.shared;
        let Own { bins, class, fresh, spare, counts } = &mut self.own;
        for item in task.drain(..) {
            process::<_, _, _, M, true>(machine, states, item, counts, |next| {
                let of = machine.class(&next);
                if of != *class {
                    bins.push(of, next);
                    return;
                }
                fresh.push(next);
                if fresh.len() == TASK {
                    let empty = spare.pop().unwrap_or_else(|| Vec::with_capacity(TASK));
                    self.queue.push(std::mem::replace(fresh, empty));
                }
            });
        }
        spare.push(task);
    }
}

impl<I> Own<I> {
    /// The items that are no task yet, as one.
    fn take_fresh(&mut self) -> Vec<I> {
        let empty = self.spare.pop().unwrap_or_else(|| Vec::with_capacity(TASK));
        std::mem::replace(&mut self.fresh, empty)
    }
}
