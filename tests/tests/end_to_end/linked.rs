//! Benchmarks of other crates are found when `main!` lists them, also under the linker's most eager settings.

use plusminus::engine::{self, Program, RealMachine};
use plusminus_tests::Fixture;

const LIST: [&str; 7] = ["bench", "--bench", "racing", "--", "--list", "--format", "terse"];

#[test]
fn variants_of_the_same_problem_race_whoever_wrote_them() {
    let fixture = Fixture::new("linked", "variants_of_the_same_problem");
    let list = fixture.cargo(&LIST);
    let expected = "mine::64: benchmark\nown: benchmark\nsorting::stable::64: benchmark\nsorting::unstable::64: benchmark\n";
    assert_eq!(list.exits(0).stdout, expected);
    let race = fixture.cargo(&["bench", "--bench", "racing", "--", "64", "--runs", "2"]);
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
    let listed = fixture.cargo(&LIST);
    let cases = engine::list(&RealMachine::new(), &Program::of(&binary)).unwrap();
    let names: String = cases.iter().map(|case| format!("{}: benchmark\n", case.name)).collect();
    assert_eq!(names, listed.exits(0).stdout);
}

#[test]
fn a_named_crate_brings_all_its_benchmarks() {
    let fixture = Fixture::new("linked", "a_named_crate");
    let list = fixture.cargo(&[&["bench", "--features", "everything"], &LIST[1..]].concat());
    list.exits(0)
        .says("private::nested::nobody_refers_to_this: benchmark\n")
        .says("sorting::stable::64: benchmark\n");
}

#[test]
fn a_suite_that_registers_nothing_is_an_error() {
    let fixture = Fixture::new("linked", "a_suite_that_registers_nothing");
    let outcome = fixture.cargo(&["bench", "--bench", "nothing"]);
    outcome
        .exits(2)
        .complains("`plusminus::main!` names `empty_suite`, but no benchmark is registered there");
}
