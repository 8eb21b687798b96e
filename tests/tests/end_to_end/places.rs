//! Kernels of other harnesses: how many processors they see, where they run, and at which addresses both sides load.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    thread,
};

use plusminus::record;
use plusminus_tests::{Fixture, Outcome, program};

const KERNELS: [(&str, bool); 5] =
    [("table", false), ("pool", true), ("idle", false), ("scope", true), ("runtime", true)];

fn processors() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// Returns the lines in the kernels' log, without their process number.
fn told(log: &Path) -> BTreeSet<String> {
    let text = fs::read_to_string(log).unwrap();
    text.lines().map(|line| line.split_once(' ').unwrap().1.to_owned()).collect()
}

/// Returns the lines that every process logs on a machine with n processors.
fn expected(n: usize) -> BTreeSet<String> {
    let counted = ["pool", "idle", "scope", "runtime"].map(|name| format!("{name} of {n}"));
    counted.into_iter().chain([format!("table of {n} made [{n}] seen [{n}]")]).collect()
}

fn fixture(test: &str) -> (Fixture, PathBuf) {
    let fixture = Fixture::new("drop-in", test);
    fs::create_dir_all(&fixture.output).unwrap();
    let log = fixture.output.join("log.txt");
    (fixture, log)
}

#[test]
fn kernels_see_the_whole_machine_and_those_that_use_it_are_recognized() {
    let (fixture, log) = fixture("places_bench");
    let mut command = fixture.command(fixture.bench_binary("threads").to_str().unwrap());
    command.args(["--bench", "--runs", "2", "--samples", "3", "--sample-time", "0.002"]);
    let output = command
        .env("DROP_IN_LOG", &log)
        .args(["--skip", "address", "--skip", "noisy"])
        .output()
        .unwrap();
    Outcome::of(&output).exits(0);
    assert_eq!(
        told(&log),
        expected(processors()),
        "in every process, whatever was seen in the first one"
    );
    let record = record::read(&fixture.records("threads")[0]).unwrap();
    let case = |name: &str| record.cases.iter().find(|case| case.name == name).unwrap();
    for (name, several) in KERNELS {
        assert_eq!(case(name).processors, if several { processors() } else { 1 }, "{name}");
    }
    let installed = case("installed");
    assert!(installed.failures.is_empty() && installed.measurements.len() == 2, "{installed:?}");
    if cfg!(target_os = "linux") {
        assert!(record.workers.iter().all(|worker| worker.processor.is_some()));
    }
}

#[test]
fn a_kernel_for_which_one_processor_is_asked_sees_no_other() {
    let (fixture, log) = fixture("places_one");
    let mut command = fixture.command(fixture.bench_binary("threads").to_str().unwrap());
    command.args(["--bench", "--runs", "2", "--samples", "3", "--sample-time", "0.002"]);
    let variables = [("DROP_IN_LOG", log.to_str().unwrap()), ("PLUSMINUS_PROCESSORS", "1")];
    let output =
        command.envs(variables).args(["--skip", "address", "--skip", "noisy"]).output().unwrap();
    let outcome = Outcome::of(&output);
    outcome.exits(0);
    if cfg!(target_os = "linux") {
        assert_eq!(told(&log), expected(1));
        outcome.says("pool starts threads");
        assert!(!outcome.stdout.contains("idle starts threads"), "{}", outcome.both());
    }
}

/// Compares two copies of the program under the given names. Returns the path of the record.
fn compared(fixture: &Fixture, log: &Path, names: [&str; 2], filters: &[&str]) -> PathBuf {
    let built = fixture.bench_binary("threads");
    let record = fixture.output.join("compared.json");
    let mut command = fixture.command(program().to_str().unwrap());
    command.args(["plusminus", "compare", "--binaries"]);
    for name in names {
        let copy = fixture.output.join(name);
        fs::create_dir_all(copy.parent().unwrap()).unwrap();
        fs::copy(&built, &copy).unwrap();
        command.arg(copy);
    }
    command.args(["--measure", "all", "--max-time", "20s", "--max-blocks", "6", "--margin", "90"]);
    command.arg("--record").arg(&record).args(filters).env("DROP_IN_LOG", log);
    let outcome = Outcome::of(&command.output().unwrap());
    assert_ne!(outcome.code, Some(2), "{}", outcome.both());
    record
}

#[test]
fn stacks_and_heaps_of_both_sides_lie_alike_whatever_the_programs_are_called() {
    let (fixture, log) = fixture("places_stacks");
    let folder = "folder/of/another/depth/";
    // The C library reads a long path into a larger block, which is of use to the harness if it has the right size.
    let before = fixture.output.as_os_str().len() + folder.len();
    for length in (160_usize..280).step_by(16) {
        let name = "n".repeat(length.saturating_sub(before).max(8));
        lie_alike(&fixture, &log, folder, &name);
    }
}

/// Compares a program with a copy of this name, whose stacks and heaps have to lie at the same places.
fn lie_alike(fixture: &Fixture, log: &Path, folder: &str, name: &str) {
    let _ = fs::remove_file(log);
    let long = format!("{folder}{name}");
    compared(fixture, log, ["b", &long], &["^address$"]);
    let (mut stacks, mut programs) = ([BTreeSet::new(), BTreeSet::new()], BTreeSet::new());
    // The first pair only finds sizes, with as many trials as each of its sides needs.
    for line in fs::read_to_string(log).unwrap().lines().skip(2) {
        let [_, _, stack, code, path] = line.split(' ').collect::<Vec<_>>()[..] else {
            panic!("{line}")
        };
        // Copies are started, which keep the names of their files.
        stacks[usize::from(path.ends_with(name))].insert(stack.to_owned());
        programs.insert(code.to_owned());
    }
    let [base, new] = &stacks;
    assert!(base.len() > 4 && new.len() > 4, "each block has a different stack: {stacks:?}");
    // On systems that do not allow fixed addresses, all of them are random.
    if programs.len() == 1 {
        assert!(
            new.is_subset(base),
            "base has each stack of new, with its heap and number: {stacks:?}"
        );
    }
}

#[test]
fn a_comparison_recognizes_kernels_that_use_the_machine_and_both_sides_see_it() {
    let (fixture, log) = fixture("places_compared");
    let file = compared(&fixture, &log, ["base", "new"], &["^(table|pool|idle|scope|runtime)$"]);
    assert_eq!(told(&log), expected(processors()));
    let record = record::read_comparison(&file).unwrap();
    for (name, several) in KERNELS {
        let case = record.cases.iter().find(|case| case.name == name).unwrap();
        assert_eq!(case.processors, if several { processors() } else { 1 }, "{name}");
        for block in &case.blocks {
            let place = |side: &record::Measurement| record.workers[side.worker.unwrap()].processor;
            assert_eq!(place(&block.base), place(&block.new), "{name}");
        }
    }
}

/// Their threads would take turns with those of the side that is measured, and its own ones with the kernel.
#[cfg(target_os = "linux")]
#[test]
fn a_side_whose_threads_go_on_is_stopped_while_it_waits_and_they_run_beside_it() {
    let (fixture, log) = fixture("places_noisy");
    compared(&fixture, &log, ["base", "new"], &["^noisy$"]);
    let told = fs::read_to_string(&log).unwrap();
    let count = |of: &str| told.matches(of).count();
    let processes = count("noisy");
    assert!(processes > 4 && count("stopped: true") > processes / 2, "{told}");
    assert!(processors() == 1 || count("apart: true") > processes / 2, "{told}");
}

#[test]
fn both_sides_share_the_processor_in_long_calls_that_only_compute() {
    let (fixture, log) = fixture("places_shared");
    let file = compared(&fixture, &log, ["base", "new"], &["^(long|sleep|idle)$"]);
    let record = record::read_comparison(&file).unwrap();
    for name in ["long", "sleep", "idle"] {
        let case = record.cases.iter().find(|case| case.name == name).unwrap();
        let shared = cfg!(target_os = "linux") && name == "long";
        assert!(!case.blocks.is_empty());
        for block in &case.blocks {
            assert_eq!(block.time_shared, shared, "{name}");
            for side in [&block.base, &block.new] {
                assert_eq!(side.wall_ns == side.cpu_ns, shared, "{name}");
            }
        }
    }
}
