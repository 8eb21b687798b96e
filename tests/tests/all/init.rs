//! `cargo plusminus init`, in folders that a user may have: what it finds, shows, writes, and leaves.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use plusminus_tests::{Outcome, program, workspace};

/// A folder of a user.
struct User(PathBuf);

impl User {
    /// Writes files into a folder of their own, which is a git repository if `git` holds.
    fn new(name: &str, files: &[(&str, &str)], git: bool) -> Self {
        let folder =
            std::env::temp_dir().join(format!("plusminus-init-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        let user = Self(fs::canonicalize(folder).unwrap());
        for (name, text) in files {
            user.write(name, text);
        }
        if git {
            let done = Command::new("git").arg("-C").arg(&user.0).args(["init", "-q"]).status();
            assert!(done.unwrap().success());
        }
        user
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.join(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
    }

    fn has(&self, name: &str) -> bool {
        self.0.join(name).exists()
    }

    fn init(&self, arguments: &[&str]) -> Outcome {
        let mut command = Command::new(program());
        command
            .args(["plusminus", "init"])
            .args(arguments)
            .current_dir(&self.0)
            .env("LC_ALL", "C.UTF-8");
        Outcome::of(&command.output().unwrap())
    }

    /// All files, with their contents.
    fn files(&self) -> Vec<(PathBuf, Vec<u8>)> {
        fn below(folder: &Path, found: &mut Vec<(PathBuf, Vec<u8>)>) {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                match path.is_dir() {
                    true if path.ends_with(".git") => {}
                    true => below(&path, found),
                    false => found.push((path.clone(), fs::read(&path).unwrap())),
                }
            }
        }
        let mut found = Vec::new();
        below(&self.0, &mut found);
        found.sort();
        found
    }

    /// Runs it three times: shown, written, and once more, which changes nothing. Returns what the first two printed.
    fn set_up(&self) -> [Outcome; 2] {
        let before = self.files();
        let shown = self.init(&[]);
        shown.exits(0).says("Next: cargo plusminus init --write");
        assert_eq!(self.files(), before, "nothing is written before it is asked for");
        let written = self.init(&["--write"]);
        written.exits(0).says("Next: cargo bench");
        let after = self.files();
        self.init(&["--write"]).exits(0).says("Everything is there");
        assert_eq!(self.files(), after, "a second time changes nothing");
        [shown, written]
    }
}

impl Drop for User {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

const PACKAGE: &str = "[package]\nname = \"mine\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
const LIB: (&str, &str) = ("src/lib.rs", "");
const WORKFLOWS: [&str; 2] =
    [".github/workflows/benchmarks.yml", ".github/workflows/benchmarks-comment.yml"];

#[test]
fn a_package_without_benchmarks_gets_a_first_one_and_a_gate() {
    let user = User::new("none", &[("Cargo.toml", PACKAGE), LIB], true);
    let [shown, _] = user.set_up();
    shown
        .says("`mine` has no benchmarks\n\nbenches/first.rs (new)\n  + //! A first benchmark.")
        .says("\nCargo.toml\n")
        .says("  + plusminus = \"0.1\"\n")
        .says("  + [lib]\n  + bench = false\n")
        .says("  + [[bench]]\n  + name = \"first\"\n  + harness = false\n");
    assert!(WORKFLOWS.iter().all(|name| user.has(name)));
}

#[test]
fn criterion_and_divan_in_a_virtual_workspace_change_one_line() {
    let root = "[workspace]\nmembers = [\"a\", \"b\", \"c\"]\nresolver = \"3\"\n\n[workspace.dependencies]\n\
                criterion = { version = \"0.5\", features = [\"html_reports\"] }\n";
    let package = |name: &str, rest: &str| format!("{}{rest}", PACKAGE.replace("mine", name));
    let bench = "\n[[bench]]\nname = \"speed\"\nharness = false\n";
    let a = package("a", &format!("\n[dev-dependencies]\ncriterion.workspace = true\n{bench}"));
    let b = package("b", &format!("\n[dev-dependencies]\ndivan = \"0.1\" # ours\n{bench}"));
    let files = [
        ("Cargo.toml", root),
        ("a/Cargo.toml", &a),
        ("a/src/lib.rs", ""),
        ("a/benches/speed.rs", "fn main() {}"),
        ("b/Cargo.toml", &b),
        ("b/src/main.rs", "fn main() {}"),
        ("b/benches/speed.rs", "fn main() {}"),
        ("c/Cargo.toml", &package("c", "")),
        ("c/src/lib.rs", ""),
    ];
    let user = User::new("workspace", &files, true);
    let [shown, _] = user.set_up();
    shown.says("`a` uses criterion: the drop-in runs its benchmarks as they are\n");
    assert!(user.read("Cargo.toml").contains(
        "criterion = { features = [\"html_reports\"], package = \"plusminus-criterion\", version = \"0.1\" }\n"
    ));
    let new = user.read("a/Cargo.toml");
    assert!(new.contains("criterion.workspace = true\n") && new.contains("[lib]\nbench = false\n"));
    let new = user.read("b/Cargo.toml");
    assert!(new.contains("divan = { package = \"plusminus-divan\", version = \"0.1\" } # ours\n"));
    assert!(new.contains("path = \"src/main.rs\"\nbench = false\n"), "{new}");
    assert_eq!(user.read("c/Cargo.toml"), package("c", ""));
}

#[test]
fn benchmarks_of_libtest_keep_their_bodies() {
    let source = "#![feature(test)]\nextern crate test;\n\n#[bench]\nfn f(b: &mut test::Bencher) {\n    b.iter(|| 1);\n}\n";
    let files = [("Cargo.toml", PACKAGE), LIB, ("benches/old.rs", source)];
    let user = User::new("libtest", &files, true);
    user.set_up();
    assert_eq!(
        user.read("benches/old.rs"),
        "use plusminus::{bench, libtest as test};\n\n#[bench]\nfn f(b: &mut test::Bencher) {\n    b.iter(|| 1);\n}\n\nplusminus::main!();\n"
    );
    assert!(user.read("Cargo.toml").contains("[[bench]]\nname = \"old\"\nharness = false\n"));
}

#[test]
fn files_of_the_user_stay() {
    let files = [
        ("Cargo.toml", PACKAGE),
        LIB,
        (WORKFLOWS[0], "name: mine\n"),
        ("benches/first.rs", "#![allow(unused)]\n"),
    ];
    let manifest = format!("{PACKAGE}autobenches = false\n");
    let user = User::new("kept", &files, true);
    user.write("Cargo.toml", &manifest);
    let written = user.init(&["--write"]);
    written
        .exits(0)
        .says(&format!("{} differs from what this would write, and stays", WORKFLOWS[0]));
    assert_eq!(user.read(WORKFLOWS[0]), "name: mine\n");
    assert_eq!(user.read("benches/first.rs"), "#![allow(unused)]\n");
    assert!(user.has(WORKFLOWS[1]));
}

#[test]
fn without_git_there_is_no_gate_but_a_benchmark() {
    let user = User::new("no-git", &[("Cargo.toml", PACKAGE), LIB], false);
    let [shown, _] = user.set_up();
    shown.says("This folder is not in a git repository");
    assert!(user.has("benches/first.rs") && !user.has(".github"));
    let nothing = User::new("nothing", &[], false);
    nothing.init(&[]).exits(2).complains("could not find `Cargo.toml`");
    let empty = "[workspace]\nmembers = []\nresolver = \"3\"\n";
    let empty = User::new("empty", &[("Cargo.toml", empty)], true);
    empty.init(&["--write"]).exits(2).complains("cargo new --lib NAME");
}

#[test]
fn nothing_of_a_file_reaches_the_terminal_as_it_is() {
    let source =
        "// \u{1b}[2J\u{202e}\nextern crate test; // \u{1b}]8;;x\u{7}\nextern crate test;\n";
    let files = [("Cargo.toml", PACKAGE), LIB, ("benches/a.rs", source)];
    let user = User::new("hostile", &files, true);
    let shown = user.init(&[]);
    shown.exits(0).says("  - extern crate test;\n");
    assert!(!shown.stdout.contains(['\u{1b}', '\u{7}', '\u{202e}']), "{}", shown.stdout);
}

#[test]
fn a_harness_without_a_drop_in_stays() {
    let manifest = format!(
        "{PACKAGE}\n[dev-dependencies]\ngungraun = \"0.16\"\n\n[[bench]]\nname = \"speed\"\nharness = false\n"
    );
    let files = [("Cargo.toml", &*manifest), LIB, ("benches/speed.rs", "fn main() {}")];
    let user = User::new("other", &files, true);
    user.init(&["--write"])
        .exits(0)
        .says("`mine` uses gungraun, which stays")
        .says("There is nothing to write");
    assert_eq!(user.read("Cargo.toml"), manifest);
    assert!(!user.has(".github"));
}

#[test]
fn gitlab_and_a_workspace_in_a_folder_have_files_of_their_own() {
    let files = [
        (".gitlab-ci.yml", "stages: [test]\n"),
        ("it's/Cargo.toml", PACKAGE),
        ("it's/src/lib.rs", ""),
    ];
    let user = User::new("gitlab", &files, true);
    let manifest = ["--manifest-path", "it's/Cargo.toml"];
    user.init(&[&manifest[..], &["--write"]].concat())
        .exits(0)
        .says("Add `include: .gitlab/benchmarks.yml` to your `.gitlab-ci.yml`.");
    assert!(user.read(".gitlab/benchmarks.yml").contains("it's/target/plusminus/comment.md"));
    user.init(&[&manifest[..], &["--write", "--ci", "github"]].concat()).exits(0);
    assert!(user.read(WORKFLOWS[0]).contains("working-directory: 'it''s'\n"));
}

#[test]
fn the_gate_of_this_repository_is_what_init_writes() {
    let user = User::new("own", &[("Cargo.toml", PACKAGE), LIB], true);
    user.init(&["--write"]).exits(0);
    for name in WORKFLOWS {
        let version = env!("CARGO_PKG_VERSION");
        let install = format!("cargo install --locked cargo-plusminus --version {version}");
        // Here, the subcommand is in the checkout, which the workflow for comments does not have.
        let own = match name == WORKFLOWS[0] {
            true => {
                user.read(name).replace(&install, "cargo install --locked --path cargo-plusminus")
            }
            false => user.read(name),
        };
        if std::env::var_os("UPDATE_DOCUMENTS").is_some() {
            fs::write(workspace().join(name), &own).unwrap();
        }
        let example = fs::read_to_string(workspace().join("examples/gate").join(name));
        assert!(example.is_ok_and(|kept| kept == user.read(name)), "examples/gate/{name} differs");
        let kept = fs::read_to_string(workspace().join(name));
        assert!(
            kept.is_ok_and(|kept| kept == own),
            "{name} is made by `UPDATE_DOCUMENTS=1 cargo test -p plusminus-tests --test all init`"
        );
    }
}
