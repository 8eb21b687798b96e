//! The random number generator of Graph500: a multiple recursive generator that can skip ahead.

use super::Seed;

/// The modulus, a Mersenne prime.
pub(super) const MODULUS: u64 = (1 << 31) - 1;
/// The multiplier of the latest number.
pub(super) const FIRST: u64 = 107_374_182;
/// The multiplier of the fifth latest number.
pub(super) const FIFTH: u64 = 104_480;

/// A stream of numbers in \[0, 2³¹ − 1): xₙ = 107374182 xₙ₋₁ + 104480 xₙ₋₅ mod 2³¹ − 1 (L'Ecuyer, Blouin, Couture
/// 1993, table 3), as the Graph500 benchmark prescribes it.
///
/// ```
/// use plusminus_suite::generate::{Mrg, Seed};
///
/// let mut one_by_one = Mrg::new(Seed(101));
/// (0..1000).for_each(|_| { one_by_one.draw(); });
/// let mut ahead = Mrg::new(Seed(101));
/// ahead.skip(1000);
/// assert_eq!(one_by_one.draw(), ahead.draw());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mrg {
    /// The five latest numbers, the latest first.
    pub(super) state: [u64; 5],
}

impl Mrg {
    /// The stream of a seed and its successor, spread over five words that are never zero.
    pub fn new(seed: Seed) -> Self {
        Self::from_user_seeds(seed.0, seed.0.wrapping_add(1))
    }

    /// The stream of the two "user seeds" of Graph500.
    pub fn from_user_seeds(first: u64, second: u64) -> Self {
        const THIRTY_BITS: u64 = (1 << 30) - 1;
        let state = [
            (first & THIRTY_BITS) + 1,
            ((first >> 30) & THIRTY_BITS) + 1,
            (second & THIRTY_BITS) + 1,
            ((second >> 30) & THIRTY_BITS) + 1,
            ((second >> 60) << 4) + (first >> 60) + 1,
        ];
        Self { state }
    }

    /// The part of a seed's stream that Graph500 sets aside for its other choices, such as where searches start:
    /// it begins 2¹²⁹ numbers on, far behind all edges.
    pub fn aside(seed: Seed) -> Self {
        let mut stream = Self::new(seed);
        stream.apply(&Jump::of_2_to_128(2));
        stream
    }

    /// The next number, in \[0, 2³¹ − 1).
    #[inline]
    pub fn draw(&mut self) -> u32 {
        let [latest, second, third, fourth, fifth] = self.state;
        let next = reduce(FIRST * latest + FIFTH * fifth);
        self.state = [next, latest, second, third, fourth];
        next as u32
    }

    /// The next real number in \[0, 1), made of two draws.
    pub fn draw_real(&mut self) -> f64 {
        let (high, low) = (f64::from(self.draw()), f64::from(self.draw()));
        high * 4.656_612_875_245_797e-10 + low * 2.168_404_344_997_099e-19
    }

    /// Moves `steps` draws ahead.
    pub fn skip(&mut self, steps: u64) {
        self.apply(&Jump::of(steps));
    }

    /// Moves by a jump.
    pub(super) fn apply(&mut self, jump: &Jump) {
        let [a, b, c, d, e] = &jump.matrix;
        let state = &self.state;
        self.state = [dot(a, state), dot(b, state), dot(c, state), dot(d, state), dot(e, state)];
    }
}

/// Many steps of the generator at once: a power of its transition matrix, computed when it is needed.
#[derive(Debug, Clone)]
pub(super) struct Jump {
    /// Each entry is below the modulus.
    pub(super) matrix: [[u64; 5]; 5],
}

impl Jump {
    /// Returns the jump of this number of steps.
    pub(super) fn of(steps: u64) -> Self {
        let mut result = Self::none();
        let mut power = Self::step();
        let mut rest = steps;
        while rest > 0 {
            if rest & 1 == 1 {
                result = result.then(&power);
            }
            power = power.then(&power);
            rest >>= 1;
        }
        result
    }

    /// `count` times 2⁶⁴ steps.
    pub(super) fn of_2_to_64(count: u64) -> Self {
        let mut power = Self::of(1 << 63);
        power = power.then(&power);
        power.times(count)
    }

    /// `count` times 2¹²⁸ steps.
    pub(super) fn of_2_to_128(count: u64) -> Self {
        let mut power = Self::of_2_to_64(1 << 63);
        power = power.then(&power);
        power.times(count)
    }

    /// This jump `count` times.
    pub(super) fn times(&self, count: u64) -> Self {
        let mut result = Self::none();
        let mut power = self.clone();
        let mut rest = count;
        while rest > 0 {
            if rest & 1 == 1 {
                result = result.then(&power);
            }
            power = power.then(&power);
            rest >>= 1;
        }
        result
    }

    /// No step.
    fn none() -> Self {
        let mut matrix = [[0; 5]; 5];
        (0..5).for_each(|i| matrix[i][i] = 1);
        Self { matrix }
    }

    /// One step.
    fn step() -> Self {
        let mut matrix = [[0; 5]; 5];
        matrix[0][0] = FIRST;
        matrix[0][4] = FIFTH;
        (1..5).for_each(|i| matrix[i][i - 1] = 1);
        Self { matrix }
    }

    /// Both jumps; powers of one matrix commute.
    pub(super) fn then(&self, other: &Self) -> Self {
        let columns: [[u64; 5]; 5] =
            std::array::from_fn(|j| std::array::from_fn(|i| other.matrix[i][j]));
        Self { matrix: self.matrix.map(|row| columns.map(|column| dot(&row, &column))) }
    }
}

/// The scalar product of two vectors of numbers below the modulus.
#[inline]
fn dot(a: &[u64; 5], b: &[u64; 5]) -> u64 {
    // Four products stay below 2⁶⁴, five do not.
    let four = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
    reduce((four & MODULUS) + (four >> 31) + a[4] * b[4])
}

/// The remainder by 2³¹ − 1 of any number below 2⁶³.
#[inline]
fn reduce(number: u64) -> u64 {
    let once = (number & MODULUS) + (number >> 31);
    let twice = (once & MODULUS) + (once >> 31);
    if twice >= MODULUS { twice - MODULUS } else { twice }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reals_are_those_of_the_reference_implementation() {
        let mut stream = Mrg::aside(Seed(2));
        let expected = [
            0.410_212_082_829_285,
            0.037_614_701_324_416_445,
            0.484_517_281_001_115_85,
            0.725_087_599_132_793_7,
            0.994_089_839_845_731_1,
            0.221_166_824_570_893_26,
        ];
        assert_eq!(expected.map(|_| stream.draw_real()), expected);
    }

    #[test]
    fn jumps_are_many_steps() {
        for steps in [0, 1, 2, 5, 255, 256, 12_345] {
            let mut slow = Mrg::new(Seed(7));
            (0..steps).for_each(|_| {
                slow.draw();
            });
            let mut fast = Mrg::new(Seed(7));
            fast.skip(steps);
            assert_eq!(slow, fast, "{steps}");
        }
    }

    #[test]
    fn reduction_is_the_remainder() {
        for number in [0, 1, MODULUS - 1, MODULUS, MODULUS + 1, 1 << 62, (1 << 63) - 1] {
            assert_eq!(reduce(number), number % MODULUS);
        }
    }
}
