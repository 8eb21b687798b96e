//! Finds the functions and constants in which two programs differ as far as a benchmark reaches them, and divides them into
//! groups of which each can be exchanged without the others. Bytes in, names out.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use plusminus_worker::protocol::CaseDescription;

use super::{
    BuildFolders,
    changes::{Change, How},
    entry,
    graph::{Graph, Index, Target, readable},
    graphs, lines, registered, types,
    walk::{Pair, difference},
};

/// How names begin that the compiler gives to tables for unwinding, in each object anew.
pub const MADE_UP: &str = "GCC_except_table";

/// The differences between two programs for one benchmark.
#[derive(Debug)]
pub struct Differing {
    /// Each can be exchanged without the others.
    pub groups: Vec<Group>,
    /// Symbols that only new has. They come with whatever uses them.
    pub added: BTreeSet<String>,
    /// Why all are one group, where that has one reason.
    pub joined: Option<String>,
}

/// Functions and constants that are exchanged together.
#[derive(Debug)]
pub struct Group {
    /// The symbols, which both programs have.
    pub symbols: Vec<String>,
    /// For people: these, with functions that only they use, and that only one of the programs has.
    pub changes: Vec<Change>,
}

/// Finds what differs between two programs for a benchmark, as new has it. `folders` are those of base and new. Names in
/// `ambiguous` stand for several things: these go with their users.
///
/// # Errors
/// Why nothing of it can be exchanged.
pub fn differing(
    base: &[u8],
    new: &[u8],
    case: &CaseDescription,
    folders: &[BuildFolders; 2],
    ambiguous: &HashSet<String>,
) -> Result<Differing, String> {
    let (old, fresh) = graphs(base, new, folders)?;
    let reached = match entry(&fresh, case) {
        Ok(entry) => fresh.reached(&[entry.root]),
        Err(Some(why)) => return Err(why),
        Err(None) => {
            let (begins, others) = registered::begins(&fresh, new, case)?;
            fresh.reached_without(begins, &others)
        }
    };
    let layout = types::changed([base, new])?;
    let mut found = found([&old, &fresh], &reached, ambiguous, layout);
    let changes = found.groups.iter_mut().flat_map(|group| &mut group.changes);
    lines::add_to(changes.collect(), [base, new], folders);
    Ok(found)
}

/// The groups among nodes of new; `layout` is a reason to have but one.
fn found(
    graphs: [&Graph; 2],
    reached: &BTreeSet<Index>,
    ambiguous: &HashSet<String>,
    layout: Option<String>,
) -> Differing {
    let sides = Sides { graphs, names: graphs.map(|graph| names(graph, ambiguous)) };
    let mut joined = layout;
    let mut pieces: BTreeMap<Pair, BTreeSet<String>> = BTreeMap::new();
    let mut added = BTreeSet::new();
    for &index in reached {
        let node = &graphs[1].nodes[index as usize];
        for name in sides.names(1, index) {
            let Some(&of_base) = sides.names[0].get(name) else {
                added.insert(name.to_owned());
                continue;
            };
            if sides.same((of_base, index), &mut HashSet::new()) {
                continue;
            }
            if node.is_variable() {
                let why =
                    format!("the variable `{}` has a different size or value", readable(name));
                joined.get_or_insert(why);
            }
            pieces.entry((of_base, index)).or_default().insert(name.to_owned());
        }
    }
    let mut groups = Groups::new(pieces.keys().copied().collect());
    for side in [0, 1] {
        groups.join_known(graphs[side], side);
        groups.join_users(graphs[side], side, |index| sides.is_alone(side, index));
    }
    if joined.is_some() {
        groups.of.fill(0);
    }
    let divided = groups.divided();
    let groups = divided.iter().map(|group| {
        let symbols: BTreeSet<String> =
            group.iter().flat_map(|pair| pieces[pair].iter().cloned()).collect();
        let changes = sides.changes(group, &symbols);
        Group { symbols: symbols.into_iter().collect(), changes }
    });
    Differing { groups: groups.collect(), added, joined }
}

/// The nodes by name. A name that several have names none.
fn names<'a>(graph: &'a Graph, ambiguous: &HashSet<String>) -> HashMap<&'a str, Index> {
    let is_name = |name: &&String| !name.starts_with(MADE_UP) && !ambiguous.contains(*name);
    let mut names: HashMap<&str, Option<Index>> = HashMap::new();
    for (index, node) in (0..).zip(&graph.nodes) {
        for name in node.names.iter().filter(is_name) {
            names.entry(name).and_modify(|known| *known = None).or_insert(Some(index));
        }
    }
    names.into_iter().filter_map(|(name, index)| Some((name, index?))).collect()
}

struct Sides<'a> {
    graphs: [&'a Graph; 2],
    names: [HashMap<&'a str, Index>; 2],
}

impl<'a> Sides<'a> {
    /// The names of a node that name nothing else.
    fn names(&self, side: usize, index: Index) -> impl Iterator<Item = &'a str> {
        let names = self.graphs[side].nodes[index as usize].names.iter().map(String::as_str);
        names.filter(move |name| self.names[side].get(name) == Some(&index))
    }

    /// Whether two nodes are the same with all constants that have no name, and refer to the same names.
    fn same(&self, pair: Pair, assumed: &mut HashSet<Pair>) -> bool {
        if !assumed.insert(pair) {
            return true;
        }
        let node = |side: usize, index: Index| &self.graphs[side].nodes[index as usize];
        let (base, new) = (node(0, pair.0), node(1, pair.1));
        if difference(base, new).is_some() {
            return false;
        }
        let records = base.unwinding.iter().zip(&new.unwinding);
        if !records.into_iter().all(|(base, new)| self.same((*base, *new), assumed)) {
            return false;
        }
        base.edges.iter().zip(&new.edges).all(|(one, other)| {
            if (one.at, one.kind, one.addend) != (other.at, other.kind, other.addend) {
                return false;
            }
            let (olds, news) = (one.target.places(), other.target.places());
            if olds.is_empty() && news.is_empty() {
                return one.target == other.target && !matches!(one.target, Target::Unknown(_));
            }
            olds.len() == news.len()
                && olds.iter().zip(news).all(|(old, fresh)| {
                    let (to, from) = (node(0, old.node), node(1, fresh.node));
                    let handed_on = base.is_code() && to.is_source_place && from.is_source_place;
                    old.offset == fresh.offset
                        && (handed_on
                            || match [(0, old), (1, fresh)]
                                .map(|(side, place)| self.names(side, place.node).next())
                            {
                                [None, None] => self.same((old.node, fresh.node), assumed),
                                [to, from] => to == from,
                            })
                })
        })
    }

    /// Whether a node has no name that the other side has: it comes with its users.
    fn is_alone(&self, side: usize, index: Index) -> bool {
        self.names(side, index).all(|name| !self.names[1 - side].contains_key(name))
    }

    /// The changes of a group for people.
    fn changes(&self, group: &[Pair], symbols: &BTreeSet<String>) -> Vec<Change> {
        let mut changes: BTreeSet<Change> =
            symbols.iter().map(|symbol| Change::new(How::Changed, symbol)).collect();
        for (side, how) in [(0, How::Removed), (1, How::Added)] {
            let graph = self.graphs[side];
            let begins = group.iter().map(|pair| [pair.0, pair.1][side]);
            let is_alone = |index| self.is_alone(side, index);
            for index in graph.reached_while(begins, is_alone) {
                let node = &graph.nodes[index as usize];
                // The functions of the group themselves are on both sides.
                if node.is_code() && is_alone(index) {
                    changes.extend(node.names.first().map(|name| Change::new(how, name)));
                }
            }
        }
        changes.into_iter().collect()
    }
}

/// Pieces that differ, each in a group with others.
struct Groups {
    pieces: Vec<Pair>,
    /// The piece that stands for the group of each.
    of: Vec<usize>,
}

impl Groups {
    fn new(pieces: Vec<Pair>) -> Self {
        Self { of: (0..pieces.len()).collect(), pieces }
    }

    fn join(&mut self, one: usize, other: usize) {
        let (from, to) = (self.of[one].max(self.of[other]), self.of[one].min(self.of[other]));
        for group in self.of.iter_mut().filter(|group| **group == from) {
            *group = to;
        }
    }

    /// Joins pieces of which one may have been compiled with knowledge of the other. Within an object the compiler finds out
    /// what a function returns and which memory it leaves alone, and uses it in callers, also through functions that stayed the
    /// same.
    fn join_known(&mut self, graph: &Graph, side: usize) {
        let at = |pair: &Pair| [pair.0, pair.1][side];
        let numbers: HashMap<Index, usize> = self.pieces.iter().map(at).zip(0..).collect();
        for begin in 0..self.pieces.len() {
            let from = at(&self.pieces[begin]);
            let object = graph.nodes[from as usize].object;
            let (mut left, mut seen) = (vec![from], HashSet::from([from]));
            while let Some(index) = left.pop() {
                let node = &graph.nodes[index as usize];
                for place in node.edges.iter().flat_map(|edge| edge.target.places()) {
                    let next = &graph.nodes[place.node as usize];
                    // Pointers to functions in data tell callers nothing.
                    let is_known = next.object == object && (node.is_code() || !next.is_code());
                    if !is_known || !seen.insert(place.node) {
                        continue;
                    }
                    match numbers.get(&place.node) {
                        Some(&number) => self.join(begin, number),
                        None => left.push(place.node),
                    }
                }
            }
        }
    }

    /// Joins pieces that use the same variable that only one side has: apart, some would use the old variable and some the new one.
    fn join_users(&mut self, graph: &Graph, side: usize, comes: impl Fn(Index) -> bool) {
        let mut users: HashMap<Index, usize> = HashMap::new();
        for number in 0..self.pieces.len() {
            let begin = [self.pieces[number].0, self.pieces[number].1][side];
            for next in graph.reached_while([begin], &comes) {
                if next != begin && graph.nodes[next as usize].is_variable() {
                    self.join(number, *users.entry(next).or_insert(number));
                }
            }
        }
    }

    fn divided(&self) -> Vec<Vec<Pair>> {
        let mut groups: BTreeMap<usize, Vec<Pair>> = BTreeMap::new();
        for (piece, group) in self.pieces.iter().zip(&self.of) {
            groups.entry(*group).or_default().push(*piece);
        }
        groups.into_values().collect()
    }
}

#[cfg(test)]
mod tests {
    use object::elf::SHF_WRITE;

    use super::*;
    use crate::graph::{Edge, Node, Place};

    /// A function with this name and content in an object, that calls others.
    fn function(name: &str, content: &str, object: u32, calls: &[Index]) -> Node {
        let call = |(at, &node): (usize, &Index)| {
            let target = Target::Node(Place { node, offset: 0 });
            Edge { at: at as u64, kind: 4, addend: -4, target }
        };
        Node {
            names: vec![name.to_owned()],
            object,
            flags: object::elf::SHF_EXECINSTR.0,
            data: content.as_bytes().to_vec(),
            size: content.len() as u64,
            edges: calls.iter().enumerate().map(call).collect(),
            ..Node::default()
        }
    }

    fn graph(nodes: Vec<Node>) -> Graph {
        Graph { nodes, ..Graph::default() }
    }

    fn between(graphs: [&Graph; 2], layout: Option<String>) -> Differing {
        found(graphs, &graphs[1].reached(&[0]), &HashSet::from(["twice".to_owned()]), layout)
    }

    fn groups(base: Vec<Node>, new: Vec<Node>) -> (Vec<Vec<String>>, Differing) {
        let found = between([&graph(base), &graph(new)], None);
        (found.groups.iter().map(|group| group.symbols.clone()).collect(), found)
    }

    fn texts(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|&text| text.to_owned()).collect()
    }

    #[test]
    fn functions_that_do_not_know_each_other_are_exchanged_alone() {
        let of = |one: &str, two: &str| {
            vec![
                function("run", "run", 0, &[1, 2]),
                function("one", one, 0, &[3]),
                function("two", two, 0, &[3]),
                function("same", "same", 0, &[]),
            ]
        };
        let (found, _) = groups(of("1", "2"), of("3", "4"));
        assert_eq!(found, [texts(&["one"]), texts(&["two"])]);
        assert!(groups(of("1", "2"), of("1", "2")).0.is_empty());
    }

    #[test]
    fn what_the_compiler_may_know_of_a_callee_keeps_both_together() {
        let of = |content: &str, objects: [u32; 2]| {
            vec![
                function("run", content, objects[0], &[1]),
                function("between", "same", objects[0], &[2]),
                function("callee", content, objects[1], &[]),
            ]
        };
        assert_eq!(groups(of("a", [0, 0]), of("b", [0, 0])).0, [texts(&["callee", "run"])]);
        // Objects are compiled apart.
        let apart = groups(of("a", [0, 1]), of("b", [0, 1])).0;
        assert_eq!(apart, [texts(&["run"]), texts(&["callee"])]);
    }

    #[test]
    fn what_only_one_side_has_comes_with_its_user() {
        let base = vec![function("run", "a", 0, &[1]), function("old", "old", 0, &[])];
        let new = vec![function("run", "b", 0, &[1]), function("helper", "h", 0, &[])];
        let (found, differing) = groups(base, new);
        assert_eq!(found, [texts(&["run"])]);
        assert!(differing.added.contains("helper"));
        let changes: Vec<(How, &str)> =
            differing.groups[0].changes.iter().map(|one| (one.how, &*one.name)).collect();
        let all = [(How::Changed, "run"), (How::Added, "helper"), (How::Removed, "old")];
        assert_eq!(changes, all);
    }

    #[test]
    fn a_function_whose_name_others_have_comes_with_its_users() {
        let of = |content: &str| {
            vec![
                function("run", "run", 0, &[1, 2]),
                function("one", "one", 0, &[3]),
                function("two", "two", 0, &[]),
                function("twice", content, 0, &[]),
            ]
        };
        let (found, differing) = groups(of("a"), of("b"));
        assert_eq!(found, [texts(&["one"])]);
        assert!(differing.added.is_empty());
    }

    #[test]
    fn users_of_a_variable_that_one_side_has_stay_together() {
        let of = |variable: &str, content: &str| {
            let variable = Node { flags: SHF_WRITE.0, ..function(variable, "", 9, &[]) };
            vec![
                function("run", "run", 9, &[1, 2, 3]),
                function("one", content, 0, &[4]),
                function("two", content, 1, &[4]),
                function("three", content, 2, &[]),
                variable,
            ]
        };
        let together = [texts(&["one", "two"]), texts(&["three"])];
        assert_eq!(groups(of("state of base", "a"), of("state of new", "b")).0, together);
        // Both sides have it.
        assert_eq!(groups(of("state", "a"), of("state", "b")).0.len(), 3);
    }

    #[test]
    fn a_changed_variable_and_a_changed_layout_leave_one_group() {
        let of = |value: &str, content: &str| {
            let variable = Node { flags: SHF_WRITE.0, ..function("state", value, 0, &[]) };
            vec![
                function("run", "run", 0, &[1, 2, 3]),
                function("one", content, 0, &[]),
                function("two", content, 0, &[]),
                variable,
            ]
        };
        let (found, differing) = groups(of("1", "a"), of("2", "b"));
        assert_eq!(found.len(), 1);
        assert!(differing.joined.is_some_and(|why| why.contains("`state`")));
        let [base, new] = [graph(of("1", "a")), graph(of("1", "b"))];
        let joined = between([&base, &new], Some("layout".to_owned()));
        assert_eq!(joined.groups.len(), 1);
    }
}
