//! Input that should never arrive, and will.

use plusminus_analysis::decomposition::robust_z;
use plusminus_analysis::speedup::{Kind, paired, unpaired};
use plusminus_analysis::summary::{geometric_mean, quantile, summarize};
use plusminus_analysis::{Confidence, Error, Estimate};

const KIND: Kind = Kind::BetweenVariants;

#[test]
fn nothing_at_all() {
    assert!(matches!(summarize(&[]), Err(Error::TooFew { have: 0, need: 1, .. })));
    assert!(geometric_mean(&[]).is_err() && quantile(&[], 0.5).is_err());
    assert!(unpaired(&[], &[1.0], KIND).is_err() && unpaired(&[1.0], &[], KIND).is_err());
    assert!(paired(&[], &[], KIND).is_err());
    assert!(robust_z(&[]).is_err());
}

#[test]
fn one_value_has_no_uncertainty() {
    let s = summarize(&[3.0]).unwrap();
    assert_eq!((s.mean, s.median, s.u, s.spread, s.rsu, s.cv), (3.0, 3.0, None, None, None, None));
    assert!(s.estimate().interval(Confidence::P95).is_none());
    for speedup in [
        unpaired(&[4.0], &[2.0], KIND).unwrap(),
        unpaired(&[4.0, 4.1], &[2.0], KIND).unwrap(),
        paired(&[4.0], &[2.0], KIND).unwrap(),
    ] {
        assert!((speedup.speedup - 2.0).abs() < 0.1);
        assert_eq!((speedup.sigma, speedup.spread), (None, None));
        assert!(speedup.log_interval(Confidence::P95).is_none());
        assert_eq!(speedup.estimate().degrees_of_freedom, None);
    }
}

#[test]
fn two_values_are_enough_for_a_very_wide_interval() {
    let s = unpaired(&[10.0, 10.2], &[5.0, 5.1], KIND).unwrap();
    let interval = s.log_interval(Confidence::P95).unwrap();
    assert!(interval.contains(2.0) && interval.width() > 0.1);
    // At n = 2 one σ means a factor of 1.84.
    assert!((Confidence::ONE_SIGMA.factor(Some(1.0)) - 1.8373).abs() < 1e-4);
}

#[test]
fn equal_values() {
    let s = summarize(&[0.1; 10]).unwrap();
    assert_eq!((s.u, s.spread, s.cv), (Some(0.0), Some(0.0), Some(0.0)));
    assert!(s.mean == 0.1 && (s.min, s.max) == (0.1, 0.1));
    for speedup in
        [unpaired(&[0.3; 5], &[0.1; 5], KIND).unwrap(), paired(&[0.3; 5], &[0.1; 5], KIND).unwrap()]
    {
        assert_eq!(speedup.sigma, Some(0.0));
        let i = speedup.log_interval(Confidence::P95).unwrap();
        assert_eq!((i.low, i.high), (speedup.speedup, speedup.speedup));
    }
    assert_eq!(robust_z(&[1.0, 1.0, 1.0, 5.0]).unwrap(), None);
}

#[test]
fn zeros_and_negative_numbers() {
    let s = summarize(&[0.0, 0.0]).unwrap();
    assert_eq!((s.mean, s.rsu, s.cv), (0.0, None, None));
    assert_eq!(summarize(&[-1.0, 1.0]).unwrap().rsu, None);
    let expected =
        Err(Error::Invalid { index: 1, value: 0.0, reason: "it must be positive and finite" });
    assert_eq!(unpaired(&[1.0, 2.0], &[1.0, 0.0], KIND), expected);
    assert!(paired(&[1.0, -2.0], &[1.0, 1.0], KIND).is_err());
    assert!(geometric_mean(&[1.0, 0.0]).is_err());
}

#[test]
fn one_bad_value_is_named() {
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let mut values = vec![1.0; 9];
        values[6] = bad;
        match summarize(&values) {
            Err(error @ Error::Invalid { index: 6, .. }) => {
                assert!(error.to_string().contains("position 6"), "{error}");
            }
            other => panic!("{other:?}"),
        }
        assert!(unpaired(&[1.0], &values, KIND).is_err());
        assert!(paired(&values, &values, KIND).is_err());
        assert!(quantile(&values, 0.5).is_err());
        assert!(robust_z(&values).is_err());
        assert!(plusminus_analysis::steady::classify(&values.repeat(4)).is_err());
        assert!(Confidence::new(bad).is_err() && quantile(&[1.0], bad).is_err());
        let estimate = Estimate::known(bad, 1.0);
        assert!(
            plusminus_analysis::speedup::Speedup::from_estimates(
                estimate,
                Estimate::exact(1.0),
                KIND
            )
            .is_err()
        );
    }
}

#[test]
fn nine_orders_of_magnitude_and_the_ends_of_the_number_line() {
    let values: Vec<f64> = (0..=9).map(|e| 10f64.powi(e)).collect();
    let s = summarize(&values).unwrap();
    assert!((s.mean - 111_111_111.1).abs() < 1e-6);
    assert!((geometric_mean(&values).unwrap() / 10f64.powf(4.5) - 1.0).abs() < 1e-12);
    for tiny in [1e-300, 1e-9, 1.0, 1e300] {
        let times = [tiny, 1.1 * tiny, 1.2 * tiny];
        let s = summarize(&times).unwrap();
        assert!((s.rsu.unwrap() - 0.052_486_388_108_147_8).abs() < 1e-12, "{tiny}");
        let s = unpaired(&times, &[1.0, 1.1, 1.2], KIND).unwrap();
        assert!(
            (s.relative_sigma().unwrap() - 0.052_486_388_108_147_8 * 2f64.sqrt()).abs() < 1e-12
        );
    }
    assert!(unpaired(&[1e300, 1e300], &[1e-300, 1e-300], KIND).is_err());
    assert!(unpaired(&[1e-300, 1e-300], &[1e300, 1e300], KIND).is_err());
    let huge = [f64::MAX, f64::MAX];
    assert_eq!(summarize(&huge).unwrap().mean, f64::MAX);
    assert_eq!(summarize(&huge).unwrap().median, f64::MAX);
    let opposite = summarize(&[f64::MAX, -f64::MAX]).unwrap();
    assert!(opposite.mean == 0.0 && opposite.spread.is_none_or(f64::is_finite));
}

#[test]
fn an_interval_never_reaches_zero() {
    // S ± tσ reaches below 0 here.
    let s = unpaired(&[0.1, 0.1, 2.8], &[0.1, 0.1, 2.8], KIND).unwrap();
    assert!(s.log_interval(Confidence::P95).unwrap().low > 0.0);
}

#[test]
fn sides_of_different_length() {
    assert!(matches!(paired(&[1.0, 2.0], &[1.0], KIND), Err(Error::Shape { .. })));
}

#[test]
fn estimates_that_no_measurement_gives_are_refused() {
    use plusminus_analysis::speedup::Speedup;
    let fine = Estimate { value: 2.0, u: Some(0.1), degrees_of_freedom: Some(3.0) };
    for bad in [
        Estimate { u: Some(-0.1), ..fine },
        Estimate { u: Some(f64::NAN), ..fine },
        Estimate { degrees_of_freedom: Some(0.0), ..fine },
        Estimate { degrees_of_freedom: Some(f64::INFINITY), ..fine },
        Estimate { value: f64::INFINITY, ..fine },
    ] {
        assert!(Speedup::from_estimates(fine, bad, KIND).is_err(), "{bad:?}");
    }
    assert!(fine.with_type_b(-1.0).is_err() && fine.with_type_b(f64::NAN).is_err());
    let with_clock = fine.with_type_b(0.1).unwrap();
    assert!((with_clock.u.unwrap() - 0.02_f64.sqrt()).abs() < 1e-15);
    // Half of the variance is known: four times the degrees of freedom.
    assert!((with_clock.degrees_of_freedom.unwrap() - 12.0).abs() < 1e-9);
}
