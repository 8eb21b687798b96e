//! Ten kernels of different kinds, from a nanosecond to a millisecond.

use std::{
    collections::{BTreeMap, HashMap},
    hash::{DefaultHasher, Hasher},
    hint::black_box,
};

use rayon::prelude::*;

/// A multiplication and an exclusive or.
#[inline]
pub fn arith() -> u64 {
    crate::tiny::arith(black_box(0x1234_5678_9abc_def1))
}

/// The twentieth Fibonacci number, by recursion.
pub fn fib20() -> u64 {
    fn fib(n: u64) -> u64 {
        if n < 2 { n } else { fib(n - 1) + fib(n - 2) }
    }
    fib(black_box(20))
}

/// A thousand numbers in no order, the same in every process.
pub fn unsorted() -> Vec<u64> {
    let mut state = 1_u64;
    let mut next = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state >> 20
    };
    (0..1000).map(|_| next()).collect()
}

/// Sorts numbers.
pub fn sort(numbers: &mut [u64]) {
    numbers.sort_unstable();
}

/// Four KiB to be hashed.
pub fn four_kib() -> Vec<u8> {
    (0..4096_u32).map(|i| (i * 31 % 251) as u8).collect()
}

/// The standard hash of bytes.
pub fn hash(bytes: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(black_box(bytes));
    hasher.finish()
}

/// A hash map of a thousand numbers, built from nothing.
pub fn hashmap1000() -> HashMap<u64, u64> {
    let mut map = HashMap::new();
    for key in 0..black_box(1000) {
        map.insert(key, key * key);
    }
    map
}

/// Sixty-four KiB of memory.
pub fn alloc64k() -> Vec<u8> {
    Vec::with_capacity(black_box(64 << 10))
}

/// Three numbers as text.
pub fn strfmt() -> String {
    let (number, real, pair) = black_box((12_345_u32, 3.25_f64, (1_u8, 2_u8)));
    format!("{number} {real:.3} {pair:?}")
}

/// Ten thousand numbers in a tree.
pub fn tree() -> BTreeMap<u64, u64> {
    (0..10_000_u64).map(|i| (i * 7_919 % 10_007, i)).collect()
}

/// A hundred look-ups in a tree.
pub fn btree(tree: &BTreeMap<u64, u64>) -> u64 {
    let keys = (0..100_u64).map(|i| black_box(i * 104_729 % 10_007));
    keys.filter_map(|key| tree.get(&key)).sum()
}

/// One cycle through all of 64 MiB: each place holds the next one.
pub fn cycle() -> Vec<u32> {
    const PLACES: u32 = 1 << 24;
    // A linear congruential generator modulo a power of two has one cycle if the factor is 1 modulo 4 and the
    // increment odd (Hull & Dobell 1962).
    (0..PLACES)
        .map(|place| place.wrapping_mul(0x00ad_e1b5).wrapping_add(0x0065_4321) % PLACES)
        .collect()
}

/// A thousand steps along a cycle, each waiting for the one before.
pub fn chase(cycle: &[u32]) -> u32 {
    let mut place = black_box(0_u32);
    for _ in 0..1000 {
        place = cycle[place as usize];
    }
    place
}

/// A million numbers.
pub fn million() -> Vec<u64> {
    (0..1_000_000).collect()
}

/// Their sum, by all threads of the pool.
pub fn parsum(numbers: &[u64]) -> u64 {
    numbers.par_iter().sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernels_do_what_they_say() {
        assert_eq!(fib20(), 6_765);
        let mut numbers = unsorted();
        assert!(!numbers.is_sorted());
        sort(&mut numbers);
        assert!(numbers.is_sorted());
        assert_eq!(hashmap1000()[&31], 961);
        assert_eq!(alloc64k().capacity(), 64 << 10);
        assert_eq!(strfmt(), "12345 3.250 (1, 2)");
        assert_eq!(parsum(&million()), 499_999_500_000);
        assert!(btree(&tree()) > 0);
        assert_ne!(hash(&four_kib()), hash(&[0; 4096]));
    }

    #[test]
    fn the_cycle_goes_through_every_place() {
        let cycle = cycle();
        let (mut place, mut steps) = (cycle[0], 1_u32);
        while place != 0 {
            place = cycle[place as usize];
            steps += 1;
        }
        assert_eq!(steps, 1 << 24);
        assert_ne!(chase(&cycle), 0);
    }
}
