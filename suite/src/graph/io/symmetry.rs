//! Is every arc there in both directions? Answered by fingerprints, in one pass in which no arc looks for another.
//!
//! An arc between u and a larger v with weight w is taken as the number e = (2ᵏ·u + w) + a·v of the field modulo
//! p = 2⁶¹ − 1, with a drawn at random; the arc back as the same one. All arcs up have the same numbers as all arcs down, each
//! as often, if and only if the polynomials Π(z + e) are equal; they are compared at a random z. A graph of m arcs that are
//! not symmetric is believed to be with a probability below 2m/p (two such polynomials agree in at most m/2 points, Schwartz
//! and Zippel; and an arc without reverse shares its number with another one in fewer than 3m/2 of p draws): 10⁻¹⁰ for 10⁸
//! arcs, whatever the file, as the numbers are drawn when it is read.

use std::hash::{BuildHasher, RandomState};

use super::super::Vertex;

/// The modulus.
const P: u64 = (1 << 61) - 1;
/// Products side by side: a multiplication waits for the one before.
const LANES: usize = 4;

/// An arc of a row.
pub(super) trait Arc: bytemuck::Pod + Ord + Send + Sync {
    /// Where it leads.
    fn target(self) -> Vertex;
    /// Its weight, zero without weights.
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

/// What was drawn.
pub(super) struct Key {
    point: u64,
    of_larger_end: u64,
    /// The k above: weights have no more bits, unless there are so many vertices that the field has no room for them.
    weight_bits: u32,
}

impl Key {
    /// For a graph of so many vertices.
    pub(super) fn random(vertices: u64) -> Self {
        let state = RandomState::new();
        let [point, of_larger_end] = [0u8, 1].map(|index| state.hash_one(index) % P);
        let vertex_bits = u64::BITS - vertices.leading_zeros();
        Self { point, of_larger_end, weight_bits: 31.min(60 - vertex_bits) }
    }

    /// Enters the arcs of a row that is sorted by target.
    #[inline]
    pub(super) fn enter<T: Arc>(&self, vertex: Vertex, row: &[T], fingerprint: &mut Fingerprint) {
        let (down, rest) = row.split_at(row.partition_point(|arc| arc.target() < vertex));
        let own = rest.iter().take_while(|arc| arc.target() == vertex).count();
        let bits = self.weight_bits;
        let from_down =
            fold(u128::from(self.point) + u128::from(self.of_larger_end) * u128::from(vertex));
        let from_up = u128::from(self.point + (u64::from(vertex) << bits));
        multiply(&mut fingerprint.down, down, |arc| {
            from_down + (u64::from(arc.target()) << bits) + u64::from(arc.weight())
        });
        multiply(&mut fingerprint.up, &rest[own..], |arc| {
            let larger = u128::from(self.of_larger_end) * u128::from(arc.target());
            fold(from_up + u128::from(arc.weight()) + larger)
        });
        if bits < 31 {
            let weights = row.iter().fold(0, |bits, arc| bits | arc.weight());
            fingerprint.ambiguous |= weights >> bits != 0;
        }
    }
}

/// Multiplies lanes by the numbers of arcs, below 2⁶².
#[inline(always)]
fn multiply<T: Arc>(lanes: &mut [u64; LANES], arcs: &[T], number: impl Fn(T) -> u64) {
    let (groups, rest) = arcs.as_chunks::<LANES>();
    let mut products = *lanes;
    for group in groups {
        for (product, &arc) in products.iter_mut().zip(group) {
            *product = times(*product, number(arc));
        }
    }
    for (product, &arc) in products.iter_mut().zip(rest) {
        *product = times(*product, number(arc));
    }
    *lanes = products;
}

/// The products of some arcs.
pub(super) struct Fingerprint {
    down: [u64; LANES],
    up: [u64; LANES],
    /// Does a weight have too many bits?
    ambiguous: bool,
}

impl Fingerprint {
    pub(super) fn new() -> Self {
        Self { down: [1; LANES], up: [1; LANES], ambiguous: false }
    }

    /// Both together.
    pub(super) fn and(mut self, other: &Self) -> Self {
        for lane in 0..LANES {
            self.down[lane] = times(self.down[lane], other.down[lane]);
            self.up[lane] = times(self.up[lane], other.up[lane]);
        }
        self.ambiguous |= other.ambiguous;
        self
    }

    /// Has every arc its reverse? If this says no, it may still be.
    pub(super) fn is_symmetric(&self) -> bool {
        let whole = |lanes: &[u64]| lanes.iter().fold(1, |all, &lane| times(all, lane)) % P;
        !self.ambiguous && whole(&self.down) == whole(&self.up)
    }
}

/// A product modulo p, below 2⁶¹ + 4: of such a number, and of one below 2⁶².
#[inline(always)]
fn times(lane: u64, number: u64) -> u64 {
    // The product is below 2¹²³ + 2⁶⁴, its fold below 2⁶³.
    fold(fold(u128::from(lane) * u128::from(number)).into())
}

/// A smaller number of the same remainder.
#[inline(always)]
fn fold(number: u128) -> u64 {
    (number as u64 & P) + (number >> 61) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_are_those_of_the_field() {
        let (mut lane, mut expected) = (1u64, 1u128);
        for step in 0..1_000u64 {
            let key = step.wrapping_mul(0x9E37_79B9_7F4A_7C15) % P;
            let number = key + u64::MAX / 8 + step;
            lane = times(lane, number);
            expected = expected * u128::from(number % P) % u128::from(P);
            assert!(lane < (1 << 61) + 4 && u128::from(lane % P) == expected, "{step}");
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
        let edges = (0..400u32).map(|i| (i * 7 % 61, i * i % 61, i % 5 + 1));
        let mut arcs: Vec<_> = edges
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
