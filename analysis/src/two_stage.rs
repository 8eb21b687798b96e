//! How many runs it takes to reach a precision, decided once after a pilot (Stein 1945), and the uncertainty of what
//! was then measured: the number of runs depends on the pilot's spread, and the interval keeps its coverage.
//!
//! The spread of a normal sample says nothing about its mean, so a number of runs that is chosen by the spread of
//! the pilot leaves the mean of all runs as it was: mean ± t·s₀/√n with the pilot's s₀ and degrees of freedom covers
//! exactly as often as it says, whatever n was chosen. The same holds for every sum and difference of quantities
//! whose runs are jointly normal, such as the log-times of several variants, when n depends on any of their pilots.
//!
//! ```
//! use plusminus_analysis::{two_stage, Confidence};
//!
//! let pilot = [10.2, 9.9, 10.4, 9.8, 10.1];
//! let runs = two_stage::runs_needed(&pilot, 0.1, Confidence::P95).unwrap();
//! assert_eq!(runs, 44); // (2.776 · 0.2387 / 0.1)² = 43.9
//! ```

use crate::{Confidence, Estimate, Result, error::check_count, error::check_positive, sums};

/// The least number of runs with which the interval of the mean reaches no farther than `half_width` to either side,
/// ⌈(t·s₀/h)²⌉ (Stein 1945); never less than the pilot has.
///
/// # Errors
/// When the pilot has fewer than two runs, or the half width is not positive and finite.
pub fn runs_needed(pilot: &[f64], half_width: f64, confidence: Confidence) -> Result<usize> {
    check_positive(&[half_width])?;
    let reach = reach(pilot, 1, confidence)?;
    let runs = (reach / half_width).powi(2).ceil();
    // More runs than this are not worth the wait; larger numbers could not be told from each other anyway.
    Ok(pilot.len().max(runs.min(1e9) as usize))
}

/// How far the interval reaches to either side after `runs` runs, t·s₀/√n.
///
/// # Errors
/// When the pilot has fewer than two runs, or there are no runs.
pub fn reach(pilot: &[f64], runs: usize, confidence: Confidence) -> Result<f64> {
    check_count("pilot runs", pilot.len(), 2)?;
    check_count("runs", runs, 1)?;
    let (_, spread) = sums::mean_and_spread(pilot);
    let factor = confidence.factor(Some(pilot.len() as f64 - 1.0));
    Ok(factor * spread / (runs as f64).sqrt())
}

/// The mean of all runs, of which the first `pilot` decided how many there were to be.
///
/// Its u is that of the pilot, s₀/√n with n₀ − 1 degrees of freedom, which keeps the coverage, or that of all runs
/// with n − 1, where this gives the wider interval: later runs may add to the doubt, and not take from it. With as
/// many runs as the pilot has, both are the usual standard uncertainty (VoV 5).
///
/// # Errors
/// When there are fewer than two runs in the pilot, or fewer in all than in the pilot.
pub fn estimate(runs: &[f64], pilot: usize, confidence: Confidence) -> Result<Estimate> {
    check_count("pilot runs", pilot, 2)?;
    check_count("runs", runs.len(), pilot)?;
    let (mean, spread) = sums::mean_and_spread(runs);
    let (_, pilot_spread) = sums::mean_and_spread(&runs[..pilot]);
    let of = |spread: f64, size: usize| {
        let degrees_of_freedom = size as f64 - 1.0;
        (spread / (runs.len() as f64).sqrt(), degrees_of_freedom)
    };
    let wider = [of(pilot_spread, pilot), of(spread, runs.len())].into_iter().max_by(|a, b| {
        let reach = |(u, nu): &(f64, f64)| u * confidence.factor(Some(*nu));
        reach(a).total_cmp(&reach(b))
    });
    Ok(Estimate {
        value: mean,
        u: wider.map(|(u, _)| u),
        degrees_of_freedom: wider.map(|(_, nu)| nu),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    fn normal(random: &mut Random) -> f64 {
        let (u, v) = (random.uniform(), random.uniform());
        (-2.0 * libm::log(u)).sqrt() * libm::cos(2.0 * std::f64::consts::PI * v)
    }

    /// How often the interval covers the mean when the pilot decides the number of runs, and the same with the usual
    /// interval of all runs. `noise` is σ over the half width wanted.
    fn coverage(noise: f64, largest: usize, repetitions: usize, random: &mut Random) -> (f64, f64) {
        let (mut ours, mut usual) = (0, 0);
        for _ in 0..repetitions {
            let mut runs: Vec<f64> = (0..5).map(|_| noise * normal(random)).collect();
            let needed = runs_needed(&runs, 1.0, Confidence::P95).unwrap().min(largest);
            while runs.len() < needed {
                runs.push(noise * normal(random));
            }
            let interval = estimate(&runs, 5, Confidence::P95).unwrap().interval(Confidence::P95);
            ours += usize::from(interval.unwrap().contains(0.0));
            let (mean, spread) = sums::mean_and_spread(&runs);
            let n = runs.len() as f64;
            let reach = Confidence::P95.factor(Some(n - 1.0)) * spread / n.sqrt();
            usual += usize::from(mean.abs() <= reach);
        }
        (ours as f64 / repetitions as f64, usual as f64 / repetitions as f64)
    }

    #[test]
    fn the_interval_covers_as_often_as_it_says_whatever_the_noise() {
        let mut random = Random::new(4);
        let mut worst_usual = 1.0_f64;
        for noise in [0.2, 0.5, 0.8, 1.0, 1.5, 3.0] {
            let (ours, usual) = coverage(noise, 30, 20_000, &mut random);
            // Three standard deviations of a share of 20 000 are 0.0046.
            assert!(ours > 0.9454, "noise {noise}: {ours}");
            worst_usual = worst_usual.min(usual);
        }
        assert!(
            worst_usual < 0.94,
            "the usual interval does not survive the choice: {worst_usual}"
        );
    }

    #[test]
    fn a_difference_of_two_is_covered_although_their_own_precision_decided() {
        let mut random = Random::new(5);
        let mut covered = 0;
        for _ in 0..20_000 {
            let (mut a, mut b, mut d) = (Vec::new(), Vec::new(), Vec::new());
            let mut add = |random: &mut Random, a: &mut Vec<f64>, b: &mut Vec<f64>| {
                let shared = normal(random);
                a.push(0.7 * shared + 0.3 * normal(random));
                b.push(0.7 * shared + 0.5 * normal(random));
                d.push(a[a.len() - 1] - b[b.len() - 1]);
            };
            for _ in 0..5 {
                add(&mut random, &mut a, &mut b);
            }
            let needed = |pilot: &[f64]| runs_needed(pilot, 0.5, Confidence::P95).unwrap();
            let n = needed(&a).max(needed(&b)).min(40);
            while a.len() < n {
                add(&mut random, &mut a, &mut b);
            }
            let interval = estimate(&d, 5, Confidence::P95).unwrap().interval(Confidence::P95);
            covered += usize::from(interval.unwrap().contains(0.0));
        }
        assert!(covered > 18_908, "{covered} of 20 000");
    }

    #[test]
    fn the_precision_is_reached() {
        let pilot = [1.0, 2.0, 3.0, 4.0];
        let runs = runs_needed(&pilot, 0.5, Confidence::P95).unwrap();
        assert!(reach(&pilot, runs, Confidence::P95).unwrap() <= 0.5);
        assert!(reach(&pilot, runs - 1, Confidence::P95).unwrap() > 0.5);
        assert_eq!(runs_needed(&[2.0, 2.0, 2.0], 0.1, Confidence::P95).unwrap(), 3);
        assert!(runs_needed(&[2.0], 0.1, Confidence::P95).is_err());
        assert!(runs_needed(&pilot, 0.0, Confidence::P95).is_err());
        assert!(estimate(&[1.0, 2.0], 3, Confidence::P95).is_err());
    }
}
