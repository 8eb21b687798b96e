//! Kernels that declare phases: their record, reports and studies, and their errors.

use plusminus::record::{self, CaseRecord, PhaseTimes, Record};
use plusminus_tests::{Fixture, Outcome, program};

fn bench(fixture: &Fixture, arguments: &[&str]) -> Outcome {
    let mut command = fixture.command("cargo");
    command.args(["bench", "--bench", "phases", "--"]).args(arguments);
    Outcome::of(&command.output().expect("cargo is there"))
}

fn times<'a>(record: &'a Record, name: &str) -> (&'a CaseRecord, Vec<&'a PhaseTimes>) {
    let case = record.cases.iter().find(|case| case.name == name).expect("it is recorded");
    (case, case.measurements.iter().filter_map(|one| one.phases.as_ref()).collect())
}

#[test]
fn phases_are_recorded_and_set_against_the_whole() {
    let fixture = Fixture::new("attributes", "phases_whole");
    let outcome = bench(&fixture, &["-v", "--skip", "undeclared"]);
    outcome
        .exits(0)
        .says("parts of whole::10: make \\u{1b}[31m")
        .says("parts of partly: known")
        .says("never was never entered")
        .says("sum/whole");
    assert!(!outcome.stdout.contains("parts of plain"), "{}", outcome.both());
    let path = fixture.records("phases").pop().expect("a record");
    let record = record::read(&path).unwrap();
    let entries = [
        ("whole::20", vec![1, 1], 2),
        ("partly", vec![1, 0], 2),
        ("adds::3", vec![1], 4),
        ("at_run_time::registered", vec![1, 1], 2),
    ];
    for (name, a_call, measured) in entries {
        let (case, found) = times(&record, name);
        assert_eq!((case.phases.len(), found.len()), (a_call.len(), measured), "{name}");
        for one in found {
            // Two samples of four calls each; at least one was asked for in every round that had any.
            let calls = one.wall_ns.len() as u64 * 4;
            let entered: Vec<u64> = a_call.iter().map(|entered| entered * calls).collect();
            assert_eq!((&one.entries, one.wall_ns.len()), (&entered, 2), "{name}");
            assert_eq!(one.at_once, 1, "{name}");
            assert!(one.own_ns.iter().all(|own| own.len() == 2), "{name}");
        }
    }
    let (_, several) = times(&record, "several::t2");
    assert!(several.iter().all(|one| one.entries == [16] && (1..=2).contains(&one.at_once)));
    let (plain, none) = times(&record, "plain::3");
    assert!(none.is_empty() && plain.phases.is_empty());
    let study = std::process::Command::new(program()).arg("study").arg(&path).output().unwrap();
    Outcome::of(&study)
        .exits(0)
        .says("Parts against the whole (DBPP 3.5.2)")
        .says("parts of adds::3: add")
        .says("parts of at_run_time::registered: half");
}

#[test]
fn a_phase_that_is_not_declared_is_refused_where_it_is_measured() {
    let fixture = Fixture::new("attributes", "phases_undeclared");
    bench(&fixture, &["--exact", "undeclared"])
        .exits(2)
        .says("the kernel has a phase `unknown` that its attribute does not declare");
    bench(&fixture, &["--test", "--exact", "undeclared"]).exits(0);
}
