//! `cargo plusminus bench`: whole programs, alone and against each other.
#![cfg(unix)]

use std::path::Path;

use plusminus::record;
use plusminus_tests::Outcome;
use plusminus_tests::study_support::folder;
use serde_json::Value;

/// The subcommand in a folder, which keeps its records there.
fn plusminus(folder: &Path, arguments: &[&str]) -> Outcome {
    let mut command = std::process::Command::new(plusminus_tests::program());
    command.current_dir(folder).args(arguments).env("COLUMNS", "1000").env("LC_ALL", "C.UTF-8");
    Outcome::of(&command.env("PLUSMINUS_OUTPUT", folder.join("records")).output().unwrap())
}

#[test]
fn two_programs_are_compared_with_a_verdict() {
    let folder = folder("programs-compared");
    std::fs::write(folder.join("--"), "sleep 0.02").unwrap();
    // Ten times as long: no noise of a machine turns that around.
    let fast = ["sh", "-c", "sleep 0.002"];
    let slow = ["sh", "./--"];
    let mut all =
        vec!["bench", "--separator", "vs", "--json", "result.json", "--record", "record.json"];
    all.extend(["--max-time", "60", "--quiet", "--"]);
    all.extend(fast);
    all.push("vs");
    all.extend(slow);
    let outcome = plusminus(&folder, &all);
    outcome
        .exits(1)
        .says("sh -c 'sleep 0.002' → sh ./--")
        .says("program::sh")
        .says("Details: records/report.txt\n")
        .says("1 benchmark: 1 slower (measured in ");
    let full = std::fs::read_to_string(folder.join("records/report.txt")).unwrap();
    assert!(full.contains("Scope: these two programs"), "{full}");
    let result: Value =
        serde_json::from_slice(&std::fs::read(folder.join("result.json")).unwrap()).unwrap();
    assert_eq!(result["benchmarks"][0]["rows"][0]["verdict"], "slower");
    let record = record::read_comparison(&folder.join("record.json")).unwrap();
    assert_eq!(record.cases[0].name, "program::sh");
    assert_eq!(record.new.name, "sh ./--");
    assert!(record.cases[0].blocks.len() >= 6);
    // Nothing is known of CPU times of other processes.
    assert!(record.cases[0].blocks.iter().all(|block| block.base.cpu_ns.is_empty()));
    let again = ["compare", "--from", "record.json", "--fail-on", "never"];
    plusminus(&folder, &again).exits(0);
    let mut wider = again.to_vec();
    wider.extend(["--margin", "9"]);
    plusminus(&folder, &wider).exits(2).complains("'--margin' is for measuring");
    plusminus(&folder, &["report", "record.json"]).exits(0);
}

#[test]
fn one_program_has_a_time() {
    let folder = folder("programs-alone");
    // Its name is a hostile one.
    std::os::unix::fs::symlink("/bin/sh", folder.join("a\tb [c"))
        .or_else(|error| match error.kind() {
            std::io::ErrorKind::AlreadyExists => Ok(()),
            _ => Err(error),
        })
        .unwrap();
    let words = [
        "bench",
        "--max-time",
        "2",
        "--format",
        "json",
        "--quiet",
        "--",
        "./a\tb [c",
        "-c",
        "sleep 0.01",
    ];
    let outcome = plusminus(&folder, &words);
    let text = &outcome.exits(0).stdout;
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let benches: Vec<&Value> = lines.iter().filter(|line| line["type"] == "bench").collect();
    assert_eq!(benches.len(), 1, "{text}");
    assert_eq!(benches[0]["name"], "program::a\\tb [c");
    assert!(benches[0]["median"].as_f64().unwrap() >= 10e6, "it sleeps as long");
    // The short report's command for more details exists.
    let loaded = plusminus(&folder, &["bench", "--load", "last"]);
    loaded.exits(0).says("program::a\\tb [c").says("Details:").says("-v");
    // How the subcommand was built, and cargo, have nothing to do with the program.
    let own = ["debug build", "cargo bench"].into_iter().find(|text| loaded.stdout.contains(text));
    assert_eq!(own, None, "{}", loaded.stdout);
    let split = plusminus(&folder, &["bench", "--max-time", "1", "--quiet", "--", "sleep 0.01"]);
    split.exits(0).says("program::sleep");
    let piped = plusminus(&folder, &["bench", "--", "sleep 0.01 | cat"]);
    piped.exits(2).complains("bench -- sh -c 'sleep 0.01 | cat'");
    let details = plusminus(&folder, &["bench", "--load", "last", "-v"]);
    details.exits(0).says("95 % interval").says("each a fresh process");
    plusminus(&folder, &["bench", "--load", "last", "--", "true"]).exits(2);
    plusminus(&folder, &["bench", "--explain", "RSU"]).exits(0).says("RSU (");
    plusminus(&folder, &["explain", "no", "time"]).exits(0).says("black_box");
    let unknown = plusminus(&folder, &["explain", "inconclusiv"]);
    unknown.exits(2).complains("`cargo plusminus explain \"inconclusive\"`");
}

#[test]
fn what_cannot_be_measured_is_said_before() {
    let folder = folder("programs-refused");
    let refused = |words: &[&str], said: &str| {
        let mut all = vec!["bench", "--quiet"];
        all.extend(words);
        plusminus(&folder, &all).exits(2).complains(said);
    };
    refused(&["--", "./no-such-program"], "cannot run `./no-such-program`");
    refused(
        &["--", "sh", "-c", "echo lost >&2; exit 3"],
        "it last printed: lost; --ignore-failure",
    );
    refused(&["--", "true", "--", "false"], "false failed: exit status: 1");
    refused(&["--", "true", "--"], "no program before or after `--`");
    refused(&["--", "true", "--", "true", "--", "true"], "and got 3");
    refused(&["--input", "missing", "--", "true"], "cannot read missing");
    refused(&["--prepare", "exit 4", "--", "true"], "--prepare failed: exit status: 4");
    refused(&["--json", "x.json", "--", "true"], "--json and --record are for comparisons");
    refused(&[], "PROGRAM");
    assert!(!folder.join("x.json").exists());
}

/// Ends `bench` of a program that never ends, after this number of starts of it, by a signal to the subcommand alone,
/// as a service sends it.
fn ended_after(starts: usize, name: &str) {
    let folder = folder(name);
    let started = folder.join("started");
    let _ = std::fs::remove_file(&started);
    let script = format!(
        "echo $$ >> '{0}'; test $(wc -l < '{0}') -lt {starts} || exec sleep 1000",
        started.display()
    );
    let mut bench = std::process::Command::new(plusminus_tests::program())
        .current_dir(&folder)
        .env("PLUSMINUS_OUTPUT", folder.join("records"))
        .args(["plusminus", "bench", "--quiet", "--", "sh", "-c", &script])
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let begin = std::time::Instant::now();
    let process = loop {
        let text = std::fs::read_to_string(&started).unwrap_or_default();
        if text.ends_with('\n') && text.lines().count() >= starts {
            break text.lines().last().unwrap().to_owned();
        }
        assert!(begin.elapsed().as_secs() < 60 && bench.try_wait().unwrap().is_none());
        std::thread::sleep(std::time::Duration::from_millis(5));
    };
    let kill = ["-TERM", &bench.id().to_string()];
    assert!(std::process::Command::new("kill").args(kill).status().unwrap().success());
    assert_eq!(bench.wait().unwrap().code(), Some(143));
    // It was killed; how soon the system has removed it is the system's affair.
    let running = format!("/proc/{process}/exe");
    while std::path::Path::new(&running).exists() {
        assert!(begin.elapsed().as_secs() < 120, "it is left behind");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
}

#[test]
fn an_interrupt_ends_a_program_while_it_is_tried_and_while_it_is_measured() {
    ended_after(1, "programs-tried");
    ended_after(3, "programs-interrupted");
}

/// A bench program of another version of plusminus, as far as the first answer goes.
#[test]
fn two_versions_of_the_protocol_are_told_apart() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder("protocols");
    for (name, protocol) in [("old", 1), ("new", 1_000)] {
        let text = format!(
            "#!/bin/sh\n# --plusminus-worker\n\
             echo '{{\"ready\":{{\"protocol\":{protocol},\"clock\":{{\"tick_ns\":1.0,\"window_ns\":19.0,\"loop_ns\":0.25}}}}}}'\n\
             cat >/dev/null\n"
        );
        let path = folder.join(name);
        std::fs::write(&path, text).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    let outcome = plusminus(&folder, &["compare", "--quiet", "--binaries", "old", "new"]);
    outcome.exits(2).complains("old cannot list its benchmarks: ");
    outcome.complains("speaks protocol 1, not ");
    outcome.complains("both sides need the same version of plusminus");
    assert!(!outcome.stderr.contains("--lock"), "nothing is built: {}", outcome.stderr);
}
