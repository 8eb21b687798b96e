//! The simulations themselves: each returns shares or counts, and prints nothing.

use plusminus_analysis::Confidence;
use plusminus_analysis::decomposition::{Cells, Flag, Scale, decompose};
use plusminus_analysis::random::Random;
use plusminus_analysis::speedup::{Kind, unpaired};
use plusminus_analysis::verdict::{ConfidenceSequence, Rule, SequentialVerdict, Verdict};

use super::data::{Blocks, Shape};

/// Share of intervals that contain the true speedup of 1.5.
pub(crate) fn coverage(
    shape: Shape,
    n: usize,
    confidence: Confidence,
    sets: usize,
    seed: u64,
) -> f64 {
    const TRUTH: f64 = 1.5;
    let mut random = Random::new(seed);
    let mut hits = 0_u32;
    for _ in 0..sets {
        let base: Vec<f64> = shape.draw(n, &mut random).iter().map(|x| TRUTH * x).collect();
        let new = shape.draw(n, &mut random);
        let s = unpaired(&base, &new, Kind::BetweenVariants).expect("times are positive");
        hits += u32::from(s.log_interval(confidence).is_some_and(|i| i.contains(TRUTH)));
    }
    f64::from(hits) / sets as f64
}

/// Share of comparisons of equals in which the sequence excludes "no change" at any of 60 looks.
pub(crate) fn false_alarms(blocks: Blocks, alpha: f64, comparisons: usize, seed: u64) -> f64 {
    let mut random = Random::new(seed);
    let alarms = (0..comparisons)
        .filter(|_| {
            let mut sequence = ConfidenceSequence::new(alpha).expect("alpha is a probability");
            let mut state = 0.0;
            (0..60).any(|_| {
                let d = 0.01 * blocks.next(&mut state, &mut random);
                sequence.push(d).expect("blocks are finite");
                sequence.is_empty() || sequence.interval().is_some_and(|i| !i.contains(0.0))
            })
        })
        .count();
    alarms as f64 / comparisons as f64
}

/// The same for an ordinary t interval of 95 % after every block from the 5th: the cost of peeking.
pub(crate) fn false_alarms_of_peeking(blocks: Blocks, comparisons: usize, seed: u64) -> f64 {
    let factors: Vec<f64> = (0..60)
        .map(|n| if n < 5 { 0.0 } else { Confidence::P95.factor(Some(n as f64 - 1.0)) })
        .collect();
    let mut random = Random::new(seed);
    let alarms = (0..comparisons)
        .filter(|_| {
            let (mut state, mut sum, mut squares) = (0.0, 0.0, 0.0);
            (1..60).any(|n| {
                let d = blocks.next(&mut state, &mut random);
                sum += d;
                squares += d * d;
                let count = f64::from(n);
                let variance = (squares - sum * sum / count) / (count - 1.0);
                n >= 5 && (sum / count).abs() > factors[n as usize] * (variance / count).sqrt()
            })
        })
        .count();
    alarms as f64 / comparisons as f64
}

/// Mean and 80 % quantile of the number of normal blocks until the sequence excludes 0 (`within` `None`) or
/// lies within ±`within`; at least 6. Also the share that ends within the limit of blocks.
pub(crate) fn blocks_until(
    change: f64,
    spread: f64,
    within: Option<f64>,
    comparisons: usize,
    seed: u64,
) -> (f64, f64) {
    const LIMIT: usize = 3_000;
    let mut random = Random::new(seed);
    let mut counts: Vec<f64> = (0..comparisons)
        .map(|_| {
            let mut sequence = ConfidenceSequence::new(0.05).expect("alpha is a probability");
            for n in 1..=LIMIT {
                sequence.push(change + spread * random.normal()).expect("finite");
                let done = sequence.interval().is_some_and(|i| match within {
                    None => !i.contains(0.0),
                    Some(m) => i.low > -m && i.high < m,
                });
                if done && n >= 6 {
                    return n as f64;
                }
            }
            LIMIT as f64
        })
        .collect();
    counts.sort_unstable_by(f64::total_cmp);
    let mean = counts.iter().sum::<f64>() / counts.len() as f64;
    (mean, counts[(counts.len() * 4).div_ceil(5) - 1])
}

/// Outcome of suites of 50 benchmarks of which 5 are 3 % slower.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SuiteOutcome {
    /// Share of suites with any false alarm.
    pub(crate) any_false_alarm: f64,
    /// Share of the slower benchmarks that are called slower.
    pub(crate) power: f64,
    /// Share of the unchanged benchmarks that are proven the same.
    pub(crate) proven_same: f64,
    /// Mean number of blocks per benchmark.
    pub(crate) blocks: f64,
}

/// Sequential verdicts at α for "same" and α/`divisor` for alarms, at most 60 blocks, margin 2 %.
pub(crate) fn suite(spread: f64, divisor: usize, suites: usize, seed: u64) -> SuiteOutcome {
    let rule = Rule { benchmarks: divisor, ..Rule::default() };
    let mut random = Random::new(seed);
    let (mut any, mut found, mut same, mut blocks) = (0, 0, 0, 0);
    for _ in 0..suites {
        let mut alarm = false;
        for benchmark in 0..50 {
            let change = if benchmark < 5 { 1.03_f64.ln() } else { 0.0 };
            let mut verdict = SequentialVerdict::new(rule).expect("the rule is valid");
            for _ in 0..60 {
                verdict.push(change + spread * random.normal()).expect("finite");
                if verdict.decision().is_some() {
                    break;
                }
            }
            let conclusion = verdict.conclude();
            blocks += conclusion.blocks;
            match conclusion.judgement.verdict {
                Verdict::Slower if benchmark < 5 => found += 1,
                Verdict::Slower | Verdict::Faster => alarm |= benchmark >= 5,
                Verdict::WithinMargin => same += usize::from(benchmark >= 5),
                Verdict::Inconclusive => {}
            }
        }
        any += usize::from(alarm);
    }
    let suites = suites as f64;
    SuiteOutcome {
        any_false_alarm: any as f64 / suites,
        power: found as f64 / (5.0 * suites),
        proven_same: same as f64 / (45.0 * suites),
        blocks: blocks as f64 / (50.0 * suites),
    }
}

/// Shares of (slower or faster, within the margin) of up to 60 blocks with a spread of 1 %. The layout of each side
/// shifts its times by a random amount. With `relinked`, every block has layouts of its own, else all share one.
pub(crate) fn layouts(
    change: f64,
    luck: f64,
    relinked: bool,
    comparisons: usize,
    seed: u64,
) -> (f64, f64) {
    let mut random = Random::new(seed);
    let (mut changed, mut same) = (0, 0);
    for _ in 0..comparisons {
        let mut verdict = SequentialVerdict::new(Rule::default()).expect("the rule is valid");
        let draw = |random: &mut Random| luck * (random.normal() - random.normal());
        let mut layout = draw(&mut random);
        for _ in 0..60 {
            if relinked {
                layout = draw(&mut random);
            }
            verdict.push(change + layout + 0.01 * random.normal()).expect("finite");
            if verdict.decision().is_some() {
                break;
            }
        }
        let last = verdict.conclude().judgement.verdict;
        changed += usize::from(matches!(last, Verdict::Slower | Verdict::Faster));
        same += usize::from(last == Verdict::WithinMargin);
    }
    (changed as f64 / comparisons as f64, same as f64 / comparisons as f64)
}

/// The effect that is planted in a table of 8 instances.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Planted {
    /// Nothing.
    Nothing,
    /// Instance 3 takes twice as long.
    SlowInstance,
    /// Instance 3 takes three times as long in run 1.
    OddCell,
}

/// Shares of tables with a flag for (any instance, any cell, the planted one).
pub(crate) fn flags(planted: Planted, runs: usize, tables: usize, seed: u64) -> [f64; 3] {
    let mut random = Random::new(seed);
    let mut counts = [0; 3];
    for _ in 0..tables {
        let mut times: Vec<f64> = (0..runs * 8).map(|_| (0.2 * random.normal()).exp()).collect();
        for run in 0..runs {
            match planted {
                Planted::SlowInstance => times[run * 8 + 3] *= 2.0,
                Planted::OddCell if run == 1 => times[run * 8 + 3] *= 3.0,
                _ => {}
            }
        }
        let cells = Cells::new(&times, runs, 8, 1).expect("complete");
        let flags = decompose(&cells, Scale::Log).expect("positive").flags(0.05);
        let instance = |f: &Flag| matches!(f, Flag::SensitiveInstance { .. });
        let cell = |f: &Flag| matches!(f, Flag::OddCell { .. });
        let hit = |f: &Flag| match planted {
            Planted::Nothing => false,
            Planted::SlowInstance => matches!(f, Flag::SensitiveInstance { instance: 3, .. }),
            Planted::OddCell => matches!(f, Flag::OddCell { run: 1, instance: 3, .. }),
        };
        counts[0] += usize::from(flags.iter().any(instance));
        counts[1] += usize::from(flags.iter().any(cell));
        counts[2] += usize::from(flags.iter().any(hit));
    }
    counts.map(|c| c as f64 / tables as f64)
}
