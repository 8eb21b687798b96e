//! The distances that a search lowers, shared by its threads.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

use crate::graph::{Vertex, Weight};

/// One label per vertex: the key of its distance, and perhaps where the path comes from.
///
/// Keys only ever fall, each to the key of some real path, and nothing is inferred from one key about another:
/// relaxed atomics are enough, and the join at the end of a search publishes the result.
pub(crate) trait Labels: Default + Sync {
    /// All vertices unreached. Memory of an earlier search is used again.
    fn reset(&mut self, vertices: usize);

    /// The key of a vertex.
    fn get(&self, vertex: Vertex) -> u32;

    /// Lowers a key if the new one, which a path over `parent` has, is smaller; says whether it was.
    ///
    /// `SHARED` says whether other threads may do the same at this moment: a lone thread is spared the
    /// read-modify-write.
    fn lower<const SHARED: bool>(&self, vertex: Vertex, key: u32, parent: Vertex) -> bool;

    /// All keys as distances.
    fn distances<W: Weight>(&self) -> Vec<W>;
}

/// Labels without parents: 4 bytes per vertex.
#[derive(Debug, Default)]
pub(crate) struct Distances {
    keys: Vec<AtomicU32>,
}

impl Labels for Distances {
    fn reset(&mut self, vertices: usize) {
        self.keys.truncate(vertices);
        self.keys.iter_mut().for_each(|key| *key.get_mut() = u32::MAX);
        self.keys.resize_with(vertices, || AtomicU32::new(u32::MAX));
    }

    #[inline]
    fn get(&self, vertex: Vertex) -> u32 {
        self.keys[vertex as usize].load(Relaxed)
    }

    #[inline]
    fn lower<const SHARED: bool>(&self, vertex: Vertex, key: u32, _: Vertex) -> bool {
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

    fn distances<W: Weight>(&self) -> Vec<W> {
        self.keys.iter().map(|key| W::from_key(key.load(Relaxed))).collect()
    }
}

/// Labels with parents: 8 bytes per vertex.
///
/// Key and parent are one word, so that they always belong together. The parents form a tree even where weights are
/// zero: a label changes only for a strictly smaller key, hence along a chain of equal keys every vertex got its
/// final key after its parent did.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    /// Key in the high half, parent in the low half.
    labels: Vec<AtomicU64>,
}

impl Tree {
    /// All parents; [`Vertex::MAX`] where there is none.
    pub(crate) fn parents(&self) -> Vec<Vertex> {
        self.labels.iter().map(|label| label.load(Relaxed) as Vertex).collect()
    }
}

impl Labels for Tree {
    fn reset(&mut self, vertices: usize) {
        self.labels.truncate(vertices);
        self.labels.iter_mut().for_each(|label| *label.get_mut() = u64::MAX);
        self.labels.resize_with(vertices, || AtomicU64::new(u64::MAX));
    }

    #[inline]
    fn get(&self, vertex: Vertex) -> u32 {
        (self.labels[vertex as usize].load(Relaxed) >> 32) as u32
    }

    #[inline]
    fn lower<const SHARED: bool>(&self, vertex: Vertex, key: u32, parent: Vertex) -> bool {
        let label = &self.labels[vertex as usize];
        let new = u64::from(key) << 32 | u64::from(parent);
        let mut old = label.load(Relaxed);
        while key < (old >> 32) as u32 {
            if !SHARED {
                label.store(new, Relaxed);
                return true;
            }
            // Not a minimum of words: among equal keys the first parent stays.
            match label.compare_exchange_weak(old, new, Relaxed, Relaxed) {
                Ok(_) => return true,
                Err(now) => old = now,
            }
        }
        false
    }

    fn distances<W: Weight>(&self) -> Vec<W> {
        self.labels.iter().map(|label| W::from_key((label.load(Relaxed) >> 32) as u32)).collect()
    }
}
