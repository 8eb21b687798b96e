//! Where workers run: on the processor of the runner, from which kernels may spread, and the message when they may
//! not.

use plusminus::record::{self, Record};
use plusminus_tests::{Fixture, Outcome};

fn bench(test: &str, line: &str) -> (Outcome, Record) {
    let fixture = Fixture::new("faults", test);
    let mut command = fixture.command(fixture.bench_binary("looked_at").to_str().unwrap());
    command.arg("--bench").args(line.split_whitespace());
    let outcome = Outcome::of(&command.output().unwrap());
    outcome.exits(0);
    let record = record::read(&fixture.records("looked_at")[0]).unwrap();
    (outcome, record)
}

/// The processors on which the workers of a benchmark waited.
fn processors(record: &Record, name: &str) -> Vec<Option<u32>> {
    let case = record.cases.iter().find(|case| case.name == name).unwrap();
    let worker = |measurement: &record::Measurement| &record.workers[measurement.worker.unwrap()];
    case.measurements.iter().map(|measurement| worker(measurement).processor).collect()
}

const LINE: &str = "tells crowded shared --runs 2 --samples 5 --sample-time 0.01";

#[test]
fn all_workers_wait_on_a_processor_and_nothing_has_to_share_it() {
    let (outcome, record) = bench("placement_one", LINE);
    for name in ["tells", "crowded", "tells_processors::p1", "tells_processors::p2", "shared::t2"] {
        let found = processors(&record, name);
        assert_eq!(found.len(), 2);
        assert!(
            !cfg!(target_os = "linux") || found.iter().all(Option::is_some),
            "{name}: {found:?}"
        );
    }
    assert!(!outcome.both().contains("has threads of its own"), "{}", outcome.both());
    // Who hands all work to a thread uses another processor, where there is one.
    let of = |name: &str| record.cases.iter().find(|case| case.name == name).unwrap().processors;
    let machine = std::thread::available_parallelism().map_or(1, usize::from);
    assert_eq!((of("tells"), of("crowded"), of("tells_processors::p2")), (1, machine, 2));
}

#[test]
fn threads_that_share_one_processor_as_asked_are_told_of() {
    let (outcome, _) = bench("placement_asked", &format!("{LINE} --processors 1"));
    if cfg!(target_os = "linux") {
        outcome.says("crowded starts threads, which took ").says("--any-processor");
        assert!(!outcome.both().contains("tells has threads"), "{}", outcome.both());
    }
}

#[test]
fn nobody_is_placed_where_that_is_not_wanted() {
    let (outcome, record) = bench("placement_any", &format!("{LINE} --any-processor"));
    assert!(record.workers.iter().all(|worker| worker.processor.is_none()));
    assert!(!outcome.both().contains("has threads of its own"), "{}", outcome.both());
}

/// Otherwise two versions of a kernel differ by half where only one of them gets new pages in each call.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[test]
fn memory_that_a_call_frees_is_there_for_the_next_one() {
    let line = "reuses_memory --include-ignored --runs 2 --samples 3";
    let (outcome, record) = bench("placement_memory", line);
    outcome.says("reuses_memory");
    let case = &record.cases[0];
    assert!(case.failures.is_empty() && case.measurements.len() == 2, "{}", outcome.both());
}
