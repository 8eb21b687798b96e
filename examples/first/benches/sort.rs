//! How long sorting takes.

use first::insertion_sort;
use plusminus::{Bencher, bench};

/// A function is a benchmark. Its argument comes at run time, so that the compiler cannot work out the answer.
#[bench(args = ["12345", "4000000000"])]
fn parse(text: &str) -> u32 {
    text.parse().unwrap()
}

/// Code before `bench…` is not timed, and neither is the input of each call.
#[bench(args = [10, 100, 1_000])]
fn reversed(bencher: Bencher<'_>, n: u32) {
    let numbers: Vec<u32> = (0..n).rev().collect();
    bencher.with_inputs(|| numbers.clone()).bench_refs(|numbers| insertion_sort(numbers));
}

plusminus::main!();
