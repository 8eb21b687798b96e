//! Set-ups that differ from a fresh package: each is compared with itself, which finds identical code, and then with a change,
//! which does not.
#![cfg(target_os = "linux")]

use std::{fs, os::unix::fs::PermissionsExt, path::Path, process::Command};

use plusminus_tests::Outcome;

use crate::repository::{Harness, Repository, UNOPTIMISED, program, verdict};

/// Compares HEAD with the working tree, and measures nothing.
fn compare(repository: &Repository, variables: &[(&str, &str)]) -> Outcome {
    let mut command = repository.plusminus(&["compare", "HEAD", "--measure", "none"]);
    command.args(["--format", "json"]).envs(variables.iter().copied());
    Outcome::of(&command.output().unwrap())
}

/// The code of a benchmark is found to be the same, and then to differ.
#[track_caller]
fn tells_changes(repository: &Repository, variables: &[(&str, &str)]) {
    let name = if matches!(repository.harness, Harness::WorkerAnew) { "all::one" } else { "one" };
    repository.benches(&[("one", 100)]);
    repository.commit("first");
    let same = compare(repository, variables);
    same.exits(0);
    assert_eq!(verdict(&same, name).0, "identical_code", "{}", same.both());
    repository.benches(&[("one", 101)]);
    let changed = compare(repository, variables);
    changed.exits(0);
    assert_eq!(verdict(&changed, name).0, "differs", "{}", changed.both());
    repository.is_tidy();
}

fn write_script(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, format!("#!/bin/sh\n{text}\n")).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// A wrapper that sets a condition in what it compiles.
fn sets(condition: &str) -> String {
    format!(
        "program=\"$1\"; shift\ncase \"$*\" in *crate-name*) exec \"$program\" \"$@\" --cfg {condition};; esac\n\
         exec \"$program\" \"$@\""
    )
}

/// A library that does not compile without conditions.
fn needs(conditions: &[&str]) -> String {
    let check = |name: &&str| format!("#[cfg(not({name}))] compile_error!(\"no {name}\");\n");
    "#![allow(unexpected_cfgs)]\n".to_owned() + &conditions.iter().map(check).collect::<String>()
}

#[test]
fn wrappers_and_the_compiler_of_a_configuration_are_called() {
    let repository = Repository::built_anew("setup-wrappers");
    repository.write("src/lib.rs", &needs(&["outer", "inner", "own"]));
    write_script(&repository.folder.join("tools/outer.sh"), &sets("outer"));
    write_script(&repository.folder.join("tools/inner.sh"), &sets("inner"));
    let rustc =
        "case \"$*\" in *crate-name*) exec rustc \"$@\" --cfg own;; esac\nexec rustc \"$@\"";
    write_script(&repository.folder.join("tools/rustc.sh"), rustc);
    repository.write(
        ".cargo/config.toml",
        "[build]\nrustc-wrapper = 'tools/outer.sh'\nrustc-workspace-wrapper = 'tools/inner.sh'\n\
         rustc = 'tools/rustc.sh'\n",
    );
    tells_changes(&repository, &[]);
}

#[test]
fn a_wrapper_of_the_users_home_is_called_and_variables_outrank_files() {
    let repository = Repository::built_anew("setup-home");
    repository.write("src/lib.rs", &needs(&["outer"]));
    let home = repository.folder.with_file_name("setup-home-of-cargo");
    let _ = fs::remove_dir_all(&home);
    write_script(&home.join("outer.sh"), &sets("outer"));
    let wrapper = home.join("outer.sh").display().to_string();
    fs::write(home.join("config.toml"), format!("[build]\nrustc-wrapper = '{wrapper}'\n")).unwrap();
    let own = std::env::var_os("CARGO_HOME").map(std::path::PathBuf::from);
    let own = own.unwrap_or_else(|| std::env::home_dir().unwrap().join(".cargo"));
    for folder in ["registry", "git"] {
        let _ = std::os::unix::fs::symlink(own.join(folder), home.join(folder));
    }
    // Cargo does not build with zero jobs, so the variable takes effect.
    repository.write(".cargo/config.toml", "[build]\njobs = 0\n");
    let variables = [("CARGO_HOME", home.to_str().unwrap()), ("CARGO_BUILD_JOBS", "2")];
    tells_changes(&repository, &variables);
}

/// The target that this machine compiles for.
fn host() -> String {
    let version = Outcome::of(&Command::new("rustc").arg("-vV").output().unwrap()).stdout;
    version.lines().find_map(|line| line.strip_prefix("host: ")).unwrap().to_owned()
}

#[test]
fn a_build_script_compiles_for_another_target() {
    let repository = Repository::new("setup-nested");
    repository.write(
        "nested/Cargo.toml",
        "[package]\nname = \"nested\"\nedition = \"2024\"\n[workspace]\n",
    );
    // Without the library of the target, which need not be installed.
    repository.write("nested/src/main.rs", "#![feature(no_core)]\n#![no_core]\n#![no_main]\n");
    repository.write(
        "build.rs",
        r#"fn main() {
    let variable = |name: &str| std::env::var(name).unwrap();
    let mut cargo = std::process::Command::new(variable("CARGO"));
    cargo.args(["build", "--quiet", "--release", "--target", "wasm32-unknown-unknown"]);
    cargo.args(["--manifest-path", "nested/Cargo.toml", "--target-dir", &variable("OUT_DIR")]);
    assert!(cargo.env("RUSTC_BOOTSTRAP", "1").status().unwrap().success());
}
"#,
    );
    tells_changes(&repository, &[]);
}

#[test]
fn data_that_git_ignores_is_named_and_shared() {
    let repository = Repository::new("setup-ignored");
    repository.write(".gitignore", "target\nCargo.lock\n/data\n");
    repository.write("data/big.bin", "something");
    let bench = |read: &str| {
        let text = format!(
            "#[plusminus::bench] fn reads() -> Vec<u8> {{ std::fs::read({read} }}\nplusminus::main!();\n"
        );
        repository.write("benches/speed.rs", &text);
    };
    // A path that no text of the program is.
    bench("[\"data\", \"big.bin\"].join(\"/\")).unwrap()");
    repository.commit("first");
    let quick = ["HEAD", "--measure", "all", "--max-blocks", "6", "--fail-on", "never"];
    let outcome = repository.aligned(&quick);
    outcome.exits(2).says("No such file").says("Git ignores `data`").says("`--share data`");
    // Nothing fails, but one version would read nothing.
    bench("\"data/big.bin\").unwrap_or_default()");
    let outcome = repository.aligned(&quick);
    outcome.exits(2).complains("base has no `data`, which git ignores").complains("`--share data`");
    let outcome = repository.aligned(&[&quick[..], &["--share", "data"]].concat());
    outcome.exits(0);
    let outcome = repository.compare(&[&quick[..], &["--share", "/"]].concat());
    outcome.exits(2).complains("--share: / is not in the repository");
    repository.is_tidy();
}

#[test]
fn submodules_come_from_the_users_folders_and_those_without_are_left_alone() {
    let allowed = [
        ("GIT_CONFIG_COUNT", "1"),
        ("GIT_CONFIG_KEY_0", "protocol.file.allow"),
        ("GIT_CONFIG_VALUE_0", "always"),
    ];
    let inner = Repository::new("setup-inner-module");
    inner.write("inner.txt", "1000");
    inner.commit("first");
    let module = Repository::new("setup-module");
    let private = Repository::new("setup-private-module");
    private.commit("first");
    let repository = Repository::new("setup-submodules");
    let add = |to: &Repository, from: &Repository, name: &str| {
        let mut add = to.command("git");
        add.envs(allowed).args(["submodule", "--quiet", "add"]).arg(&from.folder).arg(name);
        Outcome::of(&add.output().unwrap()).exits(0);
    };
    add(&module, &inner, "inner");
    module.commit("first");
    add(&repository, &module, "module");
    add(&repository, &private, "private");
    let mut update = repository.command("git");
    update.envs(allowed).args(["submodule", "--quiet", "update", "--init", "--recursive"]);
    Outcome::of(&update.output().unwrap()).exits(0);
    repository.git(&["submodule", "--quiet", "deinit", "--force", "private"]);
    fs::remove_dir_all(repository.folder.join(".git/modules/private")).unwrap();
    for server in [&inner, &module, &private] {
        fs::remove_dir_all(&server.folder).unwrap();
    }
    repository.write(
        "src/lib.rs",
        "pub const STEPS: &str = include_str!(\"../module/inner/inner.txt\");\n",
    );
    tells_changes(&repository, &[]);
    assert_eq!(fs::read_dir(repository.folder.join("private")).unwrap().count(), 0);
    let url = repository.command("git").args(["config", "submodule.private.url"]).output().unwrap();
    assert!(!url.status.success(), "the submodule is still not initialized");
}

#[test]
fn benchmarks_get_the_variables_of_their_version_and_compare_those_of_the_harness() {
    let repository = Repository::new("setup-variables");
    let bench = "use std::{env::var, fs};\n#[plusminus::bench] fn reads() -> (Vec<u8>, String) {\n    \
                 fs::metadata(var(\"OUT_DIR\").unwrap()).unwrap();\n    \
                 (fs::read(var(\"DATA\").unwrap()).unwrap(), var(\"SIZE\").unwrap())\n}\nplusminus::main!();\n";
    repository.write("benches/speed.rs", bench);
    let version = |data: &str, size: &str| {
        let _ = fs::remove_dir_all(repository.folder.join("data"));
        repository.write(&format!("data/{data}"), "something");
        let data = format!("DATA = {{ value = 'data/{data}', relative = true }}");
        let text = format!("[env]\n{data}\nPLUSMINUS_MARGIN = '7'\n");
        repository.write(".cargo/config.toml", &text);
        let script = format!("fn main() {{ println!(\"cargo::rustc-env=SIZE={size}\"); }}\n");
        repository.write("build.rs", &script);
    };
    version("old", "1");
    repository.commit("first");
    version("old", "2");
    let outcome = compare(&repository, &[]);
    outcome.exits(0).says("a build script writes another variable SIZE");
    version("new", "1");
    let options = ["HEAD", "--max-blocks", "6", "--fail-on", "never", "--format", "json"];
    let outcome = repository.aligned(&options);
    outcome.exits(0);
    let (_, row) = verdict(&outcome, "reads");
    assert_eq!(row["margin"], 0.07, "{}", outcome.both());
    assert_eq!(row["blocks"].as_array().map(Vec::len), Some(6), "{}", outcome.both());
    repository.is_tidy();
}

#[test]
fn a_folder_has_blanks_and_quotes_in_its_name() {
    let name = "setup we ird'\"ü$(x);#";
    tells_changes(&Repository::in_folder("setup-odd-folder", name), &[]);
}

#[test]
fn a_target_is_named_and_the_linker_is_gnus() {
    let repository = Repository::built_anew("setup-target");
    repository.write(".cargo/config.toml", "[build]\nrustflags = ['-Clink-arg=-fuse-ld=bfd']\n");
    tells_changes(&repository, &[("CARGO_BUILD_TARGET", &host())]);
}

#[test]
fn paths_in_variables_begin_in_the_folder_of_the_user() {
    let repository = Repository::built_anew("setup-relative");
    write_script(&repository.folder.join("tools/cc"), "exec cc \"$@\"");
    write_script(&repository.folder.join("tools/run.sh"), "exec \"$@\"");
    let target = Path::new("../../compare").join(repository.target().file_name().unwrap());
    let of_host =
        |name: &str| format!("CARGO_TARGET_{}_{name}", host().to_uppercase().replace('-', "_"));
    let variables = [
        ("CARGO_TARGET_DIR", target.to_str().unwrap()),
        (&of_host("LINKER"), "tools/cc"),
        (&of_host("RUNNER"), "tools/run.sh"),
    ];
    tells_changes(&repository, &variables);
    let elsewhere = repository.folder.parent().unwrap().join(target);
    assert!(!elsewhere.exists(), "{}", elsewhere.display());
}

#[test]
fn the_linker_is_mold() {
    if Command::new("mold").arg("--version").output().is_err() {
        eprintln!("not tested: there is no mold");
        return;
    }
    let repository = Repository::built_anew("setup-mold");
    repository.write(".cargo/config.toml", "[build]\nrustflags = ['-Clink-arg=-fuse-ld=mold']\n");
    tells_changes(&repository, &[]);
}

#[test]
fn programs_are_optimized_as_a_whole_and_stripped() {
    let repository = Repository::new("setup-stripped");
    let manifest = fs::read_to_string(repository.folder.join("Cargo.toml")).unwrap();
    let profile = "[profile.bench]\nlto = \"fat\"\nstrip = true\ndebug = 1\n";
    repository.write("Cargo.toml", &format!("{manifest}{profile}"));
    tells_changes(&repository, &[]);
}

#[test]
fn two_packages_of_a_virtual_manifest_have_a_bench_of_one_name() {
    let repository = Repository::new("setup-virtual");
    let harness = repository.dependency();
    repository.write(
        "Cargo.toml",
        &format!("[workspace]\nmembers = [\"a\", \"b\"]\nresolver = \"3\"\n{UNOPTIMISED}"),
    );
    fs::remove_dir_all(repository.folder.join("src")).unwrap();
    let bench = |package: &str, steps: u64| {
        let text = format!(
            "#[plusminus::bench] fn one() -> u64 {{ (0..std::hint::black_box(9_u64)).fold({steps}, |x, i| x.wrapping_mul(31) ^ i) }}\n\
             plusminus::main!();\n"
        );
        repository.write(&format!("{package}/benches/speed.rs"), &text);
    };
    for package in ["a", "b"] {
        repository.write(
            &format!("{package}/Cargo.toml"),
            &format!(
                "[package]\nname = \"setup-virtual-{package}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\
                 [lib]\nbench = false\n[dev-dependencies]\n{harness}\
                 [[bench]]\nname = \"speed\"\nharness = false\n"
            ),
        );
        repository.write(&format!("{package}/src/lib.rs"), "");
        bench(package, 1);
    }
    repository.commit("first");
    bench("b", 2);
    let outcome = compare(&repository, &[]);
    outcome.exits(0);
    let report: serde_json::Value = serde_json::from_str(&outcome.stdout).unwrap();
    let of = |package: &str| {
        let cases = report["benchmarks"].as_array().unwrap().iter();
        let mut own = cases.filter(|case| case["name"].as_str().unwrap().contains(package));
        own.next().unwrap()["code"]["verdict"].as_str().unwrap().to_owned()
    };
    assert_eq!(of("setup-virtual-a"), "identical_code", "{}", outcome.both());
    assert_eq!(of("setup-virtual-b"), "differs", "{}", outcome.both());
    repository.is_tidy();
}

#[test]
fn the_checkout_is_a_worktree_of_git() {
    let repository = Repository::new("setup-worktree");
    repository.benches(&[("one", 100)]);
    repository.commit("first");
    let folder = repository.folder.with_file_name("setup-worktree-beside");
    let _ = fs::remove_dir_all(&folder);
    let path = folder.to_str().unwrap();
    repository.git(&["worktree", "add", "--quiet", "-b", "beside", path]);
    let beside = Repository {
        folder: folder.clone(),
        package: repository.package.clone(),
        harness: repository.harness,
    };
    let same = compare(&beside, &[]);
    same.exits(0);
    assert_eq!(verdict(&same, "one").0, "identical_code", "{}", same.both());
    beside.benches(&[("one", 101)]);
    assert_eq!(verdict(&compare(&beside, &[]), "one").0, "differs");
    repository.git(&["worktree", "remove", "--force", path]);
    repository.is_tidy();
}

#[test]
fn the_program_is_replaced_while_it_compares() {
    let repository = Repository::new("setup-replaced");
    repository.benches(&[("one", 100)]);
    repository.commit("first");
    repository.benches(&[("one", 101)]);
    let own = repository.folder.with_file_name("setup-replaced-program");
    fs::copy(program(), &own).unwrap();
    // The first question to git comes before anything is built.
    let tools = repository.folder.with_file_name("setup-replaced-tools");
    let script = format!("rm -f '{}'\nPATH=\"${{PATH#*:}}\" exec git \"$@\"", own.display());
    write_script(&tools.join("git"), &script);
    let path = format!("{}:{}", tools.display(), std::env::var("PATH").unwrap());
    let mut command = repository.command(own.to_str().unwrap());
    command.args(["plusminus", "compare", "HEAD", "--measure", "none", "--format", "json"]);
    let changed = Outcome::of(&command.env("PATH", path).output().unwrap());
    changed.exits(0);
    assert!(!own.exists());
    assert_eq!(verdict(&changed, "one").0, "differs", "{}", changed.both());
}
