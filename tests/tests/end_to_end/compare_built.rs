//! Inputs of the builds of `compare`. Cargo decides what is fresh, crates outside of the repository and lock files
//! are the same for both sides, and skipped targets are reported. Nothing is measured.

use std::{fs, path::Path};

use crate::repository::{Repository, UNOPTIMISED};
use plusminus_tests::{Outcome, workspace};
use serde_json::Value;

/// Makes a repository that depends by a relative path on a crate outside of it.
fn beside_helper(name: &str) -> Repository {
    let folder = workspace().join("target/fixtures/repositories").join(format!("around-{name}"));
    let _ = fs::remove_dir_all(folder);
    let repository = Repository::in_folder(name, &format!("around-{name}/project"));
    repository.write(
        "../helper/Cargo.toml",
        "[package]\nname = \"helper\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace]\n\
         [dependencies]\nfurther = { path = \"../more/further\" }\n",
    );
    repository.write("../helper/src/lib.rs", "pub fn word() -> &'static str { further::WORD }\n");
    repository.write(
        "../more/further/Cargo.toml",
        "[package]\nname = \"further\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace]\n",
    );
    say(&repository, "the-first-word");
    let manifest = fs::read_to_string(repository.folder.join("Cargo.toml")).unwrap();
    let dependency = "[dev-dependencies]\nhelper = { path = \"../helper\" }\n";
    repository.write("Cargo.toml", &manifest.replace("[dev-dependencies]\n", dependency));
    repository.write(
        "benches/speed.rs",
        "#[plusminus::bench] fn says() -> usize { std::hint::black_box(helper::word()).len() }\n\
         plusminus::main!();\n",
    );
    repository
}

fn say(repository: &Repository, word: &str) {
    let text = format!("pub static WORD: &str = \"{word}\";\n");
    repository.write("../more/further/src/lib.rs", &text);
}

fn program(built: &Value, side: &str) -> String {
    built["programs"][0][side].as_str().unwrap_or_else(|| panic!("{built}")).to_owned()
}

fn contains(program: &str, text: &str) -> bool {
    fs::read(program).unwrap().windows(text.len()).any(|window| window == text.as_bytes())
}

#[test]
fn a_crate_outside_of_the_repository_is_the_same_and_fresh_on_both_sides() {
    let repository = beside_helper("fresh-outside");
    repository.commit("first");
    repository.write("README.md", "");
    repository.commit("second");
    for word in ["the-first-word", "another-word-now"] {
        say(&repository, word);
        for range in ["HEAD~1..HEAD", "HEAD"] {
            let built = repository.built(&[range]);
            for side in ["base", "new"] {
                let program = program(&built, side);
                assert!(contains(&program, word), "{range}, {side}: {program}");
            }
            let crates = &built["outside"].as_array().unwrap();
            let named = |name: &str| crates.iter().any(|of| of["crates"][0] == name);
            assert!(named("helper") || named("further"), "{built}");
        }
    }
    repository.is_tidy();
}

#[test]
fn identical_code_beside_an_outside_crate_is_the_same_program() {
    let repository = beside_helper("same-program");
    repository.commit("first");
    let built = repository.built(&["HEAD"]);
    // Names of functions have the identity of their crate in them, and it decides in which order they are linked.
    let functions = |side: &str| {
        let program = fs::read(program(&built, side)).unwrap();
        let text = String::from_utf8_lossy(&program).into_owned();
        let words =
            text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '$' && c != '.');
        let mut names: Vec<String> = words
            .filter(|word| word.starts_with("_ZN") || word.starts_with("_RN"))
            .filter(|word| {
                word.contains("helper") || word.contains("further") || word.contains("speed")
            })
            .map(str::to_owned)
            .collect();
        names.sort();
        names.dedup();
        names
    };
    let base = functions("base");
    assert!(!base.is_empty());
    assert_eq!(base, functions("new"));
}

#[test]
fn the_harness_itself_is_found_by_a_relative_path_and_its_state_is_said() {
    let repository = Repository::in_folder("relative-harness", "around-relative/project");
    let harness = workspace().join("harness").display().to_string();
    let manifest = fs::read_to_string(repository.folder.join("Cargo.toml")).unwrap();
    // From target/fixtures/repositories/around-relative/project.
    repository.write("Cargo.toml", &manifest.replace(&harness, "../../../../../harness"));
    repository.benches(&[("one", 1_000)]);
    repository.commit("first");
    let built = repository.built(&["HEAD"]);
    assert!(Path::new(&program(&built, "base")).is_file());
    let outside = &built["outside"][0];
    // A record may be published: its paths begin in the repository.
    assert_eq!(outside["folder"], "../../../../..");
    assert!(outside["crates"].as_array().unwrap().contains(&"plusminus".into()), "{built}");
    assert_eq!(outside["commit"].as_str().map(str::len), Some(40), "{built}");
    repository.is_tidy();
}

#[test]
fn a_version_is_no_part_of_the_workspace_around_its_tree() {
    let repository = Repository::new("no-workspace");
    let manifest = fs::read_to_string(repository.folder.join("Cargo.toml")).unwrap();
    repository.benches(&[("one", 1_000)]);
    repository.write("Cargo.toml", &manifest.replace("[workspace]\n", ""));
    repository.commit("a package alone");
    repository.write("Cargo.toml", &manifest);
    // The tree stands below the target directory of this project, whose workspace it would be taken to belong to.
    let built = repository.built(&["HEAD"]);
    assert!(Path::new(&program(&built, "base")).is_file());
    repository.is_tidy();
}

#[test]
fn what_was_built_before_is_not_built_again_and_what_was_damaged_is() {
    let repository = Repository::new("built-once");
    let names = ["in_the_first_commit", "in_the_second_commit"];
    for name in names {
        repository.benches(&[(name, 1_000)]);
        repository.commit(name);
    }
    // A target folder of its own: what other tests build in the common one would be what was built last.
    let own = repository.target().with_file_name("alone");
    let build = |range: &str, side: &str| {
        let mut command = repository.unmeasured(&[range, "--format", "json"]);
        let output = command.env("CARGO_TARGET_DIR", &own).output();
        let outcome = Outcome::of(&output.unwrap());
        let report: Value = serde_json::from_str(&outcome.exits(0).stdout).unwrap();
        program(&report["built"], side)
    };
    let first = build("HEAD~1..HEAD", "base");
    let modified = || fs::metadata(&first).unwrap().modified().unwrap();
    let before = modified();
    assert_eq!(build("HEAD~1..HEAD", "base"), first);
    assert_eq!(modified(), before, "the same commit again is fresh");
    let whole = fs::read(&first).unwrap();
    fs::write(&first, &whole[..whole.len() / 2]).unwrap();
    build("HEAD~1..HEAD", "base");
    assert_eq!(fs::read(&first).unwrap().len(), whole.len(), "a truncated program is linked again");
    // A different commit in the same folder is never taken for the one before.
    for (range, found) in [("HEAD", [false, true]), ("HEAD~1", [true, false])] {
        let program = build(range, "base");
        assert_eq!(names.map(|name| contains(&program, name)), found, "{range}");
    }
}

/// A repository that depends on a crate in another one, by git, and that one.
fn with_published(name: &str) -> (Repository, Repository) {
    let published = Repository::new(&format!("{name}-published"));
    published.write(
        "Cargo.toml",
        &format!(
            "[package]\nname = \"{name}-published\"\nversion = \"1.0.0\"\nedition = \"2024\"\n"
        ),
    );
    published.commit("first");
    let repository = Repository::new(name);
    let manifest = fs::read_to_string(repository.folder.join("Cargo.toml")).unwrap();
    let dependency = format!(
        "[dev-dependencies]\n{name}-published = {{ git = \"file://{}\" }}\n",
        published.folder.display()
    );
    repository.write("Cargo.toml", &manifest.replace("[dev-dependencies]\n", &dependency));
    repository.benches(&[("one", 1_000)]);
    (repository, published)
}

/// Runs cargo, and answers the lock file of a workspace.
fn lock(repository: &Repository, command: &[&str], workspace: &Path) -> Vec<u8> {
    let done = repository.command("cargo").args(command).args(["--quiet"]).status().unwrap();
    assert!(done.success());
    fs::read(workspace.join("Cargo.lock")).unwrap()
}

#[test]
fn a_version_without_a_lock_file_is_given_that_of_the_working_tree() {
    let (repository, published) = with_published("lock-ignored");
    repository.commit("first");
    let before = lock(&repository, &["generate-lockfile"], &repository.folder);
    // A later version, which resolving anew would find.
    published.write("README.md", "");
    published.commit("second");
    let built = repository.built(&["HEAD"]);
    assert_eq!(built["dependencies"].as_array().unwrap().len(), 0, "{built}");
    assert_eq!(built["locks"]["base"]["origin"], "the working tree's");
    assert_eq!(built["locks"]["new"]["origin"], "its own");
    assert_eq!(fs::read(repository.folder.join("Cargo.lock")).unwrap(), before);
    repository.is_tidy();
}

#[test]
fn versions_of_dependencies_that_differ_are_listed_and_can_be_made_the_same() {
    let (repository, published) = with_published("lock-committed");
    repository.write(".gitignore", "target\n");
    lock(&repository, &["generate-lockfile"], &repository.folder);
    let old = repository.commit("first");
    published.write("README.md", "");
    let newest = published.commit("second");
    let updated =
        lock(&repository, &["update", "-p", "lock-committed-published"], &repository.folder);
    let changed = |arguments: &[&str]| {
        let built = repository.built(arguments);
        let found = built["dependencies"].as_array().unwrap().clone();
        found.into_iter().map(|one| one["new"][0].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(changed(&[&old]), [format!("1.0.0 ({})", &newest[..12])]);
    assert_eq!(changed(&[&old, "--lock", "head"]), Vec::<String>::new());
    assert_eq!(fs::read(repository.folder.join("Cargo.lock")).unwrap(), updated, "the user's own");
    let text = Outcome::of(&repository.unmeasured(&[&old]).output().unwrap());
    text.exits(0).says("Dependencies differ").says("lock-committed-published 1.0.0 (");
    // The record keeps it with the options, for a report on another machine.
    repository.benches(&[("one", 20_000)]);
    let record = repository.folder.join("target/differing.json");
    let record = record.to_str().unwrap();
    let first = repository.aligned(&[
        &old,
        "--package=lock-committed",
        "--max-blocks=8",
        "--margin=3",
        "--record",
        record,
    ]);
    first
        .exits(1)
        .says("Dependencies differ")
        .says("--package=lock-committed --layout=aligned --margin=3");
    let again = repository.compare(&["--from", record]);
    assert_eq!(again.exits(1).stdout, first.stdout);
    repository.is_tidy();
}

#[test]
fn targets_without_their_features_or_with_another_harness_are_left_out_and_named() {
    let repository = Repository::new("left-out");
    let manifest = fs::read_to_string(repository.folder.join("Cargo.toml")).unwrap();
    let more = "[features]\nheavy = []\n[[bench]]\nname = \"big\"\nharness = false\n\
                required-features = [\"heavy\"]\n[[bench]]\nname = \"foreign\"\nharness = false\n";
    repository.write("Cargo.toml", &format!("{manifest}{more}"));
    repository.benches(&[("one", 1_000)]);
    repository.write(
        "benches/big.rs",
        "#[plusminus::bench] fn big() -> u64 { std::hint::black_box(1) }\nplusminus::main!();\n",
    );
    repository.write("benches/foreign.rs", "fn main() {}\n");
    repository.commit("first");
    let built = repository.built(&["HEAD"]);
    let left_out = serde_json::json!([
        { "target": "big", "why": "needs --features heavy" },
        { "target": "foreign", "why": "has another harness or its own `main`, without `plusminus::main!`, `criterion_main!` or `divan::main`" },
    ]);
    assert_eq!(built["left_out"], left_out, "named once");
    assert_eq!(built["programs"].as_array().unwrap().len(), 1);
    let built = repository.built(&["HEAD", "--features", "heavy"]);
    assert_eq!(built["programs"].as_array().unwrap().len(), 2);
    assert_eq!(built["left_out"].as_array().unwrap().len(), 1);
}

#[test]
fn a_target_whose_benchmarks_cannot_be_listed_fails_alone() {
    let repository = Repository::new("unlisted");
    let manifest = fs::read_to_string(repository.folder.join("Cargo.toml")).unwrap();
    let more = "[[bench]]\nname = \"broken\"\nharness = false\n";
    repository.write("Cargo.toml", &format!("{manifest}{more}"));
    repository.benches(&[("one", 1_000)]);
    repository.write(
        "benches/broken.rs",
        "#[plusminus::bench(args = [std::fs::read(\"corpus\").unwrap().len()])]\n\
         fn parse(n: usize) -> usize { std::hint::black_box(n) }\nplusminus::main!();\n",
    );
    repository.commit("first");
    let outcome = repository.compare(&["HEAD", "--measure", "none"]);
    outcome.exits(2).says(
        "broken failed in base: cannot be measured: the points of `parse` cannot be listed (benches/broken.rs:1): ",
    );
    outcome.says("needs an absolute path").says("1 failed, 1 identical code");
    let alone = repository.compare(&["HEAD", "--measure", "none", "--bench", "broken"]);
    alone.exits(2).complains("broken cannot list its benchmarks: the ");
    let listed = repository.plusminus(&["changed", "HEAD"]).output().unwrap();
    Outcome::of(&listed).exits(2).complains("broken cannot list its benchmarks: the ");
}

#[test]
fn an_outside_crate_that_leads_back_finds_the_version_that_is_built() {
    let repository = beside_helper("leads-back");
    repository.write(
        "inner/Cargo.toml",
        "[package]\nname = \"inner\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace]\n",
    );
    let inner = |word: &str| {
        repository.write("inner/src/lib.rs", &format!("pub static WORD: &str = \"{word}\";\n"));
    };
    repository.write(
        "../helper/Cargo.toml",
        "[package]\nname = \"helper\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace]\n\
         [dependencies]\ninner = { path = \"../project/inner\" }\n",
    );
    repository.write("../helper/src/lib.rs", "pub fn word() -> &'static str { inner::WORD }\n");
    inner("word-of-the-commit");
    repository.commit("first");
    inner("word-of-the-tree");
    let built = repository.built(&["HEAD"]);
    assert!(contains(&program(&built, "base"), "word-of-the-commit"));
    assert!(contains(&program(&built, "new"), "word-of-the-tree"));
    repository.is_tidy();
}

#[test]
fn a_workspace_around_the_repository_is_that_of_both_sides() {
    let folder = workspace().join("target/fixtures/repositories/around-member");
    let _ = fs::remove_dir_all(&folder);
    let repository = Repository::in_folder("member-alone", "around-member/project");
    let root = "[workspace]\nmembers = [\"project\"]\nresolver = \"3\"\n";
    repository.write("../Cargo.toml", &format!("{root}{UNOPTIMISED}"));
    let manifest = fs::read_to_string(repository.folder.join("Cargo.toml")).unwrap();
    repository.write("Cargo.toml", &manifest.replace("[workspace]\n", ""));
    repository.benches(&[("one", 1_000)]);
    repository.commit("first");
    let before = lock(&repository, &["generate-lockfile"], &folder);
    let built = repository.built(&["HEAD"]);
    assert!(Path::new(&program(&built, "base")).is_file());
    assert_eq!(built["locks"]["base"]["origin"], "the working tree's");
    assert_eq!(fs::read(folder.join("Cargo.lock")).unwrap(), before);
    repository.is_tidy();
}
