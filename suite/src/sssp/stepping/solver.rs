//! Δ-stepping as users call it: parameters, and memory that one search leaves to the next.

use std::sync::{Mutex, PoisonError};

use crossbeam_utils::CachePadded;

use super::delta::{ARCS_ALONE, Parameters, Scratch, Search};
use super::frontier::Frontier;
use crate::graph::{Csr, Degrees, Vertex, VertexId, Weight};
use crate::sssp::labels::{Distances, Labels, Tree};
use crate::sssp::width::{Profile, Width};
use crate::team;

/// Searches a graph by Δ-stepping, again and again.
pub struct Solver<'a, W = u32, V: VertexId = Vertex> {
    graph: &'a Csr<W, V>,
    limit: W,
    width: Width<W>,
    delta: W,
    threads: Option<usize>,
    /// The result of [`degrees`](Self::degrees).
    degrees: Option<Degrees>,
    memory: Memory<V>,
}

/// The memory of a search, which the next one can use again: allocating it anew costs small searches much of their
/// time.
#[derive(Default)]
pub struct Memory<V: VertexId = Vertex> {
    distances: Distances<V>,
    tree: Tree<V>,
    frontier: Frontier<V>,
    scratch: Vec<CachePadded<Mutex<Scratch<V>>>>,
}

/// Distances, and the last vertex before each on a shortest path.
#[derive(Debug, Clone, PartialEq)]
pub struct ShortestPathTree<W = u32, V = Vertex> {
    /// Distance of each vertex; [`Weight::INFINITE`] where no path leads.
    pub distances: Vec<W>,
    /// Parent of each vertex: the source is its own, and [`VertexId::NONE`] stands where no path leads.
    pub parents: Vec<V>,
}

impl<'a, W: Weight, V: VertexId> Solver<'a, W, V> {
    /// Makes a solver with an automatic Δ. It is three quarters of the mean weight over the number of arcs that lead
    /// on from the head of a typical arc, rounded down to a power of two for integers. That number is Σ degree² / Σ
    /// degree; in undirected graphs it is multiplied by the share of arcs without a leaf at an end.
    ///
    /// On undirected graphs it goes along light arcs first. A heavy arc of weight w can improve only vertices that
    /// are farther away than w. Vertices beyond a certain distance look along their arcs themselves. Nearer vertices
    /// are improved from the vertices that are nearer by w, with a distance that leaves few arcs to look at. Light
    /// arcs are those up to [`Csr::limit`]; in a graph of whole rows those up to the weight at which [`Csr::build`]
    /// would split them.
    pub fn new(graph: &'a Csr<W, V>) -> Self {
        let profile = Profile::of(graph);
        let whole = graph.limit() == W::INFINITE;
        let limit = if whole { profile.limit() } else { graph.limit() };
        let mut solver = Self::with(graph, profile.delta(), limit);
        solver.degrees = Some(profile.degrees());
        solver
    }

    /// A solver with a given Δ, and with the limit of the graph's rows.
    ///
    /// # Panics
    /// If Δ is not above zero.
    pub fn with_delta(graph: &'a Csr<W, V>, delta: W) -> Self {
        Self::with(graph, delta, graph.limit())
    }

    fn with(graph: &'a Csr<W, V>, delta: W, limit: W) -> Self {
        let (width, memory) = (Width::new(delta), Memory::default());
        Self { graph, limit, width, delta, threads: None, degrees: None, memory }
    }

    /// Searches on the calling thread alone, whatever the current rayon pool has.
    #[must_use]
    pub fn sequential(mut self) -> Self {
        self.threads = Some(1);
        self
    }

    /// Goes first along arcs up to this weight. In a graph whose rows are split at another, all arcs have to be looked at to
    /// find them.
    ///
    /// # Panics
    /// If some arcs would be heavy and the graph is directed: heavy arcs are searched from their heads.
    #[must_use]
    pub fn with_limit(mut self, limit: W) -> Self {
        assert!(
            self.graph.is_undirected() || limit == W::INFINITE,
            "heavy arcs are searched from their heads, which a directed graph does not allow"
        );
        self.limit = limit;
        self
    }

    /// Goes along all arcs alike, as Δ-stepping without light and heavy arcs does.
    #[must_use]
    pub fn without_limit(mut self) -> Self {
        self.limit = W::INFINITE;
        self
    }

    /// Takes over the memory of an earlier solver, of any graph.
    #[must_use]
    pub fn with_memory(mut self, memory: Memory<V>) -> Self {
        self.memory = memory;
        self
    }

    /// Leaves the memory to a later solver.
    pub fn into_memory(self) -> Memory<V> {
        self.memory
    }

    /// The width Δ.
    pub fn delta(&self) -> W {
        self.delta
    }

    /// The largest weight of light arcs, infinite if all are light.
    pub fn limit(&self) -> W {
        self.limit
    }

    /// All distances from a source, in parallel on as many threads as the current rayon pool has.
    ///
    /// # Panics
    /// If the graph has no such vertex.
    pub fn distances(&mut self, source: V) -> Vec<W> {
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
    pub fn tree(&mut self, source: V) -> ShortestPathTree<W, V> {
        let mut labels = std::mem::take(&mut self.memory.tree);
        self.search(&mut labels, source);
        let tree = ShortestPathTree { distances: labels.distances(), parents: labels.parents() };
        self.memory.tree = labels;
        tree
    }

    /// The degrees of the graph's vertices: counted once, by the first search where [`new`](Self::new) did not need them.
    fn degrees(&mut self) -> Degrees {
        let graph = self.graph;
        *self.degrees.get_or_insert_with(|| Degrees::of_rows(graph.rows().offsets()))
    }

    fn search<L: Labels<Vertex = V>>(&mut self, labels: &mut L, source: V) {
        let threads = self.threads.unwrap_or_else(rayon::current_num_threads);
        labels.reset(self.graph.vertices());
        self.memory.frontier.for_threads(threads);
        self.memory.scratch.resize_with(threads, || CachePadded::new(Mutex::new(Scratch::new())));
        let (degrees, undirected) = (self.degrees(), self.graph.is_undirected());
        let alone = match threads {
            1 => usize::MAX,
            _ => (ARCS_ALONE / degrees.at_head(undirected).max(1.0)) as usize,
        };
        let drops_leaves = undirected && degrees.are_mostly_of_leaves();
        let parameters =
            Parameters { width: self.width, limit: self.limit, source, alone, drops_leaves };
        let search = Search::new(self.graph, labels, &self.memory.frontier, parameters);
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
