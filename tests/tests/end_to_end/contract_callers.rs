//! Everybody who calls a bench binary as if it were libtest's: cargo, nextest, rust-analyzer, and people.

use std::{
    path::{Path, PathBuf},
    sync::OnceLock,
};

use plusminus_tests::{Fixture, Outcome};
use serde_json::Value;

/// Measures as little as possible.
const QUICK: [(&str, &str); 3] =
    [("PLUSMINUS_RUNS", "2"), ("PLUSMINUS_SAMPLES", "2"), ("PLUSMINUS_ITERATIONS", "1")];

/// Calls cargo as a user would.
fn cargo(test: &str, line: &str) -> Outcome {
    let fixture = Fixture::new("contract", test);
    let mut command = fixture.command("cargo");
    command.args(line.split_whitespace()).envs(QUICK);
    Outcome::of(&command.output().expect("cargo is there"))
}

/// The bench binary, built once.
fn binary() -> &'static Path {
    static BINARY: OnceLock<PathBuf> = OnceLock::new();
    BINARY.get_or_init(|| Fixture::new("contract", "the_binary").bench_binary("small"))
}

/// Calls the bench binary with the arguments that a caller passes.
fn call(test: &str, line: &str) -> Outcome {
    let fixture = Fixture::new("contract", test);
    let mut command = fixture.command(binary().to_str().unwrap());
    command.args(line.split_whitespace()).envs(QUICK);
    Outcome::of(&command.output().expect("the binary runs"))
}

/// The benchmarks that libtest's lines speak of.
fn tested(outcome: &Outcome) -> Vec<&str> {
    outcome
        .stdout
        .lines()
        .filter_map(|line| line.strip_prefix("test ")?.strip_suffix(" ... ok"))
        .collect()
}

const ALL: [&str; 4] =
    ["bare", "module::inner", "module::with_argument::10", "module::with_argument::20"];

#[test]
fn cargo_bench_measures() {
    let all = cargo("cargo_bench", "bench");
    all.exits(0).says("Raw data: ");
    assert!(ALL.iter().all(|name| all.stdout.contains(name)) && !all.stdout.contains("ignored"));
    // A filter before the dashes, more of them after: any may match.
    let filtered = cargo("cargo_bench_filters", "bench bare -- with_argument --skip 20");
    filtered.exits(0).says("bare").says("with_argument::10");
    assert!(!filtered.stdout.contains("inner") && !filtered.stdout.contains("::20"));
    cargo("cargo_bench_quiet", "bench -q").exits(0).says("Raw data: ");
    cargo("cargo_bench_nothing", "bench -- nothing_like_this")
        .exits(2)
        .complains("no benchmark of this target matches `nothing_like_this`");
    cargo("cargo_bench_list", "bench -- --list").exits(0).says("bare: benchmark\n");
}

#[test]
fn cargo_test_runs_once() {
    for (test, line) in [
        ("cargo_test_benches", "test --benches"),
        ("cargo_test_one", "test --bench small"),
        ("cargo_test_all", "test --all-targets"),
    ] {
        let outcome = cargo(test, line);
        outcome.exits(0).says("test result: ok. 4 passed; 0 failed");
        let found: Vec<&str> =
            tested(&outcome).into_iter().filter(|name| *name != "a_test_of_the_library").collect();
        assert_eq!(found, ALL, "{line}");
        assert!(!outcome.stdout.contains("Raw data: "), "{line} measures nothing");
    }
    let plain = cargo("cargo_test", "test");
    plain.exits(0).says("a_test_of_the_library");
    assert!(!plain.stdout.contains("bare"), "benches are no part of a plain `cargo test`");
    let filtered = cargo("cargo_test_filter", "test --benches inner -- --nocapture");
    assert_eq!(tested(filtered.exits(0)), ["module::inner"]);
}

#[test]
fn rust_analyzer_runs_what_was_clicked() {
    let bench = cargo(
        "ra_bench",
        "bench --package contract --bench small -- module::inner --exact --nocapture",
    );
    bench.exits(0).says("module::inner");
    assert!(!bench.stdout.contains("bare"));
    let test = cargo(
        "ra_test",
        "test --package contract --bench small -- ignored --exact --nocapture --include-ignored",
    );
    assert_eq!(tested(test.exits(0)), ["ignored"]);
    test.complains("the ignored one runs");
    let module = cargo("ra_module", "test --package contract --bench small -- module --nocapture");
    assert_eq!(tested(module.exits(0)), ALL[1..]);
    // The test explorer reads libtest's JSON.
    let explorer = cargo(
        "ra_explorer",
        "test --package contract --bench small -- module::inner -Z unstable-options --format=json --nocapture",
    );
    explorer.exits(0);
    let lines: Vec<Value> = explorer
        .stdout
        .lines()
        .filter(|line| line.starts_with('{'))
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let seen: Vec<(&str, &str)> = lines
        .iter()
        .map(|line| (line["type"].as_str().unwrap(), line["event"].as_str().unwrap()))
        .collect();
    assert_eq!(seen, [("suite", "started"), ("test", "started"), ("test", "ok"), ("suite", "ok")]);
    assert_eq!(lines[2]["name"], "module::inner");
    assert_eq!(lines[3]["passed"], 1);
}

#[test]
fn nextest_gets_the_bytes_it_demands() {
    let listed = call("nextest_list", "--list --format terse");
    assert_eq!(
        listed.exits(0).stdout,
        ALL.map(|name| format!("{name}: benchmark\n")).concat() + "ignored: benchmark\n"
    );
    assert_eq!(listed.stderr, "");
    let ignored = call("nextest_ignored", "--list --format terse --ignored");
    assert_eq!(ignored.exits(0).stdout, "ignored: benchmark\n");
    let none = call("nextest_none", "--list --format terse --ignored bare");
    assert_eq!(none.exits(0).stdout, "");
    // Another process lists the same.
    assert_eq!(call("nextest_again", "--list --format terse").stdout, listed.stdout);
    for name in ALL {
        let outcome = call("nextest_run", &format!("--exact {name} --nocapture"));
        assert_eq!(tested(outcome.exits(0)), [name]);
        call("nextest_bench", &format!("--exact {name} --nocapture --bench")).exits(0).says(name);
    }
    let outcome = call("nextest_run_ignored", "--exact ignored --nocapture --ignored");
    assert_eq!(tested(outcome.exits(0)), ["ignored"]);
}

#[test]
fn nextest_itself_lists_runs_and_benches() {
    let installed = std::process::Command::new("cargo").args(["nextest", "--version"]).output();
    if !installed.is_ok_and(|output| output.status.success()) {
        // The continuous build installs it, and sets this variable: there it must not be skipped.
        assert!(
            std::env::var_os("PLUSMINUS_TEST_NEXTEST").is_none(),
            "cargo-nextest is not installed"
        );
        eprintln!("not tested: cargo-nextest is not installed");
        return;
    }
    let nextest = |test: &str, line: &str| {
        let fixture = Fixture::new("contract", test);
        let mut command = fixture.command("cargo");
        command
            .args(line.split_whitespace())
            .envs(QUICK)
            .env("NEXTEST_EXPERIMENTAL_BENCHMARKS", "1");
        Outcome::of(&command.output().expect("cargo is there"))
    };
    let listed = nextest("nextest_real_list", "nextest list --benches --message-format json");
    let found: Value = serde_json::from_str(&listed.exits(0).stdout).unwrap();
    let cases = &found["rust-suites"]["contract::bench/small"]["testcases"];
    for name in ALL {
        assert_eq!(cases[name]["ignored"], false, "{name}");
    }
    assert_eq!(cases["ignored"]["ignored"], true);
    nextest("nextest_real_run", "nextest run --benches")
        .exits(0)
        .complains("contract::bench/small module::with_argument::20")
        .complains("4 passed, 1 skipped");
    nextest("nextest_real_bench", "nextest bench").exits(0).complains("4 passed, 1 skipped");
}

#[test]
fn all_flags_of_libtest_are_accepted() {
    for (flags, passed) in [
        ("--include-ignored", 5),
        ("--ignored", 1),
        ("--force-run-in-process", 4),
        ("--exclude-should-panic", 4),
        ("--test", 4),
        ("--fail-fast", 4),
        ("--logfile /dev/null", 4),
        ("--no-capture", 4),
        ("--nocapture", 4),
        ("--show-output", 4),
        ("--test-threads 2", 4),
        ("--test-threads=2", 4),
        ("--skip bare --skip inner", 2),
        ("-q", 4),
        ("--quiet", 4),
        ("--exact bare", 1),
        ("--exact small::bare", 1),
        ("bare inner", 2),
        ("--color auto", 4),
        ("--color=always", 4),
        ("--color never", 4),
        ("--format pretty", 4),
        ("--format terse", 4),
        ("--format junit", 4),
        ("-Z unstable-options", 4),
        ("-Zunstable-options --report-time", 4),
        ("--ensure-time", 4),
        ("--shuffle", 4),
        ("--shuffle-seed 7", 4),
        ("--exact no_such_benchmark", 0),
    ] {
        let outcome = call("libtest_flags", flags);
        assert_eq!(tested(outcome.exits(0)).len(), passed, "{flags}: {}", outcome.both());
    }
    call("libtest_flags", "--exact no_such_benchmark")
        .complains("no benchmark of this target matches `no_such_benchmark`");
    // Who asks for a measurement wants one; only cargo may ask several targets with the same filter.
    for (filter, meant) in
        [("bar", "did you mean `bare`?"), ("^inner$", "did you mean `module::inner`?")]
    {
        call("libtest_flags", &format!("--bench {filter}x")).exits(2);
        call("libtest_flags", &format!("--bench --exact {filter}")).exits(2).complains(meant);
    }
    for flag in ["-h", "--help"] {
        call("libtest_flags", flag).exits(0).says("--save-baseline NAME").says("--help all");
    }
    for (flags, complaint) in [
        ("--foo", "unknown option `--foo`"),
        ("--save-basline x", "did you mean `--save-baseline`?"),
        ("--runs many", "--runs takes a whole number"),
        ("--runs", "--runs needs a value"),
        ("--format xml", "--format takes pretty, terse, bencher or json"),
    ] {
        let outcome = call("libtest_flags", flags);
        assert_eq!(outcome.exits(2).stdout, "", "{flags}");
        outcome.complains(complaint);
    }
}

#[test]
fn a_pretty_list_counts() {
    let listed = call("pretty_list", "--list bare inner");
    assert_eq!(
        listed.exits(0).stdout,
        "bare: benchmark\nmodule::inner: benchmark\n\n0 tests, 2 benchmarks\n"
    );
    let json = call("json_list", "--list --format json bare");
    assert_eq!(
        json.exits(0).stdout,
        "{\"type\":\"bench\",\"event\":\"discovered\",\"name\":\"bare\"}\n"
    );
}

#[test]
fn programs_read_lines_of_json() {
    let outcome = call("json_bench", "--bench --format json --iterations 10000 bare module");
    let lines: Vec<Value> = outcome
        .exits(0)
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}")))
        .collect();
    assert_eq!(lines.len(), 1 + 4 + 1);
    assert_eq!(
        (&lines[0]["event"], &lines[0]["schema"]),
        (&Value::from("started"), &Value::from(2))
    );
    for (line, name) in lines[1..5].iter().zip(ALL) {
        assert_eq!((&line["type"], &line["name"]), (&Value::from("bench"), &Value::from(name)));
        assert!(
            line["median"].as_f64().unwrap() > 0.0 && line["deviation"].as_f64().unwrap() >= 0.0
        );
        assert_eq!(line["runs"], 2);
    }
    assert_eq!((&lines[5]["event"], &lines[5]["measured"]), (&Value::from("ok"), &Value::from(4)));
    let record = lines[5]["record"].as_str().unwrap();
    plusminus::record::read(Path::new(record)).unwrap();
}

#[test]
fn services_read_lines_of_libtest() {
    for format in ["terse", "bencher"] {
        let outcome =
            call("bencher_lines", &format!("--bench --format {format} --iterations 100000 bare"));
        let line = outcome.exits(0).stdout.trim_end();
        let rest = line.strip_prefix("test bare ... bench: ").unwrap_or_else(|| panic!("{line}"));
        let (value, rest) = rest.trim_start().split_once(" ns/iter (+/- ").unwrap();
        let range = rest.strip_suffix(')').unwrap();
        for number in [value, range] {
            assert!(number.chars().all(|c| c.is_ascii_digit() || ",.".contains(c)), "{line}");
            assert!(number.replace(',', "").parse::<f64>().is_ok(), "{line}");
        }
    }
}

#[test]
fn variables_say_what_flags_do_not() {
    let fixture = Fixture::new("contract", "variables");
    let run = |variable: (&str, &str), line: &str| {
        let mut command = fixture.command(binary().to_str().unwrap());
        command.args(line.split_whitespace()).env(variable.0, variable.1);
        Outcome::of(&command.output().unwrap())
    };
    run(("PLUSMINUS_RUNS", "none"), "--bench")
        .exits(2)
        .complains("PLUSMINUS_RUNS takes a whole number");
    run(("PLUSMINUS_FORMAT", "json"), "--list bare").exits(0).says("discovered");
    run(("PLUSMINUS_FORMAT", "json"), "--list bare --format terse")
        .exits(0)
        .says("bare: benchmark");
    // As a project sets it: under [env] of its configuration.
    let outcome = cargo(
        "variables_of_a_project",
        "--config env.PLUSMINUS_FORMAT=\"json\" bench -- --list bare",
    );
    outcome.exits(0).says("discovered");
}
