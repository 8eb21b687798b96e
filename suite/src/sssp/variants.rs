//! The variants of the paper's experiment (VoV §5): KLA with k = 2 and Δ-stepping with Δ = 1, each to the letter of its
//! definition (`literal`) and filtered at the sender (`filtered`), on each runtime; and the sequential references.

use plusminus::Tally;
use plusminus_macros::bench;

use super::dijkstra;
use super::machine::{DeltaStepping, search, search_counted};
use super::problem::{ShortestPaths, Source};
use super::stepping::Solver;
use crate::agm::{Counts, Filter, Kla, Runtime};
use crate::graph::Csr;

/// Levels at a time, the paper's choice.
const K: u32 = 2;
/// The width of a class, the paper's choice.
const DELTA: u32 = 1;

/// A variant of an ordering on a runtime with a filter, and what one of its searches counts.
macro_rules! variant {
    ($(#[$doc:meta])* $name:ident, $tally:ident, $ordering:expr, $runtime:ident, $filter:ident $(, $role:ident)?) => {
        $(#[$doc])*
        #[bench(problem = ShortestPaths, tally = $tally, runs = 5 $(, $role)?)]
        pub fn $name(graph: &Csr, source: &Source) -> Vec<u32> {
            search($ordering, graph, source.vertex, Runtime::$runtime, Filter::$filter)
        }

        fn $tally(graph: &Csr, source: &Source) -> Vec<Tally> {
            let counts =
                search_counted($ordering, graph, source.vertex, Runtime::$runtime, Filter::$filter).1;
            tallies(&counts)
        }
    };
}

variant!(
    /// KLA to the letter of VoV Definition 4, on asynchronous tasks: the paper's on HPX-5.
    kla_literal_tasks, tally_kla_literal_tasks, Kla::new(K), Tasks, Literal, baseline
);
variant!(
    /// Δ-stepping to the letter of VoV Definitions 2 and 3, on asynchronous tasks: the paper's on HPX-5.
    delta_literal_tasks, tally_delta_literal_tasks, DeltaStepping::new(DELTA), Tasks, Literal
);
variant!(
    /// KLA on asynchronous tasks, filtered before an item is created.
    kla_filtered_tasks, tally_kla_filtered_tasks, Kla::new(K), Tasks, Filtered
);
variant!(
    /// Δ-stepping on asynchronous tasks, filtered before an item is created.
    delta_filtered_tasks, tally_delta_filtered_tasks, DeltaStepping::new(DELTA), Tasks, Filtered
);
variant!(
    /// KLA to the letter of VoV Definition 4, by active messages.
    kla_literal_messages, tally_kla_literal_messages, Kla::new(K), Messages, Literal
);
variant!(
    /// Δ-stepping to the letter of VoV Definitions 2 and 3, by active messages.
    delta_literal_messages, tally_delta_literal_messages, DeltaStepping::new(DELTA), Messages, Literal
);
variant!(
    /// KLA by active messages, filtered by owners and by message reduction: the paper's on AM++.
    kla_filtered_messages, tally_kla_filtered_messages, Kla::new(K), Messages, Filtered
);
variant!(
    /// Δ-stepping by active messages, filtered by owners and by message reduction: the paper's on AM++.
    delta_filtered_messages, tally_delta_filtered_messages, DeltaStepping::new(DELTA), Messages, Filtered
);

/// Δ-stepping along light arcs first with Δ = 1, on one processor: the fastest sequential search of the suite on these
/// graphs, and so the reference ω of real speedup.
#[bench(problem = ShortestPaths, reference, runs = 5)]
pub fn delta_sequential(graph: &Csr, source: &Source) -> Vec<u32> {
    Solver::with_delta(graph, DELTA).sequential().distances(source.vertex)
}

/// Dijkstra's algorithm with a binary heap, on one processor.
#[bench(problem = ShortestPaths, reference, runs = 5)]
pub fn dijkstra_heap(graph: &Csr, source: &Source) -> Vec<u32> {
    dijkstra(graph, source.vertex)
}

/// Returns the tallies of a search for `cargo bench -- --tallies`.
fn tallies(counts: &Counts) -> Vec<Tally> {
    let share = counts.useful as f64 / (counts.created as f64).max(1.0);
    vec![
        Tally::new("barriers", counts.barriers as f64),
        Tally::new("items", counts.created as f64),
        Tally::new("useful", counts.useful as f64),
        Tally::new("useful/items", share),
        Tally::new("relaxations", counts.relaxations as f64),
        Tally::new("tasks", counts.tasks as f64),
        Tally::new("stolen", counts.stolen as f64),
        Tally::new("messages", counts.messages as f64),
        Tally::new("buffers", counts.buffers as f64),
        Tally::new("suppressed", counts.suppressed as f64),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sssp::Point;
    use plusminus::Problem;

    #[test]
    fn every_variant_solves_the_problem() {
        let point = Point::new(9, 255, 1);
        let graph = ShortestPaths::input(&point);
        let sources = ShortestPaths::instances(&graph);
        assert_eq!(sources.len(), 8);
        for source in &sources {
            for variant in [
                kla_literal_tasks,
                delta_literal_tasks,
                kla_filtered_tasks,
                delta_filtered_tasks,
                kla_literal_messages,
                delta_literal_messages,
                kla_filtered_messages,
                delta_filtered_messages,
                delta_sequential,
                dijkstra_heap,
            ] {
                let found = variant(&graph, source);
                assert_eq!(ShortestPaths::check(&graph, source, &found), Ok(()));
            }
            assert!(source.edges > 0 && source.edges <= graph.arcs() as u64 / 2);
        }
    }

    #[test]
    fn a_search_counts_its_barriers_and_its_work() {
        let graph = ShortestPaths::input(&Point::new(9, 255, 1));
        let source = &ShortestPaths::instances(&graph)[0];
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        let count = |tally: fn(&Csr, &Source) -> Vec<Tally>| {
            let found = pool.install(|| tally(&graph, source));
            assert!(found.iter().all(|tally| tally.total.is_finite()));
            [found[0].total, found[1].total, found[2].total]
        };
        let literal = count(tally_kla_literal_tasks);
        let filtered = count(tally_kla_filtered_tasks);
        assert!(filtered[1] < literal[1] && filtered[2] <= literal[2], "{filtered:?} {literal:?}");
        // Both runtimes do the same on one thread.
        assert_eq!(count(tally_kla_literal_messages), literal);
        assert!(count(tally_delta_literal_tasks)[0] > literal[0], "KLA has fewer barriers");
    }
}
