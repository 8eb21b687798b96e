//! The kernels, registered as in any bench binary.

use plusminus::{Bencher, bench};

use crate::work;

#[bench]
fn chain(bencher: Bencher<'_>) {
    let steps = work::steps();
    bencher.bench(|| work::chain(steps));
}

#[bench]
fn arith(bencher: Bencher<'_>) {
    let mut x = 1_u64;
    bencher.bench(move || {
        x = work::arith(x);
        x
    });
}

#[bench]
fn fib20() -> u64 {
    work::fibonacci(std::hint::black_box(20))
}

#[bench]
fn sort1000(bencher: Bencher<'_>) {
    let numbers = work::numbers(1000);
    bencher.with_inputs(|| numbers.clone()).bench_refs(|numbers| numbers.sort_unstable());
}

#[bench]
fn hash4k(bencher: Bencher<'_>) {
    let bytes: Vec<u8> = (0..4096_u32).map(|i| i as u8).collect();
    bencher.bench(move || work::hash(&bytes));
}

#[bench]
fn hashmap1000(bencher: Bencher<'_>) {
    let numbers = work::numbers(1000);
    bencher.bench(move || work::fill_map(&numbers));
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
    bencher.bench(move || work::look_up(&tree, &wanted));
}

#[bench]
fn chase64m(bencher: Bencher<'_>) {
    let cycle = work::cycle();
    let mut at = 0;
    bencher.bench(move || {
        at = work::chase(&cycle, at);
        at
    });
}

#[bench(processors = [2])]
fn parsum1m(bencher: Bencher<'_>) {
    let numbers = work::numbers(1_000_000);
    bencher.bench(move || work::parallel_sum(&numbers));
}
