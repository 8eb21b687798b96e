//! Eleven kernels of different kinds, from a nanosecond to a millisecond, that know no harness: `lab/peers` includes
//! this file to run the same functions under others. A variable sizes one of them, so that a slowdown of known size
//! needs no other machine code.

use std::{
    collections::{BTreeMap, HashMap},
    env,
    hash::{DefaultHasher, Hasher},
    hint::black_box,
};

use rayon::prelude::*;

/// The variable with the number of steps of the chain.
pub const STEPS: &str = "PLUSMINUS_CHAIN_STEPS";

/// Steps of the chain if the variable is not set. They are enough that the other costs of a call (tens of
/// instructions, one mispredicted branch at the end) change a ratio by less than 0.01 %.
pub const DEFAULT_STEPS: u64 = 100_000;

/// The steps that the variable asks for.
pub(crate) fn steps() -> u64 {
    env::var(STEPS).ok().and_then(|steps| steps.parse().ok()).unwrap_or(DEFAULT_STEPS)
}

/// Multiply-adds that each need the one before: time and instructions are proportional to their number.
pub(crate) fn chain(steps: u64) -> u64 {
    let mut x = black_box(0x9e37_79b9_u64);
    for _ in 0..black_box(steps) {
        x = black_box(x).wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
    }
    x
}

/// One multiplication: about a nanosecond.
pub(crate) fn arith(x: u64) -> u64 {
    (black_box(x) ^ 0x55).wrapping_mul(3)
}

/// Calls.
pub(crate) fn fibonacci(n: u32) -> u64 {
    if n < 2 { u64::from(n) } else { fibonacci(black_box(n - 1)) + fibonacci(n - 2) }
}

/// Hashes bytes.
pub(crate) fn hash(bytes: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(black_box(bytes));
    hasher.finish()
}

/// Fills a hash map with a random seed of its own, as every map of the standard library has.
pub(crate) fn fill_map(numbers: &[u64]) -> HashMap<u64, u64> {
    numbers.iter().map(|&n| (n, n)).collect()
}

/// Allocates and writes 64 KiB.
pub(crate) fn allocate() -> Vec<u8> {
    vec![black_box(1); 64 << 10]
}

/// Formats.
pub(crate) fn format_text() -> String {
    format!("{}-{:?}-{:08x}", black_box(12345), black_box("text"), black_box(0xbeef))
}

/// A tree of ten thousand numbers, and a hundred to look up.
pub(crate) fn tree() -> (BTreeMap<u64, u64>, Vec<u64>) {
    let tree: BTreeMap<u64, u64> = numbers(10_000).into_iter().map(|n| (n, n)).collect();
    let wanted = tree.keys().copied().step_by(100).collect();
    (tree, wanted)
}

/// Looks numbers up.
pub(crate) fn look_up(tree: &BTreeMap<u64, u64>, wanted: &[u64]) -> u64 {
    wanted.iter().filter_map(|key| tree.get(black_box(key))).fold(0, |sum, n| sum ^ n)
}

/// One cycle through 64 MiB in random order.
pub(crate) fn cycle() -> Vec<u32> {
    let count = (64 << 20) / size_of::<u32>();
    let mut order: Vec<u32> = (0..count as u32).collect();
    let mut random = 88_172_645_463_325_252_u64;
    for last in (1..count).rev() {
        random = next(random);
        order.swap(last, (random % (last as u64 + 1)) as usize);
    }
    let mut cycle = vec![0_u32; count];
    for pair in order.windows(2) {
        cycle[pair[0] as usize] = pair[1];
    }
    cycle[order[count - 1] as usize] = order[0];
    cycle
}

/// A thousand steps along the cycle: each waits for memory.
pub(crate) fn chase(cycle: &[u32], at: u32) -> u32 {
    (0..1000).fold(at, |at, _| cycle[at as usize])
}

/// A sum by all threads of the pool.
pub(crate) fn parallel_sum(numbers: &[u64]) -> u64 {
    numbers.par_iter().map(|n| n ^ (n >> 7)).reduce(|| 0, u64::wrapping_add)
}

/// Numbers without an order.
pub(crate) fn numbers(count: usize) -> Vec<u64> {
    let mut x = 88_172_645_463_325_252_u64;
    std::iter::repeat_with(|| {
        x = next(x);
        x
    })
    .take(count)
    .collect()
}

/// Marsaglia's xorshift.
fn next(mut x: u64) -> u64 {
    x ^= x << 13;
    x ^= x >> 7;
    x ^ (x << 17)
}
