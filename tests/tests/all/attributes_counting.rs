//! Every option of the attributes is proven by counting what is called: runs × samples × iterations × inputs × drops ×
//! threads. Nothing here looks at a time.

use std::collections::{BTreeMap, BTreeSet};

use plusminus_tests::{Fixture, Outcome};

/// The events: for each, how often it occurred, and in how many processes.
struct Log(BTreeMap<String, (usize, BTreeSet<String>)>);

impl Log {
    /// Runs the fixture with these arguments, and reads its log.
    fn of(test: &str, arguments: &[&str]) -> (Self, Outcome) {
        let fixture = Fixture::new("attributes", test);
        let path = fixture.output.with_extension("log");
        std::fs::create_dir_all(fixture.output.parent().unwrap()).unwrap();
        let _ = std::fs::remove_file(&path);
        let mut command = fixture.command("cargo");
        command.args(["bench", "--bench", "counting", "--"]).args(arguments);
        let output = command.env("FIXTURE_LOG", &path).output().expect("cargo is there");
        let outcome = Outcome::of(&output);
        let mut log: BTreeMap<String, (usize, BTreeSet<String>)> = BTreeMap::new();
        for line in std::fs::read_to_string(&path).unwrap_or_default().lines() {
            let (event, process) = line.rsplit_once(' ').expect("an event has a process");
            let entry = log.entry(event.to_owned()).or_default();
            entry.0 += 1;
            entry.1.insert(process.to_owned());
        }
        (Self(log), outcome)
    }

    fn count(&self, event: &str) -> usize {
        self.0.get(event).map_or(0, |(count, _)| *count)
    }

    fn processes(&self, event: &str) -> usize {
        self.0.get(event).map_or(0, |(_, processes)| processes.len())
    }

    /// Panics unless the event happened this often in this many processes.
    #[track_caller]
    fn happened(&self, event: &str, count: usize, processes: usize) {
        assert_eq!((self.count(event), self.processes(event)), (count, processes), "{event}");
    }
}

/// Calls of a benchmark: one call and one sample to find its cost, and the samples of all runs.
const fn calls(runs: usize, samples: usize, iterations: usize) -> usize {
    let first = if iterations > 1 { 1 + iterations } else { 1 };
    first + runs * samples * iterations
}

#[test]
fn processors_of_the_command_line_take_the_place_of_those_of_an_attribute() {
    let (log, outcome) =
        Log::of("processors_of_the_command_line", &["on_processors", "--processors", "3,1"]);
    outcome.exits(0);
    log.happened("on_processors(1=1)", calls(1, 1, 1), 1);
    log.happened("on_processors(3=3)", calls(1, 1, 1), 1);
    assert_eq!(log.count("on_processors(2=2)"), 0);
    let (_, refused) = Log::of("processors_that_are_none", &["--processors", "1,none"]);
    refused.exits(2).complains("--processors takes numbers of processors");
}

#[test]
fn every_option_is_counted() {
    let (log, outcome) = Log::of("every_option_is_counted", &[]);
    outcome.exits(0);
    log.happened("plain", calls(3, 4, 5), 3);
    // Set-up and tear-down once in each process; input, call and drops once for each call.
    log.happened("by_value set up", 2, 2);
    log.happened("by_value tear down", 2, 2);
    for event in ["input", "call", "input dropped", "output dropped"] {
        log.happened(&format!("by_value {event}"), calls(2, 3, 4), 2);
    }
    for event in ["input", "call", "input dropped"] {
        log.happened(&format!("by_ref {event}"), calls(2, 3, 4), 2);
    }
    // With one caller and with three: two benchmarks.
    let on_threads = calls(2, 3, 4) * (1 + 3);
    log.happened("on_threads input", on_threads, 4);
    log.happened("on_threads call", on_threads, 4);
    log.happened("plain_on_threads", 2 * calls(1, 2, 3), 1);
    log.happened("with_arguments(1)", calls(1, 1, 1), 1);
    log.happened("with_arguments(2)", calls(1, 1, 1), 1);
    log.happened("on_processors(1=1)", calls(1, 1, 1), 1);
    log.happened("on_processors(2=2)", calls(1, 1, 1), 1);
    log.happened("ignored", 0, 0);
    log.happened("outer", calls(2, 2, 3), 2);
    log.happened("own", calls(2, 2, 1), 2);
    log.happened("nested", calls(2, 5, 3), 2);
    log.happened("with_its_group", 0, 0);
    log.happened("but_not_this_one", calls(2, 2, 3), 2);
}

#[test]
fn variants_share_an_input_and_get_their_own_instances() {
    let (log, outcome) = Log::of("variants_share_an_input", &["borrows", "changes", "at_once"]);
    outcome.exits(0);
    // Two runs of the table of one caller, one run of that of two callers.
    log.happened("problem input", 3, 3);
    for instance in ["a", "b"] {
        log.happened(&format!("borrows({instance})"), calls(2, 3, 4), 2);
        // A fresh clone for each call: it has been changed once only.
        log.happened(&format!("changes({instance}!)"), calls(2, 3, 4), 2);
        log.happened(&format!("at_once({instance})"), 2 * calls(1, 2, 3), 1);
    }
    log.happened("borrows output", 2 * calls(2, 3, 4), 2);
    log.happened("changes output", 2 * calls(2, 3, 4), 2);
    log.happened("at_once output", 2 * 2 * calls(1, 2, 3), 1);
    // Every variant is checked on every instance at least once in every run.
    assert!(log.count("problem check") >= 2 * 2 * 2 + 2, "{}", log.count("problem check"));
}

#[test]
fn flags_count_more_than_attributes() {
    let arguments = ["--exact", "plain", "--runs", "1", "--samples", "2", "--iterations", "7"];
    let (log, outcome) = Log::of("flags_count_more", &arguments);
    outcome.exits(0);
    log.happened("plain", calls(1, 2, 7), 1);
}

#[test]
fn warming_up_and_least_times_add_calls() {
    let warm = ["--exact", "plain", "--runs", "1", "--warm-up", "0.005"];
    let (log, outcome) = Log::of("warming_up", &warm);
    outcome.exits(0);
    assert!(log.count("plain") > calls(1, 4, 5), "{}", log.count("plain"));
    let longer = ["--exact", "plain", "--runs", "1", "--min-time", "0.02"];
    let (log, outcome) = Log::of("least_times", &longer);
    outcome.exits(0);
    assert!(log.count("plain") > calls(1, 4, 5), "{}", log.count("plain"));
}

#[test]
fn ignored_benchmarks_run_on_request() {
    let (log, outcome) = Log::of("ignored_benchmarks", &["--ignored"]);
    outcome.exits(0);
    log.happened("ignored", calls(1, 1, 1), 1);
    log.happened("with_its_group", calls(2, 2, 3), 2);
    log.happened("but_not_this_one", 0, 0);
    log.happened("plain", 0, 0);
    let (log, outcome) =
        Log::of("included_benchmarks", &["--include-ignored", "--exact", "ignored", "plain"]);
    outcome.exits(0);
    log.happened("ignored", calls(1, 1, 1), 1);
    log.happened("plain", calls(3, 4, 5), 3);
}

#[test]
fn tests_and_listings_call_no_more_than_needed() {
    let (log, outcome) = Log::of("tests_call_once", &["--test"]);
    outcome.exits(0).says("test group::renamed::nested ... ok");
    log.happened("plain", 1, 1);
    log.happened("by_value call", 1, 1);
    log.happened("with_arguments(1)", 1, 1);
    log.happened("with_arguments(2)", 1, 1);
    log.happened("borrows(a)", 1, 1);
    for arguments in [
        &["--list"][..],
        &["--list", "--format", "terse", "--ignored"],
        &["no such name"],
        &["--help"],
    ] {
        let (log, outcome) = Log::of("listings_call_nothing", arguments);
        outcome.exits(0);
        assert!(log.0.is_empty(), "{arguments:?}: {:?}", log.0);
    }
}
