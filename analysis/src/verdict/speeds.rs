//! Whether a change is only one of shares: samples of both versions run at one of two speeds, and those of one version more often
//! at the slow one.
//!
//! A processor can settle into one of several rhythms for the same loop of a few nanoseconds, and keep it for long. Which one
//! depends on what it did before. So the shares of both speeds change from run to run of a comparison, and with them its verdict,
//! even where each block is drawn anew.
//!
//! The change *at equal speed* is that between the fast samples of both versions, and between the slow ones, weighted as by Mantel
//! and Haenszel: n_base n_new / (n_base + n_new) for each speed.

use crate::sums;

/// The fewest pairs of samples that are looked at.
const FROM: usize = 6;

/// The part of its samples that a version has at least at each speed, or else there are not two.
const SHARE: f64 = 0.1;

/// The distance of two speeds, as many times the scatter at each. Halves of one normal distribution are 2.4 apart.
const APART: f64 = 3.5;

/// The standard deviation of normal values over their mean distance from the median, √(π/2).
const OF_DISTANCES: f64 = 1.253_314_137_315_500_3;

/// A change is one of shares if less than this part of it is left at equal speed.
const LEFT: f64 = 0.25;

/// Two speeds of a benchmark, and a change that is one of their shares.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shares {
    /// The share of slow samples of base and of new.
    pub slow: [f64; 2],
    /// By how much the slow speed is slower: ln of the ratio.
    pub apart: f64,
    /// ln(new/base) at equal speed.
    pub equal: f64,
}

/// Returns the speeds if `change`, ln(new/base), is one of their shares. The times are those of a call of base and of new in each
/// pair of samples.
///
/// ```
/// use plusminus_analysis::verdict::change_of_shares;
///
/// // 3.0 or 4.0 ns: base is slow in 8 of 12 samples, new in 3, and always by 2 % slower than base at the same speed.
/// let base = [4.0, 4.01, 3.0, 4.02, 3.01, 4.0, 3.02, 4.01, 4.0, 3.0, 4.02, 4.0];
/// let new = [3.06, 3.07, 3.05, 4.08, 3.06, 3.06, 4.09, 3.05, 3.06, 4.08, 3.07, 3.06];
/// let pairs: Vec<[f64; 2]> = base.into_iter().zip(new).map(|(base, new)| [base, new]).collect();
/// let shares = change_of_shares(&pairs, -0.26).unwrap();
/// assert!(shares.equal > 0.01 && shares.slow == [8.0 / 12.0, 3.0 / 12.0]);
/// ```
pub fn change_of_shares(times: &[[f64; 2]], change: f64) -> Option<Shares> {
    if times.len() < FROM || times.iter().flatten().any(|time| !(*time > 0.0 && time.is_finite())) {
        return None;
    }
    let of = |side: usize| times.iter().map(move |pair| pair[side].ln());
    let limit = best_limit(of(0).chain(of(1)).collect());
    let fewest = (SHARE * times.len() as f64).max(2.0);
    let heap = |side, is_slow| {
        Heap::of(of(side).filter(|time| (*time > limit) == is_slow).collect(), fewest)
    };
    let fast = [heap(0, false)?, heap(1, false)?];
    let slow = [heap(0, true)?, heap(1, true)?];
    let distances: f64 = fast.iter().chain(&slow).map(|heap| heap.distances).sum();
    let scatter = OF_DISTANCES * distances / (2 * times.len() - 4) as f64;
    let apart = (slow[0].middle + slow[1].middle - fast[0].middle - fast[1].middle) / 2.0;
    let weight = |[base, new]: &[Heap; 2]| base.count * new.count / (base.count + new.count);
    let weighted = |heaps: &[Heap; 2]| weight(heaps) * (heaps[1].middle - heaps[0].middle);
    let equal = (weighted(&fast) + weighted(&slow)) / (weight(&fast) + weight(&slow));
    let is_of_shares = equal * change.signum() < LEFT * change.abs();
    (apart >= APART * scatter && is_of_shares).then(|| Shares {
        slow: slow.map(|heap| heap.count / times.len() as f64),
        apart,
        equal,
    })
}

/// The samples of one version at one speed. Medians and distances: one sample that was disturbed moves neither.
struct Heap {
    count: f64,
    /// The median of the logarithms of their times.
    middle: f64,
    /// The sum of distances from it.
    distances: f64,
}

impl Heap {
    /// `None` for fewer than this.
    fn of(times: Vec<f64>, fewest: f64) -> Option<Self> {
        let count = times.len() as f64;
        if count < fewest {
            return None;
        }
        let middle = sums::median(&times);
        let distances = sums::sum(times.iter().map(|time| (time - middle).abs()));
        Some(Self { count, middle, distances })
    }
}

/// The limit that parts these values into the two heaps with the least distances from their medians.
fn best_limit(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let mut sums = vec![0.0];
    for value in &values {
        sums.push(sums[sums.len() - 1] + value);
    }
    // Of the values from one position to before the other, without the one in the middle: it adds nothing.
    let distances = |from: usize, to: usize| {
        let (below, above) = ((from + to) / 2, (from + to).div_ceil(2));
        (sums[to] - sums[above]) - (sums[below] - sums[from])
    };
    let both = |at: &usize| distances(0, *at) + distances(*at, values.len());
    let best = (1..values.len()).min_by(|a, b| both(a).total_cmp(&both(b)));
    best.map_or(f64::INFINITY, |at| values[at - 1] / 2.0 + values[at] / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// Samples of versions: these shares of them are slower by a quarter, and new is slower by `shift` at each speed.
    fn samples(
        random: &mut Random,
        n: usize,
        shares: [f64; 2],
        shift: f64,
        noise: f64,
    ) -> Vec<[f64; 2]> {
        (0..n)
            .map(|_| {
                [0, 1].map(|side| {
                    let slow = if random.uniform() < shares[side] { 0.25 } else { 0.0 };
                    (slow + shift * side as f64 + noise * random.normal()).exp()
                })
            })
            .collect()
    }

    fn found(seed: u64, shares: [f64; 2], shift: f64, noise: f64, change: f64) -> usize {
        let mut random = Random::new(seed);
        (0..1000)
            .filter(|_| {
                let samples = samples(&mut random, 80, shares, shift, noise);
                change_of_shares(&samples, change).is_some()
            })
            .count()
    }

    #[test]
    fn a_change_of_shares_is_found_whatever_the_change_at_equal_speed() {
        assert!(found(1, [0.8, 0.25], 0.0, 0.03, -0.2) > 970);
        assert!(found(2, [0.8, 0.25], 0.05, 0.03, -0.2) > 970);
        assert!(found(3, [0.25, 0.8], -0.05, 0.03, 0.2) > 970);
    }

    #[test]
    fn a_change_at_each_speed_is_not_one_of_shares() {
        assert_eq!(found(4, [0.5, 0.5], 0.05, 0.02, 0.05), 0);
        // New is always fast: a speed that it does not have is a change.
        assert_eq!(found(5, [0.5, 0.0], 0.0, 0.02, -0.1), 0);
    }

    #[test]
    fn one_speed_is_not_two_however_far_the_versions_lie_apart() {
        for shift in [0.01, 0.03, 0.06, 0.09, 0.12, 0.3] {
            let wrong = found(6, [0.0, 0.0], shift, 0.03, shift);
            assert!(wrong <= 2, "{shift}: {wrong}");
        }
    }

    #[test]
    fn disturbed_samples_hide_no_speeds() {
        let mut samples = samples(&mut Random::new(7), 60, [0.8, 0.25], 0.05, 0.03);
        let undisturbed = change_of_shares(&samples, -0.2).unwrap();
        (samples[7][0], samples[31][1], samples[50][0]) = (6.0, 4.0, 3.0);
        let found = change_of_shares(&samples, -0.2).unwrap();
        assert!((found.equal - undisturbed.equal).abs() < 0.01, "{undisturbed:?} {found:?}");
    }

    #[test]
    fn few_equal_and_impossible_times_have_no_speeds() {
        assert_eq!(change_of_shares(&[[1.0, 2.0]; 5], 0.7), None);
        assert_eq!(change_of_shares(&[[1.0, 1.0]; 50], 0.7), None);
        assert_eq!(change_of_shares(&[[0.0, f64::NAN]; 50], 0.7), None);
        assert_eq!(change_of_shares(&[], 0.7), None);
    }
}
