//! A small seeded generator, for resampling and for random order: the same seed gives the same p-value on every
//! machine, and a record contains the seed of its order.
//!
//! ```
//! use plusminus_analysis::random::Random;
//!
//! let (mut a, mut b) = (Random::new(101), Random::new(101));
//! assert_eq!(a.below(1_000), b.below(1_000));
//! ```

/// The step of SplitMix64's counter.
pub const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// Turns a counter into a number as SplitMix64 does: each bit of the result depends on each bit of the counter.
#[inline]
pub const fn mix(counter: u64) -> u64 {
    let z = (counter ^ (counter >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// SplitMix64 (Steele, Lea & Flood 2014): 64 bits of state, and enough for resampling.
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    /// Starts from a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(STEP);
        mix(self.0)
    }

    /// A number below `bound`, each with the same probability (but for less than 1 in 2⁶⁴/bound).
    ///
    /// # Panics
    /// When the bound is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        assert!(bound > 0, "nothing is below 0");
        ((u128::from(self.bits()) * bound as u128) >> 64) as usize
    }

    /// Puts elements in a random order, every order with the same probability.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }

    /// A number strictly between 0 and 1.
    pub fn uniform(&mut self) -> f64 {
        ((self.bits() >> 12) as f64 + 0.5) / (1_u64 << 52) as f64
    }

    /// A standard normal number, by Marsaglia's polar method.
    pub fn normal(&mut self) -> f64 {
        loop {
            let (x, y) = (2.0 * self.uniform() - 1.0, 2.0 * self.uniform() - 1.0);
            let s = x * x + y * y;
            if s < 1.0 && s > 0.0 {
                return x * libm::sqrt(-2.0 * libm::log(s) / s);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first outputs of the published SplitMix64 for seed 1234567.
    #[test]
    fn draws_what_splitmix64_draws() {
        let mut random = Random::new(1_234_567);
        let drawn = [random.bits(), random.bits(), random.bits()];
        assert_eq!(
            drawn,
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]
        );
    }

    #[test]
    fn every_order_comes_up_equally_often() {
        let mut random = Random::new(1);
        let mut counts = std::collections::BTreeMap::new();
        for _ in 0..6000 {
            let mut items = [1, 2, 3];
            random.shuffle(&mut items);
            *counts.entry(items).or_insert(0) += 1;
        }
        assert_eq!(counts.len(), 6);
        // Six standard deviations of a binomial count around 1000.
        assert!(counts.values().all(|count| (827..=1173).contains(count)), "{counts:?}");
    }
}
