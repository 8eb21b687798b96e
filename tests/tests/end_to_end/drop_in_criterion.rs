//! Benches written for criterion, and benchmarks registered at run time, under our engine.

use std::{collections::BTreeSet, path::PathBuf};

use plusminus_tests::{Fixture, Outcome};

/// Runs a bench target of the fixture, and returns its lines by process.
fn bench(
    target: &str,
    test: &str,
    arguments: &[&str],
    variables: &[(&str, &str)],
) -> (Outcome, Vec<String>) {
    let fixture = Fixture::new("drop-in", test);
    std::fs::create_dir_all(&fixture.output).unwrap();
    let log: PathBuf = fixture.output.join("log.txt");
    let _ = std::fs::remove_file(&log);
    let all = [&["bench", "--bench", target, "--"], arguments].concat();
    let log_variable = [("DROP_IN_LOG", log.to_str().unwrap())];
    let variables = [&log_variable, variables].concat();
    let output =
        fixture.command("cargo").args(&all).envs(variables).output().expect("cargo is there");
    let outcome = Outcome::of(&output);
    let lines = std::fs::read_to_string(&log).unwrap_or_default();
    (outcome, lines.lines().map(str::to_owned).collect())
}

const QUICK: [&str; 6] = ["--runs", "2", "--samples", "3", "--sample-time", "0.002"];

#[test]
fn the_benchmarks_of_criterion_are_listed_and_none_is_run() {
    let (outcome, log) =
        bench("of_criterion", "criterion_list", &["--list", "--format", "terse"], &[]);
    let expected = [
        "fib 10",
        "fib/5",
        "words/ ",
        "words/c",
        "words/collect",
        "methods/iter_batched",
        "methods/iter_batched_ref",
        "methods/one at a time",
        "methods/iter_with_setup",
        "methods/guard",
        "methods/iter_custom",
        "methods/generic",
        "async/iter",
        "async/iter_batched",
        "fib 10 #2",
    ];
    let names: Vec<&str> =
        outcome.exits(0).stdout.lines().filter_map(|l| l.strip_suffix(": benchmark")).collect();
    let escaped = expected.map(|name| if name == "words/ " { "words/\\u{20}" } else { name });
    assert_eq!(names, escaped);
    assert!(!log.iter().any(|line| line.contains("runs")), "{log:?}");
    assert_eq!(log.iter().filter(|line| line.contains("set-up of simple")).count(), 1);
}

#[test]
fn every_form_of_criterion_runs_once_in_a_test() {
    let (outcome, _) = bench("of_criterion", "criterion_test", &["--test"], &[]);
    outcome.exits(0).says("test result: ok. 15 passed; 0 failed");
}

#[test]
fn a_benchmark_of_criterion_is_measured_in_fresh_processes_with_its_set_up_only() {
    let arguments = [&["^fib 10$", "^words/collect$", "--noplot"], &QUICK[..]].concat();
    let (outcome, log) = bench("of_criterion", "criterion_measure", &arguments, &[]);
    outcome
        .exits(0)
        .says("fib 10")
        .complains("nresamples, plot_config, sample_size, sampling_mode");
    assert!(!outcome.stdout.contains("words/c "), "{}", outcome.both());
    let processes = |what: &str| -> BTreeSet<String> {
        let told = log.iter().filter_map(|line| line.strip_suffix(what));
        told.map(str::to_owned).collect()
    };
    let (ran, ended) = (processes(" runs fib 10"), processes(" tear-down of simple"));
    assert_eq!(ran.len(), 2, "one process for each run: {log:?}");
    assert!(ran.is_subset(&ended), "what stands behind the benchmark is run, too: {log:?}");
    // The runner calls every bench function to list; a worker calls the one that it needs, and no other.
    let (simple, borrowing) = (processes(" set-up of simple"), processes(" set-up of borrowing"));
    assert_eq!((simple.len(), borrowing.len()), (3, 3), "{log:?}");
    assert_eq!(simple.intersection(&borrowing).count(), 1, "{log:?}");
}

/// Nothing is asserted on how long it takes, only that it takes any time: computed once, the calls would be empty.
#[test]
fn what_depends_on_captured_numbers_alone_is_computed_at_each_call() {
    let (outcome, _) = bench("captured", "criterion_captured", &QUICK, &[]);
    outcome.exits(0).says("function").says("input").says("reference");
    assert!(!outcome.both().contains("optimised away"), "{}", outcome.both());
}

#[test]
fn baselines_have_the_options_of_criterion() {
    let run = |arguments: &[&str]| {
        let fixture = Fixture::new("drop-in", "unused");
        let output = fixture.output.with_file_name("criterion_baselines");
        let all =
            [&["bench", "--bench", "of_criterion", "--", "fib/5"], arguments, &QUICK].concat();
        Fixture { output, ..fixture }.cargo(&all)
    };
    run(&["-s", "main"]).exits(0);
    let compared = run(&["--baseline", "main", "--noise-threshold", "0.5"]);
    assert!(compared.code == Some(0) || compared.code == Some(1), "{}", compared.both());
    compared.says("main");
    run(&["--load-baseline", "main"]).exits(0).says("fib/5");
}

#[test]
fn what_goes_wrong_in_bench_functions_is_said() {
    let (outcome, _) = bench("panicking", "criterion_panic", &["--list"], &[]);
    outcome.exits(2).complains("cannot be listed").complains("the corpus is downloaded");
    let unstable = [("DROP_IN_UNSTABLE", "1")];
    let (outcome, _) =
        bench("of_criterion", "criterion_unstable", &["--test", "unstable"], &unstable);
    outcome.exits(2).complains("the same in every process");
    let (outcome, _) = bench("of_criterion", "criterion_filter", &["fib("], &[]);
    outcome.exits(2).complains("`fib(` is not a regular expression");
}

#[test]
fn benchmarks_registered_at_run_time_stand_beside_attributes() {
    let (outcome, _) =
        bench("registered", "registered_list", &["--list", "--format", "terse"], &[]);
    let names = "squares::sum::2: benchmark\nsquares::sum::3: benchmark\nsquares::shared::t1: benchmark\n\
                 squares::shared::t2: benchmark\nsquares::forgetful: benchmark\nsquares::first: benchmark\n\
                 squares::second: benchmark\nsquares::behind: benchmark\nsquares::third: benchmark\nwritten: benchmark\n";
    assert_eq!(outcome.exits(0).stdout, names);
    let arguments = [&["sum", "shared", "written"], &QUICK[2..]].concat();
    let (outcome, _) = bench("registered", "registered_measure", &arguments, &[]);
    outcome.exits(0).says("squares::sum::3").says("squares::shared::t2").says("written");
    let (outcome, _) = bench("registered", "registered_forgetful", &["--test", "forgetful"], &[]);
    outcome.exits(2).complains("without calling `Bencher::bench`");
}

#[test]
fn one_process_serves_several_benchmarks_of_criterion() {
    let arguments =
        ["^methods/i|^async", "--in-process", "--samples", "2", "--sample-time", "0.002"];
    let (outcome, log) = bench("of_criterion", "criterion_in_process", &arguments, &[]);
    outcome.exits(0).says("methods/iter_custom").says("async/iter_batched");
    let processes: BTreeSet<&str> = log.iter().filter_map(|line| line.split(' ').next()).collect();
    assert_eq!(processes.len(), 1, "{log:?}");
}
