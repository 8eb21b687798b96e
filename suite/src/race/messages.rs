//! The paper's experiment on its other runtime: KLA against Δ-stepping by active messages (VoV §5.2.2).

use plusminus::{Problem, Work, bench};

use crate::graph::Csr;
use crate::sssp::problem::sweep_from;
use crate::sssp::{Point, ShortestPaths, Source, agm, messages};

/// [`ShortestPaths`] once more, for variants on the runtime of active messages: comparing the two tables compares
/// speedups across runtimes (VoV §5.2.3).
pub struct MessagePaths;

impl Problem for MessagePaths {
    type Point = Point;
    type Input = Csr;
    type Instance = Source;
    type Output = Vec<u32>;

    fn sweep() -> impl IntoIterator<Item = Point> {
        sweep_from("14,15", "255,100")
    }

    fn input(point: &Point) -> Csr {
        ShortestPaths::input(point)
    }

    fn instances(graph: &Csr) -> Vec<Source> {
        ShortestPaths::instances(graph)
    }

    fn check(graph: &Csr, source: &Source, found: &Vec<u32>) -> Result<(), String> {
        ShortestPaths::check(graph, source, found)
    }

    fn work(graph: &Csr, source: &Source) -> Work {
        ShortestPaths::work(graph, source)
    }

    fn size(point: &Point) -> Option<f64> {
        ShortestPaths::size(point)
    }

    fn processors(point: &Point) -> Vec<usize> {
        ShortestPaths::processors(point)
    }
}

/// KLA with k = 2 by active messages.
#[bench(problem = MessagePaths, baseline, runs = 5)]
pub fn kla_by_messages(graph: &Csr, source: &Source) -> Vec<u32> {
    messages::search(&agm::Kla::new(2), graph, source.vertex)
}

/// Δ-stepping with Δ = 1 by active messages.
#[bench(problem = MessagePaths, runs = 5)]
pub fn delta_stepping_by_messages(graph: &Csr, source: &Source) -> Vec<u32> {
    messages::search(&agm::DeltaStepping::new(1), graph, source.vertex)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_variant_solves_the_problem() {
        let graph = MessagePaths::input(&Point { scale: 9, max_weight: 100, processors: 1 });
        for source in MessagePaths::instances(&graph) {
            for variant in [kla_by_messages, delta_stepping_by_messages] {
                let found = variant(&graph, &source);
                assert_eq!(MessagePaths::check(&graph, &source, &found), Ok(()));
            }
        }
    }
}
