//! The tuned searches against Dijkstra's, with and without a split, and their trees.

use plusminus_suite::generate::{Rmat, Seed, gnm, grid, star};
use plusminus_suite::graph::{Build, Csr, EdgeList, Vertex, Weight};
use plusminus_suite::sssp::stepping::{RhoStepping, Solver};
use plusminus_suite::sssp::{dijkstra, validate};

fn in_pool<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
}

fn assert_all_agree<W: Weight>(graph: &Csr<W>, delta: W, limits: &[W], what: &str) {
    // One solver for all sources: memory is used again. Each limit is tried on rows that are split there, on whole rows,
    // and on rows that are split elsewhere.
    let splits: Vec<Csr<W>> = limits.iter().map(|&limit| graph.clone().split_at(limit)).collect();
    let whole = graph.clone().split_at(W::INFINITE);
    assert!(splits.iter().all(|split| split == graph) && whole == *graph, "{what}");
    let mut solvers = vec![Solver::new(graph), Solver::with_delta(graph, delta)];
    solvers.extend([graph, &whole].map(|graph| Solver::new(graph).without_limit()));
    solvers.push(Solver::new(&whole));
    for split in &splits {
        solvers.push(Solver::new(split));
        solvers.push(Solver::new(&whole).with_limit(split.limit()));
        solvers.push(Solver::new(&splits[0]).with_limit(split.limit()));
    }
    for source in [0, graph.vertices() as Vertex / 2, graph.vertices() as Vertex - 1] {
        let expected = dijkstra(graph, source);
        for threads in [1, 2, 7] {
            in_pool(threads, || {
                for (index, solver) in solvers.iter_mut().enumerate() {
                    let name = format!("{what}, solver {index}, from {source}, {threads} threads");
                    assert!(solver.distances(source) == expected, "{name}");
                    let tree = solver.tree(source);
                    assert!(tree.distances == expected, "tree, {name}");
                    let verdict = validate::parents(graph, source, &tree.distances, &tree.parents);
                    assert_eq!(verdict, Ok(()), "{name}");
                }
                for rho in if threads == 1 { vec![1, 30] } else { vec![30, 1 << 18] } {
                    let found = RhoStepping::with_rho(graph, rho).distances(source);
                    assert!(found == expected, "ρ = {rho}, {what}, {threads} threads");
                }
            });
        }
    }
}

#[test]
fn integers() {
    let seed = Seed(1);
    let lists = [
        ("R-MAT", Rmat::graph500(8, seed).weighted(255)),
        ("sparse", gnm(400, 380, 100, seed)),
        ("dense", gnm(60, 900, 255, seed)),
        ("grid", grid(12, 17, 50, seed)),
        ("star", star(200, 99, seed)),
    ];
    for (name, list) in &lists {
        let graph = Csr::build(list, Build::UNDIRECTED);
        assert_all_agree(&graph, 7, &[0, 5, 20, 60], name);
        let graph = Csr::build(list, Build::VERBATIM);
        assert_all_agree(&graph, 7, &[u32::MAX], name);
    }
}

/// Zero weights give cycles of equal distances, where a tree is easily lost.
#[test]
fn weights_of_zero() {
    for seed in 0..3 {
        let mut list = gnm::<u32>(120, 500, 12, Seed(seed)).edges().to_vec();
        list.iter_mut().for_each(|edge| edge.2 = edge.2.saturating_sub(8));
        let list = EdgeList::new(120, list).unwrap();
        assert_all_agree(&Csr::build(&list, Build::UNDIRECTED), 2, &[0, 1, 2], "zero");
    }
}

#[test]
fn weights_near_overflow() {
    for seed in 0..3 {
        let mut list = gnm::<u32>(80, 300, 9, Seed(seed)).edges().to_vec();
        list.iter_mut().for_each(|edge| edge.2 = u32::MAX - edge.2 * 450_000_000);
        let list = EdgeList::new(80, list).unwrap();
        let graph = Csr::build(&list, Build::UNDIRECTED);
        assert_all_agree(&graph, 1 << 20, &[1 << 28, 1 << 30, 1 << 31, u32::MAX - 1], "heavy");
    }
}

#[test]
fn floats() {
    for seed in (0..2).map(Seed) {
        let list = Rmat::graph500(8, seed).with_unit_weights();
        let graph = Csr::build(&list, Build::UNDIRECTED);
        assert_all_agree(&graph, 0.02, &[0.0, 0.03, 0.2], "R-MAT");
        let list = grid::<f32>(9, 14, 1, seed);
        assert_all_agree(&Csr::build(&list, Build::UNDIRECTED), 0.5, &[0.1, 0.9], "grid");
    }
}

/// Large enough for steps that are shared among threads, and for the sweep to be.
#[test]
fn threads_share_steps_and_agree() {
    let list = Rmat::graph500(13, Seed(3)).weighted(255);
    let graph = Csr::build(&list, Build::UNDIRECTED);
    let share = graph.light_share(graph.limit());
    assert!((0.02..0.3).contains(&share), "{share}");
    let whole = graph.clone().split_at(u32::MAX);
    let expected = dijkstra(&graph, 1);
    for threads in [2, 7] {
        in_pool(threads, || {
            assert!(Solver::with_delta(&graph, 64).distances(1) == expected);
            let mut solvers = [Solver::new(&graph), Solver::new(&whole)];
            for _ in 0..20 {
                assert!(solvers.iter_mut().all(|solver| solver.distances(1) == expected));
            }
            assert!(RhoStepping::with_rho(&graph, 500).distances(1) == expected);
        });
    }
}

#[test]
fn graphs_of_few_edges_stay_whole() {
    let graph = Csr::build(&grid::<u32>(30, 30, 99, Seed(1)), Build::UNDIRECTED);
    assert_eq!(graph.limit(), u32::MAX);
    assert_eq!(
        Solver::new(&graph).delta(),
        8,
        "¾ · 50 over four arcs, rounded down to a power of two"
    );
    let empty = Csr::<u32>::build(&EdgeList::new(3, vec![]).unwrap(), Build::UNDIRECTED);
    assert_eq!(empty.limit(), u32::MAX);
    assert_eq!(Solver::new(&empty).distances(1), [u32::MAX, 0, u32::MAX]);
    let unweighted = Csr::build(&gnm::<u32>(50, 2000, 1, Seed(1)), Build::UNDIRECTED);
    assert_eq!(unweighted.limit(), u32::MAX, "no arc is lighter than another");
}

#[test]
#[should_panic(expected = "which a directed graph does not allow")]
fn directed_graphs_have_no_heavy_arcs() {
    let graph = Csr::build(&grid::<u32>(3, 3, 9, Seed(1)), Build::DIRECTED);
    let _ = Solver::new(&graph).with_limit(3);
}
