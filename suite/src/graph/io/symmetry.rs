//! Is every arc there in both directions? Answered by a fingerprint, in one pass in which no arc looks for another.
//!
//! If no arc is there twice, an arc and its reverse are the only ones with their two ends and their weight. Each arc
//! has a hash of these three, the same in both directions, and the exclusive or of all hashes is zero if every arc
//! has its reverse. If one has none, it is zero with a probability below 2⁻⁶⁰ as far as hashes are as good as random
//! numbers. That is assumed and not proven, as for the hashes of tables. They depend on a key that is drawn when a
//! file is read, so a file cannot be made for a known one.

use std::hash::{BuildHasher, RandomState};

use super::super::Vertex;

/// An arc of a file, as it is there or as graphs have it.
pub(super) trait Arc: bytemuck::Pod + Send + Sync {
    /// Where it leads.
    fn target(self) -> Vertex;
    /// Its weight, the same for all arcs without weights.
    fn weight(self) -> u32;
    /// Both in one word.
    #[inline(always)]
    fn word(self) -> u64 {
        u64::from(self.target()) | u64::from(self.weight()) << 32
    }
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

/// Random numbers.
pub(super) struct Key {
    /// Vertices times this odd number lie far apart: near ones would have products of nearly the same high half.
    factor: u64,
    /// Added to those.
    of_ends: u64,
    /// Added to weights.
    of_weight: u64,
}

impl Key {
    /// Draws one.
    pub(super) fn random() -> Self {
        Self::of([(); 3].map(|()| RandomState::new().hash_one(0)))
    }

    /// Of three words.
    fn of([factor, of_ends, of_weight]: [u64; 3]) -> Self {
        Self { factor: factor | 1, of_ends, of_weight }
    }

    /// The word of a vertex.
    #[inline(always)]
    fn end(&self, vertex: Vertex) -> u64 {
        self.factor.wrapping_mul(u64::from(vertex)).wrapping_add(self.of_ends)
    }

    /// Enters the arcs of neighboring rows, given the first vertex and where each row starts, counted from where the
    /// first one does. The addition to each weight makes arcs without one equal to arcs with a default one.
    pub(super) fn enter<T: Arc>(
        &self,
        (first, offsets): (usize, &[usize]),
        arcs: &[T],
        added: u32,
        fingerprint: &mut Fingerprint,
    ) {
        let of_weight = self.of_weight.wrapping_add(u64::from(added));
        let mut all = 0;
        for (index, ends) in offsets.windows(2).enumerate() {
            let vertex = (first + index) as Vertex;
            let tail = self.end(vertex);
            for arc in &arcs[ends[0] - offsets[0]..ends[1] - offsets[0]] {
                // The same in both directions.
                let ends = folded(product(tail, self.end(arc.target())));
                // A loop is its own reverse.
                let ends = if arc.target() == vertex { 0 } else { ends };
                // A word of 128 bits also keeps the compiler from multiplying in vectors, which have no such instruction.
                all ^= product(ends, of_weight.wrapping_add(u64::from(arc.weight())));
            }
        }
        fingerprint.all ^= all;
    }
}

/// The product of two words.
#[inline(always)]
fn product(one: u64, other: u64) -> u128 {
    u128::from(one) * u128::from(other)
}

/// The two halves of a product, each bit of which depends on many of both factors.
#[inline(always)]
fn folded(product: u128) -> u64 {
    product as u64 ^ (product >> 64) as u64
}

/// The combined hashes of some arcs.
pub(super) struct Fingerprint {
    all: u128,
    /// Is an arc there twice, perhaps with another weight?
    pub(super) ambiguous: bool,
}

impl Fingerprint {
    pub(super) fn new() -> Self {
        Self { all: 0, ambiguous: false }
    }

    /// Both together.
    pub(super) fn and(self, other: &Self) -> Self {
        Self { all: self.all ^ other.all, ambiguous: self.ambiguous | other.ambiguous }
    }

    /// Has every arc its reverse? If this says no, it may still be.
    pub(super) fn is_symmetric(&self) -> bool {
        !self.ambiguous && self.all == 0
    }
}

#[cfg(test)]
mod tests {
    use std::hash::{BuildHasherDefault, DefaultHasher};

    use super::*;

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
            key.enter((vertex as usize, &[0, row.len()]), &row, 0, &mut mine);
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
        assert!(fingerprint(&arcs, &Key::random()).is_symmetric());
        for index in 0..arcs.len() {
            let arc = arcs[index];
            if arc.0 == arc.1 {
                continue;
            }
            let heavier = (arc.0, arc.1, arc.2 + 9);
            let elsewhere = (arc.0, (arc.1 + 1) % 61, arc.2);
            for other in [heavier, elsewhere] {
                arcs[index] = other;
                assert!(!fingerprint(&arcs, &Key::random()).is_symmetric(), "{arc:?}, {other:?}");
            }
            arcs[index] = arc;
        }
        arcs.swap_remove(3);
        assert!(!fingerprint(&arcs, &Key::random()).is_symmetric());
    }

    #[test]
    fn rows_are_entered_one_by_one_or_together_and_whatever_their_length() {
        // Row 6 has arcs down, to itself and up.
        let targets: Vec<Vec<u32>> =
            vec![vec![], vec![0, 5], vec![3], (0..40).collect(), vec![1, 2, 9]];
        let rows = targets.iter().map(|row| row.iter().map(|&to| [to.to_le(), (to % 7).to_le()]));
        let rows: Vec<Vec<[u32; 2]>> = rows.map(Iterator::collect).collect();
        let mut offsets = vec![100];
        rows.iter().for_each(|row| offsets.push(offsets[offsets.len() - 1] + row.len()));
        let key = Key::random();
        let mut together = Fingerprint::new();
        key.enter((3, &offsets), &rows.concat(), 0, &mut together);
        let mut one_by_one = Fingerprint::new();
        for (index, row) in rows.iter().enumerate() {
            for arc in row {
                key.enter((3 + index, &[7, 8]), std::slice::from_ref(arc), 0, &mut one_by_one);
            }
        }
        assert_eq!(together.all, one_by_one.all);
        assert_ne!(together.all, 0);
    }

    #[test]
    fn without_weights_an_arc_is_the_same_in_a_file_and_in_a_graph() {
        let key = Key::random();
        let mut sums = [0, 1, 2].map(|_| Fingerprint::new());
        key.enter((3, &[0, 2]), &[1u32.to_le(), 5u32.to_le()], 7, &mut sums[0]);
        key.enter((3, &[0, 2]), &[1u64 << 32 | 7, 5u64 << 32 | 7], 0, &mut sums[1]);
        key.enter((3, &[0, 2]), &[1u32.to_le(), 6u32.to_le()], 7, &mut sums[2]);
        let [in_file, in_graph, other] = sums.map(|sums| sums.all);
        assert_eq!(in_file, in_graph);
        assert_ne!(in_file, other);
    }

    /// Arcs, four of which a weak hash would cancel more often than random numbers do: 8 bits of all four together are zero 1 in 256
    /// times, wherever they are taken from.
    #[test]
    fn four_arcs_cancel_as_seldom_as_random_numbers_do() {
        const TRIALS: u32 = 40_000;
        let state = BuildHasherDefault::<DefaultHasher>::default();
        let words = |trial: u32| [0, 1, 2].map(|which| state.hash_one((trial, which)));
        let keys: Vec<Key> = (0..TRIALS).map(|trial| Key::of(words(trial))).collect();
        for arcs in [
            [(1_000, 0, 5), (1_000, 1, 5), (1_001, 0, 5), (1_001, 1, 5)],
            [(1_000, 0, 5), (1_000, 1, 6), (1_001, 0, 6), (1_001, 1, 5)],
            [(1_000, 0, 5), (1_000, 0, 6), (1_000, 1, 5), (1_000, 1, 6)],
            [(1_000, 0, 0), (1_000, 1, 1 << 30), (66_536, 0, 1 << 30), (66_536, 1, 0)],
            // The same sum of the ends, and products that differ as much in the first two as in the last two.
            [(1_001, 999, 1), (1_007, 993, 1), (1_004, 996, 1), (1_008, 992, 1)],
        ] {
            let together = |key: &Key| {
                let mut all = Fingerprint::new();
                for (tail, head, weight) in arcs {
                    key.enter((tail, &[0, 1]), &[[head, weight]], 0, &mut all);
                }
                // Both halves are zero only if this is.
                folded(all.all)
            };
            let drawn: Vec<u64> = keys.iter().map(together).collect();
            for shift in [0, 28, 56] {
                let zeros = drawn.iter().filter(|&&all| all >> shift & 0xFF == 0).count();
                // 156 expected, with a deviation of 12.5.
                assert!((94..=219).contains(&zeros), "{arcs:?}, {shift}: {zeros}");
            }
        }
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
        assert!(!fingerprint(&arcs, &Key::random()).is_symmetric());
    }
}
