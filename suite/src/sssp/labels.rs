//! The distances that a search lowers, shared by its threads.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use crate::graph::{Vertex, Weight};

/// One distance key per vertex.
///
/// Keys only ever fall, each to the key of some real path, and nothing is inferred from one key about another:
/// relaxed atomics are enough, and the join at the end of a search publishes the result.
#[derive(Debug, Default)]
pub(crate) struct Labels {
    keys: Vec<AtomicU32>,
}

impl Labels {
    /// All vertices unreached. Memory of an earlier search is used again.
    pub(crate) fn reset(&mut self, vertices: usize) {
        self.keys.truncate(vertices);
        self.keys.iter_mut().for_each(|key| *key.get_mut() = u32::MAX);
        self.keys.resize_with(vertices, || AtomicU32::new(u32::MAX));
    }

    /// The key of a vertex.
    #[inline]
    pub(crate) fn get(&self, vertex: Vertex) -> u32 {
        self.keys[vertex as usize].load(Relaxed)
    }

    /// Lowers a key if the new one is smaller; says whether it was.
    ///
    /// `SHARED` says whether other threads may do the same at this moment: a lone thread is spared the
    /// read-modify-write.
    #[inline]
    pub(crate) fn lower<const SHARED: bool>(&self, vertex: Vertex, key: u32) -> bool {
        let label = &self.keys[vertex as usize];
        // Most attempts fail: a plain load finds out without taking the cache line from its owner.
        let lower = key < label.load(Relaxed);
        if SHARED {
            lower && key < label.fetch_min(key, Relaxed)
        } else {
            if lower {
                label.store(key, Relaxed);
            }
            lower
        }
    }

    /// All keys as distances.
    pub(crate) fn distances<W: Weight>(&self) -> Vec<W> {
        self.keys.iter().map(|key| W::from_key(key.load(Relaxed))).collect()
    }
}
