//! Work items, and strict weak orderings on them.

use crate::graph::Vertex;
use crate::places::Wire;

/// A work item: a vertex, the value that its state is compared with, perhaps more.
pub trait WorkItem: Copy + Send + Sync {
    /// The vertex, `w[0]`.
    fn vertex(&self) -> Vertex;
    /// The property that the state of the vertex is compared with, `w[1]`.
    fn value(&self) -> u32;
}

/// A work item that knows the one that follows it along an arc.
pub trait Successor: WorkItem {
    /// A member of a start set.
    fn first(vertex: Vertex, value: u32) -> Self;
    /// The item that follows this one at a neighbor.
    #[must_use]
    fn next(&self, neighbour: Vertex, value: u32) -> Self;
}

/// An element ⟨vertex, value⟩ (the SSSP work items of VoV Definition 2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlainItem {
    vertex: Vertex,
    value: u32,
}

impl WorkItem for PlainItem {
    #[inline]
    fn vertex(&self) -> Vertex {
        self.vertex
    }

    #[inline]
    fn value(&self) -> u32 {
        self.value
    }
}

impl Successor for PlainItem {
    fn first(vertex: Vertex, value: u32) -> Self {
        Self { vertex, value }
    }

    #[inline]
    fn next(&self, neighbour: Vertex, value: u32) -> Self {
        Self { vertex: neighbour, value }
    }
}

impl Wire for PlainItem {
    type Words = [u32; 2];

    #[inline]
    fn pack(self) -> [u32; 2] {
        [self.vertex, self.value]
    }

    #[inline]
    fn unpack([vertex, value]: [u32; 2]) -> Option<Self> {
        Some(Self { vertex, value })
    }
}

/// An element ⟨vertex, value, level⟩ (the KLA work items of VoV Definition 4).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LevelledItem {
    item: PlainItem,
    level: u32,
}

impl WorkItem for LevelledItem {
    #[inline]
    fn vertex(&self) -> Vertex {
        self.item.vertex
    }

    #[inline]
    fn value(&self) -> u32 {
        self.item.value
    }
}

impl Successor for LevelledItem {
    fn first(vertex: Vertex, value: u32) -> Self {
        Self { item: PlainItem::first(vertex, value), level: 0 }
    }

    #[inline]
    fn next(&self, neighbour: Vertex, value: u32) -> Self {
        Self { item: self.item.next(neighbour, value), level: self.level + 1 }
    }
}

impl Wire for LevelledItem {
    type Words = [u32; 3];

    #[inline]
    fn pack(self) -> [u32; 3] {
        [self.item.vertex, self.item.value, self.level]
    }

    #[inline]
    fn unpack([vertex, value, level]: [u32; 3]) -> Option<Self> {
        Some(Self { item: PlainItem { vertex, value }, level })
    }
}

/// A strict weak ordering on work items, as the rank of the equivalence class that an item falls into:
/// a < b if and only if `class(a) < class(b)`.
///
/// The rank must not fall from an item to the items that follow from it: a class that has been emptied stays empty.
pub trait Ordering: Sync {
    /// The work items that are ordered.
    type Item: WorkItem;

    /// The rank of an item's equivalence class.
    fn class(&self, item: &Self::Item) -> u64;
}

/// Smallest value first: every value is a class. Dijkstra's order for distances, level by level for hops.
#[derive(Debug, Clone, Copy)]
pub struct Ascending;

impl Ordering for Ascending {
    type Item = PlainItem;

    #[inline]
    fn class(&self, item: &PlainItem) -> u64 {
        u64::from(item.value)
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

impl Ordering for Kla {
    type Item = LevelledItem;

    #[inline]
    fn class(&self, item: &LevelledItem) -> u64 {
        u64::from(item.level / self.k)
    }
}

/// No order: a single class, processed as items come.
#[derive(Debug, Clone, Copy)]
pub struct Unordered;

impl Ordering for Unordered {
    type Item = PlainItem;

    #[inline]
    fn class(&self, _: &PlainItem) -> u64 {
        0
    }
}
