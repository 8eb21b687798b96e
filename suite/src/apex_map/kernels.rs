//! The four loops of Apex-MAP: nested or fused, with a sum in a register or a value stored for every word.
//! R and CI are constants here so that the compiler sees straight code, as the original's generator writes it.

use super::data::Arrays;
use super::stream::Blocks;

/// The factor of every multiplication: exact, and not a value that the compiler may drop.
const FACTOR: f64 = 0.5;

/// Returns the gain of sum `r` at one word: c·(x_r + c·(x_{r+1} + …)), CI multiplications deep, array numbers modulo
/// R.
#[inline(always)]
fn term<const R: usize, const CI: usize>(words: &[f64; R], r: usize) -> f64 {
    let mut term = FACTOR * words[(r + CI - 1) % R];
    for depth in (0..CI - 1).rev() {
        term = FACTOR * (words[(r + depth) % R] + term);
    }
    term
}

/// Two loops, blocks and words within a block; one running sum for each array.
pub(super) fn nested_scalar<const R: usize, const CI: usize>(
    arrays: &Arrays,
    blocks: Blocks<'_>,
    block_words: usize,
) -> f64 {
    let arrays: [&[f64]; R] = std::array::from_fn(|r| arrays.get(r));
    let mut sums = [0.0; R];
    for start in blocks.starts() {
        let visited = arrays.map(|array| &array[start..start + block_words]);
        for word in 0..block_words {
            let words = visited.map(|block| block[word]);
            for (r, sum) in sums.iter_mut().enumerate() {
                *sum += term::<R, CI>(&words, r);
            }
        }
    }
    sums.iter().sum()
}

/// One loop over all words: the block is found from the number of the word.
///
/// The original's fused loop reads an index for every word from memory; here it is computed from the block's.
pub(super) fn fused_scalar<const R: usize, const CI: usize>(
    arrays: &Arrays,
    blocks: Blocks<'_>,
    block_words: usize,
) -> f64 {
    let arrays: [&[f64]; R] = std::array::from_fn(|r| arrays.get(r));
    let (shift, within) = (block_words.trailing_zeros(), block_words - 1);
    let mut sums = [0.0; R];
    for access in 0..blocks.len() << shift {
        let word = blocks.start(access >> shift) + (access & within);
        let words = arrays.map(|array| array[word]);
        for (r, sum) in sums.iter_mut().enumerate() {
            *sum += term::<R, CI>(&words, r);
        }
    }
    sums.iter().sum()
}

/// Two loops; the value of every word is stored.
///
/// The original adds to what the destination holds; here it is overwritten, so that a call can be checked by itself.
pub(super) fn nested_array<const R: usize, const CI: usize>(
    arrays: &Arrays,
    blocks: Blocks<'_>,
    block_words: usize,
    destination: &mut [f64],
) {
    let arrays: [&[f64]; R] = std::array::from_fn(|r| arrays.get(r));
    let mut rows = rows::<R>(destination);
    for (number, start) in blocks.starts().enumerate() {
        let first = number * block_words;
        let visited = arrays.map(|array| &array[start..start + block_words]);
        let mut stored = rows.each_mut().map(|row| &mut row[first..first + block_words]);
        for word in 0..block_words {
            let words = visited.map(|block| block[word]);
            for (r, row) in stored.iter_mut().enumerate() {
                row[word] = term::<R, CI>(&words, r);
            }
        }
    }
}

/// One loop; the value of every word is stored.
pub(super) fn fused_array<const R: usize, const CI: usize>(
    arrays: &Arrays,
    blocks: Blocks<'_>,
    block_words: usize,
    destination: &mut [f64],
) {
    let arrays: [&[f64]; R] = std::array::from_fn(|r| arrays.get(r));
    let mut rows = rows::<R>(destination);
    let (shift, within) = (block_words.trailing_zeros(), block_words - 1);
    for access in 0..blocks.len() << shift {
        let word = blocks.start(access >> shift) + (access & within);
        let words = arrays.map(|array| array[word]);
        for (r, row) in rows.iter_mut().enumerate() {
            row[access] = term::<R, CI>(&words, r);
        }
    }
}

/// The destination in R rows of equal length.
fn rows<const R: usize>(destination: &mut [f64]) -> [&mut [f64]; R] {
    let mut rest = destination.chunks_exact_mut(destination.len() / R);
    std::array::from_fn(|_| rest.next().expect("the destination has R rows"))
}

/// Calls a kernel with R and CI of the point as constants.
macro_rules! with_constants {
    ($kernel:ident, $parameters:expr, $arguments:tt) => {
        with_constants!(@pressure $kernel, $parameters, $arguments, [1 2 4 8])
    };
    (@pressure $kernel:ident, $parameters:expr, $arguments:tt, [$($r:literal)*]) => {
        match $parameters.register_pressure() {
            $($r => with_constants!(@intensity $r, $kernel, $parameters, $arguments),)*
            other => unreachable!("register pressure {other} was not rejected"),
        }
    };
    (@intensity $r:literal, $kernel:ident, $parameters:expr, $arguments:tt) => {
        match $parameters.computational_intensity() {
            1 => kernels::$kernel::<$r, 1>$arguments,
            2 => kernels::$kernel::<$r, 2>$arguments,
            4 => kernels::$kernel::<$r, 4>$arguments,
            8 => kernels::$kernel::<$r, 8>$arguments,
            other => unreachable!("computational intensity {other} was not rejected"),
        }
    };
}
pub(super) use with_constants;
