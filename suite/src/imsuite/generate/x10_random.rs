//! The random numbers that the original nodes draw while an algorithm runs.

/// The Mersenne Twister as the X10 2.3 library seeds and reads it; every original node owns one, seeded with its number.
///
/// Its state takes 2.5 kB per node, so it serves the faithful modes only.
///
/// ```
/// use plusminus_suite::imsuite::generate::X10Random;
///
/// let (mut a, mut b) = (X10Random::new(7), X10Random::new(7));
/// assert_eq!(a.next_fraction(), b.next_fraction());
/// ```
#[derive(Debug, Clone)]
pub struct X10Random {
    words: Box<[u32; 624]>,
    position: usize,
}

impl X10Random {
    /// The stream of a seed; seed 0 stands for 4357, because a state of zeros would never leave zero.
    pub fn new(seed: i64) -> Self {
        let mut words = Box::new([0_u32; 624]);
        let mut last: i64 = if seed == 0 { 4357 } else { seed };
        words[0] = last as u32;
        for word in words.iter_mut().skip(1) {
            // X10 keeps the previous word as a signed 32-bit number when it multiplies in 64 bits.
            last = i64::from((69_069_i64.wrapping_mul(last).wrapping_add(1)) as i32);
            *word = last as u32;
        }
        Self { words, position: 624 }
    }

    /// The next 32 tempered bits.
    pub fn next_word(&mut self) -> u32 {
        if self.position == 624 {
            self.twist();
        }
        let mut y = self.words[self.position];
        self.position += 1;
        y ^= y >> 11;
        y ^= (y << 7) & 0x9D2C_5680;
        y ^= (y << 15) & 0xEFC6_0000;
        y ^ (y >> 18)
    }

    /// Renews all words.
    fn twist(&mut self) {
        for i in 0..624 {
            let y = (self.words[i] & 0x8000_0000) | (self.words[(i + 1) % 624] & 0x7FFF_FFFF);
            let odd = if y & 1 == 1 { 0x9908_B0DF } else { 0 };
            self.words[i] = self.words[(i + 397) % 624] ^ (y >> 1) ^ odd;
        }
        self.position = 0;
    }

    /// A uniform fraction in [0, 1) as its numerator over 2^53: the comparisons of the algorithms need no division.
    pub fn next_fraction(&mut self) -> u64 {
        let high = u64::from(self.next_word());
        let low = u64::from(self.next_word());
        ((high << 32) | low) >> 11
    }

    /// A coin: 0 or 1.
    pub fn next_coin(&mut self) -> u32 {
        self.next_word() & 1
    }
}
