//! Walks two graphs side by side, from what a benchmark runs: the same code if every pair of nodes that is reached has
//! the same bytes, and refers in the same places to pairs that are the same.

use std::collections::HashSet;

use super::graph::{Edge, Graph, Index, Node, Place, Target};

/// Why a walk has not closed.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Stop {
    /// The nodes of base and new that differ, and how.
    Differs { base: Index, new: Index, how: &'static str },
    /// Something that cannot be followed.
    Unknown(String),
}

/// Two graphs, and the pairs of their nodes that were found to be the same.
pub(super) struct Walk<'a> {
    base: &'a Graph,
    new: &'a Graph,
    same: HashSet<(Index, Index)>,
}

impl<'a> Walk<'a> {
    pub(super) fn new(base: &'a Graph, new: &'a Graph) -> Self {
        Self { base, new, same: HashSet::new() }
    }

    /// Walks on from pairs of places until the walk closes, which means that all of it is the same.
    ///
    /// # Errors
    /// The first pair that differs, or what could not be followed.
    pub(super) fn compare(&mut self, roots: &[(Place, Place)]) -> Result<(), Stop> {
        // Pairs are the same if all that is reached from them is: nothing is known before the walk has closed.
        let mut assumed: HashSet<(Index, Index)> = HashSet::new();
        let mut left = Vec::new();
        for (base, new) in roots {
            if base.offset != new.offset {
                return Err(Stop::Differs { base: base.node, new: new.node, how: "place" });
            }
            left.push((base.node, new.node));
        }
        while let Some(pair) = left.pop() {
            if self.same.contains(&pair) || !assumed.insert(pair) {
                continue;
            }
            let (base, new) = (&self.base.nodes[pair.0 as usize], &self.new.nodes[pair.1 as usize]);
            if base.is_source_place && new.is_source_place {
                continue;
            }
            let differs = |how| Stop::Differs { base: pair.0, new: pair.1, how };
            if let Some(how) = difference(base, new) {
                return Err(differs(how));
            }
            for (one, other) in base.edges.iter().zip(&new.edges) {
                follow(one, other, &mut left).map_err(|stop| match stop {
                    Some(unknown) => unknown,
                    None => differs("reference"),
                })?;
            }
            left.extend(base.unwinding.iter().copied().zip(new.unwinding.iter().copied()));
        }
        self.same.extend(assumed);
        Ok(())
    }
}

/// How two nodes differ in themselves.
fn difference(base: &Node, new: &Node) -> Option<&'static str> {
    let section = |node: &Node| (node.flags, node.kind, node.align);
    if section(base) != section(new) {
        return Some("kind");
    }
    if base.size != new.size {
        return Some("size");
    }
    if base.data != new.data {
        return Some("bytes");
    }
    if base.edges.len() != new.edges.len() || base.unwinding.len() != new.unwinding.len() {
        return Some("number of references");
    }
    None
}

/// Adds the pairs of targets of two relocations; `Err(None)` if they differ.
fn follow(one: &Edge, other: &Edge, left: &mut Vec<(Index, Index)>) -> Result<(), Option<Stop>> {
    if (one.at, one.kind, one.addend) != (other.at, other.kind, other.addend) {
        return Err(None);
    }
    for target in [&one.target, &other.target] {
        if let Target::Unknown(why) = target {
            return Err(Some(Stop::Unknown(why.clone())));
        }
    }
    let same = match (&one.target, &other.target) {
        (Target::Node(_), Target::Node(_)) | (Target::Several(_), Target::Several(_)) => {
            let (base, new) = (one.target.places(), other.target.places());
            let pairs = base.iter().zip(new);
            left.extend(pairs.clone().map(|(base, new)| (base.node, new.node)));
            base.len() == new.len() && pairs.clone().all(|(base, new)| base.offset == new.offset)
        }
        (one, other) => one == other,
    };
    if same { Ok(()) } else { Err(None) }
}
