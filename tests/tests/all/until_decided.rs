//! `--until decided`: runs end when the comparison with the baseline variant is decided, and not before.

use plusminus::record;
use plusminus_tests::{Fixture, Outcome};

fn bench(test: &str, bench: &str, line: &str) -> (Outcome, Fixture) {
    let fixture = Fixture::new("attributes", test);
    let mut command = fixture.command(fixture.bench_binary(bench).to_str().unwrap());
    command.arg("--bench").args(line.split_whitespace());
    (Outcome::of(&command.output().unwrap()), fixture)
}

#[test]
fn a_clear_difference_ends_the_runs() {
    // A margin that no noise reaches: one variant does eight times the work of the other.
    let line = "--until decided --margin 20 --precision 0.01";
    let (outcome, fixture) = bench("until_decided", "deciding", line);
    outcome.exits(0).says("although it was checked after every run").says("slower");
    let record = record::read(&fixture.records("deciding")[0]).unwrap();
    let runs = |name: &str| {
        let case = record.cases.iter().find(|case| case.name.starts_with(name)).unwrap();
        assert_eq!(case.failures, []);
        (case.until_decided, case.measurements.len())
    };
    let (looked, decided) = runs("eight");
    assert!(looked && (6..60).contains(&decided), "{decided} runs");
    assert_eq!(runs("once"), (true, decided), "both are measured by the same processes");
    // A benchmark without a partner gets the usual runs, and one with its own number keeps it.
    assert!(!runs("alone").0 && runs("alone").1 >= 5);
    assert_eq!(runs("fixed_base"), (false, 2));
    assert_eq!(runs("often"), (false, 9));
    outcome.complains("`--until decided` has no effect on ").complains(" and 3 more: ");
    // Added runs follow the existing ones, whatever others have. A run whose core was shared is repeated after the others.
    for case in &record.cases {
        let mut found: Vec<u32> = case.measurements.iter().map(|cell| cell.run).collect();
        found.sort_unstable();
        assert_eq!(found, (0..found.len() as u32).collect::<Vec<_>>(), "{}", case.name);
    }
    // The report can be made again from the record alone.
    let view = plusminus::report::View::unlimited();
    let again = plusminus::report::render(&record, None, None, &view);
    let rest: Vec<&str> = again.lines().filter(|line| !outcome.stdout.contains(line)).collect();
    assert!(rest.is_empty(), "{rest:?}\n{}", outcome.both());
}

#[test]
fn without_a_baseline_nothing_can_be_decided() {
    let (outcome, _) = bench("until_decided_alone", "deciding", "--until decided --exact alone");
    outcome.exits(2).complains("none of these benchmarks is a `baseline`");
    let (outcome, _) = bench("until_decided_runs", "deciding", "--until decided --runs 3");
    outcome.exits(2).complains("fixes the number of runs");
}
