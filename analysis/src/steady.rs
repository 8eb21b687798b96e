//! Does a series of samples settle? Cuts it into segments of constant mean and variance and compares them
//! with the last one (after Barrett et al. 2017; PELT by Killick et al. 2012).
//!
//! ```
//! use plusminus_analysis::steady::{classify, Steadiness};
//!
//! let noise = |i: u32| 1.0 + 0.001 * f64::from((i * 37) % 19);
//! let times: Vec<f64> = (0..100).map(|i| if i < 20 { 2.0 * noise(i) } else { noise(i) }).collect();
//! let series = classify(&times).unwrap();
//! assert_eq!(series.steadiness, Steadiness::WarmUp);
//! assert_eq!(series.steady_from, Some(20));
//! ```

use crate::error::{Error, Result, check_count, check_positive};
use crate::sums;

/// How a series of times behaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Steadiness {
    /// The same from the first sample on.
    Flat,
    /// Slower at first: drop the samples before [`Classified::steady_from`].
    WarmUp,
    /// Faster at some earlier time than in the end.
    Slowdown,
    /// No last stretch of a quarter of the series is alike.
    NoSteadyState,
}

/// A stretch of samples with one mean and variance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Segment {
    /// First sample.
    pub start: usize,
    /// One past the last sample.
    pub end: usize,
    /// Mean of its samples, local outliers replaced.
    pub mean: f64,
}

/// A series, cut into segments and classified.
#[derive(Debug, Clone, PartialEq)]
pub struct Classified {
    /// The verdict on the series.
    pub steadiness: Steadiness,
    /// First sample of the steady stretch at the end; `None` without a steady state.
    pub steady_from: Option<usize>,
    /// The segments, in order.
    pub segments: Vec<Segment>,
    /// How many samples counted as local outliers (replaced for the cutting, never dropped from results).
    pub outliers: usize,
}

/// Shortest series that is classified.
pub const MINIMUM_SAMPLES: usize = 20;
/// Longest series: the time to cut a flat one grows with the square of its length.
pub const MAXIMUM_SAMPLES: usize = 20_000;
/// Shortest segment.
const SEGMENT: usize = 5;
/// Means within this of the last one count as equal.
const EQUIVALENT: f64 = 0.01;
/// Window of the outlier filter, and how many interquartile ranges an outlier lies outside.
const OUTLIER_WINDOW: usize = 50;
const OUTLIER_RANGES: f64 = 3.0;
/// Window of the running median whose residuals tell how much neighbors depend on each other.
const MEDIAN_WINDOW: usize = 21;

/// Classifies the times of one process in the order in which they were taken.
///
/// # Errors
/// When there are fewer than 20 or more than 20 000 samples, or one is not positive and finite.
pub fn classify(times: &[f64]) -> Result<Classified> {
    check_count("samples", times.len(), MINIMUM_SAMPLES)?;
    check_positive(times)?;
    if times.len() > MAXIMUM_SAMPLES {
        let (name, value) = ("number of samples", times.len() as f64);
        return Err(Error::Parameter { name, value, reason: "at most 20000 can be classified" });
    }
    let (smooth, outliers) = without_outliers(times);
    let (mean, _) = sums::mean_and_spread(&smooth);
    let relative: Vec<f64> = smooth.iter().map(|x| x / mean - 1.0).collect();
    let segments: Vec<Segment> = cut(&relative, penalty(&relative))
        .windows(2)
        .map(|ends| Segment {
            start: ends[0],
            end: ends[1],
            mean: sums::mean_and_spread(&smooth[ends[0]..ends[1]]).0,
        })
        .collect();
    let last = segments[segments.len() - 1].mean;
    let alike = |s: &&Segment| (s.mean / last - 1.0).abs() <= EQUIVALENT;
    let stretch = segments.iter().rev().take_while(alike).count();
    let start = segments[segments.len() - stretch].start;
    let earlier = &segments[..segments.len() - stretch];
    let steadiness = if start == 0 {
        Steadiness::Flat
    } else if 4 * (times.len() - start) < times.len() {
        Steadiness::NoSteadyState
    } else if earlier.iter().all(|s| s.mean > last) {
        Steadiness::WarmUp
    } else {
        Steadiness::Slowdown
    };
    let steady_from = (steadiness != Steadiness::NoSteadyState).then_some(start);
    Ok(Classified { steadiness, steady_from, segments, outliers })
}

/// Replaces samples far outside of their neighborhood by its median; counts them.
fn without_outliers(times: &[f64]) -> (Vec<f64>, usize) {
    let mut count = 0;
    let smooth = windows(times, OUTLIER_WINDOW)
        .zip(times)
        .map(|(window, x)| {
            let mut sorted = window.to_vec();
            sorted.sort_unstable_by(f64::total_cmp);
            let at = |share: f64| sorted[((sorted.len() - 1) as f64 * share).round() as usize];
            let (low, high) = (at(0.25), at(0.75));
            let reach = OUTLIER_RANGES * (high - low);
            if *x < low - reach || *x > high + reach {
                count += 1;
                sums::median_in_place(&mut sorted)
            } else {
                *x
            }
        })
        .collect();
    (smooth, count)
}

/// For each sample, up to `length` samples around it.
fn windows(values: &[f64], length: usize) -> impl Iterator<Item = &[f64]> {
    let length = length.min(values.len());
    (0..values.len()).map(move |i| {
        let start = i.saturating_sub(length / 2).min(values.len() - length);
        &values[start..start + length]
    })
}

/// 3·ln n·(1+ρ)/(1−ρ): dependent neighbors look like segments, so cutting them costs more.
fn penalty(values: &[f64]) -> f64 {
    let residuals: Vec<f64> = windows(values, MEDIAN_WINDOW)
        .zip(values)
        .map(|(window, x)| x - sums::median(window))
        .collect();
    let rho = sums::lag_1(&residuals).unwrap_or(0.0).clamp(0.0, 0.99);
    3.0 * libm::log(values.len() as f64) * (1.0 + rho) / (1.0 - rho)
}

/// The ends of the segments, 0 first: the cut with the smallest Σ m·(ln v + 1) + penalty per segment.
fn cut(values: &[f64], penalty: f64) -> Vec<usize> {
    let n = values.len();
    let mut sum = vec![0.0; n + 1];
    let mut squares = vec![0.0; n + 1];
    for (i, x) in values.iter().enumerate() {
        sum[i + 1] = sum[i] + x;
        squares[i + 1] = squares[i] + x * x;
    }
    // Equal samples have no variance to take a logarithm of; a millionth of the whole is as good as none.
    let whole = (squares[n] - sum[n] * sum[n] / n as f64) / n as f64;
    let least = (whole * 1e-6).max(1e-24);
    let cost = |start: usize, end: usize| {
        let m = (end - start) as f64;
        let mean = (sum[end] - sum[start]) / m;
        let variance = (squares[end] - squares[start]) / m - mean * mean;
        m * (libm::log(variance.max(least)) + 1.0)
    };
    let mut best = vec![f64::INFINITY; n + 1];
    let mut previous = vec![0; n + 1];
    best[0] = -penalty;
    let mut candidates = vec![0];
    for end in SEGMENT..=n {
        let totals: Vec<f64> =
            candidates.iter().map(|&start| best[start] + cost(start, end) + penalty).collect();
        for (&start, &total) in candidates.iter().zip(&totals) {
            if total < best[end] {
                best[end] = total;
                previous[end] = start;
            }
        }
        // A start that is worse by more than a penalty can never win again.
        let limit = best[end] + penalty;
        let mut totals = totals.into_iter();
        candidates.retain(|_| totals.next().is_some_and(|total| total <= limit));
        if end >= 2 * SEGMENT - 1 {
            let next = end + 1 - SEGMENT;
            if best[next].is_finite() {
                candidates.push(next);
            }
        }
    }
    let mut ends = vec![n];
    while ends[ends.len() - 1] > 0 {
        ends.push(previous[ends[ends.len() - 1]]);
    }
    ends.reverse();
    ends
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    fn noisy(n: usize, seed: u64, level: impl Fn(usize) -> f64) -> Vec<f64> {
        let mut random = Random::new(seed);
        (0..n).map(|i| level(i) * (1.0 + 0.01 * random.normal())).collect()
    }

    /// How many of 50 seeded series come out as expected.
    fn share(expected: Steadiness, level: impl Fn(usize) -> f64) -> usize {
        (0..50)
            .filter(|s| classify(&noisy(200, *s, &level)).unwrap().steadiness == expected)
            .count()
    }

    #[test]
    fn shapes_are_told_apart() {
        assert!(share(Steadiness::Flat, |_| 1.0) >= 47);
        assert!(share(Steadiness::WarmUp, |i| if i < 30 { 1.3 } else { 1.0 }) >= 47);
        assert!(share(Steadiness::WarmUp, |i| 1.0 + (-(i as f64) / 10.0).exp()) >= 47);
        assert!(share(Steadiness::Slowdown, |i| if i < 120 { 1.0 } else { 1.05 }) >= 47);
        assert!(share(Steadiness::NoSteadyState, |i| if i < 180 { 1.0 } else { 1.1 }) >= 47);
    }

    #[test]
    fn dependent_noise_and_spikes_are_not_taken_for_steps() {
        let flat = |seed: u64| {
            let mut random = Random::new(seed);
            let mut state = 0.0;
            let times: Vec<f64> = (0..200)
                .map(|_| {
                    state = 0.7 * state + (1.0 - 0.49_f64).sqrt() * random.normal();
                    let spike = if random.uniform() < 0.02 { 1.5 } else { 1.0 };
                    spike * (1.0 + 0.01 * state)
                })
                .collect();
            classify(&times).unwrap().steadiness == Steadiness::Flat
        };
        let share = (0..100).filter(|s| flat(*s)).count();
        assert!(share >= 93, "{share} of 100");
    }

    #[test]
    fn pruning_and_dynamic_programming_find_the_cheapest_cut() {
        // Brute force over every cut of a short series into at most three segments.
        let values = noisy(30, 5, |i| if i < 11 { 1.0 } else { 1.05 });
        let values: Vec<f64> = values.iter().map(|x| x - 1.0).collect();
        let cost = |part: &[f64]| {
            let (_, s) = sums::mean_and_spread(part);
            let m = part.len() as f64;
            m * ((s * s * (m - 1.0) / m).ln() + 1.0)
        };
        let mut cheapest = (cost(&values), vec![0, 30]);
        for a in SEGMENT..=30 - SEGMENT {
            let two = cost(&values[..a]) + cost(&values[a..]) + 10.0;
            if two < cheapest.0 {
                cheapest = (two, vec![0, a, 30]);
            }
            for b in a + SEGMENT..=30 - SEGMENT {
                let three = cost(&values[..a]) + cost(&values[a..b]) + cost(&values[b..]) + 20.0;
                if three < cheapest.0 {
                    cheapest = (three, vec![0, a, b, 30]);
                }
            }
        }
        assert_eq!(cut(&values, 10.0), cheapest.1);
    }

    #[test]
    fn equal_samples_are_flat_and_spikes_are_counted() {
        let flat = classify(&[3.0; 40]).unwrap();
        assert_eq!((flat.steadiness, flat.segments.len(), flat.outliers), (Steadiness::Flat, 1, 0));
        let mut spiky = noisy(200, 9, |_| 1.0);
        spiky[50] *= 5.0;
        spiky[120] *= 3.0;
        let spiky = classify(&spiky).unwrap();
        assert_eq!((spiky.steadiness, spiky.outliers), (Steadiness::Flat, 2));
        assert!(classify(&[1.0; 19]).is_err());
        assert!(classify(&[0.0; 40]).is_err());
    }
}
