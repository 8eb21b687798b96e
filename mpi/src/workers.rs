//! Several places on one rank, each with a worker thread of its own. Messages between them go through the memory of
//! the rank. Messages to other ranks go out in one parcel for each.

use std::mem;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{PoisonError, RwLock, RwLockReadGuard};

use plusminus_suite::graph::{Vertex, Weight};
use plusminus_suite::places::{Parcels, Places, SpinBarrier};

use crate::graph::Part;
use crate::search::{Post, first_of, halves};
use crate::{Mail, Ranks};

/// The vertices of one place, which are some or all of those of its rank.
pub(crate) struct Place<'a, W> {
    part: &'a Part<W>,
    own: Range<Vertex>,
    /// Places of each rank, and how its vertices are dealt out to them.
    workers: usize,
    of_ranks: Vec<(Vertex, Places)>,
}

impl<'a, W: Weight> Place<'a, W> {
    /// All vertices of this rank.
    pub(crate) fn of_rank(part: &'a Part<W>) -> Self {
        Self { part, own: part.own(), workers: 1, of_ranks: Vec::new() }
    }

    /// Those of a worker.
    pub(crate) fn of_worker(part: &'a Part<W>, team: &Team, worker: usize) -> Self {
        let dealt = |rank: usize| {
            let vertices = part.vertices_of(rank);
            (vertices.start, Places::new(vertices.len(), team.workers))
        };
        let of_ranks: Vec<(Vertex, Places)> = (0..team.ranks).map(dealt).collect();
        let (first, places) = of_ranks[team.rank];
        let own = if worker < places.count() { places.nodes(worker) } else { 0..0 };
        Self { part, own: first + own.start..first + own.end, workers: team.workers, of_ranks }
    }

    /// How many vertices there are here.
    pub(crate) fn vertices(&self) -> usize {
        self.own.len()
    }

    /// How many there are anywhere.
    pub(crate) fn all_vertices(&self) -> u64 {
        self.part.vertices()
    }

    /// The place of a vertex, counted through all ranks.
    #[inline]
    pub(crate) fn of(&self, vertex: Vertex) -> usize {
        let rank = self.part.owner(vertex);
        if self.workers == 1 {
            return rank;
        }
        let (first, places) = &self.of_ranks[rank];
        rank * self.workers + places.of(vertex - first)
    }

    /// The position of a vertex among those of this place, if it is one of them.
    #[inline]
    pub(crate) fn position(&self, vertex: Vertex) -> Option<usize> {
        let position = vertex.wrapping_sub(self.own.start) as usize;
        (position < self.own.len()).then_some(position)
    }

    /// Targets and weights of the arcs of the vertex at a position.
    #[inline]
    pub(crate) fn arcs(&self, position: usize) -> &'a [(Vertex, W)] {
        self.part.arcs((self.own.start - self.part.own().start) as usize + position)
    }
}

/// The state that the workers of a rank share.
pub(crate) struct Team {
    ranks: usize,
    rank: usize,
    workers: usize,
    barrier: SpinBarrier,
    /// The messages of each worker, by turns: one is read while the next is filled.
    outboxes: [Vec<RwLock<Outbox>>; 2],
    received: RwLock<Parcels>,
    /// The class that all go on with.
    next: AtomicU64,
}

/// The messages of one worker at a meeting.
#[derive(Default)]
struct Outbox {
    /// For each place.
    piles: Vec<Vec<u32>>,
    /// The first class that the worker knows of.
    first: u64,
}

impl Team {
    /// Makes a team of this number of workers on each of some ranks, of which this is one.
    pub(crate) fn new(ranks: usize, rank: usize, workers: usize) -> Self {
        assert!(workers > 0, "a rank without a worker");
        let outbox = |_| RwLock::new(Outbox { piles: no_piles(ranks * workers), first: u64::MAX });
        Self {
            ranks,
            rank,
            workers,
            barrier: SpinBarrier::new(workers),
            outboxes: [0, 1].map(|_| (0..workers).map(outbox).collect()),
            received: RwLock::new(Parcels::new(ranks)),
            next: AtomicU64::new(u64::MAX),
        }
    }

    /// Frees all others from waiting, if the thread that holds it panics.
    pub(crate) fn released_at_panic(&self) -> impl Drop {
        self.barrier.poison_on_panic()
    }

    /// Returns the messages that the workers have laid out for others.
    fn laid_out(&self, turn: usize) -> Vec<RwLockReadGuard<'_, Outbox>> {
        let read = |outbox| RwLock::read(outbox).unwrap_or_else(PoisonError::into_inner);
        self.outboxes[turn].iter().map(read).collect()
    }

    /// Meets the other ranks for all workers of this one.
    ///
    /// A parcel that is not empty begins with the length of what each worker there sends to each here.
    fn meet(&self, turn: usize, ranks: &mut Ranks, mail: &mut Mail) {
        let outboxes = self.laid_out(turn);
        for rank in (0..self.ranks).filter(|&rank| rank != self.rank) {
            let places = rank * self.workers..(rank + 1) * self.workers;
            let piles = || outboxes.iter().flat_map(|outbox| &outbox.piles[places.clone()]);
            if piles().all(Vec::is_empty) {
                continue;
            }
            let length = |pile: &Vec<u32>| u32::try_from(pile.len()).expect("MPI takes no more");
            piles().for_each(|pile| mail.push(rank, &[length(pile)]));
            piles().for_each(|pile| mail.push(rank, pile));
        }
        let first = outboxes.iter().map(|outbox| outbox.first).min().unwrap_or(u64::MAX);
        let told = mail.meet(ranks, halves(first));
        let mut received = self.received.write().unwrap_or_else(PoisonError::into_inner);
        let before = mem::replace(&mut *received, mail.take_received());
        mail.give_back(before);
        self.next.store(first_of(&told), Ordering::Release);
    }
}

fn no_piles(places: usize) -> Vec<Vec<u32>> {
    vec![Vec::new(); places]
}

/// Where one worker collects what it sends.
pub(crate) struct Desk<'t> {
    team: &'t Team,
    worker: usize,
    piles: Vec<Vec<u32>>,
    turn: usize,
}

/// The desk of the worker that meets other ranks, for all workers of its own.
pub(crate) struct Counter<'t, 'r> {
    desk: Desk<'t>,
    ranks: &'r mut Ranks,
    mail: Mail,
}

impl<'t> Desk<'t> {
    /// The desk of a worker.
    pub(crate) fn new(team: &'t Team, worker: usize) -> Self {
        let piles = no_piles(team.ranks * team.workers);
        Self { team, worker, piles, turn: 0 }
    }

    /// Makes it that of the worker that meets other ranks.
    pub(crate) fn at_the_network<'r>(self, ranks: &'r mut Ranks) -> Counter<'t, 'r> {
        Counter { desk: self, mail: Mail::new(ranks), ranks }
    }

    /// Lays out what is for others, and returns once all workers have.
    fn lay_out(&mut self, first: u64) {
        self.turn ^= 1;
        {
            let outbox = &self.team.outboxes[self.turn][self.worker];
            let mut outbox = outbox.write().unwrap_or_else(PoisonError::into_inner);
            mem::swap(&mut outbox.piles, &mut self.piles);
            outbox.first = first;
        }
        // Those of the meeting before the last one: all have read them.
        self.piles.iter_mut().for_each(Vec::clear);
        self.team.barrier.wait();
    }

    /// Returns once the ranks have met, with the first class of all.
    fn go_on(&self) -> u64 {
        self.team.barrier.wait();
        self.team.next.load(Ordering::Acquire)
    }
}

impl Post for Desk<'_> {
    #[inline]
    fn push(&mut self, place: usize, words: &[u32]) {
        self.piles[place].extend_from_slice(words);
    }

    fn meet(&mut self, first: u64) -> u64 {
        self.lay_out(first);
        self.go_on()
    }

    fn read(&self, mut parcel: impl FnMut(&[u32])) {
        let workers = self.team.workers;
        let own = self.team.rank * workers + self.worker;
        self.team.laid_out(self.turn).iter().for_each(|outbox| parcel(&outbox.piles[own]));
        let received = self.team.received.read().unwrap_or_else(PoisonError::into_inner);
        for words in received.iter().filter(|words| !words.is_empty()) {
            let (lengths, mut words) = words.split_at(workers * workers);
            for (pair, &length) in lengths.iter().enumerate() {
                let (pile, rest) = words.split_at(length as usize);
                words = rest;
                if pair % workers == self.worker {
                    parcel(pile);
                }
            }
        }
    }
}

impl Post for Counter<'_, '_> {
    #[inline]
    fn push(&mut self, place: usize, words: &[u32]) {
        self.desk.push(place, words);
    }

    fn meet(&mut self, first: u64) -> u64 {
        self.desk.lay_out(first);
        self.desk.team.meet(self.desk.turn, self.ranks, &mut self.mail);
        self.desk.go_on()
    }

    fn read(&self, parcel: impl FnMut(&[u32])) {
        self.desk.read(parcel);
    }
}
