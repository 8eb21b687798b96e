//! Where workers run: those for one processor on one, all others anywhere; and who has to share it is told.

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

/// The processors that the workers of a benchmark were confined to.
fn processors(record: &Record, name: &str) -> Vec<Option<u32>> {
    let case = record.cases.iter().find(|case| case.name == name).unwrap();
    let worker = |measurement: &record::Measurement| &record.workers[measurement.worker.unwrap()];
    case.measurements.iter().map(|measurement| worker(measurement).processor).collect()
}

const LINE: &str = "tells crowded shared --runs 2 --samples 5 --sample-time 0.01";

#[test]
fn a_worker_for_one_processor_is_confined_to_one() {
    let (outcome, record) = bench("placement_one", LINE);
    let found = processors(&record, "tells");
    assert_eq!(found.len(), 2);
    if cfg!(target_os = "linux") {
        assert!(found.iter().all(Option::is_some), "{found:?}");
        outcome.says("crowded has threads of its own, which took ").says("--any-processor");
        assert!(!outcome.both().contains("tells has threads"), "{}", outcome.both());
    }
    for parallel in ["tells_processors::p2", "shared::t2"] {
        assert_eq!(processors(&record, parallel), [None, None], "{parallel}");
    }
}

#[test]
fn nobody_is_confined_where_that_is_not_wanted() {
    let (outcome, record) = bench("placement_any", &format!("{LINE} --any-processor"));
    assert!(record.workers.iter().all(|worker| worker.processor.is_none()));
    assert!(!outcome.both().contains("has threads of its own"), "{}", outcome.both());
}
