//! Counting the edges that a search from a source meets.

use super::{Csr, Vertex, Weight};

/// For each source, the number of edges with an end that it reaches: the numerator of Graph500's traversed edges
/// per second, counted on the graph as built (without the duplicates that building dropped).
///
/// An undirected edge counts once, as does each arc of a directed graph. Takes one traversal per component.
pub fn edges_by_component<W: Weight>(graph: &Csr<W>, sources: &[Vertex]) -> Vec<u64> {
    const UNSEEN: u32 = u32::MAX;
    let mut component = vec![UNSEEN; graph.vertices()];
    let mut edges = Vec::new();
    let mut result = Vec::with_capacity(sources.len());
    for &source in sources {
        // Components of a directed graph overlap: what an earlier source reached is counted again.
        if !graph.is_undirected() {
            component.fill(UNSEEN);
        }
        if component[source as usize] == UNSEEN {
            let name = edges.len() as u32;
            component[source as usize] = name;
            edges.push(explore(graph, source, name, &mut component));
        }
        result.push(edges[component[source as usize] as usize]);
    }
    result
}

/// Marks all that a source reaches and counts its edges.
fn explore<W: Weight>(graph: &Csr<W>, source: Vertex, name: u32, component: &mut [u32]) -> u64 {
    let (mut arcs, mut loops) = (0, 0);
    let mut stack = vec![source];
    while let Some(vertex) = stack.pop() {
        for (target, _) in graph.neighbours(vertex) {
            arcs += 1;
            loops += u64::from(target == vertex);
            if component[target as usize] != name {
                component[target as usize] = name;
                stack.push(target);
            }
        }
    }
    if graph.is_undirected() { (arcs - loops) / 2 + loops } else { arcs }
}
