//! Names what differs between the code of a benchmark in two programs, for people: by the names of functions, which is
//! no proof of anything. Whether anything differs has been decided before.

use std::{
    collections::{BTreeMap, BTreeSet},
    hash::{DefaultHasher, Hash, Hasher},
};

use serde::Serialize;

use super::graph::{Graph, Index, Node, Target, readable};

/// One thing that differs.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Change {
    /// In which way.
    pub how: How,
    /// The name of the function.
    pub name: String,
    /// Its symbol in the new program, or in base if only that has it; empty from a record.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub symbol: String,
    /// The file and line of its first instruction, where debug information has them.
    pub place: Option<String>,
}

/// How a function differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum How {
    /// Its instructions do, or constants that it uses.
    Changed,
    /// Only new has it: it is written anew, or is no longer inlined.
    Added,
    /// Only base has it: it is gone, or is inlined.
    Removed,
}

impl Change {
    pub(super) fn new(how: How, symbol: &str) -> Self {
        Self { how, name: readable(symbol), symbol: symbol.to_owned(), place: None }
    }

    /// Whether it is of the standard library, or of a trait that is mostly derived. Few people change such functions or wait for
    /// them, so they come last.
    pub fn is_general(&self) -> bool {
        let outermost = self.name.trim_start_matches(['<', '&', '[']);
        let derived = ["fmt", "cmp", "clone", "hash"].map(|of| format!(" as core::{of}::"));
        ["core::", "alloc::", "std::", "T as "].iter().any(|one| outermost.starts_with(one))
            || derived.iter().any(|of| self.name.contains(of))
            || self.name.contains("] as core::")
    }
}

impl How {
    /// The word for it in records.
    pub fn name(self) -> &'static str {
        match self {
            Self::Changed => "changed",
            Self::Added => "added",
            Self::Removed => "removed",
        }
    }
}

/// How many references deep constants are compared.
const DEPTH: usize = 3;

/// Returns the differences among the functions that are reached from these nodes.
pub(super) fn between(
    base: &Graph,
    of_base: &[Index],
    new: &Graph,
    of_new: &[Index],
) -> Vec<Change> {
    let (old, fresh) = (functions(base, of_base), functions(new, of_new));
    let names: BTreeSet<&String> = old.keys().chain(fresh.keys()).collect();
    let mut changes = Vec::new();
    for name in names {
        let (how, function) = match (old.get(name), fresh.get(name)) {
            (Some(old), Some(fresh)) if old.prints == fresh.prints => continue,
            (Some(_), Some(fresh)) => (How::Changed, fresh),
            (None, Some(fresh)) => (How::Added, fresh),
            (Some(old), None) => (How::Removed, old),
            (None, None) => continue,
        };
        changes.push(Change::new(how, &function.symbol));
    }
    changes.sort_by_key(|change| (change.how, change.is_general()));
    changes
}

#[derive(Default)]
struct Functions {
    symbol: String,
    prints: BTreeSet<u64>,
}

fn functions(graph: &Graph, from: &[Index]) -> BTreeMap<String, Functions> {
    let mut all: BTreeMap<String, Functions> = BTreeMap::new();
    let reached = graph.reached(from);
    for index in reached {
        let node = &graph.nodes[index as usize];
        if let Some(name) = node.names.first().filter(|_| node.is_code()) {
            let functions = all.entry(readable(name)).or_default();
            functions.symbol = name.clone();
            functions.prints.insert(print(graph, node, DEPTH));
        }
    }
    all
}

/// A checksum of a node by its bytes, the names of functions that it refers to, and the content of constants.
fn print(graph: &Graph, node: &Node, depth: usize) -> u64 {
    let mut hasher = DefaultHasher::new();
    (&node.data, node.size, node.align).hash(&mut hasher);
    for edge in &node.edges {
        (edge.at, edge.kind, edge.addend).hash(&mut hasher);
        match &edge.target {
            Target::Name { name, .. } => name.hash(&mut hasher),
            Target::Number(number) => number.hash(&mut hasher),
            Target::Unknown(_) => {}
            Target::Node(_) | Target::Several(_) => {
                for place in edge.target.places() {
                    let node = &graph.nodes[place.node as usize];
                    place.offset.hash(&mut hasher);
                    match node.names.first() {
                        Some(name) if node.is_code() => readable(name).hash(&mut hasher),
                        _ if node.is_source_place || depth == 0 => {}
                        _ => print(graph, node, depth - 1).hash(&mut hasher),
                    }
                }
            }
        }
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_of_the_standard_library_and_derived_ones_come_last() {
        let is_general = |name: &str| {
            let (name, symbol) = (name.to_owned(), String::new());
            Change { how: How::Changed, name, symbol, place: None }.is_general()
        };
        for name in [
            "core::ptr::drop_in_place<mine::Tree>",
            "<&T as core::fmt::Debug>::fmt",
            "<alloc::vec::Vec<T> as core::clone::Clone>::clone",
            "<mine::Tree as core::fmt::Display>::fmt",
            "<mine::Tree as core::cmp::PartialEq>::eq",
            "<[A] as core::slice::cmp::SlicePartialEq<B>>::equal_same_length",
        ] {
            assert!(is_general(name), "{name}");
        }
        for name in ["mine::parse", "<mine::Tree as core::iter::Iterator>::next", "corelib::run"] {
            assert!(!is_general(name), "{name}");
        }
    }
}
