//! The states of vertices that threads share.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use super::machine::Processing;
use crate::graph::Vertex;

/// One state per vertex.
///
/// States only ever improve, each to the value of some work item. Nothing is inferred from one state about another.
/// So relaxed atomics are enough, and the join at the end of a run publishes the result.
#[derive(Debug)]
pub(super) struct States {
    states: Vec<AtomicU32>,
}

impl States {
    /// All vertices in the same state.
    pub(super) fn new(vertices: usize, state: u32) -> Self {
        Self { states: (0..vertices).map(|_| AtomicU32::new(state)).collect() }
    }

    #[inline]
    pub(super) fn get(&self, vertex: Vertex) -> u32 {
        self.states[vertex as usize].load(Relaxed)
    }

    /// Replaces a state by a value that improves it; returns whether it did.
    ///
    /// `SHARED` is whether other threads may do the same at this moment: a lone thread is spared the
    /// read-modify-write.
    #[inline]
    pub(super) fn improve<G, P: Processing<G>, const SHARED: bool>(
        &self,
        vertex: Vertex,
        value: u32,
    ) -> bool {
        let state = &self.states[vertex as usize];
        // Most attempts fail: a plain load finds out without taking the cache line from its owner.
        let mut old = state.load(Relaxed);
        while P::improves(value, old) {
            if !SHARED {
                state.store(value, Relaxed);
                return true;
            }
            match state.compare_exchange_weak(old, value, Relaxed, Relaxed) {
                Ok(_) => return true,
                Err(now) => old = now,
            }
        }
        false
    }

    /// All states.
    pub(super) fn into_values(self) -> Vec<u32> {
        self.states.into_iter().map(AtomicU32::into_inner).collect()
    }
}
