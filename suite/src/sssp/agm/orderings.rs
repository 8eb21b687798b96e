//! Work items, and the strict weak orderings that make an algorithm of them.

use crate::graph::{Vertex, Weight};
use crate::places::Wire;
use crate::sssp::width::Width;

/// What an AGM for shortest paths processes: a vertex, the distance of a path to it, perhaps more.
pub trait WorkItem: Copy + Send + Sync {
    /// The member of the start set S: the source at distance zero.
    fn start(source: Vertex) -> Self;
    /// The vertex, `w[0]`.
    fn vertex(&self) -> Vertex;
    /// The key of the distance, `w[1]`.
    fn key(&self) -> u32;
    /// The item that the processing function makes of this one for a neighbour.
    fn follow(&self, neighbour: Vertex, key: u32) -> Self;
}

/// An element ⟨vertex, distance⟩ of the SSSP work items (VoV Definition 2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlainItem {
    vertex: Vertex,
    key: u32,
}

impl WorkItem for PlainItem {
    fn start(source: Vertex) -> Self {
        // The key of zero is zero for every type of weight.
        Self { vertex: source, key: 0 }
    }

    #[inline]
    fn vertex(&self) -> Vertex {
        self.vertex
    }

    #[inline]
    fn key(&self) -> u32 {
        self.key
    }

    #[inline]
    fn follow(&self, neighbour: Vertex, key: u32) -> Self {
        Self { vertex: neighbour, key }
    }
}

impl Wire for PlainItem {
    type Words = [u32; 2];

    #[inline]
    fn pack(self) -> [u32; 2] {
        [self.vertex, self.key]
    }

    #[inline]
    fn unpack([vertex, key]: [u32; 2]) -> Option<Self> {
        Some(Self { vertex, key })
    }
}

/// An element ⟨vertex, distance, level⟩ of the KLA work items (VoV Definition 4).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LevelledItem {
    item: PlainItem,
    level: u32,
}

impl WorkItem for LevelledItem {
    fn start(source: Vertex) -> Self {
        Self { item: PlainItem::start(source), level: 0 }
    }

    #[inline]
    fn vertex(&self) -> Vertex {
        self.item.vertex
    }

    #[inline]
    fn key(&self) -> u32 {
        self.item.key
    }

    #[inline]
    fn follow(&self, neighbour: Vertex, key: u32) -> Self {
        Self { item: self.item.follow(neighbour, key), level: self.level + 1 }
    }
}

impl Wire for LevelledItem {
    type Words = [u32; 3];

    #[inline]
    fn pack(self) -> [u32; 3] {
        [self.item.vertex, self.item.key, self.level]
    }

    #[inline]
    fn unpack([vertex, key, level]: [u32; 3]) -> Option<Self> {
        Some(Self { item: PlainItem { vertex, key }, level })
    }
}

/// A strict weak ordering on work items, as the rank of the equivalence class that an item falls into:
/// a < b if and only if `class(a) < class(b)`.
///
/// The rank must not fall from an item to those that follow from it, which all orderings by distance or level keep
/// because weights are not negative: a class that has been emptied stays empty.
pub trait Ordering<W: Weight>: Sync {
    /// The work items that are ordered.
    type Item: WorkItem;

    /// The rank of an item's equivalence class.
    fn class(&self, item: &Self::Item) -> u64;
}

/// Smallest distance first: every distance is a class.
#[derive(Debug, Clone, Copy)]
pub struct DijkstraLike;

impl<W: Weight> Ordering<W> for DijkstraLike {
    type Item = PlainItem;

    #[inline]
    fn class(&self, item: &PlainItem) -> u64 {
        u64::from(item.key)
    }
}

/// Δ-stepping: classes ⌊distance/Δ⌋ (VoV Definition 3).
#[derive(Debug, Clone, Copy)]
pub struct DeltaStepping<W> {
    width: Width<W>,
}

impl<W: Weight> DeltaStepping<W> {
    /// The ordering for a width Δ of a class.
    ///
    /// # Panics
    /// If Δ is not above zero.
    pub fn new(delta: W) -> Self {
        Self { width: Width::new(delta) }
    }
}

impl<W: Weight> Ordering<W> for DeltaStepping<W> {
    type Item = PlainItem;

    #[inline]
    fn class(&self, item: &PlainItem) -> u64 {
        self.width.class(item.key)
    }
}

/// k-level asynchronous: classes ⌊level/k⌋, so k levels of the search tree at a time (VoV Definition 5).
#[derive(Debug, Clone, Copy)]
pub struct Kla {
    k: u32,
}

impl Kla {
    /// The ordering for k levels at a time.
    ///
    /// # Panics
    /// If k is zero.
    pub fn new(k: u32) -> Self {
        assert!(k > 0, "k = 0 levels at a time make no progress");
        Self { k }
    }
}

impl<W: Weight> Ordering<W> for Kla {
    type Item = LevelledItem;

    #[inline]
    fn class(&self, item: &LevelledItem) -> u64 {
        u64::from(item.level / self.k)
    }
}

/// No order: a single class, processed as items come.
#[derive(Debug, Clone, Copy)]
pub struct Unordered;

impl<W: Weight> Ordering<W> for Unordered {
    type Item = PlainItem;

    #[inline]
    fn class(&self, _: &PlainItem) -> u64 {
        0
    }
}
