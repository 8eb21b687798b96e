//! What is translated, what is left alone, and what hostile input does.

use std::path::Path;

use super::*;

fn ours(source: &str) -> String {
    translated(source).unwrap_or_else(|why| panic!("{why}\n{source}")).text
}

/// The source of a file around the body of one bench function.
fn of_criterion(body: &str) -> String {
    format!(
        "use criterion::{{Criterion, BenchmarkId, BatchSize, Throughput, black_box, criterion_group, criterion_main}};\n\n\
         fn own(c: &mut Criterion) {{\n{body}\n}}\n\ncriterion_group!(benches, own);\ncriterion_main!(benches);\n"
    )
}

#[test]
fn plain_benchmarks_become_attributes_with_the_set_up_that_they_need() {
    let text = ours(&of_criterion(
        "    // The numbers.\n    let numbers = vec![1, 2];\n    let other = 3;\n    let mut group = c.benchmark_group(\"sums\");\n    \
         group.throughput(Throughput::Elements(2)).sample_size(10);\n    \
         group.bench_function(\"all\", |b| b.iter(|| numbers.iter().sum::<u64>()));\n    \
         group.bench_with_input(BenchmarkId::new(\"one\", 7), &other, |b, &n| b.iter(|| black_box(n) + 1));\n    group.finish();",
    ));
    for part in [
        "#[plusminus::bench(name = \"sums/all\")]\nfn own_all(b: plusminus::Bencher<'_>) {",
        "#[plusminus::bench(name = \"sums/one/7\")]\nfn own_7(b: plusminus::Bencher<'_>) {",
        "b.work(plusminus::Work::items(2)).bench(|| { std::hint::black_box(numbers.iter().sum::<u64>()); })",
        "let &n = &other;",
        "plusminus::main!();",
        "use std::hint::black_box;",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    assert_eq!(text.matches("let numbers").count(), 1, "the second one does not need them\n{text}");
    assert!(!text.contains("criterion"), "{text}");
}

#[test]
fn loops_become_functions_that_register() {
    let text = ours(&of_criterion(
        "    let mut group = c.benchmark_group(\"sort\");\n    for n in [1, 2] {\n        // Kept.\n        \
         group.throughput(Throughput::Bytes(n));\n        \
         group.bench_with_input(BenchmarkId::from_parameter(n), &n, |b, n| {\n            \
         b.iter_batched(|| vec![*n], |v| v, BatchSize::LargeInput)\n        });\n    }\n    group.finish();",
    ));
    for part in [
        "fn own(c: &plusminus::Registry) {",
        "let group = \"sort\";\n    let mut group_work = plusminus::Work::none();",
        "// Kept.",
        "group_work = plusminus::Work::bytes(n);",
        "c.bench(&format!(\"{group}/{}\", n), |b| { let n = &n;",
        "b.work(group_work.clone()).with_inputs(|| vec![*n]).at_once(64).bench_values(|v| v)",
        "plusminus::register!(own);\nplusminus::main!();",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
}

#[test]
fn what_a_kernel_returns_is_dropped_in_the_window_as_before() {
    for (kernel, expected) in [
        ("b.iter(|| { f(); })", "b.bench(|| { f(); })"),
        ("b.iter(|| black_box(f()))", "b.bench(|| { black_box(f()); })"),
        ("b.iter(f)", "b.bench(|| { std::hint::black_box(f()); })"),
        (
            "b.iter(|| { for n in &all { if *n > 3 { return false; } } true })",
            "b.bench(|| { std::hint::black_box((|| { for n in &all { if *n > 3 { return false; } } true })()); })",
        ),
        (
            "b.iter(|| f().map(|n| Some(n?)))",
            "|| { std::hint::black_box((|| f().map(|n| Some(n?)))()); }",
        ),
        ("b.iter(move || f())", "b.bench(move || { std::hint::black_box(f()); })"),
        ("b.iter_with_large_drop(|| f())", "b.bench(|| f())"),
        ("b.iter_custom(|n| f(n))", "b.bench_custom(|n| f(n))"),
        ("b.to_async(&rt).iter(|| g())", "executor.block_on(window), || { let call = g();"),
    ] {
        let text = ours(&of_criterion(&format!("    c.bench_function(\"x\", |b| {kernel});")));
        assert!(text.contains(expected), "{kernel}\n{text}");
    }
}

#[test]
fn helpers_and_settings_of_groups_are_followed() {
    let source = "use criterion::*;\nfn kernel(b: &mut Bencher, n: u32) { b.iter(|| n) }\n\
                  fn each(c: &mut Criterion, name: &str) { c.bench_function(name, |b| kernel(b, 3)); }\n\
                  fn own(c: &mut Criterion) { each(c, \"a\"); }\n\
                  criterion_group! { name = g; config = Criterion::default().sample_size(10); targets = own }\n\
                  criterion_main!(g);\n";
    let translation = translated(source).unwrap();
    assert!(translation.text.contains("fn kernel(b: plusminus::Bencher<'_>, n: u32)"));
    assert!(translation.text.contains("c.bench(name, |b| kernel(b, 3));"));
    assert!(translation.left_out.contains("sample_size(10)"));
}

#[test]
fn helpers_within_a_bench_function_are_followed() {
    let text = ours(&of_criterion(
        "    fn naive(b: &mut Bencher, n: &usize) { b.iter(|| count(*n)) }\n    \
         let mut group = c.benchmark_group(\"counts\");\n    \
         for n in [1, 2] {\n        group.bench_with_input(BenchmarkId::new(\"naive\", n), &n, naive);\n    }",
    ));
    for part in [
        "fn naive(b: plusminus::Bencher<'_>, n: &usize) { b.bench(|| { std::hint::black_box(count(*n)); }) }",
        "c.bench(&format!(\"{group}/naive/{}\", n), |b| naive(b, &n));",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
}

#[test]
fn other_values_of_the_same_name_are_told_apart() {
    let source = "use criterion::*;\nfn own(b: &mut Criterion) {\n    \
                  fn each(b: &mut Criterion, name: &str) { b.bench_function(name, |b| b.iter(|| { let b = 1; b })); }\n    \
                  each(b, \"a\");\n    \
                  b.bench_function(\"x\", move |b| b.iter(|| f(|a, b| a < b)));\n}\n\
                  criterion_group!(g, own); criterion_main!(g);\n";
    let text = ours(source);
    for part in [
        "fn own(b: &plusminus::Registry) {",
        "fn each(b: &plusminus::Registry, name: &str) { b.bench(name, |b| b.bench(",
        "b.bench(\"x\", move |b| b.bench(|| { std::hint::black_box(f(|a, b| a < b)); }));",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
}

#[test]
fn what_is_not_certain_is_left_alone_with_a_reason() {
    for (body, reason) in [
        ("    c.bench_function(\"x\", |b| { for _ in 0..2 { b.iter(|| 1) } });", "loop or closure"),
        ("    c.bench_function(\"x\", |b| b.wibble(|| 1));", "`wibble`"),
        ("    strange(c);", "not known"),
        ("    let g = other(); c.with_profiler(g);", "no counterpart"),
        ("    c.bench_function(\"x\", |b| b.to_async(FuturesExecutor).iter(|| f()));", "executor"),
        ("    c.bench_function(\"x\", measured());", "no closure"),
    ] {
        let why = translated(&of_criterion(body)).unwrap_err();
        assert!(why.contains(reason), "{body}: {why}");
        assert!(why.contains("own"), "{why}");
    }
    let generated = "use criterion::*; macro_rules! m { () => { fn own(c: &mut Criterion) {} } } m!(); \
                     criterion_group!(g, own); criterion_main!(g);";
    assert!(translated(generated).unwrap_err().contains("`own`"));
}

#[test]
fn benches_of_libtest_become_ours() {
    let text = ours(
        "#![feature(test)]\nextern crate test;\nuse test::{black_box, Bencher};\n\nmod inner {\n    use super::*;\n    \
         #[bench]\n    fn sum(b: &mut Bencher) {\n        let v = 3;\n        b.bytes = v as u64;\n        b.iter(|| black_box(v) + 1);\n    }\n}\n",
    );
    for part in [
        "#[plusminus::bench]\n    fn sum(b: plusminus::Bencher<'_>)",
        "let b = b.work(plusminus::Work::bytes(v as u64));",
        "b.bench(|| { std::hint::black_box(black_box(v) + 1); });",
        "use std::hint::black_box;",
        "plusminus::main!();",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    assert!(!text.contains("feature") && !text.contains("extern"), "{text}");
    let tests = "extern crate test; #[bench] fn a(b: &mut test::Bencher) { b.iter(|| 1) } #[test] fn t() {}";
    assert!(translated(tests).unwrap_err().contains("tests"));
}

#[test]
fn benches_of_divan_become_ours() {
    let translation = translated(
        "use divan::{Bencher, counter::BytesCount};\nfn main() {\n    divan::main();\n}\n\
         #[divan::bench(args = [1, 2], sample_size = 3, max_time = 1)]\n\
         fn by(bencher: Bencher, n: u64) { bencher.counter(BytesCount::new(n)).bench_local(|| divan::black_box(n)); }\n\
         #[divan::bench(threads = [1, 2])]\nfn shared(bencher: Bencher) { bencher.bench(|| 1) }\n",
    )
    .unwrap();
    for part in [
        "#[plusminus::bench(args = [1, 2], iterations = 3)]",
        "fn by(bencher: plusminus::Bencher<'_>, n: u64)",
        "bencher.work(plusminus::Work::bytes((n) as u64)).bench(|| std::hint::black_box(n))",
        "bencher.bench_shared(|| 1)",
        "plusminus::main!();",
    ] {
        assert!(translation.text.contains(part), "{part}\n{}", translation.text);
    }
    assert!(translation.left_out.contains("max_time = 1"));
    let more = "fn main() { set_up(); divan::main(); } #[divan::bench] fn a() {}";
    assert!(translated(more).unwrap_err().contains("`main` does more"));
    // What another file or module does with the bencher is not seen.
    for (item, reason) in [
        ("mod shared;", "`shared` is another file"),
        (
            "mod inner { use super::{Bencher, f}; fn g(bencher: Bencher) { f(bencher) } }",
            "imported from another",
        ),
    ] {
        let source = format!("use divan::Bencher; fn main() {{ divan::main(); }} {item}");
        let why = translated(&source).unwrap_err();
        assert!(why.contains(reason), "{why}");
    }
}

#[test]
fn hostile_sources_are_refused() {
    for (source, part) in [
        ("", "no benches"),
        ("fn (", "no Rust source"),
        ("\u{feff}fn a() {}", "byte order mark"),
        ("#!/bin/sh\nfn a() {}", "shebang"),
        ("use criterion::*; criterion_main!();criterion_main!();", "or several"),
        (&format!("fn a() {{ {}1{} }}", "(".repeat(100_000), ")".repeat(100_000)), "too deeply"),
    ] {
        assert!(translated(source).unwrap_err().contains(part), "{part}");
    }
    let not_there = read(Path::new("no/such/file.rs"));
    assert!(not_there.is_err());
    // Names with letters of several bytes keep their places.
    let text = ours(&of_criterion(
        "    let ä = \"ß\"; c.bench_function(\"größe\", |b| b.iter(|| ä.len()));",
    ));
    assert!(
        text.contains("c.bench(\"größe\", |b| b.bench(|| { std::hint::black_box(ä.len()); }));"),
        "{text}"
    );
}

#[test]
fn nothing_is_replaced_that_git_does_not_have() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.rs");
    fs::write(&file, "fn main() {}").unwrap();
    let refused = is_kept(&file).unwrap_err().to_string();
    assert!(refused.contains("--allow-dirty") && refused.contains("a.rs"), "{refused}");
}
