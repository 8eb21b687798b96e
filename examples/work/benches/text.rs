//! The work of a call: the report shows the first of these per second.

use plusminus::{Bencher, Work, bench};
use work::words;

/// Names of arguments are what reports, filters and records show; the texts can be as long as they like.
#[bench(
    args = [("short", "to be or not to be"), ("long", LONG)],
    bytes = text.len(),
    work = Work::of("words", words(text) as f64)
)]
fn count(text: &str) -> usize {
    words(text)
}

const LONG: &str = include_str!("text.rs");

/// Inputs that differ: each states its own work.
#[bench]
fn count_of_each_input(bencher: Bencher<'_>) {
    let mut n = 0;
    let next_text = move || {
        n = n % 50 + 1;
        "word ".repeat(n)
    };
    bencher
        .with_inputs(next_text)
        .work_of_input(|text| Work::bytes(text.len() as u64).and(Work::of("words", words(text) as f64)))
        .bench_refs(|text| words(text));
}

/// Work that is the same for all calls.
#[bench(consts = [64, 4_096])]
fn sum<const N: usize>(bencher: Bencher<'_>) {
    let numbers = [1_u64; N];
    bencher.work(Work::items(N as u64)).bench(|| numbers.iter().sum::<u64>());
}

plusminus::main!();
