//! Bench programs without the feature `runner`: `cargo plusminus run` drives them, the runner is inside, or they say what is
//! missing.

use std::{env, path::PathBuf};

use plusminus_tests::{Fixture, Outcome, program};

/// The search path, with the subcommand or without.
fn path(with_subcommand: bool) -> std::ffi::OsString {
    let own = program().parent().unwrap().to_owned();
    let others = env::split_paths(&env::var_os("PATH").unwrap())
        .filter(|folder| !folder.join("cargo-plusminus").exists())
        .collect::<Vec<PathBuf>>();
    env::join_paths(with_subcommand.then_some(own).into_iter().chain(others)).unwrap()
}

fn bench(fixture: &Fixture, with_subcommand: bool, arguments: &[&str]) -> Outcome {
    let mut command = fixture.command("cargo");
    command.env("PATH", path(with_subcommand)).args(["bench", "--bench", "alone", "--"]);
    Outcome::of(&command.args(arguments).output().expect("cargo is there"))
}

#[test]
fn an_installed_subcommand_runs_them_as_any_other() {
    let fixture = Fixture::new("without-runner", "an_installed_subcommand");
    let quick = ["--runs", "2", "--samples", "5", "--sample-time", "2ms", "--warm-up", "1ms"];
    bench(&fixture, true, &["--list", "--format", "terse"])
        .exits(0)
        .says("sum::100: benchmark\nsum::200: benchmark\nfails: benchmark\n");
    bench(&fixture, true, &[&quick[..], &["sum"]].concat())
        .exits(0)
        .says("sum::100")
        .says("sum::200");
    let records = fixture.records("alone");
    assert_eq!(records.len(), 1, "the package names the folder");
    let record = std::fs::read_to_string(&records[0]).unwrap();
    let record: serde_json::Value = serde_json::from_str(&record).unwrap();
    assert_eq!(record["manifest"]["opt_level"], "1", "that of the program, not of the subcommand");
    bench(&fixture, true, &[&quick[..], &["fails"]].concat()).exits(2).says("it was asked to");
    bench(&fixture, true, &["--in-process", "sum"]).exits(0).says("in process");
    bench(&fixture, true, &["--no-such-option"]).exits(2).complains("--no-such-option");
}

#[test]
fn a_program_with_the_runner_inside_needs_nothing_else() {
    let fixture = Fixture::new("without-runner", "a_program_with_the_runner_inside");
    let run = |arguments: &[&str]| {
        let mut command = fixture.command("cargo");
        command.env("PATH", path(false)).args(["bench", "--bench", "alone"]);
        command.args(["--features", "plusminus/linked", "--"]).args(arguments);
        Outcome::of(&command.output().expect("cargo is there"))
    };
    run(&["--list", "--format", "terse"]).exits(0).says("sum::100: benchmark\n");
    run(&["--in-process", "sum"]).exits(0).says("in process");
    run(&["--no-such-option"]).exits(2).complains("--no-such-option");
}

#[test]
fn what_is_missing_is_named() {
    let fixture = Fixture::new("without-runner", "what_is_missing");
    bench(&fixture, false, &["sum"]).exits(2).complains("`cargo install --locked cargo-plusminus`");
    let run = |file: &str| {
        let mut command = fixture.command(program().to_str().unwrap());
        Outcome::of(&command.args(["plusminus", "run", file]).output().unwrap())
    };
    run("Cargo.toml").exits(2).complains("`cargo plusminus bench` times any program");
    run("src").exits(2).complains("src is not a regular file");
    run("nowhere").exits(2).complains("cannot find nowhere");
}

#[test]
fn a_library_with_benchmarks_compiles_no_runner() {
    let fixture = Fixture::new("without-runner", "a_library_with_benchmarks");
    let tree = fixture.cargo(&["tree", "--edges", "normal", "--prefix", "none"]);
    let tree = &tree.exits(0).stdout;
    assert!(tree.contains("plusminus-worker ") && !tree.contains("plusminus-runner "), "{tree}");
    assert!(!tree.contains("plusminus-analysis "), "{tree}");
}
