//! A confidence sequence for the median of blocks: no outlier can widen it, however far off it lies.
//!
//! Let d₁, d₂, … be blocks of which each, given those before it, lies at or below θ with probability at least ½, and at or
//! above θ with probability at least ½. With k of n blocks at or below θ,
//!
//! E_n(k) = 2ⁿ·B(k+½, n−k+½)/B(½, ½)
//!
//! is the wealth of a bettor who starts with 1 and bets on the next block with odds from a Beta(½, ½) prior: the
//! beta-binomial mixture at p = ½ (Howard & Ramdas 2022). It is a martingale where "at or below" has probability ½ exactly, so
//! that the probability of ever reaching 1/α is at most α (Ville).
//!
//! **Ties.** Where blocks may equal θ, a coin that is thrown for each such block makes a sequence of marks B with
//! probability ½ exactly, with 1{d < θ} ≤ B ≤ 1{d ≤ θ}. The interval excludes θ from below only if at most K blocks
//! are at or below θ, hence at most K marks. It excludes θ from above only if at most K blocks are at or above θ,
//! hence at most K blanks. Either gives the marks E_n ≥ 1/α, which has probability α at most. No distribution, no
//! moments and no symmetry are assumed, and blocks need not be equally distributed: only the median has to be the
//! same, whatever the past.

use core::f64::consts::PI;

/// ln E_n(k): what `below` of `n` blocks at or below a value say against its being the median.
pub(super) fn ln_sign_e(n: usize, below: usize) -> f64 {
    let (n, k) = (n as f64, below as f64);
    // B(½, ½) = π, and B(x, y) = Γ(x)Γ(y)/Γ(x + y).
    n * core::f64::consts::LN_2 + libm::lgamma(k + 0.5) + libm::lgamma(n - k + 0.5)
        - libm::lgamma(n + 1.0)
        - libm::log(PI)
}

/// How many blocks the interval for the median leaves out at each end: K, the largest k < n/2 with E_n(k) ≥ 1/α. The interval
/// is [X₍K₊₁₎, X₍n₋K₎] of the blocks in ascending order. `None` where it is infinite.
///
/// ```
/// use plusminus_analysis::verdict::sign_rank;
///
/// assert_eq!(sign_rank(6, 0.05), None);
/// assert_eq!(sign_rank(7, 0.05), Some(0)); // From the smallest of seven blocks to the largest.
/// assert_eq!(sign_rank(30, 0.005), Some(5));
/// ```
pub fn sign_rank(n: usize, alpha: f64) -> Option<usize> {
    let proves = |k: usize| ln_sign_e(n, k) >= -libm::log(alpha);
    if n == 0 || !proves(0) {
        return None;
    }
    // E_n(k) falls from k = 0 to n/2.
    let (mut proven, mut open) = (0, n.div_ceil(2));
    while open - proven > 1 {
        let middle = usize::midpoint(proven, open);
        if proves(middle) { proven = middle } else { open = middle }
    }
    Some(proven)
}
