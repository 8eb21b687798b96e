//! Is it right? By definition, not by a second run of a search.

use std::collections::VecDeque;

use super::page_rank::{DAMPING, TOLERANCE, next_ranks};
use crate::graph::{Adjacency, Vertex};

/// Is this a breadth-first tree from the root, with [`Vertex::MAX`] for the parent of unreached vertices?
///
/// It is under three conditions. The root is its own parent. Every other vertex with a parent is its neighbor and one
/// level farther from the root. Exactly the vertices that a path leads to have parents. Levels are those of a search
/// by queue.
///
/// # Errors
/// Names the first vertex that breaks a rule.
pub fn breadth_first_tree(
    graph: &Adjacency,
    root: Vertex,
    parents: &[Vertex],
) -> Result<(), String> {
    if parents.len() != graph.vertices() {
        return Err(format!("{} parents for {} vertices", parents.len(), graph.vertices()));
    }
    if parents.get(root as usize) != Some(&root) {
        return Err(format!("the root {root} is not its own parent"));
    }
    let levels = levels(graph, root);
    // Whether a vertex has been found among the neighbors of its parent.
    let mut hangs = vec![false; parents.len()];
    for from in 0..graph.vertices() as Vertex {
        for &to in graph.neighbours(from) {
            hangs[to as usize] |= parents[to as usize] == from;
        }
    }
    for (vertex, &parent) in parents.iter().enumerate() {
        let level = levels[vertex];
        if vertex == root as usize || (parent == Vertex::MAX && level == u32::MAX) {
            continue;
        }
        if parent == Vertex::MAX {
            return Err(format!("vertex {vertex} is reached in {level} steps but has no parent"));
        }
        if !hangs[vertex] {
            return Err(format!("vertex {vertex} is no neighbor of its parent {parent}"));
        }
        // A neighbor of the parent, which therefore exists.
        if level == u32::MAX || levels[parent as usize] + 1 != level {
            return Err(format!(
                "vertex {vertex} is not one step farther than its parent {parent}"
            ));
        }
    }
    Ok(())
}

/// Steps from a root; [`u32::MAX`] where no path leads.
fn levels(graph: &Adjacency, root: Vertex) -> Vec<u32> {
    let mut levels = vec![u32::MAX; graph.vertices()];
    levels[root as usize] = 0;
    let mut queue = VecDeque::from([root]);
    while let Some(vertex) = queue.pop_front() {
        for &target in graph.neighbours(vertex) {
            if levels[target as usize] == u32::MAX {
                levels[target as usize] = levels[vertex as usize] + 1;
                queue.push_back(target);
            }
        }
    }
    levels
}

/// Have two vertices of an undirected graph the same label if and only if a path joins them?
///
/// # Errors
/// Names the first arc whose ends have different labels, or a vertex whose label occurs in another component too.
pub fn components(graph: &Adjacency, labels: &[Vertex]) -> Result<(), String> {
    if labels.len() != graph.vertices() {
        return Err(format!("{} labels for {} vertices", labels.len(), graph.vertices()));
    }
    let mut used = std::collections::HashSet::new();
    let mut met = vec![false; labels.len()];
    let mut stack = Vec::new();
    for start in 0..graph.vertices() as Vertex {
        if met[start as usize] {
            continue;
        }
        let label = labels[start as usize];
        if !used.insert(label) {
            return Err(format!("vertex {start} has label {label}, as another component has"));
        }
        met[start as usize] = true;
        stack.push(start);
        while let Some(vertex) = stack.pop() {
            for &target in graph.neighbours(vertex) {
                if labels[target as usize] != label {
                    return Err(format!(
                        "vertex {vertex} has label {label}, its neighbor {target} {}",
                        labels[target as usize]
                    ));
                }
                if !std::mem::replace(&mut met[target as usize], true) {
                    stack.push(target);
                }
            }
        }
    }
    Ok(())
}

/// Are these ranks a fixed point of the definition of PageRank, within its tolerance?
///
/// Putting them into the right side must change all of them together by less than the tolerance; as that side shrinks
/// differences by d, the ranks are then within tolerance/(1 − d) of the exact ones.
///
/// # Errors
/// By how much they change, or which rank is not a number above zero.
pub fn ranks(graph: &Adjacency, ranks: &[f32]) -> Result<(), String> {
    if ranks.len() != graph.vertices() {
        return Err(format!("{} ranks for {} vertices", ranks.len(), graph.vertices()));
    }
    if let Some(vertex) = ranks.iter().position(|rank| !(rank.is_finite() && *rank > 0.0)) {
        return Err(format!("vertex {vertex} has rank {}", ranks[vertex]));
    }
    let ranks: Vec<f64> = ranks.iter().map(|&rank| rank.into()).collect();
    let next = next_ranks(graph, &ranks);
    let change: f64 = next.iter().zip(&ranks).map(|(new, old)| (new - old).abs()).sum();
    if change < TOLERANCE {
        Ok(())
    } else {
        Err(format!(
            "ranks change by {change:e} with d = {DAMPING}, not by less than {TOLERANCE:e}"
        ))
    }
}
