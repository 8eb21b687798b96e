//! The kernels of the self-test under plusminus with its default settings.

use std::{collections::HashMap, hint::black_box};

use plusminus::{Bencher, bench};

#[path = "../../../cargo-plusminus/kernels/src/work.rs"]
mod work;

/// The steps of the chain: 3 % more with the feature `slower`.
fn steps() -> u64 {
    work::steps() * if cfg!(feature = "slower") { 103 } else { 100 } / 100
}

#[bench]
fn chain(bencher: Bencher<'_>) {
    let steps = steps();
    bencher.bench(|| work::chain(steps));
}

#[bench]
fn fib20() -> u64 {
    work::fibonacci(black_box(20))
}

#[bench]
fn sort1000(bencher: Bencher<'_>) {
    let numbers = work::numbers(1000);
    bencher.with_inputs(|| numbers.clone()).bench_refs(|numbers| numbers.sort_unstable());
}

#[bench]
fn hash4k(bencher: Bencher<'_>) {
    let bytes: Vec<u8> = (0..4096_u32).map(|i| i as u8).collect();
    bencher.bench(|| work::hash(&bytes));
}

#[bench]
fn hashmap1000(bencher: Bencher<'_>) {
    let numbers = work::numbers(1000);
    bencher.bench(|| -> HashMap<u64, u64> { work::fill_map(&numbers) });
}

#[bench]
fn alloc64k() -> Vec<u8> {
    work::allocate()
}

#[bench]
fn strfmt() -> String {
    work::format_text()
}

#[bench]
fn btree10k(bencher: Bencher<'_>) {
    let (tree, wanted) = work::tree();
    bencher.bench(|| work::look_up(&tree, &wanted));
}

plusminus::main!();
