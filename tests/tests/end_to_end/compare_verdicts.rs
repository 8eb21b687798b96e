//! Verdicts of `compare` on versions whose difference is known: a factor of three, which no other process on the
//! machine can hide. Small differences, false alarms and intervals are tested on simulated machines.

use std::fs;

use crate::repository::{Harness, Repository, verdict};
use plusminus_tests::Outcome;

#[test]
fn identical_code_raises_no_alarm() {
    let repository =
        Repository::of(Harness::Whole, "identical-code", "identical code in a folder with spaces");
    repository.benches(&[("one", 10_000), ("two", 3_000)]);
    // Rustdoc alone reads it, so that no program has its name.
    repository.write("src/lib.rs", "#![doc = include_str!(\"../README.md\")]\n");
    repository.write("README.md", "documentation\n");
    repository.commit("first");
    repository.write("README.md", "documentation only\n");
    repository.commit("second");
    let outcome = repository.compare(&["HEAD~1..HEAD", "--format", "json", "--margin", "5"]);
    outcome.exits(0);
    if cfg!(target_os = "linux") {
        for benchmark in ["one", "two"] {
            assert_eq!(verdict(&outcome, benchmark).0, "identical_code");
        }
        outcome.says("\"control\": null");
    }
    // Measured all the same, it raises no alarm either, whatever the times are: what differs is the layout.
    let all = ["HEAD~1..HEAD", "--format", "json", "--margin", "50", "--measure", "all"];
    let outcome = repository.compare(&all);
    outcome.exits(0).says("\"control\": {");
    for benchmark in ["one", "two"] {
        assert!(!verdict(&outcome, benchmark).1["blocks"].as_array().unwrap().is_empty());
    }
    repository.is_tidy();
}

#[test]
fn a_slowdown_of_known_size_is_a_regression_in_the_working_tree() {
    let repository = Repository::with_runner("known-slowdown");
    repository.benches(&[("steady", 10_000), ("victim", 10_000)]);
    repository.commit("fast");
    // Not committed: the working tree is what is compared.
    repository.benches(&[("steady", 10_000), ("victim", 30_000)]);
    let outcome = repository.aligned(&["main", "--format", "json", "--margin", "5"]);
    outcome.exits(1);
    let (label, row) = verdict(&outcome, "victim");
    assert_eq!(label, "slower");
    let (low, high) = (row["change_low"].as_f64().unwrap(), row["change_high"].as_f64().unwrap());
    // As wide as the machine is busy.
    assert!(0.0 < low && low < 2.5 && high > 1.5, "+200 % by the number of steps: {low} to {high}");
    assert!(row["at_least"].as_f64().unwrap() > 0.0);
    assert_ne!(verdict(&outcome, "steady").0, "slower");
    // The same the other way round is an improvement, and passes.
    repository.commit("slow");
    let back = repository.aligned(&["HEAD..HEAD~1", "--format", "json", "--margin", "5"]);
    back.exits(0);
    assert_eq!(verdict(&back, "victim").0, "faster");
    // The user chooses what fails a build.
    let lenient = repository.aligned(&["HEAD~1", "victim", "--fail-on", "never"]);
    lenient.exits(0).says("  victim ").says(" slower").says("1 slower");
    repository.is_tidy();
}

#[test]
fn benchmarks_of_one_side_are_named_and_do_not_fail() {
    let repository = Repository::with_runner("names-differ");
    repository.benches(&[("stays", 2_000), ("old_name", 2_000), ("goes", 2_000)]);
    repository.commit("first");
    repository.benches(&[("stays", 2_000), ("new_name", 2_000)]);
    repository.commit("second");
    let outcome = repository.compare(&["HEAD~1..HEAD", "--margin", "20"]);
    outcome
        .exits(0)
        .says("removed: `goes`")
        .says("renamed: `old_name` → `new_name`")
        .says("1 of 1 benchmark runs identical machine code");
    let back = repository.compare(&["HEAD..HEAD~1", "--margin", "20"]);
    back.exits(0).says("added: `goes`");
    repository.is_tidy();
}

#[test]
fn instances_are_judged_one_by_one_and_as_a_whole() {
    let repository = Repository::with_runner("with-instances");
    let source = |factor: u64| {
        format!(
            "use plusminus::{{bench, Problem}};\nuse std::hint::black_box;\n\
             pub struct Chains;\n\
             impl Problem for Chains {{\n    type Point = u64; type Input = u64; type Instance = u64; type Output = u64;\n\
             fn sweep() -> impl IntoIterator<Item = u64> {{ [1000] }}\n\
             fn input(point: &u64) -> u64 {{ *point }}\n\
             fn instances(_: &u64) -> Vec<u64> {{ vec![2, 5] }}\n}}\n\
             fn chain(steps: u64) -> u64 {{ let mut x = black_box(7_u64); for _ in 0..black_box(steps) {{ \
             x = black_box(x).wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1); }} x }}\n\
             #[bench(problem = Chains, baseline, margin = 10)]\n\
             fn solve(n: &u64, k: &u64) -> u64 {{ chain(if *k == 5 {{ {factor} * n * k / 10 }} else {{ n * k }}) }}\n\
             #[bench(problem = Chains, margin = 10)]\n\
             fn other(n: &u64, k: &u64) -> u64 {{ chain(n * k) }}\n\
             plusminus::main!();\n"
        )
    };
    repository.write("benches/speed.rs", &source(10));
    repository.commit("first");
    // Only the instance 5 gets slower, by a factor of three; all together by √3.
    repository.write("benches/speed.rs", &source(30));
    let outcome = repository.aligned(&["main"]);
    outcome.exits(1).says("solve::1000 [5]: +").says("solve::1000 (all 2 instances): ");
    let line = |name: &str| outcome.stdout.lines().find(|line| line.starts_with(name)).unwrap();
    assert!(line("  solve::1000 ").ends_with("slower"), "{}", outcome.stdout);
    // The other variant runs the same code, and has no line.
    assert!(!outcome.stdout.contains("  other::1000 "), "{}", outcome.stdout);
    let (_, two) = outcome.stdout.split_once("solve::1000 [2]: ").unwrap();
    assert!(!two.split(" block").next().unwrap().contains("slower"), "{two}");
}

#[test]
fn workers_of_a_launcher_are_compared() {
    let repository = Repository::new("with-launcher");
    let version = |steps: u64, attribute: &str| {
        let source = format!(
            "use plusminus::{{bench, ranks}};\nuse std::{{hint::black_box, process::ExitCode}};\n\
             #[bench(processors = [1]{attribute})]\nfn computes() -> u64 {{\n\
             (0..black_box({steps}_u64)).fold(7, |x, _| black_box(x).wrapping_mul(0x5851_f42d_4c95_7f2d) + 1)\n}}\n\
             #[bench(processors = [1]{attribute})]\nfn tells() -> u64 {{ black_box(1) }}\n\
             fn main() -> ExitCode {{\n\
             if !ranks::launched() {{ return plusminus::run(\"with-launcher\", module_path!(), &[]); }}\n\
             assert_eq!(std::env::var(\"PLACES\").as_deref(), Ok(\"1\"));\n\
             ExitCode::from(ranks::serve(module_path!(), &[], |channel| channel, || {{}}) as u8)\n}}\n"
        );
        repository.write("benches/speed.rs", &source);
        repository.commit("version");
    };
    // `timeout` stands between the runner and the worker, as `mpirun` does.
    const LAUNCHER: &str = "timeout 600 env PLACES={places}";
    let attribute = format!(", launcher = \"{LAUNCHER}\"");
    version(10_000, &attribute);
    version(30_000, &attribute);
    version(10_000, "");
    version(30_000, "");
    let judged = |outcome: &Outcome| {
        assert_eq!(verdict(outcome.exits(1), "computes::p1").0, "slower", "{}", outcome.both());
    };
    let options = ["--format", "json", "--margin", "5"];
    let by_attribute = repository.compare(&[&["HEAD~3..HEAD~2"], &options[..]].concat());
    judged(&by_attribute);
    assert_eq!(verdict(&by_attribute, "tells::p1").0, "identical_code");
    let mut command = repository.plusminus(&["compare", "--quiet", "HEAD~1..HEAD", "computes"]);
    command.args(options).env("PLUSMINUS_LAUNCHER", LAUNCHER);
    judged(&Outcome::of(&command.output().unwrap()));
    repository.is_tidy();
}

#[test]
fn a_failing_benchmark_is_a_failure_and_the_rest_is_judged() {
    let repository = Repository::with_runner("one-fails");
    repository.benches(&[("healthy", 2_000), ("sick", 2_000)]);
    repository.commit("first");
    let path = repository.folder.join("benches/speed.rs");
    let source = std::fs::read_to_string(path).unwrap();
    repository.write(
        "benches/speed.rs",
        &source.replace(
            "fn sick() -> u64 { ",
            "fn sick() -> u64 { assert!(black_box(false), \"it is sick\"); ",
        ),
    );
    let outcome = repository.aligned(&["main", "--margin", "20", "--measure", "all"]);
    outcome.exits(2).says("sick failed in new: panicked: it is sick").says("\n  healthy ");
    repository.is_tidy();
}

#[test]
fn each_round_is_linked_anew_where_the_linker_can() {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        return;
    }
    let repository = Repository::with_runner("sampled-layouts");
    repository.benches(&[("victim", 5_000)]);
    repository.commit("fast");
    repository.benches(&[("victim", 15_000)]);
    let record = repository.folder.join("target/comparison.json");
    let name = record.to_str().unwrap();
    let outcome = repository.compare(&["main", "--margin", "10", "--record", name]);
    outcome.exits(1).says("both versions were relinked for each of").says("victim` is at least");
    let record = plusminus::record::read_comparison(&record).unwrap();
    let blocks = &record.cases[0].blocks;
    assert!(blocks.len() >= 6 && blocks.iter().all(|block| block.layout == block.round + 1));
    // The record names what changed, for its page and for a report from it.
    let code = record.cases[0].code.as_ref().unwrap();
    let named = code.functions.len();
    assert!(named > 0 && code.functions_in_all >= named, "{code:?}");
    assert_eq!(record.base.manifest.subject.as_deref(), Some("fast"));
    repository.compare(&["--from", name]).exits(1).says("code: changed: ");
    // A linker that cannot: the comparison goes on with one layout, unless several are asked for.
    let other = "fn main() { println!(\"cargo:rustc-link-arg-benches=-fuse-ld=bfd\"); }";
    repository.write("build.rs", other);
    let one = repository.compare(&["main", "--margin", "10"]);
    one.exits(1).says("was measured in a single layout of each version");
    one.says("these two binaries").says("victim` is at least");
    let asked = repository.compare(&["main", "--margin", "10", "--layout", "sampled"]);
    asked.exits(2).complains("--shuffle-sections").complains("`--layout aligned` measures one");
    repository.is_tidy();
}

#[test]
fn cargo_bench_takes_another_layout_for_each_run() {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        return;
    }
    let repository = Repository::with_runner("layouts-of-runs");
    repository.benches(&[("one", 1_000), ("two", 1_000)]);
    // Programs that `cargo bench` has built before are not built again, except for linking the program.
    let mut before = repository.command(env!("CARGO"));
    before.args(["bench", "--quiet", "--no-run", "--bench", "speed"]);
    Outcome::of(&before.output().unwrap()).exits(0);
    let layouts = || {
        let mut command = repository.plusminus(&["layouts", "--bench", "speed", "--"]);
        Outcome::of(&command.args(["--runs", "3", "--sample-time", "1ms", "-v"]).output().unwrap())
    };
    let outcome = layouts();
    outcome
        .exits(0)
        .says("over 3 runs, each a fresh process with a different layout of the program");
    let compiled: Vec<&str> =
        outcome.stderr.lines().filter(|line| line.contains("Compiling")).collect();
    assert!(
        !compiled.is_empty() && compiled.iter().all(|line| line.contains("layouts-of-runs")),
        "{}",
        outcome.both()
    );
    let built = repository.target().join("release/deps");
    let names = fs::read_dir(&built).unwrap().map(|entry| entry.unwrap().file_name());
    let names: Vec<String> = names.map(|name| name.into_string().unwrap()).collect();
    let of_run = |name: &String| name.rsplit_once('.').is_some_and(|(_, end)| end.contains('-'));
    assert!(!names.is_empty() && !names.iter().any(of_run), "programs of runs go: {names:?}");
    repository.write(
        "build.rs",
        "fn main() { println!(\"cargo:rustc-link-arg-benches=-fuse-ld=bfd\"); }",
    );
    let other = layouts();
    other.complains("--shuffle-sections");
    assert_ne!(other.code, Some(0));
}

#[test]
fn kernels_that_wait_use_threads_or_need_inputs_are_measured_too() {
    let repository = Repository::with_runner("kinds-of-kernels");
    repository.write(
        "benches/speed.rs",
        "use plusminus::{bench, Bencher};\nuse std::{thread, time::Duration};\n\
         #[bench] fn waits() { thread::sleep(Duration::from_millis(3)); }\n\
         #[bench(processors = [2])] fn parallel() -> usize {\n\
         thread::scope(|scope| { let other = scope.spawn(|| 1); other.join().unwrap() + plusminus::processors() })\n}\n\
         #[bench] fn long() { thread::sleep(Duration::from_millis(150)); }\n\
         #[bench(args = [100])] fn sorts(bencher: Bencher<'_>, n: u32) {\n\
         bencher.with_inputs(|| (0..n).rev().collect::<Vec<u32>>()).bench_refs(|numbers| numbers.sort());\n}\n\
         plusminus::main!();\n",
    );
    repository.commit("first");
    let outcome = repository.aligned(&[
        "HEAD..HEAD",
        "--measure",
        "all",
        "--format",
        "json",
        "--max-blocks",
        "6",
        "--margin",
        "50",
        "--fail-on",
        "never",
    ]);
    for (benchmark, clean) in
        [("waits", false), ("parallel::p2", false), ("long", false), ("sorts::100", true)]
    {
        let (_, row) = verdict(&outcome, benchmark);
        let blocks = row["blocks"].as_array().unwrap();
        assert_eq!(blocks.len(), 6, "{benchmark}");
        // Where a kernel waits, wall time beyond CPU time is no interruption.
        assert!(clean || blocks.iter().all(|block| block["clean"].is_null()), "{benchmark}: {row}");
    }
}

#[test]
fn what_a_small_budget_leaves_open_is_undecided() {
    let repository = Repository::with_runner("small-budget");
    let bench = |milliseconds: u64| {
        repository.write(
            "benches/speed.rs",
            &format!(
                "use plusminus::bench;\n\
                 #[bench] fn long() {{ std::thread::sleep(std::time::Duration::from_millis({milliseconds})); }}\n\
                 plusminus::main!();\n"
            ),
        );
    };
    bench(300);
    repository.commit("first");
    bench(301);
    let record = repository.folder.join("target/comparison.json");
    let record = record.to_str().unwrap();
    let outcome = repository.aligned(&["main", "--max-time", "6", "--record", record]);
    outcome
        .exits(0)
        .says("inconclusive")
        .says("too few blocks to detect any change")
        .says("the time limit was reached before everything was decided");
    repository.compare(&["--from", record, "--fail-on", "inconclusive"]).exits(1);
}
