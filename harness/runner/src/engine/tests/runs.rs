//! Runs of one program: how many there are, what ends them, and what failures cost.

use std::time::Duration;

use super::{no_worker_is_left, program};
use crate::{
    engine::{
        CaseDescription, Configuration, Machine, Silent, Wishes, list, measure, nothing_yet,
        simulated::{Fault, Kernel, Noise, SimulatedMachine},
    },
    record::{CaseRecord, Cause, Manifest, Record, Role, Settings},
};

pub(in crate::engine) fn configuration() -> Configuration {
    Configuration {
        wishes: Wishes::default(),
        runs: None,
        max_time: None,
        timeout: None,
        memory_limit: None,
        any_processor: false,
        tallies: false,
        instructions: false,
        once: false,
        until_decided: false,
        settings: Settings {
            seed: 1,
            runs: 5,
            glance: false,
            in_process: false,
            layouts: false,
            precision: Some(0.01),
            max_seconds: None,
            margin: 0.02,
            alpha: 0.05,
        },
    }
}

pub(super) fn measured(
    kernels: Vec<Kernel>,
    configuration: &Configuration,
) -> (Record, SimulatedMachine) {
    measured_by(7, kernels, configuration)
}

pub(super) fn measured_by(
    seed: u64,
    kernels: Vec<Kernel>,
    configuration: &Configuration,
) -> (Record, SimulatedMachine) {
    let machine = SimulatedMachine::new(seed).with_program(&program(), kernels);
    let record = measured_on(&machine, configuration);
    no_worker_is_left(&machine);
    (record, machine)
}

pub(in crate::engine) fn measured_on(
    machine: &dyn Machine,
    configuration: &Configuration,
) -> Record {
    let program = program();
    let cases: Vec<CaseDescription> = list(machine, &program).unwrap();
    let record = nothing_yet(&cases, configuration, Manifest::of_machine());
    measure(&cases, (machine, &program), configuration, record, &mut Silent)
}

pub(super) fn runs(case: &CaseRecord) -> u32 {
    case.measurements.iter().map(|one| one.run + 1).max().unwrap_or(0)
}

pub(super) fn cause(case: &CaseRecord) -> &Cause {
    assert_eq!(case.failures.len(), 1, "{:?}", case.failures);
    &case.failures[0].cause
}

#[test]
fn a_benchmark_with_nothing_to_measure_is_left_out_and_has_not_failed() {
    let kernel = Kernel::new("none", 1000.0).failing(0, Fault::Nothing);
    let (record, _) = measured(vec![kernel, Kernel::new("some", 1000.0)], &configuration());
    let [none, some] = &record.cases[..] else { panic!("two cases") };
    assert_eq!(cause(none), &Cause::Nothing);
    assert!(none.has_nothing() && !none.has_failed() && none.measurements.is_empty());
    assert!(!some.has_nothing() && !some.measurements.is_empty());
    let lines = crate::report::json_results(&record, 0, None, None);
    assert!(lines.contains(r#""event":"ignored""#) && lines.contains(r#""ignored":1"#), "{lines}");
}

#[test]
fn precise_benchmarks_get_five_runs_and_others_more() {
    let noise = Noise { process: 0.02, ..Noise::quiet() };
    let scattered = (0..8).map(|i| Kernel::new(&format!("scattered{i}"), 1000.0).with_noise(noise));
    let kernels = std::iter::once(Kernel::new("exact", 1000.0)).chain(scattered).collect();
    let (record, machine) = measured(kernels, &configuration());
    assert_eq!(runs(&record.cases[0]), 5);
    // 2 % between processes within 1 % takes some 20 runs, of which 0.5 s allow 15; a pilot of five can be far off.
    let more = record.cases[1..].iter().filter(|case| runs(case) >= 10).count();
    assert!(more >= 5, "{:?}", record.cases.iter().map(runs).collect::<Vec<_>>());
    assert!(record.cases[1..].iter().all(|case| runs(case) <= 40 && case.pilot_runs == Some(5)));
    assert_eq!(machine.most_running(), 1, "one worker at a time");
}

#[test]
fn samples_last_half_a_millisecond_with_calls_by_powers_of_two() {
    let kernels = [1.0, 33.0, 1e3, 4.7e5, 2e6].map(|ns| Kernel::new(&format!("k{ns}"), ns));
    let (record, _) = measured(kernels.to_vec(), &configuration());
    for case in &record.cases {
        let first = &case.measurements[0];
        assert!(first.calls.is_power_of_two(), "{first:?}");
        let sample_ns = first.wall_ns[0];
        assert!((350_000..=1_000_000).contains(&sample_ns) || first.calls == 1, "{}", case.name);
        assert!(case.measurements.iter().all(|one| one.calls == first.calls));
    }
}

#[test]
fn a_busy_machine_gets_shorter_samples() {
    let noise =
        Noise { interruptions_per_second: 1500.0, interruption_ns: 100_000.0, ..Noise::quiet() };
    let (record, _) = measured(vec![Kernel::new("k", 100.0).with_noise(noise)], &configuration());
    assert!(record.cases[0].measurements[0].calls <= 2048, "{:?}", record.cases[0].measurements[0]);
}

#[test]
fn the_budget_holds_from_the_first_second() {
    let kernels = (0..5000).map(|i| Kernel::new(&format!("k{i}"), 1e6)).collect();
    let limited = Configuration { max_time: Some(Duration::from_secs(15)), ..configuration() };
    let (record, machine) = measured(kernels, &limited);
    let spent = crate::engine::Machine::now(&machine).as_secs_f64();
    assert!((15.0..16.0).contains(&spent), "{spent} s");
    let missing = record.cases.iter().filter(|case| case.measurements.is_empty()).count();
    assert!((1..5000).contains(&missing), "{missing}");
    assert_eq!(record.interrupted, None);
}

#[test]
fn a_failure_costs_the_benchmark_that_failed_and_nothing_else() {
    for (fault, kind) in [
        (Fault::Panic, "panicked"),
        (Fault::Abort, "died"),
        (Fault::Hang, "timed out"),
        (Fault::WrongAnswer, "wrong answer"),
        (Fault::Babble, "no working worker"),
    ] {
        let table = |name: &str| Kernel::new(name, 1e4).described(|case| case.table = 1);
        for after in [0, 1, 20, 100] {
            let kernels = vec![
                table("a"),
                table("b").failing(after, fault),
                table("c"),
                Kernel::new("elsewhere", 1e4),
            ];
            let fixed = Configuration { runs: Some(3), ..configuration() };
            let (record, _) = measured(kernels, &fixed);
            for index in [0, 2, 3] {
                let case = &record.cases[index];
                assert!(case.failures.is_empty(), "{fault:?} after {after}: {:?}", case.failures);
                assert_eq!(runs(case), 3, "{fault:?} after {after}, {}", case.name);
                let complete = case.measurements.len();
                assert_eq!(complete, 3, "{fault:?} after {after}: each run is measured once");
            }
            let failed = &record.cases[1];
            // A wrong answer shows where outputs are checked: in the first call, and in the warm-up of later runs.
            if fault != Fault::WrongAnswer || after == 0 {
                if failed.failures.is_empty() {
                    assert!(after >= 20, "{fault:?} after {after} was not seen");
                } else {
                    assert!(cause(failed).to_string().contains(kind), "{:?}", failed.failures);
                }
            }
        }
    }
}

#[test]
fn an_interrupt_keeps_what_is_finished() {
    let kernels = vec![Kernel::new("a", 1e4), Kernel::new("b", 1e4)];
    let machine = SimulatedMachine::new(3)
        .with_program(&program(), kernels)
        .interrupted_after(Duration::from_millis(150), 2);
    let record = measured_on(&machine, &configuration());
    assert_eq!(record.interrupted, Some(2));
    let measured: usize = record.cases.iter().map(|case| case.measurements.len()).sum();
    assert!((1..10).contains(&measured), "{measured}");
    assert!(record.cases.iter().all(|case| case.failures.is_empty()), "an interrupt is no failure");
}

#[test]
fn variants_are_measured_until_it_is_decided_how_they_compare() {
    let variant = |name: &str, ns: f64, role| {
        let described = |case: &mut CaseDescription| {
            (case.table, case.problem, case.role) = (1, Some("p".to_owned()), role);
        };
        Kernel::new(name, ns).with_noise(Noise::quiet()).described(described)
    };
    let decided = |slower: f64| {
        let kernels = vec![
            variant("base", 1e4, Role::Baseline),
            variant("other", 1e4 * slower, Role::Contender),
        ];
        let looking = Configuration { until_decided: true, ..configuration() };
        let (record, _) = measured(kernels, &looking);
        assert!(record.cases[1].until_decided);
        runs(&record.cases[1])
    };
    assert!((6..12).contains(&decided(1.3)), "a large difference is decided at once");
    assert!(decided(1.0) < 40, "equal variants are proven the same");
    assert!(decided(1.02) > decided(1.3), "at the margin it takes long");
}

#[test]
fn everything_is_called_once_for_a_test() {
    let once = Configuration { once: true, ..configuration() };
    let kernels = vec![
        Kernel::new("a", 1e4).with_instances(&[1.0, 2.0]),
        Kernel::new("b", 1e4).failing(0, Fault::WrongAnswer),
    ];
    let (record, _) = measured(kernels, &once);
    assert_eq!(record.cases[0].measurements.len(), 2);
    assert!(
        record.cases[0].measurements.iter().all(|one| one.calls == 1 && one.wall_ns.len() == 1)
    );
    assert!(matches!(cause(&record.cases[1]), Cause::WrongAnswer { .. }));
}

#[test]
fn a_slow_input_is_timed_out() {
    let mut slow = Kernel::new("slow", 1e4);
    slow.load = Duration::from_secs(1000);
    let (record, _) = measured(vec![slow, Kernel::new("other", 1e4)], &configuration());
    assert_eq!(cause(&record.cases[0]), &Cause::TimedOut { seconds: 120.0 });
    assert_eq!(runs(&record.cases[1]), 5);
}

#[test]
fn the_same_seed_gives_the_same_record() {
    let kernels = || {
        let noisy = |name: &str| Kernel::new(name, 1e4).with_noise(Noise::busy());
        vec![noisy("a"), noisy("b").with_instances(&[1.0, 3.0])]
    };
    let (first, _) = measured(kernels(), &configuration());
    let (second, _) = measured(kernels(), &configuration());
    assert_eq!(first.cases, second.cases);
    assert_eq!(first.order, second.order);
}

#[test]
fn a_pool_that_works_on_after_long_calls_is_recognized_wherever_the_tick_of_the_clock_falls() {
    for tenths in 20..300 {
        let mut kernel = Kernel::new("pool", 1e5 * f64::from(tenths));
        (kernel.helper_threads, kernel.helpers_run_on) = (0.9, true);
        let (record, _) = measured(vec![kernel], &configuration());
        assert_eq!(record.cases[0].processors, 2, "{tenths} tenths of a millisecond");
    }
}
