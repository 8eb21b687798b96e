//! The Kronecker (R-MAT) graphs of Graph500.

use rayon::prelude::*;

use super::mrg::{Ahead, Jump};
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
                let mut stream = at_edge.ahead();
                let (from, to) = self.ends(&mut stream);
                let weight = W::from_draw(stream.draw(), max_weight);
                *edge = (scrambler.rename(from), scrambler.rename(to), weight);
                at_edge.apply(&to_next_edge);
            }
        });
        EdgeList::trusted(1 << self.scale, edges)
    }

    /// Deals one edge: one quadrant for each bit of its ends.
    #[inline]
    fn ends(&self, stream: &mut Ahead) -> (u64, u64) {
        let (mut from, mut to) = (0, 0);
        let mut on_diagonal = 1;
        for _ in 0..self.scale {
            let (lower, right) = quadrant(stream);
            // On the diagonal the lower left quadrant is flipped into the upper right one: edges have no direction.
            let flip = on_diagonal & lower & !right;
            let (lower, right) = (lower ^ flip, right ^ flip);
            on_diagonal &= !(lower ^ right);
            from = 2 * from + lower;
            to = 2 * to + right;
        }
        (from, to)
    }
}

/// A random quadrant of the adjacency matrix: (in the lower half?, in the right half?), each 0 or 1.
#[inline]
fn quadrant(stream: &mut Ahead) -> (u64, u64) {
    let mut draw = stream.draw();
    while draw < BIASED {
        draw = stream.draw();
    }
    // The order B, C, A, D is the reference implementation's.
    let point = draw % WHOLE;
    let is_b = u64::from(point < B);
    let is_c = u64::from(point.wrapping_sub(B) < C);
    let is_d = u64::from(point >= B + C + A);
    (is_c | is_d, is_b | is_d)
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
