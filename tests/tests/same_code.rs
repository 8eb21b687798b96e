//! What `compare` says of benchmarks whose machine code is the same in both versions, and of those whose code is not.
#![cfg(target_os = "linux")]

mod compare_support;

use compare_support::{Repository, verdict};
use plusminus_tests::Outcome;

/// A library with a kernel, and a benchmark of it.
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
             plusminus::main!();\n"
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
    repository.compare(&[&quick, arguments].concat())
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
    outcome.exits(0).says("\"unchanged\": 2").says("\"verdicts\": 0");
    assert_eq!(verdict(&outcome, "kernel::10").0, "unchanged");
    let words = repository.compare(&["main"]);
    words
        .exits(0)
        .says("2 of 2 benchmarks run identical machine code: unchanged.")
        .says("Nothing was measured");
    let unmeasured = repository.compare(&["main", "--measure", "none"]);
    unmeasured.exits(0).says("Nothing was measured");
    let all = repository.compare(&["main", "kernel", "--measure", "all", "--max-blocks", "6"]);
    all.exits(0).says("kernel::10 runs identical machine code; the effect of layout on its time");
    repository.is_tidy();
}

#[test]
fn an_entry_of_a_table_is_code_and_the_function_is_named() {
    let repository = repository("changed-table");
    repository.commit("first");
    edit(&repository, "src/lib.rs", "[3, 5, 7]", "[3, 5, 8]");
    let outcome = compare(&repository, &[]);
    outcome.exits(0).says("\"unchanged\": 1");
    assert_ne!(verdict(&outcome, "kernel::10").0, "unchanged");
    assert_eq!(verdict(&outcome, "map").0, "unchanged");
    // Another function of the same name and the same length.
    edit(&repository, "src/lib.rs", "[3, 5, 8]", "[3, 5, 7]");
    edit(&repository, "src/lib.rs", "wrapping_add", "wrapping_sub");
    let words = repository.compare(&["main", "--max-blocks", "6", "--fail-on", "never"]);
    words.exits(0).says("1 of 2 benchmarks runs identical machine code").says("code: ");
    repository.is_tidy();
}

#[test]
fn a_changed_file_of_data_may_be_read_while_a_benchmark_runs() {
    let repository = repository("changed-data");
    repository.write("data/words.txt", "one");
    repository.commit("first");
    repository.write("data/words.txt", "two");
    let outcome = compare(&repository, &["kernel"]);
    outcome
        .exits(0)
        .says("\"unchanged\": 0")
        .says("data/words.txt changed, which a benchmark may read");
    repository.is_tidy();
}
