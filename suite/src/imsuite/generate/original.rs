//! The original input generators, draw for draw: the same seed gives the paper's own inputs.

use std::collections::HashSet;

use super::JavaRandom;
use crate::imsuite::{Kernel, Original, RootedTree, Topology};

/// The seed that the paper uses where none is given.
pub const DEFAULT_SEED: u64 = 101;

/// How the nodes of an original input are connected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// Every pair is an edge.
    Complete,
    /// Every pair is an edge with probability one half; connectivity is not enforced.
    Random,
    /// SP-Min: a random tree, n − 1 edges.
    SparseMinimum,
    /// SP-Max: the edges of SP-Min and random ones up to n·⌊log₂ n⌋ − 1.
    SparseMaximum,
    /// A tree in which every node has one child.
    Chain,
    /// A tree in which the root has all others as children.
    Star,
    /// A tree whose nodes have random numbers of children.
    RandomTree,
    /// A ring, of the kernels that elect a leader on one.
    Ring,
}

/// The weights of routing inputs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RouteWeights {
    /// All 1, as in the paper's runs.
    Equal,
    /// Uniform below 20·n.
    Random,
}

/// All options of the original generators.
///
/// ```
/// use plusminus_suite::imsuite::generate::{OriginalOptions, Shape};
/// use plusminus_suite::imsuite::Kernel;
///
/// let input = OriginalOptions::new(Kernel::Bf, 64, Shape::SparseMaximum).generate();
/// assert_eq!(input.topology.unwrap().edges(), 383);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OriginalOptions {
    /// Whose input: the kernels draw different things in different orders.
    pub kernel: Kernel,
    /// How many nodes.
    pub nodes: usize,
    /// How they are connected; rings take no shape.
    pub shape: Shape,
    /// Seed of the stream, 101 by default.
    pub seed: u64,
    /// The largest number of children of a tree node; drawn where absent.
    pub max_children: Option<u32>,
    /// K of the committee problem; drawn where absent.
    pub committee_size: Option<u32>,
    /// Weights of the routing problem.
    pub route_weights: RouteWeights,
}

impl OriginalOptions {
    /// The defaults of the original: seed 101, what is absent is drawn, routes of equal weights.
    pub fn new(kernel: Kernel, nodes: usize, shape: Shape) -> Self {
        Self {
            kernel,
            nodes,
            shape,
            seed: DEFAULT_SEED,
            max_children: None,
            committee_size: None,
            route_weights: RouteWeights::Equal,
        }
    }

    /// Draws the input. Time and memory grow with n², as the format does.
    ///
    /// # Panics
    /// With fewer than two nodes.
    pub fn generate(&self) -> Original {
        assert!(self.nodes >= 2, "the original generators need at least two nodes");
        let mut random = JavaRandom::new(self.seed);
        let n = self.nodes;
        match self.kernel {
            Kernel::Hs | Kernel::Lcr => {
                let mut input = Original::new(self.kernel, n);
                input.numbers = identifiers(n, &mut random);
                input
            }
            Kernel::Vc => self.colouring_tree(&mut random),
            _ => self.network(&mut random),
        }
    }

    /// Networks: limits, K, traitors, edges, root, then votes, identifiers or weights, drawn in this order.
    fn network(&self, random: &mut JavaRandom) -> Original {
        let n = self.nodes;
        let mut input = Original::new(self.kernel, n);
        let sparse = matches!(self.shape, Shape::SparseMinimum | Shape::SparseMaximum);
        let max_children = match self.max_children {
            Some(limit) if limit > 0 => limit,
            _ => random.below(n as u32 - 1).max(1),
        };
        if self.kernel == Kernel::Kc {
            input.header = Some(match self.committee_size {
                Some(size) => size,
                None if sparse => random.below(n as u32).max(1),
                None => 3,
            });
        }
        if self.kernel == Kernel::By {
            input.traitors = traitors(n, random);
        }
        input.topology = Some(self.edges(max_children, random));
        if matches!(self.kernel, Kernel::Bf | Kernel::Dst) {
            input.header = Some(random.below(n as u32));
        }
        input.numbers = match self.kernel {
            Kernel::By => (0..n).map(|_| random.below(2)).collect(),
            Kernel::Kc | Kernel::Dp => identifiers(n, random),
            Kernel::Dr => self.routes(random),
            Kernel::Mst => distinct_weights(n, random),
            _ => Vec::new(),
        };
        input
    }

    /// The edges of a shape.
    fn edges(&self, max_children: u32, random: &mut JavaRandom) -> Topology {
        let n = self.nodes;
        let pairs = (0..n as u32).flat_map(|a| (a + 1..n as u32).map(move |b| (a, b)));
        match self.shape {
            Shape::Complete => Topology::from_edges(n, pairs),
            Shape::Random => {
                let drawn: Vec<_> = pairs.filter(|_| random.below(2) == 1).collect();
                Topology::from_edges(n, drawn)
            }
            Shape::SparseMaximum => {
                shuffle_unused(n, random);
                let mut edges: HashSet<(u32, u32)> =
                    tree_edges(&depth_first_tree(n, max_children, random)).collect();
                let wanted = n * n.ilog2() as usize - n;
                let mut added = 0;
                while added < wanted {
                    let (a, b) = (random.below(n as u32), random.below(n as u32));
                    if a != b && edges.insert((a.min(b), a.max(b))) {
                        added += 1;
                    }
                }
                Topology::from_edges(n, edges)
            }
            Shape::SparseMinimum | Shape::Chain | Shape::Star | Shape::RandomTree | Shape::Ring => {
                shuffle_unused(n, random);
                Topology::from_edges(n, tree_edges(&depth_first_tree(n, max_children, random)))
            }
        }
    }

    /// The tree of the coloring problem, root 0.
    fn colouring_tree(&self, random: &mut JavaRandom) -> Original {
        let n = self.nodes;
        let max_children = match self.shape {
            Shape::Chain => 1,
            Shape::Star => n as u32,
            _ => random.below(n as u32 - 1) + 1,
        };
        let parents = if self.shape == Shape::Star {
            vec![0; n]
        } else {
            shuffle_unused(n, random);
            depth_first_tree(n, max_children, random)
        };
        let mut input = Original::new(self.kernel, n);
        input.header = Some(0);
        input.topology = Some(RootedTree::new(0, parents.clone()).topology());
        input.numbers = parents;
        input
    }

    /// The matrix of the routing problem, row by row; where both directions are drawn, the later one counts.
    fn routes(&self, random: &mut JavaRandom) -> Vec<u32> {
        let n = self.nodes;
        let mut weights = vec![i32::MAX as u32; n * n];
        for a in 0..n {
            for b in (0..n).filter(|&b| b != a) {
                let weight = match self.route_weights {
                    RouteWeights::Equal => 1,
                    RouteWeights::Random => random.below(20 * n as u32),
                };
                weights[a * n + b] = weight;
                weights[b * n + a] = weight;
            }
        }
        weights
    }
}

/// The identifiers 1..=n after 4n random transpositions.
fn identifiers(n: usize, random: &mut JavaRandom) -> Vec<u32> {
    let mut ids: Vec<u32> = (1..=n as u32).collect();
    for _ in 0..4 * n {
        let (a, b) = (random.position(n), random.position(n));
        ids.swap(a, b);
    }
    ids
}

/// n/8 − 1 distinct nodes that lie about their vote.
fn traitors(n: usize, random: &mut JavaRandom) -> Vec<u32> {
    let mut traitors = Vec::new();
    while traitors.len() < (n / 8).saturating_sub(1) {
        let node = random.below(n as u32);
        if !traitors.contains(&node) {
            traitors.push(node);
        }
    }
    traitors
}

/// The original draws positions to shuffle a list that it then does not use; the draws are part of the stream.
fn shuffle_unused(n: usize, random: &mut JavaRandom) {
    for _ in 0..4 * n {
        random.next_int();
    }
}

/// The parents of a random tree whose nodes are numbered in the order of a depth-first walk.
///
/// Each node draws its number of children when it is created, and takes no more than are left to be given away.
fn depth_first_tree(n: usize, max_children: u32, random: &mut JavaRandom) -> Vec<u32> {
    let mut parents = vec![0; 1];
    let mut given_away = 1;
    // The nodes on the way from the root, with the children that they still have to create.
    let mut path: Vec<(u32, usize)> = Vec::new();
    let mut node = 0;
    loop {
        let children = (random.below(max_children) as usize + 1).min(n - given_away);
        given_away += children;
        path.push((node, children));
        while let Some((_, 0)) = path.last() {
            path.pop();
        }
        let Some((parent, left)) = path.last_mut() else { break };
        *left -= 1;
        node = parents.len() as u32;
        parents.push(*parent);
    }
    parents
}

/// The edges between the nodes of a tree and their parents, smaller node first.
fn tree_edges(parents: &[u32]) -> impl Iterator<Item = (u32, u32)> + '_ {
    parents
        .iter()
        .enumerate()
        .skip(1)
        .map(|(node, &parent)| (parent.min(node as u32), parent.max(node as u32)))
}

/// The matrix of the spanning tree problem: distinct weights for all pairs, whether they are edges or not.
fn distinct_weights(n: usize, random: &mut JavaRandom) -> Vec<u32> {
    let mut weights = vec![i32::MAX as u32; n * n];
    let mut taken = HashSet::new();
    for a in 0..n {
        for b in a + 1..n {
            let mut drawn = random.next_int();
            // Only a positive draw can repeat a weight: the original compares before it drops the sign.
            while drawn >= 0 && taken.contains(&(drawn as u32)) {
                drawn = random.next_int();
            }
            let weight = drawn.unsigned_abs();
            taken.insert(weight);
            weights[a * n + b] = weight;
            weights[b * n + a] = weight;
        }
    }
    weights
}
