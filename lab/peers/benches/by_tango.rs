//! The kernels of the self-test under tango with its default settings.

use std::hint::black_box;

use tango_bench::{IntoBenchmarks, benchmark_fn, tango_benchmarks, tango_main};

#[path = "../../../cargo-plusminus/kernels/src/work.rs"]
mod work;

/// The steps of the chain: 3 % more with the feature `slower`.
fn steps() -> u64 {
    work::steps() * if cfg!(feature = "slower") { 103 } else { 100 } / 100
}

fn kernels() -> impl IntoBenchmarks {
    [
        benchmark_fn("chain", |b| {
            let steps = steps();
            b.iter(move || work::chain(steps))
        }),
        benchmark_fn("fib20", |b| b.iter(|| work::fibonacci(black_box(20)))),
        // The copy is timed: there is no set-up for each call.
        benchmark_fn("sort1000", |b| {
            let numbers = work::numbers(1000);
            b.iter(move || {
                let mut numbers = numbers.clone();
                numbers.sort_unstable();
                numbers
            })
        }),
        benchmark_fn("hash4k", |b| {
            let bytes: Vec<u8> = (0..4096_u32).map(|i| i as u8).collect();
            b.iter(move || work::hash(&bytes))
        }),
        benchmark_fn("hashmap1000", |b| {
            let numbers = work::numbers(1000);
            b.iter(move || work::fill_map(&numbers))
        }),
        benchmark_fn("alloc64k", |b| b.iter(work::allocate)),
        benchmark_fn("strfmt", |b| b.iter(work::format_text)),
        benchmark_fn("btree10k", |b| {
            let (tree, wanted) = work::tree();
            b.iter(move || work::look_up(&tree, &wanted))
        }),
    ]
}

tango_benchmarks!(kernels());
tango_main!();
