//! Files that `compare` and baselines give a bench program: shared libraries of the build, programs of the package
//! and cargo's runner.
#![cfg(target_os = "linux")]

use crate::repository::{Repository, verdict};
use plusminus_tests::Outcome;

/// A package with a shared library that its build script makes, and a program.
fn repository(name: &str) -> Repository {
    let repository = Repository::new(name);
    repository.write("library/one.c", "int one(void) { return 1; }\n");
    repository.write(
        "build.rs",
        r#"fn main() {
    let out = std::env::var("OUT_DIR").unwrap();
    let library = format!("{out}/libplusminus_one.so");
    let done = std::process::Command::new("cc").args(["-shared", "-fPIC", "-o", &library, "library/one.c"]).status();
    assert!(done.unwrap().success());
    println!("cargo:rerun-if-changed=library/one.c");
    println!("cargo:rustc-link-search=native={out}");
    println!("cargo:rustc-link-lib=dylib=plusminus_one");
}
"#,
    );
    repository.write("src/bin/plusminus-tool.rs", "fn main() { std::process::exit(3) }\n");
    repository.write(
        "benches/speed.rs",
        r#"use std::process::Command;
#[link(name = "plusminus_one")] unsafe extern "C" { fn one() -> i32; }
#[plusminus::bench] fn library() -> i32 { unsafe { one() } }
#[plusminus::bench] fn tool() {
    let beside = std::env::current_exe().unwrap().ancestors().nth(2).unwrap().join("plusminus-tool");
    let named = std::env::var_os("CARGO_BIN_EXE_plusminus-tool").expect("the variable is set");
    for program in [beside.into_os_string(), named] {
        assert_eq!(Command::new(program).status().unwrap().code(), Some(3));
    }
}
plusminus::main!();
"#,
    );
    repository
}

fn compare(repository: &Repository, arguments: &[&str]) -> Outcome {
    let quick = ["main", "--max-blocks", "6", "--fail-on", "never", "--format", "json"];
    repository.aligned(&[&quick, arguments].concat())
}

#[test]
fn a_program_finds_its_libraries_and_the_programs_of_its_package() {
    let repository = repository("surroundings");
    repository.commit("first");
    // A program that cannot start would not list its benchmarks; one that fails would be exit code 2.
    let outcome = compare(&repository, &["--measure", "all"]);
    outcome.exits(0).says("\"identical_code\": 2");
    repository
        .write("src/bin/plusminus-tool.rs", "fn main() { println!(); std::process::exit(3) }\n");
    let outcome = compare(&repository, &["--measure", "none"]);
    outcome
        .exits(0)
        .says("the program `plusminus-tool` of the package changed, which a benchmark may start");
    assert_ne!(verdict(&outcome, "tool").0, "identical_code");
    repository.is_tidy();
}

#[test]
fn a_runner_of_the_configuration_starts_the_workers() {
    let repository = repository("runner");
    repository.write(
        ".cargo/config.toml",
        "[target.'cfg(unix)']\nrunner = ['sh', '-c', 'echo started >&2; exit 9']\n",
    );
    repository.commit("first");
    let outcome = compare(&repository, &["--measure", "none"]);
    // A process that does not begin is explained by what it printed.
    outcome.exits(2).complains("exited with code 9; it printed: started");
}

#[test]
fn files_that_cargo_does_not_know_are_built_again_and_a_name_may_stand_for_another_argument() {
    let repository = Repository::new("untracked-inputs");
    // Two letters are in some program by chance.
    repository.write("zqxjkv/powers9", "3");
    repository.write(
        "build.rs",
        r#"fn main() {
    let made = format!("pub static MADE: [u64; 1] = [{}];", std::fs::read_to_string("zqxjkv/powers9").unwrap());
    std::fs::write(std::path::Path::new(&std::env::var("OUT_DIR").unwrap()).join("made.rs"), made).unwrap();
    println!("cargo:rerun-if-changed=build.rs");
}
"#,
    );
    repository.write("src/lib.rs", "include!(concat!(env!(\"OUT_DIR\"), \"/made.rs\"));\n");
    let bench = r#"#[plusminus::bench] fn made() -> u64 { std::hint::black_box(&untracked_inputs::MADE)[0] }
#[plusminus::bench(args = [("small", 10), ("large", 1000)])] fn named(n: u64) -> u64 { (0..n).map(std::hint::black_box).sum() }
plusminus::main!();
"#;
    repository.write("benches/speed.rs", bench);
    repository.commit("first");
    let identical = |names: &[&str]| {
        let outcome = compare(&repository, &["--measure", "none"]);
        for name in ["made", "named::small", "named::large"] {
            let is_identical = verdict(&outcome, name).0 == "identical_code";
            assert_eq!(is_identical, names.contains(&name), "{name}: {}", outcome.both());
        }
    };
    identical(&["made", "named::small", "named::large"]);
    repository.write("zqxjkv/powers9", "4");
    identical(&["named::small", "named::large"]);
    repository.write("zqxjkv/powers9", "3");
    let exchanged = bench.replace("(\"small\", 10), (\"large\"", "(\"large\", 10), (\"small\"");
    repository.write("benches/speed.rs", &exchanged);
    identical(&["made"]);
    repository.is_tidy();
}
