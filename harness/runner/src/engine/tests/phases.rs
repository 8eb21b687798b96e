//! Phases of kernels: when they are timed, and how their sum compares with the whole.

use super::runs::{configuration, measured};
use crate::{
    engine::{
        Configuration,
        simulated::{Fault, Kernel, Noise},
    },
    record::{Record, Settings},
    report::json_results,
    results::{Agreement, Parts, tables},
};

fn noise() -> Noise {
    Noise { process: 0.01, ..Noise::quiet() }
}

fn kernel(name: &str, phases: &[(&str, f64)]) -> Kernel {
    Kernel::new(name, 2000.0).with_noise(noise()).with_phases(phases)
}

fn parts(record: &Record) -> Parts {
    tables(record)[0].rows[0].parts.clone().unwrap()
}

fn alone(kernel: Kernel) -> Parts {
    parts(&measured(vec![kernel], &configuration()).0)
}

#[test]
fn parts_that_make_the_whole_agree_with_it() {
    let found = alone(kernel("whole", &[("build", 0.25), ("search", 0.75)]));
    assert_eq!(found.agreement, Agreement::Agree, "{found:?}");
    let times: Vec<f64> = found.parts.iter().map(|part| part.time.estimate.value).collect();
    assert!((times[1] / times[0] - 3.0).abs() < 0.01, "{times:?}");
    let sum = found.sum.estimate;
    assert!((sum.value - times[0] - times[1]).abs() < 1e-6 && sum.u.unwrap() > 0.0);
    assert!((1900.0..2100.0).contains(&sum.value), "{sum:?}");
    assert!(found.parts.iter().all(|part| part.entries == 1.0));
    // Two readings of 20 ns each in the parts, which are taken off, and as many between them.
    assert!((found.subtracted_ns - 40.0).abs() < 0.1);
    assert!((found.cost_ns.unwrap().value - 80.0).abs() < 20.0, "{found:?}");
    assert_eq!(found.at_once, 1);
}

#[test]
fn what_is_in_no_phase_and_what_is_in_two_is_found() {
    let less = alone(kernel("less", &[("build", 0.25), ("search", 0.5)]));
    assert_eq!(less.agreement, Agreement::Less, "{less:?}");
    assert!((less.over_whole.unwrap().speedup - 0.75).abs() < 0.02);
    let more = alone(kernel("more", &[("outer", 1.0), ("inner", 0.5)]));
    assert_eq!(more.agreement, Agreement::More, "{more:?}");
    assert!((more.over_whole.unwrap().speedup - 1.5).abs() < 0.03);
}

#[test]
fn what_reading_the_clock_could_explain_is_undecided() {
    let short = Kernel::new("short", 40.0).with_noise(noise());
    let found = alone(short.with_phases(&[("a", 0.45), ("b", 0.45)]));
    assert_eq!(found.agreement, Agreement::Inconclusive, "{found:?}");
    // The uncertainty that is printed has the clock in it.
    assert!(found.over_whole.unwrap().sigma.unwrap() > 0.2);
}

#[test]
fn one_run_decides_nothing() {
    let settings = Settings { precision: None, ..configuration().settings };
    let once = Configuration { runs: Some(1), settings, ..configuration() };
    let found = parts(&measured(vec![kernel("one", &[("all", 1.0)])], &once).0);
    assert_eq!(found.agreement, Agreement::Inconclusive);
    assert!(found.over_whole.unwrap().sigma.is_none());
}

#[test]
fn the_whole_is_measured_as_without_phases_and_others_have_none() {
    let plain = Kernel::new("plain", 2000.0).with_noise(noise());
    let (record, _) = measured(vec![kernel("parted", &[("all", 1.0)]), plain], &configuration());
    for case in &record.cases {
        let timed = case.measurements.iter().all(|one| one.phases.is_some());
        assert_eq!(timed, case.name == "parted");
        let first = &case.measurements[0];
        let phases =
            first.phases.as_ref().map(|times| (times.wall_ns.len(), times.own_ns[0].len()));
        assert!(phases.is_none_or(|lengths| lengths == (first.wall_ns.len(), first.wall_ns.len())));
    }
    let lines = json_results(&record, 0, None, None);
    assert!(lines.contains(r#""parts":{"phases":[{"name":"all""#), "{lines}");
    assert!(lines.contains(r#""parts":null"#), "{lines}");
}

#[test]
fn a_test_times_no_phases_and_a_kernel_that_fails_in_one_has_failed() {
    let once = Configuration { once: true, ..configuration() };
    let (record, _) = measured(vec![kernel("tested", &[("all", 1.0)])], &once);
    assert!(record.cases[0].measurements.iter().all(|one| one.phases.is_none()));
    let failing = kernel("failing", &[("all", 1.0)]).failing(60, Fault::Panic);
    let (record, _) = measured(vec![failing], &configuration());
    assert!(record.cases[0].has_failed() && tables(&record)[0].rows[0].parts.is_none());
}
