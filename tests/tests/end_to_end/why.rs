//! `compare --why`: the function from which a difference comes, by programs that have a part of the change.
#![cfg(target_os = "linux")]

use serde_json::Value;

use crate::repository::Repository;
use plusminus_tests::Outcome;

/// A loop with this number of turns, each of the same work.
fn function(name: &str, turns: u32, text: &str) -> String {
    format!(
        "#[inline(never)]\npub fn {name}(n: u64) -> u64 {{\n    let mut sum = n;\n    for i in 0..{turns} {{ \
         sum = sum.wrapping_add(std::hint::black_box(i)) ^ {text}; }}\n    sum\n}}\n"
    )
}

/// Two functions, and a problem that calls both and checks that one undoes what the other did.
fn repository(name: &str) -> Repository {
    let repository = Repository::new(name);
    let library = name.replace('-', "_");
    repository.write(
        "benches/speed.rs",
        &format!(
            "use plusminus::{{Problem, bench}};\npub struct Steps;\nimpl Problem for Steps {{\n\
             type Point = u64; type Input = u64; type Instance = u64; type Output = u64;\n\
             fn sweep() -> impl IntoIterator<Item = u64> {{ [5] }}\nfn input(n: &u64) -> u64 {{ *n }}\n\
             fn instances(_: &u64) -> Vec<u64> {{ vec![3] }}\n\
             fn check(_: &u64, n: &u64, found: &u64) -> Result<(), String> {{\n\
             if {library}::decode(*found) == *n {{ Ok(()) }} else {{ Err(\"other numbers\".to_owned()) }} }}\n}}\n\
             #[bench(problem = Steps)]\nfn steps(_: &u64, n: &u64) -> u64 {{ {library}::both(*n) }}\nplusminus::main!();\n"
        ),
    );
    repository
}

fn library(slow: &str, calm: &str, shift: u32) -> String {
    format!(
        "{slow}{calm}#[inline(never)]\npub fn encode(n: u64) -> u64 {{ std::hint::black_box(n) + {shift} }}\n\
         #[inline(never)]\npub fn decode(n: u64) -> u64 {{ std::hint::black_box(n) - {shift} }}\n\
         #[inline(never)]\npub fn both(n: u64) -> u64 {{ std::hint::black_box(slow(n) ^ calm(n)); encode(n) }}\n"
    )
}

fn explained(repository: &Repository, more: &[&str]) -> Value {
    let common = ["main", "--why", "--fail-on", "never", "--max-blocks", "12", "--format", "json"];
    let outcome = repository.compare(&[&common[..], &["--record", "why.json"], more].concat());
    outcome.exits(0);
    let report: Value = serde_json::from_str(&outcome.stdout).unwrap();
    report["why"][0].clone()
}

fn names(part: &Value) -> String {
    part["functions"].to_string()
}

#[test]
fn of_two_changed_functions_the_one_that_matters_is_named_first() {
    let repository = repository("why-two");
    repository
        .write("src/lib.rs", &library(&function("slow", 500, "7"), &function("calm", 500, "7"), 1));
    repository.commit("first");
    repository.write(
        "src/lib.rs",
        &library(&function("slow", 6000, "7"), &function("calm", 500, "9"), 1),
    );
    let why = explained(&repository, &[]);
    let parts = why["parts"].as_array().unwrap();
    assert_eq!(parts.len(), 2, "{why}");
    assert!(names(&parts[0]).contains("slow") && !names(&parts[0]).contains("calm"), "{why}");
    assert_eq!((&parts[0]["proven"], &why["checked"]), (&Value::Bool(true), &Value::Bool(true)));
    assert!(parts.iter().all(|part| part["refused"].is_null()), "{why}");
    // From the record it says the same, in words.
    let again = repository.compare(&["--from", "why.json", "--fail-on", "never"]);
    again.exits(0).says("comes from why_two::slow (src/lib.rs:2)");
    // The page has the instructions of both sides: the loop of base ends elsewhere.
    let report = repository.plusminus(&["report", "why.json", "-o", "."]).output().unwrap();
    Outcome::of(&report).exits(0);
    let page = std::fs::read_to_string(repository.folder.join("why.html")).unwrap();
    if cfg!(target_arch = "x86_64") {
        let rows: Vec<&str> = page
            .split("<tr data-mark=\"≠ ")
            .skip(1)
            .map(|rest| rest.split("</tr>").next().unwrap())
            .collect();
        // 500 and 6000, of which the compiler may count one less.
        let has = |numbers: [&str; 2]| {
            rows.iter().any(|row| numbers.iter().all(|number| row.contains(number)))
        };
        assert!(has(["0x1f4", "0x1770"]) || has(["0x1f3", "0x176f"]), "{rows:?}");
        assert!(page.contains("<td><pre>src/lib.rs:4 for i in 0..500 {"), "{page}");
    }
    repository.is_tidy();
}

#[test]
fn a_program_that_computes_something_else_is_refused() {
    let repository = repository("why-codec");
    let calm = function("calm", 500, "7");
    repository.write("src/lib.rs", &library(&function("slow", 500, "7"), &calm, 1));
    repository.commit("first");
    // Both halves of a code change: with one of them alone, numbers come out wrong.
    repository.write("src/lib.rs", &library(&function("slow", 6000, "7"), &calm, 2));
    let why = explained(&repository, &["--layout", "aligned"]);
    let parts = why["parts"].as_array().unwrap();
    let refused: Vec<&Value> = parts.iter().filter(|part| !part["refused"].is_null()).collect();
    assert_eq!(refused.len(), 2, "{why}");
    assert!(names(&parts[0]).contains("slow"), "{why}");
    for part in &refused {
        assert!(names(part).contains("code"), "{why}");
        assert!(part["refused"].as_str().unwrap().contains("other numbers"), "{why}");
    }
    assert!(refused[0]["change"].is_null() && why["rest"].is_null(), "{why}");
}

#[test]
fn private_functions_of_a_benchmark_that_is_registered_at_run_time_are_exchanged() {
    let repository = Repository::new("why-registered");
    repository.write(
        "benches/speed.rs",
        "use plusminus::Registry;\nfn steps(registry: &Registry) {\n    let number = std::hint::black_box(3);\n    \
         registry.bench(\"steps\", |bencher| { bencher.bench(|| why_registered::both(number)); });\n    \
         registry.bench(\"others\", |bencher| { bencher.bench(|| why_registered::decode(number)); });\n}\n\
         plusminus::register!(steps);\nplusminus::main!();\n",
    );
    let private = |slow: &str, calm: &str| {
        library(slow, calm, 1).replace("pub fn slow", "fn slow").replace("pub fn calm", "fn calm")
    };
    let calm = function("calm", 500, "7");
    repository.write("src/lib.rs", &private(&function("slow", 500, "7"), &calm));
    repository.commit("first");
    let changed = function("calm", 500, "9");
    repository.write("src/lib.rs", &private(&function("slow", 6000, "7"), &changed));
    let why = explained(&repository, &["--layout", "aligned"]);
    let parts = why["parts"].as_array().unwrap();
    assert_eq!((parts.len(), &why["reason"]), (2, &Value::Null), "{why}");
    assert!(names(&parts[0]).contains("slow") && !names(&parts[0]).contains("calm"), "{why}");
    assert_eq!((&parts[0]["proven"], &why["checked"]), (&Value::Bool(true), &Value::Bool(false)));
    repository.is_tidy();
}
