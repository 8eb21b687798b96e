//! Benchmarks of other crates are found when `main!` lists them, also under the linker's most eager settings.

use plusminus::engine::{self, Program, RealMachine};
use plusminus_tests::{Fixture, Outcome, program};

const LIST: [&str; 7] = ["bench", "--bench", "racing", "--", "--list", "--format", "terse"];

/// Runs cargo where the subcommand is installed.
fn cargo(fixture: &Fixture, arguments: &[&str]) -> Outcome {
    let others = std::env::var("PATH").unwrap();
    let path = format!("{}:{others}", program().parent().unwrap().display());
    Outcome::of(&fixture.command("cargo").env("PATH", path).args(arguments).output().unwrap())
}

#[test]
fn variants_of_the_same_problem_race_whoever_wrote_them() {
    let fixture = Fixture::new("linked", "variants_of_the_same_problem");
    let list = cargo(&fixture, &LIST);
    let expected = "mine::64: benchmark\nown: benchmark\nsorting::stable::64: benchmark\nsorting::unstable::64: benchmark\n";
    assert_eq!(list.exits(0).stdout, expected);
    let race = cargo(&fixture, &["bench", "--bench", "racing", "--", "64", "--runs", "2"]);
    race.exits(0)
        .says("sorting::Sort 64")
        .says("mine")
        .says("sorting::stable (base)")
        .says("sorting::unstable");
}

#[test]
fn a_comparison_sees_what_the_program_runs_and_not_all_that_is_linked() {
    let fixture = Fixture::new("linked", "what_a_comparison_sees");
    let binary = fixture.bench_binary("racing");
    let listed = cargo(&fixture, &LIST);
    let cases = engine::list(&RealMachine::new(), &Program::of(&binary)).unwrap();
    let names: String = cases.iter().map(|case| format!("{}: benchmark\n", case.name)).collect();
    assert_eq!(names, listed.exits(0).stdout);
}

#[test]
fn a_named_crate_brings_all_its_benchmarks() {
    let fixture = Fixture::new("linked", "a_named_crate");
    let list = cargo(&fixture, &[&["bench", "--features", "everything"], &LIST[1..]].concat());
    list.exits(0)
        .says("private::nested::nobody_refers_to_this: benchmark\n")
        .says("sorting::stable::64: benchmark\n");
}

#[test]
fn a_suite_that_registers_nothing_is_an_error() {
    let fixture = Fixture::new("linked", "a_suite_that_registers_nothing");
    let outcome = cargo(&fixture, &["bench", "--bench", "nothing"]);
    outcome
        .exits(2)
        .complains("`plusminus::main!` names `empty_suite`, but no benchmark is registered there");
}
