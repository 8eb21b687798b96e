//! Keeps a sender from telling an owner what it has told before.

use crate::agm::WorkItem;
use crate::graph::Vertex;

/// Vertices that are remembered, 2¹⁴: 128 KiB per thread.
const SLOTS: usize = 1 << 14;

/// The best values that a sender has sent lately ("message reduction" of active message systems).
#[derive(Debug)]
pub struct Reduction {
    /// Vertex in the high half, value in the low half; empty slots hold a vertex that other slots would hold.
    sent: Vec<u64>,
}

impl Default for Reduction {
    fn default() -> Self {
        Self::new()
    }
}

impl Reduction {
    /// Nothing was sent.
    pub fn new() -> Self {
        // Slot 0 must not seem to know vertex 0, and no other slot can hold it.
        let mut sent = vec![0; SLOTS];
        sent[0] = 1 << 32;
        Self { sent }
    }

    /// Is it worth sending this item? Remembers it if so.
    #[inline]
    pub fn admits(&mut self, item: impl WorkItem, improves: fn(u32, u32) -> bool) -> bool {
        let (vertex, value) = (item.vertex(), item.value());
        let slot = &mut self.sent[vertex as usize % SLOTS];
        let known = (*slot >> 32) as Vertex == vertex && !improves(value, *slot as u32);
        if !known {
            *slot = u64::from(vertex) << 32 | u64::from(value);
        }
        !known
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agm::{PlainItem, Successor};

    #[test]
    fn only_better_values_are_sent_again() {
        let mut reduction = Reduction::new();
        let mut admits = |vertex, value| {
            reduction.admits(PlainItem::first(vertex, value), |value, state| value < state)
        };
        for vertex in [0, 1, 5, SLOTS as Vertex - 1] {
            assert!(admits(vertex, u32::MAX - 1), "{vertex}");
            assert!(admits(vertex, 7));
            assert!(!admits(vertex, 7));
            assert!(!admits(vertex, 8));
            assert!(admits(vertex, 6));
        }
        // A vertex of the same slot takes it over: the first one is forgotten, and sent once more.
        assert!(admits(SLOTS as Vertex, 9));
        assert!(admits(0, 6));
    }
}
