//! The random numbers of Apex-MAP: the 48-bit congruential generator that POSIX calls `drand48`.
//! The original draws its indices from it, so the same seed walks the same path here.

use plusminus_analysis::random::{STEP, mix};

/// The generator behind POSIX `srand48` and `drand48`: X ← (X·0x5DEECE66D + 0xB) mod 2⁴⁸, U = X/2⁴⁸.
///
/// ```
/// use plusminus_suite::apex_map::Drand48;
///
/// let mut random = Drand48::new(1);
/// assert_eq!(random.uniform(), 0.041_630_344_771_878_214);
/// ```
#[derive(Debug, Clone)]
pub struct Drand48 {
    state: u64,
}

impl Drand48 {
    const MULTIPLIER: u64 = 0x5_DEEC_E66D;
    const INCREMENT: u64 = 0xB;
    const MASK: u64 = (1 << 48) - 1;

    /// Seeds it as `srand48` does: the seed in the upper 32 bits, 0x330E below.
    pub fn new(seed: u32) -> Self {
        Self { state: u64::from(seed) << 16 | 0x330E }
    }

    /// The next number of the half-open interval [0, 1).
    pub fn uniform(&mut self) -> f64 {
        self.state =
            self.state.wrapping_mul(Self::MULTIPLIER).wrapping_add(Self::INCREMENT) & Self::MASK;
        self.state as f64 / (1u64 << 48) as f64
    }
}

/// Scrambles a number so that each bit of the result depends on each bit of it.
#[inline]
pub(crate) fn scramble(number: u64) -> u64 {
    mix(number.wrapping_add(STEP))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Printed by glibc 2.36 with enough digits to identify a double.
    #[test]
    fn gives_the_numbers_of_the_c_library() {
        let mut random = Drand48::new(1);
        let found: Vec<f64> = (0..5).map(|_| random.uniform()).collect();
        assert_eq!(
            found,
            [
                0.041630344771878214,
                0.45449244472862915,
                0.8348172181669149,
                0.33598603014520023,
                0.5654894035661364
            ]
        );
        let mut random = Drand48::new(12345);
        let found: Vec<f64> = (0..3).map(|_| random.uniform()).collect();
        assert_eq!(found, [0.22532851279629895, 0.919183068533556, 0.20684125324818226]);
    }
}
