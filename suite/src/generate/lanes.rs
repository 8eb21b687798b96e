//! Several streams of the Graph500 generator side by side: a stream waits for its previous number, and meanwhile the
//! others can be computed.

use super::Mrg;
use super::mrg::{FIFTH, FIRST, Jump, MODULUS};

/// Streams side by side.
pub(super) const LANES: usize = 4;

/// One number of each stream.
pub(super) type Row = [u32; LANES];

/// Streams at equal distances.
///
/// Numbers are reduced only as far as they have to be: they are congruent to those of the streams, and below 2³².
#[derive(Debug, Clone)]
pub(super) struct Lanes {
    /// The five latest numbers of each stream, the latest first.
    state: [Row; 5],
}

impl Lanes {
    /// A stream, the same after a jump, after two jumps, and so on.
    pub(super) fn new(mut stream: Mrg, apart: &Jump) -> Self {
        let mut state = [[0; LANES]; 5];
        for lane in 0..LANES {
            for (row, number) in state.iter_mut().zip(stream.state) {
                row[lane] = number as u32;
            }
            stream.apply(apart);
        }
        Self { state }
    }

    /// The numbers that follow in each stream, in \[0, 2³¹ − 1), without moving them.
    #[inline(always)]
    pub(super) fn fill(&self, groups: &mut [[Row; 5]]) {
        // Each number replaces the oldest, so that nothing has to be moved.
        let [mut a, mut b, mut c, mut d, mut e] = self.state;
        for group in groups {
            step(&a, &mut e);
            step(&e, &mut d);
            step(&d, &mut c);
            step(&c, &mut b);
            step(&b, &mut a);
            *group = [e, d, c, b, a].map(|row| row.map(reduced));
        }
    }

    /// Moves all streams by a jump.
    #[inline(always)]
    pub(super) fn apply(&mut self, jump: &Jump) {
        let mut moved = [[0; LANES]; 5];
        for (row, factors) in moved.iter_mut().zip(&jump.matrix) {
            for (lane, number) in row.iter_mut().enumerate() {
                // Numbers that come from here are below 2³¹ + 8: three products stay below 2⁶⁴, four do not.
                let product = |term: usize| factors[term] * u64::from(self.state[term][lane]);
                let three = fold(product(0) + product(1) + product(2));
                *number = fold(fold(three + product(3) + product(4))) as u32;
            }
        }
        self.state = moved;
    }
}

/// One step of each stream: the next number replaces the fifth latest.
#[inline(always)]
fn step(latest: &Row, oldest: &mut Row) {
    for (latest, oldest) in latest.iter().zip(oldest) {
        // Below 2⁵⁹ + 2⁴⁹ for numbers below 2³², so the sum of its halves is below 2³¹ + 2²⁹.
        *oldest = fold(FIRST * u64::from(*latest) + FIFTH * u64::from(*oldest)) as u32;
    }
}

/// A smaller number of the same remainder by 2³¹ − 1.
#[inline(always)]
fn fold(number: u64) -> u64 {
    (number & MODULUS) + (number >> 31)
}

/// The remainder by 2³¹ − 1 of a number below twice that.
#[inline(always)]
fn reduced(number: u32) -> u32 {
    const M: u32 = MODULUS as u32;
    if number >= M { number - M } else { number }
}

#[cfg(test)]
mod tests {
    use super::super::Seed;
    use super::*;

    #[test]
    fn lanes_are_streams_at_equal_distances() {
        for seed in [0, 1, 101, u64::MAX] {
            for apart in [Jump::of(1), Jump::of(12_345), Jump::of_2_to_64(1)] {
                let start = Mrg::new(Seed(seed));
                let mut lanes = Lanes::new(start.clone(), &apart);
                let mut streams = Vec::from([start]);
                while streams.len() < LANES {
                    let mut next = streams[streams.len() - 1].clone();
                    next.apply(&apart);
                    streams.push(next);
                }
                for _ in 0..300 {
                    let mut groups = [[[0; LANES]; 5]; 7];
                    lanes.fill(&mut groups);
                    for (lane, stream) in streams.iter_mut().enumerate() {
                        let mut drawn = stream.clone();
                        for row in groups.as_flattened() {
                            assert_eq!(row[lane], drawn.draw(), "lane {lane} of seed {seed}");
                        }
                        stream.apply(&apart);
                    }
                    lanes.apply(&apart);
                }
            }
        }
    }
}
