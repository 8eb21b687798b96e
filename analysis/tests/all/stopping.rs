//! Stopping when a comparison is decided: the intervals of the sequence keep their coverage, and those of a fixed plan
//! do not. By simulation with a fixed seed.
#![cfg(feature = "models")]

use plusminus_analysis::{
    Confidence,
    random::Random,
    verdict::{Margin, Rule, Verdict, look},
};

const EXPERIMENTS: usize = 2000;
const MOST_RUNS: usize = 60;
const MARGIN: f64 = 0.02;

fn normal(random: &mut Random) -> f64 {
    let (u, v) = (random.uniform(), random.uniform());
    (-2.0 * libm::log(u)).sqrt() * libm::cos(2.0 * std::f64::consts::PI * v)
}

/// The results of many experiments.
#[derive(Debug, Default)]
struct Counts {
    /// The interval does not contain the truth.
    missed: usize,
    /// Nor does the t interval of the same runs, as if their number had been fixed.
    missed_by_t: usize,
    /// The verdict is not true.
    wrong: usize,
    decided: usize,
    runs: usize,
}

/// Measures one variant against its baseline, with a look after each run.
fn simulate(truth: f64, spread: f64, rule: Rule, seed: u64) -> Counts {
    let mut random = Random::new(seed);
    let mut counts = Counts::default();
    for _ in 0..EXPERIMENTS {
        let mut blocks: Vec<f64> = Vec::new();
        let conclusion = loop {
            blocks.push(truth + spread * normal(&mut random));
            let seen = look(&blocks, rule).unwrap();
            if seen.decision().is_some() || blocks.len() == MOST_RUNS {
                counts.decided += usize::from(seen.decision().is_some());
                break seen.conclude();
            }
        };
        counts.runs += blocks.len();
        // The interval is that of S = base/new.
        let s = (-truth).exp();
        let interval = conclusion.judgement.interval;
        counts.missed += usize::from(interval.is_none_or(|i| s < i.low || s > i.high));
        let n = blocks.len() as f64;
        let mean = blocks.iter().sum::<f64>() / n;
        let variance = blocks.iter().map(|d| (d - mean).powi(2)).sum::<f64>() / (n - 1.0);
        let reach = Confidence::P95.factor(Some(n - 1.0)) * (variance / n).sqrt();
        counts.missed_by_t += usize::from((mean - truth).abs() > reach);
        counts.wrong += usize::from(match conclusion.judgement.verdict {
            Verdict::Slower => truth <= 0.0,
            Verdict::Faster => truth >= 0.0,
            Verdict::WithinMargin => truth.abs() >= MARGIN.ln_1p(),
            Verdict::Inconclusive => false,
        });
    }
    counts
}

/// 5 % of the experiments and three standard deviations of that count.
fn allowed() -> usize {
    let n = EXPERIMENTS as f64;
    (0.05 * n + 3.0 * (0.05 * 0.95 * n).sqrt()) as usize
}

#[test]
fn stopping_when_decided_keeps_the_coverage() {
    let rule = Rule { margin: Margin::new(MARGIN).unwrap(), ..Rule::default() };
    let limit = allowed();
    let mut worst_of_t = 0;
    for (index, truth) in [0.0, 0.01, MARGIN.ln_1p(), 0.03, -0.05].into_iter().enumerate() {
        let counts = simulate(truth, 0.02, rule, 7 + index as u64);
        assert!(counts.missed <= limit, "{truth}: {counts:?}");
        assert!(counts.wrong <= limit, "{truth}: {counts:?}");
        worst_of_t = worst_of_t.max(counts.missed_by_t);
        if truth == -0.05 {
            assert!(counts.decided * 10 > EXPERIMENTS * 9, "clear cases end early: {counts:?}");
            assert!(counts.runs < EXPERIMENTS * 30, "{counts:?}");
        }
    }
    // The same runs under intervals that know of no looks: the test can fail.
    assert!(worst_of_t > limit, "{worst_of_t} of {EXPERIMENTS}, {limit} allowed");
}

#[test]
fn a_table_of_several_variants_raises_no_more_false_alarms() {
    let rule = Rule { benchmarks: 4, margin: Margin::new(MARGIN).unwrap(), ..Rule::default() };
    let counts = simulate(0.0, 0.05, rule, 99);
    // Each of four may err in a quarter of 5 %.
    assert!(counts.wrong * 4 <= allowed(), "{counts:?}");
}
