//! The work of the threads of a team, each one's share open to all.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{PoisonError, RwLock};

use crossbeam_utils::CachePadded;

use crate::graph::{Vertex, VertexId};

/// Vertices that a thread takes at a time: few enough to share a step out evenly, as degrees differ widely.
const CHUNK: usize = 64;

/// One list of vertices per thread.
#[derive(Debug, Default)]
pub(crate) struct Frontier<V = Vertex> {
    lists: Vec<CachePadded<List<V>>>,
}

#[derive(Debug, Default)]
struct List<V> {
    vertices: RwLock<Vec<V>>,
    /// How many of the vertices have been taken.
    taken: AtomicUsize,
}

impl<V: VertexId> Frontier<V> {
    /// Makes lists for this number of threads.
    pub(crate) fn for_threads(&mut self, threads: usize) {
        self.lists.resize_with(threads, CachePadded::default);
    }

    /// Replaces a thread's list by what `fill` puts into it, once all have finished with the old one.
    pub(crate) fn publish(&self, thread: usize, fill: impl FnOnce(&mut Vec<V>)) {
        let list = &self.lists[thread];
        let mut vertices = list.vertices.write().unwrap_or_else(PoisonError::into_inner);
        vertices.clear();
        fill(&mut vertices);
        list.taken.store(0, Relaxed);
    }

    /// Calls for vertices until none is left: first its own, then those of others.
    #[inline]
    pub(crate) fn drain(&self, thread: usize, mut call: impl FnMut(&[V])) {
        for offset in 0..self.lists.len() {
            let list = &self.lists[(thread + offset) % self.lists.len()];
            let vertices = list.vertices.read().unwrap_or_else(PoisonError::into_inner);
            // Looked at before taking, lest everyone writes to the counters of empty lists.
            while list.taken.load(Relaxed) < vertices.len() {
                let start = list.taken.fetch_add(CHUNK, Relaxed);
                if start >= vertices.len() {
                    break;
                }
                call(&vertices[start..(start + CHUNK).min(vertices.len())]);
            }
        }
    }
}
