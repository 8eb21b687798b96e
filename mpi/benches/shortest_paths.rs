//! Weak scaling of shortest paths over ranks, as VoV §5.1 has it on threads: a graph of scale s on 2^(s − 14) ranks.
//!
//! `PLUSMINUS_MPI_SCALES=14@1,15@2,16@4` says which scales run on how many ranks. Graphs are generated and built in parts.

use std::fmt;

use plusminus::{Problem, Work, bench};
use plusminus_mpi::graph::Part;
use plusminus_mpi::search::{Mode, search};
use plusminus_mpi::{over_ranks, validate};
use plusminus_suite::agm::Kla;
use plusminus_suite::generate::{Rmat, Seed};
use plusminus_suite::graph::Vertex;
use plusminus_suite::sssp::DeltaStepping;

/// All shortest distances from a source, each rank those of its vertices.
struct ShortestPaths;

/// A scale and the ranks that it runs on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Point {
    scale: u32,
    ranks: usize,
}

impl fmt::Display for Point {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "rmat-{}-r{}", self.scale, self.ranks)
    }
}

/// Where a search starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Source {
    vertex: Vertex,
    /// Arcs between vertices that it reaches, halved.
    edges: u64,
}

impl fmt::Display for Source {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "source-{}", self.vertex)
    }
}

/// The variable that decides scales and ranks.
const SCALES_VARIABLE: &str = "PLUSMINUS_MPI_SCALES";
/// Weights are uniform in 1 to this, as in VoV.
const MAX_WEIGHT: u32 = 255;
/// Sources of each graph.
const SOURCES: usize = 4;

impl Problem for ShortestPaths {
    type Point = Point;
    type Input = Part;
    type Instance = Source;
    type Output = Vec<u32>;

    fn sweep() -> impl IntoIterator<Item = Point> {
        let scales = std::env::var(SCALES_VARIABLE).unwrap_or_else(|_| "14@1,15@2".to_owned());
        let point = |entry: &str| {
            let (scale, ranks) = entry.trim().split_once('@')?;
            let scale = scale.parse().ok().filter(|scale| (1..=32).contains(scale))?;
            Some(Point { scale, ranks: ranks.parse().ok().filter(|&ranks| ranks > 0)? })
        };
        let read = |entry| {
            point(entry)
                .unwrap_or_else(|| panic!("{SCALES_VARIABLE}: {entry:?} is not scale@ranks"))
        };
        scales.split(',').map(read).collect::<Vec<_>>()
    }

    fn input(point: &Point) -> Part {
        over_ranks(|ranks| {
            Part::generate(&Rmat::graph500(point.scale, Seed(101)), MAX_WEIGHT, ranks)
        })
    }

    fn instances(part: &Part) -> Vec<Source> {
        let mut sources = Vec::new();
        // Multiplication by an odd number visits every vertex once.
        let mut candidates = (0..part.vertices())
            .map(|number| (number.wrapping_mul(0x9E37_79B1) + 77) % part.vertices());
        while let (true, Some(vertex)) = (sources.len() < SOURCES, candidates.next()) {
            let vertex = vertex as Vertex;
            over_ranks(|ranks| {
                let degree = part.position(vertex).map_or(0, |position| part.arcs(position).len());
                if ranks.sum(degree as u64) == 0 {
                    return;
                }
                let (keys, _) = search(&DeltaStepping::new(1), part, vertex, Mode::Filtered, ranks);
                let reached = (0..keys.len()).filter(|&position| keys[position] < u32::MAX);
                let arcs = reached.map(|position| part.arcs(position).len() as u64).sum();
                sources.push(Source { vertex, edges: ranks.sum(arcs) / 2 });
            });
        }
        sources
    }

    fn check(part: &Part, source: &Source, found: &Vec<u32>) -> Result<(), String> {
        over_ranks(|ranks| validate::distances(part, source.vertex, found, ranks))
    }

    fn work(_: &Part, source: &Source) -> Work {
        Work::edges(source.edges)
    }

    fn size(point: &Point) -> Option<f64> {
        Some(f64::from(point.scale).exp2())
    }

    fn processors(point: &Point) -> Vec<usize> {
        vec![point.ranks]
    }
}

/// KLA with k = 2, the paper's choice.
#[bench(problem = ShortestPaths, baseline, runs = 5)]
fn kla(part: &Part, source: &Source) -> Vec<u32> {
    over_ranks(|ranks| search(&Kla::new(2), part, source.vertex, Mode::Filtered, ranks).0)
}

/// KLA with k = 2, to the letter of the definition.
#[bench(problem = ShortestPaths, runs = 5)]
fn kla_literal(part: &Part, source: &Source) -> Vec<u32> {
    over_ranks(|ranks| search(&Kla::new(2), part, source.vertex, Mode::Literal, ranks).0)
}

/// Δ-stepping with Δ = 1, the paper's choice.
#[bench(problem = ShortestPaths, runs = 5)]
fn delta_stepping(part: &Part, source: &Source) -> Vec<u32> {
    over_ranks(|ranks| search(&DeltaStepping::new(1), part, source.vertex, Mode::Filtered, ranks).0)
}

plusminus_mpi::main!();
