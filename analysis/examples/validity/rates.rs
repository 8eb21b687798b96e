//! Smaller simulations: the cost of other designs, and the accuracy of the verdict's own forecasts.

use plusminus_analysis::random::Random;
use plusminus_analysis::special::student_t_two_sided_tail;
use plusminus_analysis::summary::summarize;
use plusminus_analysis::verdict::{ConfidenceSequence, Rule, SequentialVerdict, sequence_factor};

/// Two-sided p-value of a t test that the mean of blocks is zero.
fn p_value(blocks: &[f64]) -> f64 {
    let s = summarize(blocks).expect("finite");
    student_t_two_sided_tail(s.mean / s.u.expect("several blocks"), blocks.len() as f64 - 1.0)
}

/// Holm's procedure: which hypotheses it rejects, so that the probability of *any* false rejection is at most `level`.
pub(crate) fn holm(p: &[f64], level: f64) -> Vec<bool> {
    let order = ascending(p);
    let passes = |rank: &usize| p[order[*rank]] * (p.len() - rank) as f64 <= level;
    let rejections = (0..p.len()).take_while(passes).count();
    marked(&order, rejections)
}

/// Benjamini and Hochberg's procedure: the expected *share* of false rejections is at most `level`.
pub(crate) fn benjamini_hochberg(p: &[f64], level: f64) -> Vec<bool> {
    let order = ascending(p);
    let passes = |rank: &usize| p[order[*rank]] * p.len() as f64 / (rank + 1) as f64 <= level;
    let rejections = (0..p.len()).rev().find(passes).map_or(0, |rank| rank + 1);
    marked(&order, rejections)
}

/// Positions in ascending order of p.
fn ascending(p: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|a, b| p[*a].total_cmp(&p[*b]));
    order
}

/// Marks the first positions of an order.
fn marked(order: &[usize], count: usize) -> Vec<bool> {
    let mut marks = vec![false; order.len()];
    order[..count].iter().for_each(|i| marks[*i] = true);
    marks
}

/// Mean number of blocks of a spread to prove that equals are within 2 %.
pub(crate) fn blocks_to_same(spread: f64, comparisons: usize, seed: u64) -> f64 {
    let mut random = Random::new(seed);
    let mut one = || {
        let mut verdict = SequentialVerdict::new(Rule::default()).expect("the rule is valid");
        let decides = |_: &usize| {
            verdict.push(spread * random.normal()).expect("finite");
            verdict.decision().is_some()
        };
        (1..60).find(decides).unwrap_or(60)
    };
    (0..comparisons).map(|_| one()).sum::<usize>() as f64 / comparisons as f64
}

/// How often n blocks find a change as large as the minimum detectable effect: the one of the true spread, and the one
/// that n other blocks have forecast from the spread they saw.
pub(crate) fn power_of_the_forecast(n: usize, comparisons: usize, seed: u64) -> [f64; 2] {
    const SPREAD: f64 = 0.01;
    let factor = sequence_factor(n, 0.05, 1.0).expect("enough blocks") + 0.8416;
    let true_effect = factor * SPREAD / (n as f64).sqrt();
    let mut random = Random::new(seed);
    let mut found = [0; 2];
    for _ in 0..comparisons {
        let new = || ConfidenceSequence::new(0.05).expect("alpha is a probability");
        let mut forecast = new();
        (0..n).for_each(|_| forecast.push(SPREAD * random.normal()).expect("finite"));
        let effect = forecast.minimum_detectable_effect().expect("enough blocks").ln_1p();
        for (found, effect) in found.iter_mut().zip([true_effect, effect]) {
            let mut trial = new();
            (0..n).for_each(|_| trial.push(effect + SPREAD * random.normal()).expect("finite"));
            *found += usize::from(trial.interval().is_some_and(|i| i.low > 0.0));
        }
    }
    found.map(|count| count as f64 / comparisons as f64)
}

/// Claims of an exploratory table of 50 t tests on 30 blocks each, 5 of the benchmarks being 3 % slower.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TableOutcome {
    /// Share of tables with a false claim at p < 0.05, uncorrected.
    pub(crate) any_uncorrected: f64,
    /// Share of tables with a false claim after Benjamini and Hochberg.
    pub(crate) any_bh: f64,
    /// Mean share of false claims among those of Benjamini and Hochberg.
    pub(crate) false_discovery_rate: f64,
}

/// Blocks with a spread of 3 %, of which all benchmarks share a part: the correlation of two of them.
pub(crate) fn tables(correlation: f64, tables: usize, seed: u64) -> TableOutcome {
    let mut random = Random::new(seed);
    let (mut any, mut any_bh, mut rate) = (0, 0, 0.0);
    for _ in 0..tables {
        let shared: Vec<f64> = (0..30).map(|_| random.normal()).collect();
        let p: Vec<f64> = (0..50)
            .map(|benchmark| {
                let change = if benchmark < 5 { 1.03_f64.ln() } else { 0.0 };
                let d: Vec<f64> = shared
                    .iter()
                    .map(|s| correlation.sqrt() * s + (1.0 - correlation).sqrt() * random.normal())
                    .map(|z| change + 0.03 * z)
                    .collect();
                p_value(&d)
            })
            .collect();
        any += usize::from(p[5..].iter().any(|p| *p < 0.05));
        let rejected = benjamini_hochberg(&p, 0.05);
        let wrong = rejected[5..].iter().filter(|r| **r).count();
        any_bh += usize::from(wrong > 0);
        let all = rejected.iter().filter(|r| **r).count();
        rate += wrong as f64 / all.max(1) as f64;
    }
    let share = |count: usize| count as f64 / tables as f64;
    TableOutcome {
        any_uncorrected: share(any),
        any_bh: share(any_bh),
        false_discovery_rate: rate / tables as f64,
    }
}

/// Power for a change of 0.7 block spreads in a suite of 50 that spends 30 blocks on each: Holm's correction of t tests
/// at the end, and the sequence at α/M.
pub(crate) fn power_for_small_effects(suites: usize, seed: u64) -> [f64; 2] {
    let mut random = Random::new(seed);
    let mut found = [0; 2];
    for _ in 0..suites {
        let mut p = Vec::with_capacity(50);
        for benchmark in 0..50 {
            let change = if benchmark < 5 { 0.7 } else { 0.0 };
            let d: Vec<f64> = (0..30).map(|_| change + random.normal()).collect();
            p.push(p_value(&d));
            if benchmark < 5 {
                let mut sequence = ConfidenceSequence::new(0.05 / 50.0).expect("a probability");
                d.iter().for_each(|d| sequence.push(*d).expect("finite"));
                found[1] += usize::from(sequence.interval().is_some_and(|i| i.low > 0.0));
            }
        }
        let rejected = holm(&p, 0.05);
        found[0] += rejected[..5].iter().filter(|r| **r).count();
    }
    found.map(|count| count as f64 / (5 * suites) as f64)
}

/// Fixed 30 blocks and Holm's correction, for comparison: (any false alarm, power).
pub(crate) fn suite_holm(spread: f64, suites: usize, seed: u64) -> (f64, f64) {
    let mut random = Random::new(seed);
    let (mut any, mut found) = (0, 0);
    for _ in 0..suites {
        let p: Vec<f64> = (0..50)
            .map(|benchmark| {
                let change = if benchmark < 5 { 1.03_f64.ln() } else { 0.0 };
                let d: Vec<f64> = (0..30).map(|_| change + spread * random.normal()).collect();
                p_value(&d)
            })
            .collect();
        let rejected = holm(&p, 0.05);
        found += rejected[..5].iter().filter(|r| **r).count();
        any += usize::from(rejected[5..].contains(&true));
    }
    (any as f64 / suites as f64, found as f64 / (5.0 * suites as f64))
}
