//! Costs besides time in `compare`: edits whose effect is known, each found by the measure that shows it.

use plusminus_tests::Outcome;
use serde_json::Value;

use crate::repository::{Repository, verdict};

/// The code of both versions.
const BEFORE: &str = "\
use plusminus::{CountingAllocator, Metric, bench};
use std::{hint::black_box, sync::atomic::{AtomicU64, Ordering::Relaxed}};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator::system();

static PROBES: AtomicU64 = AtomicU64::new(0);

struct Probes;

impl Metric for Probes {
    fn name(&self) -> &str { \"probes\" }
    fn unit(&self) -> &str { \"probes\" }
    fn read(&self) -> f64 { PROBES.load(Relaxed) as f64 }
}

fn make<T: Default + Clone>(count: usize) -> Vec<T> { black_box(vec![T::default(); black_box(count)]) }

fn sum(numbers: &[u64]) -> u64 { numbers.iter().sum() }

#[inline(always)]
fn inlined(shift: u32) -> u64 { (0..4).fold(black_box(7_u64), |all, _| all.rotate_left(black_box(shift)) ^ black_box(all)) }

#[inline(never)]
fn called(shift: u32) -> u64 { inlined(shift) }

";

/// An edit: the name of the benchmark, its output and its code before and after, and the measures that change, of memory all of them.
/// `None` is for values that the compiler decides.
struct Edit {
    name: &'static str,
    output: &'static str,
    before: &'static str,
    after: &'static str,
    changes: &'static [(&'static str, Option<[f64; 2]>)],
}

const EDITS: [Edit; 17] = [
    Edit {
        name: "one_more_clone",
        output: "Vec<u8>",
        before: "make::<u8>(64)",
        after: "black_box(make::<u8>(64).clone())",
        changes: &[
            ("allocations", Some([1.0, 2.0])),
            ("bytes", Some([64.0, 128.0])),
            ("peak", Some([64.0, 128.0])),
        ],
    },
    Edit {
        name: "with_capacity",
        output: "Vec<u64>",
        before: "{ let mut v: Vec<u64> = black_box(Vec::new()); (0..8).for_each(|i| v.push(i)); v }",
        after: "{ let mut v: Vec<u64> = black_box(Vec::with_capacity(8)); (0..8).for_each(|i| v.push(i)); v }",
        changes: &[("allocations", Some([2.0, 1.0]))],
    },
    Edit {
        name: "string_twice",
        output: "String",
        before: "black_box(black_box(\"word\").to_owned())",
        after: "black_box(black_box(black_box(\"word\").to_owned()).as_str().to_owned())",
        changes: &[
            ("allocations", Some([1.0, 2.0])),
            ("bytes", Some([4.0, 8.0])),
            ("peak", Some([4.0, 8.0])),
        ],
    },
    Edit {
        name: "a_box_fewer",
        output: "u64",
        before: "**black_box(Box::new(black_box(Box::new(7_u64))))",
        after: "*black_box(Box::new(7_u64))",
        changes: &[
            ("allocations", Some([2.0, 1.0])),
            ("bytes", Some([16.0, 8.0])),
            ("peak", Some([16.0, 8.0])),
        ],
    },
    Edit {
        name: "leak",
        output: "()",
        before: "drop(make::<u8>(100))",
        after: "std::mem::forget(make::<u8>(100))",
        changes: &[("kept", Some([0.0, 100.0]))],
    },
    Edit {
        name: "two_at_once",
        output: "()",
        before: "{ drop(make::<u8>(1000)); drop(make::<u8>(1000)); }",
        after: "{ let a = make::<u8>(1000); drop(make::<u8>(1000)); drop(a); }",
        changes: &[("peak", Some([1000.0, 2000.0]))],
    },
    Edit {
        name: "larger_output",
        output: "Vec<u8>",
        before: "make::<u8>(10)",
        after: "make::<u8>(11)",
        changes: &[
            ("bytes", Some([10.0, 11.0])),
            ("peak", Some([10.0, 11.0])),
            ("kept", Some([10.0, 11.0])),
        ],
    },
    Edit {
        name: "first_allocation",
        output: "u64",
        before: "black_box(sum(&black_box([1; 16])))",
        after: "black_box(sum(&black_box(vec![1; 16])))",
        changes: &[
            ("allocations", Some([0.0, 1.0])),
            ("bytes", Some([0.0, 128.0])),
            ("peak", Some([0.0, 128.0])),
        ],
    },
    Edit {
        name: "no_allocation",
        output: "u64",
        before: "black_box(sum(&black_box(vec![1; 16])))",
        after: "black_box(sum(&black_box([1; 16])))",
        changes: &[
            ("allocations", Some([1.0, 0.0])),
            ("bytes", Some([128.0, 0.0])),
            ("peak", Some([128.0, 0.0])),
        ],
    },
    Edit {
        name: "shrunk",
        output: "Vec<u8>",
        before: "{ let mut v = make::<u8>(64); v.truncate(black_box(8)); v }",
        after: "{ let mut v = make::<u8>(64); v.truncate(black_box(8)); v.shrink_to_fit(); v }",
        changes: &[("allocations", Some([1.0, 2.0])), ("kept", Some([64.0, 8.0]))],
    },
    Edit {
        name: "larger_table",
        output: "u64",
        before: "{ static TABLE: [u64; 1000] = [7; 1000]; TABLE[black_box(3)] }",
        after: "{ static TABLE: [u64; 2000] = [7; 2000]; TABLE[black_box(3)] }",
        changes: &[("data", None)],
    },
    Edit {
        name: "more_instances",
        output: "()",
        before: "{ drop(make::<u16>(8)); drop(make::<u16>(8)); }",
        after: "{ drop(make::<u16>(8)); drop(make::<String>(8)); }",
        changes: &[("code", None), ("bytes", Some([32.0, 208.0])), ("peak", Some([16.0, 192.0]))],
    },
    Edit {
        name: "one_more_probe",
        output: "()",
        before: "drop(PROBES.fetch_add(3, Relaxed))",
        after: "drop(PROBES.fetch_add(4, Relaxed))",
        changes: &[("probes", Some([3.0, 4.0]))],
    },
    Edit {
        name: "more_memory",
        output: "()",
        before: "drop(black_box(vec![1_u8; black_box(4 << 20)]))",
        after: "drop(black_box(vec![1_u8; black_box(68 << 20)]))",
        changes: &[
            ("bytes", Some([4_194_304.0, 71_303_168.0])),
            ("peak", Some([4_194_304.0, 71_303_168.0])),
        ],
    },
    // One call of each of two callers.
    Edit {
        name: "two_callers",
        output: "Vec<Box<u64>>",
        before: "(0..500).map(|one| black_box(Box::new(one))).collect()",
        after: "(0..501).map(|one| black_box(Box::new(one))).collect()",
        changes: &[
            ("allocations", Some([1002.0, 1004.0])),
            ("bytes", Some([16_000.0, 16_032.0])),
            ("peak", Some([16_000.0, 16_032.0])),
            ("kept", Some([16_000.0, 16_032.0])),
        ],
    },
    Edit {
        name: "no_longer_shared",
        output: "u64",
        before: "called(3) + called(4) + called(5)",
        after: "inlined(3) + inlined(4) + inlined(5)",
        changes: &[("code", None)],
    },
    Edit {
        name: "other_value",
        output: "u64",
        before: "black_box(7_u64)",
        after: "black_box(8_u64)",
        changes: &[],
    },
];

/// The bench target before or after all edits.
fn source(after: bool) -> String {
    let mut text = BEFORE.to_owned();
    for edit in &EDITS {
        let body = if after { edit.after } else { edit.before };
        let attribute = match edit.name {
            "one_more_probe" => "(metrics = [Probes])",
            "two_callers" => "(threads = 2)",
            _ => "",
        };
        let Edit { name, output, .. } = edit;
        text += &format!("#[bench{attribute}] fn {name}() -> {output} {{ {body} }}\n");
    }
    text + "plusminus::main!();\n"
}

/// The measures of a benchmark that changed.
fn measures(outcome: &Outcome, name: &str) -> Vec<Value> {
    let name = if name == "two_callers" { "two_callers::t2" } else { name };
    verdict(outcome, name).1["measures"].as_array().cloned().unwrap_or_default()
}

#[test]
fn each_cost_of_an_edit_is_found_by_its_measure_and_no_other_count_is_claimed() {
    let repository = Repository::new("costs");
    repository.write("benches/speed.rs", &source(false));
    repository.commit("before");
    repository.write("benches/speed.rs", &source(true));
    repository.commit("after");
    let common = ["HEAD~1..HEAD", "--max-blocks", "6", "--format", "json", "--fail-on"];
    let with = |more: &[&str]| repository.compare(&[&common[..], more].concat());
    let record = repository.folder.join("target/costs.json");
    // Counts do not depend on where code lies: one layout.
    let aligned = ["--layout", "aligned"];
    let outcome = with(&[&["never", "--record", record.to_str().unwrap()], &aligned[..]].concat());
    outcome.exits(0);
    let counts = ["allocations", "bytes", "peak", "kept", "probes"];
    for edit in &EDITS {
        let found = measures(&outcome, edit.name);
        let named = |name: &str| found.iter().find(|one| one["name"] == name);
        for (name, values) in edit.changes {
            let code = matches!(*name, "code" | "data");
            if code && !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
                continue;
            }
            let one =
                named(name).unwrap_or_else(|| panic!("{}: no {name} in {found:?}", edit.name));
            let [base, new] = ["base", "new"].map(|side| one[side].as_f64().unwrap());
            match values {
                Some(values) => assert_eq!([base, new], *values, "{}: {one}", edit.name),
                None => assert!(new > base, "{}: {one}", edit.name),
            }
            assert_eq!(one["exact"], true, "{}: {one}", edit.name);
        }
        for name in counts {
            let expected = edit.changes.iter().any(|(expected, _)| *expected == name);
            assert_eq!(named(name).is_some(), expected, "{}: {found:?}", edit.name);
        }
    }
    // The peak of a process is judged as times are, and a gate on it takes the blocks that it needs.
    let of_memory = ["HEAD~1..HEAD", "more_memory", "--exact"];
    let of_memory = [&of_memory[..], &["--gate", "memory", "--format", "json"], &aligned].concat();
    let of_memory = repository.compare(&of_memory);
    let found = measures(&of_memory, "more_memory");
    let one = found.iter().find(|one| one["name"] == "memory");
    let one = one.unwrap_or_else(|| panic!("no memory in {found:?}"));
    assert_eq!(of_memory.code, Some(1), "{one}");
    let by = one["new"].as_f64().unwrap() - one["base"].as_f64().unwrap();
    assert!((by / f64::from(64 << 20) - 1.0).abs() < 0.1, "{one}");
    assert_eq!((&one["verdict"], &one["exact"]), (&"more".into(), &false.into()), "{one}");
    let unknown = repository.compare(&["HEAD~1..HEAD", "--gate", "alocations"]);
    unknown.exits(2).complains("`--gate` has `alocations`, which is no measure");
    // From the record, the gate decides; without a word of it, times alone.
    let from =
        |gate: &str| repository.compare(&["--from", record.to_str().unwrap(), "--gate", gate]);
    from("allocations").exits(1).says("1 → 2 allocations per call (+100 %)");
    from("probes:40%").exits(0).says("3 → 4 probes per call (+33.3 %)");
    from("instructions").exits(2).says("`--instructions` counts them, under valgrind");
    // The same code in other layouts: nothing has changed that is exact.
    let same = repository.compare(&[
        "HEAD..HEAD",
        "--measure",
        "all",
        "--max-blocks",
        "6",
        "--format",
        "json",
        "--fail-on",
        "never",
    ]);
    for edit in &EDITS {
        let exact = measures(&same, edit.name).into_iter().filter(|one| one["exact"] == true);
        assert_eq!(exact.count(), 0, "{}", edit.name);
    }
    repository.is_tidy();
}
