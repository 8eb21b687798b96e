//! The random numbers of X10 2.3.

/// The Mersenne Twister of 1998 with the seeding that X10 2.3 has, drawing fractions of 53 bits.
pub(crate) struct Twister {
    words: [u32; 624],
    next: usize,
}

impl Twister {
    pub(crate) fn new(seed: u32) -> Self {
        let mut words = [if seed == 0 { 4357 } else { seed }; 624];
        for at in 1..624 {
            words[at] = words[at - 1].wrapping_mul(69069).wrapping_add(1);
        }
        Self { words, next: 624 }
    }

    fn twist(&mut self) {
        for at in 0..624 {
            let joined = self.words[at] & 1 << 31 | self.words[(at + 1) % 624] & !(1 << 31);
            let odd = if joined & 1 == 1 { 0x9908_B0DF } else { 0 };
            self.words[at] = self.words[(at + 397) % 624] ^ joined >> 1 ^ odd;
        }
        self.next = 0;
    }

    fn word(&mut self) -> u64 {
        if self.next == 624 {
            self.twist();
        }
        let mut word = self.words[self.next];
        self.next += 1;
        word ^= word >> 11;
        word ^= word << 7 & 0x9D2C_5680;
        word ^= word << 15 & 0xEFC6_0000;
        u64::from(word ^ word >> 18)
    }

    pub(crate) fn fraction(&mut self) -> f64 {
        let bits = self.word() << 32 | self.word();
        (bits >> 11) as f64 / (1_u64 << 53) as f64
    }
}
