//! The families of the original generators for networks of millions of nodes: the original takes time and memory of the
//! order of n². Same seed, same network, whatever the number of threads; but not the original's own networks.

use plusminus_analysis::random::{Random, STEP, mix};
use rayon::prelude::*;

use super::Shape;
use crate::imsuite::{RootedTree, Topology, Weighted};

/// The stream of a seed for one purpose: different purposes get different numbers.
fn stream(seed: u64, purpose: u64) -> Random {
    Random::new(mix(seed.wrapping_add(STEP)) ^ mix(purpose.wrapping_mul(STEP)))
}

/// A network of a family in time O(m log m).
///
/// Complete and random networks have of the order of n² edges whatever generates them.
///
/// # Panics
/// Without nodes, or with more edges than memory.
///
/// ```
/// use plusminus_suite::imsuite::generate::{Shape, network};
///
/// let sparse = network(Shape::SparseMinimum, 1_000, 101);
/// let dense = network(Shape::SparseMaximum, 1_000, 101);
/// assert_eq!((sparse.edges(), dense.edges()), (999, 1_000 * 9 - 1));
/// assert!((0..1_000).all(|a| sparse.neighbors(a).iter().all(|&b| dense.has_edge(a, b))));
/// ```
pub fn network(shape: Shape, nodes: usize, seed: u64) -> Topology {
    assert!(nodes > 0, "a network needs a node");
    let pairs = (0..nodes as u32).flat_map(|a| (a + 1..nodes as u32).map(move |b| (a, b)));
    match shape {
        Shape::Complete => Topology::from_edges(nodes, pairs),
        Shape::Random => {
            let mut coins = stream(seed, 1);
            Topology::from_edges(nodes, pairs.filter(move |_| coins.bits() & 1 == 1))
        }
        Shape::SparseMaximum => Topology::from_edges(nodes, sparse_maximum(nodes, seed)),
        _ => tree(shape, nodes, None, seed).topology(),
    }
}

/// The edges of the tree and random ones up to n·⌊log₂ n⌋ − 1, or as many pairs as there are.
fn sparse_maximum(nodes: usize, seed: u64) -> Vec<(u32, u32)> {
    let parents = tree(Shape::SparseMinimum, nodes, None, seed).parents;
    let below_root = parents.iter().enumerate().skip(1);
    let mut edges: Vec<(u32, u32)> = below_root.map(|(node, &up)| (up, node as u32)).collect();
    let most = nodes * (nodes - 1) / 2;
    let wanted = (nodes * nodes.ilog2() as usize).saturating_sub(1).clamp(edges.len(), most);
    let mut pairs = stream(seed, 2);
    edges.par_sort_unstable();
    while edges.len() < wanted {
        let mut more: Vec<(u32, u32)> = Vec::with_capacity(wanted);
        while more.len() < wanted - edges.len() {
            let (a, b) = (pairs.below(nodes) as u32, pairs.below(nodes) as u32);
            if a != b {
                more.push((a.min(b), a.max(b)));
            }
        }
        edges.append(&mut more);
        edges.par_sort_unstable();
        edges.dedup();
    }
    edges
}

/// A rooted tree of a family: chain, star, or random, in which every node but the last ones has between one and
/// `max_children` children. A random tree draws its limit where none is given, as the original does.
///
/// # Panics
/// Without nodes.
pub fn tree(shape: Shape, nodes: usize, max_children: Option<u32>, seed: u64) -> RootedTree {
    assert!(nodes > 0, "a tree needs a node");
    let mut random = stream(seed, 3);
    let limit = match (shape, max_children) {
        (Shape::Chain, _) => 1,
        (Shape::Star, _) => nodes,
        (_, Some(limit)) => limit.max(1) as usize,
        (_, None) => random.below(nodes).max(1),
    };
    let mut parents = vec![0];
    let mut given_away = 1;
    let mut path: Vec<(u32, usize)> = Vec::new();
    let mut node = 0;
    loop {
        let wanted = if shape == Shape::Star { nodes } else { random.below(limit) + 1 };
        let children = wanted.min(nodes - given_away);
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
    RootedTree::new(0, parents)
}

/// The numbers 1 to n in random order: identifiers, or values.
pub fn identifiers(nodes: usize, seed: u64) -> Vec<u32> {
    let mut random = stream(seed, 4);
    let mut identifiers: Vec<u32> = (1..=nodes as u32).collect();
    for last in (1..nodes).rev() {
        identifiers.swap(last, random.below(last + 1));
    }
    identifiers
}

/// The network with distinct random weights below 2³¹.
///
/// # Panics
/// With 2³¹ edges or more.
pub fn distinct_weights(topology: Topology, seed: u64) -> Weighted {
    assert!(topology.edges() < 1 << 31, "{} edges have no distinct weights", topology.edges());
    let key = stream(seed, 5).bits() as u32;
    // Edges are numbered in the order of their smaller ends; a permutation of 31 bits gives each its weight.
    let mut starts = Vec::with_capacity(topology.nodes());
    let mut number = 0;
    for node in 0..topology.nodes() as u32 {
        let larger = topology.neighbours(node).partition_point(|&other| other < node);
        starts.push((number, larger as u32));
        number += (topology.degree(node) - larger) as u32;
    }
    let neighbours = topology.clone();
    Weighted::new(topology, |a, b| {
        let (start, larger) = starts[a as usize];
        let position = neighbours.neighbours(a).partition_point(|&other| other < b) as u32;
        permute(start + position - larger, key)
    })
}

/// The network with weights of 1 to `max`.
pub fn random_weights(topology: Topology, max: u32, seed: u64) -> Weighted {
    let key = stream(seed, 6).bits();
    Weighted::new(topology, |a, b| {
        let edge = (u64::from(a) << 32) | u64::from(b);
        1 + (mix(edge ^ key) % u64::from(max.max(1))) as u32
    })
}

/// A permutation of the numbers of 31 bits: each step can be undone.
fn permute(number: u32, key: u32) -> u32 {
    const MASK: u32 = (1 << 31) - 1;
    let mut x = number;
    for _ in 0..3 {
        x = (x ^ key) & MASK;
        x = x.wrapping_mul(0x85EB_CA6B) & MASK;
        x ^= x >> 15;
    }
    x
}

/// A vote per node, 0 or 1, and the traitors, as many as the original has: n/8 − 1.
pub fn votes_and_traitors(nodes: usize, seed: u64) -> (Vec<u32>, Vec<u32>) {
    let mut random = stream(seed, 7);
    let votes = (0..nodes).map(|_| (random.bits() >> 63) as u32).collect();
    let mut order = identifiers(nodes, random.bits());
    order.truncate((nodes / 8).saturating_sub(1));
    (votes, order.into_iter().map(|number| number - 1).collect())
}

/// The same network under other numbers of nodes: `names[node]` is the new one.
pub fn renumber(topology: &Topology, names: &[u32]) -> Topology {
    let edges = (0..topology.nodes() as u32).flat_map(|node| {
        let larger = topology.neighbours(node).iter().filter(move |&&other| other > node);
        larger.map(move |&other| (names[node as usize], names[other as usize]))
    });
    Topology::from_edges(topology.nodes(), edges)
}
