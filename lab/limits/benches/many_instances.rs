//! A problem with 100,000 instances, and two variants that solve them.

use std::hint::black_box;

use plusminus::{Problem, bench};

struct Squares;

impl Problem for Squares {
    type Point = usize;
    type Input = ();
    type Instance = u64;
    type Output = u64;

    fn sweep() -> impl IntoIterator<Item = usize> {
        [100_000]
    }

    fn input(_: &usize) {}

    fn instances(_: &()) -> Vec<u64> {
        (0..100_000).collect()
    }

    fn check(_: &(), n: &u64, square: &u64) -> Result<(), String> {
        if *square == n * n { Ok(()) } else { Err(format!("{square} is not {n}²")) }
    }
}

#[bench(problem = Squares, baseline)]
fn product(_: &(), n: &u64) -> u64 {
    black_box(*n) * black_box(*n)
}

#[bench(problem = Squares)]
fn power(_: &(), n: &u64) -> u64 {
    black_box(*n).pow(black_box(2))
}

plusminus::main!();
