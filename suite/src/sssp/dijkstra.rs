//! Dijkstra's algorithm: the sequential reference, against which speedups are "real" and results are right.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::graph::{Csr, Vertex, Weight};

/// All distances from a source; [`Weight::INFINITE`] where no path leads.
///
/// A binary heap without decrease-key: a vertex enters anew whenever its distance falls, and old entries are
/// skipped when they surface.
///
/// # Panics
/// If the graph has no such vertex.
pub fn dijkstra<W: Weight>(graph: &Csr<W>, source: Vertex) -> Vec<W> {
    let mut keys = vec![W::UNREACHED; graph.vertices()];
    // Key and vertex in one word: half the memory to move, and one comparison.
    let mut heap = BinaryHeap::new();
    keys[source as usize] = W::ZERO.to_key();
    heap.push(Reverse(u64::from(W::ZERO.to_key()) << 32 | u64::from(source)));
    while let Some(Reverse(entry)) = heap.pop() {
        let (key, vertex) = ((entry >> 32) as u32, entry as Vertex);
        if key > keys[vertex as usize] {
            continue;
        }
        for (target, weight) in graph.neighbours(vertex) {
            let through = weight.extend(key);
            if through < keys[target as usize] {
                keys[target as usize] = through;
                heap.push(Reverse(u64::from(through) << 32 | u64::from(target)));
            }
        }
    }
    keys.into_iter().map(W::from_key).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::{Seed, gnm};
    use crate::graph::{Build, EdgeList};

    /// Bellman-Ford with 64-bit sums: n − 1 rounds over all arcs.
    fn brute_force(graph: &Csr, source: Vertex) -> Vec<u64> {
        let mut distances = vec![u64::MAX; graph.vertices()];
        distances[source as usize] = 0;
        for _ in 0..graph.vertices() {
            for from in 0..graph.vertices() as Vertex {
                let distance = distances[from as usize];
                if distance == u64::MAX {
                    continue;
                }
                for (to, weight) in graph.neighbours(from) {
                    let through = distance + u64::from(weight);
                    distances[to as usize] = distances[to as usize].min(through);
                }
            }
        }
        distances
    }

    #[test]
    fn distances_are_those_of_brute_force() {
        for seed in 0..40 {
            let edges = gnm(60, 100, 20, Seed(seed));
            let graph = Csr::build(&edges, Build::UNDIRECTED);
            let expected: Vec<u32> = brute_force(&graph, 3)
                .into_iter()
                .map(|d| u32::try_from(d).unwrap_or(u32::MAX))
                .collect();
            assert_eq!(dijkstra(&graph, 3), expected, "seed {seed}");
        }
    }

    #[test]
    fn a_distance_too_far_for_its_type_stays_reachable() {
        let heavy = u32::MAX - 2;
        let edges = EdgeList::new(4, vec![(0, 1, heavy), (1, 2, heavy)]).unwrap();
        let graph = Csr::build(&edges, Build::UNDIRECTED);
        assert_eq!(dijkstra(&graph, 0), [0, heavy, u32::MAX - 1, u32::MAX]);
    }
}
