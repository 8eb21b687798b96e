//! Breadth-first search, components and PageRank on graphs of every kind, with any number of threads; and the checks
//! themselves, against every wrong answer that differs in one place.

use plusminus_suite::generate::{Rmat, Seed, gnm, grid, path, star};
use plusminus_suite::graph::{Adjacency, Build, Csr, EdgeList, Vertex};
use plusminus_suite::kernels::{
    breadth_first_search, breadth_first_search_by_queue, check, components_by_union,
    connected_components, page_rank, page_rank_by_definition,
};

fn lists() -> Vec<(&'static str, EdgeList<u32>)> {
    (0..3)
        .map(Seed)
        .flat_map(|seed| {
            [
                ("R-MAT", Rmat::graph500(10, seed).weighted(255)),
                ("dense", gnm(3000, 9000, 9, seed)),
                ("disconnected", gnm(500, 300, 9, seed)),
                ("grid", grid(20, 30, 9, seed)),
                ("path", path(200, 9, seed)),
                ("star", star(700, 9, seed)),
            ]
        })
        .collect()
}

fn with_threads(work: impl Fn(usize) + Sync) {
    for threads in [1, 2, 7] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| work(threads));
    }
}

#[test]
fn breadth_first_trees() {
    for (name, list) in lists() {
        for build in [Build::UNDIRECTED, Build::DIRECTED] {
            let graph = Adjacency::of(&Csr::build(&list, build));
            for root in [0, graph.vertices() as Vertex / 3] {
                let by_queue = breadth_first_search_by_queue(&graph, root);
                assert_eq!(check::breadth_first_tree(&graph, root, &by_queue), Ok(()), "{name}");
                with_threads(|threads| {
                    let parents = breadth_first_search(&graph, root);
                    let verdict = check::breadth_first_tree(&graph, root, &parents);
                    assert_eq!(verdict, Ok(()), "{name}, {threads} threads");
                });
            }
        }
    }
}

#[test]
fn components() {
    for (name, list) in lists() {
        let graph = Adjacency::of(&Csr::build(&list, Build::UNDIRECTED));
        let expected = components_by_union(&graph);
        assert_eq!(check::components(&graph, &expected), Ok(()), "{name}");
        let directed = Adjacency::of(&Csr::build(&list, Build::VERBATIM));
        with_threads(|threads| {
            // Both label a component by its smallest vertex.
            assert!(connected_components(&graph) == expected, "{name}, {threads} threads");
            assert!(connected_components(&directed) == expected, "directed {name}");
        });
    }
    assert!(connected_components(&empty(0)).is_empty());
    assert_eq!(connected_components(&empty(3)), [0, 1, 2]);
}

fn empty(vertices: usize) -> Adjacency {
    Adjacency::of(&Csr::<u32>::build(&EdgeList::new(vertices, vec![]).unwrap(), Build::UNDIRECTED))
}

#[test]
fn ranks() {
    for (name, list) in lists() {
        let graph = Adjacency::of(&Csr::build(&list, Build::UNDIRECTED));
        let expected = page_rank_by_definition(&graph);
        assert_eq!(check::ranks(&graph, &expected), Ok(()), "{name}");
        with_threads(|threads| {
            let found = page_rank(&graph);
            assert_eq!(check::ranks(&graph, &found), Ok(()), "{name}, {threads} threads");
            let apart: f32 = found.iter().zip(&expected).map(|(a, b)| (a - b).abs()).sum();
            // Each is within tolerance/(1 − d) of the exact ranks.
            assert!(apart < 2.0 * 1e-4 / 0.15, "{name}: {apart}");
        });
    }
    // All vertices of a ring rank alike; the hub of a star has d·(n − 1) + 1 times (1 − d)/n over 1 − d².
    let ring = (0..50).map(|v| (v, (v + 1) % 50, 1)).collect();
    let ring = Csr::<u32>::build(&EdgeList::new(50, ring).unwrap(), Build::UNDIRECTED);
    assert!(page_rank(&Adjacency::of(&ring)).iter().all(|rank| (rank - 0.02).abs() < 1e-6));
    let star = Adjacency::of(&Csr::build(&star::<u32>(101, 1, Seed(1)), Build::UNDIRECTED));
    let hub = (0.85 * 100.0 + 1.0) * (0.15 / 101.0) / (1.0 - 0.85 * 0.85);
    for ranks in [page_rank(&star), page_rank_by_definition(&star)] {
        assert!((f64::from(ranks[0]) - hub).abs() < 1e-4 / 0.15, "{} {hub}", ranks[0]);
    }
}

/// The rank of the hub is a sum of small ones, too many for 32 bits to keep.
#[test]
fn long_rows_keep_their_digits() {
    let star = Adjacency::of(&Csr::build(&star::<u32>(1 << 17, 1, Seed(1)), Build::UNDIRECTED));
    assert_eq!(check::ranks(&star, &page_rank(&star)), Ok(()));
}

#[test]
fn every_wrong_parent_is_found() {
    let graph = Adjacency::of(&Csr::build(&gnm::<u32>(40, 45, 9, Seed(6)), Build::UNDIRECTED));
    let root = (0..40).max_by_key(|&v| graph.degree(v)).unwrap();
    let right = breadth_first_search_by_queue(&graph, root);
    let level = |mut vertex: Vertex| {
        let mut steps = 0;
        while vertex != root {
            vertex = right[vertex as usize];
            steps += 1;
        }
        steps
    };
    assert!(right.contains(&Vertex::MAX), "some vertices are unreached");
    for vertex in 0..40 {
        for wrong in (0..41).chain([Vertex::MAX]) {
            let mut parents = right.clone();
            parents[vertex as usize] = wrong;
            let reached = |v: Vertex| right[v as usize] != Vertex::MAX;
            let another = wrong < 40
                && vertex != root
                && reached(vertex)
                && reached(wrong)
                && graph.neighbours(wrong).contains(&vertex)
                && level(wrong) + 1 == level(vertex);
            let verdict = check::breadth_first_tree(&graph, root, &parents);
            let legal = another || wrong == right[vertex as usize];
            assert_eq!(verdict.is_ok(), legal, "parent {wrong} of {vertex}: {verdict:?}");
        }
    }
    assert!(check::breadth_first_tree(&graph, root, &right[1..]).is_err());
}

#[test]
fn every_wrong_label_and_rank_is_found() {
    let graph = Adjacency::of(&Csr::build(&gnm::<u32>(60, 50, 9, Seed(2)), Build::UNDIRECTED));
    let right = connected_components(&graph);
    for vertex in 0..60 {
        for wrong in 0..60 {
            let mut labels = right.clone();
            labels[vertex] = wrong;
            // Alone in its component, a vertex may have any label that no other has.
            let alone = graph.degree(vertex as Vertex) == 0
                && !right.iter().enumerate().any(|(v, &label)| v != vertex && label == wrong);
            let legal = alone || wrong == right[vertex];
            assert_eq!(check::components(&graph, &labels).is_ok(), legal, "{vertex}, {wrong}");
        }
    }
    assert!(check::components(&graph, &right[1..]).is_err());
    let ranks = page_rank(&graph);
    for vertex in 0..60 {
        for wrong in [ranks[vertex] + 0.001, f32::NAN, 0.0, -ranks[vertex], f32::INFINITY] {
            let mut ranks = ranks.clone();
            ranks[vertex] = wrong;
            assert!(check::ranks(&graph, &ranks).is_err(), "{vertex}: {wrong}");
        }
    }
    assert!(check::ranks(&graph, &ranks[1..]).is_err());
}

#[test]
#[should_panic(expected = "ranks are collected along the reverse arcs")]
fn directed_graphs_have_no_ranks_here() {
    let _ = page_rank(&Adjacency::of(&Csr::build(&star::<u32>(5, 1, Seed(1)), Build::DIRECTED)));
}
