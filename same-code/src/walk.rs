//! Walks two graphs in parallel, from the functions that a benchmark runs. The code is the same if every pair of
//! reached nodes has the same bytes, and refers in the same places to pairs that are the same. `identity` decides
//! about further conditions.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::{
    graph::{Edge, Graph, Index, Node, Place, Target},
    identity::Pairing,
};

/// Why a walk has not closed.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Stop {
    /// The first difference: how, and in what, by the names of the new program.
    Differs(String),
    Unknown(String),
}

/// Two nodes that would have to be the same, of base and new.
pub(super) type Pair = (Index, Index);

/// Two graphs, and the pairs of their nodes that were found to be the same.
pub(super) struct Walk<'a> {
    pub(super) base: &'a Graph,
    pub(super) new: &'a Graph,
    same: HashSet<Pair>,
    /// Nodes of both sides that the walk does not enter, as they are not run.
    pub(super) left_out: [BTreeSet<Index>; 2],
}

impl<'a> Walk<'a> {
    pub(super) fn new(base: &'a Graph, new: &'a Graph) -> Self {
        Self::without(base, new, |_| BTreeSet::new())
    }

    /// A walk that takes some nodes to be the same without a look, on both sides: what is never run.
    pub(super) fn without(
        base: &'a Graph,
        new: &'a Graph,
        left_out: impl Fn(&Graph) -> BTreeSet<Index>,
    ) -> Self {
        let left_out = [left_out(base), left_out(new)];
        Self { base, new, same: HashSet::new(), left_out }
    }

    /// Walks on from pairs of places until the walk closes, which means that all of it is the same. Enters into `all`
    /// what stands for what.
    pub(super) fn compare(
        &mut self,
        roots: &[(Place, Place)],
        all: &mut Pairing<'_>,
    ) -> Result<(), Stop> {
        // Pairs are the same if all that is reached from them is: nothing is known before the walk has closed.
        let mut assumed: HashMap<Pair, Option<Pair>> = HashMap::new();
        if roots.iter().any(|(base, new)| base.offset != new.offset) {
            return Err(Stop::Differs("it begins elsewhere in a section".to_owned()));
        }
        let mut left = begins(roots);
        while let Some((from, pair)) = left.pop() {
            if self.same.contains(&pair) || assumed.contains_key(&pair) || !self.enters(from, pair)
            {
                continue;
            }
            assumed.insert(pair, from);
            let (base, new) = self.nodes(pair);
            let differs = |how| Stop::Differs(self.described(pair, how, &assumed));
            if let Some(how) = difference(base, new) {
                return Err(differs(how));
            }
            let next = followed(base, new)
                .map_err(|stop| stop.unwrap_or_else(|| differs("references")))?;
            left.extend(next.into_iter().map(|next| (Some(pair), next)));
        }
        for &pair in assumed.keys() {
            all.add(pair, [self.base, self.new]);
        }
        self.same.extend(assumed.into_keys());
        Ok(())
    }

    /// All pairs that are reached from places at which a walk has closed.
    pub(super) fn reached(&self, roots: &[(Place, Place)]) -> HashSet<Pair> {
        let mut reached = HashSet::new();
        let mut left = begins(roots);
        while let Some((from, pair)) = left.pop() {
            if self.enters(from, pair) && reached.insert(pair) {
                let (base, new) = self.nodes(pair);
                let next = followed(base, new).unwrap_or_default();
                left.extend(next.into_iter().map(|next| (Some(pair), next)));
            }
        }
        reached
    }

    /// Whether the walk looks at a pair to which another one has led.
    fn enters(&self, from: Option<Pair>, pair: Pair) -> bool {
        // The start of the walk is executed.
        let Some(from) = from else { return true };
        let (base, new) = self.nodes(pair);
        // Code hands places on to panics. Data that refer to one are a table of the program.
        let handed_on = base.is_source_place && new.is_source_place && self.nodes(from).0.is_code();
        let never_run = self.left_out[0].contains(&pair.0) && self.left_out[1].contains(&pair.1);
        !(handed_on || never_run)
    }

    pub(super) fn nodes(&self, pair: Pair) -> (&'a Node, &'a Node) {
        (&self.base.nodes[pair.0 as usize], &self.new.nodes[pair.1 as usize])
    }

    /// A difference in words: what differs, and the function by which it was reached.
    fn described(&self, pair: Pair, how: &str, from: &HashMap<Pair, Option<Pair>>) -> String {
        let node = |pair: Pair| &self.new.nodes[pair.1 as usize];
        let mut text = format!("the {how} of {}", node(pair).shown());
        let mut next = from.get(&pair).copied().flatten();
        while let Some(pair) = next {
            if node(pair).is_code() && !node(pair).names.is_empty() {
                text.push_str(&format!(", used by {}", node(pair).shown()));
                break;
            }
            next = from.get(&pair).copied().flatten();
        }
        text
    }
}

fn begins(roots: &[(Place, Place)]) -> Vec<(Option<Pair>, Pair)> {
    roots.iter().map(|(base, new)| (None, (base.node, new.node))).collect()
}

/// The pairs that two nodes refer to; `Err(None)` if they refer differently.
fn followed(base: &Node, new: &Node) -> Result<Vec<Pair>, Option<Stop>> {
    let mut next: Vec<Pair> =
        base.unwinding.iter().copied().zip(new.unwinding.iter().copied()).collect();
    for (one, other) in base.edges.iter().zip(&new.edges) {
        follow(one, other, &mut next)?;
    }
    Ok(next)
}

/// How two nodes differ in themselves.
pub(super) fn difference(base: &Node, new: &Node) -> Option<&'static str> {
    let section = |node: &Node| (node.flags, node.kind, node.own_align());
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
fn follow(one: &Edge, other: &Edge, left: &mut Vec<Pair>) -> Result<(), Option<Stop>> {
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
