//! Kernel 3 of Graph500 over ranks: distances and parents by Δ-stepping. The [searches](crate::search) follow their
//! definitions; this one is for time.

use plusminus_suite::agm::{Bins, Ordering, PlainItem, Successor, WorkItem};
use plusminus_suite::graph::{Vertex, Weight};
use plusminus_suite::sssp::DeltaStepping;

use crate::graph::Part;
use crate::{Mail, Ranks};

/// Vertices of other ranks whose last message is remembered, at most: 32 MiB.
const REMEMBERED: u64 = 1 << 22;
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
    /// A vertex in the high half and a key in the low one: of each own vertex the least that is known, and of others the
    /// last that was sent, by the low bits of their numbers.
    known: Vec<u64>,
    mask: usize,
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
        let slots = part.vertices().next_power_of_two().min(REMEMBERED) as usize;
        Self {
            part,
            ordering,
            known: vec![u64::MAX; part.own().len() + slots],
            mask: slots - 1,
            parents: vec![Vertex::MAX; part.own().len()],
            bins: Bins::new(),
            mail: Mail::new(ranks),
            items: Vec::new(),
        }
    }

    /// Distances and parents from a root; the root is its own parent.
    pub fn search(&mut self, root: Vertex, ranks: &mut Ranks) -> Tree {
        assert!(u64::from(root) < self.part.vertices(), "root {root} does not exist");
        self.known.fill(u64::MAX);
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
        if key < self.known[position] as u32 {
            self.known[position] = u64::from(vertex) << 32 | u64::from(key);
            self.parents[position] = parent;
            let item = PlainItem::first(vertex, key);
            self.bins.push(self.ordering.class(&item), item);
        }
    }

    /// Relaxes the arcs of all items of this class, also of those that come in meanwhile; gives the first class of what is
    /// sent to other ranks.
    fn process(&mut self) -> u64 {
        let Self { part, ordering, known, mask, parents, bins, mail, items } = self;
        let (own, first) = (part.own().len(), part.own().start);
        let mut least_sent = u64::MAX;
        loop {
            bins.take_current(items);
            if items.is_empty() {
                return least_sent;
            }
            for item in items.drain(..) {
                let (from, key) = (item.vertex(), item.value());
                let position = (from - first) as usize;
                if known[position] as u32 != key {
                    continue;
                }
                for &(to, weight) in part.arcs(position) {
                    let next = weight.extend(key);
                    let position = to.wrapping_sub(first) as usize;
                    let mine = position < own;
                    // No branch: which rank has a vertex is a matter of chance.
                    let slot = if mine { position } else { own + (to as usize & *mask) };
                    let told = known[slot];
                    let least = if (told >> 32) as Vertex == to { told as u32 } else { u32::MAX };
                    if next >= least {
                        continue;
                    }
                    known[slot] = u64::from(to) << 32 | u64::from(next);
                    let item = PlainItem::first(to, next);
                    let class = ordering.class(&item);
                    if mine {
                        parents[position] = from;
                        bins.push(class, item);
                    } else {
                        least_sent = least_sent.min(class);
                        mail.push(part.owner(to), &[to, next, from]);
                    }
                }
            }
        }
    }

    /// What was found.
    fn tree(&self) -> Tree {
        let own = self.part.own().len();
        let keys = self.known[..own].iter().map(|&known| known as u32).collect();
        Tree { keys, parents: self.parents.clone() }
    }
}
