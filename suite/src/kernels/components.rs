//! Connected components: the tuned algorithm Afforest (Sutton, Ben-Nun, Barak: "Optimizing parallel graph connectivity
//! computation via subgraph sampling", IPDPS 2018), and union-find as the reference.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering::Relaxed};

use crossbeam_utils::CachePadded;
use rayon::prelude::*;

use crate::graph::{Adjacency, Rows, Vertex};
use crate::team::{self, Member};

/// Neighbors of each vertex that are linked before the largest component is looked for.
const SAMPLED: usize = 2;
/// Vertices whose first neighbors are read at a time.
const AHEAD: usize = 64;
/// Vertices asked for their component to find out which is the largest.
const ASKED: usize = 1 << 10;
/// Passes over all vertices.
const PASSES: usize = 4;
/// Arcs of a task, about.
const TASK: usize = 1 << 14;

/// A label for each vertex, the same for two vertices if and only if a path joins them; directions of arcs do not matter.
/// The label is the number of one of the vertices, that of the vertex itself for this one. Runs on as many threads as the
/// current rayon pool has.
///
/// Links every vertex with its first two neighbors; most of an ordinary graph then hangs together, and only vertices
/// outside of the largest component link all their arcs. Directed graphs link all arcs.
pub fn connected_components(graph: &Adjacency) -> Vec<Vertex> {
    let threads = rayon::current_num_threads();
    let search = Search {
        graph,
        forest: Forest {
            parents: (0..graph.vertices() as Vertex).into_par_iter().map(AtomicU32::new).collect(),
        },
        ranges: graph.ranges(TASK),
        threads,
        taken: (0..PASSES * threads).map(|_| CachePadded::new(AtomicUsize::new(0))).collect(),
        late: AtomicBool::new(false),
    };
    team::run(threads, |member| {
        if threads == 1 {
            search.run::<false>(member);
        } else {
            search.run::<true>(member);
        }
    });
    search.forest.labels()
}

/// The state that all threads of a search share.
struct Search<'a> {
    graph: &'a Adjacency,
    forest: Forest,
    /// All vertices, in tasks.
    ranges: Vec<Range<Vertex>>,
    threads: usize,
    /// How many tasks of each pass have been taken from the part of each thread.
    taken: Vec<CachePadded<AtomicUsize>>,
    /// Were arcs linked after trees were compressed?
    late: AtomicBool,
}

impl Search<'_> {
    /// One thread's part; `SHARED` if there are others.
    fn run<const SHARED: bool>(&self, member: &Member<'_>) {
        let Self { graph, forest, .. } = self;
        let rows = graph.rows();
        if !graph.is_undirected() {
            self.pass(member, 0, |vertices| {
                vertices.for_each(|v| forest.link_all::<SHARED>(v, rows.row(v as usize)));
            });
            member.wait();
            self.pass(member, 1, |vertices| vertices.for_each(|vertex| forest.compress(vertex)));
            return;
        }
        self.pass(member, 0, |vertices| forest.link_first::<SHARED>(rows, vertices));
        member.wait();
        self.pass(member, 1, |vertices| vertices.for_each(|vertex| forest.compress(vertex)));
        member.wait();
        let largest = forest.largest();
        // Links change labels: all have to know the largest component before.
        member.wait();
        self.pass(member, 2, |vertices| {
            for vertex in vertices {
                // An arc between this vertex and the largest component is there in both directions: this end links it.
                if Some(forest.parent(vertex)) != largest
                    && let Some(rest @ [_, ..]) = rows.row(vertex as usize).get(SAMPLED..)
                {
                    forest.link_all::<SHARED>(vertex, rest);
                    self.late.store(true, Relaxed);
                }
            }
        });
        member.wait();
        if self.late.load(Relaxed) {
            self.pass(member, 3, |vertices| vertices.for_each(|vertex| forest.compress(vertex)));
        }
    }

    /// Calls with the tasks of a pass until none is left. A thread begins with a part of its own, in the order of vertices:
    /// trees stay low if neighbors of smaller numbers were linked before, and threads keep away from one another.
    fn pass(&self, member: &Member<'_>, pass: usize, work: impl Fn(Range<Vertex>)) {
        let parts = self.ranges.chunks(self.ranges.len().div_ceil(self.threads).max(1));
        let parts: Vec<_> = parts.zip(&self.taken[pass * self.threads..]).collect();
        for index in 0..parts.len() {
            let (part, taken) = parts[(member.index + index) % parts.len()];
            while let Some(range) = part.get(taken.fetch_add(1, Relaxed)) {
                work(range.clone());
            }
        }
    }
}

/// Trees whose parents have smaller numbers; a root is its own parent.
struct Forest {
    parents: Vec<AtomicU32>,
}

impl Forest {
    #[inline]
    fn parent(&self, vertex: Vertex) -> Vertex {
        self.parents[vertex as usize].load(Relaxed)
    }

    #[inline]
    fn link_all<const SHARED: bool>(&self, vertex: Vertex, neighbours: &[Vertex]) {
        neighbours.iter().for_each(|&neighbour| self.link::<SHARED>(vertex, neighbour));
    }

    /// Links vertices with their first neighbors. Those of many vertices are read before any is linked, so that the memory
    /// answers many reads at a time.
    fn link_first<const SHARED: bool>(&self, rows: Rows<'_, Vertex>, vertices: Range<Vertex>) {
        let mut first = [[0; SAMPLED]; AHEAD];
        for start in vertices.clone().step_by(AHEAD) {
            let some = start..vertices.end.min(start + AHEAD as Vertex);
            for (slot, vertex) in first.iter_mut().zip(some.clone()) {
                let neighbours = rows.row(vertex as usize);
                // A vertex is always linked with itself.
                *slot = std::array::from_fn(|i| neighbours.get(i).copied().unwrap_or(vertex));
            }
            for (slot, vertex) in first.iter().zip(some) {
                self.link_all::<SHARED>(vertex, slot);
            }
        }
    }

    /// Joins the trees of two vertices: hangs the larger root below a vertex of the other tree.
    #[inline]
    fn link<const SHARED: bool>(&self, one: Vertex, other: Vertex) {
        let (mut one, mut other) = (self.parent(one), self.parent(other));
        while one != other {
            let (high, low) = (one.max(other), one.min(other));
            let parent = self.parent(high);
            if parent == low || parent == high && self.hang::<SHARED>(high, low) {
                return;
            }
            // Not a root, or not any more. The next one has half the way: a thread that begins in the middle of a
            // graph leaves long paths there, which the thread before it climbs from each of their vertices.
            let parent = self.parent(high);
            one = self.parent(parent);
            if one != parent {
                self.parents[high as usize].store(one, Relaxed);
            }
            other = self.parent(low);
        }
    }

    /// Hangs a root below a smaller vertex, unless another thread was faster.
    #[inline]
    fn hang<const SHARED: bool>(&self, root: Vertex, below: Vertex) -> bool {
        let slot = &self.parents[root as usize];
        if SHARED {
            slot.compare_exchange(root, below, Relaxed, Relaxed).is_ok()
        } else {
            slot.store(below, Relaxed);
            true
        }
    }

    /// Hangs a vertex below its root.
    #[inline]
    fn compress(&self, vertex: Vertex) {
        let first = self.parent(vertex);
        let mut parent = first;
        loop {
            let above = self.parent(parent);
            if above == parent {
                break;
            }
            parent = above;
        }
        if parent != first {
            self.parents[vertex as usize].store(parent, Relaxed);
        }
    }

    /// The label that most of some evenly spaced vertices have, in trees of height one.
    fn largest(&self) -> Option<Vertex> {
        let step = self.parents.len().div_ceil(ASKED).max(1);
        let asked = self.parents.iter().step_by(step);
        let mut labels: Vec<Vertex> = asked.map(|parent| parent.load(Relaxed)).collect();
        labels.sort_unstable();
        labels.chunk_by(Vertex::eq).max_by_key(|same| same.len()).map(|same| same[0])
    }

    fn labels(self) -> Vec<Vertex> {
        self.parents.into_iter().map(AtomicU32::into_inner).collect()
    }
}

/// The same by union-find with path halving, on one thread: the reference.
pub fn components_by_union(graph: &Adjacency) -> Vec<Vertex> {
    fn root(parents: &mut [Vertex], mut vertex: Vertex) -> Vertex {
        while parents[vertex as usize] != vertex {
            let above = parents[parents[vertex as usize] as usize];
            parents[vertex as usize] = above;
            vertex = above;
        }
        vertex
    }
    let mut parents: Vec<Vertex> = (0..graph.vertices() as Vertex).collect();
    for vertex in 0..graph.vertices() as Vertex {
        for &neighbour in graph.neighbours(vertex) {
            let (one, other) = (root(&mut parents, vertex), root(&mut parents, neighbour));
            parents[one.max(other) as usize] = one.min(other);
        }
    }
    (0..graph.vertices() as Vertex).map(|vertex| root(&mut parents, vertex)).collect()
}
