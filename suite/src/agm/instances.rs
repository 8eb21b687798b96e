//! Instances of the machine besides shortest paths.

use std::marker::PhantomData;

use super::items::{LevelledItem, PlainItem, Successor, WorkItem};
use super::machine::Processing;
use crate::graph::{Adjacency, Vertex};

/// Breadth-first search: the state of a vertex is the fewest arcs that lead to it from a source.
#[derive(Debug, Clone, Copy)]
pub struct Hops<I>(PhantomData<fn() -> I>);

impl Hops<PlainItem> {
    /// With items ⟨vertex, hops⟩.
    pub fn plain() -> Self {
        Self(PhantomData)
    }
}

impl Hops<LevelledItem> {
    /// With items ⟨vertex, hops, level⟩, as [`Kla`](super::Kla) orders them.
    pub fn levelled() -> Self {
        Self(PhantomData)
    }
}

impl Hops<()> {
    /// The start set: the source, no arc away from itself.
    pub fn start<I: Successor>(source: Vertex) -> Vec<I> {
        vec![I::first(source, 0)]
    }
}

impl<I: Successor> Processing<Adjacency> for Hops<I> {
    type Item = I;
    const UNSET: u32 = u32::MAX;

    #[inline]
    fn improves(value: u32, state: u32) -> bool {
        value < state
    }

    #[inline]
    fn follow(&self, graph: &Adjacency, item: I, mut create: impl FnMut(I)) {
        let hops = item.value() + 1;
        graph.neighbours(item.vertex()).iter().for_each(|&next| create(item.next(next, hops)));
    }
}

/// Connected components of an undirected graph: the state of a vertex is the smallest number of a vertex that it is joined
/// to.
#[derive(Debug, Clone, Copy)]
pub struct Labels;

impl Labels {
    /// Returns the start set: each of this number of vertices with its own number.
    pub fn start(vertices: usize) -> Vec<PlainItem> {
        (0..vertices as Vertex).map(|vertex| PlainItem::first(vertex, vertex)).collect()
    }
}

impl Processing<Adjacency> for Labels {
    type Item = PlainItem;
    const UNSET: u32 = u32::MAX;

    #[inline]
    fn improves(value: u32, state: u32) -> bool {
        value < state
    }

    #[inline]
    fn follow(&self, graph: &Adjacency, item: PlainItem, mut create: impl FnMut(PlainItem)) {
        let label = item.value();
        graph.neighbours(item.vertex()).iter().for_each(|&next| create(item.next(next, label)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agm::{Ascending, Filter, Kla, Machine, Runtime, Unordered};
    use crate::generate::{Rmat, Seed, gnm};
    use crate::graph::{Build, Csr};
    use crate::kernels::{breadth_first_search_by_queue, components_by_union};

    const RUNTIMES: [Runtime; 2] = [Runtime::Tasks, Runtime::Messages];
    const FILTERS: [Filter; 2] = [Filter::Literal, Filter::Filtered];

    /// Runs a machine in every way, on one thread and on three, and returns the states that all agree on.
    fn agreed<G: super::super::Graph, P, O>(machine: &Machine<'_, G, P, O>) -> Vec<u32>
    where
        P: Processing<G> + Send,
        P::Item: Send,
        O: crate::agm::Ordering<Item = P::Item> + Send,
    {
        let (expected, _) = machine.run_counted(Runtime::Tasks, Filter::Literal);
        for threads in [1, 3] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            for (runtime, filter) in RUNTIMES.into_iter().flat_map(|r| FILTERS.map(|f| (r, f))) {
                let (found, counts) = pool.install(|| machine.run_counted(runtime, filter));
                assert!(found == expected, "{runtime:?}, {filter:?}, {threads} threads");
                assert_eq!(counts.created, counts.useful + counts.discarded, "{runtime:?}");
            }
        }
        expected
    }

    #[test]
    fn hops_are_the_depths_of_a_breadth_first_tree() {
        for seed in 0..5 {
            let list = Rmat::graph500(8, Seed(seed)).weighted(1);
            let graph = Adjacency::of(&Csr::build(&list, Build::UNDIRECTED));
            let parents = breadth_first_search_by_queue(&graph, 3);
            let depth = |mut vertex: Vertex| {
                if parents[vertex as usize] == Vertex::MAX {
                    return u32::MAX;
                }
                let mut depth = 0;
                while parents[vertex as usize] != vertex {
                    vertex = parents[vertex as usize];
                    depth += 1;
                }
                depth
            };
            let expected: Vec<u32> = (0..graph.vertices() as Vertex).map(depth).collect();
            let plain = Machine::new(&graph, Hops::plain(), Ascending, Hops::start(3));
            assert!(agreed(&plain) == expected);
            let levelled = Machine::new(&graph, Hops::levelled(), Kla::new(2), Hops::start(3));
            assert!(agreed(&levelled) == expected);
        }
    }

    #[test]
    fn labels_are_those_of_union_find() {
        for seed in 0..2 {
            let list = gnm::<u32>(300, 200, 9, Seed(seed));
            let graph = Adjacency::of(&Csr::build(&list, Build::UNDIRECTED));
            let joined = components_by_union(&graph);
            let ascending = Machine::new(&graph, Labels, Ascending, Labels::start(300));
            let unordered = Machine::new(&graph, Labels, Unordered, Labels::start(300));
            let labels = agreed(&ascending);
            assert!(agreed(&unordered) == labels);
            for a in 0..300 {
                for b in 0..300 {
                    assert_eq!(labels[a] == labels[b], joined[a] == joined[b], "{a} and {b}");
                }
            }
        }
    }

    /// Widest paths, a machine with another state: the width of the widest path from the source, where more is better.
    struct Widths;

    impl Processing<Csr> for Widths {
        type Item = PlainItem;
        const UNSET: u32 = 0;

        fn improves(value: u32, state: u32) -> bool {
            value > state
        }

        fn follow(&self, graph: &Csr, item: PlainItem, mut create: impl FnMut(PlainItem)) {
            let arcs = graph.neighbours(item.vertex());
            arcs.for_each(|(head, width)| create(item.next(head, width.min(item.value()))));
        }
    }

    /// Widest first.
    struct Descending;

    impl crate::agm::Ordering for Descending {
        type Item = PlainItem;

        fn class(&self, item: &PlainItem) -> u64 {
            u64::from(u32::MAX - item.value())
        }
    }

    #[test]
    fn the_state_and_its_order_are_the_machines_own() {
        for seed in 0..5 {
            let graph = Csr::build(&gnm::<u32>(80, 200, 50, Seed(seed)), Build::UNDIRECTED);
            let mut expected = vec![0; 80];
            expected[7] = u32::MAX;
            for _ in 0..80 {
                for tail in 0..80 {
                    for (head, width) in graph.neighbours(tail as Vertex) {
                        let through = width.min(expected[tail]);
                        expected[head as usize] = through.max(expected[head as usize]);
                    }
                }
            }
            let start = vec![PlainItem::first(7, u32::MAX)];
            assert_eq!(agreed(&Machine::new(&graph, Widths, Descending, start.clone())), expected);
            assert_eq!(agreed(&Machine::new(&graph, Widths, Unordered, start)), expected);
        }
    }

    #[test]
    #[should_panic(expected = "start at vertex 5: the graph has 5 vertices")]
    fn a_start_outside_the_graph_is_refused() {
        let list = gnm::<u32>(5, 6, 9, Seed(1));
        let graph = Adjacency::of(&Csr::build(&list, Build::UNDIRECTED));
        let _ = Machine::new(&graph, Hops::plain(), Ascending, Hops::start(5));
    }

    #[test]
    fn an_empty_start_set_leaves_all_unset() {
        let list = gnm::<u32>(5, 6, 9, Seed(1));
        let graph = Adjacency::of(&Csr::build(&list, Build::UNDIRECTED));
        assert_eq!(agreed(&Machine::new(&graph, Hops::plain(), Ascending, vec![])), [u32::MAX; 5]);
    }
}
