//! Parallel metrics against published numbers.
#![cfg(feature = "models")]

use plusminus_analysis::Estimate;
use plusminus_analysis::scaling::{
    AmdahlFraction, ParallelMetrics, WeakMeasured, isoefficiency_constant, karp_flatt, metrics_of,
    size_for_efficiency, weak_scaling, work_growth,
};
use plusminus_analysis::speedup::{Kind, Speedup, paired};
use plusminus_analysis::summary::summarize;

use crate::support::{close, list, number, vectors, within};

/// The metrics of a time on p processors, and the reference that it is compared with.
fn metrics(reference: Estimate, time: Estimate, processors: usize, kind: Kind) -> ParallelMetrics {
    let speedup = Speedup::from_estimates(reference, time, kind).unwrap();
    metrics_of(speedup, reference, time, processors).unwrap()
}

#[test]
fn laws() {
    let part = &vectors()["parallel"];
    let amdahl = AmdahlFraction::new(0.1).unwrap();
    for (i, p) in list(&part["amdahl_p"]).into_iter().enumerate() {
        close(amdahl.speedup(p as usize), &part["amdahl_one_tenth"][i]);
    }
    assert_eq!((amdahl.limit(), AmdahlFraction::new(0.0).unwrap().limit()), (Some(10.0), None));
    assert!(AmdahlFraction::new(1.1).is_err() && AmdahlFraction::new(f64::NAN).is_err());
}

#[test]
fn isoefficiency() {
    let part = &vectors()["parallel"];
    let n_is_p = |p: f64| p * (p.log2() - 1.0);
    close(work_growth(&n_is_p, 8.0, 16.0).unwrap(), &part["isoefficiency_8_16"]);
    close(work_growth(&n_is_p, 1024.0, 2048.0).unwrap(), &part["isoefficiency_1024_2048"]);
    assert!(work_growth(&n_is_p, 2.0, 4.0).is_err(), "p = 2 has no overhead to divide by");
    let n_exceeds_p = |p: f64| p * p.log2();
    close(work_growth(&n_exceeds_p, 8.0, 16.0).unwrap(), &part["p_log_p_8_16"]);
    close(work_growth(&n_exceeds_p, 1024.0, 2048.0).unwrap(), &part["p_log_p_1024_2048"]);
    // ω = K·T_o with K = 9 at E = 0.9, for an overhead that does not depend on ω.
    let p = 16.0_f64;
    let work_for = |overhead: &dyn Fn(f64) -> f64, target| {
        size_for_efficiency(&|work| work / (work + overhead(work)), target, 1.0, 1e9).unwrap()
    };
    let work = work_for(&|_| n_exceeds_p(p), 0.9);
    close(work, &(9.0 * n_exceeds_p(p)).into());
    // And for one that grows as √ω: ω = K·√ω·p, hence ω = (K·p)².
    let work = work_for(&|w: f64| w.sqrt() * p, 0.5);
    close(work, &(p * p).into());
    assert!(size_for_efficiency(&|_| 0.2, 0.5, 1.0, 1e9).is_err());
    assert!(size_for_efficiency(&|_| 0.9, 0.5, 1.0, 1e9).is_err());
    assert!(isoefficiency_constant(Estimate::known(1.0, 0.1)).is_err());
}

#[test]
fn derived_uncertainties() {
    let part = &vectors()["parallel"];
    // S = 100/19 ± 0.1 on 10 processors: all of σ in the time.
    let s = 100.0 / 19.0;
    let time = Estimate::known(19.0, 0.1 / s * 19.0);
    let m = metrics(Estimate::exact(100.0), time, 10, Kind::Real);
    close(m.speedup.speedup, &s.into());
    close(m.speedup.sigma.unwrap(), &0.1.into());
    close(m.efficiency.u.unwrap(), &part["sigma_efficiency"]);
    let e = m.karp_flatt.unwrap();
    close(e.value, &part["karp_flatt"]);
    close(e.u.unwrap(), &part["sigma_karp_flatt"]);
    let k = m.isoefficiency_constant.unwrap();
    close(k.value, &part["isoefficiency_constant"]);
    close(k.u.unwrap(), &part["sigma_constant"]);
    close(m.overhead.value, &90.0.into());
    close(m.overhead.u.unwrap(), &(10.0 * 1.9 / s).into());
    close(karp_flatt(Estimate::exact(100.0 / 28.0), 5).unwrap().value, &part["karp_flatt"]);
    assert!(karp_flatt(Estimate::exact(1.0), 1).is_err());
}

#[test]
fn superlinear_is_flagged_and_not_cut_off() {
    let m = metrics(Estimate::exact(100.0), Estimate::known(20.0, 0.1), 4, Kind::Real);
    assert!(m.superlinear && m.efficiency.value == 1.25 && m.overhead.value == -20.0);
    assert!(m.karp_flatt.unwrap().value < 0.0 && m.isoefficiency_constant.is_none());
}

#[test]
fn karp_flatt_of_the_published_times() {
    let part = &vectors()["processors"];
    let (p, t) = (list(&part["p"]), list(&part["times"]));
    let single = |value| Estimate { value, u: None, degrees_of_freedom: None };
    let one = t[0];
    for ((&p, &t), expected) in p.iter().zip(&t).skip(1).zip(list(&part["karp_flatt"])) {
        let m = metrics(single(one), single(t), p as usize, Kind::Relative);
        assert!((m.karp_flatt.unwrap().value - expected).abs() < 5.1e-5);
        // One run on each side: numbers without an uncertainty.
        assert!(m.efficiency.u.is_none() && m.overhead.u.is_none());
    }
}

#[test]
fn tables() {
    let time = |runs: &[f64]| summarize(runs).unwrap().estimate();
    let (sequential, four) = (time(&[90.0, 91.0, 89.0]), time(&[30.0, 30.3, 29.7]));
    let apart = metrics(sequential, four, 4, Kind::Real);
    within(apart.speedup.speedup, &3.0.into(), 1e-12);
    assert!(apart.overhead.u.unwrap() > 0.0);
    // Effects that pairs of runs share cancel in the speedup, and in nothing else.
    let pairs = paired(&[90.0, 91.0, 89.0], &[30.0, 30.3, 29.7], Kind::Real).unwrap();
    let together = metrics_of(pairs, sequential, four, 4).unwrap();
    assert!(together.efficiency.u.unwrap() < apart.efficiency.u.unwrap());
    assert_eq!(together.overhead, apart.overhead);
    assert!(metrics_of(pairs, sequential, four, 0).is_err());

    let weak = weak_scaling(&[
        WeakMeasured { size: 14.0, processors: 1, work: 1e6, time: time(&[1.0, 1.02, 0.98]) },
        WeakMeasured { size: 15.0, processors: 2, work: 2e6, time: time(&[1.25, 1.26, 1.24]) },
    ])
    .unwrap();
    within(weak[1].scaled_speedup.value, &1.6.into(), 1e-12);
    within(weak[1].efficiency.value, &0.8.into(), 1e-12);
    assert_eq!((weak[1].work_per_processor, weak[1].size, weak[1].processors), (1.0, 15.0, 2));
    let relative = (0.02 / 3f64.sqrt()).hypot(0.01 / 1.25 / 3f64.sqrt());
    within(weak[1].efficiency.rsu().unwrap(), &relative.into(), 1e-12);
    assert_eq!(number(&weak[0].efficiency.value.into()), 1.0);
}
