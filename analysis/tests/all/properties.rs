//! Properties that must hold for all data: units do not matter, directions mirror, order does not matter, more
//! confidence means wider.

use plusminus_analysis::decomposition::{Cells, Scale, decompose};
use plusminus_analysis::special;
use plusminus_analysis::speedup::{Kind, Speedup, paired, unpaired};
use plusminus_analysis::summary::{geometric_mean, summarize};
use plusminus_analysis::verdict::{ConfidenceSequence, Rule, SequentialVerdict};
use plusminus_analysis::{Confidence, Interval};
use proptest::prelude::*;

/// Times over nine orders of magnitude.
fn times(n: impl Into<prop::collection::SizeRange>) -> impl Strategy<Value = Vec<f64>> {
    prop::collection::vec((0.0..9.0_f64).prop_map(|e| 10f64.powf(e - 6.0)), n)
}

/// Two sides of equal length.
fn sides() -> impl Strategy<Value = (Vec<f64>, Vec<f64>)> {
    (2..20_usize).prop_flat_map(|n| (times(n), times(n)))
}

fn same(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1e-300)
}

fn same_option(a: Option<f64>, b: Option<f64>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => same(a, b) || (a - b).abs() < 1e-9,
        (None, None) => true,
        _ => false,
    }
}

fn same_interval(a: Option<Interval>, b: Option<Interval>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => same(a.low, b.low) && same(a.high, b.high),
        // At the edge of what a float holds one of them may fall over it.
        (Some(i), None) | (None, Some(i)) => i.high > 1e200 || i.low < 1e-200,
        (None, None) => true,
    }
}

fn both(base: &[f64], new: &[f64]) -> [Speedup; 2] {
    let kind = Kind::BetweenVariants;
    [unpaired(base, new, kind).unwrap(), paired(base, new, kind).unwrap()]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn units_do_not_matter((base, new) in sides(), unit in -9..9_i32) {
        let scale = |v: &[f64]| v.iter().map(|x| x * 10f64.powi(unit)).collect::<Vec<_>>();
        for (a, b) in both(&base, &new).iter().zip(both(&scale(&base), &scale(&new))) {
            prop_assert!(same(a.speedup, b.speedup));
            prop_assert!(same_option(a.sigma, b.sigma));
            prop_assert!(same_option(a.spread, b.spread));
            prop_assert!(same_option(a.degrees_of_freedom, b.degrees_of_freedom));
            prop_assert!(same_interval(
                a.log_interval(Confidence::P95), b.log_interval(Confidence::P95)
            ));
        }
        let (a, b) = (summarize(&base).unwrap(), summarize(&scale(&base)).unwrap());
        prop_assert!(same_option(a.rsu, b.rsu) && same_option(a.cv, b.cv));
        let (a, b) = (geometric_mean(&base).unwrap(), geometric_mean(&scale(&base)).unwrap());
        prop_assert!(same(a * 10f64.powi(unit), b));
    }

    #[test]
    fn directions_mirror((base, new) in sides()) {
        for (there, back) in both(&base, &new).iter().zip(both(&new, &base)) {
            prop_assert!(same(there.speedup * back.speedup, 1.0));
            prop_assert!(same_option(there.relative_sigma(), back.relative_sigma()));
            prop_assert!(same_option(there.degrees_of_freedom, back.degrees_of_freedom));
            let mirrored = back
                .log_interval(Confidence::P95)
                .map(|i| Interval { low: 1.0 / i.high, high: 1.0 / i.low });
            prop_assert!(same_interval(there.log_interval(Confidence::P95), mirrored));
        }
    }

    #[test]
    fn order_does_not_matter(base in times(2..20), new in times(2..20), turn in 0..19_usize) {
        let turned = |v: &[f64]| {
            let mut v = v.to_vec();
            let middle = turn % v.len();
            v.rotate_left(middle);
            v.reverse();
            v
        };
        let kind = Kind::BetweenVariants;
        let a = unpaired(&base, &new, kind).unwrap();
        let b = unpaired(&turned(&base), &turned(&new), kind).unwrap();
        prop_assert!(same(a.speedup, b.speedup) && same_option(a.sigma, b.sigma));
        let (a, b) = (summarize(&base).unwrap(), summarize(&turned(&base)).unwrap());
        prop_assert!(same(a.median, b.median) && same(a.mean, b.mean) && same_option(a.u, b.u));
    }

    #[test]
    fn pairs_may_come_in_any_order((base, new) in sides(), turn in 0..19_usize) {
        let kind = Kind::BetweenVariants;
        let rotate = |v: &[f64]| { let mut v = v.to_vec(); let k = turn % v.len(); v.rotate_left(k); v };
        let a = paired(&base, &new, kind).unwrap();
        let b = paired(&rotate(&base), &rotate(&new), kind).unwrap();
        prop_assert!(same(a.speedup, b.speedup) && same_option(a.sigma, b.sigma));
    }

    #[test]
    fn more_confidence_means_wider((base, new) in sides(), low in 0.05..0.9_f64) {
        let (some, more) = (Confidence::new(low).unwrap(), Confidence::new(low + 0.05).unwrap());
        for s in both(&base, &new) {
            if let Some((a, b)) = s.log_interval(some).zip(s.log_interval(more)) {
                prop_assert!(b.low <= a.low && a.low <= s.speedup * (1.0 + 1e-12));
                prop_assert!(b.high >= a.high && a.high >= s.speedup * (1.0 - 1e-12));
            }
        }
    }

    #[test]
    fn nothing_is_ever_nan_or_infinite(base in times(1..8), new in times(1..8)) {
        let s = unpaired(&base, &new, Kind::Real).unwrap();
        let numbers = [Some(s.speedup), s.sigma, s.spread, s.degrees_of_freedom, s.relative_sigma()];
        prop_assert!(numbers.into_iter().flatten().all(f64::is_finite));
        let interval = s.log_interval(Confidence::P95);
        prop_assert!(interval.is_none_or(|i| i.low.is_finite() && i.high.is_finite()));
        let summary = summarize(&base).unwrap();
        prop_assert!(summary.min <= summary.mean && summary.mean <= summary.max);
        prop_assert!(summary.min <= summary.median && summary.median <= summary.max);
        prop_assert!(geometric_mean(&base).unwrap() <= summary.mean * (1.0 + 1e-12));
    }

    #[test]
    fn sums_of_squares_add_up(values in times(24), unit in -6..6_i32) {
        let parts = decompose(&Cells::new(&values, 3, 4, 2).unwrap(), Scale::Log).unwrap();
        let logs: Vec<f64> = values.iter().map(|x| x.ln()).collect();
        let mean = logs.iter().sum::<f64>() / 24.0;
        let total: f64 = logs.iter().map(|y| (y - mean).powi(2)).sum();
        let sum = parts.instance.sum_of_squares + parts.run.sum_of_squares
            + parts.interaction.sum_of_squares + parts.error.unwrap().sum_of_squares;
        prop_assert!((sum - total).abs() < 1e-9 * total.max(1.0));
        // Another unit moves the mean and nothing else.
        let scaled: Vec<f64> = values.iter().map(|x| x * 10f64.powi(unit)).collect();
        let other = decompose(&Cells::new(&scaled, 3, 4, 2).unwrap(), Scale::Log).unwrap();
        prop_assert!(same_option(parts.icc, other.icc));
        prop_assert!(same_option(parts.f_instance.map(|f| f.p), other.f_instance.map(|f| f.p)));
        prop_assert_eq!(parts.flags(0.05).len(), other.flags(0.05).len());
    }

    #[test]
    fn sequences_only_shrink_and_mirror(blocks in prop::collection::vec(-0.5..0.5_f64, 2..40)) {
        let mut there = ConfidenceSequence::new(0.05).unwrap();
        let mut back = ConfidenceSequence::new(0.05).unwrap();
        let mut before: Option<Interval> = None;
        let mut p = 1.0;
        for d in &blocks {
            there.push(*d).unwrap();
            back.push(-d).unwrap();
            prop_assert!(there.p_value() <= p);
            p = there.p_value();
            if let Some((now, before)) = there.interval().zip(before) {
                prop_assert!(now.low >= before.low && now.high <= before.high);
            }
            before = there.interval();
            match (there.interval(), back.interval()) {
                (Some(a), Some(b)) => prop_assert!(same(a.low, -b.high) && same(a.high, -b.low)),
                (a, b) => prop_assert!(a.is_none() && b.is_none()),
            }
        }
        // An alarm at α/M is never raised where the one at α is not.
        let mut alone = SequentialVerdict::new(Rule::default()).unwrap();
        let mut suite = SequentialVerdict::new(Rule { benchmarks: 20, ..Rule::default() }).unwrap();
        blocks.iter().for_each(|d| { alone.push(*d).unwrap(); suite.push(*d).unwrap(); });
        if suite.conclude().judgement.at_least.is_some() {
            prop_assert_eq!(alone.conclude().judgement.verdict, suite.conclude().judgement.verdict);
        }
    }

    #[test]
    fn quantiles_invert_distributions(p in 1e-9..0.999_f64, nu in 0.5..500.0_f64) {
        let t = special::student_t_two_sided_quantile(p, nu);
        prop_assert!((special::student_t_two_sided_tail(t, nu) / p - 1.0).abs() < 1e-10);
        let z = special::normal_quantile(p);
        prop_assert!((special::normal_cdf(z) / p - 1.0).abs() < 1e-10);
    }
}

#[cfg(feature = "models")]
mod models {
    use super::*;
    use plusminus_analysis::complexity::{ComplexityOptions, performance_complexity};
    use plusminus_analysis::models::{FitOptions, Model, Observation, fit};

    fn pc_a(p: &[f64], m: &[f64]) -> f64 {
        performance_complexity(p, m, &ComplexityOptions::default()).unwrap().pc_a
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        #[test]
        fn complexity_knows_no_unit((p, m) in sides(), factors in times(20), turn in 0..19_usize) {
            let reference = pc_a(&p, &m);
            // ops/s to ops/cycle with another clock for each benchmark, and to times.
            let scaled = |v: &[f64]| v.iter().zip(&factors).map(|(x, f)| x * f).collect::<Vec<_>>();
            prop_assert!(same(pc_a(&scaled(&p), &scaled(&m)), reference));
            let inverse = |v: &[f64]| v.iter().map(|x| 1.0 / x).collect::<Vec<_>>();
            prop_assert!(same(pc_a(&inverse(&p), &inverse(&m)), reference));
            let rotate = |v: &[f64]| { let mut v = v.to_vec(); let k = turn % v.len(); v.rotate_left(k); v };
            prop_assert!(same(pc_a(&rotate(&p), &rotate(&m)), reference));
            prop_assert!(same(pc_a(&m, &p), reference));
        }

        #[test]
        fn fits_scale_with_the_unit(noise in prop::collection::vec(0.8..1.25_f64, 8), unit in -9..9_i32) {
            let observed = |unit: f64| -> Vec<Observation> {
                noise.iter().enumerate().map(|(i, e)| {
                    let n = 16.0 * 2f64.powi(i as i32);
                    Observation::of_size(n, unit * e * (3.0 + 0.2 * n))
                }).collect()
            };
            let options = FitOptions::default();
            let a = fit(Model::LinearPlusNLogN, &observed(1.0), &options).unwrap();
            let b = fit(Model::LinearPlusNLogN, &observed(10f64.powi(unit)), &options).unwrap();
            prop_assert!((a.complexity.pc_a - b.complexity.pc_a).abs() < 1e-6);
            // A fit is at least as good as its special case.
            let special = fit(Model::Linear, &observed(1.0), &options).unwrap();
            prop_assert!(a.complexity.pc_a <= special.complexity.pc_a * (1.0 + 1e-6));
        }
    }
}
