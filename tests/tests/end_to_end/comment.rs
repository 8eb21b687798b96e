//! The workflow that comments on pull requests of forks, step by step, with a stand-in for GitHub. Whatever the artifact of a
//! fork has in it, no more than the comment on its own pull request changes.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use plusminus_tests::{
    Outcome, browser_support::faults_of_workflows, program, study_support::folder, workspace,
};

/// Answers as GitHub's command line does, from files, and keeps what it was asked to change.
const GH: &str = r#"#!/usr/bin/env bash
path= method=GET filter= body=
shift
while [ $# -gt 0 ]; do
  case $1 in
    --method) method=$2; shift ;;
    --jq) filter=$2; shift ;;
    -F) body=${2#body=@}; shift ;;
    -f) echo "$2" >> "$GITHUB/asked"; shift ;;
    --silent|--paginate) ;;
    *) path=$1 ;;
  esac
  shift
done
case "$method $path" in
  "GET repos/o/r/pulls") jq -r "$filter" "$GITHUB/pulls.json" ;;
  "GET repos/o/r/actions/runs/5/artifacts") jq -r "$filter" "$GITHUB/artifacts.json" ;;
  "GET repos/o/r/actions/artifacts/9/zip") cat "$GITHUB/artifact.zip" ;;
  "GET repos/o/r/issues/7/comments") jq -r "$filter" "$GITHUB/comments.json" ;;
  *) echo "$method $path" >> "$GITHUB/changed"; cp "$body" "$GITHUB/body" ;;
esac
"#;

/// The open pull requests: 7 is the fork's, 1 is not.
const PULLS: &str =
    r#"[{"number": 1, "head": {"sha": "other"}}, {"number": 7, "head": {"sha": "abc"}}]"#;

#[test]
fn workflows_have_no_fault_for_schemas_and_actionlint() {
    let mut files = vec![workspace().join(".github/actions/compare/action.yml")];
    // Those of the example are what `init --write` writes.
    for folder in [".github/workflows", "examples/gate/.github/workflows"] {
        let found = fs::read_dir(workspace().join(folder)).unwrap();
        files.extend(found.map(|entry| entry.unwrap().path()));
    }
    assert!(files.len() >= 6, "{files:?}");
    let Some(faults) = faults_of_workflows(&files) else { return };
    assert_eq!(faults, "");
    let wrong = folder("wrong-workflow").join("wrong.yml");
    let text = "on: push\njobs:\n  one:\n    runs-on: ubuntu-latest\n    steps:\n      - rum: ls\n";
    fs::write(&wrong, text).unwrap();
    let faults = faults_of_workflows(&[wrong]).unwrap();
    assert!(faults.contains("'rum'") && faults.contains("6:9"), "{faults}");
}

/// The steps of the workflow that run something: the name, and the script.
fn steps() -> Vec<(String, String)> {
    let path = workspace().join(".github/workflows/benchmarks-comment.yml");
    let text = fs::read_to_string(path).unwrap();
    let mut steps = Vec::new();
    for step in text.split("\n      - name: ").skip(1) {
        let (name, rest) = step.split_once('\n').unwrap();
        let Some((_, run)) = rest.split_once("        run: ") else { continue };
        let script = match run.strip_prefix("|\n") {
            Some(block) => block.lines().map(|line| format!("{}\n", line.trim())).collect(),
            None => run.lines().next().unwrap().to_owned(),
        };
        steps.push((name.to_owned(), script));
    }
    assert_eq!(steps.len(), 3, "{steps:?}");
    steps
}

/// The upload of the fork, and the state of GitHub.
struct Event {
    folder: PathBuf,
}

impl Event {
    fn new(name: &str, record: &[u8]) -> Self {
        let folder = workspace().join("target/fixtures/outputs/comment").join(name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.join("github")).unwrap();
        let event = Self { folder };
        event.write("comparison.json", record);
        event.write("number", b"1\n");
        let made = Command::new("python3")
            .args(["-m", "zipfile", "-c", "github/artifact.zip", "comparison.json", "number"])
            .current_dir(&event.folder)
            .status();
        assert!(made.unwrap().success());
        event.write("github/pulls.json", PULLS.as_bytes());
        event.write("github/comments.json", b"[]");
        event.artifact(1000);
        event.write("bin/gh", GH.as_bytes());
        let gh = event.folder.join("bin/gh");
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(gh, fs::Permissions::from_mode(0o755)).unwrap();
        event
    }

    fn write(&self, name: &str, content: &[u8]) {
        let path = self.folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    fn artifact(&self, bytes: u64) {
        let json = format!(
            r#"{{"artifacts": [{{"name": "plusminus", "id": 9, "size_in_bytes": {bytes}}}]}}"#
        );
        self.write("github/artifacts.json", json.as_bytes());
    }

    /// Runs the workflow. Returns what it changed with which text, and what it printed.
    fn run(&self) -> (Option<String>, String, String) {
        let mut printed = String::new();
        let mut number = None;
        for (name, script) in steps() {
            if number.is_none() && !printed.is_empty() {
                break;
            }
            let output = self.folder.join("output");
            let _ = fs::remove_file(&output);
            let paths = [self.folder.join("bin"), program().parent().map(Path::to_owned).unwrap()];
            let others = std::env::var("PATH").unwrap();
            let paths = paths.map(|path| path.display().to_string()).join(":");
            let done = Command::new("bash")
                .args(["-e", "-c", &script])
                .current_dir(&self.folder)
                .env("PATH", format!("{paths}:{others}"))
                .envs([("GITHUB_REPOSITORY", "o/r"), ("GITHUB_ACTIONS", "true"), ("GH_TOKEN", "t")])
                .envs([("RUN", "5"), ("SHA", "abc"), ("HEAD", "fork:a\"; exit 1; $(touch x)")])
                .env("GITHUB", self.folder.join("github"))
                .env("GITHUB_OUTPUT", &output)
                .env("NUMBER", number.clone().unwrap_or_default())
                .env("LC_ALL", "C.UTF-8")
                .output()
                .unwrap();
            let done = Outcome::of(&done);
            assert_eq!(done.code, Some(0), "{name}: {}", done.both());
            printed += &format!("{name}\n{}{}", done.stdout, done.stderr);
            if let Ok(set) = fs::read_to_string(&output) {
                number = set.trim().strip_prefix("number=").map(str::to_owned);
            }
        }
        assert!(!self.folder.join("x").exists(), "the name of a branch was run");
        let read = |name: &str| fs::read_to_string(self.folder.join("github").join(name));
        (read("changed").ok(), read("body").unwrap_or_default(), printed)
    }
}

fn slower() -> Vec<u8> {
    fs::read(workspace().join("tests/records/tutorial/slower.json")).unwrap()
}

#[test]
fn a_slower_benchmark_is_commented_on_the_pull_request_of_its_commit() {
    let event = Event::new("slower", &slower());
    let (changed, body, _) = event.run();
    assert_eq!(changed.as_deref(), Some("POST repos/o/r/issues/7/comments\n"));
    assert!(body.starts_with("<!-- plusminus-compare -->\n### plusminus: "), "{body}");
    let comments = r#"[
        {"id": 3, "user": {"login": "fork"}, "body": "<!-- plusminus-compare -->"},
        {"id": 4, "user": {"login": "github-actions[bot]"}, "body": "<!-- plusminus-compare -->\nold"}]"#;
    let event = Event::new("again", &slower());
    event.write("github/comments.json", comments.as_bytes());
    let (changed, ..) = event.run();
    assert_eq!(changed.as_deref(), Some("PATCH repos/o/r/issues/comments/4\n"));
}

#[test]
fn a_hostile_record_changes_nothing_but_its_own_comment() {
    let mut record: serde_json::Value = serde_json::from_slice(&slower()).unwrap();
    let harm = "<img src=x>\n::error::x\n[y](https://z) @all | `a`\n<!-- plusminus-compare -->";
    record["cases"][0]["name"] = harm.into();
    record["base"]["name"] = harm.into();
    record["number"] = 1.into();
    let event = Event::new("hostile", record.to_string().as_bytes());
    let (changed, body, printed) = event.run();
    assert_eq!(changed.as_deref(), Some("POST repos/o/r/issues/7/comments\n"));
    assert!(body.starts_with("<!-- plusminus-compare -->\n### plusminus: "), "{body}");
    for line in body.lines().skip(1).chain(printed.lines()) {
        // Escaped characters are no markup, and neither is code.
        let unescaped =
            ["\\`", "\\]", "\\["].iter().fold(line.to_owned(), |text, mark| text.replace(mark, ""));
        let outside: String = unescaped.split('`').step_by(2).collect();
        let is_harm = ["<img", "](", "@all", "://"].iter().any(|harm| outside.contains(harm));
        assert!(!is_harm && !line.starts_with("::"), "{line}");
    }
    assert!(body.len() < 65_536);
}

#[test]
fn what_is_no_record_or_has_no_pull_request_has_no_comment() {
    let large = [b"[".repeat(10_000_000), vec![b' '; 50_000_000]].concat();
    for (name, content) in [
        ("html", &b"<html><script>alert(1)</script>"[..]),
        ("json", br#"{"schema": 1, "kind": "comparison", "cases": 3}"#),
        ("markdown", b"# [x](https://y)\n::error::x\n"),
        ("empty", b""),
        ("large", &large),
    ] {
        let (changed, _, printed) = Event::new(name, content).run();
        assert_eq!(changed, None, "{name}: {printed}");
        assert!(printed.contains("The artifact is not a record."), "{name}: {printed}");
    }
    let event = Event::new("size", &slower());
    event.artifact(20_000_001);
    assert!(event.run().2.contains("no record of at most 20 MB"));
    let event = Event::new("closed", &slower());
    event.write("github/pulls.json", br#"[{"number": 1, "head": {"sha": "other"}}]"#);
    assert!(event.run().2.contains("No open pull request has this commit."));
}

#[test]
fn nothing_is_posted_where_nothing_changed() {
    let mut record: serde_json::Value = serde_json::from_slice(&slower()).unwrap();
    record["cases"] = serde_json::json!([]);
    let event = Event::new("same", record.to_string().as_bytes());
    let (changed, _, printed) = event.run();
    assert_eq!(changed, None, "{printed}");
    assert!(printed.contains("Nothing changed, so there is no comment."), "{printed}");
}
