//! Runs that resemble their neighbors.

use plusminus_analysis::{Confidence, random::Random, serial::inflation, summary::summarize};

/// Benchmarks on one machine, whose state follows an AR(1) process: a part of each run's deviation.
fn invocation(random: &mut Random, runs: usize, rho: f64, shared: f64) -> Vec<Vec<f64>> {
    let mut state = random.normal();
    let mut series = vec![Vec::new(); 10];
    for _ in 0..runs {
        for benchmark in &mut series {
            benchmark.push(shared.sqrt() * state + (1.0 - shared).sqrt() * random.normal());
            // Ten benchmarks take turns within one run of all.
            let step = rho.powf(0.1);
            state = step * state + (1.0 - step * step).sqrt() * random.normal();
        }
    }
    series
}

/// How often 95 % intervals cover the true mean, 0: those of independent runs, and widened by √τ; and the mean of √τ.
fn coverage(runs: usize, rho: f64, shared: f64) -> (f64, f64, f64) {
    let mut random = Random::new(17);
    let (mut plain, mut widened, mut factor) = (0, 0, 0.0);
    let invocations = 600;
    for _ in 0..invocations {
        let series = invocation(&mut random, runs, rho, shared);
        let root = inflation(&series).sqrt();
        factor += root / f64::from(invocations);
        for runs in &series {
            let summary = summarize(runs).unwrap();
            let (mean, spread) = (summary.mean, summary.spread.unwrap());
            let n = runs.len() as f64;
            let reach = Confidence::P95.factor(Some(n - 1.0)) * spread / n.sqrt();
            plain += usize::from(mean.abs() <= reach);
            widened += usize::from(mean.abs() <= root * reach);
        }
    }
    let all = 10.0 * f64::from(invocations);
    (plain as f64 / all, widened as f64 / all, factor)
}

#[test]
fn independent_runs_are_hardly_widened() {
    for runs in [5, 8, 20, 40] {
        let (plain, widened, factor) = coverage(runs, 0.0, 0.0);
        println!("{runs} independent runs: {plain:.3} without, {widened:.3} with, √τ {factor:.3}");
        assert!((plain - 0.95).abs() < 0.012, "{runs} runs: {plain}");
        assert!(widened >= plain && factor < 1.15, "{runs} runs: {widened}, {factor}");
    }
}

#[test]
fn intervals_of_runs_that_resemble_each_other_cover_far_more_often() {
    for (runs, rho, shared, without, with) in
        [(10, 0.6, 0.6, 0.82, 0.87), (20, 0.6, 0.6, 0.77, 0.86), (40, 0.8, 0.5, 0.68, 0.85)]
    {
        let (plain, widened, _) = coverage(runs, rho, shared);
        println!("{runs} runs, ρ = {rho}: {plain:.3} without, {widened:.3} with");
        assert!(plain < without, "{runs} runs, ρ = {rho}: {plain} without");
        assert!(widened > with, "{runs} runs, ρ = {rho}: {widened} with");
    }
}

#[test]
fn what_cannot_be_told_changes_nothing() {
    assert_eq!(inflation(&[]), 1.0);
    assert_eq!(inflation(&[vec![1.0, 2.0, 1.0], vec![3.0]]), 1.0);
    assert_eq!(inflation(&vec![vec![2.0; 30]; 10]), 1.0, "runs without spread");
    assert_eq!(inflation(&[(0..10).map(f64::from).collect()]), 1.0, "too few pairs");
    let zigzag = vec![(0..40).map(|run| f64::from(run % 2)).collect::<Vec<f64>>(); 3];
    assert_eq!(inflation(&zigzag), 1.0, "opposites make no doubt");
    assert_eq!(inflation(&[vec![f64::INFINITY; 30]]), 1.0);
}
