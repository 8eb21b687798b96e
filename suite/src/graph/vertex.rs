//! The numbers of vertices: 32 bits, or 64 for graphs of more than 2³² vertices, and if a rule asks for them
//! (Graph500: at least 48).
//!
//! Whatever holds vertices has a type parameter for them, which is [`Vertex`] unless stated, and data goes the same
//! way with either: `EdgeList<W, V>` → `Csr<W, V>` → `Adjacency<V>` → searches → parents of type `V`. All differences
//! are here, in [`Parts`]: how an arc is packed, which atomic number threads share a vertex in, and how a key and a
//! vertex change together.

use std::fmt::{Debug, Display};
use std::hash::Hash;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use bytemuck::Pod;

use Ordering::Relaxed;

/// A vertex: its number, 0 to n − 1. Graphs of up to 2³² vertices.
pub type Vertex = u32;

/// A type that vertices are numbered with: `u32`, which is [`Vertex`], or `u64`.
///
/// A graph of the wider ones takes 12 bytes per arc instead of 8, and 8 without weights instead of 4.
pub trait VertexId: Parts {
    /// Bits of a number.
    const BITS: u32;
    /// Stands for no vertex.
    const NONE: Self;

    /// The number as an index.
    fn index(self) -> usize;

    /// The vertex of an index below the number of vertices.
    fn from_index(index: usize) -> Self;
}

/// The consequences of the width of a vertex. Sealed: it cannot be named from outside.
pub trait Parts: Pod + Default + Ord + Hash + Debug + Display + Send + Sync + 'static {
    /// The highest bit, set in what is no vertex.
    const FLAG: Self;

    type Arc: PackedArc<Vertex = Self>;
    type Shared: SharedVertex<Self>;
    type Label: Label<Self>;
}

/// Target and weight of an arc in as few bytes as hold them, ordered by target, then by the weight's key.
pub trait PackedArc: Pod + Default + Ord + Send + Sync {
    type Vertex: VertexId;
    /// Comes after all arcs.
    const END: Self;

    fn pack(target: Self::Vertex, key: u32) -> Self;
    fn target(self) -> Self::Vertex;
    fn key(self) -> u32;
    /// Some bits of the target.
    fn digit(self, shift: u32, mask: usize) -> usize;
}

/// A vertex that threads share. All accesses are relaxed.
pub trait SharedVertex<V>: Send + Sync {
    fn new(vertex: V) -> Self;
    fn load(&self) -> V;
    fn store(&self, vertex: V);
    /// Replaces one vertex by another; returns whether it was that.
    fn replace(&self, old: V, new: V) -> bool;
    fn into_inner(self) -> V;
    fn get_mut(&mut self) -> &mut V;
}

/// A key and a vertex that threads share and that change together, so that they always belong together.
pub trait Label<V>: Send + Sync {
    /// The largest key, and no vertex.
    fn unreached() -> Self;
    fn key(&self) -> u32;
    /// The vertex; it may be that of a change that goes on.
    fn vertex(&self) -> V;
    /// Takes a key and its vertex if the key is smaller; returns whether it was. Among equal keys the first vertex
    /// stays.
    ///
    /// `SHARED` is whether other threads may do the same at this moment: a lone thread is spared the
    /// read-modify-write.
    fn lower<const SHARED: bool>(&self, key: u32, vertex: V) -> bool;
}

impl VertexId for u32 {
    const BITS: u32 = u32::BITS;
    const NONE: u32 = u32::MAX;

    #[inline(always)]
    fn index(self) -> usize {
        self as usize
    }

    #[inline(always)]
    fn from_index(index: usize) -> u32 {
        index as u32
    }
}

impl Parts for u32 {
    const FLAG: u32 = 1 << 31;
    type Arc = u64;
    type Shared = AtomicU32;
    type Label = AtomicU64;
}

/// Target in the high half, key in the low half.
impl PackedArc for u64 {
    type Vertex = u32;
    const END: u64 = u64::MAX;

    #[inline(always)]
    fn pack(target: u32, key: u32) -> u64 {
        u64::from(target) << 32 | u64::from(key)
    }

    #[inline(always)]
    fn target(self) -> u32 {
        (self >> 32) as u32
    }

    #[inline(always)]
    fn key(self) -> u32 {
        self as u32
    }

    #[inline(always)]
    fn digit(self, shift: u32, mask: usize) -> usize {
        (self >> (u32::BITS + shift)) as usize & mask
    }
}

/// Key in the high half, vertex in the low half.
impl Label<u32> for AtomicU64 {
    #[inline(always)]
    fn unreached() -> Self {
        Self::new(u64::MAX)
    }

    #[inline(always)]
    fn key(&self) -> u32 {
        (self.load(Relaxed) >> 32) as u32
    }

    #[inline(always)]
    fn vertex(&self) -> u32 {
        self.load(Relaxed) as u32
    }

    #[inline(always)]
    fn lower<const SHARED: bool>(&self, key: u32, vertex: u32) -> bool {
        let new = u64::from(key) << 32 | u64::from(vertex);
        let mut old = self.load(Relaxed);
        while key < (old >> 32) as u32 {
            if !SHARED {
                self.store(new, Relaxed);
                return true;
            }
            // Not a minimum of words: among equal keys the first vertex stays.
            match self.compare_exchange_weak(old, new, Relaxed, Relaxed) {
                Ok(_) => return true,
                Err(now) => old = now,
            }
        }
        false
    }
}

impl VertexId for u64 {
    const BITS: u32 = u64::BITS;
    const NONE: u64 = u64::MAX;

    #[inline(always)]
    fn index(self) -> usize {
        self as usize
    }

    #[inline(always)]
    fn from_index(index: usize) -> u64 {
        index as u64
    }
}

impl Parts for u64 {
    const FLAG: u64 = 1 << 63;
    type Arc = [u32; 3];
    type Shared = AtomicU64;
    type Label = WideLabel;
}

/// High half of the target, low half, key: arrays are compared in this order.
impl PackedArc for [u32; 3] {
    type Vertex = u64;
    const END: [u32; 3] = [u32::MAX; 3];

    #[inline(always)]
    fn pack(target: u64, key: u32) -> [u32; 3] {
        [(target >> 32) as u32, target as u32, key]
    }

    #[inline(always)]
    fn target(self) -> u64 {
        u64::from(self[0]) << 32 | u64::from(self[1])
    }

    #[inline(always)]
    fn key(self) -> u32 {
        self[2]
    }

    #[inline(always)]
    fn digit(self, shift: u32, mask: usize) -> usize {
        (self.target() >> shift) as usize & mask
    }
}

/// A key and a vertex of 64 bits, which no atomic number holds together: the upper half of the vertex is a lock as well.
#[derive(Debug)]
pub struct WideLabel {
    key: AtomicU32,
    low: AtomicU32,
    high: AtomicU32,
}

/// The upper half of no vertex, while a thread changes the label.
const LOCKED: u32 = u32::MAX - 1;
/// Looks at a locked label before a waiting thread lets others run.
const LOOKS: u32 = 100;

impl WideLabel {
    /// Waits until no other thread changes the label and locks it. Returns the upper half of the vertex.
    fn lock(&self) -> u32 {
        let mut looks = 0;
        loop {
            let high = self.high.load(Relaxed);
            let free = high != LOCKED;
            if free
                && self.high.compare_exchange_weak(high, LOCKED, Ordering::Acquire, Relaxed).is_ok()
            {
                return high;
            }
            looks += 1;
            if looks % LOOKS == 0 {
                std::thread::yield_now();
            } else {
                std::hint::spin_loop();
            }
        }
    }
}

impl Label<u64> for WideLabel {
    #[inline(always)]
    fn unreached() -> Self {
        let [key, low, high] = [u32::MAX; 3].map(AtomicU32::new);
        Self { key, low, high }
    }

    #[inline(always)]
    fn key(&self) -> u32 {
        self.key.load(Relaxed)
    }

    #[inline(always)]
    fn vertex(&self) -> u64 {
        u64::from(self.high.load(Relaxed)) << 32 | u64::from(self.low.load(Relaxed))
    }

    #[inline(always)]
    fn lower<const SHARED: bool>(&self, key: u32, vertex: u64) -> bool {
        // Most attempts fail: a plain load finds out without taking the cache line from its owner.
        if key >= self.key.load(Relaxed) {
            return false;
        }
        let before = if SHARED { self.lock() } else { 0 };
        // Keys change under the lock only.
        let lower = !SHARED || key < self.key.load(Relaxed);
        if lower {
            self.key.store(key, Relaxed);
            self.low.store(vertex as u32, Relaxed);
        }
        let high = if lower { (vertex >> 32) as u32 } else { before };
        self.high.store(high, Ordering::Release);
        lower
    }
}

macro_rules! shared {
    ($vertex:ty, $atomic:ty) => {
        impl SharedVertex<$vertex> for $atomic {
            #[inline(always)]
            fn new(vertex: $vertex) -> Self {
                Self::new(vertex)
            }

            #[inline(always)]
            fn load(&self) -> $vertex {
                self.load(Relaxed)
            }

            #[inline(always)]
            fn store(&self, vertex: $vertex) {
                self.store(vertex, Relaxed);
            }

            #[inline(always)]
            fn replace(&self, old: $vertex, new: $vertex) -> bool {
                self.compare_exchange(old, new, Relaxed, Relaxed).is_ok()
            }

            #[inline(always)]
            fn into_inner(self) -> $vertex {
                self.into_inner()
            }

            #[inline(always)]
            fn get_mut(&mut self) -> &mut $vertex {
                self.get_mut()
            }
        }
    };
}

shared!(u32, AtomicU32);
shared!(u64, AtomicU64);

#[cfg(test)]
mod tests {
    use super::*;

    /// Arcs by their parts, and the same packed.
    fn assert_packed<V: VertexId>(targets: &[V]) {
        let mut parts: Vec<(V, u32)> =
            targets.iter().flat_map(|&target| [0, 7, u32::MAX].map(|key| (target, key))).collect();
        let mut arcs: Vec<V::Arc> =
            parts.iter().map(|&(target, key)| V::Arc::pack(target, key)).collect();
        for (arc, &(target, key)) in arcs.iter().zip(&parts) {
            assert_eq!((arc.target(), arc.key()), (target, key));
            assert_eq!(arc.digit(3, 0xFF), target.index() >> 3 & 0xFF);
            assert!(*arc <= V::Arc::END);
        }
        parts.sort_unstable();
        arcs.sort_unstable();
        assert!(arcs.iter().map(|arc| (arc.target(), arc.key())).eq(parts));
    }

    #[test]
    fn arcs_are_ordered_as_their_parts() {
        assert_packed::<u32>(&[9, 0, 1 << 31, u32::MAX, 1 << 8]);
        assert_packed::<u64>(&[9, 0, 1 << 31, u64::from(u32::MAX), 1 << 47 | 3, 1 << 32, 1 << 33]);
    }

    /// Threads that lower the same labels, each with vertices that tell the key.
    fn race<V: VertexId>() {
        let labels: Vec<V::Label> = (0..8).map(|_| V::Label::unreached()).collect();
        let of_key = |key: u32| V::from_index((key as usize).wrapping_mul(0x1_0001_0003) >> 1);
        std::thread::scope(|scope| {
            for thread in 0..4u32 {
                let labels = &labels;
                scope.spawn(move || {
                    for step in (0..20_000u32).rev() {
                        let key = step * 4 + (thread + step) % 4 + 1;
                        labels[step as usize % 8].lower::<true>(key, of_key(key));
                    }
                });
            }
        });
        for (index, label) in (0..8).zip(&labels) {
            assert_eq!(label.key(), index * 4 + 1);
            assert_eq!(label.vertex(), of_key(label.key()));
            assert!(!label.lower::<true>(label.key(), V::NONE), "the first one stays");
            assert!(label.lower::<false>(0, V::from_index(5)));
            assert_eq!((label.key(), label.vertex()), (0, V::from_index(5)));
        }
    }

    #[test]
    fn a_key_and_its_vertex_change_together() {
        race::<u32>();
        race::<u64>();
    }
}
