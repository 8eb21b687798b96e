use std::{rc::Rc, time::Duration};

use plusminus::{
    engine::{
        CommonCase, ComparisonPosition, ComparisonWatcher, Layouts, Machine, Program, Subject,
        Versions, WorkerError, compare_until_decided, list,
        simulated::{Fault, Kernel, Noise, SimulatedMachine},
    },
    exit,
    record::{
        AcceptedSlowdown, BlockRecord, ComparisonRecord, ComparisonSettings, Manifest, MemoryUse,
        Resources, SideRecord,
    },
    results,
    text::View,
};
use plusminus_same_code::Code;

use super::*;
use crate::{
    compare::second_opinion::Check,
    report::{self, CodeOf, Gate},
};

/// The same programs in each round.
#[derive(Debug)]
struct AsTheyAre(Versions);

impl Layouts for AsTheyAre {
    fn of_round(&self, _: u32) -> Result<Versions, WorkerError> {
        Ok(self.0.clone())
    }
}

struct Silent;

impl ComparisonWatcher for Silent {
    fn begin(&mut self, _: ComparisonPosition<'_>) {}
}

/// A comparison of two programs, and of base with a control.
fn compared(seed: u64, kernels: [Vec<Kernel>; 3]) -> ComparisonRecord {
    let (machine, subject, record) = prepared(seed, kernels);
    compare_until_decided(&machine, &[subject], record, &mut Silent)
}

/// Returns the start of a comparison of two programs, and of base with a control.
fn prepared(
    seed: u64,
    [base, new, control]: [Vec<Kernel>; 3],
) -> (SimulatedMachine, Subject, ComparisonRecord) {
    let [a, b, c] = ["base", "new", "control"].map(|name| Program::of(name.as_ref()));
    let machine = SimulatedMachine::new(seed)
        .with_program(&a, base)
        .with_program(&b, new)
        .with_program(&c, control);
    let cases = list(&machine, &a).unwrap().into_iter().zip(list(&machine, &b).unwrap());
    let common =
        cases.map(|(base, new)| CommonCase { base, new, margin: 0.02, later: false }).collect();
    let subject = Subject {
        name: String::new(),
        versions: Versions { base: a, new: b, control: Some(c) },
        layouts: None,
        common,
    };
    let settings = ComparisonSettings {
        seed,
        max_seconds: Some(600.0),
        ..ComparisonSettings::of_blocks(Some(40))
    };
    let side = |name: &str| SideRecord { name: name.to_owned(), manifest: Manifest::of_machine() };
    (machine, subject, ComparisonRecord::new(settings, side("base"), side("new")))
}

/// Four kernels, the first slower by a factor.
fn kernels(noise: Noise, slower: f64) -> Vec<Kernel> {
    let times = [("hash", 3e4 * slower), ("sort", 2e5), ("parse", 90.0), ("walk", 4e6)];
    times.map(|(name, ns)| Kernel::new(name, ns).with_noise(noise)).to_vec()
}

fn rendered(record: &ComparisonRecord) -> String {
    report::table::render(&report::of_record(record), None, &View::default())
}

fn code_of(record: &ComparisonRecord) -> i32 {
    exit_code(&report::of_record(record), &Codes::default(), FailOn::Slower)
}

#[test]
fn a_slowdown_of_five_percent_is_found_and_is_exit_code_1() {
    for noise in [Noise::quiet(), Noise { interruptions_per_second: 200.0, ..Noise::quiet() }] {
        for seed in 0..10 {
            let all = || kernels(noise, 1.0);
            let record = compared(seed, [all(), kernels(noise, 1.05), all()]);
            let outcome = results::outcome(&record);
            let verdicts: Vec<Verdict> =
                outcome.cases.iter().map(|case| case.rows[0].judgement.verdict).collect();
            assert_eq!(verdicts[0], Verdict::Slower, "seed {seed}");
            assert_eq!(code_of(&record), exit::REGRESSION, "seed {seed}: {verdicts:?}");
        }
    }
}

#[test]
fn an_accepted_slowdown_is_exit_code_0_up_to_its_bound() {
    let all = |factor| kernels(Noise::quiet(), factor);
    let mut record = compared(3, [all(1.0), all(1.3), all(1.0)]);
    assert_eq!(code_of(&record), exit::REGRESSION);
    let entry = |benchmark: &str, up_to| AcceptedSlowdown {
        benchmark: benchmark.to_owned(),
        up_to,
        ..AcceptedSlowdown::default()
    };
    for (entry, expected) in [
        (entry("*", 0.35), exit::FINE),
        (entry("*", 0.05), exit::REGRESSION),
        (AcceptedSlowdown { is_merged: true, ..entry("*", 0.35) }, exit::REGRESSION),
        (entry("another", 0.35), exit::REGRESSION),
    ] {
        record.accepted = vec![entry];
        assert_eq!(code_of(&record), expected, "{:?}", record.accepted);
    }
}

/// The exit code of a comparison by a gate.
fn gated(record: &ComparisonRecord, gate: &str) -> i32 {
    let gate = Gate::parse(gate).unwrap();
    let comparison = Comparison { gate, ..report::of_record(record) };
    exit_code(&comparison, &Codes::default(), FailOn::Slower)
}

fn allocations(count: u64) -> Resources {
    let memory = MemoryUse { allocations: count, bytes: 64, peak_bytes: 64, kept_bytes: None };
    Resources { memory: Some(memory), ..Resources::default() }
}

/// Kernels of which the first allocates.
fn allocating(used: fn(&mut dyn FnMut() -> f64) -> Resources) -> Vec<Kernel> {
    let mut all = kernels(Noise::quiet(), 1.0);
    all[0].resources = used;
    all
}

#[test]
fn one_more_allocation_fails_a_gate_that_has_them_on_any_machine() {
    let all = || allocating(|_| allocations(3));
    let record = compared(1, [all(), allocating(|_| allocations(4)), all()]);
    for (gate, expected) in [
        ("time", exit::FINE),
        ("time,allocations", exit::REGRESSION),
        ("allocations:34%", exit::FINE),
        ("bytes", exit::FINE),
        // No benchmark has it, so that it would pass whatever happens.
        ("time,instructions", exit::FAILED),
    ] {
        assert_eq!(gated(&record, gate), expected, "{gate}");
    }
    let noisy = |kernel: Kernel| Kernel { call_ns: 1.2 * kernel.call_ns, ..kernel };
    let control = all().into_iter().map(noisy).collect();
    let record = compared(1, [all(), allocating(|_| allocations(4)), control]);
    for (gate, expected) in [
        ("time", exit::UNRELIABLE),
        ("time,allocations", exit::REGRESSION),
        ("allocations:50%", exit::FINE),
    ] {
        assert_eq!(gated(&record, gate), expected, "{gate} on a noisy machine");
    }
    let comparison =
        Comparison { gate: Gate::parse("allocations").unwrap(), ..report::of_record(&record) };
    assert_eq!(exit_code(&comparison, &Codes::default(), FailOn::Never), exit::FINE);
}

#[test]
fn counts_that_differ_by_themselves_are_no_change() {
    for seed in 0..60 {
        let all = || allocating(|unit| allocations(if unit() < 0.5 { 3 } else { 4 }));
        let record = compared(seed, [all(), all(), all()]);
        let row = &results::outcome(&record).cases[0].rows[0];
        assert!(row.measures.iter().all(|one| !one.has_changed()), "{seed}: {row:?}");
    }
}

/// One kernel of a millisecond, of which a part of the calls takes three.
fn with_tail(part: f64) -> Vec<Kernel> {
    let quiet = Noise::quiet();
    let (interruptions_per_second, interruption_ns) = (1e3 * part, 2e6);
    let noise = Noise { interruptions_per_second, interruption_ns, ..quiet };
    vec![Kernel::new("waits", 1e6).with_noise(noise)]
}

#[test]
fn a_slower_tail_fails_a_gate_on_it_and_no_gate_on_time() {
    let tails = |record: &ComparisonRecord| -> Vec<String> {
        let row = &results::outcome(record).cases[0].rows[0];
        let changed = row.measures.iter().filter(|one| one.has_changed());
        changed.map(|one| one.name.clone()).collect()
    };
    for seed in 0..8 {
        let measured = |parts: [f64; 2]| {
            let [base, new] = parts.map(with_tail);
            let (machine, subject, mut record) = prepared(seed, [base.clone(), new, base]);
            record.settings.maximum_blocks = 200;
            record.settings.least_samples = Gate::parse("p99").unwrap().least_samples();
            compare_until_decided(&machine, &[subject], record, &mut Silent)
        };
        let record = measured([0.001, 0.04]);
        assert_eq!(tails(&record), ["p99"], "seed {seed}");
        let samples = |block: &BlockRecord| block.base.wall_ns.len();
        let samples: usize = record.cases[0].blocks.iter().map(samples).sum();
        assert!(samples >= 2000, "{samples}");
        assert_eq!(gated(&record, "time"), exit::FINE);
        assert_eq!(gated(&record, "time,p99"), exit::REGRESSION);
        assert_eq!(gated(&record, "p99:500%,p95"), exit::FINE);
        assert_eq!(tails(&measured([0.02, 0.02])), Vec::<String>::new(), "seed {seed}");
    }
}

#[test]
fn nothing_decided_is_said_first_and_fails_where_that_is_the_policy() {
    let noise = Noise { process: 0.5, ..Noise::quiet() };
    let all = |noise| kernels(noise, 1.0);
    let mut record = compared(3, [all(noise), all(noise), all(Noise::quiet())]);
    let codes = Codes::default();
    let answers = |record: &ComparisonRecord| {
        let told = report::of_record(record);
        [FailOn::Slower, FailOn::Never, FailOn::NothingDecided, FailOn::Inconclusive]
            .map(|fail_on| exit_code(&told, &codes, fail_on))
    };
    let (fine, failed) = (exit::FINE, exit::REGRESSION);
    assert_eq!(answers(&record), [fine, fine, failed, failed]);
    let said = rendered(&record);
    assert!(said.contains("\nnothing decided, try --max-blocks "), "{said}");
    record.settings.max_seconds = Some(30.0);
    let said = rendered(&record);
    assert!(said.contains("\nnothing decided, try --max-time "), "{said}");
    // One that is decided is something.
    let mut some = all(noise);
    some[0] = all(Noise::quiet()).swap_remove(0);
    let record = compared(1, [some.clone(), some, all(Noise::quiet())]);
    let outcome = results::outcome(&record);
    assert_eq!(outcome.cases[0].rows[0].judgement.verdict, Verdict::WithinMargin);
    assert_eq!(answers(&record), [fine, fine, fine, failed]);
    let said = rendered(&record);
    assert!(!said.contains("nothing decided"), "{said}");
    let advice = ["warning: inconclusive: ", " --max-blocks "];
    assert!(advice.iter().all(|part| said.contains(part)), "{said}");
}

#[test]
fn a_failed_benchmark_is_exit_code_2_and_the_others_are_judged() {
    let all = || kernels(Noise::quiet(), 1.0);
    let mut sick = all();
    sick[1] = sick[1].clone().failing(0, Fault::Abort);
    let record = compared(1, [all(), sick, all()]);
    assert_eq!(code_of(&record), exit::FAILED);
    let outcome = results::outcome(&record);
    assert!(outcome.cases[1].failure.as_ref().unwrap().message.contains("SIGABRT"));
    assert_eq!(outcome.cases[0].rows[0].judgement.verdict, Verdict::WithinMargin);
    // More time decides nothing about benchmarks that fail after some blocks.
    let failures = record.cases[1].failures.clone();
    let noisy = || kernels(Noise { process: 0.5, ..Noise::quiet() }, 1.0);
    let mut record = compared(1, [noisy(), noisy(), all()]);
    record.cases.iter_mut().for_each(|case| case.failures = failures.clone());
    assert!(results::outcome(&record).cases.iter().all(|case| !case.rows.is_empty()));
    let said = rendered(&record);
    assert!(!said.contains("nothing decided") && said.contains("failed"), "{said}");
}

#[test]
fn a_benchmark_with_nothing_to_measure_is_left_out() {
    let all = || {
        let mut all = kernels(Noise::quiet(), 1.0);
        all[1] = all[1].clone().failing(0, Fault::Nothing);
        all
    };
    let record = compared(1, [all(), all(), kernels(Noise::quiet(), 1.0)]);
    assert_eq!(code_of(&record), exit::FINE);
    let outcome = results::outcome(&record);
    assert!(!outcome.cases[1].has_failed() && outcome.cases[1].rows.is_empty());
    let said = plusminus::report::case_failure(&outcome.cases[1]).unwrap();
    assert!(said.contains("is skipped in base: nothing to measure"), "{said}");
    assert_eq!(outcome.cases[0].rows[0].judgement.verdict, Verdict::WithinMargin);
}

#[test]
fn a_slowdown_by_set_up_alone_fails_only_beyond_the_margin() {
    for (slower, of_set_up) in [(1.015, exit::FINE), (1.1, exit::REGRESSION)] {
        let all = |slower| kernels(Noise::quiet(), slower);
        let record = compared(2, [all(1.0), all(slower), all(1.0)]);
        assert_eq!(results::outcome(&record).cases[0].rows[0].judgement.verdict, Verdict::Slower);
        for (only_set_up, expected) in [(true, of_set_up), (false, exit::REGRESSION)] {
            let differs = Code::Differs {
                first: String::new(),
                changes: Vec::new(),
                unlisted: 0,
                only_set_up,
                sizes: Vec::new(),
            };
            let code = |name: &str| CodeOf { name: name.to_owned(), code: differs.clone() };
            let codes = Codes {
                cases: record.cases.iter().map(|case| code(&case.name)).collect(),
                ..Codes::default()
            };
            let comparison = Comparison { codes, ..report::of_record(&record) };
            let code = exit_code(&comparison, &comparison.codes, FailOn::Slower);
            assert_eq!(code, expected, "{slower} {only_set_up}");
        }
    }
}

#[test]
fn a_control_that_differs_is_exit_code_3() {
    let all = |slower| {
        let all: Vec<Kernel> = kernels(Noise::quiet(), 1.0);
        let slow = |kernel: Kernel| Kernel { call_ns: slower * kernel.call_ns, ..kernel };
        all.into_iter().map(slow).collect::<Vec<_>>()
    };
    let record = compared(1, [all(1.0), all(1.0), all(1.2)]);
    assert_eq!(code_of(&record), exit::UNRELIABLE);
    // Such a machine cannot tell that a slowdown is within the bound up to which it is accepted.
    let mut accepted = compared(1, [all(1.0), all(1.3), all(1.2)]);
    let (benchmark, up_to) = ("*".to_owned(), 0.5);
    accepted.accepted = vec![AcceptedSlowdown { benchmark, up_to, ..AcceptedSlowdown::default() }];
    assert_eq!(code_of(&accepted), exit::UNRELIABLE);
}

#[test]
fn a_benchmark_that_does_not_settle_is_undecided_and_hides_no_regression() {
    let unsettled = Noise { drift_per_second: 0.0, sample: 0.2, ..Noise::quiet() };
    let restless = |slower: f64| {
        let mut all = kernels(Noise::quiet(), slower);
        all[1] = all[1].clone().with_noise(unsettled);
        all
    };
    let record = compared(3, [restless(1.0), restless(1.1), restless(1.0)]);
    assert_eq!(code_of(&record), exit::REGRESSION);
    for case in results::outcome(&record).cases {
        for row in case.rows.iter().filter(|row| !row.doubts.is_empty()) {
            assert_eq!(row.judgement.verdict, Verdict::Inconclusive, "{}: {row:?}", case.name);
        }
    }
}

/// A measured comparison of four benchmarks that are taken for identical, of which the first is slower by a factor.
fn identical(seed: u64, slower: f64) -> (SimulatedMachine, [Subject; 1], ComparisonRecord, Codes) {
    let all = |slower| kernels(Noise::quiet(), slower);
    let (machine, mut subject, record) = prepared(seed, [all(1.0), all(slower), all(1.0)]);
    subject.layouts = Some(Rc::new(AsTheyAre(subject.versions.clone())));
    let code = |case: &CommonCase| CodeOf { name: case.new.name.clone(), code: Code::Identical };
    let codes = Codes { cases: subject.common.iter().map(code).collect(), ..Codes::default() };
    let subjects = [subject];
    let record = compare_until_decided(&machine, &subjects, record, &mut Silent);
    (machine, subjects, record, codes)
}

/// As if measuring had taken long enough for all checks that a comparison may have.
const LONG: f64 = 200.0;

#[test]
fn a_proof_that_measuring_contradicts_is_found_and_no_other() {
    let mut accused = 0;
    for seed in 0..20 {
        for (slower, expected) in [(1.1, vec!["hash".to_owned()]), (1.0, Vec::new())] {
            let (machine, all, mut record, mut codes) = identical(seed, slower);
            // Benchmarks that differ with all of them measured, and a few after other benchmarks.
            codes.all_measured = true;
            Check::of(&all, &record, &codes).run(&machine, &mut record, &mut Silent);
            assert_eq!(
                (record.checked, &record.contradicted),
                (expected.len(), &expected),
                "{seed}"
            );
            codes.all_measured = false;
            record.seconds = LONG;
            Check::of(&all, &record, &codes).run(&machine, &mut record, &mut Silent);
            assert!((2..=3).contains(&record.checked), "seed {seed}: {}", record.checked);
            let found = &record.contradicted;
            assert!(found.iter().all(|name| expected.contains(name)), "{found:?}");
            accused += found.len();
        }
    }
    assert!(accused >= 10, "three of four are checked: {accused} of 20");
}

#[test]
fn a_record_tells_of_measured_benchmarks_that_their_code_is_identical() {
    let (_, _, mut record, mut codes) = identical(1, 1.1);
    let answer = |record: &ComparisonRecord| {
        let told = report::of_record(record);
        exit_code(&told, &told.codes, FailOn::Slower)
    };
    assert_eq!(answer(&record), exit::REGRESSION);
    codes.all_measured = true;
    codes.note(&mut record);
    assert_eq!(answer(&record), exit::FINE);
}

#[test]
fn an_interrupt_of_the_check_interrupts_the_comparison() {
    let (machine, all, mut record, codes) = identical(1, 1.0);
    record.seconds = LONG;
    let end = machine.now() + Duration::from_millis(300);
    let machine = machine.interrupted_after(end, 2);
    Check::of(&all, &record, &codes).run(&machine, &mut record, &mut Silent);
    assert_eq!((record.checked, record.interrupted), (0, Some(2)));
    assert!(machine.now() > end, "it was being measured");
}

#[test]
fn checks_keep_to_the_limit_and_are_counted_if_they_say_something() {
    for (left, said) in [(0.0, 0), (0.5, 0), (100.0, 3)] {
        let (machine, all, mut record, codes) = identical(1, 1.0);
        record.seconds = LONG;
        record.settings.max_seconds = Some(LONG + left);
        let before = machine.now();
        Check::of(&all, &record, &codes).run(&machine, &mut record, &mut Silent);
        assert_eq!(record.checked, said, "{left} s left");
        let spent = (machine.now() - before).as_secs_f64();
        assert!(
            spent <= left && (record.seconds - LONG - spent).abs() < 1e-6,
            "{spent} of {left} s"
        );
    }
}
