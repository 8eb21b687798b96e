//! Requests of cargo and people to a bench binary.

use plusminus_tests::{Fixture, Outcome};

#[test]
fn a_list_is_names_and_nothing_is_run() {
    let fixture = Fixture::new("faults", "a_list_is_names");
    let outcome = fixture.cargo(&["bench", "--bench", "faults", "--", "--list"]);
    outcome
        .exits(0)
        .says("healthy::100: benchmark\n")
        .says("ignored: benchmark\n")
        .says("0 tests, 22 benchmarks");
    let terse = fixture.cargo(&[
        "bench",
        "--bench",
        "faults",
        "--",
        "--list",
        "--format",
        "terse",
        "--ignored",
    ]);
    assert_eq!(terse.exits(0).stdout, "ignored: benchmark\n");
}

#[test]
fn filters_are_parts_of_names_or_expressions_unless_exact() {
    let fixture = Fixture::new("faults", "filters_are_substrings");
    let list = |arguments: &[&str]| {
        let all = [&["bench", "--bench", "faults", "--", "--list", "--format", "terse"], arguments]
            .concat();
        fixture.cargo(&all).exits(0).stdout.clone()
    };
    assert_eq!(
        list(&["healthy::1000"]),
        "healthy::1000: benchmark\nalso_healthy::1000: benchmark\n"
    );
    assert_eq!(list(&["^healthy::1000$"]), "healthy::1000: benchmark\n");
    assert_eq!(list(&["(also|un)_healthy::1(0){3}"]), "also_healthy::1000: benchmark\n");
    // The name of the target, which is that of its crate, selects nothing.
    assert_eq!(list(&["faults"]), "");
    assert_eq!(list(&["--exact", "healthy::1000"]), "healthy::1000: benchmark\n");
    assert_eq!(list(&["--exact", "faults::healthy::1000"]), "healthy::1000: benchmark\n");
    assert_eq!(list(&["healthy", "--skip", "also", "--skip", "1000"]), "healthy::100: benchmark\n");
    assert_eq!(
        list(&["healthy::100", "fine", "--exact"]),
        "healthy::100: benchmark\nfine: benchmark\n"
    );
    let nothing = fixture.cargo(&["bench", "--bench", "faults", "--", "no_such_name"]);
    // The package has other targets that it can be meant for.
    nothing.exits(0).complains("no benchmark of this target matches `no_such_name`");
}

#[test]
fn exact_measures_one_benchmark() {
    let fixture = Fixture::new("faults", "exact_measures_one");
    let outcome = fixture.cargo(&[
        "bench",
        "--bench",
        "faults",
        "--",
        "--exact",
        "healthy::1000",
        "--runs",
        "2",
    ]);
    outcome.exits(0).says("healthy (base)").says("2 runs × 2 instances");
    assert!(!outcome.stdout.contains("also_healthy"));
}

#[test]
fn tests_run_everything_once_and_problems_at_their_first_point() {
    let fixture = Fixture::new("faults", "tests_run_everything");
    // As `cargo test --benches` calls it.
    let binary = fixture.bench_binary("faults");
    let test = |filters: &[&str]| {
        let output = fixture.command(binary.to_str().unwrap()).args(filters).output();
        Outcome::of(&output.expect("the program starts"))
    };
    let outcome = test(&[]);
    outcome
        .says("test healthy::100 ... ok")
        .says("test wrong::100 ... ok")
        .says("test panics::100 ... FAILED")
        .says("test aborts::100 ... FAILED")
        .says("test hangs::100 ... FAILED")
        .says("test exits::100 ... FAILED")
        .says("test with_inputs::10 ... ok")
        .says("test with_inputs::1000 ... ok")
        .says("test forgets_to_bench ... FAILED");
    assert!(!outcome.stdout.contains("healthy::1000"), "{}", outcome.both());
    assert_ne!(outcome.code, Some(0));
    let fine = test(&["healthy", "fine"]);
    fine.exits(0).says("test result: ok. 3 passed; 0 failed");
    assert!(fixture.records("faults").is_empty(), "tests record nothing");
}
