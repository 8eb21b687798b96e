//! The crates in examples/: each runs as tests, and its README and manifest are what a user would copy.

use std::fs;

use plusminus_tests::{Fixture, workspace};

const CRATES: [&str; 6] = ["first", "variants", "work", "run-time", "from-criterion", "gate"];

#[test]
fn every_benchmark_of_the_examples_runs() {
    let output = workspace().join("target/fixtures/outputs/examples-crates");
    let fixture = Fixture { folder: workspace().join("examples"), output };
    let outcome = fixture.cargo(&["test", "--workspace", "--lib", "--benches"]);
    outcome.exits(0);
    for name in [
        "reversed::1000",
        "scan::16",
        "halve::4096",
        "count::short",
        "count_of_each_input",
        "longest::long",
        "longest::short",
        "fibonacci 20",
        "several/80",
        "large::65536",
    ] {
        // A sweep is tested at its smallest point, and all points are listed.
        let listed = outcome.stdout.contains(&format!("test {name} ... ok"));
        let smallest = ["1000", "4096", "65536"].iter().any(|point| name.ends_with(point));
        assert!(listed || smallest, "{name}: {}", outcome.both());
    }
}

#[test]
fn each_example_is_a_crate_that_can_be_copied() {
    let readme = fs::read_to_string(workspace().join("examples/README.md")).unwrap();
    let manifest = fs::read_to_string(workspace().join("examples/Cargo.toml")).unwrap();
    let mut found: Vec<String> = fs::read_dir(workspace().join("examples"))
        .unwrap()
        .map(|entry| entry.unwrap())
        .filter(|entry| entry.path().join("Cargo.toml").exists())
        .map(|entry| entry.file_name().into_string().unwrap())
        .collect();
    found.sort();
    let mut named = CRATES.map(str::to_owned).to_vec();
    named.sort();
    assert_eq!(found, named);
    for name in CRATES {
        assert!(readme.contains(&format!("[{name}]({name})")), "{name}");
        assert!(manifest.contains(&format!("\"{name}\"")), "{name}");
        let folder = workspace().join("examples").join(name);
        let own = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
        // Nothing of this repository: no path, no workspace.
        assert!(!own.contains("path =") && !own.contains("workspace"), "{own}");
        assert!(own.contains("version = \"0.1\"") || own.contains("plusminus = \"0.1\""), "{own}");
        let told = fs::read_to_string(folder.join("README.md")).unwrap();
        assert!((4..20).contains(&told.lines().count()), "{name}: {told}");
    }
}
