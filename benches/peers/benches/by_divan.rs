//! The ten kernels under divan, as its documentation would have them.

use std::collections::HashMap;

use divan::Bencher;
use plusminus_peers::kernels;

fn main() {
    divan::main();
}

#[divan::bench]
fn arith() -> u64 {
    kernels::arith()
}

#[divan::bench]
fn fib20() -> u64 {
    kernels::fib20()
}

#[divan::bench]
fn sort1000(bencher: Bencher<'_, '_>) {
    let numbers = kernels::unsorted();
    bencher.with_inputs(|| numbers.clone()).bench_refs(|numbers| kernels::sort(numbers));
}

#[divan::bench]
fn hash4k(bencher: Bencher<'_, '_>) {
    let bytes = kernels::four_kib();
    bencher.bench(|| kernels::hash(&bytes));
}

#[divan::bench]
fn hashmap1000() -> HashMap<u64, u64> {
    kernels::hashmap1000()
}

#[divan::bench]
fn alloc64k() -> Vec<u8> {
    kernels::alloc64k()
}

#[divan::bench]
fn strfmt() -> String {
    kernels::strfmt()
}

#[divan::bench]
fn btree(bencher: Bencher<'_, '_>) {
    let tree = kernels::tree();
    bencher.bench(|| kernels::btree(&tree));
}

#[divan::bench]
fn chase64m(bencher: Bencher<'_, '_>) {
    let cycle = kernels::cycle();
    bencher.bench(|| kernels::chase(&cycle));
}

#[divan::bench]
fn parsum1m(bencher: Bencher<'_, '_>) {
    let numbers = kernels::million();
    bencher.bench(|| kernels::parsum(&numbers));
}
