//! The table of faults: each is injected into a real bench binary, and afterwards the record can be read, the results
//! of all other benchmarks are there, and no process of ours is alive.
#![cfg(unix)]

use std::{
    os::unix::process::CommandExt,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread::sleep,
    time::{Duration, Instant},
};

use plusminus::record::{self, Cause, Record};
use plusminus_tests::{Fixture, Outcome};

/// Numbers of the processes that were started from this file.
fn processes_of(binary: &Path) -> Vec<u32> {
    let mut found = Vec::new();
    for process in std::fs::read_dir("/proc").into_iter().flatten().flatten() {
        let number = process.file_name().to_string_lossy().parse::<u32>();
        let is_it = std::fs::read_link(process.path().join("exe")).is_ok_and(|exe| exe == binary);
        found.extend(number.ok().filter(|_| is_it));
    }
    found
}

#[track_caller]
fn none_left(binary: &Path) {
    assert!(processes_of(binary).is_empty(), "a process is left behind");
}

/// The bench binary, under a name of its own, so that tests that run at the same time do not count each other's
/// processes.
fn binary(fixture: &Fixture, test: &str) -> PathBuf {
    let built = fixture.bench_binary("hostile");
    let own = built.with_file_name(format!("hostile-{test}"));
    // Not a copy: a program that is open for writing, if only in a child of another test, cannot be started.
    let _ = std::fs::remove_file(&own);
    std::fs::hard_link(built, &own).unwrap();
    own
}

fn records(fixture: &Fixture, test: &str) -> Vec<PathBuf> {
    fixture.records(&format!("hostile-{test}"))
}

fn run(fixture: &Fixture, binary: &Path, arguments: &[&str]) -> Outcome {
    let mut command = fixture.command(binary.to_str().unwrap());
    let output = command.arg("--bench").args(arguments).output().unwrap();
    Outcome::of(&output)
}

/// Checks that both decent benchmarks are measured in this number of runs, and did not fail.
#[track_caller]
fn decent_ones_are_there(record: &Record, runs: usize) {
    for name in ["decent", "also_decent"] {
        let case = record.cases.iter().find(|case| case.name == name).unwrap();
        assert_eq!(case.measurements.len(), runs, "{name}");
        assert!(case.failures.is_empty(), "{name}: {:?}", case.failures);
    }
}

#[track_caller]
fn cause<'a>(record: &'a Record, name: &str) -> &'a Cause {
    let case = record.cases.iter().find(|case| case.name == name).unwrap();
    let failure = case.failures.first();
    &failure.unwrap_or_else(|| panic!("{name} has failed")).cause
}

#[test]
fn what_a_kernel_does_to_its_process_stays_there() {
    let test = "stays";
    let fixture = Fixture::new("faults", test);
    let binary = binary(&fixture, test);
    let outcome = run(&fixture, &binary, &["--runs", "2", "--memory-limit", "512M"]);
    outcome.exits(2);
    let record = record::read(&records(&fixture, test)[0]).unwrap();
    decent_ones_are_there(&record, 2);
    for (name, words) in [
        ("closes_files", "the channel to the runner was closed"),
        ("forks", "the child process came back"),
        ("is_alarmed", "signal 14"),
        ("panics_in_drop", "dropped without care"),
        ("panics_twice", "SIGABRT"),
        ("dies_before_its_child", "SIGABRT"),
        ("needs_memory", "more than the 536870912 bytes that `--memory-limit` allows"),
        ("writes_everywhere", "answer is not understood"),
    ] {
        let cause = cause(&record, name).to_string();
        assert!(cause.contains(words), "{name}: {cause}");
    }
    for name in ["leaves_a_process", "leaves_a_daemon", "changes_directory", "ignores_signals"] {
        let case = record.cases.iter().find(|case| case.name == name).unwrap();
        assert!(case.failures.is_empty(), "{name}: {:?}", case.failures);
        assert!(!case.measurements.is_empty(), "{name}");
    }
    none_left(&binary);
    // The program has our allocator: a Vec of 100 numbers is one block.
    outcome.says("a call of also_decent: 1 allocation, 800 B, peak 800 B");
    outcome.says("a call of decent: 0 allocations");
}

#[test]
fn a_signal_to_the_program_or_its_group_keeps_what_is_finished() {
    let test = "signal";
    let fixture = Fixture::new("faults", test);
    let binary = binary(&fixture, test);
    for (signal, number, group) in
        [("INT", 2, false), ("TERM", 15, false), ("INT", 2, true), ("TERM", 15, true)]
    {
        let _ = std::fs::remove_dir_all(&fixture.output);
        let mut bench = fixture
            .command(binary.to_str().unwrap())
            .args(["--bench", "decent", "--runs", "1000000"])
            .stdout(Stdio::null())
            .process_group(0)
            .spawn()
            .unwrap();
        let finished = || {
            let record = record::read(&records(&fixture, test).pop()?).ok()?;
            record.cases.iter().map(|case| case.measurements.len()).min()
        };
        let deadline = Instant::now() + Duration::from_secs(60);
        while finished().is_none_or(|runs| runs < 2) {
            assert!(bench.try_wait().unwrap().is_none(), "the bench ended by itself");
            assert!(Instant::now() < deadline, "no record of two runs appears");
            sleep(Duration::from_millis(5));
        }
        let target = if group { format!("-{}", bench.id()) } else { bench.id().to_string() };
        let killed = Command::new("kill").args([&format!("-{signal}"), "--", &target]).status();
        assert!(killed.unwrap().success());
        assert_eq!(bench.wait().unwrap().code(), Some(128 + number), "{signal}, group: {group}");
        let record = record::read(&records(&fixture, test)[0]).unwrap();
        assert_eq!(record.interrupted, Some(number));
        let failures: Vec<_> = record.cases.iter().flat_map(|case| &case.failures).collect();
        assert!(failures.is_empty(), "{signal}, group: {group}: {failures:?}");
        none_left(&binary);
    }
}

#[test]
fn a_worker_that_dies_of_the_interrupt_has_not_failed() {
    let test = "together";
    let fixture = Fixture::new("faults", test);
    let binary = binary(&fixture, test);
    let arguments = ["--exact", "dies_of_an_interrupt", "--include-ignored", "--runs", "1"];
    run(&fixture, &binary, &arguments).exits(130);
    let record = record::read(&records(&fixture, test)[0]).unwrap();
    assert_eq!(record.interrupted, Some(2));
    assert!(record.cases.iter().all(|case| case.failures.is_empty()), "{:?}", record.cases);
}

#[test]
fn the_death_of_a_worker_at_any_moment_costs_its_benchmark_only() {
    let test = "death";
    let fixture = Fixture::new("faults", test);
    let binary = binary(&fixture, test);
    // Moments after the start of a worker, in microseconds: while it starts, loads, warms up, measures, ends.
    for moment in [0, 500, 2_000, 5_000, 12_000, 25_000] {
        let _ = std::fs::remove_dir_all(&fixture.output);
        let mut bench = fixture
            .command(binary.to_str().unwrap())
            .args([
                "--bench",
                "--exact",
                "decent",
                "also_decent",
                "changes_directory",
                "--runs",
                "8",
            ])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // The first one is the program itself, which becomes the runner, and the second one only lists the benchmarks.
        let mut seen = vec![bench.id()];
        while seen.len() < 3 {
            let more = processes_of(&binary).into_iter().find(|process| !seen.contains(process));
            seen.extend(more);
            assert!(bench.try_wait().unwrap().is_none(), "the bench ended by itself");
        }
        let worker = seen[2];
        sleep(Duration::from_micros(moment));
        // It may have ended by itself in the meantime, which is a moment as good as any.
        let kill = Command::new("kill").args(["-KILL", &worker.to_string()]).output().unwrap();
        let killed = kill.status.success();
        let code = bench.wait().unwrap().code();
        let record = record::read(&records(&fixture, test)[0]).unwrap();
        let failed: Vec<_> = record.cases.iter().filter(|case| !case.failures.is_empty()).collect();
        assert!(failed.len() <= 1, "{failed:?}");
        assert!(killed || failed.is_empty());
        assert_eq!(code, Some(if failed.is_empty() { 0 } else { 2 }));
        for case in record.cases.iter().filter(|case| case.failures.is_empty()) {
            assert_eq!(case.measurements.len(), 8, "{}", case.name);
        }
        none_left(&binary);
    }
}

#[test]
fn the_death_of_the_runner_takes_its_worker_along() {
    let test = "runner";
    let fixture = Fixture::new("faults", test);
    let binary = binary(&fixture, test);
    let mut bench = fixture
        .command(binary.to_str().unwrap())
        .args(["--bench", "decent", "--runs", "1000000"])
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    // With a worker, and after the first runs: what is finished must not be lost.
    while processes_of(&binary).is_empty() || records(&fixture, test).is_empty() {
        assert!(bench.try_wait().unwrap().is_none(), "the bench ended by itself");
    }
    bench.kill().unwrap();
    bench.wait().unwrap();
    let deadline = Instant::now() + Duration::from_secs(10);
    while !processes_of(&binary).is_empty() {
        assert!(Instant::now() < deadline, "a worker is left behind");
        sleep(Duration::from_millis(5));
    }
    record::read(&records(&fixture, test)[0]).unwrap();
}

#[test]
fn a_full_disk_is_told_at_once_and_the_report_is_printed() {
    let test = "full";
    let fixture = Fixture::new("faults", test);
    let binary = binary(&fixture, test);
    // A file size of at most 512 bytes: the system signals every write beyond.
    let script = format!("ulimit -f 1; exec {} --bench --exact decent --runs 2", binary.display());
    let outcome = Outcome::of(&fixture.command("sh").args(["-c", &script]).output().unwrap());
    outcome.exits(2).says("decent").says("2 runs");
    outcome.complains("cannot write").complains("PLUSMINUS_OUTPUT names another folder");
    assert!(records(&fixture, test).is_empty(), "no part of a record is left");
    none_left(&binary);
}

#[test]
fn a_folder_that_cannot_be_written_to_is_told_at_once_and_the_report_is_printed() {
    let test = "read-only";
    let fixture = Fixture::new("faults", test);
    let binary = binary(&fixture, test);
    // No user, not even the one who may do anything, can make a folder there.
    let output = fixture
        .command(binary.to_str().unwrap())
        .args(["--bench", "--exact", "decent", "--runs", "2"])
        .env("PLUSMINUS_OUTPUT", "/proc/plusminus")
        .output()
        .unwrap();
    let outcome = Outcome::of(&output);
    outcome.exits(2).says("decent").says("2 runs").complains("cannot write /proc/plusminus");
    none_left(&binary);
}

#[test]
fn two_measurements_at_once_have_two_records_and_know_of_each_other() {
    let test = "two";
    let fixture = Fixture::new("faults", test);
    let binary = binary(&fixture, test);
    let start = || {
        fixture
            .command(binary.to_str().unwrap())
            .args(["--bench", "--exact", "decent", "--runs", "60"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    };
    let (one, two) = (start(), start());
    let outcomes = [one, two].map(|bench| Outcome::of(&bench.wait_with_output().unwrap()));
    let records: Vec<Record> =
        records(&fixture, test).iter().map(|path| record::read(path).unwrap()).collect();
    assert_eq!(records.len(), 2, "each has its own");
    for record in &records {
        assert_eq!(record.cases[0].measurements.len(), 60);
    }
    let warned = |record: &&Record| record.manifest.other_run.is_some();
    assert_eq!(records.iter().filter(warned).count(), 1, "the second one knows of the first");
    let told = outcomes.iter().filter(|outcome| {
        outcome.stderr.contains("another measurement is going on here") && outcome.code == Some(0)
    });
    assert_eq!(told.count(), 1);
}

#[test]
fn damaged_records_are_named_and_nothing_is_used_of_them() {
    let test = "damaged";
    let fixture = Fixture::new("faults", test);
    let binary = binary(&fixture, test);
    run(&fixture, &binary, &["--exact", "decent", "--runs", "1", "--samples", "1"]).exits(0);
    let path = records(&fixture, test).pop().unwrap();
    let whole = std::fs::read_to_string(&path).unwrap();
    let one = record::read(&path).unwrap();
    assert_eq!(one.cases[0].measurements[0].wall_ns.len(), 1);
    let report = plusminus::report::render(&one, None, None, &plusminus::report::View::unlimited());
    assert!(report.contains("± n/a"), "one sample has no uncertainty: {report}");
    for (text, words) in [
        (
            whole[..whole.len() / 2].to_owned(),
            "is not a record of plusminus: no JSON: Unexpected end of file",
        ),
        (String::new(), "is not a record of plusminus: no JSON: Unexpected end of file"),
        ("\u{0}\u{1}garbage".to_owned(), "is not a record of plusminus: no JSON: Unexpected char"),
        ("[1, 2]".to_owned(), "is not a record of plusminus"),
        (whole.replacen("\"schema\":1", "\"schema\":9", 1), "has schema 9, but this version"),
        (whole.replacen("\"calls\":", "\"calls\":0,\"was\":", 1), "contradict each other"),
    ] {
        std::fs::write(&path, &text).unwrap();
        let error = record::read(&path).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
        assert!(error.contains(path.to_str().unwrap()), "the file is named: {error}");
    }
    let endless = record::read(Path::new("/dev/zero")).unwrap_err().to_string();
    assert!(endless.contains("/dev/zero is not a record"), "{endless}");
}

#[test]
fn kernels_run_for_a_profiler_without_being_measured() {
    let test = "profiler";
    let fixture = Fixture::new("faults", test);
    let binary = binary(&fixture, test);
    let arguments = ["--exact", "also_decent", "--profile-time", "0.3"];
    run(&fixture, &binary, &arguments).exits(0).says("profiled also_decent:");
    assert!(records(&fixture, test).is_empty(), "nothing was measured");
    none_left(&binary);
}
