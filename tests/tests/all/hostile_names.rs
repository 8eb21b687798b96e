//! Names that nobody expects: listed on one line each, run by exactly that name, and never a path.

use std::path::{Path, PathBuf};

use plusminus::record;
use plusminus_tests::{Fixture, Outcome};

fn run(fixture: &Fixture, binary: &Path, arguments: &[&str]) -> Outcome {
    let output = fixture.command(binary.to_str().unwrap()).args(arguments).output().unwrap();
    Outcome::of(&output)
}

/// All files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => found.extend(files(&entry.path())),
            _ => found.push(entry.path()),
        }
    }
    found
}

#[test]
fn every_hostile_name_is_listed_and_found_again() {
    let fixture = Fixture::new("attributes", "hostile_names");
    let binary = fixture.bench_binary("hostile");
    let listed = run(&fixture, &binary, &["--list", "--format", "terse", "--bench"]);
    listed.exits(0);
    assert_eq!(listed.stderr, "");
    let names: Vec<&str> = listed
        .stdout
        .lines()
        .map(|line| line.strip_suffix(": benchmark").unwrap_or_else(|| panic!("{line:?}")))
        .collect();
    // 26 texts for two variants and a function, and two names of their own: none is lost, none breaks a line.
    assert_eq!(names.len(), 3 * 26 + 2);
    for name in &names {
        assert!(!name.chars().any(char::is_control), "{name:?}");
        // Characters that people and tools strip are not part of a name.
        assert_eq!(name.trim(), *name);
        let found = run(&fixture, &binary, &["--list", "--format", "terse", "--exact", name]);
        assert_eq!(found.exits(0).stdout, format!("{name}: benchmark\n"));
    }
    for hostile in [
        "function::\"\"",
        "function::..",
        "function::line\\nbreak",
        "function::名前",
        "ünïcode 名前",
    ] {
        assert!(names.contains(&hostile), "{hostile}");
        run(&fixture, &binary, &["--exact", hostile, "--nocapture"])
            .exits(0)
            .says(&format!("test {hostile} ... ok"));
    }
}

#[test]
fn no_name_becomes_a_path() {
    let fixture = Fixture::new("attributes", "no_name_becomes_a_path");
    let binary = fixture.bench_binary("hostile");
    let folder = fixture.home("hostile");
    let baselines = [
        "../../escape",
        "/tmp/plusminus-escape",
        "..",
        ".",
        "a/b",
        "A",
        "a",
        "ä",
        "name with blanks",
        "nul",
        "x\ny",
    ];
    for name in baselines {
        let save = format!("--save-baseline={name}");
        let arguments =
            ["--bench", "named", "function::..", "--runs", "2", "--samples", "2", &save];
        run(&fixture, &binary, &arguments).exits(0);
        let compare = format!("--baseline={name}");
        let load = format!("--load={name}");
        let again =
            run(&fixture, &binary, &["--bench", &load, &compare, "../up/and/away", "--exact"]);
        again.exits(0).says("compared with the stored baseline");
    }
    let mut found = files(&fixture.output);
    // The lock that measurements take has a name of its own, which no user gives.
    found.retain(|file| *file != fixture.output.join("measuring.lock"));
    assert!(found.iter().all(|file| file.starts_with(&folder)), "{found:?}");
    let kept = found.iter().filter(|file| file.starts_with(folder.join("baselines"))).count();
    assert_eq!(kept, 2 * baselines.len(), "no two names share a record or a program: {found:?}");
    assert!(!Path::new("/tmp/plusminus-escape.json").exists());
    let is_record = |file: &&PathBuf| file.extension().is_some_and(|ending| ending == "json");
    for file in found.iter().filter(is_record) {
        record::read(file).unwrap_or_else(|error| panic!("{error}"));
    }
    for (name, complaint) in
        [("", "a baseline needs a name"), (&*"x".repeat(300), "300 bytes where 200 are allowed")]
    {
        let save = format!("--save-baseline={name}");
        run(&fixture, &binary, &["--bench", &save]).exits(2).complains(complaint);
    }
}
