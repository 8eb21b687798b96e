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
pub(super) const SUMMED: usize = 1 << 16;
/// The most arcs of a row whose sums are cheaper without branches.
const SHORT: usize = 8;

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

/// What was drawn.
pub(super) struct Key {
    /// The r above, below 2⁴⁵, so that with a weight it is below 2⁴⁶.
    of_arc: u64,
    /// The coordinates x and y, of tails and of heads.
    of_ends: [Coordinates; 2],
    /// Half the bits of a vertex.
    half: u32,
}

/// Random numbers by 16 bits. A graph uses the beginning; what it does not use is never written to.
type Table = Box<[u32; 1 << 16]>;

/// A random number for each vertex.
struct Coordinates {
    low: Table,
    high: Table,
}

impl Coordinates {
    /// For vertices of twice so many bits.
    fn random(half: u32) -> Self {
        let state = RandomState::new();
        let [low, high] = [0, 1].map(|which: u32| {
            let mut table = Table::try_from(vec![0; 1 << 16]).expect("the length of the type");
            for (index, number) in table[..1 << half].iter_mut().enumerate() {
                *number = state.hash_one((which, index)) as u32;
            }
            table
        });
        Self { low, high }
    }

    /// That of a vertex, or of another one if it does not exist.
    #[inline(always)]
    fn of<const HALF: u32>(&self, vertex: Vertex) -> u64 {
        // The mask spares the check of the index.
        let [low, high] = [vertex, vertex >> HALF].map(|half| half as usize & ((1 << HALF) - 1));
        u64::from(self.low[low]) * u64::from(self.high[high])
    }
}

impl Key {
    /// For a graph of so many vertices.
    pub(super) fn random(vertices: u64) -> Self {
        let bits = u64::BITS - vertices.saturating_sub(1).leading_zeros();
        // Three sizes of tables, for each of which the loops over arcs are compiled.
        let half = match bits {
            ..=18 => 9,
            19..=22 => 11,
            _ => 16,
        };
        Self {
            of_arc: RandomState::new().hash_one(0) >> 19,
            of_ends: [0, 1].map(|_| Coordinates::random(half)),
            half,
        }
    }

    /// Enters the arcs of neighbouring rows, given the first vertex and where each row starts, counted from where the first one
    /// does; each is sorted by target. What is added to each weight makes arcs that have none equal to those that were given one.
    ///
    /// At most [`SUMMED`] arcs at once.
    pub(super) fn enter<T: Arc>(
        &self,
        (first, offsets): (usize, &[usize]),
        arcs: &[T],
        added: u32,
        fingerprint: &mut Fingerprint,
    ) {
        debug_assert!(arcs.len() <= SUMMED);
        match self.half {
            9 => self.enter_rows::<T, 9>((first, offsets), arcs, added, fingerprint),
            11 => self.enter_rows::<T, 11>((first, offsets), arcs, added, fingerprint),
            _ => self.enter_rows::<T, 16>((first, offsets), arcs, added, fingerprint),
        }
    }

    fn enter_rows<T: Arc, const HALF: u32>(
        &self,
        (first, offsets): (usize, &[usize]),
        arcs: &[T],
        added: u32,
        fingerprint: &mut Fingerprint,
    ) {
        let [of_tail, of_head] = &self.of_ends;
        let of_arc = self.of_arc + u64::from(added);
        let (mut all_down, mut all_up) = (0, 0);
        for (index, ends) in offsets.windows(2).enumerate() {
            let row = &arcs[ends[0] - offsets[0]..ends[1] - offsets[0]];
            let vertex = (first + index) as Vertex;
            let (down, up) = if row.len() <= SHORT {
                self.sums_of_short::<T, HALF>(vertex, row, of_arc)
            } else {
                self.sums::<T, HALF>(vertex, row, of_arc)
            };
            all_down += folded(u128::from(down) * u128::from(of_head.of::<HALF>(vertex)));
            all_up += folded(u128::from(up) * u128::from(of_tail.of::<HALF>(vertex)));
        }
        fingerprint.down = add(fingerprint.down, fold(all_down));
        fingerprint.up = add(fingerprint.up, fold(all_up));
    }

    /// What the arcs of a row sum up to, those down and those up.
    #[inline(always)]
    fn sums<T: Arc, const HALF: u32>(&self, vertex: Vertex, row: &[T], of_arc: u64) -> (u64, u64) {
        let [of_tail, of_head] = &self.of_ends;
        let entry = |arc: T| u128::from(of_arc + u64::from(arc.weight()));
        let (mut down, mut up) = (0, 0);
        let mut arcs = row.iter();
        let mut next = arcs.next();
        while let Some(&arc) = next
            && arc.target() < vertex
        {
            down += u128::from(of_tail.of::<HALF>(arc.target())) * entry(arc);
            next = arcs.next();
        }
        while let Some(&arc) = next
            && arc.target() == vertex
        {
            next = arcs.next();
        }
        while let Some(&arc) = next {
            up += u128::from(of_head.of::<HALF>(arc.target())) * entry(arc);
            next = arcs.next();
        }
        (fold(down), fold(up))
    }

    /// The same of a short row: without a branch on which they are, as there is no telling in rows of a few arcs.
    #[inline(always)]
    fn sums_of_short<T: Arc, const HALF: u32>(
        &self,
        vertex: Vertex,
        row: &[T],
        of_arc: u64,
    ) -> (u64, u64) {
        let (mut all, mut up) = (0, 0);
        for arc in row {
            let target = arc.target();
            let is_up = target > vertex;
            let is_loop = target == vertex;
            let entry = (of_arc + u64::from(arc.weight())) & u64::from(is_loop).wrapping_sub(1);
            let coordinate = self.of_ends[usize::from(is_up)].of::<HALF>(target);
            let product = u128::from(coordinate) * u128::from(entry);
            all += product;
            up += product & u128::from(is_up).wrapping_neg();
        }
        // Eight products below 2¹¹⁰ fold to less than 2⁶².
        (folded(all - up) as u64, folded(up) as u64)
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

/// The sum of two numbers below p, below p.
#[inline(always)]
fn add(one: u64, other: u64) -> u64 {
    let sum = one + other;
    if sum >= P { sum - P } else { sum }
}

/// A number of the same remainder, below 2⁶⁷ for one below 2¹²⁷.
#[inline(always)]
fn folded(number: u128) -> u128 {
    (number & u128::from(P)) + (number >> 61)
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
            one = add(fold(u128::from(one) * u128::from(number)), number % P);
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
    fn rows_are_entered_one_by_one_or_together_and_whatever_their_length() {
        // Row 6 has arcs down, to itself and up, and is too long to be a short one.
        let targets: Vec<Vec<u32>> =
            vec![vec![], vec![0, 5], vec![3], (0..40).collect(), vec![1, 2, 9]];
        let rows = targets.iter().map(|row| row.iter().map(|&to| [to.to_le(), (to % 7).to_le()]));
        let rows: Vec<Vec<[u32; 2]>> = rows.map(Iterator::collect).collect();
        let mut offsets = vec![100];
        rows.iter().for_each(|row| offsets.push(offsets[offsets.len() - 1] + row.len()));
        for vertices in [1 << 10, 1 << 20, 1 << 30] {
            let key = Key::random(vertices);
            let mut together = Fingerprint::new();
            key.enter((3, &offsets), &rows.concat(), 0, &mut together);
            let mut one_by_one = Fingerprint::new();
            for (index, row) in rows.iter().enumerate() {
                for arc in row {
                    key.enter((3 + index, &[7, 8]), std::slice::from_ref(arc), 0, &mut one_by_one);
                }
            }
            assert_eq!((together.down, together.up), (one_by_one.down, one_by_one.up));
            assert_ne!(together.down, together.up);
        }
    }

    #[test]
    fn without_weights_an_arc_is_the_same_in_a_file_and_in_a_graph() {
        let key = Key::random(9);
        let mut sums = [0, 1, 2].map(|_| Fingerprint::new());
        key.enter((3, &[0, 2]), &[1u32.to_le(), 5u32.to_le()], 7, &mut sums[0]);
        key.enter((3, &[0, 2]), &[1u64 << 32 | 7, 5u64 << 32 | 7], 0, &mut sums[1]);
        key.enter((3, &[0, 2]), &[1u32.to_le(), 6u32.to_le()], 7, &mut sums[2]);
        let [in_file, in_graph, other] = sums.map(|sums| (sums.down, sums.up));
        assert_eq!(in_file, in_graph);
        assert_ne!(in_file, other);
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
