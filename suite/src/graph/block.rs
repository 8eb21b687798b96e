//! Sorting the arcs of a block of vertices into rows, in time proportional to their number: by the digits of their
//! targets, the lowest first, and at last by row.

use super::split;
use super::vertex::PackedArc;

/// Vertices of a block at most: the number of a row in its block has 16 bits.
pub(super) const VERTICES_OF_BLOCK: usize = 1 << 16;
/// Bits of a target up to which two digits will do: their counters fit the first-level cache together. Twice as many need
/// four, more of them six.
const TWO_DIGITS: u32 = 22;

/// Memory that one block after another is sorted with.
#[derive(Default)]
pub(super) struct Scratch<A> {
    arcs: Vec<A>,
    rows: Vec<u16>,
    other_rows: Vec<u16>,
    /// For each digit of a target, where arcs of each of its values go next.
    digits: [Vec<usize>; 6],
    /// Where arcs of each row go next.
    ends: Vec<usize>,
    /// The heavy arcs of a row.
    heavy: Vec<A>,
}

/// How a block is sorted.
#[derive(Clone, Copy)]
pub(super) struct Order {
    /// Targets are below this.
    pub(super) vertices: usize,
    /// Are several arcs with the same ends kept? Otherwise only the lightest stays.
    pub(super) keep_parallel: bool,
    /// The key up to which arcs come first in their row, if rows are split.
    pub(super) limit: Option<u32>,
}

impl<A: PackedArc> Scratch<A> {
    /// Sorts a block by row, target and weight. Writes the number of arcs of each row to `degrees`, and returns their
    /// sum: if parallel arcs are dropped, the rest of the block is left to be overwritten. Rows are then split by
    /// weight.
    ///
    /// `rows` has the number of the row of each arc.
    pub(super) fn sort(
        &mut self,
        arcs: &mut [A],
        rows: &[u16],
        degrees: &mut [usize],
        order: Order,
    ) -> usize {
        let target_bits = usize::BITS - order.vertices.saturating_sub(1).leading_zeros();
        // An even number, so that the passes, that by row included, end in the scratch memory.
        let passes = 2 * (1 + target_bits.saturating_sub(1) / TWO_DIGITS);
        let digit = Digit { bits: target_bits.div_ceil(passes).max(1) };
        self.count(arcs, rows, degrees.len(), digit, passes as usize);
        self.arcs.resize(arcs.len(), A::default());
        self.rows.resize(arcs.len(), 0);
        self.other_rows.clear();
        self.other_rows.extend_from_slice(rows);
        for pair in 0..passes / 2 {
            let [low, high] = [2 * pair, 2 * pair + 1];
            let [low_cursors, high_cursors] = [low, high].map(|pass| pass as usize);
            distribute(
                (arcs, &self.other_rows),
                (&mut self.arcs, &mut self.rows),
                &mut self.digits[low_cursors],
                |arc| digit.of(arc, low),
            );
            distribute(
                (&self.arcs, &self.rows),
                (arcs, &mut self.other_rows),
                &mut self.digits[high_cursors],
                |arc| digit.of(arc, high),
            );
        }
        for (&arc, &row) in arcs.iter().zip(&self.other_rows) {
            let cursor = &mut self.ends[usize::from(row)];
            self.arcs[*cursor] = arc;
            *cursor += 1;
        }
        self.finish(arcs, degrees, order)
    }

    /// Counts arcs by row and by each digit, and turns the counts into where the first of each goes.
    fn count(&mut self, arcs: &[A], rows: &[u16], count: usize, digit: Digit, passes: usize) {
        for counts in &mut self.digits[..passes] {
            counts.clear();
            counts.resize(1 << digit.bits, 0);
        }
        self.ends.clear();
        self.ends.resize(count, 0);
        for (&arc, &row) in arcs.iter().zip(rows) {
            self.ends[usize::from(row)] += 1;
            for (pass, counts) in self.digits[..passes].iter_mut().enumerate() {
                counts[digit.of(arc, pass as u32)] += 1;
            }
        }
        for counts in self.digits[..passes].iter_mut().chain([&mut self.ends]) {
            let mut sum = 0;
            for count in counts {
                sum += std::mem::replace(count, sum);
            }
        }
    }

    /// Copies sorted rows back, sorts parallel arcs by weight or drops all but the lightest, counts what is left, and splits
    /// it by weight.
    fn finish(&mut self, arcs: &mut [A], degrees: &mut [usize], order: Order) -> usize {
        let parallel = |one: A, other: A| one.target() == other.target();
        let (mut start, mut end) = (0, 0);
        for (degree, &next) in degrees.iter_mut().zip(&self.ends) {
            let begin = end;
            let row = &self.arcs[start..next];
            start = next;
            if order.keep_parallel {
                end += row.len();
                arcs[begin..end].copy_from_slice(row);
                let runs = arcs[begin..end].chunk_by_mut(|&one, &other| parallel(one, other));
                runs.filter(|run| run.len() > 1).for_each(<[A]>::sort_unstable);
            } else {
                for &arc in row {
                    if end > begin && parallel(arcs[end - 1], arc) {
                        arcs[end - 1] = arcs[end - 1].min(arc);
                    } else {
                        arcs[end] = arc;
                        end += 1;
                    }
                }
            }
            if let Some(limit) = order.limit {
                split::partition(&mut arcs[begin..end], limit, &mut self.heavy);
            }
            *degree = end - begin;
        }
        end
    }
}

/// Digits of targets.
#[derive(Clone, Copy)]
struct Digit {
    bits: u32,
}

impl Digit {
    /// The digit of an arc's target by which a pass sorts.
    #[inline(always)]
    fn of<A: PackedArc>(self, arc: A, pass: u32) -> usize {
        arc.digit(pass * self.bits, (1 << self.bits) - 1)
    }
}

/// Moves arcs and the numbers of their rows to where the cursor of their digit points; equal ones stay in their order.
#[inline(always)]
fn distribute<A: Copy>(
    (arcs, rows): (&[A], &[u16]),
    (to_arcs, to_rows): (&mut [A], &mut [u16]),
    cursors: &mut [usize],
    digit: impl Fn(A) -> usize,
) {
    for (&arc, &row) in arcs.iter().zip(rows) {
        let cursor = &mut cursors[digit(arc)];
        to_arcs[*cursor] = arc;
        to_rows[*cursor] = row;
        *cursor += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Makes targets of this number of bits, some of them twice, dealt to three rows.
    fn assert_sorted<A: PackedArc>(bits: u32, target: impl Fn(u64) -> A::Vertex) {
        let draw = |i: u64| i.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (u64::BITS - bits);
        let drawn = (0..900u64).map(|i| (i % 3, draw(i % 500), i as u32 * 7 % 100));
        let mut expected: Vec<_> = drawn.collect();
        let mut arcs: Vec<A> =
            expected.iter().map(|&(_, to, key)| A::pack(target(to), key)).collect();
        let rows: Vec<u16> = expected.iter().map(|&(row, ..)| row as u16).collect();
        expected.sort_unstable();
        let order = Order { vertices: 1 << bits, keep_parallel: true, limit: None };
        let mut degrees = [0; 3];
        let mut scratch = Scratch::default();
        assert_eq!(scratch.sort(&mut arcs, &rows, &mut degrees, order), 900);
        assert_eq!(degrees, [300; 3]);
        let found = arcs.iter().map(|arc| (arc.target(), arc.key()));
        assert!(found.eq(expected.iter().map(|&(_, to, key)| (target(to), key))), "{bits} bits");
    }

    #[test]
    fn targets_of_any_width_are_sorted() {
        for bits in [1, 5, 22, 23, 31] {
            assert_sorted::<u64>(bits, |target| target as u32);
        }
        for bits in [1, 22, 23, 33, 44, 45, 48, 62] {
            assert_sorted::<[u32; 3]>(bits, |target| target);
        }
    }
}
