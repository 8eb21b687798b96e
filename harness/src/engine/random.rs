//! The one source of random order, seeded so that a record says how its order came about.

use rand_xoshiro::{
    Xoshiro256PlusPlus,
    rand_core::{Rng, SeedableRng},
};

/// A seeded generator.
#[derive(Debug)]
pub struct Random(Xoshiro256PlusPlus);

impl Random {
    /// The same seed gives the same numbers.
    pub fn new(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// A number below `bound`, which is small here: the bias of the multiplication is below 2⁻⁵⁰.
    pub fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.0.next_u64()) * bound as u128) >> 64) as usize
    }

    /// Every order with equal probability.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
