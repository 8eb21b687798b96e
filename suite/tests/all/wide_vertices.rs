//! Vertices of 64 bits against those of 32: the same graphs, searches and counts.

use plusminus_suite::generate::{Rmat, Seed, gnm, sources};
use plusminus_suite::graph::{Adjacency, Build, Csr, EdgeList, Vertex, VertexId, Weight};
use plusminus_suite::graph500::{self, Kernel3, construct, search_keys, traversed_edges, validate};
use plusminus_suite::sssp::stepping::Solver;
use plusminus_suite::sssp::{self, dijkstra};
use proptest::prelude::*;

fn in_pool<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
}

fn widened<W: Weight>(list: &EdgeList<W>) -> EdgeList<W, u64> {
    let edges = list.edges().iter().map(|&(u, v, w)| (u.into(), v.into(), w)).collect();
    EdgeList::of(list.vertices(), edges).unwrap()
}

/// Parents as narrow numbers.
fn narrowed(parents: &[u64]) -> Vec<Vertex> {
    let narrow = |&parent: &u64| match parent {
        u64::NONE => Vertex::NONE,
        parent => parent.try_into().unwrap(),
    };
    parents.iter().map(narrow).collect()
}

fn assert_same_rows<W: Weight>(narrow: &Csr<W>, wide: &Csr<W, u64>) {
    assert_eq!(
        (narrow.vertices(), narrow.arcs(), narrow.is_undirected(), narrow.limit()),
        (wide.vertices(), wide.arcs(), wide.is_undirected(), wide.limit())
    );
    for vertex in 0..narrow.vertices() as Vertex {
        let widen = |(target, weight): (Vertex, W)| (u64::from(target), weight);
        assert!(narrow.neighbours(vertex).map(widen).eq(wide.neighbours(vertex.into())));
        let sorted = narrow.neighbours_by_target(vertex).map(widen);
        assert!(sorted.eq(wide.neighbours_by_target(vertex.into())));
        assert_eq!(narrow.degree(vertex), wide.degree(vertex.into()));
    }
}

/// Builds both graphs, and searches them from some sources.
fn assert_same<W: Weight>(list: &EdgeList<W>, build: Build) {
    let (narrow, wide) = (Csr::build(list, build), Csr::build(&widened(list), build));
    assert_same_rows(&narrow, &wide);
    assert_same_rows(&narrow.reversed(), &wide.reversed());
    let limit = narrow.neighbours(0).map(|(_, weight)| weight).next().unwrap_or(W::ZERO);
    assert_same_rows(&narrow.clone().split_at(limit), &wide.clone().split_at(limit));
    assert_eq!(narrow.light_share(limit), wide.light_share(limit));
    let adjacency = Adjacency::of(&narrow);
    let wide_adjacency = Adjacency::of(&wide);
    let mut solver = Solver::new(&wide);
    for source in sources(&narrow, 3, Seed(1)) {
        let expected = dijkstra(&narrow, source);
        let root = u64::from(source);
        assert_eq!(solver.distances(root), expected);
        let tree = solver.tree(root);
        assert_eq!(tree.distances, expected);
        let parents = narrowed(&tree.parents);
        assert_eq!(sssp::validate::parents(&narrow, source, &expected, &parents), Ok(()));
        let hops = |parents: &[Vertex]| -> Vec<usize> {
            (0..parents.len()).map(|vertex| level(parents, source, vertex)).collect()
        };
        let parents = narrowed(&graph500::breadth_first_search(&wide_adjacency, root));
        let expected = graph500::breadth_first_search(&adjacency, source);
        assert_eq!(hops(&parents), hops(&expected));
        let joined = |(child, &parent): (usize, &Vertex)| {
            parent == Vertex::NONE
                || child == source as usize
                || adjacency.neighbours(parent).contains(&(child as Vertex))
        };
        assert!(parents.iter().enumerate().all(joined));
    }
}

/// Returns the steps from a vertex to the root, or the number of vertices if it is unreached.
fn level(parents: &[Vertex], root: Vertex, vertex: usize) -> usize {
    let mut now = vertex as Vertex;
    for steps in 0..parents.len() {
        if now == root {
            return steps;
        }
        if parents[now as usize] == Vertex::NONE {
            break;
        }
        now = parents[now as usize];
    }
    parents.len()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn both_widths_find_the_same(
        vertices in 2usize..300,
        edges in 1usize..1500,
        heaviest in prop::sample::select(vec![1u32, 9, 255, 1 << 30]),
        seed in any::<u64>(),
        threads in 1usize..4,
    ) {
        let list = gnm::<u32>(vertices, edges, heaviest, Seed(seed));
        let reals = gnm::<f32>(vertices, edges, 1, Seed(seed));
        in_pool(threads, || {
            for build in [Build::UNDIRECTED, Build::DIRECTED, Build::VERBATIM] {
                assert_same(&list, build);
                assert_same(&reals, build);
            }
        });
    }
}

/// Large enough for rows that are split, steps that are shared and several blocks.
#[test]
fn kronecker_graphs_are_the_same() {
    for threads in [1, 2, 5] {
        in_pool(threads, || {
            assert_same(&Rmat::graph500(12, Seed(3)).weighted(255), Build::UNDIRECTED);
        });
    }
}

/// Vertices whose numbers need four digits when rows are sorted, and not all of 64 bits.
#[test]
fn large_numbers_are_sorted() {
    let n = (1u64 << 23) + 5;
    let mut list: Vec<(u64, u64, u32)> = (0..30_000u64)
        .map(|i| (i * 7 % 11 * (n / 11), i.wrapping_mul(0x9E37_79B9) % n, i as u32 % 255))
        .collect();
    let graph = Csr::build(&EdgeList::of(n as usize, list.clone()).unwrap(), Build::VERBATIM);
    list.sort_unstable();
    let arcs = (0..n).flat_map(|u| graph.neighbours(u).map(move |(v, w)| (u, v, w)));
    assert!(arcs.eq(list));
}

#[test]
fn graph500_counts_the_same_edges_and_is_valid() {
    for (scale, seed) in [(6, Seed(2)), (11, Seed(2)), (11, Seed(9))] {
        let rmat = Rmat::graph500(scale, seed);
        let (edges, wide) = (rmat.with_unit_weights(), rmat.with_unit_weights_as::<u64>());
        for threads in [1, 2, 5] {
            in_pool(threads, || {
                let (built, wide_built) = (construct(&edges), construct(&wide));
                assert_same_rows(&built.graph, &wide_built.graph);
                let (roots, wide_roots) =
                    (search_keys(&built, seed), search_keys(&wide_built, seed));
                assert!(roots.iter().map(|&root| u64::from(root)).eq(wide_roots.iter().copied()));
                let (mut kernel, mut wide_kernel) =
                    (Kernel3::new(&built), Kernel3::new(&wide_built));
                for (&root, &wide_root) in roots.iter().zip(&wide_roots).take(8) {
                    let parents = graph500::breadth_first_search(&wide_built.adjacency, wide_root);
                    assert_eq!(validate::breadth_first(&wide, wide_root, &parents), Ok(()));
                    let tree = wide_kernel.search(wide_root);
                    assert_eq!(validate::shortest_paths(&wide, wide_root, &tree), Ok(()));
                    let expected = kernel.search(root);
                    assert_eq!(tree.distances, expected.distances);
                    let count = traversed_edges(&edges, &expected.parents);
                    assert_eq!(traversed_edges(&wide, &parents), count);
                    assert_eq!(traversed_edges(&wide, &tree.parents), count);
                    // A tree that does not fit is found in either width.
                    let mut spoilt = tree.clone();
                    spoilt.parents[wide_root as usize] = 1 << 40;
                    assert!(validate::shortest_paths(&wide, wide_root, &spoilt).is_err());
                    assert!(validate::breadth_first(&wide, wide_root, &spoilt.parents).is_err());
                }
            });
        }
    }
}

#[test]
fn memory_is_foretold() {
    let rmat = Rmat::graph500(12, Seed(1));
    let edges = rmat.with_unit_weights_as::<u64>();
    let built = construct(&edges);
    let foretold = graph500::peak_bytes::<u64>(1 << 12, rmat.edges().unwrap()).unwrap();
    // 24 bytes of the list, two arcs of 12, and of 8 without weights; two arrays of offsets.
    assert_eq!(foretold, (64 << 16) + 16 * ((1 << 12) + 1));
    let list = size_of_val(edges.edges()) as u64;
    let held = (built.graph.memory_bytes() + built.adjacency.memory_bytes()) as u64;
    assert!(list + held <= foretold, "{list} {held} {foretold}");
    assert_eq!(
        graph500::peak_bytes::<u32>(1 << 12, 1 << 16),
        graph500::Constructed::peak_bytes(1 << 12, 1 << 16)
    );
}
