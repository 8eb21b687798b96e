//! Keeps a sender from telling an owner what it has told before.

use crate::graph::Vertex;

/// Vertices that are remembered, 2¹⁴: 128 KiB per thread.
const SLOTS: usize = 1 << 14;

/// The best distances that a sender has sent lately ("message reduction" of active message systems).
#[derive(Debug)]
pub struct Reduction {
    /// Vertex in the high half, key in the low half; empty slots hold a vertex that other slots would hold.
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
        let mut sent = vec![u64::from(u32::MAX); SLOTS];
        sent[0] = 1 << 32 | u64::from(u32::MAX);
        Self { sent }
    }

    /// Is it worth sending this key? Remembers it if so.
    #[inline]
    pub fn admits(&mut self, vertex: Vertex, key: u32) -> bool {
        let slot = &mut self.sent[vertex as usize % SLOTS];
        let known = (*slot >> 32) as Vertex == vertex && *slot as u32 <= key;
        if !known {
            *slot = u64::from(vertex) << 32 | u64::from(key);
        }
        !known
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_better_keys_are_sent_again() {
        let mut reduction = Reduction::new();
        for vertex in [0, 1, 5, SLOTS as Vertex - 1] {
            assert!(reduction.admits(vertex, u32::MAX - 1), "{vertex}");
            assert!(reduction.admits(vertex, 7));
            assert!(!reduction.admits(vertex, 7));
            assert!(!reduction.admits(vertex, 8));
            assert!(reduction.admits(vertex, 6));
        }
        // A vertex of the same slot takes it over: the first one is forgotten, and sent once more.
        assert!(reduction.admits(SLOTS as Vertex, 9));
        assert!(reduction.admits(0, 6));
    }
}
