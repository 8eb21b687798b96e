//! The typical change: numbers by hand, brute force over all orders of signs, and what a simulated rule comes to.

use plusminus_analysis::random::Random;
use plusminus_analysis::verdict::{
    Rule, SequentialVerdict, TypicalChange, Verdict, sequence_factor, sign_rank,
};

/// E_n(k) by its product: each block multiplies it by twice the probability that the bettor gave to its side.
fn wealth(signs: impl IntoIterator<Item = bool>) -> f64 {
    let (mut wealth, mut below, mut n) = (1.0, 0.0, 0.0);
    for is_below in signs {
        let bet_on_below = (below + 0.5) / (n + 1.0);
        wealth *= 2.0 * if is_below { bet_on_below } else { 1.0 - bet_on_below };
        below += f64::from(u8::from(is_below));
        n += 1.0;
    }
    wealth
}

#[test]
fn ranks_are_those_of_the_bettors_wealth() {
    for n in 1..60 {
        for alpha in [0.25, 0.05, 0.025, 0.005, 0.001, 1e-6] {
            let wealth_of = |k: usize| wealth((0..n).map(|block| block < k));
            let left_out = (0..n.div_ceil(2)).take_while(|&k| wealth_of(k) >= 1.0 / alpha).count();
            assert_eq!(sign_rank(n, alpha), left_out.checked_sub(1), "{n} {alpha}");
        }
    }
    let first = |alpha| (0..99).find(|&n| sign_rank(n, alpha).is_some());
    assert_eq!([0.05, 0.005, 0.001].map(first), [Some(7), Some(11), Some(13)]);
    assert!(sign_rank(1_000_000, 0.05).unwrap() > 497_000);
}

#[test]
fn no_more_than_alpha_of_all_orders_of_signs_ever_exclude_the_median() {
    // Blocks at −1 and 1 around the median 0, all 2¹⁶ orders: the interval excludes 0 if too few lie on one side.
    const MOST: u32 = 16;
    for alpha in [0.3, 0.1, 0.05, 0.01] {
        let excluded = (0..1_u32 << MOST).filter(|orders| {
            let mut below = 0;
            (1..=MOST as usize).any(|n| {
                below += (orders >> (n - 1) & 1) as usize;
                sign_rank(n, alpha).is_some_and(|rank| below <= rank || n - below <= rank)
            })
        });
        let share = excluded.count() as f64 / f64::from(1_u32 << MOST);
        assert!(share <= alpha && share > alpha / 20.0, "{alpha}: {share}");
    }
}

#[test]
fn normal_blocks_need_hardly_more_than_the_t_interval() {
    let mut random = Random::new(3);
    for (n, t, signs) in [(12, 1.54, 1.64), (20, 1.01, 1.13), (30, 0.78, 0.89)] {
        let reach = sequence_factor(n, 0.005, 1.0).unwrap() / (n as f64).sqrt();
        assert!((reach - t).abs() < 0.006, "{n}: {reach}");
        let rank = sign_rank(n, 0.005).unwrap();
        let mut sum = 0.0;
        for _ in 0..20_000 {
            let mut blocks: Vec<f64> = (0..n).map(|_| random.normal()).collect();
            blocks.sort_by(f64::total_cmp);
            sum += (blocks[n - 1 - rank] - blocks[rank]) / 2.0;
        }
        assert!((sum / 20_000.0 - signs).abs() < 0.012, "{n}: {}", sum / 20_000.0);
    }
}

fn after(blocks: &[f64], alpha: f64, resolution: f64) -> TypicalChange {
    let mut change = TypicalChange::new(alpha, resolution).unwrap();
    blocks.iter().for_each(|d| change.push(*d).unwrap());
    change
}

#[test]
fn one_block_far_off_changes_neither_estimate_nor_verdict() {
    let clean: Vec<f64> = (0..14).map(|i| 0.03 + 0.0003 * f64::from(i * 5 % 7 - 3)).collect();
    for at in 0..clean.len() {
        for far in [-0.9, 0.6, 5.0] {
            let mut blocks = clean.clone();
            blocks[at] = far;
            let mut verdict = SequentialVerdict::new(Rule::default()).unwrap();
            blocks.iter().for_each(|d| verdict.push(*d).unwrap());
            assert_eq!(verdict.decision(), Some(Verdict::Slower), "{at} {far}");
            let conclusion = verdict.conclude();
            assert!((conclusion.speedup.unwrap() - (-0.03_f64).exp()).abs() < 0.001);
            assert!(conclusion.sigma.unwrap() < 0.001 && !conclusion.by_signs_alone);
            // The t interval alone would not exclude anything.
            let (mean, n) = (blocks.iter().sum::<f64>() / 14.0, 14.0_f64);
            let s = (blocks.iter().map(|d| (d - mean).powi(2)).sum::<f64>() / (n - 1.0)).sqrt();
            assert!(sequence_factor(14, 0.05, 1.0).unwrap() * s / n.sqrt() > 0.03);
        }
    }
}

#[test]
fn outliers_on_one_side_leave_the_signs_alone() {
    let mut blocks: Vec<f64> = (0..30).map(|i| 0.0005 * f64::from(i * 7 % 11 - 5)).collect();
    blocks.iter_mut().step_by(5).for_each(|d| *d += 0.5);
    let change = after(&blocks, 0.05, 0.0);
    assert!(change.is_by_signs_alone());
    let interval = change.interval().unwrap();
    assert!(interval.contains(0.0) && interval.contains(change.estimate().unwrap()));
    assert!(interval.high < 0.003, "six blocks in thirty are no typical change: {interval:?}");
    // On both sides alike they leave the mean where it was.
    blocks.iter_mut().step_by(10).for_each(|d| *d -= 1.0);
    let change = after(&blocks, 0.05, 0.0);
    assert!(!change.is_by_signs_alone() && change.interval().unwrap().contains(0.0));
}

#[test]
fn blocks_that_are_too_few_for_the_t_interval_say_nothing_of_outliers() {
    for n in 2..8 {
        let blocks: Vec<f64> = (0..n).map(|i| 0.03 + 0.001 * f64::from(i % 3 - 1)).collect();
        let change = after(&blocks, 0.001, 0.0);
        assert_eq!((change.interval(), change.is_by_signs_alone()), (None, false), "{n}");
    }
}

#[test]
fn two_heaps_of_equal_size_are_decided_by_their_mean() {
    // Layouts that put the one or the other side ahead by 5 %: the median lies anywhere between, and its signs prove little.
    let mut random = Random::new(4);
    let (mut decided, mut wrong, mut blocks) = (0, 0, 0);
    for _ in 0..200 {
        let rule = Rule { benchmarks: 70, ..Rule::default() };
        let mut verdict = SequentialVerdict::new(rule).unwrap();
        let found = (0..250).find_map(|n| {
            let heap = if random.below(2) == 0 { -0.045 } else { 0.045 };
            verdict.push(heap + 0.03 * random.normal()).unwrap();
            verdict.decision().map(|found| (found, n))
        });
        if let Some((found, n)) = found {
            decided += 1;
            wrong += usize::from(found != Verdict::WithinMargin);
            blocks += n;
        }
    }
    assert!(decided >= 150 && wrong <= 1, "{decided} {wrong}, {blocks} blocks");
}

#[test]
fn equal_blocks_prove_no_more_than_the_clock_can_tell() {
    assert_eq!(after(&[0.1; 20], 0.05, 0.0).interval(), None);
    let change = after(&[0.1; 20], 0.05, 1e-4);
    let reach = sequence_factor(20, 0.025, 1.0).unwrap() * 1e-4 / 20_f64.sqrt();
    let interval = change.interval().unwrap();
    assert!(
        (interval.high - 0.1 - reach).abs() < 1e-9 && (0.1 - interval.low - reach).abs() < 1e-9
    );
    assert!(change.u().unwrap() > 0.0 && change.p_value() < 0.001);
}

#[test]
fn hostile_blocks_leave_everything_as_it_was() {
    let mut change = after(&[0.1, 0.2], 0.05, 0.0);
    let before = change.clone();
    for bad in [f64::NAN, f64::INFINITY, 1e300] {
        assert!(change.push(bad).is_err());
    }
    assert_eq!(change, before);
    assert!(TypicalChange::new(0.0, 0.0).is_err() && TypicalChange::new(0.05, -1.0).is_err());
    let empty = after(&[], 0.05, 0.0);
    assert_eq!((empty.estimate(), empty.interval(), empty.u()), (None, None, None));
    assert_eq!((empty.blocks_needed(1.0), empty.p_value()), (None, 1.0));
}

#[test]
fn forecasts_of_blocks_hold_for_half_of_the_comparisons_at_least() {
    let mut random = Random::new(8);
    for (change, spread) in [(0.0, 0.015), (0.02, 0.02), (0.0, 0.03)] {
        let mut sooner = 0;
        for _ in 0..200 {
            let mut verdict = SequentialVerdict::new(Rule::default()).unwrap();
            let mut forecast = None;
            for n in 1.. {
                verdict.push(change + spread * random.normal()).unwrap();
                if n == 12 {
                    forecast = verdict.blocks_until(0.5, 1.0);
                }
                if verdict.conclude().judgement.verdict != Verdict::Inconclusive || n == 400 {
                    sooner += usize::from(n <= 12 || forecast.is_some_and(|most| n <= most));
                    break;
                }
            }
        }
        assert!(sooner >= 90, "{change} {spread}: {sooner} of 200");
    }
    // A change as large as the margin is not decided by any number of blocks; one that is far from it soon is.
    let at = |change: f64| {
        let blocks: Vec<f64> =
            (0..40).map(|i| change + 0.001 * f64::from(i * 7 % 11 - 5)).collect();
        let mut verdict = SequentialVerdict::new(Rule::default()).unwrap();
        blocks.iter().for_each(|d| verdict.push(*d).unwrap());
        verdict.blocks_until(0.5, 1.0)
    };
    assert!(at(0.1).unwrap() < 12 && at(1.02_f64.ln()).is_none_or(|blocks| blocks > 300));
}

/// How many of 300 comparisons of up to `most` blocks are called slower or faster, and the same. Both sides are twice as slow in a
/// share of their processes.
fn two_speeds(change: f64, shares: [f64; 2], benchmarks: usize, most: usize) -> [usize; 2] {
    let mut random = Random::new(7);
    let mut counts = [0; 2];
    for _ in 0..300 {
        let mut verdict = SequentialVerdict::new(Rule { benchmarks, ..Rule::default() }).unwrap();
        for _ in 0..most {
            let [base, new] = shares.map(|share| {
                let mode = if random.uniform() < share { std::f64::consts::LN_2 } else { 0.0 };
                mode + 0.005 * random.normal()
            });
            verdict.push(change + new - base).unwrap();
            if verdict.decision().is_some() {
                break;
            }
        }
        match verdict.conclude().judgement.verdict {
            Verdict::Slower | Verdict::Faster => counts[0] += 1,
            Verdict::WithinMargin => counts[1] += 1,
            Verdict::Inconclusive => {}
        }
    }
    counts
}

#[test]
fn two_speeds_are_decided_by_what_is_typical() {
    for (share, benchmarks, most) in
        [(0.1, 1, 40), (0.3, 1, 100), (0.3, 30, 130), (0.5, 1, 130), (0.5, 30, 190)]
    {
        let [changed, same] = two_speeds(0.0, [share; 2], benchmarks, most);
        println!("{share} {benchmarks} {most}: equal code {changed} {same}");
        let [slower, wrong] = two_speeds(0.03, [share; 2], benchmarks, most);
        println!("{share} {benchmarks} {most}: +3 % {slower} {wrong}");
        assert!(changed <= 3 && wrong == 0, "{share}: {changed} {wrong}");
        assert!(same >= 285 && slower >= 285, "{share}: {same} {slower}");
    }
    // A version that is slow in most of its processes is slower.
    let [changed, same] = two_speeds(0.0, [0.1, 0.9], 1, 30);
    assert!(changed >= 285 && same == 0, "{changed} {same}");
}
