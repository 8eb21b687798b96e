//! Kruskal's algorithm: the sequential way to the lightest spanning forest, to check others against.

use super::Weighted;

/// The number of edges and the weight of the lightest spanning forest.
pub(super) fn lightest_forest(network: &Weighted) -> (usize, u64) {
    let mut edges: Vec<(u32, u32, u32)> = (0..network.topology.nodes() as u32)
        .flat_map(|node| network.links(node).map(move |(other, weight)| (weight, node, other)))
        .filter(|(_, a, b)| a < b)
        .collect();
    edges.sort_unstable();
    let mut union = Union::new(network.topology.nodes());
    edges.retain(|&(_, a, b)| union.join(a, b));
    (edges.len(), edges.iter().map(|(weight, _, _)| u64::from(*weight)).sum())
}

/// Disjoint sets of nodes, each named after its smallest member, with path halving.
pub(super) struct Union(Vec<u32>);

impl Union {
    pub(super) fn new(nodes: usize) -> Self {
        Self((0..nodes as u32).collect())
    }

    fn find(&mut self, mut node: u32) -> u32 {
        while self.0[node as usize] != node {
            let above = self.0[self.0[node as usize] as usize];
            self.0[node as usize] = above;
            node = above;
        }
        node
    }

    /// Whether they were apart.
    pub(super) fn join(&mut self, a: u32, b: u32) -> bool {
        let (a, b) = (self.find(a), self.find(b));
        self.0[a.max(b) as usize] = a.min(b);
        a != b
    }
}
