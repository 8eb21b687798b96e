//! Repositories that the tests make, with a bench package in them, and the subcommand run in them.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

pub(crate) use plusminus_tests::program;
use plusminus_tests::{Outcome, workspace};

/// The harness in the bench programs of a repository. `compare` needs its worker alone, which is built in a fifth of the time.
#[derive(Clone, Copy)]
pub(crate) enum Harness {
    /// The default features, as most users have it.
    Whole,
    Worker,
    /// The worker, which the settings of the test have cargo build anew: without attributes, whose macros would take half the time.
    WorkerAnew,
}

/// A git repository with one package, named as its test: packages of different names share a target directory.
pub(crate) struct Repository {
    pub(crate) folder: PathBuf,
    pub(crate) package: String,
    pub(crate) harness: Harness,
}

/// Settings of the harness, which is built for each side and each place: not optimized, that takes a fifth of the time.
pub(crate) const UNOPTIMISED: &str = "[profile.bench.package.\"*\"]\nopt-level = 0\n";

impl Repository {
    /// An empty repository with a package. The name may contain spaces in its folder only.
    pub(crate) fn new(name: &str) -> Self {
        Self::in_folder(name, name)
    }

    /// An empty repository whose bench programs have the whole harness.
    pub(crate) fn with_runner(name: &str) -> Self {
        Self::of(Harness::Whole, name, name)
    }

    /// An empty repository with wrappers, flags or paths of its own, for which cargo builds everything again.
    pub(crate) fn built_anew(name: &str) -> Self {
        Self::of(Harness::WorkerAnew, name, name)
    }

    /// An empty repository in a folder of a different name.
    pub(crate) fn in_folder(name: &str, folder: &str) -> Self {
        Self::of(Harness::Worker, name, folder)
    }

    pub(crate) fn of(harness: Harness, name: &str, folder: &str) -> Self {
        let folder = workspace().join("target/fixtures/repositories").join(folder);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        let repository = Self { folder, package: name.to_owned(), harness };
        repository.git(&["init", "--quiet", "--initial-branch=main"]);
        repository.write("Cargo.toml", &repository.manifest());
        repository.write("src/lib.rs", "");
        repository.write(".gitignore", "target\nCargo.lock\n");
        repository
    }

    fn manifest(&self) -> String {
        format!(
            "[package]\nname = \"{}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n[workspace]\n[lib]\nbench = false\n\
             {UNOPTIMISED}[dev-dependencies]\n{}[[bench]]\nname = \"speed\"\nharness = false\n",
            self.package,
            self.dependency()
        )
    }

    /// The line of a manifest for the harness.
    pub(crate) fn dependency(&self) -> String {
        let path = workspace().join("harness").display().to_string().replace('\\', "/");
        let features = match self.harness {
            Harness::Whole => "",
            Harness::Worker => ", default-features = false, features = [\"macros\"]",
            Harness::WorkerAnew => ", default-features = false",
        };
        format!("plusminus = {{ path = \"{path}\"{features} }}\n")
    }

    /// Where it is built: in one of few places, so that the harness is built once for each side there. Comparisons in one
    /// place wait for one another.
    pub(crate) fn target(&self) -> PathBuf {
        let place = match (self.harness, self.package.len() % 2) {
            (Harness::Whole, _) => "whole",
            (Harness::WorkerAnew, _) => "anew",
            (Harness::Worker, 0) => "first",
            (Harness::Worker, _) => "second",
        };
        workspace().join("target/fixtures/compare").join(place)
    }

    /// Writes a file.
    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = self.folder.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Writes the bench target: functions with this number of steps, each on a line of its own. Without attributes, they are in the
    /// module `all`.
    pub(crate) fn benches(&self, functions: &[(&str, u64)]) {
        let mut text = String::from(
            "use std::hint::black_box;\n\
             fn chain(steps: u64) -> u64 { let mut x = black_box(7_u64); for _ in 0..black_box(steps) { \
             x = black_box(x).wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1); } x }\n",
        );
        if matches!(self.harness, Harness::WorkerAnew) {
            text.push_str("fn all(registry: &plusminus::Registry) {\n");
            for (name, steps) in functions {
                text.push_str(&format!(
                    "registry.bench(\"{name}\", |b| b.bench(|| chain({steps})));\n"
                ));
            }
            text.push_str("}\nplusminus::register!(all);\n");
        } else {
            text.push_str("use plusminus::bench;\n");
            for (name, steps) in functions {
                text.push_str(&format!("#[bench] fn {name}() -> u64 {{ chain({steps}) }}\n"));
            }
        }
        text.push_str("plusminus::main!();\n");
        self.write("benches/speed.rs", &text);
    }

    /// Commits everything and answers the hash.
    pub(crate) fn commit(&self, message: &str) -> String {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--allow-empty", "--message", message]);
        self.git(&["rev-parse", "HEAD"]).stdout.trim().to_owned()
    }

    /// Runs git, which has to succeed.
    #[track_caller]
    pub(crate) fn git(&self, arguments: &[&str]) -> Outcome {
        let outcome = Outcome::of(&self.command("git").args(arguments).output().unwrap());
        outcome.exits(0);
        outcome
    }

    /// A command in the repository, without what an outer cargo or git has set.
    pub(crate) fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.current_dir(&self.folder);
        for (name, _) in std::env::vars_os() {
            let text = name.to_string_lossy();
            let inherited = ["CARGO_", "PLUSMINUS_", "NEXTEST", "GIT_", "GITHUB_"];
            let kept = ["CARGO_HOME", "CARGO_NET_OFFLINE"];
            if inherited.iter().any(|start| text.starts_with(start)) && !kept.contains(&&*text) {
                command.env_remove(&name);
            }
        }
        command
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_SYSTEM", "/dev/null")
            .envs([("GIT_AUTHOR_NAME", "a"), ("GIT_AUTHOR_EMAIL", "a@example.org")])
            .envs([("GIT_COMMITTER_NAME", "a"), ("GIT_COMMITTER_EMAIL", "a@example.org")])
            .env("CARGO_TARGET_DIR", self.target())
            .env("CARGO_PROFILE_BENCH_OPT_LEVEL", "1")
            .env("CARGO_TERM_COLOR", "never")
            // Reports in full, in lines that are broken nowhere: tests look for sentences.
            .env("PLUSMINUS_VERBOSE", "1")
            .env("COLUMNS", "100000")
            .env("LC_ALL", "C.UTF-8");
        command
    }

    /// The subcommand as cargo would start it.
    pub(crate) fn plusminus(&self, arguments: &[&str]) -> Command {
        let mut command = self.command(program().to_str().unwrap());
        command.arg("plusminus").args(arguments);
        command
    }

    /// `cargo plusminus compare` to its end.
    pub(crate) fn compare(&self, arguments: &[&str]) -> Outcome {
        let mut command = self.plusminus(&["compare", "--quiet"]);
        Outcome::of(&command.args(arguments).output().unwrap())
    }

    /// The same in one layout of each version, for what does not depend on layouts. Otherwise each round links both anew, which takes
    /// longer than it measures.
    pub(crate) fn aligned(&self, arguments: &[&str]) -> Outcome {
        self.compare(&[&["--layout", "aligned"], arguments].concat())
    }

    /// `cargo plusminus compare --no-run`: nothing is measured, so that nothing has to be optimized.
    pub(crate) fn unmeasured(&self, arguments: &[&str]) -> Command {
        let mut command = self.plusminus(&["compare", "--quiet", "--no-run"]);
        command.args(arguments).env("CARGO_PROFILE_BENCH_OPT_LEVEL", "0");
        command
    }

    /// Returns the build of `compare --no-run`, which has to succeed: the part `built` of its JSON.
    #[track_caller]
    pub(crate) fn built(&self, arguments: &[&str]) -> serde_json::Value {
        let mut command = self.unmeasured(&["--format", "json"]);
        let outcome = Outcome::of(&command.args(arguments).output().unwrap());
        let report: serde_json::Value = serde_json::from_str(&outcome.exits(0).stdout).unwrap();
        report["built"].clone()
    }

    /// No worktree but the repository's own is left, neither in git's lists nor on disk.
    #[track_caller]
    pub(crate) fn is_tidy(&self) {
        let list = self.git(&["worktree", "list", "--porcelain"]);
        let count = list.stdout.lines().filter(|line| line.starts_with("worktree ")).count();
        assert_eq!(count, 1, "{}", list.both());
    }
}

/// The verdict on a benchmark in the JSON report of a comparison, and its row; none where identical code was not measured.
#[track_caller]
pub(crate) fn verdict(outcome: &Outcome, benchmark: &str) -> (String, serde_json::Value) {
    let report: serde_json::Value = serde_json::from_str(&outcome.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", outcome.both()));
    let cases = report["benchmarks"].as_array().unwrap();
    let case = cases.iter().find(|case| case["name"] == benchmark);
    let case = case.unwrap_or_else(|| panic!("no {benchmark}: {}", outcome.both()));
    let Some(row) = case["rows"].as_array().unwrap().last().cloned() else {
        return (case["code"]["verdict"].as_str().unwrap().to_owned(), serde_json::Value::Null);
    };
    (row["verdict"].as_str().unwrap().to_owned(), row)
}

/// Processes that run a program below a folder.
pub(crate) fn processes_below(folder: &Path) -> usize {
    let mut count = 0;
    for process in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let running = fs::read_link(process.path().join("exe"));
        count += usize::from(running.is_ok_and(|program| program.starts_with(folder)));
    }
    count
}
