//! Is every arc there in both directions? Answered by fingerprints, in one pass in which no arc looks for another.
//!
//! Where no arc is there twice, arcs of weight w from u to a larger v are summed as w + r at place (u, v) of a matrix U, and
//! arcs back at the same place of a matrix D, r drawn at random. All arcs have their reverse if and only if U = D; compared
//! are xᵀUy and xᵀDy for random x and y modulo p = 2⁶¹ − 1. The coordinates of a vertex are products of two random
//! 32-bit numbers, one for each half of its number, so that they fit two small tables. Two such forms are of degree four in
//! numbers that are drawn from 2³² or more, so different ones agree with a probability below 2⁻³⁰ (Schwartz and Zippel),
//! whatever the file, as the numbers are drawn when it is read.

use std::hash::{BuildHasher, RandomState};

use super::super::Vertex;

/// The modulus.
const P: u64 = (1 << 61) - 1;
/// Products of less than 2¹¹⁰ that are summed without a remainder.
const SUMMED: usize = 1 << 16;
/// The most arcs of a row whose sums are cheaper without branches.
const SHORT: usize = 8;

/// An arc of a file, as it is there or as graphs have it.
pub(super) trait Arc: bytemuck::Pod + Send + Sync {
    /// Where it leads.
    fn target(self) -> Vertex;
    /// Its weight, the same for all arcs without weights.
    fn weight(self) -> u32;
}

impl Arc for u64 {
    #[inline(always)]
    fn target(self) -> Vertex {
        (self >> 32) as Vertex
    }

    #[inline(always)]
    fn weight(self) -> u32 {
        self as u32
    }
}

/// An arc of a `.wsg` file.
impl Arc for [u32; 2] {
    #[inline(always)]
    fn target(self) -> Vertex {
        Vertex::from_le(self[0])
    }

    #[inline(always)]
    fn weight(self) -> u32 {
        u32::from_le(self[1])
    }
}

/// An arc of an `.sg` file.
impl Arc for u32 {
    #[inline(always)]
    fn target(self) -> Vertex {
        Vertex::from_le(self)
    }

    #[inline(always)]
    fn weight(self) -> u32 {
        0
    }
}

/// What was drawn.
pub(super) struct Key {
    /// The r above, below 2⁴⁵, so that with a weight it is below 2⁴⁶.
    of_arc: u64,
    /// The coordinates x and y.
    of_tail: Coordinates,
    of_head: Coordinates,
    /// The bits of a weight that count.
    of_weight: u32,
}

/// Random numbers by 16 bits. A graph uses the beginning; what it does not use is never written to.
type Table = Box<[u32; 1 << 16]>;

/// A random number for each vertex.
struct Coordinates {
    low: Table,
    high: Table,
    /// Bits of a vertex that are an index of the first table.
    bits: u32,
}

impl Coordinates {
    fn random(vertices: u64) -> Self {
        let state = RandomState::new();
        let bits = (u64::BITS - vertices.saturating_sub(1).leading_zeros()).div_ceil(2);
        let [low, high] = [0, 1].map(|which: u32| {
            let mut table = Table::try_from(vec![0; 1 << 16]).expect("the length of the type");
            for (index, number) in table[..1 << bits].iter_mut().enumerate() {
                *number = state.hash_one((which, index)) as u32;
            }
            table
        });
        Self { low, high, bits }
    }

    /// That of a vertex, or of another one if it does not exist.
    #[inline(always)]
    fn of(&self, vertex: Vertex) -> u64 {
        // Casts to 16 bits spare the check of the index.
        let low = self.low[usize::from((vertex & ((1 << self.bits) - 1)) as u16)];
        u64::from(low) * u64::from(self.high[usize::from((vertex >> self.bits) as u16)])
    }
}

impl Key {
    /// For a graph of so many vertices.
    pub(super) fn random(vertices: u64) -> Self {
        Self {
            of_arc: RandomState::new().hash_one(0) >> 19,
            of_tail: Coordinates::random(vertices),
            of_head: Coordinates::random(vertices),
            of_weight: u32::MAX,
        }
    }

    /// Looks at ends alone: what a file without weights is given for one stands in some rows already, and not in others.
    pub(super) fn without_weights(self) -> Self {
        Self { of_weight: 0, ..self }
    }

    /// Enters the arcs of a row that is sorted by target.
    #[inline]
    pub(super) fn enter<T: Arc>(&self, vertex: Vertex, row: &[T], fingerprint: &mut Fingerprint) {
        let (down, up) = if row.len() <= SHORT {
            self.sums_of_short(vertex, row)
        } else {
            let (down, rest) = self.sum_while(row, &self.of_tail, |target| target < vertex);
            let own = rest.iter().take_while(|arc| arc.target() == vertex).count();
            (down, self.sum_while(&rest[own..], &self.of_head, |_| true).0)
        };
        fingerprint.down = add(fingerprint.down, times(down, self.of_head.of(vertex)));
        fingerprint.up = add(fingerprint.up, times(up, self.of_tail.of(vertex)));
    }

    /// What the arcs of a short row sum up to, those down and those up: without a branch on which they are, as there is no
    /// telling in rows of a few arcs.
    #[inline(always)]
    fn sums_of_short<T: Arc>(&self, vertex: Vertex, row: &[T]) -> (u64, u64) {
        let (mut down, mut up) = (0, 0);
        for arc in row {
            let target = arc.target();
            let entry = u128::from(self.of_arc + u64::from(arc.weight() & self.of_weight));
            let is_down = u64::from(target < vertex).wrapping_neg();
            let is_up = u64::from(target > vertex).wrapping_neg();
            down += u128::from(self.of_tail.of(target) & is_down) * entry;
            up += u128::from(self.of_head.of(target) & is_up) * entry;
        }
        (fold(down), fold(up))
    }

    /// What the first arcs of a row, those whose targets are such, sum up to, and the other arcs.
    ///
    /// One after the other: to search for the end takes longer, as most rows are short.
    #[inline(always)]
    fn sum_while<'r, T: Arc>(
        &self,
        row: &'r [T],
        coordinates: &Coordinates,
        such: impl Fn(Vertex) -> bool,
    ) -> (u64, &'r [T]) {
        let mut all = 0;
        for (piece, arcs) in row.chunks(SUMMED).enumerate() {
            let mut sum = 0;
            for (index, arc) in arcs.iter().enumerate() {
                if !such(arc.target()) {
                    return (add(all, fold(sum)), &row[piece * SUMMED + index..]);
                }
                let entry = self.of_arc + u64::from(arc.weight() & self.of_weight);
                sum += u128::from(coordinates.of(arc.target())) * u128::from(entry);
            }
            all = add(all, fold(sum));
        }
        (all, &[])
    }
}

/// The sums of some arcs.
pub(super) struct Fingerprint {
    down: u64,
    up: u64,
    /// Is an arc there twice, perhaps with another weight?
    pub(super) ambiguous: bool,
}

impl Fingerprint {
    pub(super) fn new() -> Self {
        Self { down: 0, up: 0, ambiguous: false }
    }

    /// Both together.
    pub(super) fn and(self, other: &Self) -> Self {
        Self {
            down: add(self.down, other.down),
            up: add(self.up, other.up),
            ambiguous: self.ambiguous | other.ambiguous,
        }
    }

    /// Has every arc its reverse? If this says no, it may still be.
    pub(super) fn is_symmetric(&self) -> bool {
        !self.ambiguous && self.down == self.up
    }
}

/// The product of a number below p and another one, below p.
#[inline(always)]
fn times(one: u64, other: u64) -> u64 {
    fold(u128::from(one) * u128::from(other))
}

/// The sum of two numbers below p, below p.
#[inline(always)]
fn add(one: u64, other: u64) -> u64 {
    let sum = one + other;
    if sum >= P { sum - P } else { sum }
}

/// The remainder of a number below 2¹²⁷.
#[inline(always)]
fn fold(number: u128) -> u64 {
    // Below 2⁶¹ + 2⁶⁶, then below 2⁶¹ + 2⁶.
    let once = (number & u128::from(P)) + (number >> 61);
    let twice = (once as u64 & P) + (once >> 61) as u64;
    if twice >= P { twice - P } else { twice }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_and_products_are_those_of_the_field() {
        let (mut one, mut expected) = (1u64, 1u128);
        for step in 0..1_000u64 {
            let number = step.wrapping_mul(0x9E37_79B9_7F4A_7C15);
            one = add(times(one, number), number % P);
            expected = (expected * u128::from(number) + u128::from(number % P)) % u128::from(P);
            assert_eq!(u128::from(one), expected, "{step}");
        }
        let p = u128::from(P);
        for number in [0, 1, p - 1, p, p + 1, p << 61, (p << 61) - 1, (1 << 127) - 1] {
            assert_eq!(u128::from(fold(number)), number % p, "{number}");
        }
    }

    fn fingerprint(arcs: &[(u32, u32, u32)], key: &Key) -> Fingerprint {
        let vertices = arcs.iter().map(|arc| arc.0.max(arc.1) + 1).max().unwrap_or(0);
        (0..vertices).fold(Fingerprint::new(), |all, vertex| {
            let mut row: Vec<u64> = arcs
                .iter()
                .filter(|arc| arc.0 == vertex)
                .map(|arc| u64::from(arc.1) << 32 | u64::from(arc.2))
                .collect();
            row.sort_unstable();
            let mut mine = Fingerprint::new();
            key.enter(vertex, &row, &mut mine);
            all.and(&mine)
        })
    }

    #[test]
    fn any_change_of_one_arc_is_seen() {
        let drawn = (0..400u32).map(|i| (i * 7 % 61, i * i % 61, i % 5 + 1));
        let mut edges: Vec<_> = drawn.map(|(u, v, w)| (u.min(v), u.max(v), w)).collect();
        edges.sort_unstable();
        edges.dedup_by_key(|&mut (u, v, _)| (u, v));
        let mut arcs: Vec<_> = edges
            .into_iter()
            .flat_map(|(u, v, w)| if u == v { vec![(u, v, w)] } else { vec![(u, v, w), (v, u, w)] })
            .collect();
        assert!(fingerprint(&arcs, &Key::random(61)).is_symmetric());
        for index in 0..arcs.len() {
            let arc = arcs[index];
            if arc.0 == arc.1 {
                continue;
            }
            let heavier = (arc.0, arc.1, arc.2 + 9);
            let elsewhere = (arc.0, (arc.1 + 1) % 61, arc.2);
            for other in [heavier, elsewhere] {
                arcs[index] = other;
                assert!(!fingerprint(&arcs, &Key::random(61)).is_symmetric(), "{arc:?}, {other:?}");
            }
            arcs[index] = arc;
        }
        arcs.swap_remove(3);
        assert!(!fingerprint(&arcs, &Key::random(61)).is_symmetric());
    }

    #[test]
    fn without_weights_an_arc_is_the_same_in_a_file_and_in_a_graph() {
        let key = Key::random(9).without_weights();
        let sums = |enter: &dyn Fn(&mut Fingerprint)| {
            let mut sums = Fingerprint::new();
            enter(&mut sums);
            (sums.down, sums.up)
        };
        let in_file = sums(&|sums| key.enter(3, &[1u32.to_le(), 5u32.to_le()], sums));
        let in_graph = sums(&|sums| key.enter(3, &[1u64 << 32 | 7, 5u64 << 32 | 7], sums));
        assert_eq!(in_file, in_graph);
        assert_ne!(in_file, sums(&|sums| key.enter(3, &[1u32.to_le(), 6u32.to_le()], sums)));
    }

    /// Arcs whose ends and weights have the same sums, and sums of products: what a weaker fingerprint would not see.
    #[test]
    fn equal_moments_do_not_deceive() {
        let arcs = [
            (0, 5, 1),
            (5, 0, 2),
            (1, 4, 2),
            (4, 1, 1),
            (0, 4, 2),
            (4, 0, 1),
            (1, 5, 1),
            (5, 1, 2),
        ];
        assert!(!fingerprint(&arcs, &Key::random(61)).is_symmetric());
    }
}
