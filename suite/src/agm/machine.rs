//! The parts of a machine, and how a machine is run.

use super::items::{Ordering, WorkItem};
use super::{Counts, messages, tasks};
use crate::graph::{Adjacency, Csr, Weight};

/// The graph G of a machine.
pub trait Graph: Sync {
    /// The number of vertices |V|.
    fn vertices(&self) -> usize;
}

impl<W: Weight> Graph for Csr<W> {
    fn vertices(&self) -> usize {
        self.vertices()
    }
}

impl Graph for Adjacency {
    fn vertices(&self) -> usize {
        self.vertices()
    }
}

/// The processing function PF of a machine, in the two parts of Definition 2: a condition on the item and the state
/// of its vertex, and the set of items that follow if it holds. The state then becomes the item's value.
pub trait Processing<G>: Sync {
    /// The work items.
    type Item: WorkItem;
    /// The state of every vertex before the machine starts, which every value improves.
    const UNSET: u32;

    /// The condition of PF: whether a value is better than the state of its vertex. It has to be a strict order, so that
    /// the states have a limit.
    fn improves(value: u32, state: u32) -> bool;

    /// Creates the items that follow from an item whose condition held.
    fn follow(&self, graph: &G, item: Self::Item, create: impl FnMut(Self::Item));
}

/// When the condition of the processing function is evaluated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Filter {
    /// When an item is processed, by the thread that processes it: the letter of VoV Definitions 2 and 4. There is an item
    /// for every arc of every vertex whose state improved.
    Literal,
    /// Before an item is created as well, where the state can be seen: what does not improve it becomes no item, and what
    /// does is written at once. Across threads of the message runtime the sender's memory of what it sent stands for the
    /// state (*message reduction* in AM++).
    Filtered,
}

/// The runtime that executes a machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Runtime {
    /// Tasks that any thread may steal, on states that all threads share. Tasks of one class run without any barrier
    /// between them; a class ends when no task is left (quiescence). In the spirit of HPX-5.
    Tasks,
    /// Each thread owns a block of vertices and alone touches their states; items travel to owners as messages in coalesced
    /// buffers. A class ends when no item is left anywhere, nor on its way. In the spirit of AM++.
    Messages,
}

/// An Abstract Graph Machine: the five parts of Definition 1, and the state.
#[derive(Debug, Clone)]
pub struct Machine<'a, G, P: Processing<G>, O> {
    /// G.
    pub graph: &'a G,
    /// PF, with the type of WorkItems and the state.
    pub processing: P,
    /// The strict weak ordering.
    pub ordering: O,
    /// S, the start set.
    pub start: Vec<P::Item>,
}

impl<'a, G: Graph, P: Processing<G>, O: Ordering<Item = P::Item>> Machine<'a, G, P, O> {
    /// A machine of these parts.
    ///
    /// # Panics
    /// If an item of the start set is at no vertex of the graph.
    pub fn new(graph: &'a G, processing: P, ordering: O, start: Vec<P::Item>) -> Self {
        let vertices = graph.vertices();
        if let Some(item) = start.iter().find(|item| item.vertex() as usize >= vertices) {
            panic!("start at vertex {}: the graph has {vertices} vertices", item.vertex());
        }
        Self { graph, processing, ordering, start }
    }

    /// The state of every vertex when no items are left, found on as many threads as the current rayon pool has.
    pub fn run(&self, runtime: Runtime, filter: Filter) -> Vec<u32> {
        match (runtime, filter) {
            (Runtime::Tasks, Filter::Literal) => tasks::run::<_, _, _, Literal<false>>(self).0,
            (Runtime::Tasks, Filter::Filtered) => tasks::run::<_, _, _, Filtered<false>>(self).0,
            (Runtime::Messages, Filter::Literal) => {
                messages::run::<_, _, _, Literal<false>>(self).0
            }
            (Runtime::Messages, Filter::Filtered) => {
                messages::run::<_, _, _, Filtered<false>>(self).0
            }
        }
    }

    /// As [`run`](Self::run), counting what happens.
    pub fn run_counted(&self, runtime: Runtime, filter: Filter) -> (Vec<u32>, Counts) {
        match (runtime, filter) {
            (Runtime::Tasks, Filter::Literal) => tasks::run::<_, _, _, Literal<true>>(self),
            (Runtime::Tasks, Filter::Filtered) => tasks::run::<_, _, _, Filtered<true>>(self),
            (Runtime::Messages, Filter::Literal) => messages::run::<_, _, _, Literal<true>>(self),
            (Runtime::Messages, Filter::Filtered) => messages::run::<_, _, _, Filtered<true>>(self),
        }
    }

    /// The rank of an item's class.
    #[inline]
    pub(super) fn class(&self, item: &P::Item) -> u64 {
        self.ordering.class(item)
    }
}

/// A [`Filter`], and whether to count, as choices made when compiling.
pub(super) trait Mode {
    /// [`Filter::Filtered`]?
    const FILTERED: bool;
    /// Count what happens?
    const COUNTED: bool;
}

/// [`Filter::Filtered`].
pub(super) struct Filtered<const COUNTED: bool>;

impl<const COUNTED: bool> Mode for Filtered<COUNTED> {
    const FILTERED: bool = true;
    const COUNTED: bool = COUNTED;
}

/// [`Filter::Literal`].
pub(super) struct Literal<const COUNTED: bool>;

impl<const COUNTED: bool> Mode for Literal<COUNTED> {
    const FILTERED: bool = false;
    const COUNTED: bool = COUNTED;
}
