//! Kernels of about 0, 0.5, 1, 3 and 60 ns, registered as benchmarks, and a loop that times them by hand: serialized
//! readings of the processor's counter around a plain loop.

use std::hint::black_box;

use plusminus::bench;

/// Names of the kernels.
pub(crate) const NAMES: [&str; 5] = ["empty", "arith", "chain_2", "chain_6", "chain_80"];

/// A multiplication and an exclusive or.
#[inline(always)]
fn step(x: u64) -> u64 {
    x.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (x >> 29)
}

/// As many of them as `steps`, each waiting for the one before.
#[inline(always)]
fn chain(steps: u32, mut x: u64) -> u64 {
    for _ in 0..steps {
        x = step(x);
    }
    x
}

/// The argument of the kernels, of which the compiler knows nothing.
#[inline(always)]
fn seed() -> u64 {
    black_box(0x1234_5678_9abc_def1)
}

#[bench]
#[inline(always)]
fn empty() {}

#[bench]
#[inline(always)]
fn arith() -> u64 {
    step(seed())
}

#[bench]
#[inline(always)]
fn chain_2() -> u64 {
    chain(black_box(2), seed())
}

#[bench]
#[inline(always)]
fn chain_6() -> u64 {
    chain(black_box(6), seed())
}

#[bench]
#[inline(always)]
fn chain_80() -> u64 {
    chain(black_box(80), seed())
}

/// The median over samples of the time of one call, in nanoseconds, by a loop written by hand; `None` on processors
/// without a counter that we know.
pub(crate) fn by_hand(name: &str) -> Option<f64> {
    match name {
        "empty" => timed(empty),
        "arith" => timed(arith),
        "chain_2" => timed(chain_2),
        "chain_6" => timed(chain_6),
        "chain_80" => timed(chain_80),
        _ => None,
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn timed<O>(_: impl Fn() -> O) -> Option<f64> {
    None
}

#[cfg(target_arch = "x86_64")]
fn timed<O>(kernel: impl Fn() -> O) -> Option<f64> {
    use std::arch::x86_64::{__rdtscp, _mm_lfence, _rdtsc};

    let count = |calls: u64| {
        // SAFETY: every x86-64 processor has these instructions; they read a counter and write no memory of ours but
        // `processor`.
        let begin = unsafe {
            _mm_lfence();
            let begin = _rdtsc();
            _mm_lfence();
            begin
        };
        for _ in 0..calls {
            black_box(kernel());
        }
        let mut processor = 0;
        // SAFETY: as above.
        let end = unsafe {
            let end = __rdtscp(&mut processor);
            _mm_lfence();
            end
        };
        end - begin
    };
    let mut calls = 1;
    loop {
        let begin = std::time::Instant::now();
        count(calls);
        // Half a millisecond, about, as the harness takes them.
        if begin.elapsed().as_nanos() >= 350_000 {
            break;
        }
        calls *= 2;
    }
    // As many as the harness takes in a process, after as many that warm up, and nothing that warms up longer before.
    let mut samples: Vec<f64> =
        (0..38).map(|_| count(calls) as f64).collect::<Vec<_>>().split_off(6);
    samples.sort_unstable_by(f64::total_cmp);
    let middle = (samples[15] + samples[16]) / 2.0;
    Some(middle / frequency() / calls as f64)
}

/// Ticks of the counter in a nanosecond, by the system's clock.
#[cfg(target_arch = "x86_64")]
fn frequency() -> f64 {
    use std::{
        arch::x86_64::_rdtsc,
        time::{Duration, Instant},
    };
    let begin = Instant::now();
    // SAFETY: every x86-64 processor has this instruction, which reads a counter.
    let first = unsafe { _rdtsc() };
    while begin.elapsed() < Duration::from_millis(50) {}
    // SAFETY: as above.
    let last = unsafe { _rdtsc() };
    (last - first) as f64 / begin.elapsed().as_nanos() as f64
}
