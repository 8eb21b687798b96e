//! The machines of VoV §3: the processing function that shortest paths share, Δ-stepping's ordering, and the source as
//! start set (Propositions 1 and 2).

use std::marker::PhantomData;

use super::width::Width;
use crate::agm::{
    Counts, Filter, Machine, Ordering, PlainItem, Processing, Runtime, Successor, WorkItem,
};
use crate::graph::{Csr, Vertex, Weight};

/// SSSP_PF and KLA_PF (VoV Definitions 2 and 4): an item whose distance is below that of its vertex is followed by one for
/// every neighbor. Values are keys of distances (see [`Weight`]).
///
/// (Definition 4 prints its condition as `w[0] < distance(w[0])`, a vertex compared with a distance; Definition 2
/// has the `w[1]` that is meant.)
#[derive(Debug, Clone, Copy)]
pub struct Relax<W, I>(PhantomData<fn() -> (W, I)>);

impl<W: Weight, I: Successor> Processing<Csr<W>> for Relax<W, I> {
    type Item = I;
    const UNSET: u32 = W::UNREACHED;

    #[inline]
    fn improves(value: u32, state: u32) -> bool {
        value < state
    }

    #[inline]
    fn follow(&self, graph: &Csr<W>, item: I, mut create: impl FnMut(I)) {
        for (neighbour, weight) in graph.neighbours(item.vertex()) {
            create(item.next(neighbour, weight.extend(item.value())));
        }
    }
}

/// Δ-stepping: classes ⌊distance/Δ⌋ (VoV Definition 3).
#[derive(Debug, Clone, Copy)]
pub struct DeltaStepping<W> {
    width: Width<W>,
}

impl<W: Weight> DeltaStepping<W> {
    /// The ordering for a width Δ of a class.
    ///
    /// # Panics
    /// If Δ is not above zero.
    pub fn new(delta: W) -> Self {
        Self { width: Width::new(delta) }
    }
}

impl<W: Weight> Ordering for DeltaStepping<W> {
    type Item = PlainItem;

    #[inline]
    fn class(&self, item: &PlainItem) -> u64 {
        self.width.class(item.value())
    }
}

/// The machine that finds all distances from a source, by the algorithm that an ordering makes of it.
///
/// # Panics
/// If the graph has no such vertex.
pub fn machine<W: Weight, O: Ordering>(
    ordering: O,
    graph: &Csr<W>,
    source: Vertex,
) -> Machine<'_, Csr<W>, Relax<W, O::Item>, O>
where
    O::Item: Successor,
{
    let start = vec![O::Item::first(source, W::ZERO.to_key())];
    Machine::new(graph, Relax(PhantomData), ordering, start)
}

/// All distances from a source, by the algorithm that an ordering makes of the machine, in parallel on as many threads as
/// the current rayon pool has.
///
/// # Panics
/// If the graph has no such vertex.
pub fn search<W: Weight, O: Ordering>(
    ordering: O,
    graph: &Csr<W>,
    source: Vertex,
    runtime: Runtime,
    filter: Filter,
) -> Vec<W>
where
    O::Item: Successor,
{
    distances(machine(ordering, graph, source).run(runtime, filter))
}

/// As [`search`], counting what it does.
///
/// # Panics
/// If the graph has no such vertex.
pub fn search_counted<W: Weight, O: Ordering>(
    ordering: O,
    graph: &Csr<W>,
    source: Vertex,
    runtime: Runtime,
    filter: Filter,
) -> (Vec<W>, Counts)
where
    O::Item: Successor,
{
    let (keys, counts) = machine(ordering, graph, source).run_counted(runtime, filter);
    (distances(keys), counts)
}

fn distances<W: Weight>(keys: Vec<u32>) -> Vec<W> {
    keys.into_iter().map(W::from_key).collect()
}
