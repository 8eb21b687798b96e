//! The problems, and the variants that solve them.

use std::fmt;

use plusminus::{Problem, Work, processor_counts};
use plusminus_macros::bench;

use super::{
    breadth_first_search, breadth_first_search_by_queue, check, components_by_union,
    connected_components, page_rank, page_rank_by_definition,
};
use crate::generate::sources;
use crate::graph::{Adjacency, Csr, Vertex, edges_by_component};
use crate::sssp::problem::graphs;
use crate::sssp::{self, ShortestPaths, Source};

/// Sources of searches.
const SOURCES: usize = 8;
/// The variable that names the scales.
const SCALES_VARIABLE: &str = "PLUSMINUS_KERNEL_SCALES";

/// One graph of the sweep, whose edges weigh nothing, and the processors that it is given.
///
/// The default sweep is scale 16 on 1, 2, 4 … processors, or on the counts of `--processors`.
/// `PLUSMINUS_KERNEL_SCALES=14@1,18@2` sets different scales. `PLUSMINUS_SUITE_SEED=7` draws a different graph and
/// sources. `PLUSMINUS_SUITE_GRAPH=k18.sg` reads an undirected graph from a file instead of all these.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Point(pub sssp::Point);

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.without_weights(f)
    }
}

impl Point {
    /// # Panics
    /// If one of the environment variables cannot be understood.
    fn sweep() -> impl Iterator<Item = Self> {
        let counts = processor_counts();
        let of_scale_16: Vec<String> = counts.iter().map(|p| format!("16@{p}")).collect();
        graphs(SCALES_VARIABLE, &of_scale_16.join(","), "1").into_iter().map(Self)
    }

    /// # Panics
    /// If the machine does not have the memory for the graph, or its file cannot be read or has a directed graph.
    fn graph(&self) -> Csr {
        let graph = ShortestPaths::input(&self.0);
        assert!(graph.is_undirected(), "{self}: the kernels are for undirected graphs");
        graph
    }

    fn vertices(&self) -> Option<f64> {
        ShortestPaths::size(&self.0)
    }
}

/// The one instance of a problem that has no source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Everything;

impl fmt::Display for Everything {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("everything")
    }
}

/// A breadth-first tree from one source of an undirected Graph500 graph: the parent of each vertex.
pub struct BreadthFirstSearch;

/// A graph, and where searches start.
pub struct Searched {
    graph: Adjacency,
    sources: Vec<Source>,
}

impl Problem for BreadthFirstSearch {
    type Point = Point;
    type Input = Searched;
    type Instance = Source;
    type Output = Vec<Vertex>;

    fn sweep() -> impl IntoIterator<Item = Point> {
        Point::sweep()
    }

    fn input(point: &Point) -> Searched {
        let graph = point.graph();
        let vertices = sources(&graph, SOURCES, point.0.seed);
        let edges = edges_by_component(&graph, &vertices);
        let source = |(vertex, edges)| Source { vertex, edges };
        let sources = vertices.into_iter().zip(edges).map(source).collect();
        Searched { graph: Adjacency::of(&graph), sources }
    }

    fn instances(searched: &Searched) -> Vec<Source> {
        searched.sources.clone()
    }

    fn check(searched: &Searched, source: &Source, found: &Vec<Vertex>) -> Result<(), String> {
        check::breadth_first_tree(&searched.graph, source.vertex, found)
    }

    /// Undirected edges of the source's component, without parallel edges and self-loops.
    fn work(_: &Searched, source: &Source) -> Work {
        Work::edges(source.edges)
    }

    fn size(point: &Point) -> Option<f64> {
        point.vertices()
    }

    fn processors(point: &Point) -> Vec<usize> {
        vec![point.0.processors]
    }
}

/// A search by queue on one processor.
#[bench(problem = BreadthFirstSearch, reference)]
pub fn bfs_by_queue(searched: &Searched, source: &Source) -> Vec<Vertex> {
    breadth_first_search_by_queue(&searched.graph, source.vertex)
}

/// Direction-optimising search.
#[bench(problem = BreadthFirstSearch, baseline)]
pub fn direction_optimising_bfs(searched: &Searched, source: &Source) -> Vec<Vertex> {
    breadth_first_search(&searched.graph, source.vertex)
}

/// The connected components of an undirected Graph500 graph: a label for each vertex.
pub struct Components;

impl Problem for Components {
    type Point = Point;
    type Input = Adjacency;
    type Instance = Everything;
    type Output = Vec<Vertex>;

    fn sweep() -> impl IntoIterator<Item = Point> {
        Point::sweep()
    }

    fn input(point: &Point) -> Adjacency {
        Adjacency::of(&point.graph())
    }

    fn instances(_: &Adjacency) -> Vec<Everything> {
        vec![Everything]
    }

    fn check(graph: &Adjacency, _: &Everything, found: &Vec<Vertex>) -> Result<(), String> {
        check::components(graph, found)
    }

    /// Undirected edges.
    fn work(graph: &Adjacency, _: &Everything) -> Work {
        Work::edges(graph.arcs() as u64 / 2)
    }

    fn size(point: &Point) -> Option<f64> {
        point.vertices()
    }

    fn processors(point: &Point) -> Vec<usize> {
        vec![point.0.processors]
    }
}

/// Union-find on one processor.
#[bench(problem = Components, reference)]
pub fn union_find(graph: &Adjacency, _: &Everything) -> Vec<Vertex> {
    components_by_union(graph)
}

/// Afforest.
#[bench(problem = Components, baseline)]
pub fn afforest(graph: &Adjacency, _: &Everything) -> Vec<Vertex> {
    connected_components(graph)
}

/// PageRank of an undirected Graph500 graph, to a change of 10⁻⁴ of all ranks together.
pub struct PageRank;

impl Problem for PageRank {
    type Point = Point;
    type Input = Adjacency;
    type Instance = Everything;
    type Output = Vec<f32>;

    fn sweep() -> impl IntoIterator<Item = Point> {
        Point::sweep()
    }

    fn input(point: &Point) -> Adjacency {
        Adjacency::of(&point.graph())
    }

    fn instances(_: &Adjacency) -> Vec<Everything> {
        vec![Everything]
    }

    fn check(graph: &Adjacency, _: &Everything, found: &Vec<f32>) -> Result<(), String> {
        check::ranks(graph, found)
    }

    /// Undirected edges, counted once although each iteration goes along all.
    fn work(graph: &Adjacency, _: &Everything) -> Work {
        Work::edges(graph.arcs() as u64 / 2)
    }

    fn size(point: &Point) -> Option<f64> {
        point.vertices()
    }

    fn processors(point: &Point) -> Vec<usize> {
        vec![point.0.processors]
    }
}

/// Jacobi iterations, the definition, on one processor.
#[bench(problem = PageRank, reference)]
pub fn jacobi(graph: &Adjacency, _: &Everything) -> Vec<f32> {
    page_rank_by_definition(graph)
}

/// Gauss-Seidel iterations in place.
#[bench(problem = PageRank, baseline)]
pub fn gauss_seidel(graph: &Adjacency, _: &Everything) -> Vec<f32> {
    page_rank(graph)
}
