//! Checks the confidence sequence and its verdicts against published numbers and their definitions.

use plusminus_analysis::verdict::{
    ConfidenceSequence, Margin, Rule, SequentialVerdict, Verdict, sequence_factor,
};

use crate::support::{close, list, pair, vectors};

#[test]
fn factors() {
    let part = &vectors()["sequence"];
    for (alpha, n, c) in [(0.05, "n_05", "c_05"), (0.001, "n_001", "c_001")] {
        for (i, n) in list(&part[n]).into_iter().enumerate() {
            close(sequence_factor(n as usize, alpha, 1.0).unwrap(), &part[c][i]);
        }
    }
    // The factor is finite from 5 blocks on at 5 %, from 6 at 1 %, and from 8 at 0.1 %.
    for (alpha, first) in [(0.05, 5), (0.01, 6), (0.001, 8)] {
        assert!((0..first).all(|n| sequence_factor(n, alpha, 1.0).is_none()));
        assert!((first..200).all(|n| sequence_factor(n, alpha, 1.0).is_some()));
    }
    // c₂₀(0.001), and other prior scales, as quoted to three or four digits.
    for (n, alpha, prior, quoted) in [
        (20, 0.001, 1.0, 5.317),
        (8, 0.05, 0.25, 7.22),
        (10, 0.05, 0.25, 4.83),
        (30, 0.05, 0.25, 3.27),
        (8, 0.05, 4.0, 4.20),
        (10, 0.05, 4.0, 3.97),
        (30, 0.05, 4.0, 3.56),
    ] {
        assert!((sequence_factor(n, alpha, prior).unwrap() - quoted).abs() < 0.0051, "{n} {prior}");
    }
    // The cost of proving "within the margin" beyond an interval of 90 %.
    let ratio = sequence_factor(20, 0.05, 1.0).unwrap() / sequence_factor(20, 0.10, 1.0).unwrap();
    assert!((ratio * ratio - 1.23).abs() < 0.005);
}

#[test]
fn published_blocks() {
    let part = &vectors()["sequence"];
    let mut sequence = ConfidenceSequence::new(0.05).unwrap();
    for (i, d) in list(&part["blocks"]).into_iter().enumerate() {
        assert!(sequence.p_value() <= 1.0);
        sequence.push(d).unwrap();
        match sequence.ln_e_value(0.0) {
            Some(ln_e) => close(ln_e.exp(), &part["e_values"][i - 1]),
            None => assert_eq!(i, 0),
        }
    }
    close(sequence.mean().unwrap(), &part["mean"]);
    close(sequence.spread().unwrap(), &part["spread"]);
    close(sequence.mean().unwrap() / sequence.u().unwrap(), &part["t"]);
    let interval = sequence.interval().unwrap();
    let (low, high) = pair(&part["interval_95"]);
    close(interval.low, &low.into());
    close(interval.high, &high.into());
    let (low, high) = pair(&part["change_percent"]);
    assert!((100.0 * interval.low.exp_m1() - low).abs() < 5e-7);
    assert!((100.0 * interval.high.exp_m1() - high).abs() < 5e-7);
    close(1.0 / sequence.p_value(), &part["e_values"][6]);
    // (c₈ + 0.8416)·s/√8.
    let effect = (4.250893488831472 + 0.841_621_233_572_914_2) * sequence.u().unwrap();
    close(sequence.minimum_detectable_effect().unwrap(), &effect.exp_m1().into());
    assert_eq!(sequence.blocks_needed(interval.width() / 2.0 * 1.0001), Some(8));
}

#[test]
fn the_interval_excludes_a_mean_exactly_when_its_e_value_exceeds_one_over_alpha() {
    let mut sequence = ConfidenceSequence::new(0.05).unwrap();
    for i in 0..40 {
        sequence.push(0.01 * f64::from((i * 7919) % 23) - 0.1).unwrap();
        let Some(now) = sequence.current_interval() else { continue };
        for end in [now.low, now.high] {
            assert!((sequence.ln_e_value(end).unwrap() - 20f64.ln()).abs() < 1e-9);
        }
    }
}

#[test]
fn equal_blocks_prove_nothing_unless_the_resolution_is_known() {
    let mut blind = ConfidenceSequence::new(0.05).unwrap();
    let mut sharp = ConfidenceSequence::new(0.05).unwrap().with_resolution(1e-4).unwrap();
    for _ in 0..20 {
        blind.push(0.1).unwrap();
        sharp.push(0.1).unwrap();
    }
    assert_eq!((blind.interval(), blind.p_value()), (None, 1.0));
    assert!(sharp.interval().unwrap().low > 0.0999);
    assert!(sharp.p_value() < 0.001);
}

#[test]
fn hostile_values_leave_the_sequence_as_it_was() {
    let mut sequence = ConfidenceSequence::new(0.05).unwrap();
    sequence.push(0.1).unwrap();
    let before = sequence.clone();
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300] {
        assert!(sequence.push(bad).is_err());
    }
    assert_eq!(sequence, before);
    assert!(ConfidenceSequence::new(0.0).is_err() && ConfidenceSequence::new(f64::NAN).is_err());
    assert!(Margin::new(-0.1).is_err() && Margin::new(f64::INFINITY).is_err());
}

fn after(blocks: impl IntoIterator<Item = f64>, rule: Rule) -> SequentialVerdict {
    let mut verdict = SequentialVerdict::new(rule).unwrap();
    blocks.into_iter().for_each(|d| verdict.push(d).unwrap());
    verdict
}

/// Blocks of a given mean and spread, alternating around the mean.
fn blocks(n: usize, mean: f64, spread: f64) -> impl Iterator<Item = f64> {
    (0..n).map(move |i| mean + if i % 2 == 0 { spread } else { -spread })
}

#[test]
fn labels() {
    let rule = Rule::default();
    assert_eq!(after(blocks(8, 0.0, 0.001), rule).decision(), Some(Verdict::WithinMargin));
    assert_eq!(after(blocks(8, 0.05, 0.001), rule).decision(), Some(Verdict::Slower));
    assert_eq!(after(blocks(8, -0.05, 0.001), rule).decision(), Some(Verdict::Faster));
    let noisy = after(blocks(8, 0.01, 0.05), rule);
    assert_eq!(noisy.decision(), None);
    let conclusion = noisy.conclude();
    assert_eq!(conclusion.judgement.verdict, Verdict::Inconclusive);
    assert!(conclusion.judgement.minimum_detectable_effect.unwrap() > 0.05);
    assert!(conclusion.blocks_needed.unwrap() > 8);

    // The sign is proven, but not the size: measuring goes on, and the end reports the sign.
    let small = after(blocks(8, 0.02, 0.005), rule);
    assert_eq!(small.decision(), None);
    let judgement = small.conclude().judgement;
    assert_eq!((judgement.verdict, judgement.beyond_margin), (Verdict::Slower, false));

    // The change is real, but within the margin.
    let tiny = after(blocks(20, 0.004, 0.001), rule).conclude().judgement;
    assert_eq!((tiny.verdict, tiny.real_but_within_margin), (Verdict::WithinMargin, true));
}

#[test]
fn a_suite_asks_for_more_before_it_says_anything() {
    let suite = Rule { benchmarks: 50, ..Rule::default() };
    // α/M = 0.001 is finite from 8 blocks on only.
    for (change, verdict) in [(0.05, Verdict::Slower), (0.0, Verdict::WithinMargin)] {
        assert_eq!(after(blocks(7, change, 0.001), suite).decision(), None);
        assert_eq!(after(blocks(10, change, 0.001), suite).decision(), Some(verdict));
        assert_eq!(after(blocks(8, change, 0.001), Rule::default()).decision(), Some(verdict));
    }
}

#[test]
fn the_interval_that_is_shown_is_the_one_that_decides() {
    let suite = Rule { benchmarks: 50, ..Rule::default() };
    let judged = |change, rule| after(blocks(20, change, 0.02), rule).conclude().judgement;
    // Judged alone it would be slower. Among 50, its interval contains zero.
    let (alone, among) = (judged(0.02, Rule::default()), judged(0.02, suite));
    assert_eq!((alone.verdict, among.verdict), (Verdict::Slower, Verdict::Inconclusive));
    assert!(!alone.interval.unwrap().contains(1.0) && among.interval.unwrap().contains(1.0));
    // The interval for one comparison is kept.
    assert_eq!(
        (alone.interval, alone.interval_alone),
        (among.interval_alone, among.interval_alone)
    );
    // "At least" is the nearer end of the printed interval.
    let slower = judged(0.05, suite);
    let end = 1.0 / slower.interval.unwrap().high - 1.0;
    assert!((slower.at_least.unwrap() - end).abs() < 1e-12);
}

#[test]
fn a_control_is_the_same_as_early_as_others_and_alarms_later() {
    let control = Rule { rarer_alarms: 1e5, ..Rule::default() };
    assert_eq!(after(blocks(8, 0.0, 0.001), control).decision(), Some(Verdict::WithinMargin));
    assert_eq!(after(blocks(8, 0.03, 0.001), control).decision(), None);
    assert_eq!(after(blocks(40, 0.03, 0.001), control).decision(), Some(Verdict::Slower));
    let impossible = Rule { rarer_alarms: 0.0, ..Rule::default() };
    assert!(SequentialVerdict::new(impossible).is_err());
}

#[test]
fn a_program_that_changes_meanwhile_contradicts_itself() {
    let verdict = after(blocks(20, 0.0, 0.001).chain(blocks(400, 0.3, 0.001)), Rule::default());
    let conclusion = verdict.conclude();
    assert!(conclusion.contradictory && verdict.decision().is_none());
    assert_eq!(conclusion.judgement.verdict, Verdict::Inconclusive);
}
