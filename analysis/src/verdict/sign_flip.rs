//! A second opinion on blocks that assumes symmetry only, not normality.

use crate::error::{Result, check_count, check_finite};
use crate::random::Random;

/// p-value of a sign-flip test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SignFlip {
    /// Two-sided p-value of "the blocks are symmetric around 0".
    pub p: f64,
    /// All sign patterns were counted; otherwise a seeded sample of them.
    pub exact: bool,
}

/// Up to this many blocks every sign pattern is counted.
const EXACT_UP_TO: usize = 20;
/// Sign patterns drawn beyond that.
const DRAWS: usize = 100_000;

/// How often flipping the signs of the blocks at random gives a sum as far from 0 as the observed one.
///
/// Exact up to 20 blocks, else from 100 000 seeded draws with the observed pattern counted in, so that the
/// p-value is never too small.
///
/// ```
/// use plusminus_analysis::verdict::sign_flip;
///
/// let blocks = [0.0121, 0.0183, 0.0094, 0.0212, 0.0150, 0.0107, 0.0171, 0.0132];
/// assert_eq!(sign_flip(&blocks, 101).unwrap().p, 2.0 / 256.0);
/// ```
///
/// # Errors
/// When there is no block, or one is not finite.
pub fn sign_flip(blocks: &[f64], seed: u64) -> Result<SignFlip> {
    check_count("blocks", blocks.len(), 1)?;
    check_finite(blocks)?;
    let largest = blocks.iter().fold(0.0_f64, |m, d| m.max(d.abs()));
    if largest == 0.0 {
        return Ok(SignFlip { p: 1.0, exact: true });
    }
    let blocks: Vec<f64> = blocks.iter().map(|d| d / largest).collect();
    let total: f64 = blocks.iter().sum();
    // Patterns that only rounding tells apart count as equal.
    let tolerance = 1e-12 * blocks.iter().map(|d| d.abs()).sum::<f64>();
    let as_far = |sum: f64| sum.abs() >= total.abs() - tolerance;
    if blocks.len() <= EXACT_UP_TO {
        // In Gray order each pattern differs from the one before in one sign. The first sign stays: patterns
        // come in pairs of equal distance.
        let patterns = 1_u32 << (blocks.len() - 1);
        let mut signs = vec![1.0; blocks.len()];
        let mut sum = total;
        let mut count = u32::from(as_far(sum));
        for pattern in 1..patterns {
            let flipped = pattern.trailing_zeros() as usize + 1;
            signs[flipped] = -signs[flipped];
            sum += 2.0 * signs[flipped] * blocks[flipped];
            count += u32::from(as_far(sum));
        }
        return Ok(SignFlip { p: f64::from(count) / f64::from(patterns), exact: true });
    }
    let mut random = Random::new(seed);
    let mut count = 1;
    for _ in 0..DRAWS {
        let mut sum = 0.0;
        for chunk in blocks.chunks(64) {
            let mut bits = random.bits();
            for d in chunk {
                sum += if bits & 1 == 0 { *d } else { -*d };
                bits >>= 1;
            }
        }
        count += usize::from(as_far(sum));
    }
    Ok(SignFlip { p: count as f64 / (DRAWS + 1) as f64, exact: false })
}
