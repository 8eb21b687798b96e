//! One thread of the message runtime: its vertices, its work items, and its correspondence.

use std::marker::PhantomData;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::mailbox::{COALESCED, Mail};
use super::reduction::Reduction;
use crate::agm::machine::Mode;
use crate::agm::{Bins, Counts, Graph, Machine, Ordering, Processing, WorkItem};
use crate::graph::Vertex;
use crate::team::Member;

/// No class.
const NONE: u64 = u64::MAX;
/// Items processed between two looks into the mailbox.
const BETWEEN_LOOKS: usize = 256;

/// The state that all threads share.
pub(super) struct Shared<'a, 'g, G, P: Processing<G>, O> {
    machine: &'a Machine<'g, G, P, O>,
    mail: Mail<P::Item>,
    blocks: Blocks,
    /// The smallest class that any thread has, voted for in turns.
    votes: [AtomicU64; 2],
}

impl<'a, 'g, G: Graph, P: Processing<G>, O> Shared<'a, 'g, G, P, O> {
    pub(super) fn new(machine: &'a Machine<'g, G, P, O>, threads: usize) -> Self {
        let blocks = Blocks::new(machine.graph.vertices(), threads);
        let votes = [AtomicU64::new(NONE), AtomicU64::new(NONE)];
        Self { machine, mail: Mail::new(threads), blocks, votes }
    }
}

/// The vertices in as many blocks as there are threads.
#[derive(Debug, Clone, Copy)]
struct Blocks {
    vertices: u64,
    threads: usize,
    /// Threads per vertex in units of 2⁻³²: a multiplication tells the owner, where a division would be slow.
    rate: u64,
}

impl Blocks {
    fn new(vertices: usize, threads: usize) -> Self {
        let rate = ((threads as u64) << 32) / (vertices as u64).max(1);
        Self { vertices: vertices as u64, threads, rate }
    }

    /// The thread that a vertex belongs to.
    #[inline]
    fn owner(&self, vertex: Vertex) -> usize {
        ((u64::from(vertex) * self.rate) >> 32) as usize
    }

    /// The vertices of a thread.
    fn block(&self, owner: usize) -> Range<u64> {
        let first = |owner: usize| {
            if owner == self.threads {
                self.vertices
            } else {
                ((owner as u64) << 32).div_ceil(self.rate.max(1)).min(self.vertices)
            }
        };
        first(owner)..first(owner + 1)
    }
}

/// A thread's own part of a run.
pub(super) struct Owner<'a, 'g, G, P: Processing<G>, O, M> {
    shared: &'a Shared<'a, 'g, G, P, O>,
    index: usize,
    first: Vertex,
    /// States of the thread's vertices; nobody else sees them.
    states: Vec<u32>,
    bins: Bins<P::Item>,
    /// Messages to each thread that have not been posted yet.
    outgoing: Vec<Vec<P::Item>>,
    reduction: Reduction,
    counts: Counts,
    /// Buffers dealt with since the last credit was given back.
    dealt_with: usize,
    /// Emptied buffers, to be filled again.
    spare: Vec<Vec<P::Item>>,
    mode: PhantomData<fn() -> M>,
}

impl<'a, 'g, G, P, O, M> Owner<'a, 'g, G, P, O, M>
where
    G: Graph,
    P: Processing<G>,
    O: Ordering<Item = P::Item>,
    M: Mode,
{
    pub(super) fn new(shared: &'a Shared<'a, 'g, G, P, O>, index: usize) -> Self {
        let block = shared.blocks.block(index);
        Self {
            shared,
            index,
            first: block.start as Vertex,
            states: vec![P::UNSET; (block.end - block.start) as usize],
            bins: Bins::new(),
            outgoing: (0..shared.blocks.threads).map(|_| Vec::new()).collect(),
            reduction: Reduction::new(),
            counts: Counts::default(),
            dealt_with: 0,
            spare: Vec::new(),
            mode: PhantomData,
        }
    }

    /// The states of the thread's vertices, and what it counted.
    pub(super) fn finish(self) -> (Vec<u32>, Counts) {
        (self.states, self.counts)
    }

    /// Goes through all classes together with the other threads.
    pub(super) fn run(&mut self, member: &Member<'_>) {
        let shared = self.shared;
        for &item in &shared.machine.start {
            if shared.blocks.owner(item.vertex()) == self.index {
                self.counts.created += 1;
                self.arrive(item);
            }
        }
        let mut turn = 0;
        loop {
            let votes = &self.shared.votes;
            if let Some(class) = self.bins.first_class() {
                votes[turn].fetch_min(class, Relaxed);
            }
            // Nobody may find the class quiet before all have begun.
            self.shared.mail.begin();
            member.wait();
            let class = votes[turn].load(Relaxed);
            if class == NONE {
                return;
            }
            self.bins.advance(class);
            self.counts.classes += 1;
            self.exhaust(member);
            member.wait();
            self.counts.barriers += 1;
            if member.index == 0 {
                // All have read it before the last barrier; the next vote is the other one's.
                votes[turn].store(NONE, Relaxed);
            }
            turn ^= 1;
        }
    }

    /// Works until no item of the current class is left in any thread or under way.
    fn exhaust(&mut self, member: &Member<'_>) {
        let mut items = Vec::new();
        let mut arrived = Vec::new();
        loop {
            self.bins.take_current(&mut items);
            for some in items.chunks(BETWEEN_LOOKS) {
                for &item in some {
                    self.process(item);
                }
                self.receive(&mut arrived);
            }
            items.clear();
            self.receive(&mut arrived);
            if self.bins.current_len() > 0 {
                continue;
            }
            self.post_all();
            self.shared.mail.end(std::mem::take(&mut self.dealt_with));
            let mut spins = 0;
            while !self.shared.mail.has_mail(self.index) {
                if self.shared.mail.is_quiet() {
                    return;
                }
                member.pause(&mut spins);
            }
            // A waiting item holds a credit, so it has not been quiet since.
            self.shared.mail.begin();
        }
    }

    /// Deals with what has been sent to this thread.
    fn receive(&mut self, arrived: &mut Vec<Vec<O::Item>>) {
        if !self.shared.mail.has_mail(self.index) {
            return;
        }
        self.shared.mail.collect(self.index, arrived);
        for mut buffer in arrived.drain(..) {
            buffer.drain(..).for_each(|item| self.arrive(item));
            self.dealt_with += 1;
            self.spare.push(buffer);
        }
    }

    /// Keeps an item for one of the thread's vertices; filtered, only if it brings a better value than is known.
    #[inline]
    fn arrive(&mut self, item: P::Item) {
        if M::FILTERED && !self.improve(item) {
            self.counts.discarded += u64::from(M::COUNTED);
            return;
        }
        self.bins.push(self.shared.machine.class(&item), item);
    }

    /// Replaces the state of one of the thread's vertices by a value that improves it; returns whether it did.
    #[inline]
    fn improve(&mut self, item: P::Item) -> bool {
        let state = &mut self.states[(item.vertex() - self.first) as usize];
        let improves = P::improves(item.value(), *state);
        if improves {
            *state = item.value();
        }
        improves
    }

    /// The processing function: where the condition holds, keeps or sends what follows.
    #[inline]
    fn process(&mut self, item: P::Item) {
        let useful = if M::FILTERED {
            item.value() == self.states[(item.vertex() - self.first) as usize]
        } else {
            self.improve(item)
        };
        if M::COUNTED {
            self.counts.useful += u64::from(useful);
            self.counts.discarded += u64::from(!useful);
        }
        if useful {
            let machine = self.shared.machine;
            machine.processing.follow(machine.graph, item, |next| self.create(next));
        }
    }

    /// An item that follows: for one of the thread's own vertices, or a message.
    #[inline]
    fn create(&mut self, item: P::Item) {
        self.counts.relaxations += u64::from(M::COUNTED);
        let owner = self.shared.blocks.owner(item.vertex());
        if owner == self.index {
            // Sender and owner are one: filtered, what is no better needs no item.
            let state = self.states[(item.vertex() - self.first) as usize];
            if !M::FILTERED || P::improves(item.value(), state) {
                self.counts.created += u64::from(M::COUNTED);
                self.arrive(item);
            }
        } else if !M::FILTERED || self.reduction.admits(item, P::improves) {
            self.send(owner, item);
        } else if M::COUNTED {
            self.counts.suppressed += 1;
        }
    }

    /// Adds a message to the buffer for its owner, and posts a full one.
    #[inline]
    fn send(&mut self, owner: usize, item: P::Item) {
        if M::COUNTED {
            self.counts.created += 1;
            self.counts.messages += 1;
        }
        self.outgoing[owner].push(item);
        if self.outgoing[owner].len() == COALESCED {
            self.post(owner);
        }
    }

    /// Posts all buffers that hold anything.
    fn post_all(&mut self) {
        for owner in 0..self.outgoing.len() {
            if !self.outgoing[owner].is_empty() {
                self.post(owner);
            }
        }
    }

    fn post(&mut self, owner: usize) {
        let empty = self.spare.pop().unwrap_or_else(|| Vec::with_capacity(COALESCED));
        let full = std::mem::replace(&mut self.outgoing[owner], empty);
        self.counts.buffers += u64::from(M::COUNTED);
        self.shared.mail.post(owner, full);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_vertex_is_in_its_owners_block() {
        for vertices in [1, 2, 5, 64, 1000, 1_048_577, 1 << 32] {
            for threads in [1, 2, 3, 7, 64] {
                let blocks = Blocks::new(vertices, threads);
                let mut end = 0;
                for owner in 0..threads {
                    let block = blocks.block(owner);
                    assert_eq!(block.start, end);
                    end = block.end;
                    for vertex in [block.start, block.end.saturating_sub(1)] {
                        if block.contains(&vertex) {
                            assert_eq!(
                                blocks.owner(vertex as Vertex),
                                owner,
                                "{vertices} {threads}"
                            );
                        }
                    }
                }
                assert_eq!(end, vertices as u64);
            }
        }
    }
}
