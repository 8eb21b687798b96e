//! Counts of solutions: only on request by `--tallies`, outside of all that is timed, printed and recorded.

use plusminus::Tally;
use plusminus::record::{self, CaseRecord, Record};
use plusminus_tests::{Fixture, Outcome};

/// Measures with these arguments: what was printed, what was recorded, and the events that the fixture noted.
fn bench(
    test: &str,
    arguments: &[&str],
    variable: Option<&str>,
) -> (Outcome, Option<Record>, String) {
    let fixture = Fixture::new("attributes", test);
    std::fs::create_dir_all(&fixture.output).unwrap();
    let log = fixture.output.join("events.txt");
    let mut command = fixture.command("cargo");
    command.args(["bench", "--bench", "tallies", "--"]).args(arguments).env("FIXTURE_LOG", &log);
    if let Some(value) = variable {
        command.env("PLUSMINUS_TALLIES", value);
    }
    let outcome = Outcome::of(&command.output().expect("cargo is there"));
    let record = fixture.records("tallies").pop().map(|path| record::read(&path).unwrap());
    (outcome, record, std::fs::read_to_string(log).unwrap_or_default())
}

fn case<'a>(record: &'a Record, function: &str) -> &'a CaseRecord {
    record.cases.iter().find(|case| case.function == function).expect("it is recorded")
}

/// The names of events, without the processes in which they happened.
fn events(log: &str) -> Vec<&str> {
    let mut names: Vec<&str> =
        log.lines().filter_map(|line| Some(line.rsplit_once(' ')?.0)).collect();
    names.sort_unstable();
    names
}

/// Checks the counts of the fixture on its two instances.
fn assert_counted(case: &CaseRecord) {
    let mut found = case.tallies.clone();
    found.sort_by_key(|of| of.instance);
    assert_eq!(found.len(), 2);
    for (index, (of, instance)) in found.iter().zip([10.0, 20.0]).enumerate() {
        assert_eq!(of.instance, index);
        let messages = Tally::per_round("messages", vec![0.0, instance, 2.0 * instance]);
        assert_eq!(messages.total, 3.0 * instance);
        assert_eq!(of.tallies, [messages, Tally::new("odd\u{1b}[31m tasks", 7.0)]);
    }
}

#[test]
fn tallies_are_printed_and_recorded_when_asked_for() {
    let by_flag = bench("tallies_by_flag", &["--tallies", "counted", "silent"], None);
    let by_variable = bench("tallies_by_variable", &["counted", "silent"], Some("1"));
    for (outcome, record, log) in [by_flag, by_variable] {
        outcome
            .exits(0)
            .says("counted: messages 90, odd\\u{1b}[31m tasks 14 (sums over 2 instances)\n");
        assert!(!outcome.stdout.contains("silent: "), "{}", outcome.both());
        let record = record.expect("a record");
        assert_counted(case(&record, "counted"));
        assert!(case(&record, "silent").tallies.is_empty());
        // Once for each instance: not in every run.
        assert_eq!(case(&record, "counted").measurements.len(), 4);
        assert_eq!(events(&log), ["tally(10)", "tally(20)"]);
    }
}

#[test]
fn nothing_is_counted_unless_asked_for() {
    for (test, variable) in [("tallies_not_asked", None), ("tallies_switched_off", Some("0"))] {
        let (outcome, record, log) = bench(test, &[], variable);
        outcome.exits(0);
        let record = record.expect("a record");
        assert!(record.cases.iter().all(|case| case.tallies.is_empty()));
        assert!(record.cases.iter().all(|case| case.measurements.len() == 4), "{record:?}");
        assert_eq!(log, "", "no function that counts is called");
    }
    let (outcome, record, log) = bench("tallies_in_tests", &["--test", "--tallies"], None);
    outcome.exits(0);
    assert!(record.is_none());
    assert_eq!(log, "");
}

#[test]
fn a_broken_tally_is_a_failure_of_its_own_variant() {
    let (outcome, record, log) = bench("tallies_broken", &["--tallies"], None);
    outcome
        .exits(2)
        .says("broken::3 failed in run 1 on instance 10: panicked: in its tally: cannot count to 10 at ")
        .says("not_a_number::3 failed in run 1 on instance 10: cannot be measured: its tally of `ratio`")
        .says("counted: messages 90");
    let record = record.expect("a record");
    assert_counted(case(&record, "counted"));
    for (function, measured) in [("counted", 4), ("silent", 4), ("broken", 2), ("not_a_number", 2)]
    {
        let case = case(&record, function);
        assert_eq!(case.measurements.len(), measured, "{function}");
        assert_eq!(case.failures.is_empty(), measured == 4, "{function}");
    }
    // Each broken one is called once; what its worker had counted before is not counted again.
    assert_eq!(events(&log), ["broken tally", "nonsense tally", "tally(10)", "tally(20)"]);
}

#[test]
fn who_asks_for_tallies_where_there_are_none_is_told() {
    let (outcome, record, _) = bench("tallies_nowhere", &["--tallies", "silent"], None);
    outcome.exits(2).complains("none of these benchmarks can count what it does");
    assert!(record.is_none());
    let (outcome, ..) = bench("tallies_odd_value", &["silent"], Some("yes"));
    outcome.exits(2).complains("PLUSMINUS_TALLIES takes 1 or 0, not `yes`");
}
