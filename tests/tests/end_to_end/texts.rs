//! Output and files. No name or message does harm, and files of results are whole. A closed pipe is fine, and a full
//! disk is an error. Impossible requests fail before anything is measured.
#![cfg(unix)]

use std::{
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::OnceLock,
};

use plusminus::record;
use plusminus_tests::{Fixture, Outcome, program};

/// The bench binary, built once.
fn binary() -> &'static Path {
    static BINARY: OnceLock<PathBuf> = OnceLock::new();
    BINARY.get_or_init(|| Fixture::new("faults", "texts_binary").bench_binary("texts"))
}

/// A call of the binary, with a folder for its records.
fn command(fixture: &Fixture, line: &str) -> Command {
    let mut command = fixture.command(binary().to_str().unwrap());
    command.args(line.split_whitespace());
    command
}

fn call(test: &str, line: &str) -> Outcome {
    Outcome::of(&command(&Fixture::new("faults", test), line).output().unwrap())
}

/// As little measuring as possible.
const QUICK: &str = "--bench --runs 2 --samples 2 --iterations 1000";

/// Panics where a text could do harm to a terminal or a build service, or is longer than people read.
#[track_caller]
fn assert_harmless(text: &str) {
    for line in text.lines() {
        let harmful = |c: char| {
            c.is_control()
                || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
        };
        assert!(!line.contains(harmful), "{line:?}");
        assert!(!line.trim_start().starts_with("::") && !line.contains("##["), "{line:?}");
        assert!(line.chars().count() < 12_000, "{} characters", line.chars().count());
    }
    assert!(text.len() < 200_000, "{} bytes", text.len());
}

#[test]
fn hostile_texts_do_no_harm_anywhere() {
    let fixture = Fixture::new("faults", "texts_anywhere");
    let run = |line: &str| Outcome::of(&command(&fixture, line).output().unwrap());
    for (line, code) in [
        ("--list", 0),
        ("--list --format json", 0),
        ("--include-ignored --skip interrupts", 2),
        ("--include-ignored --skip interrupts --format json", 2),
        (&*format!("{QUICK} --save-baseline kept --include-ignored --skip interrupts"), 2),
        (&*format!("{QUICK} --format json --include-ignored --skip interrupts"), 2),
        (&*format!("{QUICK} --format bencher"), 0),
        ("--bench --load kept --baseline kept", 0),
        ("--bench --profile-time 0.01 --include-ignored --skip interrupts", 2),
        ("--bench --profile-time 0.01 \u{1b}[2Jfilter", 2),
    ] {
        let outcome = run(line);
        assert_eq!(outcome.code, Some(code), "{line}");
        assert_harmless(&outcome.stdout);
        assert_harmless(&outcome.stderr);
        for object in outcome.stdout.lines().filter(|line| line.starts_with('{')) {
            serde_json::from_str::<serde_json::Value>(object).unwrap();
        }
    }
    let records = fixture.records("texts");
    let record = record::read(&records[0]).unwrap();
    let names: Vec<&str> = record.cases[0].instances.iter().map(|i| i.name.as_str()).collect();
    assert_eq!(names[2..], ["same", "same (2)"], "equal names are told apart");
    assert_ne!(names[0], names[1]);
    assert!(fs::metadata(&records[0]).unwrap().len() < 1 << 20, "messages are cut in the worker");
    let study = Command::new(program()).arg("study").args(&records[..1]).output().unwrap();
    let study = Outcome::of(&study);
    assert_harmless(&study.exits(0).stdout);
    insta::assert_snapshot!("hostile_list", run("--list").stdout);
    let tested = run("--include-ignored --skip interrupts");
    insta::assert_snapshot!("hostile_test", tested.stdout);
}

#[test]
fn a_closed_pipe_is_no_error_and_a_full_disk_is_one() {
    let fixture = Fixture::new("faults", "texts_pipes");
    for line in [
        "--help",
        "--list",
        "decent",
        "decent --format json",
        &format!("{QUICK} decent"),
        &format!("{QUICK} decent --format json"),
        &format!("{QUICK} decent --format bencher"),
        "--bench decent --profile-time 0.01",
    ] {
        let to = |stdout: Stdio| {
            Outcome::of(
                &command(&fixture, line).stdout(stdout).stderr(Stdio::piped()).output().unwrap(),
            )
        };
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let closed = to(writer.into());
        assert!(!closed.exits(0).stderr.contains("panicked"), "{line}: {}", closed.both());
        let full = to(fs::OpenOptions::new().write(true).open("/dev/full").unwrap().into());
        full.exits(2).complains("plusminus: cannot write to standard output: No space left");
    }
    // Lines of JSON that cannot be printed are known before anything is measured.
    assert_eq!(fixture.records("texts").len(), 5, "what was measured is kept");
    for line in ["study --list-models", "--version"] {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let mut command = Command::new(program());
        command.args(line.split_whitespace()).stdout(full).stderr(Stdio::piped());
        Outcome::of(&command.output().unwrap()).exits(2).complains("No space left");
    }
}

#[test]
fn an_interrupted_test_is_not_ok() {
    let pretty = call("texts_interrupted", "--include-ignored --exact decent interrupts");
    pretty.exits(130).says("test result: INTERRUPTED.").says("interrupted by signal 2");
    let json =
        call("texts_interrupted", "--include-ignored --exact decent interrupts --format json");
    let last: serde_json::Value =
        serde_json::from_str(json.exits(130).stdout.lines().last().unwrap()).unwrap();
    assert_eq!((&last["event"], &last["interrupted"]), (&"failed".into(), &2.into()));
}

#[test]
fn the_record_of_a_killed_run_is_remarked_on() {
    let fixture = Fixture::new("faults", "texts_killed");
    let run = |line: &str| Outcome::of(&command(&fixture, line).output().unwrap());
    let saved = run(&format!("{QUICK} base --save-baseline killed"));
    assert!(!saved.exits(0).stdout.contains("killed before its end"));
    let path = fixture.home("texts").join("baselines/killed.json");
    let mut record = record::read(&path).unwrap();
    assert!(!record.is_unfinished());
    record.manifest.seconds = None;
    record.manifest.load_after = None;
    record::write(&record, &path).unwrap();
    run("--bench base --load killed").exits(0).says("killed before its end");
    // Without its program, the record itself is what is compared with.
    std::fs::remove_file(path.with_extension("program")).unwrap();
    run(&format!("{QUICK} base --baseline killed")).says("the baseline was interrupted");
    let study = Command::new(program()).arg("study").arg(&path).output().unwrap();
    Outcome::of(&study).exits(0).says("killed before its end");
}

#[test]
fn what_cannot_work_is_refused_before_measuring() {
    let fixture = Fixture::new("faults", "texts_refused");
    let with = |line: &str, variables: &[(&str, &str)]| {
        let mut command = command(&fixture, line);
        command.envs(variables.iter().copied());
        let outcome = Outcome::of(&command.output().unwrap());
        assert_eq!(outcome.exits(2).stdout, "", "{line}");
        outcome
    };
    with("--bench decent", &[("PLUSMINUS_RUN", "2")]).complains("did you mean `PLUSMINUS_RUNS`?");
    with("--bench decent", &[("PLUSMINUS_OUTPUT", "")]).complains("PLUSMINUS_OUTPUT is empty");
    with("--save-baseline --bench", &[]).complains("--save-baseline needs a value");
    with("--load kept", &[]).complains("without --bench everything is only tested");
    with("--bench decent --baseline none", &[]).complains("there is no baseline `none`");
    with("--bench decemt", &[]).complains("did you mean `decent`?");
    assert!(!fixture.output.exists(), "nothing was measured");
    let study = Command::new(program())
        .args(["study", "none.json"])
        .env("PLUSMINUS_ALPA", "0.1")
        .output()
        .unwrap();
    Outcome::of(&study).exits(2).complains("did you mean `PLUSMINUS_ALPHA`?");
}

#[test]
fn secrets_are_no_part_of_a_record() {
    let fixture = Fixture::new("faults", "texts_secrets");
    let line = format!("{QUICK} decent --skip API_TOKEN=hunter2 --skip https://me:hunter2@host/");
    Outcome::of(&command(&fixture, &line).output().unwrap()).exits(0);
    let text = fs::read_to_string(&fixture.records("texts")[0]).unwrap();
    assert!(!text.contains("hunter2") && text.contains("API_TOKEN=…"), "{text}");
}

#[test]
fn results_of_a_comparison_are_written_whole_before_they_are_printed() {
    let fixture = Fixture::new("faults", "texts_compared");
    fs::create_dir_all(&fixture.output).unwrap();
    let copy = fixture.output.join("copy");
    fs::copy(binary(), &copy).unwrap();
    let file = |name: &str| fixture.output.join(name);
    fs::write(file("target.md"), "old").unwrap();
    symlink("target.md", file("link.md")).unwrap();
    let compare = |files: [&Path; 2], stdout: Stdio| {
        let mut command = fixture.command(program().to_str().unwrap());
        command.args(["plusminus", "compare", "--binaries"]).arg(binary()).arg(&copy);
        command.args(["--max-time", "2s", "--max-blocks", "6", "--margin", "20%", "--quiet"]);
        command.arg("--json").arg(files[0]).arg("--comment").arg(files[1]);
        let child = command.stdout(stdout).stderr(Stdio::piped()).spawn().unwrap();
        Outcome::of(&child.wait_with_output().unwrap())
    };
    for refused in [Path::new("/proc/none/json"), &fixture.output] {
        let outcome = compare([refused, &file("x.md")], Stdio::piped());
        outcome.exits(2).complains("cannot write");
    }
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let outcome = compare([&file("result.json"), &file("link.md")], writer.into());
    assert!(!outcome.stderr.contains("panicked") && outcome.code != Some(2), "{}", outcome.both());
    let json = fs::read_to_string(file("result.json")).unwrap();
    assert_harmless(&json);
    serde_json::from_str::<serde_json::Value>(&json).unwrap();
    let comment = fs::read_to_string(file("target.md")).unwrap();
    assert!(file("link.md").is_symlink() && comment.starts_with("<!-- plusminus-compare -->"));
    assert_harmless(&comment.replace('\u{200b}', ""));
    assert!(comment.len() < 65_536);
    for link in ["@all", "www.", "GH-1", "://", "<b>", "\n::"] {
        let shown =
            comment.lines().filter(|line| line.starts_with("- ")).any(|line| line.contains(link));
        assert!(!shown, "{link:?}: {comment}");
    }
    // A device stays what it is, and a full one is an error.
    let full = compare([Path::new("/dev/null"), Path::new("/dev/full")], Stdio::piped());
    full.exits(2).complains("cannot write /dev/full");
    assert!(!fs::metadata("/dev/null").unwrap().is_file());
}
