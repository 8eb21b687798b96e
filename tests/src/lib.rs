//! Drives fixture crates through the real cargo, as a user would, and looks at what comes out.
//! Fixtures share one target directory below the workspace's own, so that the harness is built for them once.

pub mod browser_support;
pub mod command_support;
pub mod pages_support;
pub mod study_support;

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    sync::{Mutex, OnceLock, PoisonError},
};

/// A crate below `tests/fixtures` with a folder of its own for records, so that tests do not see each other's.
pub struct Fixture {
    /// Where its `Cargo.toml` is.
    pub folder: PathBuf,
    /// Where its records go.
    pub output: PathBuf,
}

/// The output of a program, and how it ended.
#[derive(Debug)]
pub struct Outcome {
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
    /// The exit code; `None` after a signal.
    pub code: Option<i32>,
}

impl Outcome {
    /// Of a finished process.
    pub fn of(output: &Output) -> Self {
        Self {
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
            code: output.status.code(),
        }
    }

    /// Both streams, for messages of failed assertions.
    pub fn both(&self) -> String {
        format!(
            "exit code {:?}\n--- stdout\n{}\n--- stderr\n{}",
            self.code, self.stdout, self.stderr
        )
    }

    /// Panics unless standard output contains the text.
    #[track_caller]
    pub fn says(&self, text: &str) -> &Self {
        assert!(self.stdout.contains(text), "no {text:?} in the output: {}", self.both());
        self
    }

    /// Panics unless standard error contains the text.
    #[track_caller]
    pub fn complains(&self, text: &str) -> &Self {
        assert!(self.stderr.contains(text), "no {text:?} in the errors: {}", self.both());
        self
    }

    /// Panics unless the process ended with this code.
    #[track_caller]
    pub fn exits(&self, code: i32) -> &Self {
        assert_eq!(self.code, Some(code), "{}", self.both());
        self
    }
}

/// The root of the workspace.
pub fn workspace() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the tests are a folder of the workspace")
}

impl Fixture {
    /// A fixture, used by the test of this name (which names the folder of its records).
    pub fn new(fixture: &str, test: &str) -> Self {
        let output = workspace().join("target/fixtures/outputs").join(test);
        // Records of an earlier call of the same test would be found again.
        let _ = std::fs::remove_dir_all(&output);
        Self { folder: workspace().join("tests/fixtures").join(fixture), output }
    }

    /// A command in the fixture's folder, without the variables that an outer cargo or harness has set.
    pub fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.current_dir(&self.folder);
        for (name, _) in std::env::vars_os() {
            let text = name.to_string_lossy();
            let inherited = [
                "CARGO_PKG",
                "CARGO_MANIFEST",
                "CARGO_BIN",
                "PLUSMINUS_",
                "NEXTEST",
                "RUST_BACKTRACE",
            ];
            if inherited.iter().any(|prefix| text.starts_with(prefix)) {
                command.env_remove(&name);
            }
        }
        command
            .env("CARGO_TARGET_DIR", workspace().join("target/fixtures"))
            // No test reads it, and it takes a third of the time to build what is not optimized.
            .env("CARGO_PROFILE_DEV_DEBUG", "0")
            // After a change of the harness, a part of it is compiled again.
            .env("CARGO_PROFILE_BENCH_INCREMENTAL", "true")
            .env("PLUSMINUS_OUTPUT", &self.output)
            // Reports in full, in lines that are broken nowhere: tests look for sentences.
            .env("PLUSMINUS_VERBOSE", "1")
            .env("COLUMNS", "100000")
            .env("LC_ALL", "C.UTF-8")
            .env("CARGO_TERM_COLOR", "never");
        command
    }

    /// Runs cargo in the fixture's folder.
    pub fn cargo(&self, arguments: &[&str]) -> Outcome {
        let output = self.command("cargo").args(arguments).output().expect("cargo is there");
        Outcome::of(&output)
    }

    /// Answers where the program of a bench target is: all of the fixture are built as `cargo bench` would, once for all tests
    /// of a program.
    pub fn bench_binary(&self, bench: &str) -> PathBuf {
        static BUILT: Mutex<BTreeMap<PathBuf, Vec<PathBuf>>> = Mutex::new(BTreeMap::new());
        // A build that failed fails the tests after it by itself.
        let mut built = BUILT.lock().unwrap_or_else(PoisonError::into_inner);
        let programs = built.entry(self.folder.clone()).or_insert_with(|| {
            let arguments = ["bench", "--no-run", "--benches", "--message-format=json"];
            executables(&self.cargo(&arguments).exits(0).stdout)
        });
        // Cargo puts a hash behind the name.
        let is_it = |path: &&PathBuf| {
            let name = path.file_stem().and_then(|name| name.to_str());
            name.and_then(|name| name.rsplit_once('-')).is_some_and(|(name, _)| name == bench)
        };
        programs.iter().find(is_it).expect("cargo names the program").clone()
    }

    /// The folder of a bench target's records and baselines: in that of its package.
    pub fn home(&self, bench: &str) -> PathBuf {
        let manifest = std::fs::read_to_string(self.folder.join("Cargo.toml")).unwrap();
        let name = manifest.split("name = \"").nth(1).and_then(|rest| rest.split('"').next());
        self.output.join(name.expect("a fixture has a package")).join(bench)
    }

    /// The records that benches of this fixture have written, oldest first.
    pub fn records(&self, bench: &str) -> Vec<PathBuf> {
        let folder = self.home(bench).join("records");
        let mut records: Vec<PathBuf> = std::fs::read_dir(folder)
            .map(|files| files.flatten().map(|file| file.path()).collect())
            .unwrap_or_default();
        records.sort();
        records
    }
}

/// Returns the programs that cargo reports to have made, in messages of JSON.
fn executables(messages: &str) -> Vec<PathBuf> {
    let paths = messages.split("\"executable\":\"").skip(1);
    paths.filter_map(|rest| rest.split('"').next()).map(PathBuf::from).collect()
}

/// The subcommand, built once for all tests of a program: with the features that the tests have, so that nothing is compiled
/// for it a second time after `cargo test` or `cargo test --workspace --all-features`.
///
/// # Panics
/// When it does not build.
pub fn program() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let output = Command::new(env!("CARGO"))
            .current_dir(workspace())
            .args(["test", "--no-run", "--test", "starts"])
            .args(if cfg!(feature = "perf") { &["--workspace", "--all-features"][..] } else { &[] })
            .arg("--message-format=json")
            .stderr(Stdio::inherit())
            .output()
            .expect("cargo is there");
        assert!(output.status.success(), "the subcommand does not build");
        let text = String::from_utf8_lossy(&output.stdout);
        let is_it = |path: &PathBuf| path.file_stem().is_some_and(|name| name == "cargo-plusminus");
        executables(&text).into_iter().find(is_it).expect("cargo names it")
    })
}

/// Compiles every block of Rust in the pages for users, as it stands there. Those of the README are parts of the tutorial's,
/// which `tests/documents.rs` sees to.
#[cfg(doctest)]
mod pages {
    #[doc = include_str!("../../docs/tutorial/first-benchmark.md")]
    struct FirstBenchmark;
    #[doc = include_str!("../../docs/tutorial/ci-gate.md")]
    struct CiGate;
    #[doc = include_str!("../../docs/how-to/inputs-and-setup.md")]
    struct Inputs;
    #[doc = include_str!("../../docs/how-to/compare-variants.md")]
    struct Variants;
    #[doc = include_str!("../../docs/how-to/from-libtest-or-hyperfine.md")]
    struct FromOthers;
    #[doc = include_str!("../../docs/how-to/allocations-and-counters.md")]
    struct Allocations;
    #[doc = include_str!("../../docs/how-to/studies.md")]
    struct Studies;
    #[doc = include_str!("../../suite/book/apex-map.md")]
    struct ApexMap;
}
