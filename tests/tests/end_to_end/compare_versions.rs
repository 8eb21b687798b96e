//! How `compare` finds, checks out and builds versions, and its messages when it cannot.

use std::fs;

use crate::repository::{Repository, UNOPTIMISED, program};
use plusminus_tests::Outcome;

const QUICK: [&str; 2] = ["--measure", "none"];

#[test]
fn names_from_outside_are_neither_options_nor_commands() {
    let repository = Repository::new("hostile-names");
    repository.benches(&[("one", 1_000)]);
    repository.commit("first");
    for name in ["--upload-pack=touch x", "-x", "--output=x", "--"] {
        let outcome = repository.compare(&["--", name]);
        assert_eq!(outcome.code, Some(2), "{name}: {}", outcome.both());
    }
    for name in ["$(touch x)", "`touch x`", "main;touch x", "a\nb", "main|x", "@{-1}", "HEAD:src"] {
        let outcome = repository.compare(&["--", name]);
        outcome.exits(2).complains("there is no commit named");
        assert!(!outcome.stderr.contains("a\nb"), "control characters are escaped");
    }
    assert!(!repository.folder.join("x").exists());
    // A name that git allows, however strange, works.
    repository.git(&["branch", "we;ird&$(name)"]);
    let arguments = [&["we;ird&$(name)"][..], &QUICK].concat();
    repository.compare(&arguments).exits(0).says("we;ird&$(name)");
    assert!(!repository.folder.join("x").exists());
    repository.is_tidy();
}

#[test]
fn tags_branches_merge_bases_and_detached_heads_are_resolved() {
    let repository = Repository::new("all-names");
    repository.benches(&[("one", 1_000)]);
    let first = repository.commit("first");
    repository.git(&["tag", "-a", "v1", "-m", "annotated"]);
    repository.git(&["checkout", "--quiet", "-b", "topic"]);
    repository.write("a", "");
    let topic = repository.commit("on topic");
    repository.git(&["checkout", "--quiet", "main"]);
    repository.write("b", "");
    let main = repository.commit("on main");
    let compare = |range: &str, base: &str, new: &str| {
        let outcome = repository.compare(&[&[range, "--format", "json"][..], &QUICK].concat());
        outcome.exits(0);
        let report: serde_json::Value = serde_json::from_str(&outcome.stdout).unwrap();
        assert_eq!(
            (report["base"]["commit"].as_str(), report["new"]["commit"].as_str()),
            (Some(base), Some(new))
        );
        report
    };
    compare("v1..topic", &first, &topic);
    compare("main...topic", &first, &topic);
    compare("main..topic", &main, &topic);
    // Known commits are not built again: there are three by now.
    let again = compare("topic..v1", &topic, &first);
    assert_eq!(again["new"]["name"], "v1");
    repository.git(&["checkout", "--quiet", "--detach", &topic]);
    let detached = compare("main", &main, &topic);
    assert_eq!(
        (&detached["new"]["name"], &detached["new"]["dirty"]),
        (&"working tree".into(), &false.into())
    );
    repository.write("c", "");
    assert_eq!(compare("main", &main, &topic)["new"]["dirty"], true);
    repository.is_tidy();
}

#[test]
fn a_base_that_does_not_build_is_explained_and_one_without_benchmarks_refuses_no_change() {
    let repository = Repository::new("broken-base");
    repository.commit("without a bench target");
    repository.write("benches/speed.rs", "fn main() { this does not compile }\n");
    repository.commit("broken");
    let foreign = "fn main() { println!(\"not ours\"); }\nfn is_never_called() {}\n";
    repository.write("benches/speed.rs", foreign);
    repository.commit("foreign");
    repository.benches(&[("one", 1_000)]);
    repository.commit("good");
    let broken = repository.compare(&["HEAD~2"]);
    broken.exits(2).complains("does not build").complains("error: expected");
    repository.is_tidy();
    let foreign = repository.compare(&["HEAD~1"]);
    foreign.exits(0).says("nothing to compare: 1 benchmark added");
    assert!(!foreign.stderr.contains("is_never_called"), "a warning: {}", foreign.stderr);
    foreign.says(
        "speed has another harness or its own `main`, without `plusminus::main!`, `criterion_main!` or `divan::main`",
    );
    repository.compare(&["HEAD~1", "--bisect"]).exits(125);
    repository
        .compare(&["HEAD..HEAD~1"])
        .exits(2)
        .complains("has no bench target to compare: speed has another harness or its own `main`");
    let missing = repository.compare(&["HEAD~3"]);
    missing.exits(0).says("nothing to compare: 1 benchmark added");
    repository.is_tidy();
}

#[test]
fn a_suite_of_another_harness_is_rejected_before_it_is_built() {
    let repository = Repository::new("foreign-suite");
    let manifest = fs::read_to_string(repository.folder.join("Cargo.toml")).unwrap();
    repository.write("Cargo.toml", &manifest.replace(&repository.dependency(), ""));
    repository.write("benches/speed.rs", "fn main() { this does not compile }\n");
    repository.commit("foreign");
    let said = "to compare: speed has another harness or its own `main`";
    for options in [&["HEAD"][..], &["HEAD", "--bench", "speed"], &["HEAD..HEAD", "--workspace"]] {
        repository
            .compare(options)
            .exits(2)
            .complains(said)
            .complains("from-criterion-or-divan.md");
    }
    // By way of a crate of the user's, it may be ours.
    let dependency = "[dev-dependencies]\nfacade = { path = \"facade\" }\n";
    repository.write(
        "Cargo.toml",
        &manifest
            .replace(&repository.dependency(), "")
            .replace("[dev-dependencies]\n", dependency)
            .replace("[workspace]\n", "[workspace]\nmembers = [\"facade\"]\n"),
    );
    repository.write(
        "facade/Cargo.toml",
        &format!(
            "[package]\nname = \"facade\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[dependencies]\n{}",
            repository.dependency()
        ),
    );
    repository.write("facade/src/lib.rs", "pub use plusminus;\n");
    repository.compare(&["HEAD"]).exits(2).complains("does not build");
    // Benches may be in a workspace of their own.
    fs::remove_dir_all(repository.folder.join("benches")).unwrap();
    let package = "[package]\nname = \"foreign-suite\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace]\n";
    repository.write("Cargo.toml", package);
    repository.write("perf/Cargo.toml", &manifest);
    repository.commit("own workspace");
    let cure = "add `--manifest-path` with `perf/Cargo.toml`";
    repository.compare(&["HEAD"]).exits(2).complains(cure);
    repository.is_tidy();
}

#[test]
fn a_shallow_clone_says_what_to_fetch() {
    let repository = Repository::new("deep-history");
    repository.benches(&[("one", 1_000)]);
    let first = repository.commit("first");
    repository.commit("second");
    let shallow = Repository::new("shallow-clone");
    fs::remove_dir_all(&shallow.folder).unwrap();
    let url = format!("file://{}", repository.folder.display());
    let mut clone = repository.command("git");
    let status = clone.args(["clone", "--quiet", "--depth=1", &url]).arg(&shallow.folder).status();
    assert!(status.unwrap().success());
    let outcome = shallow.compare(&[&first]);
    outcome.exits(2).complains("shallow clone").complains("git fetch --depth=1 origin");
    // A branch that only the remote has is found there.
    shallow.git(&["checkout", "--quiet", "--detach"]);
    shallow.git(&["branch", "-D", "main"]);
    shallow.compare(&[&["main"][..], &QUICK].concat()).exits(0);
}

#[test]
fn workspaces_packages_features_and_submodules_are_built_as_cargo_does() {
    let module = Repository::new("a-submodule");
    module.write("steps.txt", "1000");
    module.commit("first");
    let repository = Repository::new("workspace-root");
    let harness = repository.dependency();
    repository.write(
        "Cargo.toml",
        &format!(
            "[workspace]\nmembers = [\"fast-part\", \"other-part\"]\nresolver = \"3\"\n{UNOPTIMISED}"
        ),
    );
    for package in ["fast-part", "other-part"] {
        repository.write(
            &format!("{package}/Cargo.toml"),
            &format!(
                "[package]\nname = \"workspace-root-{package}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\
                 [features]\nmore = []\n[lib]\nbench = false\n\
                 [dev-dependencies]\n{harness}[[bench]]\nname = \"{package}-speed\"\nharness = false\n"
            ),
        );
        repository.write(&format!("{package}/src/lib.rs"), "");
        repository.write(
            &format!("{package}/benches/{package}-speed.rs"),
            "use plusminus::bench;\n\
             const STEPS: &str = include_str!(\"../../module/steps.txt\");\n\
             // Benches run in the folder of their package, as under cargo.\n\
             #[bench] fn reads() -> usize { std::fs::read(\"Cargo.toml\").unwrap().len() + STEPS.len() }\n\
             #[cfg(feature = \"more\")] #[bench] fn more() -> u64 { std::hint::black_box(1) }\n\
             plusminus::main!();\n",
        );
    }
    let mut add = repository.command("git");
    let allowed = [
        ("GIT_CONFIG_COUNT", "1"),
        ("GIT_CONFIG_KEY_0", "protocol.file.allow"),
        ("GIT_CONFIG_VALUE_0", "always"),
    ];
    let url = module.folder.display().to_string();
    let added = add.envs(allowed).args(["submodule", "--quiet", "add", &url, "module"]).status();
    assert!(added.unwrap().success());
    repository.commit("first");
    repository.commit("second");
    let compare = |arguments: &[&str]| {
        let mut command =
            repository.plusminus(&["compare", "--quiet", "HEAD~1..HEAD", "--format", "json"]);
        let command = command.envs(allowed).args(QUICK).args(arguments);
        let outcome = Outcome::of(&command.output().unwrap());
        outcome.exits(0);
        let report: serde_json::Value = serde_json::from_str(&outcome.stdout).unwrap();
        let names = report["benchmarks"].as_array().unwrap().iter();
        let mut names: Vec<String> =
            names.map(|case| case["name"].as_str().unwrap().to_owned()).collect();
        names.sort();
        names
    };
    assert_eq!(compare(&[]).len(), 2, "one benchmark of each package");
    assert_eq!(compare(&["-p", "workspace-root-fast-part"]), ["reads"]);
    assert_eq!(compare(&["--bench", "other-part-speed", "--features", "more"]), ["more", "reads"]);
    repository.is_tidy();
}

#[test]
fn two_programs_are_compared_without_git() {
    let repository = Repository::with_runner("two-programs");
    repository.benches(&[("one", 2_000)]);
    let build = |to: &str| {
        let mut cargo = repository.command("cargo");
        cargo.args(["bench", "--no-run", "--quiet", "--message-format=json"]);
        let output = cargo.output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let path = text.split("\"executable\":\"").nth(1).and_then(|rest| rest.split('"').next());
        let copy = repository.target().join(to);
        fs::copy(path.unwrap(), &copy).unwrap();
        copy.display().to_string()
    };
    let old = build("two programs: old");
    repository.benches(&[("one", 6_000)]);
    let new = build("two programs: new");
    let outcome = repository.compare(&["--binaries", &old, &new, "--margin", "10"]);
    outcome.exits(1).says("one` is at least");
    repository
        .compare(&["--binaries", &old, &new, "nothing"])
        .exits(2)
        .complains("no benchmark matches the filters");
    let foreign = program().with_file_name("no such program");
    repository
        .compare(&["--binaries", &old, foreign.to_str().unwrap()])
        .exits(2)
        .complains("no such program");
}

#[test]
fn reports_are_written_for_programs_and_for_github() {
    let repository = Repository::new("all-reports");
    repository.benches(&[("victim", 2_000)]);
    repository.commit("fast");
    repository.benches(&[("victim", 6_000)]);
    let folder = repository.target().join("all-reports");
    let _ = fs::remove_dir_all(&folder);
    let file = |name: &str| folder.join(name).display().to_string();
    fs::create_dir_all(&folder).unwrap();
    fs::write(file("summary.md"), "before\n").unwrap();
    let mut command = repository.plusminus(&["compare", "main", "--quiet", "--format", "markdown"]);
    command
        .args([
            "--comment",
            &file("new/comment.md"),
            "--json",
            &file("report.json"),
            "--margin",
            "10",
            "--layout",
            "aligned",
        ])
        .env("GITHUB_ACTIONS", "true")
        .env("GITHUB_STEP_SUMMARY", file("summary.md"));
    let outcome = Outcome::of(&command.output().unwrap());
    outcome
        .exits(1)
        .says("| benchmark | base | new | change | 95 % interval | verdict |")
        .says("**slower**")
        .complains("::error file=benches/speed.rs,line=4,title=plusminus::victim is at least");
    let read = |name: &str| fs::read_to_string(file(name)).unwrap();
    let (comment, summary) = (read("new/comment.md"), read("summary.md"));
    assert!(comment.starts_with("<!-- plusminus-compare -->\n### plusminus: "), "{comment}");
    assert!(summary.starts_with("before\n### plusminus: "), "{summary}");
    for text in [comment, summary] {
        assert!(
            text.lines().find(|line| line.starts_with("###")).unwrap().contains("slower"),
            "{text}"
        );
    }
    let report: serde_json::Value = serde_json::from_str(&read("report.json")).unwrap();
    assert_eq!(report["schema"], 2);
    assert_eq!(report["exit_code"], 1);
    assert!(report["benchmarks"][0]["rows"][0]["blocks"].as_array().unwrap().len() >= 6);
}

#[test]
fn what_cannot_work_is_said_before_anything_is_built() {
    let repository = Repository::new("said-first");
    // A build of this fails.
    repository.write("benches/speed.rs", "fn main() { this does not compile }\n");
    repository.commit("first");
    let folder = repository.folder.display().to_string();
    for option in ["--json", "--comment"] {
        for (file, complaint) in
            [(&*folder, "cannot write"), ("Cargo.toml/report", "cannot write"), ("", option)]
        {
            repository.compare(&["HEAD", option, file]).exits(2).complains(complaint);
        }
    }
    // A pipe without a writer would be waited for.
    let pipe = repository.folder.with_extension("pipe");
    let _ = fs::remove_file(&pipe);
    let made = repository.command("mkfifo").arg(&pipe).status().unwrap();
    assert!(made.success());
    let pipe = pipe.display().to_string();
    let outcome = repository.compare(&["--binaries", &pipe, &pipe]);
    outcome.exits(2).complains("is not a regular file");
}

#[test]
fn mistakes_on_the_command_line_are_named() {
    let repository = Repository::new("wrong-options");
    repository.benches(&[("one", 1_000)]);
    repository.commit("first");
    for (arguments, part) in [
        (&["main", "--margin", "2000"][..], "--margin"),
        (&["main", "--alpha", "1"], "--alpha"),
        (&["main", "--max-time", "0"], "--max-time"),
        (&["main", "--wibble"], "--wibble"),
        (&[], "BASE"),
        (&["main", "no_such_benchmark"], "no benchmark matches the filters"),
        // The name of a bench target is not part of the names of its benchmarks.
        (&["main", "speed"], "no benchmark matches the filters"),
        (&["main", "--bench", "nope"], "no bench target `nope` to compare"),
        (&["main", "--manifest-path", "nope/Cargo.toml"], "nope"),
    ] {
        repository.compare(arguments).exits(2).complains(part);
    }
    repository.is_tidy();
}

#[test]
fn files_of_a_workspace_in_the_repository_begin_at_the_top_of_the_repository() {
    let repository = Repository::new("inner-workspace");
    let harness = repository.dependency();
    repository.write(
        "inner/Cargo.toml",
        &format!(
            "[package]\nname = \"inner\"\nversion = \"0.0.0\"\nedition = \"2024\"\n[dev-dependencies]\n{harness}\
             [[bench]]\nname = \"speed\"\nharness = false\n[workspace]\n{UNOPTIMISED}"
        ),
    );
    repository.write("inner/src/lib.rs", "");
    repository.write(
        "inner/benches/speed.rs",
        "use plusminus::bench;\n#[bench] fn one() -> u64 { std::hint::black_box(1) }\nplusminus::main!();\n",
    );
    repository.commit("first");
    let record = repository.folder.join("target/comparison.json");
    let name = record.to_str().unwrap();
    let inner = ["HEAD", "--manifest-path", "inner/Cargo.toml", "--record", name];
    let outcome =
        repository.aligned(&[&inner[..], &["--measure", "all", "--margin", "50"]].concat());
    outcome.exits(0);
    let record = plusminus::record::read_comparison(&record).unwrap();
    assert_eq!(record.cases[0].file.as_deref(), Some("inner/benches/speed.rs"));
}
