//! Kernel 3 of Graph500 over ranks: distances and parents by Δ-stepping. The [searches](crate::search) follow their
//! definitions; this one is for time.

use std::hint::black_box;

use plusminus_suite::agm::{Bins, Ordering, PlainItem, Successor, WorkItem};
use plusminus_suite::graph::{Vertex, Weight};
use plusminus_suite::sssp::DeltaStepping;

use crate::graph::Part;
use crate::{Mail, Ranks};

/// Graphs of this number of vertices have a slot for each of them on every rank, 64 MiB. In larger ones, vertices of
/// other ranks share as many.
const REMEMBERED: u64 = 1 << 24;
/// Rows that are asked for together.
const GROUP: usize = 16;
/// Classes are so wide that this many mean weights, shared among the arcs that meet at the head of a typical arc, span one:
/// as on threads.
const MEAN_WEIGHTS: f64 = 8.0;

/// A tree of shortest paths, of this rank's vertices.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tree {
    /// The key of each vertex's distance ([`Weight::from_key`]), `u32::MAX` where no path leads.
    pub keys: Vec<u32>,
    /// The parent of each vertex, the root's being itself; `Vertex::MAX` where no path leads.
    pub parents: Vec<Vertex>,
}

/// Searches from one root after the other. Nothing is kept from one to the next but memory.
pub struct Kernel3<'a, W: Weight> {
    part: &'a Part<W>,
    ordering: DeltaStepping<W>,
    known: Known,
    parents: Vec<Vertex>,
    bins: Bins<PlainItem>,
    mail: Mail,
    items: Vec<PlainItem>,
}

impl<'a, W: Weight> Kernel3<'a, W> {
    /// Chooses Δ by the graph. All ranks make this call.
    pub fn new(part: &'a Part<W>, ranks: &mut Ranks) -> Self {
        let degrees = || (0..part.own().len()).map(|position| part.arcs(position).len() as u64);
        let squares = ranks.sum(degrees().map(|degree| degree * degree).sum());
        let weights = || (0..part.own().len()).flat_map(|at| part.arcs(at)).map(|arc| arc.1);
        // In units that a whole number can hold, and of which many can be added.
        let mine: f64 = weights().map(Weight::to_real).sum();
        let sum = ranks.sum((mine * 1024.0) as u64) as f64 / 1024.0;
        let least = weights().map(Weight::to_key).filter(|&key| key > 0).min();
        let least = ranks.each(least.map_or(u64::MAX, u64::from)).into_iter().min();
        let arcs = part.all_arcs().max(1) as f64;
        let width = W::width(MEAN_WEIGHTS * (sum / arcs) / (squares as f64 / arcs).max(1.0));
        let least = least.and_then(|key| u32::try_from(key).ok()).map(W::from_key);
        let delta = if width > W::ZERO { Some(width) } else { least };
        // Where no arc weighs anything, everything is one class.
        let ordering = DeltaStepping::new(delta.unwrap_or(W::from_draw(1, 1)));
        Self::with_ordering(part, ordering, ranks)
    }

    /// Searches with a width of classes.
    pub fn with_ordering(part: &'a Part<W>, ordering: DeltaStepping<W>, ranks: &mut Ranks) -> Self {
        Self::remembering(REMEMBERED, part, ordering, ranks)
    }

    /// Searches, and remembers the sent items of at most this number of vertices.
    pub fn remembering(
        most: u64,
        part: &'a Part<W>,
        ordering: DeltaStepping<W>,
        ranks: &mut Ranks,
    ) -> Self {
        Self {
            part,
            ordering,
            known: Known::new(part, most),
            parents: vec![Vertex::MAX; part.own().len()],
            bins: Bins::new(),
            mail: Mail::new(ranks),
            items: Vec::new(),
        }
    }

    /// Distances and parents from a root; the root is its own parent.
    pub fn search(&mut self, root: Vertex, ranks: &mut Ranks) -> Tree {
        assert!(u64::from(root) < self.part.vertices(), "root {root} does not exist");
        self.known.forget();
        self.parents.fill(Vertex::MAX);
        self.bins.clear();
        self.arrive(root, W::ZERO.to_key(), root);
        let mut class = 0;
        loop {
            let least_sent = self.process();
            let first = self.bins.first_class().unwrap_or(u64::MAX).min(least_sent);
            let told = self.mail.meet(ranks, [first as u32, (first >> 32) as u32, 0, 0]);
            let first = told.iter().map(|word| u64::from(word[0]) | u64::from(word[1]) << 32).min();
            let next = first.unwrap_or(u64::MAX);
            if next == u64::MAX {
                return self.tree();
            }
            if next != class {
                self.bins.advance(next);
                class = next;
            }
            let received = self.mail.take_received();
            for words in received.iter() {
                for &[vertex, key, parent] in words.as_chunks::<3>().0 {
                    self.arrive(vertex, key, parent);
                }
            }
            self.mail.give_back(received);
        }
    }

    /// Takes in a distance, if it is one of this rank's vertices and lower than what is known.
    fn arrive(&mut self, vertex: Vertex, key: u32, parent: Vertex) {
        let Some(position) = self.part.position(vertex) else { return };
        if self.known.lower(vertex, key) {
            self.parents[position] = parent;
            let item = PlainItem::first(vertex, key);
            self.bins.push(self.ordering.class(&item), item);
        }
    }

    /// Relaxes the arcs of all items of this class, also of items that arrive meanwhile. Returns the first class of
    /// the items for other ranks.
    fn process(&mut self) -> u64 {
        let Self { part, ordering, known, parents, bins, mail, items } = self;
        let first = part.own().start;
        let mut least_sent = u64::MAX;
        loop {
            bins.take_current(items);
            if items.is_empty() {
                return least_sent;
            }
            for group in items.chunks(GROUP) {
                let mut rows: [&[(Vertex, W)]; GROUP] = [&[]; GROUP];
                let mut touched = 0;
                for (row, item) in rows.iter_mut().zip(group) {
                    if known.of(item.vertex()) == item.value() {
                        *row = part.arcs((item.vertex() - first) as usize);
                        touched ^= row.first().map_or(0, |arc| arc.0);
                    }
                }
                // All rows have been asked for before any is read: the memory answers many reads at a time.
                black_box(touched);
                for (row, item) in rows.iter().zip(group) {
                    for &(to, weight) in *row {
                        let key = weight.extend(item.value());
                        if !known.lower(to, key) {
                            continue;
                        }
                        let next = PlainItem::first(to, key);
                        let class = ordering.class(&next);
                        if let Some(position) = part.position(to) {
                            parents[position] = item.vertex();
                            bins.push(class, next);
                        } else {
                            least_sent = least_sent.min(class);
                            mail.push(part.owner(to), &[to, key, item.vertex()]);
                        }
                    }
                }
            }
            items.clear();
        }
    }

    /// Returns the tree that was found.
    fn tree(&self) -> Tree {
        let keys = self.part.own().map(|vertex| self.known.of(vertex)).collect();
        Tree { keys, parents: self.parents.clone() }
    }
}

/// The least key that is known of each own vertex, and the last that was sent of others.
struct Known {
    keys: Vec<u32>,
    /// Which other vertex a key belongs to; empty where every vertex of the graph has a slot of its own.
    tags: Vec<Vertex>,
    first: Vertex,
    own: usize,
    mask: usize,
}

impl Known {
    fn new<W: Weight>(part: &Part<W>, most: u64) -> Self {
        let own = part.own();
        let exact = part.vertices() <= most;
        let slots = if exact { 0 } else { most.next_power_of_two() as usize };
        let keys = if exact { part.vertices() as usize } else { own.len() + slots };
        Self {
            keys: vec![u32::MAX; keys],
            tags: vec![Vertex::MAX; slots],
            first: own.start,
            own: own.len(),
            mask: slots.wrapping_sub(1),
        }
    }

    fn forget(&mut self) {
        self.keys.fill(u32::MAX);
        self.tags.fill(Vertex::MAX);
    }

    /// Where the key of a vertex is.
    #[inline]
    fn slot(&self, vertex: Vertex) -> usize {
        if self.tags.is_empty() {
            return vertex as usize;
        }
        let position = vertex.wrapping_sub(self.first) as usize;
        if position < self.own { position } else { self.own + (vertex as usize & self.mask) }
    }

    /// The key of an own vertex.
    #[inline]
    fn of(&self, vertex: Vertex) -> u32 {
        self.keys[self.slot(vertex)]
    }

    /// Notes a key of any vertex, if it is lower than what is known of it.
    #[inline]
    fn lower(&mut self, vertex: Vertex, key: u32) -> bool {
        let slot = self.slot(vertex);
        let tag = slot.wrapping_sub(self.own);
        // Where vertices share slots, the last one has it.
        let taken = !self.tags.is_empty() && slot >= self.own && self.tags[tag] != vertex;
        if !taken && key >= self.keys[slot] {
            return false;
        }
        if taken {
            self.tags[tag] = vertex;
        }
        self.keys[slot] = key;
        true
    }
}
