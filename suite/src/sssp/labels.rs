//! The distances that a search lowers, shared by its threads.

use std::marker::PhantomData;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use crate::graph::{Label, Vertex, VertexId, Weight};

/// One label per vertex: the key of its distance, and perhaps where the path comes from.
///
/// Keys only ever fall, each to the key of some real path. Nothing is inferred from one key about another. So relaxed
/// atomics are enough, and the join at the end of a search publishes the result.
pub(crate) trait Labels: Default + Sync {
    type Vertex: VertexId;
    /// Are parents kept?
    const PARENTS: bool;

    /// All vertices unreached. Memory of an earlier search is used again.
    fn reset(&mut self, vertices: usize);

    /// The key of a vertex.
    fn get(&self, vertex: Self::Vertex) -> u32;

    /// Lowers a key if the new one, which a path over `parent` has, is smaller; returns whether it was.
    ///
    /// `SHARED` is whether other threads may do the same at this moment: a lone thread is spared the
    /// read-modify-write.
    fn lower<const SHARED: bool>(
        &self,
        vertex: Self::Vertex,
        key: u32,
        parent: Self::Vertex,
    ) -> bool;

    /// All keys as distances.
    fn distances<W: Weight>(&self) -> Vec<W>;
}

/// Labels without parents: 4 bytes per vertex.
#[derive(Debug, Default)]
pub(crate) struct Distances<V = Vertex> {
    keys: Vec<AtomicU32>,
    of: PhantomData<fn(V)>,
}

impl<V: VertexId> Labels for Distances<V> {
    type Vertex = V;
    const PARENTS: bool = false;

    fn reset(&mut self, vertices: usize) {
        self.keys.truncate(vertices);
        self.keys.iter_mut().for_each(|key| *key.get_mut() = u32::MAX);
        self.keys.resize_with(vertices, || AtomicU32::new(u32::MAX));
    }

    #[inline]
    fn get(&self, vertex: V) -> u32 {
        self.keys[vertex.index()].load(Relaxed)
    }

    #[inline]
    fn lower<const SHARED: bool>(&self, vertex: V, key: u32, _: V) -> bool {
        let label = &self.keys[vertex.index()];
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

/// Labels with parents: 8 bytes per vertex, 12 if these have 64 bits.
///
/// Key and parent change together, so that they always belong together. The parents form a tree even if weights are
/// zero. A label changes only for a strictly smaller key. Hence along a chain of equal keys every vertex got its
/// final key after its parent did.
pub(crate) struct Tree<V: VertexId = Vertex> {
    labels: Vec<V::Label>,
}

impl<V: VertexId> Default for Tree<V> {
    fn default() -> Self {
        Self { labels: Vec::new() }
    }
}

impl<V: VertexId> Tree<V> {
    /// All parents; [`VertexId::NONE`] where there is none.
    pub(crate) fn parents(&self) -> Vec<V> {
        self.labels.iter().map(Label::vertex).collect()
    }
}

impl<V: VertexId> Labels for Tree<V> {
    type Vertex = V;
    const PARENTS: bool = true;

    fn reset(&mut self, vertices: usize) {
        self.labels.truncate(vertices);
        self.labels.iter_mut().for_each(|label| *label = V::Label::unreached());
        self.labels.resize_with(vertices, V::Label::unreached);
    }

    #[inline]
    fn get(&self, vertex: V) -> u32 {
        self.labels[vertex.index()].key()
    }

    #[inline]
    fn lower<const SHARED: bool>(&self, vertex: V, key: u32, parent: V) -> bool {
        self.labels[vertex.index()].lower::<SHARED>(key, parent)
    }

    fn distances<W: Weight>(&self) -> Vec<W> {
        self.labels.iter().map(|label| W::from_key(label.key())).collect()
    }
}
