//! Results of `compare` for benchmarks whose machine code is the same in both versions, and for others.
#![cfg(target_os = "linux")]

use std::{fs, os::unix::fs::PermissionsExt as _};

use crate::repository::{Repository, verdict};
use plusminus_tests::Outcome;

/// A library with a kernel, a benchmark of it, and three that are registered while the program runs: one of the kernel,
/// and two of something else, in the same section and in another one.
fn repository(name: &str) -> Repository {
    let repository = Repository::new(name);
    repository.write(
        "src/lib.rs",
        "static TABLE: [u64; 3] = [3, 5, 7];\n\
         pub fn kernel(n: u64) -> u64 {\n    let mut sum = 0_u64;\n\
         for i in 0..n { sum = sum.wrapping_add(std::hint::black_box(TABLE[(i % 3) as usize])); }\n    sum\n}\n",
    );
    let name = name.replace('-', "_");
    repository.write(
        "benches/speed.rs",
        &format!(
            "use plusminus::bench;\n#[bench(args = [10])] fn kernel(n: u64) -> u64 {{ {name}::kernel(n) }}\n\
             #[bench] fn map() -> usize {{ let mut map = std::collections::HashMap::new(); \
             for i in 0..100_u64 {{ map.insert(i.to_string(), i); }} map.len() }}\n\
             fn late(registry: &plusminus::Registry) {{\n\
             registry.section(|| {{\n\
             registry.bench(\"kernel\", |b| b.bench(|| {name}::kernel(20)));\n\
             registry.bench(\"text\", |b| b.bench(|| std::hint::black_box(17).to_string()));\n\
             }});\n\
             registry.section(|| {{\n\
             let numbers: Vec<u64> = (0..10).collect();\n\
             registry.bench(\"sum\", |b| b.bench(|| numbers.iter().sum::<u64>()));\n\
             }});\n\
             }}\n\
             plusminus::register!(late);\nplusminus::main!();\n"
        ),
    );
    repository
}

/// Replaces a text in a file.
fn edit(repository: &Repository, file: &str, from: &str, to: &str) {
    let text = std::fs::read_to_string(repository.folder.join(file)).unwrap();
    assert!(text.contains(from), "{text}");
    repository.write(file, &text.replace(from, to));
}

fn compare(repository: &Repository, arguments: &[&str]) -> Outcome {
    let quick = ["main", "--max-blocks", "6", "--fail-on", "never", "--format", "json"];
    repository.aligned(&[&quick, arguments].concat())
}

#[test]
fn what_no_kernel_executes_is_not_measured() {
    let repository = repository("unrelated-code");
    repository.commit("first");
    edit(
        &repository,
        "src/lib.rs",
        "static TABLE",
        "//! A comment.\n/// Another function.\npub fn other(n: u64) -> u64 { (0..n).map(|i| i.count_ones() as u64 * i).sum() }\n\
         static TABLE",
    );
    let outcome = compare(&repository, &[]);
    outcome.exits(0).says("\"identical_code\": 5").says("\"verdicts\": 0");
    assert_eq!(verdict(&outcome, "kernel::10").0, "identical_code");
    let words = repository.compare(&["main"]);
    words
        .exits(0)
        .says("5 of 5 benchmarks run identical machine code and need no measuring.")
        .says("Nothing was measured");
    let unmeasured = repository.compare(&["main", "--measure", "none"]);
    unmeasured.exits(0).says("Nothing was measured");
    let all = repository.aligned(&["main", "kernel", "--measure", "all", "--max-blocks", "6"]);
    all.exits(0).says("  identical code\n");
    repository.is_tidy();
}

#[test]
fn an_entry_of_a_table_is_code_and_the_function_is_named() {
    let repository = repository("changed-table");
    repository.commit("first");
    edit(&repository, "src/lib.rs", "[3, 5, 7]", "[3, 5, 8]");
    let outcome = compare(&repository, &[]);
    outcome.exits(0).says("\"identical_code\": 3");
    for changed in ["kernel::10", "late::kernel"] {
        assert_ne!(verdict(&outcome, changed).0, "identical_code");
    }
    for unchanged in ["map", "late::text", "late::sum"] {
        assert_eq!(verdict(&outcome, unchanged).0, "identical_code", "{unchanged}");
    }
    // Code of ours that ends up with another address of the table has not changed.
    assert!(!outcome.stdout.contains("plusminus_worker"), "{}", outcome.stdout);
    // Another function of the same name and the same length.
    edit(&repository, "src/lib.rs", "[3, 5, 8]", "[3, 5, 7]");
    edit(&repository, "src/lib.rs", "wrapping_add", "wrapping_sub");
    let words = repository.aligned(&["main", "--max-blocks", "6", "--fail-on", "never"]);
    words.exits(0).says("3 of 5 benchmarks run identical machine code").says("code: ");
    // Code that is registered before a benchmark is also run for it; other sections are not.
    edit(&repository, "src/lib.rs", "wrapping_sub", "wrapping_add");
    edit(
        &repository,
        "benches/speed.rs",
        "registry.bench(\"text\"",
        "std::hint::black_box(1);\nregistry.bench(\"text\"",
    );
    let outcome = compare(&repository, &["late", "--measure", "none"]);
    outcome.exits(0).says("\"identical_code\": 1").says("before it is called");
    assert_eq!(verdict(&outcome, "late::sum").0, "identical_code");
    repository.is_tidy();
}

#[test]
fn a_changed_file_of_data_may_be_read_while_a_benchmark_runs() {
    let repository = repository("changed-data");
    repository.write("data/words.txt", "one");
    repository.commit("first");
    // The files of a comparison are recognized, wherever they lie.
    for _ in 0..2 {
        let outcome = compare(&repository, &["kernel", "--json", "data/authors.json"]);
        outcome.exits(0);
        assert_eq!(verdict(&outcome, "kernel::10").0, "identical_code");
    }
    // The program of the package has its name, and no benchmark starts it.
    repository.write("src/main.rs", "fn main() {}");
    repository.commit("program");
    repository.write("src/main.rs", "fn main() { println!(); }");
    let outcome = compare(&repository, &["kernel"]);
    assert_eq!(verdict(&outcome, "kernel::10").0, "identical_code", "{}", outcome.both());
    repository.is_tidy();
}

#[test]
fn a_changed_file_of_data_may_be_read_through_a_link() {
    let repository = repository("linked-data");
    repository.write("data/words.txt", "one");
    repository.commit("first");
    // No program has a word of this path, until a link leads to its folder.
    repository.write("tests/fixtures/a.csv", "one");
    let outcome = compare(&repository, &["kernel"]);
    assert_eq!(verdict(&outcome, "kernel::10").0, "identical_code");
    let link = repository.folder.join("benches/corpus");
    std::os::unix::fs::symlink("../tests/fixtures", link).unwrap();
    repository.commit("link");
    repository.write("tests/fixtures/a.csv", "two");
    let outcome = compare(&repository, &["kernel", "--measure", "none"]);
    outcome.exits(0).says("tests/fixtures/a.csv changed, which a benchmark may read");
    repository.write("tests/fixtures/a.csv", "one");
    repository.write("data/authors.csv", "one");
    let outcome = compare(&repository, &["kernel", "--measure", "none"]);
    outcome.exits(0).says("data/authors.csv changed, which a benchmark may read");
    fs::remove_file(repository.folder.join("data/authors.csv")).unwrap();
    let link = repository.folder.join("data/link");
    std::os::unix::fs::symlink("/", &link).unwrap();
    let outcome = compare(&repository, &["kernel", "--measure", "none"]);
    outcome.exits(0).says("data/link changed, which a benchmark may read");
    fs::remove_file(link).unwrap();
    repository.write("data/words.txt", "two");
    let outcome = compare(&repository, &["kernel"]);
    outcome
        .exits(0)
        .says("\"identical_code\": 0")
        .says("data/words.txt changed, which a benchmark may read");
    // Git keeps silent about it.
    let outcome = repository.git(&["update-index", "--assume-unchanged", "data/words.txt"]);
    outcome.exits(0);
    let outcome = compare(&repository, &["kernel", "--measure", "none"]);
    outcome.exits(0).says("data/words.txt changed, which a benchmark may read");
    repository.is_tidy();
}

#[test]
fn what_a_metric_counts_is_code_and_the_number_of_samples_is_none() {
    let repository = Repository::new("metrics");
    repository.write(
        "benches/speed.rs",
        "use std::sync::atomic::{AtomicU64, Ordering::Relaxed};\nstatic PROBES: AtomicU64 = AtomicU64::new(0);\n\
         struct Probes(f64);\n\
         impl plusminus::Metric for Probes {\n    fn name(&self) -> &str { \"probes\" }\n    fn unit(&self) -> &str { \"probes\" }\n    \
         fn read(&self) -> f64 { PROBES.load(Relaxed) as f64 * self.0 }\n}\n\
         #[plusminus::bench(metrics = [Probes(1.0)], samples = 5)] fn own() { PROBES.fetch_add(3, Relaxed); }\n\
         #[plusminus::bench] fn without() { PROBES.fetch_add(3, Relaxed); }\n\
         #[plusminus::bench_group(metrics = [Probes(2.0)])] mod grouped {\n    \
         #[plusminus::bench] fn probes() { super::PROBES.fetch_add(3, super::Relaxed); }\n}\nplusminus::main!();\n",
    );
    repository.commit("first");
    edit(&repository, "benches/speed.rs", "samples = 5", "samples = 6");
    let outcome = compare(&repository, &["--measure", "none"]);
    outcome.exits(0).says("\"identical_code\": 3");
    edit(&repository, "benches/speed.rs", "Probes(2.0)", "Probes(3.0)");
    edit(&repository, "benches/speed.rs", "Probes(1.0)", "Probes(1.5)");
    let outcome = compare(&repository, &["--measure", "none"]);
    outcome.exits(0).says("\"identical_code\": 1");
    assert_eq!(verdict(&outcome, "without").0, "identical_code");
    repository.is_tidy();
}

#[test]
fn where_both_sides_lie_is_no_difference() {
    let repository = Repository::new("own-paths");
    repository.write(
        "build.rs",
        "fn main() {\n    let file = std::path::Path::new(&std::env::var(\"OUT_DIR\").unwrap()).join(\"made.rs\");\n    \
         std::fs::write(&file, \"pub const MADE: &str = file!();\\n\").unwrap();\n    \
         std::fs::write(file.with_file_name(\"table.bin\"), \"one\").unwrap();\n    \
         println!(\"cargo::rerun-if-changed=build.rs\");\n}\n",
    );
    repository.write(
        "src/lib.rs",
        "include!(concat!(env!(\"OUT_DIR\"), \"/made.rs\"));\n\
         pub const TABLE: &str = concat!(env!(\"OUT_DIR\"), \"/table.bin\");\n",
    );
    repository.write("data/words", "one two");
    repository.write("corpus/quux.zz", "one");
    repository.write(
        "benches/speed.rs",
        "use plusminus::bench;\nuse std::hint::black_box;\n\
         #[bench] fn manifest() -> usize { std::fs::read(concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/data/words\")).unwrap().len() }\n\
         #[bench] fn file() -> usize { black_box(file!()).len() }\n\
         #[bench] fn folder() -> usize { std::fs::read_dir(std::path::PathBuf::from(\"corpus\")).unwrap().count() }\n\
         #[bench] fn made() -> usize { black_box(own_paths::MADE).len() }\n\
         #[bench] fn out() -> usize { black_box(env!(\"CARGO_MANIFEST_PATH\")).len() }\n\
         #[bench] fn table() -> usize { std::fs::read(own_paths::TABLE).unwrap().len() }\nplusminus::main!();\n",
    );
    repository.commit("first");
    let unchanged = |arguments: &[&str]| {
        let quick = ["--measure", "none", "--format", "json"];
        repository.compare(&[arguments, &quick].concat()).exits(0).says("\"identical_code\": 6");
    };
    unchanged(&["main"]);
    repository.commit("nothing");
    unchanged(&["HEAD~..HEAD"]);
    // The input differs: each side has its own.
    repository.write("data/words", "one two three");
    let outcome = compare(&repository, &["manifest"]);
    outcome.exits(0).says("data/words changed, which a benchmark may read");
    repository.write("data/words", "one two");
    // The name of this folder is in no data of the program, as instructions write it.
    repository.write("corpus/quux.zz", "two");
    let outcome = compare(&repository, &["folder", "--measure", "none"]);
    outcome.exits(0).says("corpus/quux.zz changed, which a benchmark may read");
    repository.write("corpus/quux.zz", "one");
    edit(&repository, "build.rs", "\"one\"", "\"one two\"");
    let outcome = compare(&repository, &["table", "--measure", "none"]);
    outcome.exits(0).says("a build script writes another table.bin");
    repository.is_tidy();
}

#[test]
fn a_configuration_of_cargo_may_change_more_than_code() {
    let repository = repository("configured");
    repository.write(".cargo/config.toml", "[env]\nN = \"1\"\n");
    repository.commit("first");
    repository.write(".cargo/config.toml", "[env]\nN = \"2\"\n");
    let outcome = compare(&repository, &["map", "--measure", "none"]);
    outcome.exits(0).says("cargo sets another variable N, with which benchmarks run");
    // Nothing but the linker itself knows what it adds.
    let linker = repository.folder.with_extension("cc");
    fs::write(&linker, "#!/bin/sh\nexec cc \"$@\"\n").unwrap();
    fs::set_permissions(&linker, fs::Permissions::from_mode(0o755)).unwrap();
    let text = format!("[env]\nN = \"1\"\n[target.'cfg(unix)']\nlinker = '{}'\n", linker.display());
    repository.write(".cargo/config.toml", &text);
    let outcome = compare(&repository, &["map", "--measure", "none"]);
    outcome.exits(0).says("the linker got other options (-Clinker=");
    repository.is_tidy();
}

#[test]
fn one_variable_in_the_place_of_two_is_another_program() {
    let repository = Repository::new("variables");
    let name = "variables";
    repository.write(
        "src/lib.rs",
        "use std::cell::Cell;\nuse std::sync::{Mutex, atomic::{AtomicUsize, Ordering::Relaxed}};\n\
         static ONE: Mutex<u64> = Mutex::new(0);\nstatic TWO: Mutex<u64> = Mutex::new(0);\n\
         static A: AtomicUsize = AtomicUsize::new(0);\nstatic B: AtomicUsize = AtomicUsize::new(0);\n\
         thread_local! { static M: Cell<u64> = const { Cell::new(0) }; static N: Cell<u64> = const { Cell::new(0) }; }\n\
         #[inline(never)] pub fn left(n: u64) { for i in 0..n { *ONE.lock().unwrap() += i; } }\n\
         #[inline(never)] pub fn right(n: u64) { for i in 0..n { *TWO.lock().unwrap() += i ^ 1; } }\n\
         pub fn locks(n: u64) { std::thread::scope(|s| { s.spawn(|| left(n)); s.spawn(|| right(n)); }); }\n\
         pub fn counts(n: usize) -> usize { for i in 0..n { A.fetch_add(i, Relaxed); } B.load(Relaxed) }\n\
         pub fn set(n: usize) { B.store(n, Relaxed) }\n\
         pub fn locals(n: u64) -> u64 { M.set(n); N.get() }\n",
    );
    repository.write(
        "benches/speed.rs",
        &format!(
            "use plusminus::bench;\n#[bench] fn locks() {{ {name}::locks(20) }}\n\
             #[bench] fn left() {{ {name}::left(20) }}\n#[bench] fn right() {{ {name}::right(20) }}\n\
             #[bench] fn counts() -> usize {{ {name}::counts(20) }}\n\
             #[bench] fn locals() -> u64 {{ {name}::locals(20) }}\nplusminus::main!();\n"
        ),
    );
    repository.commit("first");
    edit(&repository, "src/lib.rs", "*TWO.lock()", "*ONE.lock()");
    edit(&repository, "src/lib.rs", "B.load", "A.load");
    edit(&repository, "src/lib.rs", "N.get()", "M.get()");
    edit(&repository, "src/lib.rs", "static TWO", "pub static TWO");
    edit(&repository, "src/lib.rs", "static B", "pub static B");
    let outcome = repository.compare(&["main", "--measure", "none", "--format", "json"]);
    outcome.exits(0).says("of base are one: variables::ONE").says("of base are one: variables::A");
    for differs in ["locks", "counts", "locals"] {
        assert_ne!(verdict(&outcome, differs).0, "identical_code", "{differs}");
    }
    // Each by itself has one lock, as before.
    for same in ["left", "right"] {
        assert_eq!(verdict(&outcome, same).0, "identical_code", "{same}");
    }
    repository.is_tidy();
}

/// Benches of every form: of each, one that makes numbers outside of its window, and one that makes them inside.
const FORMS: [(&str, &str); 3] = [
    (
        "benches/speed.rs",
        r#"use changed_set_up::{TEXT, parse, sum};
use plusminus::{Bencher, Problem, bench};
use std::hint::black_box;
// Calls from a loop to another crate would have its address in a register, which is a pointer to it.
#[inline(never)] fn numbers() -> Vec<u64> { parse(TEXT) }
#[bench] fn made(bencher: Bencher<'_>) { let numbers = parse(TEXT); bencher.bench(|| sum(&numbers)); }
#[bench] fn each(bencher: Bencher<'_>) { bencher.with_inputs(numbers).bench_refs(|numbers| sum(numbers)); }
#[bench] fn libtest(bencher: &mut plusminus::libtest::Bencher<'_>) { let numbers = parse(TEXT); bencher.iter(|| sum(&numbers)); }
#[bench] fn timed() -> usize { parse(black_box(TEXT)).len() }
#[bench] fn pointed(bencher: Bencher<'_>) { let call: fn(&str) -> Vec<u64> = black_box(parse); bencher.bench(|| call(TEXT).len()); }
#[bench] fn other() -> u64 { sum(black_box(&[1, 2, 3])) }
struct Sums;
impl Problem for Sums {
    type Point = u64; type Input = Vec<u64>; type Instance = u64; type Output = u64;
    fn sweep() -> impl IntoIterator<Item = u64> { [10] }
    fn input(_: &u64) -> Vec<u64> { parse(TEXT) }
    fn instances(_: &Vec<u64>) -> Vec<u64> { vec![1] }
}
#[bench(problem = Sums)] fn solved(numbers: &Vec<u64>, _: &u64) -> u64 { sum(numbers) }
fn late(registry: &plusminus::Registry) {
    registry.section(|| { let numbers = parse(TEXT); registry.bench("around", |b| b.bench(|| sum(&numbers))); });
    registry.section(|| registry.bench("timed", |b| b.bench(|| parse(black_box(TEXT)))));
}
plusminus::register!(late);
plusminus::main!();
"#,
    ),
    (
        "benches/of_criterion.rs",
        r#"use changed_set_up::{TEXT, parse, sum};
use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use std::hint::black_box;
// Calls from a loop to another crate would have its address in a register, which is a pointer to it.
#[inline(never)] fn numbers() -> Vec<u64> { parse(TEXT) }
fn made(c: &mut Criterion) { c.bench_function("made", |b| { let numbers = parse(TEXT); b.iter(|| sum(&numbers)); }); }
fn batched(c: &mut Criterion) {
    c.bench_function("batched", |b| b.iter_batched(numbers, |numbers| sum(&numbers), BatchSize::SmallInput));
}
fn around(c: &mut Criterion) {
    let numbers = parse(TEXT);
    let mut group = c.benchmark_group("around");
    for n in [2, 5] { group.bench_with_input(n.to_string(), &n, |b, &n| b.iter(|| sum(&numbers[..n]))); }
    group.finish();
}
fn timed(c: &mut Criterion) { c.bench_function("timed", |b| b.iter(|| parse(black_box(TEXT)))); }
criterion_group!(benches, made, batched, around, timed);
criterion_main!(benches);
"#,
    ),
    (
        "benches/of_divan.rs",
        r#"use changed_set_up::{TEXT, parse, sum};
use divan::{Bencher, black_box};
// Calls from a loop to another crate would have its address in a register, which is a pointer to it.
#[inline(never)] fn numbers() -> Vec<u64> { parse(TEXT) }
#[divan::bench] fn made(bencher: Bencher<'_, '_>) { let numbers = parse(TEXT); bencher.bench_local(|| sum(&numbers)); }
#[divan::bench] fn each(bencher: Bencher<'_, '_>) { bencher.with_inputs(numbers).bench_values(|numbers| sum(&numbers)); }
#[divan::bench] fn timed() -> usize { parse(black_box(TEXT)).len() }
#[divan::bench(types = [u16])] fn typed<T>() -> usize { parse(black_box(TEXT)).len() + size_of::<T>() }
fn main() { divan::main(); }
"#,
    ),
];

#[test]
fn changed_set_up_is_measured_after_changed_windows_and_named_apart() {
    let repository = Repository::with_runner("changed-set-up");
    let manifest = fs::read_to_string(repository.folder.join("Cargo.toml")).unwrap();
    let drop_in = |name: &str| {
        let path = plusminus_tests::workspace().join("compat").join(name);
        format!("{name} = {{ package = \"plusminus-{name}\", path = \"{}\" }}\n", path.display())
    };
    let needs = format!("[dev-dependencies]\n{}{}", drop_in("criterion"), drop_in("divan"));
    let bench = |name: &str| format!("[[bench]]\nname = \"{name}\"\nharness = false\n");
    let manifest = manifest.replace("[dev-dependencies]\n", &needs);
    repository.write("Cargo.toml", &(manifest + &bench("of_criterion") + &bench("of_divan")));
    repository.write(
        "src/lib.rs",
        "pub const TEXT: &str = \"1 2 3 4 5 6 7 8 9 10\";\n\
         pub fn parse(text: &str) -> Vec<u64> {\n    text.split(' ').map(|word| word.parse::<u64>().unwrap() ^ 1).collect()\n}\n\
         pub fn sum(numbers: &[u64]) -> u64 { numbers.iter().fold(0, |sum, n| sum ^ n.wrapping_mul(3)) }\n",
    );
    for (file, text) in FORMS {
        repository.write(file, text);
    }
    repository.commit("first");
    edit(&repository, "src/lib.rs", "unwrap() ^ 1", "unwrap() ^ 3");
    let outcome = compare(&repository, &[]);
    let report: serde_json::Value = serde_json::from_str(&outcome.exits(0).stdout).unwrap();
    let cases = report["benchmarks"].as_array().unwrap();
    let (mut last_timed, mut first_set_up, mut of_set_up) = (0, u64::MAX, 0);
    for case in cases {
        let (name, code) = (case["name"].as_str().unwrap(), &case["code"]);
        if name.ends_with(": other") {
            assert_eq!(code["verdict"], "identical_code");
            continue;
        }
        let is_timed = ["timed", "pointed", "u16"].iter().any(|end| name.ends_with(end));
        assert_eq!(code["only_set_up"], !is_timed, "{name}: {code}");
        assert_eq!(code["verdict"], "differs", "{name}");
        of_set_up += usize::from(!is_timed);
        for block in case["rows"][0]["blocks"].as_array().unwrap() {
            let round = block["round"].as_u64().unwrap();
            match is_timed {
                true => last_timed = last_timed.max(round),
                false => first_set_up = first_set_up.min(round),
            }
        }
    }
    assert_eq!((cases.len(), of_set_up), (18, 11), "{}", outcome.both());
    assert!(last_timed < first_set_up && first_set_up < u64::MAX, "{last_timed} {first_set_up}");
    let words = repository.compare(&["main", "--measure", "none"]);
    words.exits(0).says("11 benchmarks: only their set-up changed.");
    // The timed code changed in all of them.
    edit(&repository, "src/lib.rs", "unwrap() ^ 3", "unwrap() ^ 1");
    edit(&repository, "src/lib.rs", "wrapping_mul(3)", "wrapping_mul(5)");
    let words = repository.compare(&["main", "--measure", "none"]);
    assert!(!words.exits(0).stdout.contains("set-up changed"), "{}", words.both());
    // One more in a group, one more group, and one more type before the others change nothing for them.
    edit(&repository, "src/lib.rs", "wrapping_mul(5)", "wrapping_mul(3)");
    let added = "fn added(c: &mut Criterion) { c.bench_function(\"added\", |b| b.iter(|| parse(black_box(TEXT)).len())); }\n\
                 fn more(c: &mut Criterion) { c.bench_function(\"more\", |b| b.iter(|| sum(black_box(&[1, 2])))); }\n\
                 criterion_group!(others, more);\n\
                 criterion_group!(benches, added, made,";
    edit(&repository, "benches/of_criterion.rs", "criterion_group!(benches, made,", added);
    edit(&repository, "benches/of_criterion.rs", "main!(benches)", "main!(others, benches)");
    edit(&repository, "benches/of_divan.rs", "types = [u16]", "types = [u8, u16]");
    let outcome = compare(&repository, &[]);
    let report: serde_json::Value = serde_json::from_str(&outcome.exits(0).stdout).unwrap();
    let cases = report["benchmarks"].as_array().unwrap();
    let identical = cases.iter().filter(|case| case["code"]["verdict"] == "identical_code");
    assert_eq!(identical.count(), 18, "{}", outcome.both());
    repository.is_tidy();
}
