//! Two-stage estimates: a pilot decides the number of runs.

use plusminus_analysis::{
    Confidence,
    random::Random,
    summary::summarize,
    two_stage::{estimate, reach, runs_needed},
};

fn normal(random: &mut Random) -> f64 {
    let (u, v) = (random.uniform(), random.uniform());
    (-2.0 * libm::log(u)).sqrt() * libm::cos(2.0 * std::f64::consts::PI * v)
}

/// Returns how often the two-stage interval covers the mean, and how often the usual interval of all runs does.
/// `noise` is σ over the half width that is asked for.
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
        let summary = summarize(&runs).unwrap();
        let (mean, spread) = (summary.mean, summary.spread.unwrap());
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
    assert!(worst_usual < 0.94, "the usual interval does not survive the choice: {worst_usual}");
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
