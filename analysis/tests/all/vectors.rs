//! Published tables and numbers computed elsewhere with 50 digits, against this crate.
//! `vectors.json` holds data and expected values; each test names the part that it reads.

use plusminus_analysis::special::student_t_two_sided_quantile;
use plusminus_analysis::speedup::{self, Kind};
use plusminus_analysis::summary::{geometric_mean, summarize};
use plusminus_analysis::{Confidence, Interval};
use serde_json::Value;

use crate::support::{close, list, number, pair, vectors};

#[test]
fn summaries_of_table_1() {
    for run in ["run_2", "run_5"] {
        let times = list(&vectors()["kla_times_s"][run]);
        let expected = &vectors()["summary"][run];
        let s = summarize(&times).unwrap();
        close(s.mean, &expected["mean"]);
        close(s.spread.unwrap(), &expected["spread"]);
        close(s.spread.unwrap().powi(2) * 7.0, &expected["sum_of_squares"]);
        close(s.u.unwrap(), &expected["u"]);
        close(s.rsu.unwrap(), &expected["rsu"]);
        close(s.cv.unwrap(), &expected["cv"]);
        close(s.median, &expected["median"]);
        close(geometric_mean(&times).unwrap(), &expected["geometric_mean"]);
        close(times[6] / s.mean, &expected["instance_7_over_mean"]);
    }
}

#[test]
fn t_quantiles() {
    let part = &vectors()["student_t"];
    for (i, nu) in list(&part["nu"]).into_iter().enumerate() {
        let expected = number(&part["p975"][i]);
        // The published values have 15 digits.
        assert!((student_t_two_sided_quantile(0.05, nu) / expected - 1.0).abs() < 1e-12);
        let expected = number(&part["one_sigma"][i]);
        assert!((Confidence::ONE_SIGMA.factor(Some(nu)) / expected - 1.0).abs() < 1e-12);
    }
}

fn ends(interval: Interval, expected: &Value) {
    let (low, high) = pair(expected);
    close(interval.low, &low.into());
    close(interval.high, &high.into());
}

#[test]
fn adjusted_speedup_of_table_1() {
    let data = &vectors()["kla_times_s"];
    let (a, b) = (list(&data["run_2"]), list(&data["run_5"]));
    let expected = &vectors()["speedup"];
    let s = speedup::unpaired(&a, &b, Kind::BetweenVariants).unwrap();
    close(s.speedup, &expected["s"]);
    close(s.sigma.unwrap(), &expected["sigma"]);
    close(s.spread.unwrap(), &expected["spread"]);
    close(s.relative_sigma().unwrap(), &expected["relative_sigma"]);
    close(s.degrees_of_freedom.unwrap(), &expected["degrees_of_freedom"]);
    close(Confidence::P95.factor(s.degrees_of_freedom), &expected["t95"]);
    close(Confidence::ONE_SIGMA.factor(s.degrees_of_freedom), &expected["t68"]);
    ends(s.log_interval(Confidence::P95).unwrap(), &expected["log_95"]);
    ends(s.log_interval(Confidence::ONE_SIGMA).unwrap(), &expected["log_68"]);

    let reversed = speedup::unpaired(&b, &a, Kind::BetweenVariants).unwrap();
    close(reversed.speedup, &expected["reversed"]["s"]);
    close(reversed.sigma.unwrap(), &expected["reversed"]["sigma"]);
    close(reversed.spread.unwrap(), &expected["reversed"]["spread"]);
}

#[test]
fn pairs_of_table_1() {
    let data = &vectors()["kla_times_s"];
    let (a, b) = (list(&data["run_2"]), list(&data["run_5"]));
    let expected = &vectors()["speedup"];
    let s = speedup::paired(&a, &b, Kind::BetweenVariants).unwrap();
    close(s.speedup, &expected["s"]);
    close(s.sigma.unwrap(), &expected["sigma_paired"]);
    let covariance = s.relative_covariance * s.base.value * s.new.value * 8.0;
    close(covariance, &expected["covariance"]);
    assert_eq!(s.degrees_of_freedom, Some(7.0));
}

#[test]
fn three_means_of_table_1_disagree_about_who_is_faster() {
    let data = &vectors()["kla_times_s"];
    let (a, b) = (list(&data["run_2"]), list(&data["run_5"]));
    let ratios: Vec<f64> = a.iter().zip(&b).map(|(a, b)| a / b).collect();
    let mean = |values: &[f64]| summarize(values).unwrap().mean;
    assert!((mean(&a) / mean(&b) - 1.02677).abs() < 5e-6);
    assert!((mean(&ratios) - 1.01631).abs() < 5e-6);
    assert!((geometric_mean(&ratios).unwrap() - 0.97816).abs() < 5e-6);
}

#[test]
fn a_suite_of_independent_benchmarks() {
    let kind = Kind::BetweenVariants;
    let one = speedup::unpaired(&[10.0, 10.4, 9.9], &[5.0, 5.1, 5.2], kind).unwrap();
    let two = speedup::unpaired(&[1.0, 1.1, 1.2], &[2.0, 2.1, 2.3], kind).unwrap();
    let summary = speedup::suite(&[one, two]).unwrap();
    let (base, new) = (one.base.value + two.base.value, one.new.value + two.new.value);
    assert!((summary.ratio_of_sums.value - base / new).abs() < 1e-12);
    // The uncertainty of a quotient of two sums (VoV 6).
    let relative = |a: f64, b: f64, sum: f64| a.hypot(b) / sum;
    let base = relative(one.base.u.unwrap(), two.base.u.unwrap(), base);
    let new = relative(one.new.u.unwrap(), two.new.u.unwrap(), new);
    let expected = summary.ratio_of_sums.value * base.hypot(new);
    assert!((summary.ratio_of_sums.u.unwrap() - expected).abs() < 1e-12);
    let geometric = (one.speedup * two.speedup).sqrt();
    assert!((summary.geometric_mean.value - geometric).abs() < 1e-12);
    let both = one.relative_sigma().unwrap().hypot(two.relative_sigma().unwrap());
    assert!((summary.geometric_mean.u.unwrap() - geometric * both / 2.0).abs() < 1e-12);
    // One benchmark is its own suite, pairs included.
    let pairs = speedup::paired(&[10.0, 12.0, 11.0], &[5.0, 6.1, 5.4], kind).unwrap();
    let alone = speedup::suite(&[pairs]).unwrap();
    assert!((alone.ratio_of_sums.u.unwrap() - pairs.sigma.unwrap()).abs() < 1e-12);
    assert!((alone.geometric_mean.u.unwrap() - pairs.sigma.unwrap()).abs() < 1e-12);
    assert!(speedup::suite(&[]).is_err());
}
