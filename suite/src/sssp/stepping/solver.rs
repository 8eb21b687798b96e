//! Δ-stepping as users call it: parameters, and memory that one search leaves to the next.

use std::sync::{Mutex, PoisonError};

use crossbeam_utils::CachePadded;

use super::SplitGraph;
use super::delta::{Scratch, Search};
use super::frontier::Frontier;
use crate::graph::{Csr, Vertex, Weight};
use crate::sssp::labels::{Distances, Labels, Tree};
use crate::sssp::team;
use crate::sssp::width::{Profile, Width};

/// Searches a graph by Δ-stepping, again and again.
pub struct Solver<'a, W = u32> {
    graph: &'a Csr<W>,
    split: Option<&'a SplitGraph<W>>,
    width: Width<W>,
    delta: W,
    memory: Memory,
}

/// The memory of a search, which the next one can use again: allocating it anew costs small searches much of their
/// time.
#[derive(Default)]
pub struct Memory {
    distances: Distances,
    tree: Tree,
    frontier: Frontier,
    scratch: Vec<CachePadded<Mutex<Scratch>>>,
}

/// Distances, and the last vertex before each on a shortest path.
#[derive(Debug, Clone, PartialEq)]
pub struct ShortestPathTree<W = u32> {
    /// Distance of each vertex; [`Weight::INFINITE`] where no path leads.
    pub distances: Vec<W>,
    /// Parent of each vertex: the source is its own, and [`Vertex::MAX`] stands where no path leads.
    pub parents: Vec<Vertex>,
}

impl<'a, W: Weight> Solver<'a, W> {
    /// A solver with an automatic Δ: eight mean weights over the degree at the head of a typical arc
    /// (Σ degree² / Σ degree), rounded down to a power of two for integers.
    pub fn new(graph: &'a Csr<W>) -> Self {
        let delta = Profile::of(graph).delta();
        Self::with_delta(graph, delta)
    }

    /// A solver with a given Δ.
    ///
    /// # Panics
    /// If Δ is not above zero.
    pub fn with_delta(graph: &'a Csr<W>, delta: W) -> Self {
        Self { graph, split: None, width: Width::new(delta), delta, memory: Memory::default() }
    }

    /// Takes over the memory of an earlier solver, of any graph.
    #[must_use]
    pub fn with_memory(mut self, memory: Memory) -> Self {
        self.memory = memory;
        self
    }

    /// Leaves the memory to a later solver.
    pub fn into_memory(self) -> Memory {
        self.memory
    }

    /// Searches along light arcs first: see [`SplitGraph`].
    ///
    /// # Panics
    /// If the split is of another graph, as far as numbers of vertices and arcs tell.
    #[must_use]
    pub fn with_split(mut self, split: &'a SplitGraph<W>) -> Self {
        assert!(
            split.light.vertices() == self.graph.vertices()
                && split.light.arcs() + split.heavy.arcs() == self.graph.arcs(),
            "the split is not one of this graph"
        );
        self.split = Some(split);
        self
    }

    /// The width Δ.
    pub fn delta(&self) -> W {
        self.delta
    }

    /// All distances from a source, in parallel on as many threads as the current rayon pool has.
    ///
    /// # Panics
    /// If the graph has no such vertex.
    pub fn distances(&mut self, source: Vertex) -> Vec<W> {
        let mut labels = std::mem::take(&mut self.memory.distances);
        self.search(&mut labels, source);
        let distances = labels.distances();
        self.memory.distances = labels;
        distances
    }

    /// All distances from a source and a tree of shortest paths.
    ///
    /// # Panics
    /// If the graph has no such vertex.
    pub fn tree(&mut self, source: Vertex) -> ShortestPathTree<W> {
        let mut labels = std::mem::take(&mut self.memory.tree);
        self.search(&mut labels, source);
        let tree = ShortestPathTree { distances: labels.distances(), parents: labels.parents() };
        self.memory.tree = labels;
        tree
    }

    fn search<L: Labels>(&mut self, labels: &mut L, source: Vertex) {
        let threads = rayon::current_num_threads();
        labels.reset(self.graph.vertices());
        self.memory.frontier.for_threads(threads);
        self.memory.scratch.resize_with(threads, || CachePadded::new(Mutex::new(Scratch::new())));
        let graphs = (self.graph, self.split);
        let search =
            Search::new(graphs, labels, &self.memory.frontier, self.width, source, threads);
        team::run(threads, |member| {
            let mut scratch =
                self.memory.scratch[member.index].lock().unwrap_or_else(PoisonError::into_inner);
            if threads == 1 {
                search.run::<false>(member, &mut scratch);
            } else {
                search.run::<true>(member, &mut scratch);
            }
        });
    }
}
