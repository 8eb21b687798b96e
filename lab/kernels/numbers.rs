//! Loops over numbers.

/// Greatest common divisors of neighbors.
pub fn divisors(n: u64) -> u64 {
    (1..n / 8).map(|i| divisor(i * 7919, i * 104_729 + n)).sum()
}

fn divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { divisor(b, a % b) }
}

/// Primes by the sieve.
pub fn sieve(n: u64) -> u64 {
    let mut composite = vec![false; n as usize];
    let mut primes = 0;
    for i in 2..n as usize {
        if !composite[i] {
            primes += 1;
            (i * i..n as usize).step_by(i).for_each(|j| composite[j] = true);
        }
    }
    primes
}

/// The product of two matrices of 16 rows.
pub fn product(n: u64) -> u64 {
    let a: [[f64; 16]; 16] = std::array::from_fn(|i| std::array::from_fn(|j| (i * j + n as usize) as f64));
    let mut c = [[0.0; 16]; 16];
    for i in 0..16 {
        for j in 0..16 {
            for k in 0..16 {
                c[i][j] += a[i][k] * a[k][j];
            }
        }
    }
    c.iter().flatten().sum::<f64>() as u64
}

/// Steps of the Collatz sequence.
pub fn collatz(n: u64) -> u64 {
    (1..n / 16).map(|start| {
        let (mut at, mut steps) = (start, 0_u64);
        while at != 1 {
            at = if at % 2 == 0 { at / 2 } else { 3 * at + 1 };
            steps += 1;
        }
        steps
    }).sum()
}

/// A polynomial by Horner's rule.
pub fn horner(n: u64) -> u64 {
    (0..n).fold(1.0_f64, |y, i| y.mul_add(0.999, i as f64 * 0.25)).to_bits()
}

/// Bits that are set in a mixed sequence.
pub fn bits(n: u64) -> u64 {
    (0..n).map(|i| mixed(i).count_ones() as u64).sum()
}

fn mixed(x: u64) -> u64 {
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb) ^ (x >> 31)
}

/// A dependent chain of multiplications.
pub fn chain(n: u64) -> u64 {
    (0..n).fold(1, |x: u64, i| x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(std::hint::black_box(i)))
}

/// Roots by Newton's method.
pub fn roots(n: u64) -> u64 {
    (1..n / 16).map(|i| {
        let mut x = i as f64;
        for _ in 0..8 {
            x = 0.5 * (x + i as f64 / x);
        }
        x as u64
    }).sum()
}

/// Recursion without memory.
pub fn fibonacci(n: u64) -> u64 {
    if n < 2 { n } else { fibonacci(n / 2) + fibonacci(n / 2 - 1) + fibonacci(n / 3) }
}

/// No kernel calls this.
pub fn spare_mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// No kernel calls this either.
pub fn spare_powers(n: u32) -> Vec<u64> {
    (0..n).map(|i| 3_u64.pow(i)).collect()
}
