//! Connected components: the tuned algorithm Afforest (Sutton, Ben-Nun, Barak: "Optimizing parallel graph connectivity
//! computation via subgraph sampling", IPDPS 2018), and union-find as the reference.

use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use rayon::prelude::*;

use crate::graph::{Adjacency, Vertex};

/// Neighbours of each vertex that are linked before the largest component is looked for.
const SAMPLED: usize = 2;
/// Vertices whose first neighbours are read at a time.
const AHEAD: usize = 64;
/// Vertices asked for their component to find out which is the largest.
const ASKED: usize = 1 << 10;
/// Arcs of a task, about.
const TASK: usize = 1 << 14;

/// A label for each vertex, the same for two vertices if and only if a path joins them; directions of arcs do not matter.
/// The label is the number of one of the vertices, that of the vertex itself for this one. Parallel on the current rayon
/// pool.
///
/// Links every vertex with its first two neighbours; most of an ordinary graph then hangs together, and only vertices
/// outside of the largest component link all their arcs. Directed graphs link all arcs.
pub fn connected_components(graph: &Adjacency) -> Vec<Vertex> {
    let forest = Forest {
        parents: (0..graph.vertices() as Vertex).into_par_iter().map(AtomicU32::new).collect(),
    };
    let ranges = graph.ranges(TASK);
    if !graph.is_undirected() {
        for_all(&ranges, |vertex| forest.link_all(vertex, graph.neighbours(vertex)));
        for_all(&ranges, |vertex| forest.compress(vertex));
        return forest.labels();
    }
    ranges.par_iter().for_each(|range| forest.link_first(graph, range.clone()));
    for_all(&ranges, |vertex| forest.compress(vertex));
    let largest = forest.largest();
    for_all(&ranges, |vertex| {
        // An arc between this vertex and the largest component is there in both directions: this end links it.
        if Some(forest.parent(vertex)) != largest {
            forest.link_all(vertex, graph.neighbours(vertex).get(SAMPLED..).unwrap_or(&[]));
        }
    });
    for_all(&ranges, |vertex| forest.compress(vertex));
    forest.labels()
}

/// Calls with each vertex, in parallel on the current rayon pool.
fn for_all(ranges: &[Range<Vertex>], work: impl Fn(Vertex) + Sync) {
    ranges.par_iter().for_each(|range| range.clone().for_each(&work));
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
    fn link_all(&self, vertex: Vertex, neighbours: &[Vertex]) {
        neighbours.iter().for_each(|&neighbour| self.link(vertex, neighbour));
    }

    /// Links vertices with their first neighbours. Those of many vertices are read before any is linked, so that the memory
    /// answers many reads at a time.
    fn link_first(&self, graph: &Adjacency, vertices: Range<Vertex>) {
        let mut first = [[0; SAMPLED]; AHEAD];
        for start in vertices.clone().step_by(AHEAD) {
            let some = start..vertices.end.min(start + AHEAD as Vertex);
            for (slot, vertex) in first.iter_mut().zip(some.clone()) {
                let neighbours = graph.neighbours(vertex);
                // A vertex is always linked with itself.
                *slot = std::array::from_fn(|i| neighbours.get(i).copied().unwrap_or(vertex));
            }
            for (slot, vertex) in first.iter().zip(some) {
                self.link_all(vertex, slot);
            }
        }
    }

    /// Joins the trees of two vertices: hangs the larger root below a vertex of the other tree.
    #[inline]
    fn link(&self, one: Vertex, other: Vertex) {
        let (mut one, mut other) = (self.parent(one), self.parent(other));
        while one != other {
            let (high, low) = (one.max(other), one.min(other));
            let parent = self.parent(high);
            let hung = parent == high
                && self.parents[high as usize]
                    .compare_exchange(high, low, Relaxed, Relaxed)
                    .is_ok();
            if hung || parent == low {
                return;
            }
            // Not a root, or not any more.
            one = self.parent(self.parent(high));
            other = self.parent(low);
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
