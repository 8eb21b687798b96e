//! Code that must not get slower.

use plusminus::{Bencher, bench};

/// A few bytes, whose time depends on where the compiler puts the loop: changes up to 5 % are ignored.
#[bench(margin = 5)]
fn small(bencher: Bencher<'_>) {
    bencher.with_inputs(|| [7_u8; 16]).bench_refs(|text| gate::checksum(text));
}

#[bench(args = [1 << 12, 1 << 16], bytes = n)]
fn large(bencher: Bencher<'_>, n: usize) {
    let text = vec![7; n];
    bencher.bench(|| gate::checksum(&text));
}

plusminus::main!();
