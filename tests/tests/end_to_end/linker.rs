//! The linker's inputs other than objects of Rust: a comparison finds a change that only the linker can see.
#![cfg(target_os = "linux")]

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use crate::repository::{Repository, verdict};
use plusminus_tests::Outcome;

/// Makes the libraries of the benches: archives with plain code, with GCC's own form of it, and shared libraries that
/// call back or need others. The contents of `link-args` are handed to the linker.
const BUILD: &str = r#"
use std::{env, fs, process::Command};

fn run(program: &str, arguments: &[&str]) {
    let status = Command::new(program).args(arguments).status().unwrap();
    assert!(status.success(), "{program} {arguments:?}");
}

fn main() {
    let out = env::var("OUT_DIR").unwrap();
    for name in ["wl", "ga", "gb", "slim", "redirected"] {
        let (source, object) = (format!("c/{name}.c"), format!("{out}/{name}.o"));
        let lto = if name == "slim" { "-flto" } else { "-fno-lto" };
        run("gcc", &["-c", "-O2", "-fPIC", "-ffunction-sections", lto, "-o", &object, &source]);
        run("gcc-ar", &["crs", &format!("{out}/lib{name}.a"), &object]);
    }
    let folder = format!("-L{out}");
    for (name, needs) in [("inner", &[][..]), ("outer", &[&*folder, "-linner"]), ("back", &[])] {
        let (source, library) = (format!("c/{name}.c"), format!("{out}/lib{name}.so"));
        run("gcc", &[&["-shared", "-fPIC", "-O2", "-o", &library, &source], needs].concat());
    }
    println!("cargo:rustc-link-search=native={out}");
    for argument in fs::read_to_string("link-args").unwrap().lines() {
        println!("cargo:rustc-link-arg-benches={argument}");
    }
    println!("cargo:rerun-if-changed=c");
    println!("cargo:rerun-if-changed=link-args");
}
"#;

/// Sources in C, by name; `step` is the function that a bench of the same name calls.
const SOURCES: [(&str, &str); 8] = [
    ("wl", "unsigned long wl_step(unsigned long n) { return n * 31; }"),
    (
        "ga",
        "unsigned long gb_step(unsigned long); unsigned long ga_step(unsigned long n) { return gb_step(n) + 1; }",
    ),
    ("gb", "unsigned long gb_step(unsigned long n) { return n * 31; }"),
    ("slim", "unsigned long slim_step(unsigned long n) { return n * 31; }"),
    (
        "redirected",
        "unsigned long target_one(unsigned long n) { return n * 31; }\nunsigned long __wrap_wrapped(unsigned long n) { return n * 31; }",
    ),
    ("inner", "unsigned long inner_step(unsigned long n) { return n * 31; }"),
    (
        "outer",
        "unsigned long inner_step(unsigned long); unsigned long outer_step(unsigned long n) { return inner_step(n); }",
    ),
    (
        "back",
        "unsigned long callback(unsigned long); unsigned long back_step(unsigned long n) { return callback(n); }",
    ),
];

/// A bench target that calls one function of C.
fn bench(link: &str, function: &str, more: &str) -> String {
    format!(
        "use std::hint::black_box;\n{link}\nunsafe extern \"C\" {{ fn {function}(n: u64) -> u64; }}\n\
         #[plusminus::bench] fn calls() -> u64 {{ unsafe {{ {function}(black_box(7)) }} }}\n{more}\nplusminus::main!();\n"
    )
}

fn repository() -> Repository {
    let repository = Repository::built_anew("linkers-inputs");
    repository.write("build.rs", BUILD);
    repository.write(
        "link-args",
        "-Wl,--whole-archive,-lwl,--no-whole-archive\n-Wl,--start-group,-lga,-lgb,--end-group\n",
    );
    // The linker that takes a plugin.
    repository.write(".cargo/config.toml", "[build]\nrustflags = [\"-Clinker-features=-lld\"]\n");
    for (name, source) in SOURCES {
        repository.write(&format!("c/{name}.c"), source);
    }
    let callback =
        "#[unsafe(no_mangle)] pub extern \"C\" fn callback(n: u64) -> u64 { n.wrapping_mul(31) }";
    let targets = [
        (
            "plain",
            String::from(
                "#[plusminus::bench] fn calls() -> u64 { std::hint::black_box(7) }\nplusminus::main!();\n",
            ),
        ),
        ("whole", bench("", "wl_step", "")),
        ("group", bench("", "ga_step", "")),
        ("slim", bench("#[link(name = \"slim\", kind = \"static\")]", "slim_step", "")),
        ("system", bench("#[link(name = \"one\")]", "system_step", "")),
        ("needs", bench("#[link(name = \"outer\")]", "outer_step", "")),
        ("back", bench("#[link(name = \"back\")]", "back_step", callback)),
    ];
    let manifest = fs::read_to_string(repository.folder.join("Cargo.toml")).unwrap();
    let with_macros = "default-features = false, features = [\"macros\"]";
    let mut manifest = manifest.replace("default-features = false", with_macros);
    for (name, text) in targets {
        repository.write(&format!("benches/{name}.rs"), &text);
        manifest.push_str(&format!("[[bench]]\nname = \"{name}\"\nharness = false\n"));
    }
    repository.write("Cargo.toml", &manifest.replace("name = \"speed\"", "name = \"redirected\""));
    let calls = "#[link(name = \"redirected\", kind = \"static\")]";
    let defined = "unsafe extern \"C\" { fn aliased(n: u64) -> u64; }\n#[plusminus::bench] fn other() -> u64 { unsafe { aliased(black_box(7)) } }";
    repository.write("benches/redirected.rs", &bench(calls, "wrapped", defined));
    repository
}

/// A folder as one of the system's, in which the loader finds all libraries, whatever the build makes.
fn system(repository: &Repository) -> PathBuf {
    let folder = repository.folder.with_extension("system");
    fs::create_dir_all(&folder).unwrap();
    for (name, value) in [("one", 31), ("two", 33)] {
        put_system_step(&folder, name, value);
    }
    let libraries = format!("-L{}", folder.display());
    for (name, more) in [("inner", &[][..]), ("outer", &[&*libraries, "-linner"]), ("back", &[])] {
        put_library(&folder, name, &repository.folder.join(format!("c/{name}.c")), more);
    }
    folder
}

/// Puts a library into the system's folder.
fn put_library(folder: &Path, name: &str, source: &Path, more: &[&str]) {
    let mut gcc = Command::new("gcc");
    gcc.args(["-shared", "-fPIC", "-o"]).arg(folder.join(format!("lib{name}.so"))).arg(source);
    assert!(gcc.args(more).status().unwrap().success(), "{name}");
}

fn put_system_step(folder: &Path, name: &str, value: u32) {
    let source = folder.join("system.c");
    let step = format!("unsigned long system_step(unsigned long n) {{ return n * {value}; }}");
    fs::write(&source, step).unwrap();
    put_library(folder, name, &source, &[]);
}

fn compare(repository: &Repository, system: &Path, benches: &[&str]) -> Outcome {
    let mut command = repository.plusminus(&[
        "compare",
        "--quiet",
        "HEAD",
        "--measure",
        "none",
        "--format",
        "json",
    ]);
    command.args(benches.iter().flat_map(|name| ["--bench", name]));
    command.env("LIBRARY_PATH", system).env("LD_LIBRARY_PATH", system);
    Outcome::of(&command.output().unwrap())
}

fn edit(repository: &Repository, file: &str, from: &str, to: &str) {
    let text = fs::read_to_string(repository.folder.join(file)).unwrap();
    assert!(text.contains(from), "{text}");
    repository.write(file, &text.replace(from, to));
}

#[test]
fn what_only_the_linker_sees_is_no_identical_code() {
    let repository = repository();
    let system = system(&repository);
    repository.commit("first");
    for file in ["c/wl.c", "c/gb.c", "c/slim.c", "c/inner.c", "benches/back.rs"] {
        edit(&repository, file, "31", "33");
    }
    edit(&repository, "benches/system.rs", "\"one\"", "\"two\"");
    let changed = ["whole", "group", "slim", "system", "needs", "back"];
    let outcome = compare(&repository, &system, &[&["plain"][..], &changed].concat());
    let code = |name: &str| verdict(outcome.exits(0), &format!("{name}: calls")).0;
    assert_eq!(code("plain"), "identical_code", "{}", outcome.both());
    for name in ["whole", "group", "back"] {
        assert_eq!(code(name), "differs", "{name}: {}", outcome.both());
    }
    for name in ["slim", "system", "needs"] {
        assert_eq!(code(name), "unknown", "{name}: {}", outcome.both());
    }
    outcome.says("libtwo.so").says("libinner.so");

    // References that the linker exchanges.
    repository.write("link-args", "-Wl,--wrap=wrapped\n-Wl,--defsym=aliased=target_one\n");
    repository.commit("second");
    edit(&repository, "c/redirected.c", "31", "33");
    let outcome = compare(&repository, &system, &["redirected"]);
    outcome.exits(0).says("the linker exchanges symbols (--wrap=wrapped)");
    for name in ["calls", "other"] {
        assert_eq!(verdict(&outcome, name).0, "unknown", "{}", outcome.both());
    }

    // A library of the system that is brought up to date: the kept program of base is linked again.
    repository.write("link-args", "");
    repository.commit("third");
    compare(&repository, &system, &["system"]).exits(0);
    put_system_step(&system, "two", 35);
    edit(&repository, "benches/system.rs", "use std", "// As before.\nuse std");
    let outcome = compare(&repository, &system, &["system"]);
    assert_eq!(verdict(outcome.exits(0), "calls").0, "identical_code", "{}", outcome.both());
    repository.is_tidy();
}
