//! The machine itself: takes the smallest class, processes it until it stays empty, and goes on to the next.

use std::sync::{Mutex, PoisonError};

use crossbeam_utils::CachePadded;
use rayon::prelude::*;

use super::bins::Bins;
use super::{Counts, Ordering, WorkItem};
use crate::graph::{Csr, Vertex, Weight};
use crate::sssp::labels::Labels;

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
    let mut labels = Labels::default();
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

struct Machine<'a, W, O> {
    ordering: &'a O,
    graph: &'a Csr<W>,
    labels: &'a Labels,
}

impl<W: Weight, O: Ordering<W>> Machine<'_, W, O> {
    /// Enters the start set S.
    fn start<F: Filter>(&self, source: Vertex, bins: &mut Bins<O::Item>) {
        let item = O::Item::start(source);
        if F::BEFORE_CREATION {
            self.labels.lower::<false>(source, item.key());
        }
        bins.push(self.ordering.class(&item), item);
        bins.counts.created = 1;
    }

    /// The machine on one thread: nothing is shared.
    fn alone<F: Filter>(&self, source: Vertex) -> Counts {
        let mut bins = Bins::new();
        self.start::<F>(source, &mut bins);
        let mut items = Vec::new();
        let (mut classes, mut rounds) = (0, 0);
        while let Some(class) = bins.first_class() {
            bins.advance(class);
            classes += 1;
            loop {
                bins.take_current(&mut items);
                if items.is_empty() {
                    break;
                }
                rounds += 1;
                for item in items.drain(..) {
                    self.process::<F, false>(item, &mut bins);
                }
            }
        }
        Counts { classes, rounds, ..bins.counts }
    }

    /// The machine on all threads of the pool, each with bins of its own.
    fn together<F: Filter>(&self, source: Vertex) -> Counts {
        let mut bins: Vec<CachePadded<Mutex<Bins<O::Item>>>> = (0..rayon::current_num_threads())
            .map(|_| CachePadded::new(Mutex::new(Bins::new())))
            .collect();
        self.start::<F>(source, unlocked(&mut bins[0]));
        let mut items = Vec::new();
        let (mut classes, mut rounds) = (0, 0);
        while let Some(class) =
            bins.iter_mut().filter_map(|bins| unlocked(bins).first_class()).min()
        {
            bins.iter_mut().for_each(|bins| unlocked(bins).advance(class));
            classes += 1;
            loop {
                bins.iter_mut().for_each(|bins| unlocked(bins).take_current(&mut items));
                if items.is_empty() {
                    break;
                }
                rounds += 1;
                self.round::<F>(&items, &mut bins);
                items.clear();
            }
        }
        let mut counts = Counts { classes, rounds, ..Counts::default() };
        bins.iter_mut().for_each(|bins| counts.add(&unlocked(bins).counts));
        counts
    }

    /// Processes some items of one class.
    fn round<F: Filter>(&self, items: &[O::Item], bins: &mut [CachePadded<Mutex<Bins<O::Item>>>]) {
        if items.len() < ALONE {
            let bins = unlocked(&mut bins[0]);
            items.iter().for_each(|&item| self.process::<F, false>(item, bins));
            return;
        }
        let bins = &*bins;
        items.par_chunks(CHUNK).for_each(|chunk| {
            let thread = rayon::current_thread_index().unwrap_or(0);
            // Nobody else asks for this thread's bins during a round.
            let mut bins = bins[thread].lock().unwrap_or_else(PoisonError::into_inner);
            chunk.iter().for_each(|&item| self.process::<F, true>(item, &mut bins));
        });
    }

    /// The processing function PF (VoV Definitions 2 and 4): relaxes the arcs of an item's vertex, if the item
    /// brought the best distance to it.
    #[inline]
    fn process<F: Filter, const SHARED: bool>(&self, item: O::Item, bins: &mut Bins<O::Item>) {
        let useful = if F::BEFORE_CREATION {
            item.key() == self.labels.get(item.vertex())
        } else {
            self.labels.lower::<SHARED>(item.vertex(), item.key())
        };
        if F::COUNTED {
            bins.counts.useful += u64::from(useful);
            bins.counts.discarded += u64::from(!useful);
        }
        if !useful {
            return;
        }
        if F::COUNTED {
            bins.counts.relaxations += self.graph.degree(item.vertex()) as u64;
        }
        for (neighbour, weight) in self.graph.neighbours(item.vertex()) {
            let key = weight.extend(item.key());
            if F::BEFORE_CREATION && !self.labels.lower::<SHARED>(neighbour, key) {
                continue;
            }
            let next = item.follow(neighbour, key);
            bins.push(self.ordering.class(&next), next);
            if F::COUNTED {
                bins.counts.created += 1;
            }
        }
    }
}

/// The bins of a thread, between rounds.
fn unlocked<I>(bins: &mut CachePadded<Mutex<Bins<I>>>) -> &mut Bins<I> {
    bins.get_mut().unwrap_or_else(PoisonError::into_inner)
}
