//! The runtime of active messages: each thread owns a block of vertices and alone touches their states. A work item
//! travels to the owner of its vertex in a coalesced buffer. A class ends when no item of it is left anywhere, nor on
//! its way.

mod mailbox;
mod owner;
mod reduction;

use std::sync::{Mutex, PoisonError};

use super::Counts;
use super::items::Ordering;
use super::machine::{Graph, Machine, Mode, Processing};
use crate::team;
use owner::{Owner, Shared};
pub use reduction::Reduction;

/// Runs a machine on as many threads as the current rayon pool has.
pub(super) fn run<G, P, O, M>(machine: &Machine<'_, G, P, O>) -> (Vec<u32>, Counts)
where
    G: Graph,
    P: Processing<G>,
    O: Ordering<Item = P::Item>,
    M: Mode,
{
    let threads = rayon::current_num_threads();
    let shared = Shared::new(machine, threads);
    let results: Vec<Mutex<(Vec<u32>, Counts)>> = (0..threads).map(|_| Mutex::default()).collect();
    team::run(threads, |member| {
        let mut owner = Owner::<_, _, _, M>::new(&shared, member.index);
        owner.run(member);
        let mut result = results[member.index].lock().unwrap_or_else(PoisonError::into_inner);
        *result = owner.finish();
    });
    let mut states = Vec::with_capacity(machine.graph.vertices());
    let mut counts = Counts::default();
    for result in results {
        let (own, more) = result.into_inner().unwrap_or_else(PoisonError::into_inner);
        states.extend(own);
        counts.add(&more);
    }
    (states, counts)
}
