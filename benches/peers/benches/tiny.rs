//! The tiny kernels under plusminus.

use std::hint::black_box;

use plusminus::bench;
use plusminus_peers::tiny;

#[bench]
fn empty() {
    tiny::empty();
}

#[bench]
fn arith() -> u64 {
    tiny::arith(tiny::seed())
}

#[bench]
fn chain_2() -> u64 {
    tiny::chain(black_box(2), tiny::seed())
}

#[bench]
fn chain_6() -> u64 {
    tiny::chain(black_box(6), tiny::seed())
}

#[bench]
fn chain_80() -> u64 {
    tiny::chain(black_box(80), tiny::seed())
}

plusminus::main!();
