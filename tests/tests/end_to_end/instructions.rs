//! `--instructions`: what valgrind counts is the kernel, and nothing around it.
#![cfg(target_os = "linux")]

use std::process::Command;

use plusminus::record::{self, Record, Resources};
use plusminus_tests::{Fixture, Outcome};

use crate::repository::{Repository, verdict};

const QUICK: [&str; 7] =
    ["--bench", "--instructions", "--runs", "2", "--samples", "2", "--iterations=20"];

fn bench(test: &str, filters: &[&str], path: Option<&str>) -> (Outcome, Record) {
    let fixture = Fixture::new("attributes", test);
    let mut command = fixture.command(fixture.bench_binary("instructions").to_str().unwrap());
    command.args(QUICK).args(filters);
    if let Some(path) = path {
        command.env("PATH", path);
    }
    let outcome = Outcome::of(&command.output().unwrap());
    outcome.exits(0);
    let record = record::read(&fixture.records("instructions")[0]).unwrap();
    (outcome, record)
}

/// Whether valgrind is there. Without it nothing is tested.
fn is_installed() -> bool {
    let installed = Command::new("valgrind").arg("--version").output();
    let is_installed = installed.is_ok_and(|output| output.status.success());
    if !is_installed {
        // A build that has installed it sets this variable: there it must not be skipped.
        assert!(std::env::var_os("PLUSMINUS_TEST_VALGRIND").is_none(), "valgrind is not installed");
        eprintln!("not tested: valgrind is not installed");
    }
    is_installed
}

/// Returns the counts of an instance of a benchmark.
fn resources(record: &Record, name: &str, instance: usize) -> Resources {
    let case = record.cases.iter().find(|case| case.name == name).unwrap();
    let mut of = case.measurements.iter().filter(|cell| cell.instance == instance);
    of.find_map(|cell| cell.resources.clone()).unwrap_or_default()
}

fn count(record: &Record, name: &str, instance: usize) -> f64 {
    let found = resources(record, name, instance);
    let counter =
        found.counters.iter().find(|counter| counter.name == "instructions under valgrind");
    counter.unwrap_or_else(|| panic!("{name}: {found:?}")).per_call
}

#[test]
fn the_kernel_is_counted_and_nothing_around_it() {
    if !is_installed() {
        return;
    }
    let (outcome, record) = bench("instructions", &["--color", "never"], None);
    let thousand = count(&record, "plain::1000", 0);
    let nothing = count(&record, "plain::0", 0);
    // A step is at least a multiplication, an exclusive or, a count and a branch.
    assert!(thousand > 4000.0 && thousand < 40_000.0, "{thousand}");
    assert!((0.0..100.0).contains(&nothing), "{nothing}");
    let near = |found: f64, expected: f64| (found / expected - 1.0).abs() < 0.03;
    let two_thousand = count(&record, "plain::2000", 0);
    assert!(near(two_thousand - nothing, 2.0 * (thousand - nothing)), "{two_thousand}");
    // Neither input nor drop, both a hundred times as long, nor the executor.
    for name in ["with_input", "with_drop", "awaited"] {
        let found = count(&record, name, 0);
        assert!(near(found, thousand), "{name}: {found}, and {thousand} alone");
    }
    let of_instances = [0, 1].map(|instance| count(&record, "of_instances::1", instance));
    assert!(near(of_instances[1], 3.0 * of_instances[0]), "{of_instances:?}");
    outcome.says(" instructions under valgrind").says("valgrind runs threads one after the other");
    assert!(resources(&record, "shared::t2", 0).counters.is_empty());
    assert!(record.cases.iter().all(|case| case.failures.is_empty()));
}

#[test]
fn without_valgrind_the_reason_is_told() {
    let (outcome, record) =
        bench("instructions_absent", &["--exact", "plain::1000"], Some("/nonexistent"));
    outcome.says("no instructions under valgrind: valgrind is not installed");
    assert!(resources(&record, "plain::1000", 0).counters.is_empty());
}

#[test]
fn instructions_show_what_times_cannot_decide() {
    if !is_installed() {
        return;
    }
    let repository = Repository::new("counted");
    repository.benches(&[("longer", 10_000), ("same", 500)]);
    repository.commit("before");
    repository.benches(&[("longer", 10_050), ("same", 500)]);
    repository.commit("after");
    let record = repository.folder.join("target/record.json");
    let outcome = repository.aligned(&[
        "HEAD~1..HEAD",
        "--measure",
        "all",
        "--instructions",
        "--max-blocks",
        "6",
        "--format",
        "json",
        "--record",
        record.to_str().unwrap(),
        "--fail-on",
        "never",
    ]);
    outcome.exits(0);
    let measures = |name: &str| verdict(&outcome, name).1["measures"].clone();
    let one = &measures("longer")[0];
    assert_eq!((&one["name"], &one["exact"]), (&"instructions".into(), &true.into()), "{one}");
    let change = one["change"].as_f64().unwrap();
    assert!((change - 0.005).abs() < 1e-4, "{one}");
    assert_eq!(measures("same"), serde_json::Value::Null);
    let report =
        repository.compare(&["--from", record.to_str().unwrap(), "--gate", "instructions"]);
    report.exits(1).says(" instructions per call (+0.50 %)").says("inconclusive");
}
