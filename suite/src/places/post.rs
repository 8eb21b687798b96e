//! How messages get from the threads that send them to the threads whose nodes they are for.
//! Letters are collected by block of receivers, exchanged at the end of a phase and sorted at the start of the next.

use std::mem;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// A message on its way.
#[derive(Debug, Clone, Copy)]
pub(super) struct Letter<M> {
    pub(super) to: u32,
    pub(super) message: M,
}

/// The letters of the nodes of one block in this phase, by receiving block.
pub(super) struct Outbox<M> {
    block_size: u32,
    piles: Vec<Vec<Letter<M>>>,
}

impl<M: Copy> Outbox<M> {
    /// Everything in it, which leaves it empty.
    pub(super) fn letters(&mut self) -> impl Iterator<Item = Letter<M>> + '_ {
        self.piles.iter_mut().flat_map(|pile| pile.drain(..))
    }

    pub(super) fn new(blocks: usize, block_size: u32) -> Self {
        Self { block_size, piles: (0..blocks).map(|_| Vec::new()).collect() }
    }

    /// All letters, where there is one block.
    pub(super) fn only_pile(&mut self) -> &mut Vec<Letter<M>> {
        &mut self.piles[0]
    }

    #[inline]
    pub(super) fn push(&mut self, to: u32, message: M) {
        let pile = if self.piles.len() == 1 { 0 } else { (to / self.block_size) as usize };
        self.piles[pile].push(Letter { to, message });
    }
}

/// The letters between blocks: one shelf for odd and one for even phases. A block that is already in the next phase
/// does not disturb one that still collects, so one barrier per phase is enough.
pub(super) struct Post<M> {
    blocks: usize,
    shelves: [Shelf<M>; 2],
}

/// The piles from each block to each block, and how many letters wait for each.
struct Shelf<M> {
    piles: Vec<Mutex<Vec<Letter<M>>>>,
    waiting: Vec<AtomicUsize>,
}

impl<M: Copy + Send> Post<M> {
    pub(super) fn new(blocks: usize) -> Self {
        let shelf = || Shelf {
            piles: (0..blocks * blocks).map(|_| Mutex::new(Vec::new())).collect(),
            waiting: (0..blocks).map(|_| AtomicUsize::new(0)).collect(),
        };
        Self { blocks, shelves: [shelf(), shelf()] }
    }

    /// Hands over what a block has sent to others; what it has sent to itself stays with it. Buffers are swapped, so
    /// that none is allocated once all have grown.
    pub(super) fn hand_over(&self, from: usize, turn: usize, outbox: &mut Outbox<M>) {
        let shelf = &self.shelves[turn % 2];
        for (to, pile) in outbox.piles.iter_mut().enumerate() {
            if to != from && !pile.is_empty() {
                shelf.waiting[to].fetch_add(pile.len(), Relaxed);
                let mut slot = lock(&shelf.piles[from * self.blocks + to]);
                mem::swap(&mut *slot, pile);
            }
        }
    }

    /// Collects what was sent to a block in the turn before, by ascending sender.
    fn collect(&self, to: usize, turn: usize, arrived: &mut [Vec<Letter<M>>]) {
        let shelf = &self.shelves[(turn + 1) % 2];
        if shelf.waiting[to].swap(0, Relaxed) == 0 {
            return;
        }
        for (from, pile) in arrived.iter_mut().enumerate() {
            if from != to {
                mem::swap(pile, &mut *lock(&shelf.piles[from * self.blocks + to]));
            }
        }
    }
}

/// Only moves of buffers happen under these locks, so a poisoned one holds nothing broken.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// The mailboxes of one block: all messages, sorted by node, and where those of each node end.
pub(super) struct Inbox<M> {
    arrived: Vec<Vec<Letter<M>>>,
    ends: Vec<u32>,
    messages: Vec<M>,
    empty: bool,
}

impl<M: Copy + Send> Inbox<M> {
    pub(super) fn new(blocks: usize) -> Self {
        let arrived = (0..blocks).map(|_| Vec::new()).collect();
        Self { arrived, ends: Vec::new(), messages: Vec::new(), empty: true }
    }

    /// Takes in what was sent to the block `me` of `nodes` nodes from `first` on in the turn before.
    pub(super) fn take_in(
        &mut self,
        post: &Post<M>,
        outbox: &mut Outbox<M>,
        me: usize,
        turn: usize,
        first: u32,
        nodes: usize,
    ) {
        if self.arrived.len() > 1 {
            post.collect(me, turn, &mut self.arrived);
        }
        mem::swap(&mut self.arrived[me], &mut outbox.piles[me]);
        self.sort(first, nodes);
        self.arrived.iter_mut().for_each(Vec::clear);
        // Its own buffer goes back, so that a block alone in the world has just one.
        mem::swap(&mut self.arrived[me], &mut outbox.piles[me]);
    }

    /// Sorts what has arrived by receiver, keeping the order of senders: a counting sort.
    fn sort(&mut self, first: u32, nodes: usize) {
        let total: usize = self.arrived.iter().map(Vec::len).sum();
        self.empty = total == 0;
        let Some(filler) = self.arrived.iter().find_map(|pile| pile.first()) else { return };
        assert!(u32::try_from(total).is_ok(), "{total} messages in one phase for one block");
        self.messages.resize(total, filler.message);
        self.ends.clear();
        self.ends.resize(nodes, 0);
        for letter in self.arrived.iter().flatten() {
            self.ends[(letter.to - first) as usize] += 1;
        }
        let mut start = 0;
        for end in &mut self.ends {
            start += mem::replace(end, start);
        }
        for letter in self.arrived.iter().flatten() {
            let end = &mut self.ends[(letter.to - first) as usize];
            self.messages[*end as usize] = letter.message;
            *end += 1;
        }
    }

    /// The mail of the node at a position in the block.
    #[inline]
    pub(super) fn mail(&self, position: usize) -> &[M] {
        if self.empty {
            return &[];
        }
        let start = if position == 0 { 0 } else { self.ends[position - 1] as usize };
        &self.messages[start..self.ends[position] as usize]
    }

    /// All mail of the block.
    pub(super) fn all(&self) -> &[M] {
        if self.empty { &[] } else { &self.messages }
    }
}
