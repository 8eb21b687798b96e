//! Every search, by every ordering and on every runtime, against Dijkstra's on hundreds of graphs of every kind.

use plusminus_suite::agm::{Ascending, Filter, Kla, Runtime, Unordered};
use plusminus_suite::generate::{Rmat, Seed, gnm, grid, path, star};
use plusminus_suite::graph::{Build, Csr, EdgeList, Vertex};
use plusminus_suite::sssp::stepping::{RhoStepping, Solver};
use plusminus_suite::sssp::{DeltaStepping, dijkstra, search_counted, validate};

/// Calls with the distances of every search.
fn every_search(graph: &Csr, source: Vertex, check: &dyn Fn(&str, Vec<u32>)) {
    macro_rules! run {
        ($ordering:expr) => {
            for runtime in [Runtime::Tasks, Runtime::Messages] {
                for filter in [Filter::Literal, Filter::Filtered] {
                    let name = format!("{}, {runtime:?}, {filter:?}", stringify!($ordering));
                    let (found, counts) = search_counted($ordering, graph, source, runtime, filter);
                    assert_eq!(counts.created, counts.useful + counts.discarded, "{name}");
                    check(&name, found);
                }
            }
        };
    }
    // Widths in proportion to the weights, so that there are several classes but not millions of them.
    let heaviest = (0..graph.vertices() as Vertex)
        .flat_map(|v| graph.neighbours(v))
        .map(|(_, weight)| weight)
        .max()
        .unwrap_or(0)
        .max(1);
    run!(Ascending);
    run!(DeltaStepping::new(heaviest / 100 + 1));
    run!(DeltaStepping::new(1 << heaviest.ilog2().saturating_sub(3)));
    run!(Kla::new(1));
    run!(Kla::new(2));
    run!(Kla::new(1000));
    run!(Unordered);
    check("fused Δ", Solver::new(graph).distances(source));
    check("all arcs alike", Solver::new(graph).without_limit().distances(source));
    let limit = if graph.is_undirected() { heaviest / 4 } else { u32::MAX };
    let split = graph.clone().split_at(limit);
    let mut solver = Solver::with_delta(&split, heaviest / 20 + 1);
    let tree = solver.tree(source);
    let verdict = validate::parents(graph, source, &tree.distances, &tree.parents);
    assert_eq!(verdict, Ok(()), "split Δ");
    check("split Δ, tree", tree.distances);
    check("split Δ", solver.distances(source));
    check("ρ", RhoStepping::with_rho(graph, 20).distances(source));
}

/// The kinds of graphs, by number. All are small enough that their searches are short.
fn list(kind: u64, seed: Seed) -> (&'static str, EdgeList<u32>) {
    let reweighted = |list: EdgeList<u32>, weight: &dyn Fn(u32) -> u32| {
        let edges = list.edges().iter().map(|&(u, v, w)| (u, v, weight(w))).collect();
        EdgeList::new(list.vertices(), edges).unwrap()
    };
    match kind {
        0 => ("R-MAT", Rmat::with_edge_factor(6, 8, seed).weighted(255)),
        1 => ("R-MAT with light edges", Rmat::with_edge_factor(7, 16, seed).weighted(3)),
        2 => ("disconnected", gnm(120, 70, 100, seed)),
        3 => ("dense, with multi-edges and self-loops", gnm(25, 300, 255, seed)),
        4 => ("grid", grid(7, 9, 50, seed)),
        5 => ("path", path(50, 20, seed)),
        6 => ("star", star(60, 99, seed)),
        7 => ("weights of zero", reweighted(gnm(70, 160, 9, seed), &|w| w.saturating_sub(5))),
        8 => ("only weights of zero", reweighted(gnm(50, 60, 9, seed), &|_| 0)),
        9 => (
            "weights near overflow",
            reweighted(gnm(60, 120, 9, seed), &|w| u32::MAX - 1 - (w - 1) * 400_000_000),
        ),
        10 => ("weights far apart", reweighted(gnm(60, 150, 30, seed), &|w| 1 << w)),
        _ => unreachable!("no such kind"),
    }
}

#[test]
fn every_search_agrees_with_dijkstra_on_all_kinds_of_graphs() {
    let pools: [_; 3] = [1, 2, 5]
        .map(|threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap());
    let (mut graphs, mut isolated_sources, mut disconnected, mut overflowing) = (0, 0, 0, 0);
    for seed in 0..6 {
        for kind in 0..11 {
            let (name, list) = list(kind, Seed(seed));
            for build in [Build::UNDIRECTED, Build::VERBATIM] {
                let graph = Csr::build(&list, build);
                let source = (seed * 13 % list.vertices() as u64) as Vertex;
                let expected = dijkstra(&graph, source);
                assert_eq!(validate::distances(&graph, source, &expected), Ok(()));
                graphs += 1;
                isolated_sources += u32::from(graph.degree(source) == 0);
                disconnected += u32::from(expected.contains(&u32::MAX));
                overflowing += u32::from(expected.contains(&(u32::MAX - 1)));
                // More threads than processors take their time: fewer graphs show the same.
                let pools = match seed {
                    0 => &pools[..],
                    1..4 => &pools[..2],
                    _ => &pools[..1],
                };
                for pool in pools {
                    pool.install(|| {
                        every_search(&graph, source, &|search, found| {
                            let threads = rayon::current_num_threads();
                            let context = format!("{name}, seed {seed}, {build:?}, p = {threads}");
                            assert!(found == expected, "{search}: {context}");
                        });
                    });
                }
            }
        }
    }
    // The promised kinds of the list did occur.
    assert!(graphs >= 130, "{graphs} graphs");
    assert!(isolated_sources > 0 && disconnected > 12 && overflowing > 3);
}
