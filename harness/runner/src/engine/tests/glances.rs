//! Quick mode: what its benchmarks share, what it skips, and what it claims.

use std::time::Duration;

use super::runs::{cause, configuration, measured, measured_by, runs};
use crate::{
    engine::{
        Configuration, Wishes,
        simulated::{Fault, Kernel, Noise},
    },
    record::{Record, Role, Settings},
    results,
};

fn glance() -> Configuration {
    let settings = Settings { glance: true, precision: Some(0.05), ..configuration().settings };
    let wishes = Wishes { seconds: Some(0.001_5), ..Wishes::default() };
    Configuration { wishes, settings, ..configuration() }
}

fn relative(record: &Record, name: &str) -> f64 {
    let tables = results::tables(record);
    let row = tables.iter().flat_map(|table| &table.rows).find(|row| row.case.name == name);
    row.unwrap().estimate().unwrap().rsu().unwrap()
}

#[test]
fn a_glance_has_its_runs_and_a_wide_uncertainty() {
    let noise = Noise { process: 0.2, ..Noise::quiet() };
    let kernels = vec![Kernel::new("exact", 1000.0), Kernel::new("wild", 1e3).with_noise(noise)];
    let (record, _) = measured(kernels, &glance());
    for case in &record.cases {
        assert_eq!((runs(case), case.pilot_runs), (5, Some(5)), "{}", case.name);
    }
    // Half a width of 5 %, rectangular, although its runs agree.
    assert!((0.05 / 3_f64.sqrt()..0.03).contains(&relative(&record, "exact")));
    assert!(record.manifest.probes.is_empty(), "probes take as long as a glance");
}

#[test]
fn the_tables_of_a_run_share_a_process_of_their_kind() {
    let mut kernels: Vec<Kernel> = (0..6).map(|i| Kernel::new(&format!("k{i}"), 1e3)).collect();
    kernels.extend(["a", "b"].map(|name| Kernel::new(name, 1e3).described(|c| c.processors = 2)));
    let (record, machine) = measured(kernels.clone(), &glance());
    // One lists them, and five runs have one for each number of processors.
    assert_eq!(machine.started(), 1 + 5 * 2);
    assert_eq!(machine.most_running(), 1, "one worker at a time");
    assert_eq!(record.workers.iter().filter(|worker| !worker.used).count(), 5 * 2);
    assert_eq!(record.workers.len(), 5 * 8, "each table has its own line of facts");
    assert!(record.workers.iter().all(|worker| worker.used != worker.peak_rss_bytes.is_some()));
    let (_, machine) = measured(kernels, &configuration());
    assert_eq!(machine.started(), 1 + 5 * 8, "a measurement shares none");
}

#[test]
fn a_glance_warms_up_as_a_measurement_does() {
    let kernels = [1, 2].map(|processors| {
        Kernel::new(&format!("p{processors}"), 1e5).described(|case| case.processors = processors)
    });
    let (record, _) = measured(kernels.to_vec(), &glance());
    let warm_up = |case: &crate::record::CaseRecord| {
        case.measurements[1].warm_up_ns.iter().sum::<u64>() / 100_000
    };
    for case in &record.cases {
        assert!((30..35).contains(&warm_up(case)), "three milliseconds");
    }
}

/// S of a variant over its baseline, and its 95 % interval.
fn speedup(record: &Record) -> (f64, crate::analysis::Interval) {
    let tables = results::tables(record);
    let compared = tables[0].rows[1].speedup.as_ref().unwrap();
    (compared.speedup.speedup, compared.interval.unwrap())
}

#[test]
fn speedups_of_a_glance_are_those_of_a_measurement() {
    // A kernel whose first calls are slower in every process, as branches have to be learnt, against one without branches.
    let learning = Noise { warm_up: (0.14, 8), ..Noise::quiet() };
    let variants = [("learns", 250_000.0, learning), ("plain", 380_000.0, Noise::quiet())];
    let kernels = variants.map(|(name, ns, noise)| {
        Kernel::new(name, ns).with_noise(noise).described(|case| {
            (case.problem, case.table) = (Some("words".to_owned()), 0);
            case.role = if name == "learns" { Role::Baseline } else { Role::Contender };
        })
    });
    for seed in 0..60 {
        let of = |configuration: &Configuration| {
            speedup(&measured_by(seed, kernels.to_vec(), configuration).0)
        };
        let ((quick, of_quick), (usual, _)) = (of(&glance()), of(&configuration()));
        assert!(of_quick.contains(usual), "seed {seed}: {of_quick:?} and {usual}");
        let half = of_quick.width() / 2.0 / quick;
        assert!(half > 0.07, "what a glance does not see is in S as well: {half}");
    }
}

#[test]
fn what_another_kernel_leaves_behind_is_not_part_of_a_glance() {
    let cold = Noise { cold: 0.05, ..Noise::default() };
    let kernels = ["sorts", "counts", "parses"].map(|name| {
        let kernel = Kernel::new(name, 1e3).with_noise(cold);
        kernel.described(|case| (case.problem, case.table) = (Some("words".to_owned()), 0))
    });
    let (record, _) = measured(kernels.to_vec(), &glance());
    for case in &record.cases {
        for measurement in &case.measurements {
            let ns = measurement.wall_ns.iter().map(|&ns| ns as f64 / measurement.calls as f64);
            assert!(ns.clone().all(|ns| (ns - 1e3).abs() < 1.0), "{:?}", ns.collect::<Vec<_>>());
        }
    }
}

#[test]
fn what_takes_long_to_prepare_has_fewer_runs() {
    let loading = |name: &str, ms| {
        let mut kernel = Kernel::new(name, 1e3);
        kernel.load = Duration::from_millis(ms);
        kernel
    };
    let kernels = || vec![loading("long", 300), loading("some", 40), loading("short", 1)];
    let (record, machine) = measured(kernels(), &glance());
    let found: Vec<u32> = record.cases.iter().map(runs).collect();
    assert_eq!(found, [1, 2, 5]);
    assert!(crate::engine::Machine::now(&machine) < Duration::from_millis(500));
    assert!((0.2..0.21).contains(&relative(&record, "long")), "20 % are assumed");
    assert!(relative(&record, "short") < 0.03);
    let text = crate::report::render(&record, None, None, &crate::report::View::unlimited());
    assert!(
        text.contains("20.0 % for benchmarks with a single run") && text.contains("(long)"),
        "{text}"
    );

    let fixed = Configuration { runs: Some(3), ..glance() };
    let (record, _) = measured(kernels(), &fixed);
    assert!(
        record.cases.iter().all(|case| runs(case) == 3),
        "a number that was asked for is taken"
    );
}

#[test]
fn a_failure_in_a_shared_process_costs_its_benchmark_and_nothing_else() {
    for fault in [Fault::Panic, Fault::Abort, Fault::Hang, Fault::WrongAnswer, Fault::Babble] {
        for after in [0, 3] {
            let kernels = ["a", "b", "c", "d"].map(|name| match name {
                "b" => Kernel::new(name, 1e4).failing(after, fault),
                _ => Kernel::new(name, 1e4),
            });
            let (record, _) = measured(kernels.to_vec(), &glance());
            for index in [0, 2, 3] {
                let case = &record.cases[index];
                assert!(case.failures.is_empty(), "{fault:?}: {:?}", case.failures);
                assert_eq!(case.measurements.len(), 5, "{fault:?}, {}", case.name);
            }
            if fault != Fault::WrongAnswer || after == 0 {
                cause(&record.cases[1]);
            }
        }
    }
}

#[test]
fn a_failure_counts_that_a_fresh_process_shows_as_well() {
    // Fails in every process that has measured something else before, as global state can make it.
    let kernels = ["a", "b", "c"].map(|name| Kernel::new(name, 1e4).failing(0, Fault::Stale));
    let (record, machine) = measured(kernels.to_vec(), &glance());
    for case in &record.cases {
        assert!(case.failures.is_empty(), "{:?}", case.failures);
        assert_eq!(case.measurements.len(), 5, "{}", case.name);
    }
    assert_eq!(machine.started(), 1 + 5 * 3, "each of them had a fresh one in the end");
}

#[test]
fn glances_do_not_exclude_each_other() {
    let noise = |process, sample| Noise { process, sample, machine: 0.02, ..Noise::default() };
    let kernels: Vec<Kernel> = [(0.0, 0.002), (0.01, 0.01), (0.03, 0.02), (0.2, 0.2), (0.08, 0.1)]
        .iter()
        .enumerate()
        .map(|(place, &(process, sample))| {
            let mut kernel = Kernel::new(&format!("k{place}"), 1e4);
            kernel.load = Duration::from_millis(if place == 4 { 300 } else { 1 });
            kernel.with_noise(noise(process, sample))
        })
        .collect();
    let intervals: Vec<Vec<_>> = (0..30)
        .map(|seed| {
            let (record, _) = measured_by(seed, kernels.clone(), &glance());
            let tables = results::tables(&record);
            let rows = tables.iter().flat_map(|table| &table.rows);
            rows.map(|row| row.time.as_ref().unwrap().interval().unwrap()).collect()
        })
        .collect();
    let (mut pairs, mut disjoint) = (0, 0);
    for (index, one) in intervals.iter().enumerate() {
        for (one, other) in intervals[index + 1..].iter().flat_map(|other| one.iter().zip(other)) {
            pairs += 1;
            disjoint += usize::from(one.high < other.low || other.high < one.low);
        }
    }
    assert!(20 * disjoint <= pairs, "{disjoint} of {pairs}");
}
