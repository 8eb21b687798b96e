//! An interrupt in the middle leaves nothing behind: no worktree, no process.

use std::{
    fs,
    path::PathBuf,
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use crate::repository::{Repository, processes_below};
use plusminus_tests::Outcome;

/// Whether the tree of base stands, and is that of a package.
fn base_tree_of(repository: &Repository, package: &str) -> bool {
    let inner = repository.folder.parent().unwrap().strip_prefix("/").unwrap();
    let trees = repository.target().join("plusminus/compare/target/package").join(inner);
    let manifest =
        fs::read_to_string(trees.join("base-side-of-cargo-plusminus-compare/Cargo.toml"));
    manifest.is_ok_and(|text| text.contains(package))
}

/// Waits for something that other processes do, which may wait for other comparisons that build. The limit only ends a
/// test that would hang.
#[track_caller]
fn wait_until(what: &str, reached: impl Fn() -> bool) {
    wait_for(what, 1800, reached);
}

/// As [`wait_until`], for something that waits for nothing else.
#[track_caller]
fn wait_for(what: &str, seconds: u64, reached: impl Fn() -> bool) {
    let begin = Instant::now();
    while !reached() {
        assert!(begin.elapsed() < Duration::from_secs(seconds), "{what} did not happen");
        thread::sleep(Duration::from_millis(10));
    }
}

/// Processes that run a copy of a program which a comparison has made.
fn workers(repository: &Repository) -> usize {
    let all = fs::read_dir("/proc").into_iter().flatten().flatten();
    let running = all.filter_map(|process| fs::read_link(process.path().join("exe")).ok());
    let folder = repository.target().join("plusminus/compare/.tmp").display().to_string();
    running.filter(|program| program.to_string_lossy().starts_with(&folder)).count()
}

fn send(signal: &str, process: u32) {
    let sent = Command::new("kill").args([signal, &process.to_string()]).status();
    assert!(sent.unwrap().success());
}

/// Interrupts a comparison once `reached` holds, and answers its exit code.
fn interrupted(repository: &Repository, reached: impl Fn() -> bool) -> Option<i32> {
    let arguments =
        ["compare", "HEAD~1..HEAD", "--quiet", "--max-blocks", "100000", "--margin", "0.000001"];
    let mut comparison = repository.plusminus(&arguments).spawn().unwrap();
    while !reached() {
        assert!(comparison.try_wait().unwrap().is_none(), "it ended by itself");
        thread::sleep(Duration::from_millis(5));
    }
    send("-INT", comparison.id());
    comparison.wait().unwrap().code()
}

#[test]
fn nothing_is_left_after_an_interrupt() {
    let repository = Repository::new("interrupted");
    repository.benches(&[("one", 100_000)]);
    repository.commit("first");
    // The code has to differ, or nothing would be measured.
    repository.benches(&[("one", 100_001)]);
    repository.commit("second");
    let ours = |package: &str| base_tree_of(&repository, package);
    // While the first side is checked out or built.
    assert_eq!(interrupted(&repository, || ours("\"interrupted\"")), Some(130));
    repository.is_tidy();
    assert!(!ours("\"interrupted\""));
    // While it measures: workers run from copies that only a running comparison has.
    let measuring = || {
        let folder = repository.target().join("plusminus/compare");
        ours("\"interrupted\"") && processes_below(&folder) > 0
    };
    assert_eq!(interrupted(&repository, measuring), Some(130));
    repository.is_tidy();
    assert!(!ours("\"interrupted\""));
    // The workers of this comparison are gone: they ran from its copies, which are gone as well.
    let copies = repository.target().join("plusminus/compare").display().to_string();
    let mut left = 0;
    for process in std::fs::read_dir("/proc").into_iter().flatten().flatten() {
        let running = std::fs::read_link(process.path().join("exe")).unwrap_or_default();
        let running = running.to_string_lossy().into_owned();
        let here = running.starts_with(&copies);
        left += usize::from(here && running.ends_with("(deleted)"));
    }
    assert_eq!(left, 0);
}

/// Makes a repository whose build script never ends, and the file that contains the script's process.
fn that_builds_for_ever(name: &str) -> (Repository, PathBuf) {
    let repository = Repository::new(name);
    let started = repository.folder.with_extension("started");
    let _ = fs::remove_file(&started);
    repository.benches(&[("one", 1_000)]);
    repository.write(
        "build.rs",
        &format!(
            "fn main() {{ std::fs::write({started:?}, std::process::id().to_string()).unwrap(); \
             std::thread::sleep(std::time::Duration::from_secs(100_000)); }}\n"
        ),
    );
    repository.commit("first");
    (repository, started)
}

fn building(repository: &Repository, started: &PathBuf) -> (Child, u32) {
    let mut command = repository.plusminus(&["compare", "HEAD", "--no-run"]);
    // With files instead of pipes, nothing but the guard can notice the end.
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let comparison = command.spawn().unwrap();
    wait_until("the build", || fs::read_to_string(started).is_ok_and(|text| !text.is_empty()));
    let script = fs::read_to_string(started).unwrap().parse().unwrap();
    (comparison, script)
}

#[test]
fn no_build_goes_on_after_the_end_of_its_comparison() {
    let (repository, started) = that_builds_for_ever("ended-while-building");
    // Under `nohup`, programs that are started here also ignore it: the first bit.
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap().trim();
    let hangs_up = u64::from_str_radix(ignored, 16).unwrap() & 1 == 0;
    let signals = [("-KILL", None), ("-HUP", Some(129)), ("-TERM", Some(143))];
    for (signal, code) in signals.into_iter().filter(|(name, _)| *name != "-HUP" || hangs_up) {
        let _ = fs::remove_file(&started);
        let (mut comparison, script) = building(&repository, &started);
        send(signal, comparison.id());
        assert_eq!(comparison.wait().unwrap().code(), code, "{signal}");
        // A number that was given to another process since would be of another program.
        let alive = || {
            let running = fs::read_link(format!("/proc/{script}/exe"));
            running.is_ok_and(|program| program.to_string_lossy().contains("build-script"))
        };
        wait_for("the end of the build script", 120, || !alive());
        if code.is_some() {
            repository.is_tidy();
        }
    }
    // The next run has removed the files that the killed one could not remove.
    repository.is_tidy();
    let left = fs::read_dir(repository.target().join("plusminus/compare")).unwrap();
    let left: Vec<_> = left.map(|entry| entry.unwrap().file_name()).collect();
    let temporary = left.iter().filter(|name| name.to_string_lossy().starts_with(".tmp"));
    // Another test may be in the middle of one.
    assert!(temporary.count() <= 1, "{left:?}");
}

#[test]
fn the_second_comparison_says_what_it_waits_for() {
    let (repository, started) = that_builds_for_ever("waited-for");
    let (mut first, _) = building(&repository, &started);
    let said = repository.folder.with_extension("said");
    let mut command = repository.plusminus(&["compare", "HEAD", "--no-run"]);
    command.stdout(Stdio::null()).stderr(fs::File::create(&said).unwrap());
    let mut second = command.spawn().unwrap();
    let owner = format!("(process {})", first.id());
    wait_until("a sentence", || {
        let said = fs::read_to_string(&said).unwrap();
        said.contains("waiting for another comparison") && said.contains(&owner)
    });
    send("-TERM", second.id());
    assert_eq!(second.wait().unwrap().code(), Some(143));
    send("-TERM", first.id());
    first.wait().unwrap();
}

#[test]
fn an_interrupt_while_measuring_reports_what_is_known() {
    let repository = Repository::new("interrupted-report");
    repository.benches(&[("one", 100_000), ("two", 100_000)]);
    repository.commit("first");
    let said = repository.folder.with_extension("said");
    let json = repository.folder.with_extension("json");
    let _ = fs::remove_file(&json);
    let mut command = repository.plusminus(&["compare", "HEAD", "--max-blocks", "100000"]);
    // Both sides run the same code, which would need no measuring.
    command.args(["--measure", "all", "--quiet", "--margin", "0.000001", "--json"]).arg(&json);
    let mut comparison = command.stdout(fs::File::create(&said).unwrap()).spawn().unwrap();
    // One worker lists benchmarks; two are there when they are measured.
    wait_until("measuring", || {
        base_tree_of(&repository, "interrupted-report") && workers(&repository) >= 2
    });
    send("-INT", comparison.id());
    assert_eq!(comparison.wait().unwrap().code(), Some(130));
    let outcome =
        Outcome { stdout: fs::read_to_string(&said).unwrap(), stderr: String::new(), code: None };
    outcome.says("interrupted; ").says("Interrupted by signal 2. Not decided: ").says("two");
    let report: serde_json::Value = serde_json::from_slice(&fs::read(&json).unwrap()).unwrap();
    assert_eq!((&report["interrupted"], &report["exit_code"]), (&2.into(), &130.into()));
    repository.is_tidy();
}
