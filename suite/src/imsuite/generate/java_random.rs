//! The random numbers of the original input generators.

/// The linear congruential generator that the Java platform specifies as `java.util.Random`.
///
/// The original inputs are a function of its stream, so this is the only generator that can regenerate them.
///
/// ```
/// use plusminus_suite::imsuite::generate::JavaRandom;
///
/// let mut random = JavaRandom::new(42);
/// assert_eq!(random.next_int(), -1_170_105_035);
/// assert_eq!(random.below(10), 3);
/// ```
#[derive(Debug, Clone)]
pub struct JavaRandom {
    state: u64,
}

/// Multiplier of the recurrence, also mixed into the seed.
const MULTIPLIER: u64 = 0x5_DEEC_E66D;
/// States have 48 bits.
const MASK: u64 = (1 << 48) - 1;

impl JavaRandom {
    /// The stream that belongs to a seed.
    pub fn new(seed: u64) -> Self {
        Self { state: (seed ^ MULTIPLIER) & MASK }
    }

    /// The highest `bits` bits of the next state, as the signed number they would be in Java.
    fn next(&mut self, bits: u32) -> i32 {
        self.state = self.state.wrapping_mul(MULTIPLIER).wrapping_add(0xB) & MASK;
        (self.state >> (48 - bits)) as i32
    }

    /// A uniform 32-bit number.
    pub fn next_int(&mut self) -> i32 {
        self.next(32)
    }

    /// A uniform number in `0..bound`.
    ///
    /// # Panics
    /// When the bound is zero.
    pub fn below(&mut self, bound: u32) -> u32 {
        assert!(bound > 0, "a random number below 0 was asked for");
        if bound.is_power_of_two() {
            return ((u64::from(bound) * self.next(31) as u64) >> 31) as u32;
        }
        loop {
            let bits = self.next(31) as u32;
            let value = bits % bound;
            // The last, incomplete stretch of the range would favor small values: it is drawn again.
            if bits - value + (bound - 1) < 1 << 31 {
                return value;
            }
        }
    }

    /// A position in `0..count`, drawn as the original draws positions to swap: |number| mod count.
    pub fn position(&mut self, count: usize) -> usize {
        self.next_int().unsigned_abs() as usize % count
    }
}
