//! The kernels of the self-test under gungraun with its default settings.

use std::{
    collections::{BTreeMap, HashMap},
    hint::black_box,
};

use gungraun::prelude::*;

#[path = "../../../cargo-plusminus/kernels/src/work.rs"]
mod work;

/// The steps of the chain: 3 % more with the feature `slower`.
fn steps() -> u64 {
    work::steps() * if cfg!(feature = "slower") { 103 } else { 100 } / 100
}

#[library_benchmark]
#[bench::once(steps())]
fn chain(steps: u64) -> u64 {
    black_box(work::chain(steps))
}

#[library_benchmark]
#[bench::once(20)]
fn fib20(n: u32) -> u64 {
    black_box(work::fibonacci(black_box(n)))
}

#[library_benchmark]
#[bench::once(work::numbers(1000))]
fn sort1000(mut numbers: Vec<u64>) -> Vec<u64> {
    numbers.sort_unstable();
    black_box(numbers)
}

#[library_benchmark]
#[bench::once((0..4096_u32).map(|i| i as u8).collect())]
fn hash4k(bytes: Vec<u8>) -> u64 {
    black_box(work::hash(&bytes))
}

#[library_benchmark]
#[bench::once(work::numbers(1000))]
fn hashmap1000(numbers: Vec<u64>) -> HashMap<u64, u64> {
    black_box(work::fill_map(&numbers))
}

#[library_benchmark]
fn alloc64k() -> Vec<u8> {
    black_box(work::allocate())
}

#[library_benchmark]
fn strfmt() -> String {
    black_box(work::format_text())
}

#[library_benchmark]
#[bench::once(work::tree())]
fn btree10k((tree, wanted): (BTreeMap<u64, u64>, Vec<u64>)) -> u64 {
    black_box(work::look_up(&tree, &wanted))
}

library_benchmark_group!(
    name = kernels,
    benchmarks = [chain, fib20, sort1000, hash4k, hashmap1000, alloc64k, strfmt, btree10k]
);
main!(library_benchmark_groups = kernels);
