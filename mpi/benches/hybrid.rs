//! Shortest paths over ranks × workers: the same graph on one rank with one or two workers, and on two with one or two each.
//! Each worker is a place: a thread that has consecutive vertices of its rank. KLA against Δ-stepping, filtered and to the letter.
//!
//! `PLUSMINUS_MPI_HYBRID_SCALE=16` sets the binary logarithm of the vertices, 14 by default. Each shape names its own
//! launcher: leave `PLUSMINUS_LAUNCHER` unset, or name one that starts as many ranks as `--processors` and filters
//! leave.

mod sources;

use std::fmt;

use plusminus::{Problem, Work};
use plusminus_mpi::graph::Part;
use plusminus_mpi::search::{Mode, search_on_workers};
use plusminus_mpi::{over_ranks, threads, validate};
use plusminus_suite::agm::{Kla, Ordering, Successor};
use plusminus_suite::generate::Rmat;
use plusminus_suite::places::Wire;
use plusminus_suite::sssp::DeltaStepping;
use sources::{DELTA, K, MAX_WEIGHT, SEED, Source, sources};

/// The variable that decides the size of the graph.
const SCALE_VARIABLE: &str = "PLUSMINUS_MPI_HYBRID_SCALE";

/// A graph and what it is searched by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Point {
    scale: u32,
    ranks: usize,
    workers: usize,
}

impl fmt::Display for Point {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "rmat-{}-w{MAX_WEIGHT}-{}x{}", self.scale, self.ranks, self.workers)
    }
}

/// This rank's part of the graph, and its workers.
struct Graph {
    part: Part,
    workers: usize,
}

/// Returns the points of this number of ranks.
fn points(ranks: usize) -> Vec<Point> {
    let scale = std::env::var(SCALE_VARIABLE).map_or(14, |scale| {
        let wrong = || panic!("{SCALE_VARIABLE} takes a scale of 1 to 32, and not {scale:?}");
        scale.parse().ok().filter(|scale| (1..=32).contains(scale)).unwrap_or_else(wrong)
    });
    [1, 2].map(|workers| Point { scale, ranks, workers }).to_vec()
}

fn graph(point: &Point) -> Graph {
    over_ranks(|ranks| {
        assert!(
            (ranks.ranks(), threads(ranks)) == (point.ranks, point.workers),
            "the launcher has started {} ranks of {} workers for {point}: see PLUSMINUS_LAUNCHER",
            ranks.ranks(),
            threads(ranks)
        );
        let rmat = Rmat::graph500(point.scale, SEED);
        Graph { part: Part::generate(&rmat, MAX_WEIGHT, ranks), workers: point.workers }
    })
}

fn shortest<O>(graph: &Graph, source: &Source, ordering: &O, mode: Mode) -> Vec<u32>
where
    O: Ordering<Item: Wire + Successor> + Sync,
{
    let Graph { part, workers } = graph;
    over_ranks(|ranks| search_on_workers(ordering, part, source.vertex, mode, *workers, ranks).0)
}

/// Makes the shapes of this number of ranks.
macro_rules! over {
    ($name:ident, $ranks:literal, $launcher:literal) => {
        mod $name {
            use super::*;

            /// All shortest distances from a source.
            struct ShortestPaths;

            impl Problem for ShortestPaths {
                type Point = Point;
                type Input = Graph;
                type Instance = Source;
                /// Distances of this rank's vertices.
                type Output = Vec<u32>;

                fn sweep() -> impl IntoIterator<Item = Point> {
                    points($ranks)
                }

                fn input(point: &Point) -> Graph {
                    graph(point)
                }

                fn instances(graph: &Graph) -> Vec<Source> {
                    sources(&graph.part)
                }

                fn check(graph: &Graph, source: &Source, keys: &Vec<u32>) -> Result<(), String> {
                    let verdict = |ranks: &mut _| {
                        validate::distances(&graph.part, source.vertex, keys, ranks)
                    };
                    over_ranks(verdict)
                }

                fn work(_: &Graph, source: &Source) -> Work {
                    Work::edges(source.edges)
                }

                fn size(point: &Point) -> Option<f64> {
                    Some(f64::from(point.scale).exp2())
                }

                fn processors(point: &Point) -> Vec<usize> {
                    vec![point.ranks * point.workers]
                }
            }

            /// KLA, filtered.
            #[plusminus::bench(problem = ShortestPaths, baseline, runs = 5, launcher = $launcher)]
            fn kla_filtered(graph: &Graph, source: &Source) -> Vec<u32> {
                shortest(graph, source, &Kla::new(K), Mode::Filtered)
            }

            /// Δ-stepping, filtered.
            #[plusminus::bench(problem = ShortestPaths, runs = 5, launcher = $launcher)]
            fn delta_filtered(graph: &Graph, source: &Source) -> Vec<u32> {
                shortest(graph, source, &DeltaStepping::new(DELTA), Mode::Filtered)
            }

            /// KLA to the letter of the definition.
            #[plusminus::bench(problem = ShortestPaths, runs = 5, launcher = $launcher)]
            fn kla_literal(graph: &Graph, source: &Source) -> Vec<u32> {
                shortest(graph, source, &Kla::new(K), Mode::Literal)
            }

            /// Δ-stepping to the letter of the definition.
            #[plusminus::bench(problem = ShortestPaths, runs = 5, launcher = $launcher)]
            fn delta_literal(graph: &Graph, source: &Source) -> Vec<u32> {
                shortest(graph, source, &DeltaStepping::new(DELTA), Mode::Literal)
            }
        }
    };
}

over!(one_rank, 1, "mpirun -n 1");
over!(two_ranks, 2, "mpirun -n 2");

plusminus_mpi::main!();
