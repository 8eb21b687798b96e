//! The estimate of a comparison lies in its interval, always, and the interval keeps its coverage: 50,000 simulated
//! comparisons that stop when they are decided. Seeds are fixed. `COMPARISONS=100000 cargo test --release -p
//! plusminus-analysis --all-features --test all inside -- --nocapture` makes a million of them.
#![cfg(feature = "models")]

use std::{env, thread};

use plusminus_analysis::random::Random;
use plusminus_analysis::special::normal_quantile;
use plusminus_analysis::verdict::{
    Conclusion, Rule, SequentialVerdict, Verdict, conclude_blocks, decide_blocks,
};

/// Comparisons of each kind.
fn comparisons() -> u32 {
    env::var("COMPARISONS").ok().map_or(5_000, |count| count.parse().unwrap())
}

/// How blocks lie around the true typical change, their median, in units of their spread.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Noise {
    Normal,
    /// A share of the blocks lies 20 to 80 spreads off, to either side.
    Outliers(f64),
    /// The same, always higher.
    OneSided(f64),
    /// Three blocks in ten lie 20 spreads off, to either side alike: both programs have two speeds.
    Bimodal,
    /// One block in ten scatters five times as far.
    Contaminated,
    /// σ 0.5: what only a program whose sides have different tails gives.
    Lognormal,
    /// Sixty blocks travel by one spread.
    Drifting,
    /// Each block remembers 0.3 of the one before.
    Correlated,
}

impl Noise {
    fn next(self, state: &mut f64, random: &mut Random) -> f64 {
        let z = random.normal();
        let mut off = |share: f64| {
            let far = 20.0 + 60.0 * random.uniform();
            if random.uniform() < share { far } else { 0.0 }
        };
        match self {
            Self::Normal => z,
            Self::Outliers(share) => z + off(share / 2.0) - off(share / 2.0),
            // The median of all blocks is that of the others at the rank that is left: a little higher.
            Self::OneSided(share) => z + off(share) - normal_quantile(0.5 / (1.0 - share)),
            Self::Bimodal => {
                let mode = random.uniform();
                let side = f64::from(u8::from(mode < 0.15)) - f64::from(u8::from(mode > 0.85));
                z + 20.0 * side
            }
            Self::Contaminated => z * if random.uniform() < 0.1 { 5.0 } else { 1.0 },
            Self::Lognormal => (0.5 * z).exp() - 1.0,
            Self::Drifting => {
                *state += 1.0 / 60.0;
                z + *state - 0.5
            }
            Self::Correlated => {
                *state = 0.3 * *state + z;
                *state
            }
        }
    }
}

/// The results of simulated comparisons.
#[derive(Debug, Default)]
struct Found {
    covered: u32,
    with_interval: u32,
    wrong: u32,
}

/// Measures until decided, 60 blocks at most, and answers the blocks.
fn blocks(noise: Noise, change: f64, spread: f64, rule: Rule, random: &mut Random) -> Vec<f64> {
    let mut verdict = SequentialVerdict::new(rule).unwrap();
    let (mut state, mut all) = (0.0, Vec::new());
    while all.len() < 60 && verdict.decision().is_none() {
        let d = change + spread * noise.next(&mut state, random);
        verdict.push(d).unwrap();
        all.push(d);
    }
    all
}

/// Panics unless everything that is printed of a conclusion agrees with itself.
fn check(conclusion: &Conclusion) {
    let judgement = &conclusion.judgement;
    let speedup = conclusion.speedup.unwrap();
    let Some(interval) = judgement.interval else { return };
    assert!(interval.contains(speedup), "{conclusion:?}");
    match judgement.verdict {
        Verdict::Slower => {
            assert!(interval.high < 1.0, "the interval proves what is said: {conclusion:?}");
            let least = judgement.at_least.unwrap();
            assert!((least - (1.0 / interval.high - 1.0)).abs() < 1e-12, "{conclusion:?}");
        }
        Verdict::Faster => {
            assert!(interval.low > 1.0, "{conclusion:?}");
            let least = judgement.at_least.unwrap();
            assert!((least - (1.0 - 1.0 / interval.low)).abs() < 1e-12, "{conclusion:?}");
        }
        Verdict::WithinMargin => {
            assert!(interval.low > 1.0 / 1.02 && interval.high < 1.02, "{conclusion:?}");
        }
        // A proven sign is reported, unless the blocks contradict each other.
        Verdict::Inconclusive => assert!(
            interval.contains(1.0) || conclusion.contradictory || conclusion.blocks < 6,
            "{conclusion:?}"
        ),
    }
}

fn simulate(noise: Noise, comparisons: u32, seed: u64) -> Found {
    let mut random = Random::new(seed);
    let mut found = Found::default();
    for index in 0..comparisons {
        let change = [0.0, 0.0, 0.01, 0.03, -0.05][index as usize % 5];
        let spread = [0.0045, 0.0108, 0.0239][index as usize % 3];
        let rule = Rule { benchmarks: [1, 20][index as usize % 2], ..Rule::default() };
        let all = blocks(noise, change, spread, rule, &mut random);
        let (conclusion, repaired) = conclude_blocks(&all, rule).unwrap();
        check(&conclusion);
        // Looks after every block lead to the same result as one look at the end.
        let judgement = conclusion.judgement;
        let ends = judgement.verdict == Verdict::WithinMargin || judgement.beyond_margin;
        let decided = decide_blocks(&all, rule).unwrap();
        assert_eq!(decided, ends.then_some(judgement.verdict), "repaired: {repaired}");
        if let Some(interval) = judgement.interval {
            found.with_interval += 1;
            found.covered += u32::from(interval.contains((-change).exp()));
        }
        found.wrong += u32::from(match judgement.verdict {
            Verdict::Slower => change <= 0.0,
            Verdict::Faster => change >= 0.0,
            Verdict::WithinMargin => change.abs() > 0.02,
            Verdict::Inconclusive => false,
        });
    }
    found
}

#[test]
fn estimates_lie_in_their_intervals_and_intervals_cover() {
    let comparisons = comparisons();
    let cases = [
        (Noise::Normal, 0.95, 0.05),
        (Noise::Outliers(0.03), 0.95, 0.05),
        (Noise::Outliers(0.08), 0.95, 0.05),
        (Noise::OneSided(0.03), 0.95, 0.05),
        (Noise::OneSided(0.08), 0.95, 0.05),
        (Noise::Bimodal, 0.95, 0.05),
        (Noise::Contaminated, 0.95, 0.05),
        (Noise::Lognormal, 0.95, 0.05),
        // The guarantee is for independent blocks: these two have known dependence, and cover less.
        (Noise::Drifting, 0.85, 0.05),
        (Noise::Correlated, 0.85, 0.05),
    ];
    let all = thread::scope(|scope| {
        let running =
            cases.map(|(noise, ..)| scope.spawn(move || simulate(noise, comparisons, 31)));
        running.map(|thread| thread.join().unwrap())
    });
    for ((noise, least_covered, most_wrong), found) in cases.into_iter().zip(all) {
        let covered = f64::from(found.covered) / f64::from(found.with_interval);
        let wrong = f64::from(found.wrong) / f64::from(comparisons);
        println!("{noise:?}: covered {covered:.4}, wrong verdicts {wrong:.4}");
        let with_interval = f64::from(found.with_interval) / f64::from(comparisons);
        assert!(with_interval > 0.9, "{noise:?}: {found:?}");
        assert!(covered >= least_covered, "{noise:?}: {covered}");
        assert!(wrong <= most_wrong, "{noise:?}: {wrong}");
    }
}
