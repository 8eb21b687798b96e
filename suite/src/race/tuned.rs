//! The searches that are made to win, on graphs prepared for them.

use std::ops::Deref;
use std::sync::{Mutex, PoisonError};

use plusminus::{Problem, Work};
use plusminus_macros::bench;

use crate::graph::Csr;
use crate::sssp::problem::sweep_from;
use crate::sssp::stepping::{Memory, RhoStepping, Solver};
use crate::sssp::{Point, ShortestPaths, Source, dijkstra};

/// All shortest distances from one source, as fast as can be: the graphs, sources and checks of [`ShortestPaths`], on
/// graphs that were prepared for searches.
///
/// The default sweep is scale 16 on one processor and on two, with weights up to 255; the environment variables of
/// [`ShortestPaths`] change it.
pub struct TunedPaths;

/// A graph with what the tuned searches choose and keep; none of it knows a source.
pub struct SearchGraph {
    graph: Csr,
    delta: u32,
    memory: Mutex<Memory>,
}

impl SearchGraph {
    /// Chooses Δ for a graph.
    pub fn new(graph: Csr) -> Self {
        let delta = Solver::new(&graph).delta();
        Self { graph, delta, memory: Mutex::default() }
    }

    /// Searches with the memory of the last search, along light arcs first or along all alike.
    fn solve(&self, source: &Source, light_first: bool) -> Vec<u32> {
        let mut memory = self.memory.lock().unwrap_or_else(PoisonError::into_inner);
        let mut solver =
            Solver::with_delta(&self.graph, self.delta).with_memory(std::mem::take(&mut memory));
        if !light_first {
            solver = solver.without_limit();
        }
        let found = solver.distances(source.vertex);
        *memory = solver.into_memory();
        found
    }
}

impl Deref for SearchGraph {
    type Target = Csr;

    fn deref(&self) -> &Csr {
        &self.graph
    }
}

impl Problem for TunedPaths {
    type Point = Point;
    type Input = SearchGraph;
    type Instance = Source;
    type Output = Vec<u32>;

    fn sweep() -> impl IntoIterator<Item = Point> {
        let of_scale_16: Vec<String> =
            plusminus::processor_counts().iter().map(|p| format!("16@{p}")).collect();
        sweep_from(&of_scale_16.join(","), "255")
    }

    fn input(point: &Point) -> SearchGraph {
        SearchGraph::new(ShortestPaths::input(point))
    }

    fn instances(graph: &SearchGraph) -> Vec<Source> {
        ShortestPaths::instances(graph)
    }

    fn check(graph: &SearchGraph, source: &Source, found: &Vec<u32>) -> Result<(), String> {
        ShortestPaths::check(graph, source, found)
    }

    fn work(graph: &SearchGraph, source: &Source) -> Work {
        ShortestPaths::work(graph, source)
    }

    fn size(point: &Point) -> Option<f64> {
        ShortestPaths::size(point)
    }

    fn processors(point: &Point) -> Vec<usize> {
        ShortestPaths::processors(point)
    }
}

/// Dijkstra's algorithm on one processor: the reference of real speedup.
#[bench(problem = TunedPaths, reference)]
pub fn dijkstra_heap(graph: &SearchGraph, source: &Source) -> Vec<u32> {
    dijkstra(graph, source.vertex)
}

/// Δ-stepping with bucket fusion along all arcs alike; Δ is chosen by the graph (see [`Solver::new`]).
#[bench(problem = TunedPaths, baseline)]
pub fn fused_delta_stepping(graph: &SearchGraph, source: &Source) -> Vec<u32> {
    graph.solve(source, false)
}

/// The same along light arcs first, with a pull over heavy ones (see [`Solver::new`]).
#[bench(problem = TunedPaths)]
pub fn split_delta_stepping(graph: &SearchGraph, source: &Source) -> Vec<u32> {
    graph.solve(source, true)
}

/// ρ-stepping with ρ = 2¹⁸.
#[bench(problem = TunedPaths)]
pub fn rho_stepping(graph: &SearchGraph, source: &Source) -> Vec<u32> {
    RhoStepping::new(graph).distances(source.vertex)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_variant_solves_the_problem() {
        let graph = TunedPaths::input(&Point::new(9, 255, 1));
        for source in TunedPaths::instances(&graph) {
            for variant in [dijkstra_heap, fused_delta_stepping, split_delta_stepping, rho_stepping]
            {
                let found = variant(&graph, &source);
                assert_eq!(TunedPaths::check(&graph, &source, &found), Ok(()));
            }
        }
    }
}
