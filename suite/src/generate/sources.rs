//! Where searches start.

use std::collections::HashSet;

use super::{Mrg, Seed};
use crate::graph::{Csr, Vertex, VertexId, Weight};

/// Up to `count` different vertices that have a neighbor other than themselves, drawn by seed.
///
/// They are the search keys of the Graph500 reference implementation for that seed. There are fewer when the graph has fewer such vertices.
pub fn sources<W: Weight, V: VertexId>(graph: &Csr<W, V>, count: usize, seed: Seed) -> Vec<V> {
    let useful = |v: V| graph.neighbours(v).any(|(target, _)| target != v);
    drawn(graph.vertices() as u64, count, seed, useful)
}

/// Returns the sources of a graph that is known only by whether a vertex is a useful source, such as one in parts.
pub fn sources_among(
    vertices: u64,
    count: usize,
    seed: Seed,
    useful: impl FnMut(Vertex) -> bool,
) -> Vec<Vertex> {
    drawn(vertices, count, seed, useful)
}

fn drawn<V: VertexId>(
    vertices: u64,
    count: usize,
    seed: Seed,
    mut useful: impl FnMut(V) -> bool,
) -> Vec<V> {
    let mut stream = Mrg::aside(seed);
    let mut drawn = HashSet::new();
    let mut sources = Vec::new();
    // The chance to miss a vertex in this many draws is e⁻³²: then the rest is found by looking.
    let draws = vertices * 32;
    for _ in 0..draws {
        if sources.len() == count {
            return sources;
        }
        let sum = stream.draw_real() + stream.draw_real();
        let vertex = V::from_index(((sum * vertices as f64) as u64 % vertices) as usize);
        if drawn.insert(vertex) && useful(vertex) {
            sources.push(vertex);
        }
    }
    let missing = count - sources.len();
    let missed = (0..vertices)
        .map(|v| V::from_index(v as usize))
        .filter(|v| !drawn.contains(v) && useful(*v));
    sources.extend(missed.take(missing));
    sources
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::{gnm, star};
    use crate::graph::{Build, EdgeList};

    #[test]
    fn sources_are_different_and_not_alone() {
        let graph = Csr::build(&gnm::<u32>(1000, 700, 9, Seed(1)), Build::UNDIRECTED);
        let found = sources(&graph, 64, Seed(101));
        assert_eq!(found.len(), 64);
        assert_eq!(found.iter().collect::<HashSet<_>>().len(), 64);
        assert!(found.iter().all(|&v| graph.degree(v) > 0));
        assert_ne!(found, sources(&graph, 64, Seed(102)));
        assert_eq!(found[..8], sources(&graph, 8, Seed(101)));
    }

    #[test]
    fn there_are_no_more_than_the_graph_has() {
        let graph = Csr::build(&star::<u32>(5, 9, Seed(1)), Build::UNDIRECTED);
        let mut found = sources(&graph, 64, Seed(101));
        found.sort_unstable();
        assert_eq!(found, [0, 1, 2, 3, 4]);
        let loops = EdgeList::new(3, vec![(1, 1, 4u32)]).unwrap();
        assert!(sources(&Csr::build(&loops, Build::VERBATIM), 8, Seed(1)).is_empty());
        let nothing = EdgeList::<u32>::new(0, vec![]).unwrap();
        assert!(sources(&Csr::build(&nothing, Build::VERBATIM), 8, Seed(1)).is_empty());
    }
}
