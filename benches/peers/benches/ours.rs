//! The ten kernels under plusminus.

use std::collections::HashMap;

use plusminus::{Bencher, bench};
use plusminus_peers::kernels;

#[bench]
fn arith() -> u64 {
    kernels::arith()
}

#[bench]
fn fib20() -> u64 {
    kernels::fib20()
}

#[bench]
fn sort1000(bencher: Bencher<'_>) {
    let numbers = kernels::unsorted();
    bencher.with_inputs(|| numbers.clone()).bench_refs(|numbers| kernels::sort(numbers));
}

#[bench]
fn hash4k(bencher: Bencher<'_>) {
    let bytes = kernels::four_kib();
    bencher.bench(|| kernels::hash(&bytes));
}

#[bench]
fn hashmap1000() -> HashMap<u64, u64> {
    kernels::hashmap1000()
}

#[bench]
fn alloc64k() -> Vec<u8> {
    kernels::alloc64k()
}

#[bench]
fn strfmt() -> String {
    kernels::strfmt()
}

#[bench]
fn btree(bencher: Bencher<'_>) {
    let tree = kernels::tree();
    bencher.bench(|| kernels::btree(&tree));
}

#[bench]
fn chase64m(bencher: Bencher<'_>) {
    let cycle = kernels::cycle();
    bencher.bench(|| kernels::chase(&cycle));
}

#[bench(processors = [2])]
fn parsum1m(bencher: Bencher<'_>) {
    let numbers = kernels::million();
    bencher.bench(|| kernels::parsum(&numbers));
}

plusminus::main!();
