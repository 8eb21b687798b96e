//! The problem that the variants solve: Graph500 graphs in weak-scaling pairs, as VoV §5.1 has them.

use std::fmt;

use plusminus::{Problem, Work, bench};

use super::{agm, dijkstra, validate};
use crate::generate::{Rmat, Seed, sources};
use crate::graph::{Build, Csr, Vertex, edges_by_component};
use crate::memory;

/// All shortest distances from one source on a Graph500 graph with integer weights.
///
/// The default sweep has scale 14 on one processor and scale 15 on two, with weights up to 255 and up to 100. Two
/// environment variables change it:
/// - `PLUSMINUS_SSSP_SCALES=14,15,16`: the scales. Scale s runs on 2^(s−14) processors, at least one, as in the
///   paper; `16@2` runs scale 16 on two.
/// - `PLUSMINUS_SSSP_WEIGHTS=255,100`: the maximal weights.
pub struct ShortestPaths;

/// One graph of the sweep and the processors that it is searched with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Point {
    /// Binary logarithm of the number of vertices.
    pub scale: u32,
    /// Weights are uniform in 1 to this.
    pub max_weight: u32,
    /// Processors p.
    pub processors: usize,
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "rmat-{}-w{}-p{}", self.scale, self.max_weight, self.processors)
    }
}

/// Where a search starts, and how many edges it meets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Source {
    /// The vertex at distance zero.
    pub vertex: Vertex,
    /// Undirected edges of its component, parallel edges and self-loops not counted.
    pub edges: u64,
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "source-{}", self.vertex)
    }
}

/// The seed of graphs and sources.
const SEED: Seed = Seed(101);
/// Sources per graph, as in VoV §5.1.
const SOURCES: usize = 8;
/// The scale that one processor gets in the paper.
const SCALE_OF_ONE: u32 = 14;

impl Problem for ShortestPaths {
    type Point = Point;
    type Input = Csr;
    type Instance = Source;
    type Output = Vec<u32>;

    /// # Panics
    /// If one of the environment variables cannot be understood.
    fn sweep() -> impl IntoIterator<Item = Point> {
        sweep_from("14,15", "255,100")
    }

    /// # Panics
    /// If the machine does not have the memory for the graph.
    fn input(point: &Point) -> Csr {
        let rmat = Rmat::graph500(point.scale, SEED);
        memory::require(&rmat.to_string(), rmat.peak_bytes())
            .unwrap_or_else(|error| panic!("{error}"));
        let edges = rmat.weighted(point.max_weight);
        Csr::build(&edges, Build::UNDIRECTED)
    }

    fn instances(graph: &Csr) -> Vec<Source> {
        let vertices = sources(graph, SOURCES, SEED);
        let edges = edges_by_component(graph, &vertices);
        vertices.into_iter().zip(edges).map(|(vertex, edges)| Source { vertex, edges }).collect()
    }

    fn check(graph: &Csr, source: &Source, found: &Vec<u32>) -> Result<(), String> {
        validate::distances(graph, source.vertex, found)
    }

    /// Undirected edges of the source's component in the graph as built, so without parallel edges and self-loops:
    /// fewer than Graph500 counts from the edge list, the more so the smaller the scale.
    fn work(_: &Csr, source: &Source) -> Work {
        Work::edges(source.edges)
    }

    /// Vertices of the graph.
    fn size(point: &Point) -> Option<f64> {
        Some(f64::from(point.scale).exp2())
    }

    fn processors(point: &Point) -> Vec<usize> {
        vec![point.processors]
    }
}

/// The sweep that the environment asks for, or else the default scales and weights.
///
/// # Panics
/// If one of the environment variables cannot be understood.
pub(crate) fn sweep_from(scales: &str, weights: &str) -> Vec<Point> {
    let read = |name, default: &str| std::env::var(name).unwrap_or_else(|_| default.to_owned());
    points(&read("PLUSMINUS_SSSP_SCALES", scales), &read("PLUSMINUS_SSSP_WEIGHTS", weights))
        .unwrap_or_else(|error| panic!("{error}"))
}

/// The sweep that two lists ask for.
fn points(scales: &str, weights: &str) -> Result<Vec<Point>, String> {
    let mut points = Vec::new();
    for weight in weights.split(',') {
        let max_weight = match weight.trim().parse() {
            Ok(max) if (1..u32::MAX).contains(&max) => max,
            _ => return Err(format!("PLUSMINUS_SSSP_WEIGHTS: {weight:?} is not a maximal weight")),
        };
        for entry in scales.split(',') {
            let (scale, processors) = scale_and_processors(entry.trim()).ok_or_else(|| {
                format!(
                    "PLUSMINUS_SSSP_SCALES: {entry:?} is neither a scale from 1 to 32 \
                     nor scale@processors"
                )
            })?;
            points.push(Point { scale, max_weight, processors });
        }
    }
    Ok(points)
}

/// Reads `16` or `16@2`.
fn scale_and_processors(entry: &str) -> Option<(u32, usize)> {
    let (scale, processors) = match entry.split_once('@') {
        Some((scale, processors)) => (scale, Some(processors.parse().ok()?)),
        None => (entry, None),
    };
    let scale: u32 = scale.parse().ok().filter(|scale| (1..=32).contains(scale))?;
    let processors = processors.unwrap_or(1 << scale.saturating_sub(SCALE_OF_ONE));
    (processors > 0).then_some((scale, processors))
}

/// KLA with k = 2, the paper's choice (VoV §5), by its definition on the AGM engine.
#[bench(problem = ShortestPaths, baseline, runs = 5)]
pub fn kla(graph: &Csr, source: &Source) -> Vec<u32> {
    agm::search(&agm::Kla::new(2), graph, source.vertex)
}

/// Δ-stepping with Δ = 1, the paper's choice (VoV §5), by its definition on the AGM engine.
#[bench(problem = ShortestPaths, runs = 5)]
pub fn delta_stepping(graph: &Csr, source: &Source) -> Vec<u32> {
    agm::search(&agm::DeltaStepping::new(1), graph, source.vertex)
}

/// Dijkstra's algorithm on one processor: the reference of real speedup.
#[bench(problem = ShortestPaths, reference, runs = 5)]
pub fn dijkstra_heap(graph: &Csr, source: &Source) -> Vec<u32> {
    dijkstra(graph, source.vertex)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sweep_pairs_scales_with_processors() {
        let names = |scales, weights| -> Vec<String> {
            points(scales, weights).unwrap().iter().map(Point::to_string).collect()
        };
        assert_eq!(
            names("14,15", "255,100"),
            ["rmat-14-w255-p1", "rmat-15-w255-p2", "rmat-14-w100-p1", "rmat-15-w100-p2"]
        );
        assert_eq!(names("9, 18,20@2", "7"), ["rmat-9-w7-p1", "rmat-18-w7-p16", "rmat-20-w7-p2"]);
    }

    #[test]
    fn what_cannot_be_understood_is_named() {
        for (scales, weights) in
            [("14,x", "1"), ("0", "1"), ("33", "1"), ("14@0", "1"), ("14@", "1"), ("", "1")]
        {
            assert!(points(scales, weights).unwrap_err().contains("SSSP_SCALES"), "{scales}");
        }
        for weights in ["", "0", "-1", "4294967295"] {
            assert!(points("14", weights).unwrap_err().contains("SSSP_WEIGHTS"), "{weights}");
        }
    }

    #[test]
    fn every_variant_solves_the_problem() {
        let point = Point { scale: 9, max_weight: 255, processors: 1 };
        let graph = ShortestPaths::input(&point);
        let sources = ShortestPaths::instances(&graph);
        assert_eq!(sources.len(), SOURCES);
        for source in &sources {
            for variant in [kla, delta_stepping, dijkstra_heap] {
                let found = variant(&graph, source);
                assert_eq!(ShortestPaths::check(&graph, source, &found), Ok(()));
            }
            assert!(source.edges > 0 && source.edges <= graph.arcs() as u64 / 2);
        }
    }
}
