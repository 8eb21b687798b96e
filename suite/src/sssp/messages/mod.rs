//! The second runtime of the Abstract Graph Machine: owner-computes active messages.
//! Each thread owns a block of vertices and alone touches their distances; a work item travels to the owner of its
//! vertex in a coalesced buffer, and a class ends when no item of it is left anywhere, nor on its way.
//!
//! VoV §4 compares such a runtime (AM++) with one of work-stealing tasks, which here is the engine of
//! [`agm`](super::agm). Both run the same [orderings](super::agm::Ordering):
//!
//! ```
//! use plusminus_suite::generate::{Rmat, Seed};
//! use plusminus_suite::graph::{Build, Csr};
//! use plusminus_suite::sssp::{agm, messages};
//!
//! let graph = Csr::build(&Rmat::graph500(8, Seed(1)).weighted(255), Build::UNDIRECTED);
//! let stolen = agm::search(&agm::Kla::new(2), &graph, 3);
//! let (sent, counts) = messages::search_counted(&agm::Kla::new(2), &graph, 3);
//! assert_eq!(stolen, sent);
//! assert!(counts.buffers <= counts.messages, "a buffer carries many messages");
//! ```

mod mailbox;
mod owner;
mod reduction;

use std::sync::{Mutex, PoisonError};

use super::agm::{Counts, Ordering};
use super::team;
use crate::graph::{Csr, Vertex, Weight};
use owner::{Owner, Shared};
pub use reduction::Reduction;

/// All distances from a source, by the algorithm that an ordering defines, on as many threads as the current rayon pool
/// has.
///
/// # Panics
/// If the graph has no such vertex.
pub fn search<W: Weight, O: Ordering<W>>(ordering: &O, graph: &Csr<W>, source: Vertex) -> Vec<W> {
    run::<W, O, false>(ordering, graph, source).0
}

/// As [`search`], counting what it does.
///
/// # Panics
/// If the graph has no such vertex.
pub fn search_counted<W: Weight, O: Ordering<W>>(
    ordering: &O,
    graph: &Csr<W>,
    source: Vertex,
) -> (Vec<W>, Counts) {
    run::<W, O, true>(ordering, graph, source)
}

fn run<W: Weight, O: Ordering<W>, const COUNTED: bool>(
    ordering: &O,
    graph: &Csr<W>,
    source: Vertex,
) -> (Vec<W>, Counts) {
    let vertices = graph.vertices();
    assert!((source as usize) < vertices, "source {source}: the graph has {vertices} vertices");
    let threads = rayon::current_num_threads();
    let shared = Shared::new(graph, ordering, threads);
    let results: Vec<Mutex<(Vec<u32>, Counts)>> = (0..threads).map(|_| Mutex::default()).collect();
    team::run(threads, |member| {
        let mut owner = Owner::<_, _, COUNTED>::new(&shared, member.index);
        owner.run(member, source);
        let mut result = results[member.index].lock().unwrap_or_else(PoisonError::into_inner);
        *result = owner.finish();
    });
    let mut distances = Vec::with_capacity(vertices);
    let mut counts = Counts::default();
    for result in results {
        let (keys, more) = result.into_inner().unwrap_or_else(PoisonError::into_inner);
        distances.extend(keys.into_iter().map(W::from_key));
        counts.add(&more);
        // All owners go through the same classes, each in rounds of its own.
        counts.classes = more.classes;
        counts.rounds += more.rounds;
    }
    (distances, counts)
}
