//! Divides the nodes of two graphs into classes: two nodes share one if they are the same with all that they reach.

use std::{
    collections::{BTreeMap, HashMap},
    hash::{DefaultHasher, Hash, Hasher},
};

use super::graph::{Graph, Index, Node, Target};

pub(super) type Class = usize;

/// Returns the class of each node of both graphs. Two nodes share one if a walk from both of them would close.
pub(super) fn classes(graphs: [&Graph; 2]) -> [Vec<Class>; 2] {
    let mut division = Division::new(graphs);
    let mut changed: Vec<usize> = (0..division.classes.len()).collect();
    while !changed.is_empty() {
        changed = division.divide(&changed);
    }
    let mut base = division.classes;
    let new = base.split_off(graphs[0].nodes.len());
    [base, new]
}

/// The nodes of both graphs, in one row, with their classes so far.
struct Division {
    /// The nodes that each refers to; `None` for one that makes no difference.
    next: Vec<Vec<Option<usize>>>,
    before: Vec<Vec<usize>>,
    classes: Vec<Class>,
    sizes: Vec<usize>,
}

impl Division {
    /// Divides nodes by what each is in itself.
    fn new(graphs: [&Graph; 2]) -> Self {
        let (mut next, mut owns) = (Vec::new(), Vec::new());
        for (side, graph) in graphs.into_iter().enumerate() {
            let first = next.len();
            for (index, node) in graph.nodes.iter().enumerate() {
                let of_node = graph.neighbours(index as Index).map(|to| {
                    // Code hands places in the source on to panics.
                    let handed_on = node.is_code() && graph.nodes[to as usize].is_source_place;
                    (!handed_on).then_some(first + to as usize)
                });
                next.push(of_node.collect::<Vec<_>>());
                let mut hasher = DefaultHasher::new();
                hash(node, (side, index), &mut hasher);
                owns.push(hasher.finish());
            }
        }
        let mut before = vec![Vec::new(); next.len()];
        for (node, all) in next.iter().enumerate() {
            for to in all.iter().flatten() {
                before[*to].push(node);
            }
        }
        let mut numbers = HashMap::new();
        let (mut classes, mut sizes) = (Vec::new(), Vec::new());
        for own in owns {
            let class = *numbers.entry(own).or_insert_with(|| {
                sizes.push(0);
                sizes.len() - 1
            });
            sizes[class] += 1;
            classes.push(class);
        }
        Self { next, before, classes, sizes }
    }

    /// Divides the classes of some nodes by the classes that each refers to, after these have changed. All nodes of a class referred
    /// to the same classes before. Returns the nodes that refer to one with another class now.
    fn divide(&mut self, nodes: &[usize]) -> Vec<usize> {
        let mut parts: HashMap<(Class, Vec<Option<Class>>), Vec<usize>> = HashMap::new();
        for &node in nodes {
            let next = self.next[node].iter().map(|to| to.map(|to| self.classes[to])).collect();
            parts.entry((self.classes[node], next)).or_default().push(node);
        }
        let mut by_class: BTreeMap<Class, Vec<Vec<usize>>> = BTreeMap::new();
        for ((class, _), part) in parts {
            by_class.entry(class).or_default().push(part);
        }
        let mut changed = Vec::new();
        for (class, mut parts) in by_class {
            // The nodes whose classes refer to the same ones as before keep their number, or else the largest part does.
            if parts.iter().map(Vec::len).sum::<usize>() == self.sizes[class] {
                parts.sort_unstable_by_key(Vec::len);
                parts.pop();
            }
            for part in parts {
                self.sizes[class] -= part.len();
                for &node in &part {
                    self.classes[node] = self.sizes.len();
                    changed.extend(&self.before[node]);
                }
                self.sizes.push(part.len());
            }
        }
        changed.sort_unstable();
        changed.dedup();
        changed
    }
}

/// All of a node that a walk compares but what it refers to.
fn hash(node: &Node, number: (usize, usize), hasher: &mut DefaultHasher) {
    (node.flags, node.kind, node.own_align(), node.size, &node.data).hash(hasher);
    (node.edges.len(), node.unwinding.len()).hash(hasher);
    for edge in &node.edges {
        (edge.at, edge.kind, edge.addend).hash(hasher);
        std::mem::discriminant(&edge.target).hash(hasher);
        match &edge.target {
            Target::Node(_) | Target::Several(_) => {
                let offsets = edge.target.places().iter().map(|place| place.offset);
                offsets.collect::<Vec<_>>().hash(hasher);
            }
            Target::Name { name, weak } => (name, weak).hash(hasher),
            Target::Number(value) => value.hash(hasher),
            // It equals nothing, not even itself elsewhere.
            Target::Unknown(_) => number.hash(hasher),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{
        super::graph::{Edge, Place},
        *,
    };

    /// Nodes: a letter, and the numbers of the nodes that each refers to.
    type Plan = Vec<(u8, Vec<usize>)>;

    fn graph(plan: &Plan) -> Graph {
        let edge = |to: &usize| {
            let target = Target::Node(Place { node: *to as u32, offset: 0 });
            Edge { at: 0, kind: 1, addend: 0, target }
        };
        let node = |(letter, to): &(u8, Vec<usize>)| {
            let edges = to.iter().map(edge).collect();
            Node { flags: 0x6, data: vec![*letter], edges, ..Node::default() }
        };
        Graph { nodes: plan.iter().map(node).collect(), ..Graph::default() }
    }

    fn plan() -> impl Strategy<Value = Plan> {
        (1..6_usize).prop_flat_map(|nodes| {
            let node = (0..2_u8, prop::collection::vec(0..nodes, 0..3));
            prop::collection::vec(node, nodes)
        })
    }

    /// Whether two nodes differ within this number of steps. It need not exceed the number of nodes.
    fn differ(plans: [&Plan; 2], nodes: [usize; 2], steps: usize) -> bool {
        let [(base, olds), (new, news)] = [0, 1].map(|side| &plans[side][nodes[side]]);
        let next = || olds.iter().zip(news);
        base != new
            || olds.len() != news.len()
            || steps > 0 && next().any(|(base, new)| differ(plans, [*base, *new], steps - 1))
    }

    proptest! {
        #[test]
        fn a_class_has_the_nodes_that_no_walk_tells_apart(base in plan(), new in plan()) {
            let [olds, news] = classes([&graph(&base), &graph(&new)]);
            for (left, old) in olds.iter().enumerate() {
                for (right, new_class) in news.iter().enumerate() {
                    let apart = differ([&base, &new], [left, right], 9);
                    prop_assert_eq!(old != new_class, apart, "{} {}", left, right);
                }
            }
        }
    }

    #[test]
    fn a_long_chain_is_divided_from_its_end() {
        // Each node calls the next one; the ends differ.
        let chain = |end: u8| -> Plan {
            let links = (1..3_000).map(|to| (0, vec![to]));
            links.chain([(end, Vec::new())]).collect()
        };
        let [base, new] = classes([&graph(&chain(1)), &graph(&chain(2))]);
        assert!(base.iter().zip(&new).all(|(base, new)| base != new));
        let [base, new] = classes([&graph(&chain(1)), &graph(&chain(1))]);
        assert_eq!(base, new);
    }
}
