//! The Kronecker (R-MAT) graphs of Graph500.

use std::fmt;
use std::ops::Range;

use rayon::prelude::*;

use super::lanes::{LANES, Lanes, Row};
use super::mrg::Jump;
use super::{Mrg, Seed, wide};
use crate::graph::{Build, Csr, EdgeList, Vertex, VertexId, Weight};
use crate::memory;

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
/// The largest scale: Graph500 wants vertices of at least this number of bits, and its reference implementation has
/// no more.
const LARGEST_SCALE: u32 = 48;
/// Edges that one task makes at a time.
const CHUNK: usize = 1 << 15;

impl fmt::Display for Rmat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the R-MAT graph of scale {}, edge factor {}", self.scale, self.edge_factor)
    }
}

impl Rmat {
    /// The graph of a scale with Graph500's edge factor, 16.
    ///
    /// # Panics
    /// If the scale is 0 or above 48. Above 32 its list cannot be made with vertices of 32 bits.
    pub fn graph500(scale: u32, seed: Seed) -> Self {
        Self::with_edge_factor(scale, 16, seed)
    }

    /// Makes the graph of a scale with this number of edges per vertex.
    ///
    /// # Panics
    /// If the scale is 0 or above 48.
    pub fn with_edge_factor(scale: u32, edge_factor: u64, seed: Seed) -> Self {
        assert!(
            (1..=LARGEST_SCALE).contains(&scale),
            "R-MAT scale {scale} is not between 1 and {LARGEST_SCALE}"
        );
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

    /// The number of edges; `None` if it has more than 64 bits.
    pub fn edges(&self) -> Option<u64> {
        self.edge_factor.checked_mul(1 << self.scale)
    }

    /// Bytes of the list, and of the construction of an undirected graph from it at its peak; `None` if they have
    /// more than 64 bits. [`memory::require`] checks that the machine has them.
    pub fn peak_bytes(&self) -> Option<u64> {
        let list = self.edges()?.checked_mul(EdgeList::<u32>::BYTES_PER_EDGE)?;
        list.checked_add(Csr::<u32>::peak_bytes(1 << self.scale, self.edges()?, Build::UNDIRECTED)?)
    }

    /// The edges with uniform integer weights 1 to `max_weight`.
    ///
    /// # Panics
    /// If the scale is above 32, or the machine does not have the memory for the list.
    pub fn weighted(&self, max_weight: u32) -> EdgeList<u32> {
        EdgeList::trusted(1 << self.scale, self.make(self.all(), max_weight))
    }

    /// The edges of these numbers, with uniform integer weights 1 to `max_weight`, or those of Graph500 if they are `f32`:
    /// what [`weighted`](Self::weighted) or [`with_unit_weights`](Self::with_unit_weights) has at these positions, for
    /// machines that share the list.
    ///
    /// # Panics
    /// If the scale is above 32, there are no edges of these numbers, or the machine does not have the memory for them.
    pub fn weighted_part<W: Weight>(&self, edges: Range<u64>, max_weight: u32) -> EdgeList<W> {
        self.weighted_part_as(edges, max_weight)
    }

    /// As [`weighted_part`](Self::weighted_part), with vertices of either type.
    ///
    /// # Panics
    /// If the type has fewer bits than the scale, there are no edges of these numbers, or the machine does not have the memory
    /// for them.
    pub fn weighted_part_as<W: Weight, V: VertexId>(
        &self,
        edges: Range<u64>,
        max_weight: u32,
    ) -> EdgeList<W, V> {
        EdgeList::trusted(1 << self.scale, self.make(edges, max_weight))
    }

    /// The edges with Graph500's own weights: uniform in \[0, 1), single precision.
    ///
    /// # Panics
    /// If the scale is above 32, or the machine does not have the memory for the list.
    pub fn with_unit_weights(&self) -> EdgeList<f32> {
        self.with_unit_weights_as()
    }

    /// As [`with_unit_weights`](Self::with_unit_weights), with vertices of either type: `u64` for scales above 32.
    ///
    /// # Panics
    /// If the type has fewer bits than the scale, or the machine does not have the memory for the list.
    pub fn with_unit_weights_as<V: VertexId>(&self) -> EdgeList<f32, V> {
        self.weighted_part_as(self.all(), 1)
    }

    /// The numbers of all edges.
    fn all(&self) -> Range<u64> {
        let edges = self.edges();
        0..edges.unwrap_or_else(|| {
            panic!("the edge list of {self} takes more bytes than can be counted")
        })
    }

    /// Makes the edges of these numbers, in parallel on the current rayon pool.
    fn make<W: Weight, V: VertexId>(&self, part: Range<u64>, max_weight: u32) -> Vec<(V, V, W)> {
        assert!(self.scale <= V::BITS, "{self}: a vertex has {} bits", V::BITS);
        let end = self.all().end;
        assert!(part.start <= part.end && part.end <= end, "edges {part:?} of {end}");
        let count = part.end - part.start;
        let bytes = count.checked_mul(size_of::<(V, V, W)>() as u64);
        memory::require(&format!("the edge list of {self}"), bytes)
            .unwrap_or_else(|error| panic!("{error}"));
        let start = Mrg::new(self.seed);
        let to_next_edge = Jump::of_2_to_64(1);
        let mut edges = vec![(V::default(), V::default(), W::ZERO); count as usize];
        let chunks = edges.par_chunks_mut(CHUNK).enumerate().map(|(chunk, edges)| {
            let mut first = start.clone();
            first.apply(&to_next_edge.times(part.start + (chunk * CHUNK) as u64));
            (first, edges)
        });
        if self.scale > Vertex::BITS {
            let names = wide::Names::new(&start, self.scale);
            chunks.for_each(|(mut stream, edges)| {
                for edge in edges {
                    let (from, to, draw) = wide::edge(stream.clone(), &names);
                    *edge = (
                        V::from_index(from as usize),
                        V::from_index(to as usize),
                        W::from_draw(draw, max_weight),
                    );
                    stream.apply(&to_next_edge);
                }
            });
            return edges;
        }
        let scrambler = Scrambler::new(&start, self.scale);
        let to_next_row = to_next_edge.times(LANES as u64);
        chunks.for_each(|(first, edges)| {
            let mut lanes = Lanes::new(first.clone(), &to_next_edge);
            for (row, edges) in edges.chunks_mut(LANES).enumerate() {
                let (ends, draws, least) = self.row(&lanes);
                lanes.apply(&to_next_row);
                for (lane, edge) in edges.iter_mut().enumerate() {
                    let (mut from_to, mut draw) = (ends[lane], draws[lane]);
                    if least[lane] < BIASED {
                        let mut stream = first.clone();
                        stream.apply(&to_next_edge.times((row * LANES + lane) as u64));
                        (from_to, draw) = self.edge_of_redrawn(stream);
                    }
                    let (from, to) = scrambler.rename(flipped(from_to));
                    let ends = (V::from_index(from as usize), V::from_index(to as usize));
                    *edge = (ends.0, ends.1, W::from_draw(draw, max_weight));
                }
            }
        });
        edges
    }

    /// Makes an edge in each lane: its ends, not renamed or flipped, `from` in the high half, the draw for its weight,
    /// and the least of the numbers that made the ends.
    #[inline(always)]
    fn row(&self, lanes: &Lanes) -> ([u64; LANES], Row, Row) {
        let levels = self.scale as usize;
        let mut groups = [[[0; LANES]; 5]; 7];
        lanes.fill(&mut groups[..levels / 5 + 1]);
        let draws = groups.as_flattened();
        let (mut ends, mut least) = ([0; LANES], [u32::MAX; LANES]);
        for row in &draws[..levels] {
            for lane in 0..LANES {
                ends[lane] = deeper(ends[lane], row[lane]);
                least[lane] = least[lane].min(row[lane]);
            }
        }
        (ends, draws[levels], least)
    }

    /// The same where numbers have to be drawn again, as happens to an edge in 30000.
    #[cold]
    fn edge_of_redrawn(&self, mut stream: Mrg) -> (u64, u32) {
        let mut ends = 0;
        for _ in 0..self.scale {
            ends = deeper(ends, unbiased(&mut stream));
        }
        (ends, stream.draw())
    }
}

/// The next number of a stream that is not to be drawn again.
fn unbiased(stream: &mut Mrg) -> u32 {
    let mut draw = stream.draw();
    while draw < BIASED {
        draw = stream.draw();
    }
    draw
}

/// The quadrant that a stream chooses next.
pub(super) fn drawn_quadrant(stream: &mut Mrg) -> u8 {
    quadrant(unbiased(stream))
}

/// 2⁶⁴/10000, rounded up: the product with a draw, without what exceeds 64 bits, is the remainder of the draw by 10000
/// as a fraction of 2⁶⁴, and at most 2³¹ too large.
const FRACTION: u64 = u64::MAX / WHOLE as u64 + 1;
/// Fractions by their leading bits, which tell all remainders apart: two of them are 1.6 · 2⁵⁰ apart.
const FRACTION_SHIFT: u32 = 50;

/// The quadrant of each fraction, in the order B, C, A, D of the reference implementation: 2 for the lower half of the
/// adjacency matrix, plus 1 for the right half.
static QUADRANTS: [u8; 1 << (u64::BITS - FRACTION_SHIFT)] = {
    let mut quadrants = [0; 1 << (u64::BITS - FRACTION_SHIFT)];
    let mut point = 0;
    while point < WHOLE {
        quadrants[((point as u64 * FRACTION) >> FRACTION_SHIFT) as usize] = if point < B {
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

/// The bits that a quadrant appends to both ends.
static BITS: [u64; 4] = [0, 1, 1 << 32, 1 << 32 | 1];

/// A random quadrant: 0 to 3.
#[inline(always)]
fn quadrant(draw: u32) -> u8 {
    QUADRANTS[(u64::from(draw).wrapping_mul(FRACTION) >> FRACTION_SHIFT) as usize]
}

/// Both ends, one level deeper.
#[inline(always)]
fn deeper(ends: u64, draw: u32) -> u64 {
    // No bit is lost: there are at most 32 levels.
    (ends << 1) + BITS[usize::from(quadrant(draw) & 3)]
}

/// The ends of an edge. Edges have no direction: the first quadrant off the diagonal, if it is the lower left one, is
/// flipped into the upper right one.
#[inline(always)]
fn flipped(ends: u64) -> (u32, u32) {
    let (from, to) = ((ends >> 32) as u32, ends as u32);
    let first = (from ^ to).checked_ilog2().map_or(0, |bit| 1 << bit);
    let flip = from & first;
    // Both bits change: the upper one of the two ends gets 0, the other one 1.
    if flip == 0 { (from, to) } else { (from ^ flip, to ^ flip) }
}

/// The renaming of vertices: a bijection on `scale` bits, so that a number is independent of the degree.
///
/// The reference implementation computes with 64 bits and reverses them all; but it keeps the lowest `scale` bits of each
/// product only, and those depend on the lowest bits of the factors.
struct Scrambler {
    scale: u32,
    summand: u32,
    first: u32,
    second: u32,
}

impl Scrambler {
    fn new(start: &Mrg, scale: u32) -> Self {
        let (first, second) = scrambler_keys(start);
        Self {
            scale,
            summand: first.wrapping_add(second) as u32,
            first: (first | 0x4519_8402_1149_3211) as u32,
            second: (second | 0x3050_8521_02C8_43A5) as u32,
        }
    }

    /// The new names of both ends of an edge.
    #[inline(always)]
    fn rename(&self, (from, to): (u32, u32)) -> (Vertex, Vertex) {
        let sums = (from.wrapping_add(self.summand), to.wrapping_add(self.summand));
        self.reversed(self.reversed(sums, self.first), self.second)
    }

    /// The lowest `scale` bits of two products, in reverse order.
    #[inline(always)]
    fn reversed(&self, (from, to): (u32, u32), factor: u32) -> (u32, u32) {
        let products = (from.wrapping_mul(factor), to.wrapping_mul(factor));
        // Reversing both in one word exchanges them.
        let both = (u64::from(products.1) << 32 | u64::from(products.0)).reverse_bits();
        let shift = u32::BITS - self.scale;
        ((both >> 32) as u32 >> shift, both as u32 >> shift)
    }
}

/// The two numbers that the renaming of vertices is made of.
pub(super) fn scrambler_keys(start: &Mrg) -> (u64, u64) {
    let mut stream = start.clone();
    stream.apply(&Jump::of_2_to_128(50).then(&Jump::of_2_to_64(7)));
    let mut key = || {
        let high = u64::from(stream.draw()).wrapping_mul(0xFFFF_FFFF);
        high.wrapping_add(u64::from(stream.draw()))
    };
    (key(), key())
}

#[cfg(test)]
mod tests;
