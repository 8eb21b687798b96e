//! Registers 5,000 benchmarks, the largest suite that `lab limits` runs.

#[plusminus::bench(args = 0..5_000)]
fn case(n: u32) -> u32 {
    (0..std::hint::black_box(100)).fold(n, |sum, i| sum.wrapping_mul(31) ^ i)
}

plusminus::main!();
