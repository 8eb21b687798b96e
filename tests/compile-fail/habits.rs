//! Attributes as people write them who come from other harnesses.

use plusminus::{Bencher, bench};

#[bench]
fn of_libtest(b: &mut Bencher) {
    b.bench(|| 1);
}

#[bench(name = |n| format!("{n}"))]
fn names_nothing() {}

#[bench(args = [("one", 1)], name = |n| format!("{n}"))]
fn named_twice(n: u32) -> u32 {
    n
}

#[bench(args = [("one", 1), 2])]
fn named_in_part(n: u32) -> u32 {
    n
}

fn main() {}
