//! Sign flips, and the checks behind verdicts.

use plusminus_analysis::Confidence;
use plusminus_analysis::random::Random;
use plusminus_analysis::speedup::{Kind, paired, unpaired};
use plusminus_analysis::verdict::{
    Circumstances, Doubt, Margin, Rule, Verdict, average_adjacent, block, conclude_blocks, doubts,
    fixed, slope_t,
};

use crate::support::close;

#[test]
fn fixed_verdicts() {
    let judge = |base: &[f64], new: &[f64]| {
        let s = unpaired(base, new, Kind::BetweenVariants).unwrap();
        fixed(&s, Margin::default(), Confidence::P95)
    };
    let ten = [10.0, 10.02, 9.98, 10.01, 9.99];
    let scaled = |f: f64| ten.map(|x| x * f);
    assert_eq!(judge(&ten, &scaled(1.1)).verdict, Verdict::Slower);
    assert_eq!(judge(&ten, &scaled(0.9)).verdict, Verdict::Faster);
    assert_eq!(judge(&ten, &scaled(1.001)).verdict, Verdict::WithinMargin);
    let real = judge(&ten, &scaled(1.01));
    assert!(real.verdict == Verdict::WithinMargin && real.real_but_within_margin);
    // One run has no uncertainty, hence no verdict; exact counts have none either, and a verdict.
    let single = judge(&[10.0], &[20.0]);
    assert_eq!((single.verdict, single.minimum_detectable_effect), (Verdict::Inconclusive, None));
    assert_eq!(judge(&[100.0; 3], &[100.0; 3]).verdict, Verdict::WithinMargin);
    assert_eq!(judge(&[100.0; 3], &[103.0; 3]).verdict, Verdict::Slower);
    // At least: from the end of the interval that is closer to 1.
    let s = paired(&ten, &scaled(0.8), Kind::BetweenVariants).unwrap();
    let faster = fixed(&s, Margin::default(), Confidence::P95);
    close(faster.at_least.unwrap(), &0.2.into());
}

#[test]
fn doubts_are_raised_for_their_reasons_and_not_without() {
    let mut random = Random::new(5);
    let quiet: Vec<f64> = (0..30).map(|_| 0.01 * random.normal()).collect();
    assert_eq!(doubts(&quiet, &Circumstances::default()).unwrap(), []);
    let mut walk = 0.0;
    let dependent: Vec<f64> = (0..30)
        .map(|_| {
            walk = 0.8 * walk + 0.01 * random.normal();
            walk
        })
        .collect();
    let found = doubts(&dependent, &Circumstances::default()).unwrap();
    assert!(found.iter().any(|d| matches!(d, Doubt::CorrelatedBlocks { .. })), "{found:?}");
    let mut sign = 1.0;
    let opposite: Vec<f64> = (0..30)
        .map(|_| {
            sign = -sign;
            0.01 * sign + 0.005 * random.normal()
        })
        .collect();
    assert_eq!(
        doubts(&opposite, &Circumstances::default()).unwrap(),
        [],
        "they only widen intervals"
    );
    let bad = Circumstances {
        contradictory: true,
        clean_fraction: Some(0.3),
        has_cpu_time: false,
        ageing: Some(0.25),
        ..Circumstances::default()
    };
    let found = doubts(&[], &bad).unwrap();
    assert_eq!(found.len(), 3);
    let excused = Circumstances { has_cpu_time: true, ..bad };
    assert_eq!(doubts(&[], &excused).unwrap().len(), 2);
    let fine = Circumstances::default();
    assert_eq!(doubts(&[], &fine).unwrap(), []);
    assert!(doubts(&[f64::NAN], &fine).is_err());
}

#[test]
fn slope_matches_ordinary_least_squares() {
    // y = 2x + {1, −1, 1, −1, 0, 0}, worked by hand with Σ(x − x̄)² = 17.5.
    let y = [1.0, 1.0, 5.0, 5.0, 8.0, 10.0];
    let x_mean = 2.5;
    let y_mean = 5.0;
    let shared: f64 = (0..6).map(|i| (i as f64 - x_mean) * (y[i] - y_mean)).sum();
    let slope = shared / 17.5;
    let residual: f64 = (0..6).map(|i| (y[i] - y_mean - slope * (i as f64 - x_mean)).powi(2)).sum();
    close(slope_t(&y).unwrap(), &(slope / (residual / 4.0 / 17.5).sqrt()).into());
    assert_eq!(slope_t(&y[..5]), None);
    assert_eq!(slope_t(&[1.0; 10]), None);
}

#[test]
fn correlated_blocks_are_averaged_and_that_is_told() {
    assert_eq!(average_adjacent(&[1.0, 3.0, 5.0, 6.0, 9.0]), [2.0, 5.5]);
    let swinging: Vec<f64> = (0..24).map(|i| if i / 4 % 2 == 0 { 0.05 } else { 0.0501 }).collect();
    let (conclusion, repaired) = conclude_blocks(&swinging, Rule::default()).unwrap();
    assert!(repaired && conclusion.blocks == 12);
    let mut random = Random::new(2);
    let quiet: Vec<f64> = (0..24).map(|_| 0.05 + 0.001 * random.normal()).collect();
    let (conclusion, repaired) = conclude_blocks(&quiet, Rule::default()).unwrap();
    assert!(!repaired && conclusion.judgement.verdict == Verdict::Slower);
}

#[test]
fn blocks_leave_interrupted_pairs_out_by_a_rule() {
    let base = [1.0; 21];
    let mut new = [1.02; 21];
    let mut clean = [true; 21];
    // Four interrupted pairs: 81 % are clean, so all count, and the median does not mind.
    (0..4).for_each(|k| (new[k], clean[k]) = (5.0, false));
    let b = block(&base, &new, Some(&clean)).unwrap();
    assert!(!b.clean_only && (b.log_ratio - 1.02_f64.ln()).abs() < 1e-12);
    assert!((b.clean_fraction.unwrap() - 17.0 / 21.0).abs() < 1e-12);
    assert!(b.log_ratio_of_means > 0.5);
    // Twelve: the median would be an interrupted one.
    (4..12).for_each(|k| (new[k], clean[k]) = (5.0, false));
    let b = block(&base, &new, Some(&clean)).unwrap();
    assert!(b.clean_only && (b.log_ratio - 1.02_f64.ln()).abs() < 1e-12);
    assert!((b.log_ratio_of_means - 1.02_f64.ln()).abs() < 1e-12);
    assert!((block(&base, &new, None).unwrap().log_ratio - 5_f64.ln()).abs() < 1e-12);
    // Fewer than seven clean pairs are too few to go by.
    (12..16).for_each(|k| clean[k] = false);
    assert!(!block(&base, &new, Some(&clean)).unwrap().clean_only);
    assert!(block(&[], &[], None).is_err() && block(&base, &new[1..], None).is_err());
    assert!(block(&base, &new, Some(&clean[1..])).is_err() && block(&[0.0], &[1.0], None).is_err());
}
