//! Our own kernels: what `selftest` and `truth` measure. Their sizes come from variables, so that a change of known
//! size needs no other machine code.

use std::{
    collections::{BTreeMap, HashMap},
    env,
    hash::Hasher,
    hint::black_box,
};

use plusminus::{Bencher, bench};
use rayon::prelude::*;

/// The variable that says how many steps the chain has.
pub(crate) const STEPS: &str = "PLUSMINUS_CHAIN_STEPS";

/// Steps of the chain where nobody says otherwise.
pub(crate) const DEFAULT_STEPS: u64 = 10_000;

/// Multiply-adds that each need the one before: time is proportional to their number.
#[bench]
fn chain(bencher: Bencher<'_>) {
    let steps = env::var(STEPS).ok().and_then(|steps| steps.parse().ok()).unwrap_or(DEFAULT_STEPS);
    bencher.bench(|| {
        let mut x = black_box(0x9e37_79b9_u64);
        for _ in 0..black_box(steps) {
            x = black_box(x).wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        }
        x
    });
}

#[bench]
fn arith(bencher: Bencher<'_>) {
    let mut x = 1_u64;
    bencher.bench(move || {
        x = (x ^ 0x55).wrapping_mul(3);
        x
    });
}

fn fibonacci(n: u32) -> u64 {
    if n < 2 { u64::from(n) } else { fibonacci(black_box(n - 1)) + fibonacci(n - 2) }
}

#[bench]
fn fib20() -> u64 {
    fibonacci(black_box(20))
}

#[bench]
fn sort1000(bencher: Bencher<'_>) {
    let numbers = numbers(1000);
    bencher.with_inputs(|| numbers.clone()).bench_refs(|numbers| numbers.sort_unstable());
}

#[bench]
fn hash4k(bencher: Bencher<'_>) {
    let bytes: Vec<u8> = (0..4096_u32).map(|i| i as u8).collect();
    bencher.bench(move || {
        let mut hasher = std::hash::DefaultHasher::new();
        hasher.write(black_box(&bytes));
        hasher.finish()
    });
}

#[bench]
fn hashmap1000(bencher: Bencher<'_>) {
    let numbers = numbers(1000);
    bencher.bench(move || numbers.iter().map(|&n| (n, n)).collect::<HashMap<u64, u64>>());
}

#[bench]
fn alloc64k() -> Vec<u8> {
    vec![black_box(1); 64 << 10]
}

#[bench]
fn strfmt() -> String {
    format!("{}-{:?}-{:08x}", black_box(12345), black_box("text"), black_box(0xbeef))
}

#[bench]
fn btree10k(bencher: Bencher<'_>) {
    let tree: BTreeMap<u64, u64> = numbers(10_000).into_iter().map(|n| (n, n)).collect();
    let wanted: Vec<u64> = tree.keys().copied().step_by(100).collect();
    bencher.bench(move || wanted.iter().filter_map(|key| tree.get(key)).sum::<u64>());
}

/// One cycle through 64 MiB in random order: each step waits for memory.
#[bench]
fn chase64m(bencher: Bencher<'_>) {
    let count = (64 << 20) / size_of::<u32>();
    let mut order: Vec<u32> = (0..count as u32).collect();
    let mut random = plusminus::__runner::Random::new(1);
    random.shuffle(&mut order);
    let mut next = vec![0_u32; count];
    for pair in order.windows(2) {
        next[pair[0] as usize] = pair[1];
    }
    next[order[count - 1] as usize] = order[0];
    let mut at = 0_u32;
    bencher.bench(move || {
        for _ in 0..1000 {
            at = next[at as usize];
        }
        at
    });
}

#[bench(processors = [2])]
fn parsum1m(bencher: Bencher<'_>) {
    let numbers = numbers(1_000_000);
    bencher.bench(move || numbers.par_iter().map(|n| n ^ (n >> 7)).reduce(|| 0, u64::wrapping_add));
}

/// Numbers without an order.
fn numbers(count: usize) -> Vec<u64> {
    let mut x = 88_172_645_463_325_252_u64;
    std::iter::repeat_with(|| {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        x
    })
    .take(count)
    .collect()
}
