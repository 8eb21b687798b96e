//! Edges of the Kronecker graphs of Graph500 whose vertices have more than 32 bits: one by one, as the specification has them.

use super::Mrg;
use super::rmat::{drawn_quadrant, scrambler_keys};

/// Makes one edge of a graph of such a scale from its part of the stream: its ends, and the draw for its weight.
pub(super) fn edge(mut stream: Mrg, names: &Names) -> (u64, u64, u32) {
    let (mut from, mut to) = (0, 0);
    for _ in 0..names.scale {
        let quadrant = drawn_quadrant(&mut stream);
        let (lower, right) = (u64::from(quadrant >> 1), u64::from(quadrant & 1));
        // Edges have no direction: as long as both ends are the same, the lower left quadrant is the upper right one.
        let flipped = from == to && lower > right;
        let (lower, right) = if flipped { (right, lower) } else { (lower, right) };
        (from, to) = (from << 1 | lower, to << 1 | right);
    }
    (names.of(from), names.of(to), stream.draw())
}

/// The renaming of vertices: a bijection on `scale` bits.
pub(super) struct Names {
    scale: u32,
    first: u64,
    second: u64,
}

impl Names {
    /// Those of the graph whose stream begins here.
    pub(super) fn new(start: &Mrg, scale: u32) -> Self {
        let (first, second) = scrambler_keys(start);
        Self { scale, first, second }
    }

    fn of(&self, vertex: u64) -> u64 {
        let reversed = |number: u64| number.reverse_bits() >> (u64::BITS - self.scale);
        let sum = vertex.wrapping_add(self.first).wrapping_add(self.second);
        let once = reversed(sum.wrapping_mul(self.first | 0x4519_8402_1149_3211));
        reversed(once.wrapping_mul(self.second | 0x3050_8521_02C8_43A5))
    }
}
