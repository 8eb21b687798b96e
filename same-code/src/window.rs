//! Whether code that differs can run while a benchmark is timed, or only makes what it is timed on. Comparisons measure the
//! former first, and label the latter; nothing counts as identical for it.
//!
//! The harness runs every timed stretch in an instance of `plusminus_counted_window`, which is never inlined: what the instance
//! refers to may run inside. Through a pointer it may call any function whose address the benchmark takes somewhere. Functions
//! that measure or register are called outside alone, as no window opens within another one.

use std::collections::{BTreeMap, BTreeSet};

use object::elf::{
    R_AARCH64_CALL26, R_AARCH64_JUMP26, R_AARCH64_PREL32, R_X86_64_GOTPCREL, R_X86_64_GOTPCRELX,
    R_X86_64_PC32, R_X86_64_PLT32,
};

use super::{
    classes::{Class, classes},
    graph::{ENTRY, Edge, Graph, Index, Node, Place},
    identity::{Closed, Pairing},
    walk::Walk,
};

/// The common part of the names of windows.
const WINDOW: &str = "plusminus_counted_window";

pub(super) struct Windows<'a> {
    graphs: [&'a Graph; 2],
    classes: [Vec<Class>; 2],
    /// Functions that measure or register, or call what does.
    outside: [BTreeSet<Index>; 2],
    /// Windows that do not belong to benchmarks: the harness measures the machine in them.
    of_harness: [BTreeSet<Index>; 2],
    walk: Walk<'a>,
    pairing: Pairing<'a>,
}

#[derive(Default)]
struct Inside {
    windows: BTreeMap<Class, Index>,
    /// The classes of functions whose addresses are taken, as each piece of code or table has them, in its order: which of
    /// them a window calls may depend on it. It may also have names for them.
    taken: BTreeSet<Vec<Class>>,
}

impl<'a> Windows<'a> {
    pub(super) fn new(graphs: [&'a Graph; 2], programs: [&'a [u8]; 2]) -> Self {
        Self {
            graphs,
            classes: classes(graphs),
            outside: graphs.map(outside),
            of_harness: graphs.map(|graph| {
                let start = graph.start.iter().map(|place| place.node);
                graph.reached_without(start, &BTreeSet::new())
            }),
            walk: Walk::new(graphs[0], graphs[1]),
            pairing: Pairing::of(programs),
        }
    }

    /// Whether all that may run in the windows of a benchmark is the same in both programs. `walks` say where it begins, as
    /// those of the proof do.
    pub(super) fn are_same(&mut self, walks: &[Closed<'_, '_>]) -> bool {
        let [base, new] = [0, 1].map(|side| self.inside(side, walks));
        let (olds, news) = (base.windows.keys(), new.windows.keys());
        if base.windows.is_empty() || !olds.eq(news) || base.taken != new.taken {
            return false;
        }
        let place = |&node: &Index| Place { node, offset: 0 };
        let pairs: Vec<(Place, Place)> =
            base.windows.values().map(place).zip(new.windows.values().map(place)).collect();
        // Variables in which windows differ are no code, and yet another program.
        let walked = self.walk.compare(&pairs, &mut self.pairing);
        walked.and_then(|()| self.pairing.check(&[(&self.walk, &pairs)], false)).is_ok()
    }

    fn inside(&self, side: usize, walks: &[Closed<'_, '_>]) -> Inside {
        let (graph, classes) = (self.graphs[side], &self.classes[side]);
        let mut all = BTreeSet::new();
        for (walk, begins) in walks {
            let begins = begins.iter().map(|(base, new)| [base.node, new.node][side]);
            all.append(&mut graph.reached_without(begins, &walk.left_out[side]));
        }
        let mut inside = Inside::default();
        for index in all {
            let node = &graph.nodes[index as usize];
            if node.is_window() && !self.of_harness[side].contains(&index) {
                inside.windows.entry(classes[index as usize]).or_insert(index);
            }
            let taken = self.taken(side, index);
            if !taken.is_empty() {
                inside.taken.insert(taken);
            }
        }
        inside
    }

    /// The classes of the functions whose addresses a piece of code or a table takes, and of the tables with such functions, in
    /// its order. Code with several may have names for them, and exchanging these exchanges the functions.
    fn taken(&self, side: usize, from: Index) -> Vec<Class> {
        let (graph, classes) = (self.graphs[side], &self.classes[side]);
        let node = |index: Index| &graph.nodes[index as usize];
        let may_run = |index: Index| node(index).is_code() && !self.outside[side].contains(&index);
        let leads = |index: Index| {
            may_run(index) || !node(index).is_code() && addresses(graph, index).any(may_run)
        };
        // Among several functions in one section, addresses are taken without a trace.
        let several = (node(from).names.len() > 1).then_some(from);
        let all: Vec<Index> = addresses(graph, from).chain(several).collect();
        let class = |index: &Index| classes[*index as usize];
        let functions: BTreeSet<Class> =
            all.iter().filter(|index| leads(**index)).map(class).collect();
        let is_name = |index: Index| match node(from).is_code() {
            true => functions.len() > 1 && node(index).is_plain(),
            false => !functions.is_empty() && !node(index).is_code(),
        };
        all.iter().filter(|index| leads(**index) || is_name(**index)).map(class).collect()
    }
}

impl Node {
    /// Whether it is a constant that refers to nothing, as a text does.
    fn is_plain(&self) -> bool {
        !self.is_code() && !self.is_variable() && self.edges.is_empty()
    }

    /// Whether it has the loop of a timed window.
    pub(super) fn is_window(&self) -> bool {
        self.is_code() && self.names.iter().any(|name| name.contains(WINDOW))
    }
}

/// The nodes to which code or data may make a pointer, in its order.
fn addresses(graph: &Graph, index: Index) -> impl Iterator<Item = Index> {
    let node = &graph.nodes[index as usize];
    let taken = node.edges.iter().filter(move |edge| takes_address(node, edge));
    taken.flat_map(|edge| edge.target.places()).map(|place| place.node)
}

/// The functions from which calls lead to a window, or to what registers benchmarks.
fn outside(graph: &Graph) -> BTreeSet<Index> {
    let mut callers: BTreeMap<Index, Vec<Index>> = BTreeMap::new();
    for (index, node) in (0..).zip(&graph.nodes).filter(|(_, node)| node.is_code()) {
        let calls = node.edges.iter().filter(|edge| is_call(node, edge));
        for place in calls.flat_map(|edge| edge.target.places()) {
            callers.entry(place.node).or_default().push(index);
        }
    }
    let windows = (0..).zip(&graph.nodes).filter(|(_, node)| node.is_window());
    let mut outside: BTreeSet<Index> = windows.map(|(index, _)| index).collect();
    outside.extend(graph.runs.union(&graph.sections));
    let mut left: Vec<Index> = outside.iter().copied().collect();
    while let Some(index) = left.pop() {
        let of_it = callers.get(&index).into_iter().flatten().copied();
        left.extend(of_it.filter(|caller| outside.insert(*caller)));
    }
    outside
}

/// Whether a reference may make a pointer to a function.
fn takes_address(node: &Node, edge: &Edge) -> bool {
    if node.is_code() {
        return !is_call(node, edge);
    }
    // Tables of jumps have distances to places within the one function that uses them.
    let is_distance = [R_X86_64_PC32.0, R_AARCH64_PREL32.0].contains(&edge.kind);
    let is_within = |place: &Place| place.offset.wrapping_add_signed(edge.addend) != 0;
    let is_jump = is_distance && edge.target.places().iter().all(is_within);
    // The harness calls what an entry refers to, outside of windows.
    !is_jump && node.section != ENTRY && node.section != ".eh_frame"
}

/// Whether code calls what it refers to, or jumps there: a pointer to it is not kept.
fn is_call(node: &Node, edge: &Edge) -> bool {
    let before = |bytes| {
        edge.at.checked_sub(bytes).and_then(|at| node.data.get(usize::try_from(at).ok()?)).copied()
    };
    match edge.kind {
        kind if kind == R_X86_64_PLT32.0 || kind == R_X86_64_PC32.0 => match before(1) {
            Some(0xe8 | 0xe9) => true,
            Some(0x80..=0x8f) => before(2) == Some(0x0f),
            _ => false,
        },
        kind if kind == R_X86_64_GOTPCREL.0 || kind == R_X86_64_GOTPCRELX.0 => {
            before(2) == Some(0xff) && matches!(before(1), Some(0x15 | 0x25))
        }
        kind => kind == R_AARCH64_CALL26.0 || kind == R_AARCH64_JUMP26.0,
    }
}

#[cfg(test)]
mod tests {
    use super::{super::graph::Target, *};

    const CALL: u8 = 0xe8;
    const ADDRESS: u8 = 0x05;

    /// A function that calls some nodes, and takes the addresses of others.
    fn function(name: &str, calls: &[Index], addresses: &[Index]) -> Node {
        let mut node = Node { names: vec![name.to_owned()], flags: 0x6, ..Node::default() };
        node.data.extend(name.bytes());
        let calls = calls.iter().map(|index| (CALL, *index));
        for (code, index) in calls.chain(addresses.iter().map(|index| (ADDRESS, *index))) {
            node.data.push(code);
            let target = Target::Node(Place { node: index, offset: 0 });
            let at = node.data.len() as u64;
            node.edges.push(Edge { at, kind: R_X86_64_PC32.0, addend: -4, target });
            node.data.extend([0; 4]);
        }
        node.size = node.data.len() as u64;
        node
    }

    fn table(index: Index) -> Node {
        let target = Target::Node(Place { node: index, offset: 0 });
        let edges = vec![Edge { at: 0, kind: 1, addend: 0, target }];
        Node { data: vec![0; 8], size: 8, edges, ..Node::default() }
    }

    // The nodes of the graph below.
    const RUN: Index = 0;
    const MAKE: Index = 1;
    const SAMPLER: Index = 2;
    const OF_SAMPLER: Index = 3;
    const GENERATE: Index = 4;
    const TIMED: Index = 5;
    const KERNEL: Index = 6;
    const ONE: Index = 7;
    const TWO: Index = 8;
    const TABLE: Index = 9;

    /// A benchmark that makes something, and hands a sampler over, which makes inputs and has the kernel called in a window.
    fn graph() -> Graph {
        let variable =
            || Node { flags: 0x3, section: ".bss".to_owned(), size: 8, ..Node::default() };
        let nodes = vec![
            function("run", &[MAKE], &[OF_SAMPLER]),
            function("make", &[], &[ONE, TWO]),
            function("sampler", &[GENERATE, TIMED], &[]),
            table(SAMPLER),
            function("generate", &[], &[]),
            function(WINDOW, &[KERNEL], &[ONE, ONE]),
            function("kernel", &[], &[]),
            variable(),
            variable(),
            Node::default(),
        ];
        Graph { nodes, ..Graph::default() }
    }

    fn are_same(base: &Graph, new: &Graph) -> bool {
        let walk = Walk::new(base, new);
        let root = Place { node: RUN, offset: 0 };
        Windows::new([base, new], [b"", b""]).are_same(&[(&walk, &[(root, root)])])
    }

    #[test]
    fn what_makes_inputs_is_outside_of_windows() {
        for changed in [RUN, MAKE, SAMPLER, GENERATE] {
            let (base, mut new) = (graph(), graph());
            new.nodes[changed as usize].data[0] ^= 1;
            assert!(are_same(&base, &new), "{changed}");
        }
    }

    #[test]
    fn a_constant_of_code_with_one_function_is_no_name() {
        let of = |constant: u8| {
            let mut graph = graph();
            graph.nodes[TABLE as usize].data = vec![constant];
            graph.nodes[RUN as usize] = function("run", &[MAKE], &[OF_SAMPLER, TABLE, GENERATE]);
            graph
        };
        assert!(are_same(&of(1), &of(2)));
    }

    #[test]
    fn what_may_run_in_a_window_is_inside() {
        type Change = (&'static str, fn(&mut [Graph; 2]));
        let changes: [Change; 10] = [
            ("the kernel", |[_, new]| new.nodes[KERNEL as usize].data[0] ^= 1),
            ("the window", |[_, new]| new.nodes[TIMED as usize].data[0] ^= 1),
            ("a variable", |[_, new]| {
                new.nodes[TIMED as usize].edges[2].target =
                    Target::Node(Place { node: TWO, offset: 0 });
            }),
            ("what the kernel calls, too", |both| {
                for graph in &mut *both {
                    graph.nodes[KERNEL as usize] = function("kernel", &[MAKE], &[]);
                }
                both[1].nodes[MAKE as usize].data[0] ^= 1;
            }),
            ("what a pointer leads to", |both| {
                for graph in &mut *both {
                    graph.nodes[TABLE as usize] = table(MAKE);
                    graph.nodes[RUN as usize] = function("run", &[MAKE], &[OF_SAMPLER, TABLE]);
                }
                both[1].nodes[MAKE as usize].data[0] ^= 1;
            }),
            ("which of two functions a table has first", |both| {
                let of = |[first, second]: [Index; 2]| {
                    let mut both = table(first);
                    both.edges.push(Edge { at: 8, ..table(second).edges.remove(0) });
                    Node { data: vec![0; 16], size: 16, ..both }
                };
                for (graph, order) in both.iter_mut().zip([[MAKE, GENERATE], [GENERATE, MAKE]]) {
                    graph.nodes[TABLE as usize] = of(order);
                    graph.nodes[RUN as usize] = function("run", &[MAKE], &[OF_SAMPLER, TABLE]);
                }
            }),
            ("which of two names code has for a function", |both| {
                for (graph, names) in both.iter_mut().zip([*b"ab", *b"ba"]) {
                    let name = |letter| Node { data: vec![letter], size: 1, ..Node::default() };
                    graph.nodes.extend(names.map(name));
                    let pairs = [TABLE + 1, MAKE, TABLE + 2, GENERATE, OF_SAMPLER];
                    graph.nodes[RUN as usize] = function("run", &[MAKE], &pairs);
                }
            }),
            ("which of two tables code has first", |both| {
                for (graph, order) in both.iter_mut().zip([[10, 11], [11, 10]]) {
                    graph.nodes.extend([table(MAKE), table(GENERATE)]);
                    let tables = [order[0], order[1], OF_SAMPLER];
                    graph.nodes[RUN as usize] = function("run", &[MAKE], &tables);
                }
            }),
            ("a section of several functions", |both| {
                for graph in &mut *both {
                    graph.nodes[MAKE as usize].names.push("beside".to_owned());
                }
                both[1].nodes[MAKE as usize].data[0] ^= 1;
            }),
            ("what is not known", |both| {
                for graph in &mut *both {
                    let unknown = Target::Unknown("it is chosen late".to_owned());
                    graph.nodes[KERNEL as usize] = function("kernel", &[ONE], &[]);
                    graph.nodes[KERNEL as usize].edges[0].target = unknown;
                }
            }),
        ];
        for (what, change) in changes {
            let mut both = [graph(), graph()];
            change(&mut both);
            assert!(!are_same(&both[0], &both[1]), "{what}");
        }
        let mut without = graph();
        without.nodes[TIMED as usize].names = vec!["renamed".to_owned()];
        assert!(!are_same(&without, &without), "no window is found");
    }

    #[test]
    fn a_table_of_jumps_makes_no_pointer() {
        let of = |offset: u64, first: u8| {
            let mut graph = graph();
            let target = Target::Node(Place { node: MAKE, offset });
            let mut jumps = table(MAKE);
            jumps.edges[0] = Edge { at: 0, kind: R_X86_64_PC32.0, addend: 0, target };
            graph.nodes[TABLE as usize] = jumps;
            graph.nodes[MAKE as usize] = function("make", &[], &[TABLE]);
            graph.nodes[MAKE as usize].data[0] = first;
            graph
        };
        assert!(are_same(&of(3, b'm'), &of(3, b'M')));
        assert!(!are_same(&of(0, b'm'), &of(0, b'M')));
    }
}
