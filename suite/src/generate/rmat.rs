//! The Kronecker (R-MAT) graphs of Graph500.

use rayon::prelude::*;

use super::mrg::Jump;
use super::{Mrg, Seed};
use crate::graph::{EdgeList, Vertex, Weight};

/// The generator of Graph500: 2^scale vertices, `edge_factor` · 2^scale edges, recursively dealt to the quadrants
/// of the adjacency matrix with probabilities A = 0.57, B = C = 0.19, D = 0.05, then vertices renamed.
///
/// Edge number e is made from the random numbers 2⁶⁴ · e, 2⁶⁴ · e + 1 … of the seed's stream, so that the list does
/// not depend on the number of threads. It is the list of the reference implementation (version 3), weights
/// included; like it, it may contain self-loops and the same edge several times.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rmat {
    scale: u32,
    edge_factor: u64,
    seed: Seed,
}

/// Quadrant probabilities in 1/10000.
const A: u32 = 5_700;
const B: u32 = 1_900;
const C: u32 = 1_900;
const WHOLE: u32 = 10_000;
/// Draws below this are drawn again, so that the remainder by 10000 has no preference.
const BIASED: u32 = 0x7FFF_FFFF % WHOLE;
/// Edges that one task makes at a time.
const CHUNK: usize = 1 << 13;

impl Rmat {
    /// The graph of a scale with Graph500's edge factor, 16.
    ///
    /// # Panics
    /// If the scale is above 32: a vertex is a 32-bit number.
    pub fn graph500(scale: u32, seed: Seed) -> Self {
        Self::with_edge_factor(scale, 16, seed)
    }

    /// The graph of a scale with so many edges per vertex.
    ///
    /// # Panics
    /// If the scale is 0 or above 32.
    pub fn with_edge_factor(scale: u32, edge_factor: u64, seed: Seed) -> Self {
        assert!((1..=32).contains(&scale), "R-MAT scale {scale} is not between 1 and 32");
        Self { scale, edge_factor, seed }
    }

    /// The scale: the binary logarithm of the number of vertices.
    pub fn scale(&self) -> u32 {
        self.scale
    }

    /// The number of edges per vertex.
    pub fn edge_factor(&self) -> u64 {
        self.edge_factor
    }

    /// The edges with uniform integer weights 1 to `max_weight`.
    pub fn weighted(&self, max_weight: u32) -> EdgeList<u32> {
        self.edges(max_weight)
    }

    /// The edges with Graph500's own weights: uniform in \[0, 1), single precision.
    pub fn with_unit_weights(&self) -> EdgeList<f32> {
        self.edges(1)
    }

    /// Makes all edges, in parallel on the current rayon pool.
    fn edges<W: Weight>(&self, max_weight: u32) -> EdgeList<W> {
        let count = (self.edge_factor << self.scale) as usize;
        let start = Mrg::new(self.seed);
        let scrambler = Scrambler::new(&start, self.scale);
        let to_next_edge = Jump::of_2_to_64(1);
        let mut edges = vec![(0, 0, W::ZERO); count];
        edges.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, edges)| {
            let mut at_edge = start.clone();
            at_edge.apply(&Jump::of_2_to_64((chunk * CHUNK) as u64));
            for edge in edges {
                let (from, to, draw) = self.edge(&at_edge);
                let weight = W::from_draw(draw, max_weight);
                *edge = (scrambler.rename(from), scrambler.rename(to), weight);
                at_edge.apply(&to_next_edge);
            }
        });
        EdgeList::trusted(1 << self.scale, edges)
    }

    /// Makes an edge from where its random numbers start: its ends, not renamed, and the draw for its weight.
    #[inline]
    fn edge(&self, stream: &Mrg) -> (u64, u64, u32) {
        let levels = self.scale as usize;
        // All numbers first, so that the rest need not wait for one at a time.
        let mut groups = [[0; 5]; 7];
        stream.fill(&mut groups[..levels / 5 + 1]);
        let draws = groups.as_flattened();
        let (mut quadrants, mut least) = (0, u32::MAX);
        for &draw in &draws[..levels] {
            quadrants = 4 * quadrants + quadrant(draw);
            least = least.min(draw);
        }
        if least < BIASED {
            return self.edge_of_redrawn(stream.clone());
        }
        let (from, to) = ends(quadrants);
        (from, to, draws[levels])
    }

    /// The same where numbers have to be drawn again, as happens to an edge in 30000.
    #[cold]
    fn edge_of_redrawn(&self, mut stream: Mrg) -> (u64, u64, u32) {
        let mut quadrants = 0;
        for _ in 0..self.scale {
            let mut draw = stream.draw();
            while draw < BIASED {
                draw = stream.draw();
            }
            quadrants = 4 * quadrants + quadrant(draw);
        }
        let (from, to) = ends(quadrants);
        (from, to, stream.draw())
    }
}

/// The quadrant of each remainder by 10000, in the order B, C, A, D of the reference implementation: 2 for the lower half
/// of the adjacency matrix, plus 1 for the right half.
static QUADRANTS: [u8; WHOLE as usize] = {
    let mut quadrants = [0; WHOLE as usize];
    let mut point = 0;
    while point < WHOLE {
        quadrants[point as usize] = if point < B {
            1
        } else if point < B + C {
            2
        } else if point < B + C + A {
            0
        } else {
            3
        };
        point += 1;
    }
    quadrants
};

/// A random quadrant.
#[inline]
fn quadrant(draw: u32) -> u64 {
    u64::from(QUADRANTS[(draw % WHOLE) as usize])
}

/// The ends of an edge of these quadrants, two bits for each level.
#[inline]
fn ends(quadrants: u64) -> (u64, u64) {
    const RIGHT: u64 = 0x5555_5555_5555_5555;
    // Edges have no direction: the first quadrant off the diagonal, if it is the lower left one, is flipped into the
    // upper right one.
    let off_diagonal = (quadrants ^ quadrants >> 1) & RIGHT;
    let first = if off_diagonal == 0 { 0 } else { 1 << off_diagonal.ilog2() };
    let flip = first & (quadrants >> 1);
    let quadrants = quadrants ^ (flip | flip << 1);
    (every_other_bit(quadrants >> 1), every_other_bit(quadrants))
}

/// The even bits of a word, side by side.
#[inline]
fn every_other_bit(word: u64) -> u64 {
    let mut x = word & 0x5555_5555_5555_5555;
    x = (x | x >> 1) & 0x3333_3333_3333_3333;
    x = (x | x >> 2) & 0x0f0f_0f0f_0f0f_0f0f;
    x = (x | x >> 4) & 0x00ff_00ff_00ff_00ff;
    x = (x | x >> 8) & 0x0000_ffff_0000_ffff;
    (x | x >> 16) & 0x0000_0000_ffff_ffff
}

/// The renaming of vertices: a bijection on `scale` bits, so that a number tells nothing about a degree.
struct Scrambler {
    scale: u32,
    first: u64,
    second: u64,
}

impl Scrambler {
    fn new(start: &Mrg, scale: u32) -> Self {
        let mut stream = start.clone();
        stream.apply(&Jump::of_2_to_128(50).then(&Jump::of_2_to_64(7)));
        let mut key = || {
            let high = u64::from(stream.draw()).wrapping_mul(0xFFFF_FFFF);
            high.wrapping_add(u64::from(stream.draw()))
        };
        let (first, second) = (key(), key());
        Self { scale, first, second }
    }

    #[inline]
    fn rename(&self, vertex: u64) -> Vertex {
        let shift = 64 - self.scale;
        let mut v = vertex.wrapping_add(self.first).wrapping_add(self.second);
        v = v.wrapping_mul(self.first | 0x4519_8402_1149_3211).reverse_bits() >> shift;
        v = v.wrapping_mul(self.second | 0x3050_8521_02C8_43A5).reverse_bits() >> shift;
        v as Vertex
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// FNV-1a over the ends and the bits of the weights, as 32-bit little-endian words.
    fn fingerprint(edges: &EdgeList<f32>) -> u64 {
        let words = edges.edges().iter().flat_map(|&(u, v, w)| [u, v, w.to_bits()]);
        words.flat_map(u32::to_le_bytes).fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        })
    }

    fn reference(scale: u32, first: u64, second: u64) -> u64 {
        assert_eq!(first.wrapping_add(1), second);
        fingerprint(&Rmat::graph500(scale, Seed(first)).with_unit_weights())
    }

    /// Values printed by the Graph500 reference implementation (3.0) for these scales and user seeds.
    #[test]
    fn edges_are_those_of_the_reference_implementation() {
        let list = Rmat::graph500(10, Seed(2)).with_unit_weights();
        assert_eq!(list.edges()[0], (299, 797, 0.490_170_42));
        assert_eq!(list.edges()[16_383], (206, 55, 0.848_867_83));
        assert_eq!(reference(10, 2, 3), 0xbe46_90a6_2a09_0a4a);
        assert_eq!(reference(7, 101, 102), 0x56ef_9d7b_873c_8036);
        assert_eq!(reference(16, 2, 3), 0x7579_e27c_37c8_e2b2);
    }

    #[test]
    fn renaming_is_a_bijection() {
        for scale in [1, 2, 7, 12] {
            let scrambler = Scrambler::new(&Mrg::new(Seed(5)), scale);
            let mut seen = vec![false; 1 << scale];
            (0..1 << scale).for_each(|v| seen[scrambler.rename(v) as usize] = true);
            assert!(seen.iter().all(|&s| s), "scale {scale}");
        }
    }
}
