//! The central experiment of "The Value of Variance" (§5) over ranks, as weak scaling: a graph of scale s on 2^(s −
//! 14) ranks, 5 runs × 8 sources. KLA against Δ-stepping, on tasks, by messages between threads, and over ranks, in
//! the same processes: while rank 0 runs one thread per rank, the other ranks sleep. `mpi/study` measures and draws
//! all of it.
//!
//! `PLUSMINUS_MPI_SCALES=14@1,15@2,16@4` sets which scales run on how many ranks, and `PLUSMINUS_MPI_WEIGHTS=255,100` the
//! largest weights. Graphs are generated and built in parts, and once more on rank 0.

mod sources;

use std::fmt;

use plusminus::{Problem, Work, bench};
use plusminus_mpi::graph::Part;
use plusminus_mpi::search::{Mode, search};
use plusminus_mpi::{Mail, Ranks, over_ranks, validate};
use plusminus_suite::agm::{Filter, Kla, Ordering, Runtime, Successor};
use plusminus_suite::generate::Rmat;
use plusminus_suite::graph::{Build, Csr};
use plusminus_suite::places::Wire;
use plusminus_suite::sssp::{self, DeltaStepping};
use rayon::ThreadPool;
use sources::{DELTA, K, MAX_WEIGHT, SEED, Source, sources};

/// All shortest distances from a source.
struct ShortestPaths;

/// A scale and the ranks that it runs on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Point {
    scale: u32,
    ranks: usize,
    max_weight: u32,
}

impl fmt::Display for Point {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "rmat-{}-w{}-p{}", self.scale, self.max_weight, self.ranks)
    }
}

/// The variable that decides scales and ranks.
const SCALES_VARIABLE: &str = "PLUSMINUS_MPI_SCALES";

/// The variable that decides the largest weights.
const WEIGHTS_VARIABLE: &str = "PLUSMINUS_MPI_WEIGHTS";

/// A graph, this rank's part of it, and on rank 0 the whole with threads.
struct Graph {
    part: Part,
    whole: Option<(Csr, ThreadPool)>,
}

/// Distances.
enum Found {
    /// Of this rank's vertices.
    Own(Vec<u32>),
    /// Of all vertices, on rank 0.
    Whole(Option<Vec<u32>>),
}

impl Problem for ShortestPaths {
    type Point = Point;
    type Input = Graph;
    type Instance = Source;
    type Output = Found;

    fn sweep() -> impl IntoIterator<Item = Point> {
        let scales = std::env::var(SCALES_VARIABLE).unwrap_or_else(|_| "14@1,15@2,16@4".to_owned());
        let weights = std::env::var(WEIGHTS_VARIABLE).unwrap_or_else(|_| MAX_WEIGHT.to_string());
        let point = |entry: &str, weight: &str| {
            let (scale, ranks) = entry.trim().split_once('@')?;
            let scale = scale.parse().ok().filter(|scale| (1..=32).contains(scale))?;
            let ranks = ranks.parse().ok().filter(|&ranks| ranks > 0)?;
            Some(Point { scale, ranks, max_weight: weight.trim().parse().ok()? })
        };
        let of = |entry: &str, weight: &str| {
            point(entry, weight).unwrap_or_else(|| {
                panic!("{SCALES_VARIABLE}: {entry:?} is not scale@ranks, or {WEIGHTS_VARIABLE}: {weight:?} is no weight")
            })
        };
        let of_weight =
            |weight: &str| scales.split(',').map(|entry| of(entry, weight)).collect::<Vec<_>>();
        weights.split(',').flat_map(of_weight).collect::<Vec<_>>()
    }

    fn input(point: &Point) -> Graph {
        let rmat = Rmat::graph500(point.scale, SEED);
        over_ranks(|ranks| {
            let part = Part::generate(&rmat, point.max_weight, ranks);
            let whole = ranks.only_first(|| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(point.ranks).build();
                let pool = pool.unwrap_or_else(|error| panic!("{error}"));
                (Csr::build(&rmat.weighted(point.max_weight), Build::UNDIRECTED), pool)
            });
            Graph { part, whole }
        })
    }

    fn instances(graph: &Graph) -> Vec<Source> {
        sources(&graph.part)
    }

    fn check(graph: &Graph, source: &Source, found: &Found) -> Result<(), String> {
        over_ranks(|ranks| {
            let dealt;
            let own = match found {
                Found::Own(keys) => keys,
                Found::Whole(keys) => {
                    dealt = deal(&graph.part, keys.as_deref(), ranks);
                    &dealt
                }
            };
            validate::distances(&graph.part, source.vertex, own, ranks)
        })
    }

    fn work(_: &Graph, source: &Source) -> Work {
        Work::edges(source.edges)
    }

    fn size(point: &Point) -> Option<f64> {
        Some(f64::from(point.scale).exp2())
    }

    fn processors(point: &Point) -> Vec<usize> {
        vec![point.ranks]
    }
}

/// Gives every rank what rank 0 has found at its vertices.
fn deal(part: &Part, keys: Option<&[u32]>, ranks: &mut Ranks) -> Vec<u32> {
    let mut mail = Mail::new(ranks);
    if let Some(keys) = keys {
        for rank in 0..ranks.ranks() {
            let own = part.vertices_of(rank);
            mail.push(rank, &keys[own.start as usize..own.end as usize]);
        }
    }
    mail.meet(ranks, [0; 4]);
    mail.received().flatten().copied().collect()
}

/// A search over the ranks.
fn on_ranks<O>(graph: &Graph, source: &Source, ordering: &O, mode: Mode) -> Found
where
    O: Ordering<Item: Wire + Successor>,
{
    over_ranks(|ranks| Found::Own(search(ordering, &graph.part, source.vertex, mode, ranks).0))
}

/// A search on as many threads of rank 0.
fn on_threads<O>(
    graph: &Graph,
    source: &Source,
    ordering: O,
    runtime: Runtime,
    filter: Filter,
) -> Found
where
    O: Ordering<Item: Successor> + Send,
{
    over_ranks(|ranks| {
        let found = ranks.only_first(|| {
            let (whole, pool) = graph.whole.as_ref().expect("rank 0 has the whole graph");
            pool.install(|| sssp::search(ordering, whole, source.vertex, runtime, filter))
        });
        Found::Whole(found)
    })
}

/// KLA to the letter of VoV Definition 4, on asynchronous tasks: the paper's on HPX-5.
#[bench(problem = ShortestPaths, baseline, runs = 5)]
fn kla_literal_tasks(graph: &Graph, source: &Source) -> Found {
    on_threads(graph, source, Kla::new(K), Runtime::Tasks, Filter::Literal)
}

/// Δ-stepping to the letter of VoV Definitions 2 and 3, on asynchronous tasks: the paper's on HPX-5.
#[bench(problem = ShortestPaths, runs = 5)]
fn delta_literal_tasks(graph: &Graph, source: &Source) -> Found {
    on_threads(graph, source, DeltaStepping::new(DELTA), Runtime::Tasks, Filter::Literal)
}

/// KLA on asynchronous tasks, filtered.
#[bench(problem = ShortestPaths, runs = 5)]
fn kla_filtered_tasks(graph: &Graph, source: &Source) -> Found {
    on_threads(graph, source, Kla::new(K), Runtime::Tasks, Filter::Filtered)
}

/// Δ-stepping on asynchronous tasks, filtered.
#[bench(problem = ShortestPaths, runs = 5)]
fn delta_filtered_tasks(graph: &Graph, source: &Source) -> Found {
    on_threads(graph, source, DeltaStepping::new(DELTA), Runtime::Tasks, Filter::Filtered)
}

/// KLA by active messages between threads, to the letter of the definition.
#[bench(problem = ShortestPaths, runs = 5)]
fn kla_literal_messages(graph: &Graph, source: &Source) -> Found {
    on_threads(graph, source, Kla::new(K), Runtime::Messages, Filter::Literal)
}

/// Δ-stepping by active messages between threads, to the letter of the definition.
#[bench(problem = ShortestPaths, runs = 5)]
fn delta_literal_messages(graph: &Graph, source: &Source) -> Found {
    on_threads(graph, source, DeltaStepping::new(DELTA), Runtime::Messages, Filter::Literal)
}

/// KLA by active messages between threads, filtered: the paper's on AM++.
#[bench(problem = ShortestPaths, runs = 5)]
fn kla_filtered_messages(graph: &Graph, source: &Source) -> Found {
    on_threads(graph, source, Kla::new(K), Runtime::Messages, Filter::Filtered)
}

/// Δ-stepping by active messages between threads, filtered: the paper's on AM++.
#[bench(problem = ShortestPaths, runs = 5)]
fn delta_filtered_messages(graph: &Graph, source: &Source) -> Found {
    on_threads(graph, source, DeltaStepping::new(DELTA), Runtime::Messages, Filter::Filtered)
}

/// KLA over ranks, filtered.
#[bench(problem = ShortestPaths, runs = 5)]
fn kla_filtered_ranks(graph: &Graph, source: &Source) -> Found {
    on_ranks(graph, source, &Kla::new(K), Mode::Filtered)
}

/// Δ-stepping over ranks, filtered.
#[bench(problem = ShortestPaths, runs = 5)]
fn delta_filtered_ranks(graph: &Graph, source: &Source) -> Found {
    on_ranks(graph, source, &DeltaStepping::new(DELTA), Mode::Filtered)
}

/// KLA over ranks, to the letter of the definition.
#[bench(problem = ShortestPaths, runs = 5)]
fn kla_literal_ranks(graph: &Graph, source: &Source) -> Found {
    on_ranks(graph, source, &Kla::new(K), Mode::Literal)
}

/// Δ-stepping over ranks, to the letter of the definition.
#[bench(problem = ShortestPaths, runs = 5)]
fn delta_literal_ranks(graph: &Graph, source: &Source) -> Found {
    on_ranks(graph, source, &DeltaStepping::new(DELTA), Mode::Literal)
}

plusminus_mpi::main!();
