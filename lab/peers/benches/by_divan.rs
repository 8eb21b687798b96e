//! The kernels of the self-test under divan with its default settings.

use std::{collections::HashMap, hint::black_box};

use divan::Bencher;

#[path = "../../../cargo-plusminus/kernels/src/work.rs"]
mod work;

fn main() {
    divan::main();
}

#[divan::bench]
fn chain(bencher: Bencher<'_, '_>) {
    let steps = work::steps();
    bencher.bench(|| work::chain(steps));
}

#[divan::bench]
fn arith(bencher: Bencher<'_, '_>) {
    let mut x = 1_u64;
    bencher.bench_local(move || {
        x = work::arith(x);
        x
    });
}

#[divan::bench]
fn fib20() -> u64 {
    work::fibonacci(black_box(20))
}

#[divan::bench]
fn sort1000(bencher: Bencher<'_, '_>) {
    let numbers = work::numbers(1000);
    bencher.with_inputs(|| numbers.clone()).bench_refs(|numbers| numbers.sort_unstable());
}

#[divan::bench]
fn hash4k(bencher: Bencher<'_, '_>) {
    let bytes: Vec<u8> = (0..4096_u32).map(|i| i as u8).collect();
    bencher.bench(|| work::hash(&bytes));
}

#[divan::bench]
fn hashmap1000(bencher: Bencher<'_, '_>) {
    let numbers = work::numbers(1000);
    bencher.bench(|| -> HashMap<u64, u64> { work::fill_map(&numbers) });
}

#[divan::bench]
fn alloc64k() -> Vec<u8> {
    work::allocate()
}

#[divan::bench]
fn strfmt() -> String {
    work::format_text()
}

#[divan::bench]
fn btree10k(bencher: Bencher<'_, '_>) {
    let (tree, wanted) = work::tree();
    bencher.bench(|| work::look_up(&tree, &wanted));
}

#[divan::bench]
fn chase64m(bencher: Bencher<'_, '_>) {
    let cycle = work::cycle();
    let mut at = 0;
    bencher.bench_local(move || {
        at = work::chase(&cycle, at);
        at
    });
}

#[divan::bench]
fn parsum1m(bencher: Bencher<'_, '_>) {
    let numbers = work::numbers(1_000_000);
    bencher.bench(|| work::parallel_sum(&numbers));
}
