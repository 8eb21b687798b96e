//! The machine itself: takes the smallest class, processes it until it stays empty, and goes on to the next.

use std::sync::{Mutex, PoisonError};

use crossbeam_utils::CachePadded;
use rayon::prelude::*;

use super::{Counts, Ordering, WorkItem};
use crate::graph::{Csr, Vertex, Weight};
use crate::sssp::bins::Bins;
use crate::sssp::labels::{Distances, Labels};

/// Rounds of fewer items run on one thread: waking another costs more than they do.
const ALONE: usize = 192;
/// Items that a thread takes at a time: few enough to share a round out evenly, as degrees differ widely.
const CHUNK: usize = 64;

/// When the condition `w[1] < distance(w[0])` of the processing function is evaluated. A choice made when
/// compiling.
trait Filter {
    /// Before an item is created, on the sender's side, and the distance written at once. Otherwise when it is
    /// processed, as the definition has it.
    const BEFORE_CREATION: bool;
    /// Count what happens?
    const COUNTED: bool;
}

struct Filtered<const COUNTED: bool>;
impl<const COUNTED: bool> Filter for Filtered<COUNTED> {
    const BEFORE_CREATION: bool = true;
    const COUNTED: bool = COUNTED;
}

struct Literal;
impl Filter for Literal {
    const BEFORE_CREATION: bool = false;
    const COUNTED: bool = true;
}

/// All distances from a source, by the algorithm that an ordering defines, in parallel on the current rayon pool.
///
/// A work item is created only if its distance is lower than the best known, which it becomes at once: the same
/// distances as by the letter of the definition, with a small fraction of the items.
///
/// # Panics
/// If the graph has no such vertex.
pub fn search<W: Weight, O: Ordering<W>>(ordering: &O, graph: &Csr<W>, source: Vertex) -> Vec<W> {
    run::<W, O, Filtered<false>>(ordering, graph, source).0
}

/// As [`search`], counting what it does.
///
/// # Panics
/// If the graph has no such vertex.
pub fn search_counted<W: Weight, O: Ordering<W>>(
    ordering: &O,
    graph: &Csr<W>,
    source: Vertex,
) -> (Vec<W>, Counts) {
    run::<W, O, Filtered<true>>(ordering, graph, source)
}

/// As [`search_counted`], to the letter of VoV Definitions 2 and 4: an item for every arc of every vertex whose
/// distance fell, compared when it is processed.
///
/// (Definition 4 prints its condition as `w[0] < distance(w[0])`, a vertex compared with a distance; Definition 2
/// has the `w[1]` that is meant.)
///
/// # Panics
/// If the graph has no such vertex.
pub fn search_literally<W: Weight, O: Ordering<W>>(
    ordering: &O,
    graph: &Csr<W>,
    source: Vertex,
) -> (Vec<W>, Counts) {
    run::<W, O, Literal>(ordering, graph, source)
}

fn run<W: Weight, O: Ordering<W>, F: Filter>(
    ordering: &O,
    graph: &Csr<W>,
    source: Vertex,
) -> (Vec<W>, Counts) {
    let mut labels = Distances::default();
    labels.reset(graph.vertices());
    let machine = Machine { ordering, graph, labels: &labels };
    let counts = if rayon::current_num_threads() == 1 {
        machine.alone::<F>(source)
    } else {
        // Inside the pool a round's fork and join stays between its threads.
        rayon::scope(|_| machine.together::<F>(source))
    };
    (labels.distances(), counts)
}

/// What one thread keeps to itself during a round.
struct Own<I> {
    bins: Bins<I>,
    counts: Counts,
}

impl<I> Own<I> {
    fn new() -> Self {
        Self { bins: Bins::new(), counts: Counts::default() }
    }
}

/// A thread's own, where the others find it between rounds.
type Slot<I> = CachePadded<Mutex<Own<I>>>;

struct Machine<'a, W, O> {
    ordering: &'a O,
    graph: &'a Csr<W>,
    labels: &'a Distances,
}

impl<W: Weight, O: Ordering<W>> Machine<'_, W, O> {
    /// Enters the start set S.
    fn start<F: Filter>(&self, source: Vertex, own: &mut Own<O::Item>) {
        let item = O::Item::start(source);
        if F::BEFORE_CREATION {
            self.labels.lower::<false>(source, item.key(), source);
        }
        own.bins.push(self.ordering.class(&item), item);
        own.counts.created = 1;
    }

    /// The machine on one thread: nothing is shared.
    fn alone<F: Filter>(&self, source: Vertex) -> Counts {
        let mut own = Own::new();
        self.start::<F>(source, &mut own);
        let mut items = Vec::new();
        let (mut classes, mut rounds) = (0, 0);
        while let Some(class) = own.bins.first_class() {
            own.bins.advance(class);
            classes += 1;
            loop {
                own.bins.take_current(&mut items);
                if items.is_empty() {
                    break;
                }
                rounds += 1;
                for item in items.drain(..) {
                    self.process::<F, false>(item, &mut own);
                }
            }
        }
        Counts { classes, rounds, ..own.counts }
    }

    /// The machine on all threads of the pool, each with bins of its own.
    fn together<F: Filter>(&self, source: Vertex) -> Counts {
        let mut slots: Vec<Slot<O::Item>> = (0..rayon::current_num_threads())
            .map(|_| CachePadded::new(Mutex::new(Own::new())))
            .collect();
        self.start::<F>(source, unlocked(&mut slots[0]));
        let mut items = Vec::new();
        let (mut classes, mut rounds) = (0, 0);
        while let Some(class) =
            slots.iter_mut().filter_map(|slot| unlocked(slot).bins.first_class()).min()
        {
            slots.iter_mut().for_each(|slot| unlocked(slot).bins.advance(class));
            classes += 1;
            loop {
                slots.iter_mut().for_each(|slot| unlocked(slot).bins.take_current(&mut items));
                if items.is_empty() {
                    break;
                }
                rounds += 1;
                self.round::<F>(&items, &mut slots);
                items.clear();
            }
        }
        let mut counts = Counts { classes, rounds, ..Counts::default() };
        slots.iter_mut().for_each(|slot| counts.add(&unlocked(slot).counts));
        counts
    }

    /// Processes some items of one class.
    fn round<F: Filter>(&self, items: &[O::Item], slots: &mut [Slot<O::Item>]) {
        if items.len() < ALONE {
            let own = unlocked(&mut slots[0]);
            items.iter().for_each(|&item| self.process::<F, false>(item, own));
            return;
        }
        let slots = &*slots;
        items.par_chunks(CHUNK).for_each(|chunk| {
            let thread = rayon::current_thread_index().unwrap_or(0);
            // Nobody else asks for this thread's own during a round.
            let mut own = slots[thread].lock().unwrap_or_else(PoisonError::into_inner);
            chunk.iter().for_each(|&item| self.process::<F, true>(item, &mut own));
        });
    }

    /// The processing function PF (VoV Definitions 2 and 4): relaxes the arcs of an item's vertex, if the item
    /// brought the best distance to it.
    #[inline]
    fn process<F: Filter, const SHARED: bool>(&self, item: O::Item, own: &mut Own<O::Item>) {
        let useful = if F::BEFORE_CREATION {
            item.key() == self.labels.get(item.vertex())
        } else {
            self.labels.lower::<SHARED>(item.vertex(), item.key(), item.vertex())
        };
        if F::COUNTED {
            own.counts.useful += u64::from(useful);
            own.counts.discarded += u64::from(!useful);
        }
        if !useful {
            return;
        }
        if F::COUNTED {
            own.counts.relaxations += self.graph.degree(item.vertex()) as u64;
        }
        for (neighbour, weight) in self.graph.neighbours(item.vertex()) {
            let key = weight.extend(item.key());
            if F::BEFORE_CREATION && !self.labels.lower::<SHARED>(neighbour, key, item.vertex()) {
                continue;
            }
            let next = item.follow(neighbour, key);
            own.bins.push(self.ordering.class(&next), next);
            if F::COUNTED {
                own.counts.created += 1;
            }
        }
    }
}

/// A thread's own, between rounds.
fn unlocked<I>(slot: &mut Slot<I>) -> &mut Own<I> {
    slot.get_mut().unwrap_or_else(PoisonError::into_inner)
}
