//! Broken benchmarks are reported with their cause, and take nothing from the healthy ones.

use std::process::Command;

use plusminus::record::{self, Cause};
use plusminus_tests::{Fixture, Outcome};

/// Returns how many processes run with this folder for their records, which is that of one test.
fn processes_of(fixture: &Fixture) -> usize {
    let mark = format!("PLUSMINUS_OUTPUT={}\0", fixture.output.display()).into_bytes();
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let environments =
        processes.filter_map(|process| std::fs::read(process.path().join("environ")).ok());
    environments
        .filter(|variables| variables.windows(mark.len()).any(|window| window == mark))
        .count()
}

#[test]
fn every_fault_is_named_and_the_rest_is_measured() {
    let fixture = Fixture::new("faults", "every_fault_is_named");
    let outcome = fixture.cargo(&["bench", "--bench", "faults", "--", "--runs", "2"]);
    outcome
        .exits(2)
        .says("wrong::1000 failed in run 1 on instance")
        .says("wrong answer: the sum is")
        .says("panics::100 failed in run 1 on instance 3: panicked: no idea how to multiply by 3")
        .says("panics_elsewhere failed in run 1: panicked: called `Result::unwrap()` on an `Err` value")
        .says("; before that, another thread panicked: the cause at ")
        .says("aborts::100 failed in run 1")
        .says("SIGABRT")
        .says("hangs::100 failed in run 1")
        .says("timed out: no answer within 1 s")
        .says("exits::100 failed in run 1")
        .says("the process exited with code 0")
        .says("forgets_to_bench failed in run 1: cannot be measured");
    let records = fixture.records("faults");
    assert_eq!(records.len(), 1);
    let record = record::read(&records[0]).unwrap();
    for (function, points, fine) in [
        ("healthy", 2, true),
        ("also_healthy", 2, true),
        ("chatty", 2, true),
        ("fine", 1, true),
        ("with_inputs", 2, true),
        ("panics", 2, false),
        ("aborts", 2, false),
        ("hangs", 2, false),
        ("exits", 2, false),
    ] {
        let cases: Vec<_> = record.cases.iter().filter(|case| case.function == function).collect();
        assert_eq!(cases.len(), points, "{function}");
        for case in cases {
            assert_eq!(case.failures.is_empty(), fine, "{}: {:?}", case.name, case.failures);
            if fine {
                let complete = 2 * case.instances.len();
                assert_eq!(
                    case.measurements.len(),
                    complete,
                    "{} is measured in both runs",
                    case.name
                );
            }
        }
    }
    let wrong = record.cases.iter().find(|case| case.name == "wrong::1000").unwrap();
    assert!(matches!(wrong.failures[0].cause, Cause::WrongAnswer { .. }));
    assert!(
        record.cases.iter().all(|case| case.function != "ignored"),
        "ignored benchmarks are left out"
    );
    assert_eq!(processes_of(&fixture), 0, "no process is left behind");
}

#[test]
fn a_glance_shares_processes_and_loses_nothing_to_the_broken() {
    let fixture = Fixture::new("faults", "a_glance_shares");
    let arguments = ["bench", "--bench", "faults", "--", "--quick", "--runs", "2"];
    fixture.cargo(&arguments).exits(2).says("panics::100 failed in run 1 on instance 3");
    let record = record::read(&fixture.records("faults")[0]).unwrap();
    assert!(record.settings.glance && record.workers.iter().any(|worker| worker.used));
    for case in &record.cases {
        let broken =
            ["wrong", "panics", "panics_elsewhere", "aborts", "hangs", "exits", "forgets_to_bench"];
        let fine = !broken.contains(&case.function.as_str());
        // Which point of the wrong ones is wrong is theirs to know.
        if fine || case.function != "wrong" {
            assert_eq!(case.failures.is_empty(), fine, "{}: {:?}", case.name, case.failures);
        }
        if fine {
            assert_eq!(case.measurements.len(), 2 * case.instances.len(), "{}", case.name);
        }
    }
    assert_eq!(processes_of(&fixture), 0, "no process is left behind");
}

#[test]
fn an_interrupt_keeps_the_finished_runs_and_leaves_no_process() {
    let fixture = Fixture::new("faults", "an_interrupt_keeps");
    let binary = fixture.bench_binary("faults");
    // More runs than anybody waits for: the interrupt comes in the middle.
    let mut bench = fixture
        .command(binary.to_str().unwrap())
        .args([
            "healthy",
            "--exact",
            "healthy::100",
            "also_healthy::100",
            "--runs",
            "100000",
            "--bench",
        ])
        .spawn()
        .unwrap();
    // The record appears after the first run; wait until the second one is in it.
    let finished_runs = || {
        let path = fixture.records("faults").pop()?;
        let record = record::read(&path).ok()?;
        record.cases.iter().map(|case| case.measurements.len()).max()
    };
    while finished_runs().is_none_or(|measurements| measurements < 4) {
        assert!(bench.try_wait().unwrap().is_none(), "the bench ended by itself");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    assert!(
        processes_of(&fixture) >= 1,
        "the bench itself is found, so that finding none means something"
    );
    Command::new("kill").args(["-INT", &bench.id().to_string()]).status().unwrap();
    assert_eq!(bench.wait().unwrap().code(), Some(130));
    let record = record::read(&fixture.records("faults")[0]).unwrap();
    assert_eq!(record.interrupted, Some(2));
    assert!(record.cases.iter().all(|case| case.measurements.len() >= 4));
    assert_eq!(processes_of(&fixture), 0, "no process is left behind");
}

#[test]
fn two_baselines_of_a_problem_are_an_error_before_measuring() {
    let fixture = Fixture::new("faults", "two_baselines");
    let mut command = Command::new(fixture.bench_binary("two_baselines"));
    let outcome = Outcome::of(&command.arg("--bench").output().unwrap());
    outcome
        .exits(2)
        .complains("two variants of `Twice` are its `baseline`")
        .complains("`adds` (benches/two_baselines.rs:27)")
        .complains("`multiplies` (benches/two_baselines.rs:37)");
    assert!(fixture.records("two_baselines").is_empty());
}

#[test]
fn answers_that_nothing_has_compared_are_reported() {
    let fixture = Fixture::new("faults", "unchecked");
    let run = |bench: &str, filter: &str| {
        let mut command = fixture.command(fixture.bench_binary(bench).to_str().unwrap());
        let command = command.args(["--bench", "--runs", "2", "--sample-time", "1ms", filter]);
        Outcome::of(&command.output().unwrap())
    };
    let said = "answers not compared: `Twice` has no `check`";
    run("unchecked", "").exits(0).says(said);
    // Nothing to compare one variant with, and a problem that has a check.
    for outcome in [run("unchecked", "adds"), run("faults", "healthy")] {
        outcome.exits(0);
        assert!(!outcome.stdout.contains("answers not compared"), "{}", outcome.both());
    }
}
