//! One thread of the message runtime: its vertices, its work items, and its correspondence.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::mailbox::{COALESCED, Mail};
use super::reduction::Reduction;
use crate::graph::{Csr, Vertex, Weight};
use crate::sssp::agm::{Counts, Ordering, WorkItem};
use crate::sssp::bins::Bins;
use crate::sssp::team::Member;

/// No class.
const NONE: u64 = u64::MAX;
/// Items processed between two looks into the mailbox.
const BETWEEN_LOOKS: usize = 256;

/// What all threads see.
pub(super) struct Shared<'a, W: Weight, O: Ordering<W>> {
    graph: &'a Csr<W>,
    ordering: &'a O,
    mail: Mail<O::Item>,
    blocks: Blocks,
    /// The smallest class that any thread has, voted for in turns.
    votes: [AtomicU64; 2],
}

impl<'a, W: Weight, O: Ordering<W>> Shared<'a, W, O> {
    pub(super) fn new(graph: &'a Csr<W>, ordering: &'a O, threads: usize) -> Self {
        let blocks = Blocks::new(graph.vertices(), threads);
        let votes = [AtomicU64::new(NONE), AtomicU64::new(NONE)];
        Self { graph, ordering, mail: Mail::new(threads), blocks, votes }
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

/// A thread's own state.
pub(super) struct Owner<'a, W: Weight, O: Ordering<W>, const COUNTED: bool> {
    shared: &'a Shared<'a, W, O>,
    index: usize,
    first: Vertex,
    /// Keys of the thread's vertices; nobody else sees them.
    keys: Vec<u32>,
    bins: Bins<O::Item>,
    /// Messages to each thread that have not been posted yet.
    outgoing: Vec<Vec<O::Item>>,
    reduction: Reduction,
    counts: Counts,
    /// Buffers dealt with since the last credit was given back.
    dealt_with: usize,
    /// Emptied buffers, to be filled again.
    spare: Vec<Vec<O::Item>>,
}

impl<'a, W: Weight, O: Ordering<W>, const COUNTED: bool> Owner<'a, W, O, COUNTED> {
    pub(super) fn new(shared: &'a Shared<'a, W, O>, index: usize) -> Self {
        let block = shared.blocks.block(index);
        Self {
            shared,
            index,
            first: block.start as Vertex,
            keys: vec![W::UNREACHED; (block.end - block.start) as usize],
            bins: Bins::new(),
            outgoing: (0..shared.blocks.threads).map(|_| Vec::new()).collect(),
            reduction: Reduction::new(),
            counts: Counts::default(),
            dealt_with: 0,
            spare: Vec::new(),
        }
    }

    /// The keys of the thread's vertices, and what it counted.
    pub(super) fn finish(self) -> (Vec<u32>, Counts) {
        (self.keys, self.counts)
    }

    /// Goes through all classes together with the other threads.
    pub(super) fn run(&mut self, member: &Member<'_>, source: Vertex) {
        if self.shared.blocks.owner(source) == self.index {
            self.counts.created += u64::from(COUNTED);
            self.arrive(O::Item::start(source));
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
            self.counts.rounds += u64::from(!items.is_empty());
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
            // What waits holds a credit, so it has not been quiet since.
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

    /// Keeps an item for one of the thread's vertices, if it brings a better distance than is known.
    #[inline]
    fn arrive(&mut self, item: O::Item) {
        let key = &mut self.keys[(item.vertex() - self.first) as usize];
        if item.key() < *key {
            *key = item.key();
            self.bins.push(self.shared.ordering.class(&item), item);
        } else if COUNTED {
            self.counts.discarded += 1;
        }
    }

    /// The processing function: relaxes the arcs of an item's vertex, if the item still has the best distance.
    #[inline]
    fn process(&mut self, item: O::Item) {
        let shared = self.shared;
        if item.key() != self.keys[(item.vertex() - self.first) as usize] {
            self.counts.discarded += u64::from(COUNTED);
            return;
        }
        if COUNTED {
            self.counts.useful += 1;
            self.counts.relaxations += shared.graph.degree(item.vertex()) as u64;
        }
        for (neighbour, weight) in shared.graph.neighbours(item.vertex()) {
            let key = weight.extend(item.key());
            let owner = shared.blocks.owner(neighbour);
            if owner == self.index {
                // Sender and owner are one: what is no better needs no item.
                if key < self.keys[(neighbour - self.first) as usize] {
                    self.counts.created += u64::from(COUNTED);
                    self.arrive(item.follow(neighbour, key));
                }
            } else if self.reduction.admits(neighbour, key) {
                self.send(owner, item.follow(neighbour, key));
            } else if COUNTED {
                self.counts.suppressed += 1;
            }
        }
    }

    /// Adds a message to the buffer for its owner, and posts a full one.
    #[inline]
    fn send(&mut self, owner: usize, item: O::Item) {
        if COUNTED {
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
        self.counts.buffers += u64::from(COUNTED);
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
