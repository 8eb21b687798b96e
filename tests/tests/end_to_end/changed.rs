//! `cargo plusminus changed`, and entries of `plusminus.toml`, on a package with benchmarks of three harnesses: nothing is measured.

use std::fs;

use plusminus_tests::Outcome;

use crate::repository::Repository;

const LIB: &str = "#[inline(never)] pub fn one(x: u64) -> u64 { x.wrapping_mul(3) }\n\
                   #[inline(never)] pub fn two(x: u64) -> u64 { x.wrapping_mul(5) }\n";

/// A bench target with a `main` of its own, as criterion's and many others have.
fn own_main(function: &str) -> String {
    format!(
        "fn main() {{ std::process::exit(changed::{function}(std::hint::black_box(1)) as i32); }}\n"
    )
}

fn repository() -> Repository {
    let repository = Repository::new("changed");
    let manifest = fs::read_to_string(repository.folder.join("Cargo.toml")).unwrap();
    let targets = "[[bench]]\nname = \"other_one\"\nharness = false\n[[bench]]\nname = \"other_two\"\nharness = false\n";
    repository.write("Cargo.toml", &format!("{manifest}{targets}"));
    repository.write("src/lib.rs", LIB);
    let bench = |name: &str| {
        format!(
            "#[plusminus::bench] fn own_{name}() -> u64 {{ changed::{name}(std::hint::black_box(1)) }}\n"
        )
    };
    let own = format!("{}{}plusminus::main!();\n", bench("one"), bench("two"));
    repository.write("benches/speed.rs", &own);
    repository.write("benches/other_one.rs", &own_main("one"));
    repository.write("benches/other_two.rs", &own_main("two"));
    repository.write(
        "benches/libtest_two.rs",
        "#![feature(test)]\nextern crate test;\n#[bench] fn two(b: &mut test::Bencher) { b.iter(|| changed::two(std::hint::black_box(1))) }\n",
    );
    repository.write("data.txt", "1");
    repository.commit("Begin");
    repository.git(&["checkout", "--quiet", "-b", "topic"]);
    repository
}

/// The crate that may use an unstable feature, for the harness of libtest. Names of symbols depend on it, and other tests share
/// the builds of all others.
const UNSTABLE: &str = "libtest_two";

fn run(repository: &Repository, arguments: &[&str]) -> Outcome {
    let mut command = repository.plusminus(arguments);
    Outcome::of(&command.env("RUSTC_BOOTSTRAP", UNSTABLE).output().unwrap())
}

/// The lines for `cargo bench`.
fn changed(repository: &Repository) -> Vec<String> {
    let done = run(repository, &["changed", "main", "--quiet", "--format", "arguments"]);
    done.exits(0);
    done.stdout.lines().map(str::to_owned).collect()
}

#[test]
#[cfg(target_os = "linux")]
fn benchmarks_of_any_harness_are_listed_if_their_code_changed() {
    let repository = repository();
    assert!(changed(&repository).is_empty());
    // Neither a comment nor a version is code.
    let manifest = fs::read_to_string(repository.folder.join("Cargo.toml")).unwrap();
    repository.write("Cargo.toml", &manifest.replace("0.0.0", "0.0.1"));
    repository.write("src/lib.rs", &format!("{LIB}// a comment\n"));
    repository.write("README.md", "words");
    assert!(changed(&repository).is_empty());
    repository.write("src/lib.rs", &LIB.replace("wrapping_mul(3)", "wrapping_mul(7)"));
    let lines = [
        "--package changed --bench other_one",
        "--package changed --bench speed -- --exact own_one",
    ];
    assert_eq!(changed(&repository), lines);
    run(&repository, &["changed", "main", "--quiet"])
        .exits(0)
        .says("changed/speed: own_one  changed::one")
        .says("changed/other_one (the whole target)")
        .says("2 changed, 3 identical code\n");
    let output = repository.folder.join("target-output");
    let mut command = repository.plusminus(&["changed", "main", "--quiet", "--format", "github"]);
    command.env("RUSTC_BOOTSTRAP", UNSTABLE).env("GITHUB_OUTPUT", &output);
    Outcome::of(&command.output().unwrap()).exits(0);
    let told = fs::read_to_string(&output).unwrap();
    fs::remove_file(&output).unwrap();
    assert!(
        told.starts_with("changed=true\nbenches=[\"other_one\",\"speed\"]\narguments=["),
        "{told}"
    );

    accepted(&repository);

    // No program has the name of this file.
    repository.write("data.txt", "2");
    assert_eq!(changed(&repository), lines);
    // Of programs that have the name of its folder, nothing is known. `other_two` has not.
    repository.write("benches/data.txt", "2");
    let lines = [
        "--package changed --bench libtest_two",
        "--package changed --bench other_one",
        "--package changed --bench speed -- --exact own_one own_two",
    ];
    assert_eq!(changed(&repository), lines);
}

/// Entries are those of the change, have an author, and expire.
fn accepted(repository: &Repository) {
    let entry = |name: &str| {
        format!("[[accept]]\nbenchmark = \"{name}\"\nup_to = \"8 %\"\nreason = \"checks more\"\n\n")
    };
    repository.write("plusminus.toml", &format!("{}{}", entry("own_one"), entry("own_two")));
    repository.commit("Accept");
    repository.write(
        "plusminus.toml",
        &format!("{}{}{}", entry("own_one"), entry("own_two"), entry("gone")),
    );
    let compare = |base: &str| {
        let arguments = ["compare", base, "--quiet", "--measure", "none", "--format", "json"];
        let done = run(repository, &arguments);
        done.exits(0);
        let json: serde_json::Value = serde_json::from_str(&done.stdout).unwrap();
        let told = json["accepted"].as_array().unwrap().iter();
        let told = told.map(|one| {
            ["benchmark", "by", "state"].map(|key| one[key].as_str().unwrap().to_owned())
        });
        told.collect::<Vec<_>>()
    };
    let short = repository.git(&["rev-parse", "--short=12", "HEAD"]).stdout.trim().to_owned();
    let by = format!("a, {short}");
    let expected = |states: [&str; 3]| {
        [("own_one", &*by), ("own_two", &*by), ("gone", "")]
            .iter()
            .zip(states)
            .map(|((name, by), state)| [name.to_string(), by.to_string(), state.to_owned()])
            .collect::<Vec<_>>()
    };
    assert_eq!(compare("main"), expected(["unknown", "not_needed", "no_benchmark"]));
    assert_eq!(compare("HEAD"), expected(["merged", "merged", "no_benchmark"]));
    repository.write("plusminus.toml", "[[accept]]\nbenchmark = 3\n");
    run(repository, &["compare", "main", "--measure", "none"])
        .exits(2)
        .complains("plusminus.toml cannot be read")
        .complains("benchmark = \"parse::long\"");
    fs::remove_file(repository.folder.join("plusminus.toml")).unwrap();
}

/// A workflow waits for the files of a comparison, also where there is nothing to build.
#[test]
fn a_change_that_affects_no_package_is_a_comparison_of_nothing() {
    let repository = Repository::new("unaffected");
    repository.commit("Begin");
    repository.write("README.md", "words");
    repository.commit("Explain");
    let mut changed = repository.plusminus(&["changed", "HEAD~1..HEAD", "--affected"]);
    Outcome::of(&changed.output().unwrap()).exits(0).says("0 changed");
    let files = ["json", "comment", "record"].map(|kind| {
        (
            format!("--{kind}"),
            repository.folder.join(format!("target-{kind}")).display().to_string(),
        )
    });
    let mut arguments = vec!["compare", "HEAD~1..HEAD", "--affected"];
    arguments.extend(files.iter().flat_map(|(option, file)| [&**option, file]));
    let done = Outcome::of(&repository.plusminus(&arguments).output().unwrap());
    done.exits(0).says("nothing to compare").complains("no package with benchmarks");
    let [json, comment, record] = files.map(|(_, file)| file);
    let json: serde_json::Value = serde_json::from_str(&fs::read_to_string(json).unwrap()).unwrap();
    assert_eq!(json["benchmarks"].as_array().map(Vec::len), Some(0), "{json}");
    assert!(fs::read_to_string(comment).unwrap().contains("nothing to compare"));
    let again = repository.plusminus(&["compare", "--from", &record]).output().unwrap();
    Outcome::of(&again).exits(0).says("nothing to compare");
}
