//! The networks that the algorithms run on: who is whose neighbor, with or without weights, and rooted trees.

use std::collections::VecDeque;

use rayon::slice::ParallelSliceMut;

/// An undirected network: the neighbors of every node in ascending order, one after the other in memory.
///
/// ```
/// use plusminus_suite::imsuite::Topology;
///
/// let path = Topology::from_edges(3, [(0, 1), (2, 1)]);
/// assert_eq!(path.neighbors(1), [0, 2]);
/// assert_eq!(path.levels(0), [0, 1, 2]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Topology {
    starts: Vec<usize>,
    neighbours: Vec<u32>,
}

/// The distance of a node that cannot be reached.
pub const UNREACHABLE: u32 = u32::MAX;

impl Topology {
    /// Makes the network with these edges, without loops and repeated edges.
    ///
    /// # Panics
    /// When an edge names a node that does not exist.
    pub fn from_edges(nodes: usize, edges: impl IntoIterator<Item = (u32, u32)>) -> Self {
        let mut edges: Vec<(u32, u32)> = edges.into_iter().filter(|(a, b)| a != b).collect();
        for edge in &mut edges {
            *edge = (edge.0.min(edge.1), edge.0.max(edge.1));
            assert!((edge.1 as usize) < nodes, "edge {edge:?} leaves the network of {nodes} nodes");
        }
        edges.par_sort_unstable();
        edges.dedup();
        Self::from_sorted_edges(nodes, &edges)
    }

    /// The network of edges (a, b) with a < b that are sorted and distinct.
    fn from_sorted_edges(nodes: usize, edges: &[(u32, u32)]) -> Self {
        let mut starts = vec![0; nodes + 1];
        for &(a, b) in edges {
            starts[a as usize + 1] += 1;
            starts[b as usize + 1] += 1;
        }
        for node in 0..nodes {
            starts[node + 1] += starts[node];
        }
        let mut next = starts.clone();
        let mut neighbours = vec![0; 2 * edges.len()];
        // All smaller neighbors of a node come first in this order, then the larger ones: each list is sorted.
        for &(a, b) in edges {
            neighbours[next[b as usize]] = a;
            next[b as usize] += 1;
        }
        for &(a, b) in edges {
            neighbours[next[a as usize]] = b;
            next[a as usize] += 1;
        }
        Self { starts, neighbours }
    }

    /// How many nodes there are.
    pub fn nodes(&self) -> usize {
        self.starts.len() - 1
    }

    /// How many edges there are; each is in the lists of both its ends.
    pub fn edges(&self) -> usize {
        self.neighbours.len() / 2
    }

    /// The neighbors of a node, ascending.
    #[inline]
    pub fn neighbours(&self, node: u32) -> &[u32] {
        &self.neighbours[self.links(node)]
    }

    /// Where the neighbors of a node are in the list of all of them; whatever is known per link is stored alike.
    #[inline]
    pub fn links(&self, node: u32) -> std::ops::Range<usize> {
        self.starts[node as usize]..self.starts[node as usize + 1]
    }

    /// How many neighbors a node has.
    #[inline]
    pub fn degree(&self, node: u32) -> usize {
        self.links(node).len()
    }

    /// Whether two nodes are neighbors.
    pub fn has_edge(&self, a: u32, b: u32) -> bool {
        self.neighbours(a).binary_search(&b).is_ok()
    }

    /// The largest degree.
    pub fn max_degree(&self) -> usize {
        (0..self.nodes() as u32).map(|node| self.degree(node)).max().unwrap_or(0)
    }

    /// The distance of every node from the root, by breadth-first search.
    pub fn levels(&self, root: u32) -> Vec<u32> {
        let mut levels = vec![UNREACHABLE; self.nodes()];
        levels[root as usize] = 0;
        let mut queue = VecDeque::from([root]);
        while let Some(node) = queue.pop_front() {
            for &other in self.neighbours(node) {
                if levels[other as usize] == UNREACHABLE {
                    levels[other as usize] = levels[node as usize] + 1;
                    queue.push_back(other);
                }
            }
        }
        levels
    }

    /// The distance from a node to the farthest node that it can reach.
    pub fn eccentricity(&self, node: u32) -> u32 {
        self.levels(node).into_iter().filter(|&level| level != UNREACHABLE).max().unwrap_or(0)
    }

    /// The smallest and the largest eccentricity, by a search from every node.
    pub fn radius_and_diameter(&self) -> (u32, u32) {
        let mut radius = u32::MAX;
        let mut diameter = 0;
        for node in 0..self.nodes() as u32 {
            let eccentricity = self.eccentricity(node);
            radius = radius.min(eccentricity);
            diameter = diameter.max(eccentricity);
        }
        (radius.min(diameter), diameter)
    }

    /// For every node the smallest node that it can reach: equal numbers mean the same component.
    pub fn components(&self) -> Vec<u32> {
        let mut component = vec![u32::MAX; self.nodes()];
        let mut stack = Vec::new();
        for root in 0..self.nodes() as u32 {
            if component[root as usize] != u32::MAX {
                continue;
            }
            component[root as usize] = root;
            stack.push(root);
            while let Some(node) = stack.pop() {
                for &other in self.neighbours(node) {
                    if component[other as usize] == u32::MAX {
                        component[other as usize] = root;
                        stack.push(other);
                    }
                }
            }
        }
        component
    }
}

/// A network whose links have weights.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Weighted {
    /// Who is whose neighbor.
    pub topology: Topology,
    /// The weight of every link, in the order of the topology's links; both directions of an edge weigh the same.
    pub weights: Vec<u32>,
}

impl Weighted {
    /// The network in which the edge between a and b weighs `weight(a, b)`, asked with a < b.
    pub fn new(topology: Topology, mut weight: impl FnMut(u32, u32) -> u32) -> Self {
        let mut weights = Vec::with_capacity(2 * topology.edges());
        for node in 0..topology.nodes() as u32 {
            for &other in topology.neighbours(node) {
                weights.push(weight(node.min(other), node.max(other)));
            }
        }
        Self { topology, weights }
    }

    /// The neighbors of a node with the weights of the edges to them.
    pub fn links(&self, node: u32) -> impl Iterator<Item = (u32, u32)> + '_ {
        let weights = &self.weights[self.topology.links(node)];
        self.topology.neighbours(node).iter().copied().zip(weights.iter().copied())
    }

    /// The weight of an edge, if there is one.
    pub fn weight(&self, a: u32, b: u32) -> Option<u32> {
        let position = self.topology.neighbours(a).binary_search(&b).ok()?;
        Some(self.weights[self.topology.links(a).start + position])
    }
}

/// A tree with a root, known by the parent of every node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RootedTree {
    /// The root, its own parent.
    pub root: u32,
    /// The parent of every node.
    pub parents: Vec<u32>,
    starts: Vec<usize>,
    children: Vec<u32>,
}

impl RootedTree {
    /// The tree in which every node but the root hangs below its parent.
    ///
    /// # Panics
    /// When the parents do not form one tree below the root.
    pub fn new(root: u32, mut parents: Vec<u32>) -> Self {
        let nodes = parents.len();
        parents[root as usize] = root;
        let mut starts = vec![0; nodes + 1];
        let below_root = |node: usize| node as u32 != root;
        for node in (0..nodes).filter(|&node| below_root(node)) {
            starts[parents[node] as usize + 1] += 1;
        }
        for node in 0..nodes {
            starts[node + 1] += starts[node];
        }
        let mut next = starts.clone();
        let mut children = vec![0; nodes.saturating_sub(1)];
        for node in (0..nodes).filter(|&node| below_root(node)) {
            let parent = parents[node] as usize;
            children[next[parent]] = node as u32;
            next[parent] += 1;
        }
        let tree = Self { root, parents, starts, children };
        let mut reached = 0;
        let mut stack = vec![root];
        while let Some(node) = stack.pop() {
            reached += 1;
            stack.extend_from_slice(tree.children(node));
        }
        assert_eq!(reached, nodes, "the parents do not form one tree below node {root}");
        tree
    }

    /// How many nodes the tree has.
    pub fn nodes(&self) -> usize {
        self.parents.len()
    }

    /// The children of a node, ascending.
    #[inline]
    pub fn children(&self, node: u32) -> &[u32] {
        &self.children[self.starts[node as usize]..self.starts[node as usize + 1]]
    }

    /// The same tree as a network.
    pub fn topology(&self) -> Topology {
        let edges = self.parents.iter().enumerate().map(|(node, &parent)| (node as u32, parent));
        Topology::from_edges(self.nodes(), edges)
    }
}
