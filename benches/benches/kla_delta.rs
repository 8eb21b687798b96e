//! The main job of this repository, which `cargo bench` alone runs: KLA against Δ-stepping on Graph500 graphs, as in "The
//! Value of Variance" (§5), on both of its runtimes. The bench `sssp` has all variants, graphs and references.

use std::{
    io::{Write, stdout},
    process::ExitCode,
};

use plusminus::{Problem, Work, processor_counts};
use plusminus_suite::{
    agm::{Filter, Kla, Runtime},
    graph::Csr,
    sssp::{DeltaStepping, Point, ShortestPaths, Source, search},
};

/// Describes the measurement. Printed first if `cargo bench` has no other arguments.
const STORY: &str = "\
Shortest paths from 8 sources of a Graph500 graph, by two orders of work: KLA (k = 2) runs two levels at a time,
Δ-stepping (Δ = 1) one distance after another. Graph and processors grow together. S = time of KLA / time of Δ-stepping.
\"The Value of Variance\" (Firoz et al., ICPE 2016) measured S around 6 ± 3 on asynchronous tasks and 2 ± 1 on active
messages. Each search below is checked, and each run is a fresh process.

";

/// Levels at a time, and the width of a class: the paper's choices.
const K: u32 = 2;
const DELTA: u32 = 1;

/// Processors up to which graphs grow: more take longer than a first look should.
const MOST_PROCESSORS: usize = 4;

/// Shortest paths on a runtime: the same problem for each, so that each has its own baseline.
macro_rules! on_runtime {
    ($module:ident, $problem:ident, $runtime:ident, $filter:ident) => {
        mod $module {
            use super::*;

            /// Shortest paths on this runtime.
            pub(crate) struct $problem;

            impl Problem for $problem {
                type Point = Point;
                type Input = Csr;
                type Instance = Source;
                type Output = Vec<u32>;

                fn sweep() -> impl IntoIterator<Item = Point> {
                    let few = processor_counts().into_iter().filter(|p| *p <= MOST_PROCESSORS);
                    few.map(|p| Point::new(14 + p.ilog2(), 255, p)).collect::<Vec<_>>()
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

            /// KLA, the order that the paper takes as its base.
            #[plusminus::bench(problem = $problem, baseline, runs = 5)]
            pub(crate) fn kla(graph: &Csr, source: &Source) -> Vec<u32> {
                search(Kla::new(K), graph, source.vertex, Runtime::$runtime, Filter::$filter)
            }

            /// Δ-stepping.
            #[plusminus::bench(problem = $problem, runs = 5)]
            pub(crate) fn delta(graph: &Csr, source: &Source) -> Vec<u32> {
                let ordering = DeltaStepping::new(DELTA);
                search(ordering, graph, source.vertex, Runtime::$runtime, Filter::$filter)
            }
        }
    };
}

// To the letter of the paper's definitions on tasks, as on HPX-5; filtered where work is sent by messages, as on AM++.
on_runtime!(tasks, OnTasks, Tasks, Literal);
on_runtime!(messages, OnMessages, Messages, Filtered);

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    if arguments.next().is_some_and(|first| first == "--bench") && arguments.next().is_none() {
        // A reader that is gone, such as `head`, is not an error.
        let _ = stdout().write_all(STORY.as_bytes());
    }
    plusminus::run(env!("CARGO_PKG_NAME"), module_path!(), &[])
}
