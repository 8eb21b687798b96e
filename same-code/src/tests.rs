//! The walk on small graphs made by hand: what it has to find the same, and every way in which it has to find them
//! different.

use std::{collections::BTreeSet, path::Path};

use super::{
    CaseDescription, Code,
    graph::{Edge, Entry, Graph, Node, Place, Target},
    identity::Pairing,
    other_circumstances,
    registered::Registered,
    walk::{Stop, Walk},
};

fn edge(at: u64, target: Target) -> Edge {
    Edge { at, kind: 2, addend: -4, target }
}

fn to(node: u32) -> Target {
    Target::Node(Place { node, offset: 0 })
}

fn system(name: &str) -> Target {
    Target::Name { name: name.to_owned(), weak: false }
}

fn same(node: u32) -> [(Place, Place); 1] {
    let place = Place { node, offset: 0 };
    [(place, place)]
}

fn unnamed() -> Pairing<'static> {
    Pairing::of([b"", b""])
}

fn mangled(name: &str) -> Vec<String> {
    vec![format!("_ZN{}{name}17h0123456789abcdefE", name.len())]
}

fn node(bytes: &[u8], edges: Vec<Edge>) -> Node {
    Node { align: 16, size: bytes.len() as u64, data: bytes.to_vec(), edges, ..Node::default() }
}

fn entry(module: &str, name: &str, line: u32) -> Entry {
    let (module, name, file) = (module.to_owned(), name.to_owned(), "a.rs".to_owned());
    Entry { module, name, file, line, combination: 0, root: 0, registers: false }
}

/// A function of this crate.
fn code(krate: &str, edges: Vec<Edge>) -> Node {
    Node { flags: 0x6, names: mangled(krate), ..node(b"code", edges) }
}

fn of_nodes(nodes: Vec<Node>) -> Graph {
    Graph { nodes, ..Graph::default() }
}

/// Functions of these crates: the first one refers to two variables, and calls the second one, by which threads are started.
fn starting_threads(crates: [&str; 2]) -> Graph {
    let variable = |name: &[u8]| Node { flags: 0x3, ..node(name, Vec::new()) };
    of_nodes(vec![
        code(crates[0], vec![edge(0, to(1)), edge(2, to(3)), edge(4, to(4))]),
        code(crates[1], vec![edge(0, to(2))]),
        code("std", vec![edge(0, system("pthread_create"))]),
        variable(b"one"),
        variable(b"two"),
    ])
}

/// A kernel that calls itself, a function with a table, and a function of the system.
fn graph() -> Graph {
    of_nodes(vec![
        node(b"kernel", vec![edge(0, to(0)), edge(2, to(1)), edge(4, system("malloc"))]),
        node(b"callee", vec![edge(1, to(2))]),
        node(b"table", Vec::new()),
    ])
}

fn walked(base: &Graph, new: &Graph, root: u32) -> Result<(), Stop> {
    let at = |node| Place { node, offset: 0 };
    let mut pairing = unnamed();
    let mut walk = Walk::new(base, new);
    let roots = [(at(0), at(root))];
    walk.compare(&roots, &mut pairing)?;
    pairing.check(&[(&walk, &roots)], false)
}

#[test]
fn order_names_and_what_is_not_reached_make_no_difference() {
    let base = graph();
    let mut new = of_nodes(vec![
        node(b"table", Vec::new()),
        node(b"unrelated", Vec::new()),
        node(b"callee", vec![edge(1, to(0))]),
        node(b"kernel", vec![edge(0, to(3)), edge(2, to(2)), edge(4, system("malloc"))]),
    ]);
    new.nodes[3].names = vec!["another".to_owned()];
    assert_eq!(walked(&base, &new, 3), Ok(()));
}

#[test]
fn constants_that_linkers_merge_have_the_alignment_of_their_neighbours() {
    let merged = |align: u64, flags: u64| {
        let mut graph = graph();
        (graph.nodes[2].align, graph.nodes[2].flags) = (align, flags);
        graph
    };
    assert_eq!(walked(&merged(1, 0x12), &merged(16, 0x12), 0), Ok(()));
    assert!(matches!(walked(&merged(1, 0x2), &merged(16, 0x2), 0), Err(Stop::Differs(_))));
}

#[test]
fn every_difference_is_found() {
    type Change = (&'static str, fn(&mut Graph));
    let changes: [Change; 12] = [
        ("a byte of a constant", |graph| graph.nodes[2].data[0] ^= 1),
        ("a byte of the kernel", |graph| graph.nodes[0].data[5] ^= 1),
        ("alignment", |graph| graph.nodes[1].align = 32),
        ("flags", |graph| graph.nodes[2].flags = 1),
        ("size without bytes", |graph| graph.nodes[2].size += 1),
        ("the place of a reference", |graph| graph.nodes[0].edges[1].at = 3),
        ("its kind", |graph| graph.nodes[0].edges[1].kind = 4),
        ("its addend", |graph| graph.nodes[0].edges[1].addend = 0),
        ("its target", |graph| graph.nodes[0].edges[1].target = to(2)),
        ("a reference less", |graph| drop(graph.nodes[0].edges.pop())),
        ("another function of the system", |graph| {
            graph.nodes[0].edges[2].target = system("calloc");
        }),
        ("a record for unwinding", |graph| graph.nodes[1].unwinding = vec![2]),
    ];
    for (what, change) in changes {
        let mut new = graph();
        change(&mut new);
        assert!(matches!(walked(&graph(), &new, 0), Err(Stop::Differs(_))), "{what}");
    }
}

#[test]
fn what_cannot_be_followed_is_said_on_either_side() {
    let mut odd = graph();
    odd.nodes[1].edges[0].target = Target::Unknown("it is chosen late".to_owned());
    for (base, new) in [(&odd, &graph()), (&graph(), &odd)] {
        assert_eq!(walked(base, new, 0), Err(Stop::Unknown("it is chosen late".to_owned())));
    }
}

#[test]
fn places_in_the_source_that_code_refers_to_are_no_code_but_only_both_together() {
    let mut base = graph();
    let mut new = graph();
    base.nodes[2].is_source_place = true;
    new.nodes[2].data[0] ^= 1;
    assert!(walked(&base, &new, 0).is_err());
    new.nodes[2].is_source_place = true;
    assert!(walked(&base, &new, 0).is_err(), "data refer to it");
    for graph in [&mut base, &mut new] {
        graph.nodes[1].flags = object::elf::SHF_EXECINSTR.0;
    }
    assert_eq!(walked(&base, &new, 0), Ok(()));
}

#[test]
fn a_walk_that_failed_proves_nothing_for_the_next() {
    let base = graph();
    let mut new = graph();
    new.nodes[2].data[0] ^= 1;
    let mut walk = Walk::new(&base, &new);
    assert!(walk.compare(&same(0), &mut unnamed()).is_err());
    assert!(walk.compare(&same(1), &mut unnamed()).is_err(), "the callee reaches the same table");
}

#[test]
fn a_graph_survives_at_the_end_of_a_program() {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("program");
    std::fs::write(&program, "a program").unwrap();
    assert_eq!(super::keep::find(b"a program"), Ok(None));
    super::keep::append(&program, &graph()).unwrap();
    let mut bytes = std::fs::read(&program).unwrap();
    assert_eq!(super::keep::find(&bytes), Ok(Some(graph())));
    let length = bytes.len() - 24;
    bytes[length..length + 8].fill(0xff);
    assert!(super::keep::find(&bytes).is_err());
}

#[test]
fn what_is_never_run_is_left_out_but_as_a_beginning() {
    let (base, mut new) = (graph(), graph());
    new.nodes[1].data[0] ^= 1;
    let callee = |_: &Graph| BTreeSet::from([1]);
    let mut walk = Walk::without(&base, &new, callee);
    assert_eq!(walk.compare(&same(0), &mut unnamed()), Ok(()));
    assert!(matches!(walk.compare(&same(1), &mut unnamed()), Err(Stop::Differs(_))));
    // On one side only, it is something else.
    let mut other = graph();
    other.nodes.push(other.nodes[1].clone());
    other.nodes[0].edges[1].target = to(3);
    let mut walk = Walk::without(&base, &other, |graph| {
        BTreeSet::from([if graph.nodes.len() == 4 { 1 } else { 9 }])
    });
    assert_eq!(walk.compare(&same(0), &mut unnamed()), Ok(()));
    other.nodes[3].data[0] ^= 1;
    let mut walk = Walk::without(&base, &other, callee);
    assert!(matches!(walk.compare(&same(0), &mut unnamed()), Err(Stop::Differs(_))));
}

#[test]
fn two_variables_are_not_one_and_one_is_not_two() {
    const WRITTEN: u64 = 0x3;
    let of = |targets: [u32; 2], section: &str, flags: u64| {
        let mut graph = of_nodes(vec![
            node(b"kernel", vec![edge(0, to(targets[0])), edge(2, to(targets[1]))]),
            node(b"zero", Vec::new()),
            node(b"zero", Vec::new()),
        ]);
        for node in &mut graph.nodes[1..] {
            (node.section, node.flags) = (section.to_owned(), flags);
        }
        graph
    };
    for (section, flags) in
        [(".bss", WRITTEN), (".data", WRITTEN), (".tbss", WRITTEN | 0x400), (".rodata", 0x2)]
    {
        let of = |targets| of(targets, section, flags);
        let (two, one) = (of([1, 2]), of([1, 1]));
        assert_eq!(walked(&two, &of([2, 1]), 0), Ok(()), "{section}: the order is no matter");
        assert!(matches!(walked(&two, &one, 0), Err(Stop::Differs(_))), "{section}: two are one");
        assert!(matches!(walked(&one, &two, 0), Err(Stop::Differs(_))), "{section}: one is two");
    }
    let merged = |targets| of(targets, ".rodata.cst4", 0x12);
    assert_eq!(walked(&merged([1, 2]), &merged([1, 1]), 0), Ok(()), "linkers merge these");
}

#[test]
fn variables_count_over_all_that_a_benchmark_runs() {
    // Two functions that are the same by themselves; together they share a variable in new alone.
    let of = |second: u32| {
        let mut graph = of_nodes(vec![
            node(b"left", vec![edge(0, to(2))]),
            node(b"right", vec![edge(0, to(second))]),
            node(b"zero", Vec::new()),
            node(b"zero", Vec::new()),
            node(b"both", vec![edge(0, to(0)), edge(2, to(1))]),
        ]);
        for node in &mut graph.nodes[2..4] {
            (node.section, node.flags) = (".bss".to_owned(), 0x3);
        }
        graph
    };
    let (base, new) = (of(3), of(2));
    let mut pairing = unnamed();
    let mut walk = Walk::new(&base, &new);
    let mut judged = |root: u32| {
        walk.compare(&same(root), &mut pairing)?;
        pairing.check(&[(&walk, &same(root))], false)
    };
    assert_eq!([judged(0), judged(1)], [Ok(()), Ok(())]);
    assert!(matches!(judged(4), Err(Stop::Differs(_))), "both walks have closed before");
    assert_eq!(judged(1), Ok(()));
    // Also in two walks of one benchmark.
    walk.compare(&same(0), &mut pairing).unwrap();
    assert!(pairing.check(&[(&walk, &same(0)), (&walk, &same(1))], false).is_err());
}

#[test]
fn paths_of_both_sides_mean_the_same_where_they_are_equally_long() {
    let of = |text: &[u8]| of_nodes(vec![node(text, Vec::new())]);
    let base = of(b"open /t/base/data/x /t/base");
    let renamed = |from: &str, to: &str| {
        let mut new = of(b"open /t/head/data/x /t/head");
        new.rename(Path::new(from), Path::new(to));
        walked(&base, &new, 0)
    };
    assert_eq!(renamed("/t/head", "/t/base"), Ok(()));
    for (from, to) in [("/t/head", "/t/head"), ("/t/heads", "/t/bases"), ("/t/head", "/t/bas")] {
        assert!(matches!(renamed(from, to), Err(Stop::Differs(_))), "{from} {to}");
    }
}

#[test]
fn entries_of_the_registry_are_no_variables_that_threads_share() {
    let of = |section: &str| {
        let mut kernel = node(b"kernel", vec![edge(0, to(1)), edge(2, to(2))]);
        kernel.edges.push(edge(4, system("pthread_create")));
        kernel.flags = 0x6;
        let mut graph = of_nodes(vec![kernel, node(b"one", Vec::new()), node(b"two", Vec::new())]);
        for node in &mut graph.nodes[1..] {
            (node.section, node.flags) = (section.to_owned(), 0x3);
        }
        graph
    };
    assert_eq!(walked(&of("entry"), &of("entry"), 0), Ok(()));
    // Where variables lie is not known without symbols.
    assert!(matches!(walked(&of(".data"), &of(".data"), 0), Err(Stop::Unknown(_))));
}

#[test]
fn variables_of_a_crate_that_has_benchmarks_are_not_those_of_the_harness() {
    let of = |krate: &str| {
        let mut kernel = node(b"kernel", vec![edge(0, to(1)), edge(2, to(2))]);
        kernel.edges.push(edge(4, system("pthread_create")));
        (kernel.flags, kernel.names) = (0x6, mangled(krate));
        let mut nodes = vec![kernel, node(b"one", Vec::new()), node(b"two", Vec::new())];
        for node in &mut nodes[1..] {
            (node.flags, node.names) = (0x3, mangled(krate));
        }
        of_nodes(nodes)
    };
    let (graph, mut with_entry) = (of("divan"), of("divan"));
    with_entry.entries.push(entry("divan::inner", "", 1));
    assert_eq!(walked(&graph, &graph, 0), Ok(()));
    assert!(matches!(walked(&with_entry, &with_entry, 0), Err(Stop::Unknown(_))));
}

#[test]
fn a_window_reaches_what_starts_threads_by_way_of_the_harness() {
    let of = |first: &str| {
        let mut graph = starting_threads([first, "divan"]);
        graph.nodes[1].of_harness = true;
        graph.nodes[2].of_standard = true;
        graph
    };
    let (window, other) = (of("plusminus_counted_window"), of("bench"));
    assert!(matches!(walked(&window, &window, 0), Err(Stop::Unknown(_))));
    assert_eq!(walked(&other, &other, 0), Ok(()));
}

#[test]
fn where_only_names_are_left_all_code_may_start_threads_but_that_of_callers() {
    let of = |starts: &str| starting_threads(["divan", starts]);
    let (user, harness) = (of("plusminus_worker"), of("plusminus_starts_callers"));
    assert!(matches!(walked(&user, &user, 0), Err(Stop::Unknown(_))));
    assert_eq!(walked(&harness, &harness, 0), Ok(()));
}

#[test]
fn what_makes_inputs_may_start_threads_in_code_with_a_name_of_the_harness() {
    let of = |of_harness: bool| {
        let mut graph = starting_threads(["bench", "divan"]);
        graph.nodes[1..3].iter_mut().for_each(|node| node.of_harness = of_harness);
        graph.nodes.push(Node { of_harness: true, ..code("divan", Vec::new()) });
        graph
    };
    let (of_user, of_harness) = (of(false), of(true));
    assert!(matches!(walked(&of_user, &of_user, 0), Err(Stop::Unknown(_))));
    assert_eq!(walked(&of_harness, &of_harness, 0), Ok(()));
}

#[test]
fn a_moved_argument_is_told_from_another_one() {
    let first = CaseDescription { point: "10".to_owned(), ..CaseDescription::default() };
    let moved = CaseDescription { point_index: 1, ..first.clone() };
    assert!(other_circumstances(&first, &moved).contains("another place in the list of arguments"));
    for other in [
        CaseDescription { point: "20".to_owned(), ..moved.clone() },
        CaseDescription { threads: 2, ..moved },
    ] {
        assert!(other_circumstances(&first, &other).contains("asks for something else"));
    }
}

#[test]
fn a_benchmark_is_found_by_its_name_as_it_is_shown() {
    let mut graph = graph();
    for (line, name) in (0..).zip(["plain", "", "tab\tname", "tab\\tname", "##[group]x"]) {
        // Of names that are shown alike, the place tells them apart.
        graph.entries.push(entry("own::inner", name, line));
    }
    let case = |line: u32, function: &str| {
        let (krate, file) = ("own".to_owned(), "a.rs".to_owned());
        CaseDescription { krate, file, line, function: function.to_owned(), ..Default::default() }
    };
    let shown = [
        "inner::plain",
        "inner::",
        "inner::tab\\tname",
        "inner::tab\\tname",
        "inner::##\\u{5b}group]x",
    ];
    for (line, function) in (0..).zip(shown) {
        let found = super::entry(&graph, &case(line, function));
        assert_eq!(found.map(|entry| entry.line), Ok(line), "{function}");
    }
    assert_eq!(super::entry(&graph, &case(0, "plain")), Err(None));
    graph.entries[3].line = 2;
    assert!(super::entry(&graph, &case(2, "inner::tab\\tname")).is_err_and(|why| why.is_some()));
}

#[test]
fn a_benchmark_whose_functions_are_not_found_is_not_known() {
    let (base, new) = (graph(), graph());
    let case = CaseDescription::default();
    let (mut whole, mut pairing) = (Walk::new(&base, &new), unnamed());
    let mut registered = Registered::new([&base, &new], [b"", b""]);
    let code =
        registered.judged(&case, &case, (&mut whole, &[]), &mut pairing, &mut |_| unreachable!());
    assert!(matches!(code, Code::Unknown(_)), "{code:?}");
}
