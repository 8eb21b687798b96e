//! Calls to the system that bench, compare, changed, study, history, import and report make fail, one by one, and only some
//! of similar ones. No finished result is lost, no file is written in half, and no process is left. The exit code and a
//! sentence report the failure. `PLUSMINUS_TEST_REFUSALS=all` fails more of them.
#![cfg(target_os = "linux")]

mod refusing;

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::Command,
    sync::OnceLock,
};

use plusminus::record::{self, AnyRecord};
use plusminus_tests::{Fixture, program, workspace};
use refusing::{Stage, files, is_temporary, sweep};

/// The bench program, built once.
fn bench() -> &'static Path {
    static BINARY: OnceLock<PathBuf> = OnceLock::new();
    BINARY.get_or_init(|| Fixture::new("faults", "refused_binary").bench_binary("tiny"))
}

/// Folders in which a sweep goes on at the same time.
const STAGES: usize = 3;

/// Makes the stages of a sweep, with copies of programs in them.
fn stages(test: &str, programs: &[(&str, &Path)], line: &str, prepare: fn(&Path)) -> Vec<Stage> {
    let stage = |number: usize| {
        let folder = workspace().join(format!("target/fixtures/refused/{test}-{number}"));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        for (name, from) in programs {
            fs::copy(from, folder.join(name)).unwrap();
        }
        let line = line.split_whitespace().map(str::to_owned).collect();
        Stage { folder, line, prepare }
    };
    (0..STAGES).map(stage).collect()
}

/// The file of a record that is there before.
const OLD: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/records/schema-1.json");

/// All that is wrong with the files that records belong in: none may be there in part.
fn damaged(work: &Path) -> Vec<String> {
    let mut records = files(work);
    records.retain(|file| file.extension().is_some_and(|ending| ending == "json"));
    records.retain(|file| !is_temporary(file));
    records
        .iter()
        .filter_map(|file| record::read_any(file).err())
        .map(|error| error.to_string())
        .collect()
}

#[test]
fn bench_on_a_system_that_refuses() {
    let line = "tiny --bench --exact tiny --save-baseline kept --quiet";
    let prepare = |work: &Path| {
        let baselines = work.join("output/faults/tiny/baselines");
        fs::create_dir_all(&baselines).unwrap();
        fs::copy(OLD, baselines.join("kept.json")).unwrap();
    };
    sweep("bench", &stages("bench", &[("tiny", bench())], line, prepare), |ending| {
        let mut wrong = damaged(&ending.work);
        let kept = ending.work.join("output/faults/tiny/baselines/kept.json");
        let new = |path: &Path| {
            let record = record::read(path).ok()?;
            let case = record.cases.iter().find(|case| case.name == "tiny")?;
            Some(case.failures.is_empty() && case.measurements.len() == 1)
        };
        if !kept.is_file() {
            wrong.push("the old baseline is lost".to_owned());
        }
        match ending.outcome.code {
            Some(0) => {
                let mut records = files(&ending.work.join("output/faults/tiny/records"));
                records.retain(|file| !is_temporary(file));
                if records.len() != 1 || new(&records[0]) != Some(true) || new(&kept) != Some(true)
                {
                    wrong.push("it is fine without its results".to_owned());
                }
            }
            Some(2) => {}
            _ if ending.is_interrupted() => {}
            code => wrong.push(format!("exit code {code:?}")),
        }
        wrong
    });
}

#[test]
fn compare_on_a_system_that_refuses() {
    let line = "cargo-plusminus plusminus compare --binaries ../base ../new --max-blocks 6 --margin 50% --measure all --quiet \
                --json result.json --comment comment.md --record record.json --exact tiny";
    let programs = [("cargo-plusminus", program()), ("base", bench()), ("new", bench())];
    let prepare = |work: &Path| fs::write(work.join("comment.md"), "old").unwrap();
    sweep("compare", &stages("compare", &programs, line, prepare), |ending| {
        let mut wrong = Vec::new();
        let read = |name: &str| fs::read_to_string(ending.work.join(name)).ok();
        let json: Option<serde_json::Result<serde_json::Value>> =
            read("result.json").map(|text| serde_json::from_str(&text));
        if matches!(json, Some(Err(_))) {
            wrong.push("half of the JSON".to_owned());
        }
        let record = record::read_any(&ending.work.join("record.json"));
        if ending.work.join("record.json").exists()
            && !matches!(record, Ok(AnyRecord::Comparison(_)))
        {
            wrong.push("half of a record".to_owned());
        }
        let comment = read("comment.md").unwrap_or_default();
        let whole = comment.starts_with("<!-- plusminus-compare -->") && comment.ends_with('\n');
        if comment != "old" && !whole {
            wrong.push("half of a comment".to_owned());
        }
        match ending.outcome.code {
            Some(0 | 1 | 3) if json.is_none() || comment == "old" || record.is_err() => {
                wrong.push("it has decided without its results".to_owned());
            }
            Some(0..=3) => {}
            _ if ending.is_interrupted() => {}
            code => wrong.push(format!("exit code {code:?}")),
        }
        wrong
    });
}

/// Answers cargo's questions without building: its knowledge of the package, and the existing program.
const CARGO: &str = r#"#!/bin/sh
here=$(dirname "$0")
case $1 in
metadata) sed "s|HERE|$here/work|g" "$here/metadata.json" ;;
bench) mkdir -p "$here/work/target/plusminus/compare/build"; sed "s|HERE|$here/work|g; s|PROGRAM|$here/tiny|g" "$here/artifact.json" ;;
*) exit 1 ;;
esac
"#;

const METADATA: &str = r#"{"packages": [{"name": "small", "version": "0.1.0", "id": "path+file://HERE#small@0.1.0", "source": null,
 "manifest_path": "HERE/Cargo.toml", "features": {}, "dependencies": [{"name": "plusminus"}], "targets": [{"name": "tiny", "kind": ["bench"],
 "crate_types": ["bin"], "src_path": "HERE/tiny.rs", "edition": "2024", "doc": false, "doctest": false, "test": false}]}],
 "workspace_members": ["path+file://HERE#small@0.1.0"], "workspace_default_members": ["path+file://HERE#small@0.1.0"],
 "target_directory": "HERE/target", "workspace_root": "HERE", "version": 1}"#;

const ARTIFACT: &str = concat!(
    r#"{"reason":"compiler-artifact","package_id":"path+file://HERE#small@0.1.0","manifest_path":"HERE/Cargo.toml","target":"#,
    r#"{"kind":["bench"],"crate_types":["bin"],"name":"tiny","src_path":"HERE/tiny.rs","edition":"2024","doc":false,"#,
    r#""doctest":false,"test":false},"profile":{"opt_level":"3","debuginfo":1,"debug_assertions":false,"#,
    r#""overflow_checks":false,"test":true},"features":[],"filenames":["PROGRAM"],"executable":"PROGRAM","fresh":false}"#
);

/// Makes a repository of one commit in the folder of a stage, and replacements for cargo and rustc outside of it.
fn repository(stage: &Path) {
    let write = |name: &str, text: &str| fs::write(stage.join(name), text).unwrap();
    write("cargo", CARGO);
    write("rustc", "#!/bin/sh\necho /nowhere\n");
    write("metadata.json", METADATA);
    write("artifact.json", ARTIFACT);
    for script in ["cargo", "rustc"] {
        fs::set_permissions(stage.join(script), fs::Permissions::from_mode(0o755)).unwrap();
    }
    let folder = stage.join("repository");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("Cargo.toml"), "[package]\nname = \"small\"\n").unwrap();
    fs::write(folder.join("Cargo.lock"), "version = 4\n").unwrap();
    fs::write(folder.join(".gitignore"), "/target\n/temporary\n/output\n").unwrap();
    let git = |line: &str| {
        let mut git = Command::new("git");
        git.current_dir(&folder).args(["-c", "user.name=n", "-c", "user.email=e@example.org"]);
        assert!(git.args(line.split(' ')).status().unwrap().success(), "git {line}");
    };
    git("init -q --template= -b main");
    git("add -A");
    git("commit -qm first");
}

/// Stages for a command that builds the versions of a repository.
fn stages_of_versions(test: &str, line: &str) -> Vec<Stage> {
    let programs = [("cargo-plusminus", program()), ("tiny", bench())];
    let prepare = |work: &Path| {
        let stage = work.parent().unwrap();
        let _ = fs::remove_file(stage.join("result.json"));
        let copied =
            Command::new("cp").arg("-r").arg(stage.join("repository/.")).arg(work).status();
        assert!(copied.unwrap().success());
    };
    let stages = stages(test, &programs, line, prepare);
    stages.iter().for_each(|stage| repository(&stage.folder));
    stages
}

#[test]
fn changed_on_a_system_that_refuses() {
    let line = "cargo-plusminus plusminus changed HEAD --quiet --format github";
    sweep("changed", &stages_of_versions("changed", line), |ending| {
        let told = fs::read_to_string(ending.work.join("github-output")).unwrap_or_default();
        match ending.outcome.code {
            Some(0) if told != "changed=false\nbenches=[]\narguments=[]\n" => {
                vec![format!("it is fine without its results: {told}")]
            }
            Some(0 | 2) => Vec::new(),
            _ if ending.is_interrupted() => Vec::new(),
            code => vec![format!("exit code {code:?}")],
        }
    });
}

#[test]
fn compare_of_commits_on_a_system_that_refuses() {
    let line = "cargo-plusminus plusminus compare HEAD --quiet --json ../result.json";
    let stages = stages_of_versions("commits", line);
    sweep("compare of commits", &stages, |ending| {
        let result = ending.work.parent().unwrap().join("result.json");
        let text = fs::read_to_string(result).ok();
        let json = text.map(|text| serde_json::from_str::<serde_json::Value>(&text).is_ok());
        let mut wrong = Vec::new();
        match (ending.outcome.code, json) {
            (_, Some(false)) => wrong.push("half of the JSON".to_owned()),
            (Some(0..=1 | 3), None) => wrong.push("it has decided without its results".to_owned()),
            (Some(0..=3), _) => {}
            _ if ending.is_interrupted() => {}
            (code, _) => wrong.push(format!("exit code {code:?}")),
        }
        wrong
    });
}

/// Sweeps over a command that makes one file: it is there and whole, or the command reports its failure.
fn makes_one_file(name: &str, line: &str, prepare: fn(&Path), file: fn(&Path) -> Option<PathBuf>) {
    let whole = |path: &Path| {
        let text = fs::read_to_string(path).unwrap_or_default();
        match path.extension().and_then(|ending| ending.to_str()) {
            Some("html") => text.trim_end().ends_with("</html>"),
            _ => serde_json::from_str::<serde_json::Value>(&text).is_ok(),
        }
    };
    let programs = [("cargo-plusminus", program())];
    sweep(name, &stages(name, &programs, line, prepare), |ending| {
        let made = file(&ending.work);
        match (ending.outcome.code, made) {
            (_, Some(made)) if !whole(&made) => vec![format!("half of {}", made.display())],
            (Some(0), None) => vec!["it is fine without its results".to_owned()],
            (Some(0 | 2), _) => Vec::new(),
            _ if ending.is_interrupted() => Vec::new(),
            (code, _) => vec![format!("exit code {code:?}")],
        }
    });
}

/// The one file in a folder that is announced.
fn only_file(folder: &Path) -> Option<PathBuf> {
    let mut found = files(folder);
    found.retain(|file| !is_temporary(file));
    assert!(found.len() < 2, "{found:?}");
    found.pop()
}

#[test]
fn history_import_and_report_on_a_system_that_refuses() {
    let record = |work: &Path| {
        fs::copy(OLD, work.join("record.json")).unwrap();
    };
    makes_one_file(
        "history",
        "cargo-plusminus plusminus history add record.json --dir history --commit c --machine m",
        record,
        |work| only_file(&work.join("history")),
    );
    makes_one_file(
        "report",
        "cargo-plusminus plusminus report record.json --output pages --quiet",
        record,
        |work| only_file(&work.join("pages")),
    );
    let times = |work: &Path| {
        let times = concat!(env!("CARGO_MANIFEST_DIR"), "/imports/hyperfine.json");
        fs::copy(times, work.join("times.json")).unwrap();
    };
    makes_one_file(
        "import",
        "cargo-plusminus plusminus import hyperfine times.json --output record.json",
        times,
        |work| Some(work.join("record.json")).filter(|file| file.exists()),
    );
}

#[test]
fn study_on_a_system_that_refuses() {
    let line = "cargo-plusminus plusminus study record.json --json study.json";
    let prepare = |work: &Path| {
        fs::copy(OLD, work.join("record.json")).unwrap();
        fs::write(work.join("study.json"), "{}").unwrap();
    };
    let programs = [("cargo-plusminus", program())];
    sweep("study", &stages("study", &programs, line, prepare), |ending| {
        let text = fs::read_to_string(ending.work.join("study.json")).unwrap_or_default();
        let whole = serde_json::from_str::<serde_json::Value>(&text).is_ok();
        match ending.outcome.code {
            _ if !whole => vec!["half of the JSON".to_owned()],
            Some(0) if text == "{}" => vec!["it is fine without its results".to_owned()],
            Some(0 | 2) => Vec::new(),
            _ if ending.is_interrupted() => Vec::new(),
            code => vec![format!("exit code {code:?}")],
        }
    });
}
