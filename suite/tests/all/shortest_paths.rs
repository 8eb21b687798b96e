//! The counts of orderings, how they share work and treat floats, and the validator against corrupted results.

use plusminus_suite::agm::{Ascending, Counts, Filter, Kla, Runtime, Unordered};
use plusminus_suite::generate::{Rmat, Seed, gnm};
use plusminus_suite::graph::{Build, Csr, EdgeList, Vertex, Weight};
use plusminus_suite::sssp::{DeltaStepping, dijkstra, search, search_counted, validate};

fn in_pool<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
}

/// Large enough for classes that are shared among threads.
#[test]
fn threads_share_classes_and_agree() {
    use {
        Filter::{Filtered, Literal},
        Runtime::{Messages, Tasks},
    };
    let graph = Csr::build(&Rmat::graph500(12, Seed(3)).weighted(255), Build::UNDIRECTED);
    let expected = dijkstra(&graph, 1);
    for threads in [2, 7] {
        in_pool(threads, || {
            for _ in 0..10 {
                let (found, counts) =
                    search_counted(DeltaStepping::new(8), &graph, 1, Messages, Filtered);
                assert!(found == expected);
                assert!(counts.messages > counts.buffers && counts.buffers > 0, "{counts:?}");
                assert!(counts.suppressed > 0, "{counts:?}");
                let (found, counts) =
                    search_counted(DeltaStepping::new(8), &graph, 1, Tasks, Filtered);
                assert!(found == expected);
                assert!(counts.tasks > 0 && counts.stolen <= counts.tasks, "{counts:?}");
                assert!(search(Kla::new(2), &graph, 1, Messages, Filtered) == expected);
                assert!(search(Kla::new(2), &graph, 1, Tasks, Filtered) == expected);
            }
            for runtime in [Tasks, Messages] {
                let (found, counts) =
                    search_counted(DeltaStepping::new(64), &graph, 1, runtime, Literal);
                assert!(found == expected);
                assert_eq!(counts.created, counts.useful + counts.discarded);
                // An item for every arc of every useful one, and the start.
                assert_eq!(counts.created, counts.relaxations + 1);
            }
        });
    }
}

/// Both runtimes are asynchronous within a class, so that KLA needs a barrier for every k levels only.
#[test]
fn barriers_of_kla_fall_with_k() {
    let graph = Csr::build(&Rmat::graph500(10, Seed(3)).weighted(255), Build::UNDIRECTED);
    for threads in [1, 3] {
        for runtime in [Runtime::Tasks, Runtime::Messages] {
            let barriers = |k| {
                let counts = in_pool(threads, || {
                    search_counted(Kla::new(k), &graph, 1, runtime, Filter::Literal).1
                });
                assert_eq!(counts.barriers, counts.classes);
                counts.barriers
            };
            assert!(barriers(2) < barriers(1), "{runtime:?}, {threads} threads");
            assert!(barriers(4) < barriers(2), "{runtime:?}, {threads} threads");
            assert_eq!(barriers(1000), 1, "{runtime:?}, {threads} threads");
        }
    }
}

#[test]
fn one_thread_counts_what_the_definitions_say() {
    // Two ways from 0 to 2: directly (weight 10, one level), and through 1 (weight 2, two levels).
    let list = EdgeList::new(4, vec![(0, 1, 1u32), (1, 2, 1), (0, 2, 10), (2, 3, 1)]).unwrap();
    let graph = Csr::build(&list, Build::DIRECTED);
    for runtime in [Runtime::Tasks, Runtime::Messages] {
        let by_distance = |filter| -> Counts {
            in_pool(1, || search_counted(Ascending, &graph, 0, runtime, filter).1)
        };
        let by_level = |filter| -> Counts {
            in_pool(1, || search_counted(Kla::new(1), &graph, 0, runtime, filter).1)
        };
        // By distance: 0, 1 and 2 are relaxed once each, and the item ⟨2, 10⟩ comes too late.
        let literal = by_distance(Filter::Literal);
        assert_eq!((literal.created, literal.useful, literal.discarded), (5, 4, 1));
        assert_eq!((literal.relaxations, literal.classes), (4, 5));
        assert_eq!(by_distance(Filter::Filtered), literal);
        // By level: ⟨2, 10⟩ is as early as ⟨1, 1⟩, so 2 and 3 are relaxed twice: KLA's asynchronous work.
        let literal = by_level(Filter::Literal);
        assert_eq!((literal.created, literal.useful, literal.discarded), (6, 6, 0));
        assert_eq!((literal.relaxations, literal.classes), (5, 4));
        // Filtered before creation, 1 has told of its way to 2 before ⟨2, 10⟩ is processed.
        let filtered = by_level(Filter::Filtered);
        assert_eq!((filtered.created, filtered.useful, filtered.discarded), (5, 4, 1));
    }
}

#[test]
fn floats_and_integers_order_alike() {
    for seed in 0..10 {
        let list = Rmat::graph500(8, Seed(seed)).with_unit_weights();
        let graph = Csr::build(&list, Build::UNDIRECTED);
        let expected = dijkstra(&graph, 5);
        assert_eq!(validate::distances(&graph, 5, &expected), Ok(()));
        for threads in [1, 2] {
            in_pool(threads, || {
                for runtime in [Runtime::Tasks, Runtime::Messages] {
                    for filter in [Filter::Literal, Filter::Filtered] {
                        macro_rules! agrees {
                            ($ordering:expr) => {
                                let found = search($ordering, &graph, 5, runtime, filter);
                                assert_eq!(found, expected, "{runtime:?}, {filter:?}");
                            };
                        }
                        agrees!(DeltaStepping::new(0.07f32));
                        agrees!(Kla::new(3));
                        agrees!(Ascending);
                        agrees!(Unordered);
                    }
                }
            });
        }
    }
}

#[test]
fn the_validator_rejects_every_corrupted_distance() {
    for seed in 0..4 {
        for (build, zero) in [
            (Build::UNDIRECTED, false),
            (Build::UNDIRECTED, true),
            (Build::DIRECTED, false),
            (Build::DIRECTED, true),
        ] {
            let mut list = gnm::<u32>(60, 110, 9, Seed(seed)).edges().to_vec();
            if zero {
                list.iter_mut().for_each(|edge| edge.2 /= 4);
            }
            let graph = Csr::build(&EdgeList::new(60, list).unwrap(), build);
            let source = 4;
            let right = dijkstra(&graph, source);
            assert_eq!(validate::distances(&graph, source, &right), Ok(()));
            for vertex in 0..right.len() {
                for wrong in [
                    right[vertex].wrapping_add(1),
                    right[vertex].wrapping_sub(1),
                    0,
                    u32::MAX,
                    u32::MAX - 1,
                ] {
                    let mut found = right.clone();
                    found[vertex] = wrong;
                    let verdict = validate::distances(&graph, source, &found);
                    assert_eq!(verdict.is_ok(), found == right, "vertex {vertex} at {wrong}");
                }
            }
        }
    }
}

#[test]
fn the_validator_rejects_consistent_lies() {
    // A component that the source does not reach, but whose distances fit each other; with a cycle of zero weights
    // every one of them even has a tight edge.
    let list = EdgeList::new(5, vec![(0, 1, 2u32), (2, 3, 0), (3, 4, 0), (4, 2, 0)]).unwrap();
    for build in [Build::UNDIRECTED, Build::DIRECTED] {
        let graph = Csr::build(&list, build);
        let lie = [0, 2, 1, 1, 1];
        let error = validate::distances(&graph, 0, &lie).unwrap_err();
        assert!(error.contains("no path is that short"), "{error}");
        assert!(validate::distances(&graph, 0, &[0, 2]).is_err(), "too few");
        assert!(validate::distances(&graph, 9, &lie).is_err(), "no such source");
    }
    let list = EdgeList::new(2, vec![(0, 1, 0.5f32)]).unwrap();
    let graph = Csr::build(&list, Build::UNDIRECTED);
    assert!(validate::distances(&graph, 0, &[0.0, f32::NAN]).is_err());
    assert!(validate::distances(&graph, 0, &[0.0, -0.5]).is_err());
    assert_eq!(validate::distances(&graph, 0, &[0.0, 0.5]), Ok(()));
}

/// The nearest tight neighbor of each vertex: a right tree when weights are above zero.
fn some_parents<W: Weight>(graph: &Csr<W>, source: Vertex, distances: &[W]) -> Vec<Vertex> {
    let parent = |v: Vertex| {
        if v == source {
            return v;
        }
        let fits = |&(u, w): &(Vertex, W)| {
            let from = distances[u as usize];
            from != W::INFINITE && w.extend(from.to_key()) == distances[v as usize].to_key()
        };
        graph.neighbours(v).find(fits).map_or(Vertex::MAX, |(u, _)| u)
    };
    (0..graph.vertices() as Vertex).map(parent).collect()
}

#[test]
fn the_validator_rejects_corrupted_parents() {
    let graph = Csr::build(&gnm::<u32>(60, 100, 9, Seed(1)), Build::UNDIRECTED);
    let distances = dijkstra(&graph, 3);
    let right = some_parents(&graph, 3, &distances);
    assert_eq!(validate::parents(&graph, 3, &distances, &right), Ok(()));
    let mut accepted = 0;
    for vertex in 0..60u32 {
        for wrong in (0..61).chain([Vertex::MAX]) {
            let mut parents = right.clone();
            parents[vertex as usize] = wrong;
            let verdict = validate::parents(&graph, 3, &distances, &parents);
            // Another parent is right if the edge is there and tight.
            let legal = wrong == right[vertex as usize]
                || (vertex != 3
                    && distances[vertex as usize] != u32::MAX
                    && wrong < 60
                    && graph.neighbours(wrong).any(|(v, w)| {
                        v == vertex
                            && distances[wrong as usize].checked_add(w)
                                == Some(distances[vertex as usize])
                    }));
            assert_eq!(verdict.is_ok(), legal, "parent of {vertex} is {wrong}");
            accepted += u32::from(legal);
        }
    }
    assert!(accepted >= 60);
    // A cycle of weight zero whose edges are all tight.
    let list = EdgeList::new(3, vec![(0, 1, 0u32), (1, 2, 0)]).unwrap();
    let graph = Csr::build(&list, Build::UNDIRECTED);
    assert_eq!(validate::parents(&graph, 0, &[0, 0, 0], &[0, 0, 1]), Ok(()));
    let error = validate::parents(&graph, 0, &[0, 0, 0], &[0, 2, 1]).unwrap_err();
    assert!(error.contains("its own ancestor"), "{error}");
    assert!(validate::parents(&graph, 0, &[0, 0, 0], &[0, 0]).is_err(), "too few");
}
