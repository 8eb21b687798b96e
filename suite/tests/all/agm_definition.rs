//! The machine as VoV §3 writes it, WIS_next = SPF ∪ (WIS_current − WIS_in), set after set, against the runtimes.

use plusminus_suite::agm::{Filter, Graph, Kla, Machine, Ordering, Processing, Runtime, WorkItem};
use plusminus_suite::generate::{Rmat, Seed};
use plusminus_suite::graph::{Build, Csr};
use plusminus_suite::sssp::{DeltaStepping, machine};

/// The states when WIS_next is empty, and the classes that had items.
fn by_definition<G: Graph, P: Processing<G>, O: Ordering<Item = P::Item>>(
    machine: &Machine<'_, G, P, O>,
) -> (Vec<u32>, u64) {
    let class = |item: &P::Item| machine.ordering.class(item);
    let mut states = vec![P::UNSET; machine.graph.vertices()];
    let mut classes = Vec::new();
    let mut current = machine.start.clone();
    while let Some(smallest) = current.iter().map(class).min() {
        classes.push(smallest);
        let (input, rest): (Vec<_>, Vec<_>) =
            current.into_iter().partition(|item| class(item) == smallest);
        let mut next = Vec::new();
        for item in input {
            let state = &mut states[item.vertex() as usize];
            if P::improves(item.value(), *state) {
                *state = item.value();
                machine.processing.follow(machine.graph, item, |following| next.push(following));
            }
        }
        next.extend(rest);
        current = next;
    }
    assert!(classes.is_sorted(), "an emptied class stays empty");
    classes.dedup();
    (states, classes.len() as u64)
}

fn agree<G: Graph, P: Processing<G>, O: Ordering<Item = P::Item>>(machine: &Machine<'_, G, P, O>) {
    let (states, classes) = by_definition(machine);
    assert!(classes > 1);
    for runtime in [Runtime::Tasks, Runtime::Messages] {
        for threads in [1, 3] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let (found, counts) = pool.install(|| machine.run_counted(runtime, Filter::Literal));
            assert!(found == states, "{runtime:?} on {threads}");
            assert_eq!(counts.classes, classes, "{runtime:?} on {threads}");
            assert!(pool.install(|| machine.run(runtime, Filter::Filtered)) == states);
        }
    }
}

/// Δ = 1 and k = 1 leave no choice within a class, so that classes are the same as well.
#[test]
fn runtimes_empty_the_sets_of_the_definition() {
    let graph = Csr::build(&Rmat::graph500(9, Seed(3)).weighted(255), Build::UNDIRECTED);
    for source in [1, 5] {
        agree(&machine(DeltaStepping::new(1), &graph, source));
        agree(&machine(Kla::new(1), &graph, source));
    }
}
