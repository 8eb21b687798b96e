//! Folders in which the command lines of a page can be run: a repository with a benchmark, records and programs in it.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use plusminus_tests::{Fixture, Outcome, program, workspace};

/// Stands in front of cargo: `cargo plusminus` is the program that the tests have built, `cargo bench` the program that it
/// would build, with its options. Nothing else of cargo is asked for, but by those two.
const CARGO: &str = r#"#!/usr/bin/env bash
case $1 in
  plusminus) exec "$STAND_IN_PLUSMINUS" "$@" ;;
  bench)
    while [ $# -gt 0 ] && [ "$1" != -- ]; do shift; done
    shift
    # A program that cargo has built here would find the folder by itself.
    export PLUSMINUS_OUTPUT="${PLUSMINUS_OUTPUT:-$PWD/target/plusminus}"
    exec "$STAND_IN_BENCH" "$@" --bench
    ;;
  *) exec "$STAND_IN_CARGO" "$@" ;;
esac
"#;

/// A crate with benches of criterion.
const CRITERION: [(&str, &str); 3] = [
    (
        "Cargo.toml",
        "[package]\nname = \"page\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[dev-dependencies]\ncriterion = \"0.5\"\n\n\
         [[bench]]\nname = \"parse\"\nharness = false\n\n[workspace]\n",
    ),
    ("src/lib.rs", ""),
    (
        "benches/parse.rs",
        "use criterion::{Criterion, criterion_group, criterion_main};\n\nfn parse(c: &mut Criterion) {\n    \
         c.bench_function(\"parse\", |b| b.iter(|| \"12345\".parse::<u64>()));\n}\n\ncriterion_group!(benches, parse);\n\
         criterion_main!(benches);\n",
    ),
];

/// The folders of all pages, with what they share.
pub(crate) struct Scratch {
    root: PathBuf,
    bench: PathBuf,
}

impl Scratch {
    /// Makes the stand-in for cargo, and builds the bench program of a fixture.
    pub(crate) fn new() -> Self {
        use std::os::unix::fs::PermissionsExt;
        let fixture = Fixture::new("contract", "command_lines_run");
        let root = fixture.output.clone();
        fs::create_dir_all(root.join("bin")).unwrap();
        let cargo = root.join("bin/cargo");
        fs::write(&cargo, CARGO).unwrap();
        fs::set_permissions(&cargo, fs::Permissions::from_mode(0o755)).unwrap();
        Self { bench: fixture.bench_binary("small"), root }
    }

    /// Returns the folder of a page: a repository that is clean, on a branch other than `main`, with a remote one.
    pub(crate) fn of_page(&self, page: &str) -> PathBuf {
        let page = page.trim_end_matches(".md").replace('/', "-");
        let folder = self.root.join(page).join("work");
        for (name, content) in CRITERION {
            let path = folder.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content).unwrap();
        }
        let copy = |from: &str, to: &str| {
            let to = folder.join(to);
            fs::create_dir_all(to.parent().unwrap()).unwrap();
            fs::copy(workspace().join(from), to).unwrap();
        };
        copy("tests/records/schema-1.json", "record.json");
        copy("tests/records/schema-1.json", "sssp-record.json");
        copy("tests/records/schema-1.json", "target/weak/sssp/records/weak.json");
        copy("tests/records/schema-1.json", "target/strong/sssp/records/strong.json");
        copy("tests/records/comparison-1.json", "change.json");
        for system in ["alone", "half-cache"] {
            let path = workspace().join("tests/records/apex_map.json");
            let mut record: serde_json::Value =
                serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
            record["manifest"]["label"] = system.into();
            fs::write(folder.join(format!("{system}.json")), record.to_string()).unwrap();
        }
        fs::write(folder.join("numbers.txt"), "3\n1\n2\n").unwrap();
        for name in ["old", "new", "sort"] {
            // A link would give both sides of a comparison the same file.
            fs::copy(&self.bench, folder.join(name)).unwrap();
        }
        fs::write(folder.join(".gitignore"), "/*\n").unwrap();
        let script = "git init -q -b main && git add -f src benches Cargo.toml && git commit -q -m Begin && git branch benchmarks \
                      && git init -q --bare ../remote && git remote add origin ../remote \
                      && git push -q -u origin main benchmarks && git checkout -q -b topic";
        self.run(&folder, script).exits(0);
        folder
    }

    /// Runs a line of a shell as a user would who has little time.
    pub(crate) fn run(&self, folder: &Path, line: &str) -> Outcome {
        let mut command = Command::new("bash");
        for (name, _) in std::env::vars_os() {
            let name = name.to_string_lossy();
            if ["PLUSMINUS_", "CARGO_", "NEXTEST", "GIT_"].iter().any(|own| name.starts_with(own)) {
                command.env_remove(&*name);
            }
        }
        let others = std::env::var("PATH").unwrap_or_default();
        command
            .current_dir(folder)
            .args(["-c", line])
            .env("PATH", format!("{}:{others}", self.root.join("bin").display()))
            .env("STAND_IN_CARGO", env!("CARGO"))
            .env("STAND_IN_PLUSMINUS", program())
            .env("STAND_IN_BENCH", &self.bench)
            .env("CARGO", self.root.join("bin/cargo"))
            .env("PLUSMINUS_QUICK", "1")
            .env("PLUSMINUS_MAX_TIME", "1")
            .env("PLUSMINUS_COMPARE_TIME", "1")
            .env("COLUMNS", "100")
            .env("LC_ALL", "C.UTF-8")
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .envs([("GIT_AUTHOR_NAME", "page"), ("GIT_COMMITTER_NAME", "page")])
            .envs([("GIT_AUTHOR_EMAIL", "a@b.invalid"), ("GIT_COMMITTER_EMAIL", "a@b.invalid")]);
        Outcome::of(&command.output().expect("bash starts"))
    }
}
