//! Hierarchical speedups, suites of benchmarks, series of dependent samples, and propagation of uncertainty.

use plusminus_analysis::decomposition::Cells;
use plusminus_analysis::propagation::{covariance_of_means, propagate, propagate_with};
use plusminus_analysis::series::correlated_mean;
use plusminus_analysis::speedup::{
    FiellerSet, Kind, Pairing, hierarchical, hierarchical_cells, paired, samples_per_run, suite,
    unpaired,
};
use plusminus_analysis::summary::{MetricKind, average, summarize};
use plusminus_analysis::{Confidence, Estimate};

mod support;
use support::{close, list, lists, number, pair, vectors};

#[test]
fn kalibera_and_jones() {
    let expected = &vectors()["hierarchy"];
    let (base, new) = (lists(&expected["base"]), lists(&expected["new"]));
    let s = hierarchical(&base, &new, Pairing::Unpaired, Kind::BetweenVariants).unwrap();
    close(s.speedup.speedup, &expected["ratio"]);
    close(s.base.between_runs.unwrap().variance, &expected["between_run_variance_base"]);
    close(s.speedup.base.u.unwrap(), &expected["u_base"]);
    assert!((s.base.pooled_u.unwrap() - number(&expected["pooled_u_base"])).abs() < 5e-5);
    close(s.speedup.sigma.unwrap(), &expected["sigma"]);
    close(s.speedup.degrees_of_freedom.unwrap(), &expected["degrees_of_freedom"]);
    let log = s.speedup.log_interval(Confidence::P95).unwrap();
    let (low, high) = pair(&expected["log_95"]);
    close(log.low, &low.into());
    close(log.high, &high.into());
    let Some(FiellerSet::Bounded(set)) = s.speedup.fieller_set_with(Confidence::P95, Some(2.0))
    else {
        panic!("unbounded")
    };
    let (low, high) = pair(&expected["fieller_95"]);
    close(set.low, &low.into());
    close(set.high, &high.into());
    assert_eq!(samples_per_run(20.0, 1.0, 4e-4, 1e-4), Ok(9));
}

#[test]
fn cells_with_one_instance_are_runs_with_samples() {
    let expected = &vectors()["hierarchy"];
    let (base, new) = (lists(&expected["base"]), lists(&expected["new"]));
    let by_runs = hierarchical(&base, &new, Pairing::Paired, Kind::BetweenVariants).unwrap();
    let (flat_base, flat_new) = (base.concat(), new.concat());
    let by_cells = hierarchical_cells(
        &Cells::new(&flat_base, 3, 1, 4).unwrap(),
        &Cells::new(&flat_new, 3, 1, 4).unwrap(),
        Pairing::Paired,
        Kind::BetweenVariants,
    )
    .unwrap();
    assert_eq!(by_runs, by_cells);
    // Three instances with one sample each: nothing is known below the runs.
    let flat = hierarchical_cells(
        &Cells::new(&flat_base, 4, 3, 1).unwrap(),
        &Cells::new(&flat_new, 4, 3, 1).unwrap(),
        Pairing::Unpaired,
        Kind::BetweenVariants,
    )
    .unwrap();
    assert!(flat.base.within_runs.is_none() && flat.base.between_runs.is_none());
    assert!(flat.speedup.sigma.is_some());
}

#[test]
fn dependent_samples() {
    let expected = &vectors()["autocorrelation"];
    let mean = correlated_mean(&list(&expected["series"])).unwrap();
    close(mean.lag_1.unwrap(), &expected["lag_1"]);
    close(mean.rho, &expected["rho"]);
    close(mean.effective_size_ar1, &expected["effective_size"]);
    assert!(mean.effective_size <= mean.effective_size_ar1);
    assert_eq!(mean.estimate.u, None);
    // Independent samples keep about their number.
    let alternating: Vec<f64> = (0..100).map(|i| f64::from(i % 2)).collect();
    let mean = correlated_mean(&alternating).unwrap();
    assert_eq!((mean.rho, mean.effective_size), (0.0, 100.0));
    let equal = correlated_mean(&[2.0; 10]).unwrap();
    assert_eq!((equal.lag_1, equal.estimate.u), (None, Some(0.0)));
}

#[test]
fn propagation_of_a_ratio_is_the_adjusted_speedup() {
    let data = &vectors()["kla_times_s"];
    let (a, b) = (list(&data["run_2"]), list(&data["run_5"]));
    let inputs = [summarize(&a).unwrap().estimate(), summarize(&b).unwrap().estimate()];
    let ratio = |x: &[f64]| x[0] / x[1];
    let s = propagate(&ratio, &inputs, &[]).unwrap();
    let expected = &vectors()["speedup"];
    close(s.value, &expected["s"]);
    close(s.u.unwrap(), &expected["sigma"]);
    close(s.degrees_of_freedom.unwrap(), &expected["degrees_of_freedom"]);
    let covariance = covariance_of_means(0, &a, 1, &b).unwrap();
    close(8.0 * covariance.value, &expected["covariance"]);
    let s = propagate(&ratio, &inputs, &[covariance]).unwrap();
    close(s.u.unwrap(), &expected["sigma_paired"]);
    assert_eq!(s.degrees_of_freedom, Some(7.0));
}

#[test]
fn propagation_refuses_what_makes_no_sense() {
    let x = Estimate::known(4.0, 0.1);
    let unknown = Estimate { u: None, ..x };
    assert_eq!(propagate(&|v| v[0].sqrt(), &[unknown], &[]).unwrap().u, None);
    close(propagate(&|v| v[0].sqrt(), &[x], &[]).unwrap().u.unwrap(), &0.025.into());
    // Defined on one side of zero only, and close to it: a shorter step finds the slope.
    let close_to_zero = Estimate::known(1e-4, 1e-2);
    assert!(propagate(&|v| v[0].ln(), &[close_to_zero], &[]).is_ok());
    assert!(propagate(&|v| v[0].ln(), &[Estimate::known(0.0, 1.0)], &[]).is_err());
    assert!(propagate(&|v| v[0], &[Estimate::known(f64::NAN, 1.0)], &[]).is_err());
    assert!(propagate_with(1.0, &[1.0], &[x, x], &[]).is_err());
    let wrong = |first, second, value| {
        let c = plusminus_analysis::propagation::Covariance { first, second, value };
        propagate_with(1.0, &[1.0, 1.0], &[x, x], &[c]).is_err()
    };
    assert!(wrong(0, 0, 0.0) && wrong(0, 2, 0.0) && wrong(0, 1, 0.02) && wrong(0, 1, f64::NAN));
    // Fully dependent inputs cancel.
    let c = plusminus_analysis::propagation::Covariance { first: 0, second: 1, value: 0.01 };
    let cancelled = propagate_with(0.0, &[1.0, -1.0], &[x, x], &[c]).unwrap();
    assert!(cancelled.u.unwrap() < 1e-8);
}

#[test]
fn three_means_of_table_1_disagree_about_who_is_faster() {
    let data = &vectors()["kla_times_s"];
    let (a, b) = (list(&data["run_2"]), list(&data["run_5"]));
    let ratios: Vec<f64> = a.iter().zip(&b).map(|(a, b)| a / b).collect();
    let of_means =
        average(&a, MetricKind::Cost).unwrap().value / average(&b, MetricKind::Cost).unwrap().value;
    assert!((of_means - 1.02677).abs() < 5e-6);
    assert!((average(&ratios, MetricKind::Cost).unwrap().value - 1.01631).abs() < 5e-6);
    assert!((average(&ratios, MetricKind::Ratio).unwrap().value - 0.97816).abs() < 5e-6);
}

#[test]
fn a_suite_of_independent_benchmarks() {
    let kind = Kind::BetweenVariants;
    let one = unpaired(&[10.0, 10.4, 9.9], &[5.0, 5.1, 5.2], kind).unwrap();
    let two = unpaired(&[1.0, 1.1, 1.2], &[2.0, 2.1, 2.3], kind).unwrap();
    let summary = suite(&[one, two]).unwrap();
    // The same by propagation through the definition.
    let inputs = [one.base, one.new, two.base, two.new];
    let sums = propagate(&|x| (x[0] + x[2]) / (x[1] + x[3]), &inputs, &[]).unwrap();
    close(summary.ratio_of_sums.value, &sums.value.into());
    close(summary.ratio_of_sums.u.unwrap(), &sums.u.unwrap().into());
    close(
        summary.ratio_of_sums.degrees_of_freedom.unwrap(),
        &sums.degrees_of_freedom.unwrap().into(),
    );
    let geometric = propagate(&|x| (x[0] / x[1] * (x[2] / x[3])).sqrt(), &inputs, &[]).unwrap();
    close(summary.geometric_mean.value, &geometric.value.into());
    close(summary.geometric_mean.u.unwrap(), &geometric.u.unwrap().into());
    // One benchmark is its own suite, pairs included.
    let pairs = paired(&[10.0, 12.0, 11.0], &[5.0, 6.1, 5.4], kind).unwrap();
    let alone = suite(&[pairs]).unwrap();
    close(alone.ratio_of_sums.u.unwrap(), &pairs.sigma.unwrap().into());
    close(alone.geometric_mean.u.unwrap(), &pairs.sigma.unwrap().into());
    assert!(suite(&[]).is_err());
}
