use plusminus::{Bencher, bench};

#[bench]
fn where_from(n: u32) -> u32 {
    n
}

#[bench(args = [1, 2])]
fn where_to() {}

#[bench(args = [1, 2])]
fn two_for_one(n: u32, m: u32) -> u32 {
    n + m
}

#[bench(args = [(1, 2)])]
fn wrong_type(n: u32, text: &str) -> usize {
    n as usize + text.len()
}

#[bench(args = [1, 2])]
fn mutable(n: &mut u32) {
    *n += 1;
}

#[bench(args = [1, 2])]
fn bencher_last(n: u32, bencher: Bencher<'_>) {
    bencher.bench(|| n);
}

#[bench]
unsafe fn dangerous() {}

struct Type;

impl Type {
    #[bench]
    fn method(&self) {}
}

#[bench]
struct NoFunction;

#[bench]
mod no_function {}

fn main() {}
