//! Values that nodes publish for others to read.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use super::shake::shake;

/// One published number per node. Each node writes its own, and the others read it in later phases, never in the same
/// one. The end of a phase orders them. So relaxed atomics, which cost as much as plain memory, are enough.
///
/// ```
/// let board = plusminus_suite::places::Board::new(3, 7);
/// board.set(1, 8);
/// assert_eq!([board.get(0), board.get(1)], [7, 8]);
/// ```
#[derive(Debug)]
pub struct Board(Vec<AtomicU32>);

impl Board {
    /// The same number for all nodes.
    pub fn new(nodes: usize, value: u32) -> Self {
        Self((0..nodes).map(|_| AtomicU32::new(value)).collect())
    }

    /// Returns the number that a node has published.
    #[inline]
    pub fn get(&self, node: u32) -> u32 {
        shake();
        self.0[node as usize].load(Relaxed)
    }

    /// Publishes.
    #[inline]
    pub fn set(&self, node: u32, value: u32) {
        self.0[node as usize].store(value, Relaxed);
        shake();
    }
}
