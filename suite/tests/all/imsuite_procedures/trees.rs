//! The procedure of MST.

use std::collections::BTreeMap;

use plusminus_suite::imsuite::Kernel;

use super::tally::{Expected, INPUTS, holds, lists, weight};

/// A forest of fragments: what hangs below what.
struct Forest {
    parent: Vec<Option<usize>>,
}

impl Forest {
    fn root(&self, node: usize) -> usize {
        self.parent[node].map_or(node, |parent| self.root(parent))
    }

    fn depth(&self, node: usize) -> u64 {
        self.parent[node].map_or(0, |parent| 1 + self.depth(parent))
    }

    fn roots(&self) -> Vec<usize> {
        (0..self.parent.len()).filter(|&node| self.parent[node].is_none()).collect()
    }

    /// How often a wave along all trees takes a step, the one in which nothing moves included.
    fn steps(&self) -> u64 {
        1 + (0..self.parent.len()).map(|node| self.depth(node)).max().unwrap_or(0)
    }
}

/// Fragments that grow over their lightest edges: what each wave costs follows from the shape of the trees alone.
#[test]
fn spanning_trees_count_as_their_procedure() {
    holds(Kernel::Mst, &INPUTS, |input, tally| {
        let near = lists(input);
        let nodes = input.nodes;
        let mut forest = Forest { parent: vec![None; nodes] };
        let (mut phases, mut waves) = (0, 0);
        while forest.roots().len() > 1 {
            phases += 1;
            let home: Vec<usize> = (0..nodes).map(|node| forest.root(node)).collect();
            // Down: start. Up: the lightest edge and another signal. Every node asks its neighbors where they belong.
            waves += 2 * forest.steps();
            let mut lightest: BTreeMap<usize, (u32, usize, usize)> = BTreeMap::new();
            for node in 0..nodes {
                if let Some(parent) = forest.parent[node] {
                    tally.atomic(parent, node);
                    tally.atomic(node, parent);
                    tally.atomic(node, parent);
                }
                for &other in &near[node] {
                    tally.shift(node, other);
                    if home[other] != home[node] {
                        let edge = (weight(input, node, other), node, other);
                        let best = lightest.entry(home[node]).or_insert(edge);
                        *best = edge.min(*best);
                    }
                }
            }
            // The inner end of the edge gets a message, and becomes the root: the way up to the old one turns round.
            let ends: Vec<(usize, usize)> =
                lightest.values().map(|&(_, inner, outer)| (inner, outer)).collect();
            waves += 1 + ends.iter().map(|&(inner, _)| forest.depth(inner)).max().unwrap_or(0);
            for &(inner, _) in &ends {
                tally.shift(home[inner], inner);
                tally.shift(home[inner], inner);
                let mut above = None;
                let mut node = inner;
                loop {
                    let parent = std::mem::replace(&mut forest.parent[node], above);
                    let Some(parent) = parent else { break };
                    tally.shift(node, parent);
                    tally.shift(node, parent);
                    above = Some(node);
                    node = parent;
                }
            }
            // Of two fragments with the same edge the smaller end stays a root.
            for &(inner, outer) in &ends {
                tally.atomic(inner, outer); // wants to join
                tally.shift(inner, outer); // asks where it belongs
                let mutual = ends.contains(&(outer, inner));
                if !mutual {
                    tally.atomic(inner, outer);
                    forest.parent[inner] = Some(outer);
                } else if inner < outer {
                    tally.mutex += 1;
                    tally.shift(inner, outer);
                    tally.shift(inner, outer);
                    forest.parent[outer] = Some(inner);
                }
            }
            // The new root goes down the new trees.
            waves += forest.steps();
            for (node, parent) in forest.parent.iter().enumerate() {
                if let Some(parent) = *parent {
                    tally.shift(parent, node);
                    tally.shift(parent, node);
                }
            }
        }
        // After each step of a wave, and once in a phase, the driver asks all nodes.
        let expected = |joins: u64, barriers| Expected {
            comm: (joins + waves + phases) * tally.elsewhere() + tally.remote,
            mutex: tally.mutex,
            joins,
            barriers,
        };
        let fa = expected(9 * phases + 2 * waves, 0);
        (fa, Some(expected(4 * phases + waves, 5 * phases + waves)))
    });
}
