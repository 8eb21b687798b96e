//! `--in-process`: the kernels run where a debugger looks, nothing is kept, and nothing senseless is accepted.
#![cfg(target_os = "linux")]

use std::process::Stdio;

use plusminus_tests::{Fixture, Outcome};

/// Calls the bench binary, and also returns its process number.
fn call(test: &str, line: &str) -> (Outcome, u32, Fixture) {
    let fixture = Fixture::new("faults", test);
    let binary = fixture.bench_binary("looked_at");
    let mut command = fixture.command(binary.to_str().unwrap());
    command.args(line.split_whitespace()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    let id = child.id();
    (Outcome::of(&child.wait_with_output().unwrap()), id, fixture)
}

#[test]
fn kernels_run_on_the_main_thread_of_the_binary_itself() {
    let line = "--bench --in-process --exact tells --samples 3 --iterations 200000 --warm-up 0";
    let (outcome, id, fixture) = call("in_process", line);
    // One call and one sample to find the cost of a call, and three samples that count.
    outcome.exits(0).complains(&format!("called 800001 times in process {id} on thread main"));
    outcome.says("± n/a").says("in this process").says("not comparable");
    assert!(!outcome.stdout.contains("Raw data: "), "{}", outcome.both());
    assert!(!fixture.output.exists(), "nothing is kept");
}

#[test]
fn a_record_is_of_the_program_and_not_of_the_runner() {
    let (outcome, _, fixture) =
        call("not_the_runner", "--bench --exact tells --runs 1 --samples 3");
    outcome.exits(0);
    let record = plusminus::record::read(&fixture.records("looked_at")[0]).unwrap();
    assert_eq!(
        record.manifest.arguments,
        ["--bench", "--exact", "tells", "--runs", "1", "--samples", "3"]
    );
    assert!(record.manifest.beside.is_empty(), "{:?}", record.manifest.beside);
}

#[test]
fn workers_are_other_processes() {
    let line = "--bench --nocapture --exact tells --runs 2 --samples 3 --iterations 5 --warm-up 0";
    let (outcome, id, _) = call("not_in_process", line);
    outcome.exits(0).complains("called 21 times in process ");
    assert!(!outcome.stderr.contains(&format!("process {id}")), "{}", outcome.both());
}

#[test]
fn a_panic_is_named_and_ends_the_only_process() {
    let line = "--bench --in-process --seed 1 --skip processors --samples 2 --iterations 1";
    let (outcome, ..) = call("in_process_panic", line);
    outcome
        .exits(2)
        .says("panics failed in run 1: panicked: somebody looks at this at ")
        .complains("somebody looks at this");
    // Also in test mode. Benchmarks after it are not run, and not reported as passed.
    let (outcome, ..) = call("in_process_panic_test", "--in-process --exact panics");
    outcome.exits(2).says("test panics ... FAILED").complains("panicked: somebody looks at this");
}

#[test]
fn callers_and_processors_are_those_of_a_worker() {
    let quick = "--samples 2 --iterations 10";
    let (outcome, ..) = call("in_process_threads", &format!("--bench --in-process shared {quick}"));
    outcome.exits(0).says("shared::t2");
    for p in [1, 2] {
        let line = format!("--bench --in-process --exact tells_processors::p{p} {quick}");
        let (outcome, ..) = call("in_process_processors", &line);
        outcome.exits(0).complains(&format!("{p} processors, and Ok(\"{p}\") for rayon"));
    }
    let line = format!("--bench --in-process --processors 3 tells_processors {quick}");
    let (outcome, ..) = call("in_process_sweep", &line);
    outcome.exits(0).complains("3 processors, and Ok(\"3\") for rayon");
    let (outcome, ..) =
        call("in_process_both", &format!("--bench --in-process tells_processors {quick}"));
    outcome.exits(2).complains("want [1, 2] processors each; choose those of one number");
}

#[test]
fn a_profiler_may_start_the_process_itself() {
    let line = "--bench --in-process --profile-time 0.05 --exact tells";
    let (outcome, id, _) = call("in_process_profile", line);
    outcome.exits(0).says("profiled tells: ").complains(&format!("in process {id} on thread main"));
}

#[test]
fn a_program_that_cannot_be_linked_again_has_no_layouts() {
    for (line, why) in [
        ("--layouts", "run `cargo plusminus layouts` instead of `cargo bench`"),
        ("--layouts --baseline main", "takes two programs as they are"),
        ("--layouts --in-process", "this process has one"),
    ] {
        let (outcome, ..) = call("no_layouts", &format!("--bench --exact tells {line}"));
        outcome.exits(2).complains(why);
    }
}

#[test]
fn what_makes_no_sense_is_refused() {
    for (line, why) in [
        ("--runs 3", "--runs makes no sense with --in-process: a process is one run"),
        ("--save-baseline x", "--save-baseline makes no sense with --in-process: its numbers"),
        ("--memory-limit 1G", "--memory-limit makes no sense with --in-process: the limit"),
        (
            "--timeout 3",
            "--timeout makes no sense with --in-process: a kernel may stand still in a debugger",
        ),
        ("--format json", "--format makes no sense with --in-process"),
    ] {
        let (outcome, ..) = call("in_process_refused", &format!("--bench --in-process {line}"));
        assert_eq!(outcome.exits(2).stdout, "");
        outcome.complains(why);
    }
}
