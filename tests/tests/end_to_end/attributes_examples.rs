//! The example suites run, both as tests and as benches.

use plusminus::record;
use plusminus_tests::Fixture;

const SUITES: [&str; 14] = [
    "atomics",
    "collections",
    "constants",
    "counters",
    "futures",
    "hashing",
    "inputs",
    "locks",
    "mathematics",
    "memory",
    "parsing",
    "searching",
    "sorting",
    "text",
];

#[test]
fn examples_are_tests() {
    let fixture = Fixture::new("examples", "examples_are_tests");
    let outcome = fixture.cargo(&["test", "--bench", "examples"]);
    outcome.exits(0).says("; 0 failed").says("test text::replace ... ok");
    for suite in SUITES {
        outcome.says(&format!("test {suite}::"));
    }
    assert!(!outcome.stdout.contains("text::long"), "it is ignored");
}

#[test]
fn examples_are_benches() {
    let fixture = Fixture::new("examples", "examples_are_benches");
    let options = ["--runs", "2", "--sample-time", "0.001", "--quiet"];
    let outcome = fixture.cargo(&[&["bench", "--bench", "examples", "--"], &options[..]].concat());
    outcome.exits(0).says("items/s").says("bytes/s").says("reallocations/call").says("iterative");
    let record = record::read(&fixture.records("examples")[0]).unwrap();
    for suite in SUITES {
        let cases: Vec<_> = record
            .cases
            .iter()
            .filter(|case| case.name.starts_with(&format!("{suite}::")))
            .collect();
        assert!(!cases.is_empty(), "{suite}");
        for case in cases {
            assert!(case.failures.is_empty(), "{}: {:?}", case.name, case.failures);
            assert!(!case.measurements.is_empty(), "{}", case.name);
        }
    }
    // The metric counts exactly: a vector of 10 grows twice from nothing (to 4, to 8, to 16), a reserved one never.
    let grown = |name: &str| {
        let case = record.cases.iter().find(|case| case.name == name).unwrap();
        let measurement = &case.measurements[0];
        measurement.metrics[0][0] / measurement.calls as f64
    };
    assert_eq!(grown("memory::growing::10"), 3.0);
    assert_eq!(grown("memory::reserved::1000"), 0.0);
    let names: Vec<&str> = record.cases.iter().map(|case| case.name.as_str()).collect();
    for name in [
        "locks::lock::mutex::t2",
        "locks::lock::write_alone::t1",
        "collections::collect::BTreeSet<u32>::16",
    ] {
        assert!(names.contains(&name), "{name} among {names:?}");
    }
}
