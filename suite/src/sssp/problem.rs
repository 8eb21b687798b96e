//! The problem that the variants solve: Graph500 graphs in weak-scaling pairs, as VoV §5.1 has them.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use plusminus::{Problem, Work, asked_processor_counts, processor_counts};

use super::validate;
use crate::generate::{Rmat, Seed, sources};
use crate::graph::{Build, Csr, Vertex, edges_by_component, io};
use crate::inputs::seed_of_environment;
use crate::memory;

/// All shortest distances from one source on a Graph500 graph with integer weights.
///
/// The default sweep has scale 14 on one processor, scale 15 on two and so on, up to the processors of the machine or
/// over the counts of `--processors`, with weights up to 255 and up to 100. Two environment variables change it:
/// - `PLUSMINUS_SSSP_SCALES=14,15,16`: the scales. Scale s runs on 2^(s−14) processors, at least one, as in the
///   paper, or on each count of `--processors`; `16@2` runs scale 16 on two.
/// - `PLUSMINUS_SSSP_WEIGHTS=255,100`: the maximal weights.
///
/// `PLUSMINUS_SUITE_SEED=7` draws a different graph and sources, and `PLUSMINUS_SUITE_GRAPH=k18.wsg` reads a graph
/// from a file instead of all these, on the processors of the first entry of the scales. The name of a point lists
/// the settings that differ from the usual ones.
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
    /// The seed of graph and sources.
    pub seed: Seed,
    /// The file that the graph is read from, instead of being generated.
    pub file: Option<&'static Path>,
}

impl Point {
    /// Makes the graph of a scale with weights up to a maximum, on this number of processors, for the usual seed.
    pub fn new(scale: u32, max_weight: u32, processors: usize) -> Self {
        Self { scale, max_weight, processors, seed: SEED, file: None }
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.named(f, &format!("-w{}", self.max_weight))
    }
}

impl Point {
    /// The name of a point of a problem that knows no weights.
    pub(crate) fn without_weights(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.named(f, "")
    }

    fn named(&self, f: &mut fmt::Formatter<'_>, weights: &str) -> fmt::Result {
        match self.file {
            Some(file) => f.write_str(&file.file_stem().unwrap_or_default().to_string_lossy())?,
            None => write!(f, "rmat-{}{weights}", self.scale)?,
        }
        if self.seed != SEED {
            write!(f, "-seed{}", self.seed.0)?;
        }
        write!(f, "-p{}", self.processors)
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

/// The seed of graphs and sources, unless the variable has another one.
const SEED: Seed = Seed(101);
/// The variable that names a graph file.
const GRAPH_VARIABLE: &str = "PLUSMINUS_SUITE_GRAPH";
/// The variable that names the scales.
const SCALES_VARIABLE: &str = "PLUSMINUS_SSSP_SCALES";
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
        sweep_from(&weak_scaling(&processor_counts()), "255,100")
    }

    /// # Panics
    /// If the machine does not have the memory for the graph, or its file cannot be read.
    fn input(point: &Point) -> Csr {
        if let Some(file) = point.file {
            return io::read_file(file).unwrap_or_else(|error| panic!("{GRAPH_VARIABLE}: {error}"));
        }
        let rmat = Rmat::graph500(point.scale, point.seed);
        memory::require(&rmat.to_string(), rmat.peak_bytes())
            .unwrap_or_else(|error| panic!("{error}"));
        let edges = rmat.weighted(point.max_weight);
        Csr::build(&edges, Build::UNDIRECTED)
    }

    fn instances(graph: &Csr) -> Vec<Source> {
        let seed = seed_of_environment().map_or(SEED, Seed);
        let vertices = sources(graph, SOURCES, seed);
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

    /// Vertices of the graph; not known of a file before it is read.
    fn size(point: &Point) -> Option<f64> {
        point.file.is_none().then(|| f64::from(point.scale).exp2())
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
    graphs(SCALES_VARIABLE, scales, &of_environment("PLUSMINUS_SSSP_WEIGHTS", weights))
}

/// The value of a variable, or a default.
fn of_environment(name: &str, default: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| default.to_owned())
}

/// The graphs that the environment asks for: scales by a variable of this name, or else the default ones.
///
/// # Panics
/// If one of the environment variables cannot be understood.
pub(crate) fn graphs(variable: &str, scales: &str, weights: &str) -> Vec<Point> {
    let mut points =
        points((variable, &of_environment(variable, scales)), weights, asked_processor_counts())
            .unwrap_or_else(|error| panic!("{error}"));
    if let Some(seed) = seed_of_environment() {
        points.iter_mut().for_each(|point| point.seed = Seed(seed));
    }
    match graph_file() {
        Some(file) => of_file(file, &points),
        None => points,
    }
}

/// A scale for each number of processors, whose sizes grow together from 2^14 vertices on one.
fn weak_scaling(processors: &[usize]) -> String {
    let pair = |&p: &usize| format!("{}@{p}", SCALE_OF_ONE + p.ilog2());
    processors.iter().map(pair).collect::<Vec<_>>().join(",")
}

/// Returns the file of the environment, which is read once and lives as long as the process.
fn graph_file() -> Option<&'static Path> {
    static FILE: OnceLock<Option<PathBuf>> = OnceLock::new();
    FILE.get_or_init(|| std::env::var_os(GRAPH_VARIABLE).map(PathBuf::from)).as_deref()
}

/// A file on each number of processors that some points have.
fn of_file(file: &'static Path, points: &[Point]) -> Vec<Point> {
    let mut processors: Vec<usize> = points.iter().map(|point| point.processors).collect();
    processors.sort_unstable();
    processors.dedup();
    let seed = points.first().map_or(SEED, |point| point.seed);
    let point = |p| Point { file: Some(file), seed, ..Point::new(0, 0, p) };
    processors.into_iter().map(point).collect()
}

/// The sweep that two lists ask for.
fn points(
    (variable, scales): (&str, &str),
    weights: &str,
    asked: Option<&[usize]>,
) -> Result<Vec<Point>, String> {
    let mut points = Vec::new();
    for weight in weights.split(',') {
        let max_weight = match weight.trim().parse() {
            Ok(max) if (1..u32::MAX).contains(&max) => max,
            _ => return Err(format!("PLUSMINUS_SSSP_WEIGHTS: {weight:?} is not a maximal weight")),
        };
        for entry in scales.split(',') {
            let (scale, processors) = scale_and_processors(entry.trim()).ok_or_else(|| {
                format!(
                    "{variable}: {entry:?} is neither a scale from 1 to 32 nor scale@processors"
                )
            })?;
            let paired = 1 << scale.saturating_sub(SCALE_OF_ONE);
            let processors = match (processors, asked) {
                (Some(own), _) => vec![own],
                (None, Some(asked)) => asked.to_vec(),
                (None, None) => vec![paired],
            };
            points.extend(processors.into_iter().map(|p| Point::new(scale, max_weight, p)));
        }
    }
    Ok(points)
}

/// Reads `16` or `16@2`.
fn scale_and_processors(entry: &str) -> Option<(u32, Option<usize>)> {
    let (scale, processors) = match entry.split_once('@') {
        Some((scale, processors)) => (scale, Some(processors.parse().ok().filter(|&p| p > 0)?)),
        None => (entry, None),
    };
    let scale: u32 = scale.parse().ok().filter(|scale| (1..=32).contains(scale))?;
    Some((scale, processors))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sweep_pairs_scales_with_processors() {
        let names = |scales, weights| -> Vec<String> {
            let points = points((SCALES_VARIABLE, scales), weights, None).unwrap();
            points.iter().map(Point::to_string).collect()
        };
        assert_eq!(
            names("14,15", "255,100"),
            ["rmat-14-w255-p1", "rmat-15-w255-p2", "rmat-14-w100-p1", "rmat-15-w100-p2"]
        );
        assert_eq!(names("9, 18,20@2", "7"), ["rmat-9-w7-p1", "rmat-18-w7-p16", "rmat-20-w7-p2"]);
        assert_eq!(weak_scaling(&[1, 2, 4, 6]), "14@1,15@2,16@4,16@6");
        let asked = points((SCALES_VARIABLE, "9,20@2"), "7", Some(&[1, 3])).unwrap();
        let asked: Vec<String> = asked.iter().map(Point::to_string).collect();
        assert_eq!(asked, ["rmat-9-w7-p1", "rmat-9-w7-p3", "rmat-20-w7-p2"]);
    }

    #[test]
    fn points_are_named_by_what_is_unusual() {
        let seeded = Point { seed: Seed(7), ..Point::new(14, 255, 1) };
        assert_eq!(seeded.to_string(), "rmat-14-w255-seed7-p1");
        let files =
            of_file(Path::new("graphs/k18.wsg"), &points(("", "14,15,16@2"), "255", None).unwrap());
        let names: Vec<String> = files.iter().map(Point::to_string).collect();
        assert_eq!(names, ["k18-p1", "k18-p2"]);
        assert_eq!(ShortestPaths::size(&files[0]), None);
    }

    #[test]
    fn what_cannot_be_understood_is_named() {
        for (scales, weights) in
            [("14,x", "1"), ("0", "1"), ("33", "1"), ("14@0", "1"), ("14@", "1"), ("", "1")]
        {
            let error = points((SCALES_VARIABLE, scales), weights, None).unwrap_err();
            assert!(error.contains(SCALES_VARIABLE), "{error}");
        }
        for weights in ["", "0", "-1", "4294967295"] {
            let error = points((SCALES_VARIABLE, "14"), weights, None).unwrap_err();
            assert!(error.contains("SSSP_WEIGHTS"), "{error}");
        }
    }
}
