//! Fibonacci's numbers.

/// The n-th number, in linear time.
pub fn fibonacci(n: u32) -> u64 {
    (0..n).fold((0, 1), |(a, b), _| (b, a + b)).0
}
