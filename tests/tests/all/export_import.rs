//! `cargo plusminus import` and `export`: files that other tools have written, and what other tools and schemas accept.

use std::{collections::BTreeSet, path::Path, process::Command};

use plusminus::{
    record::{self, AnyRecord, Measurement, Record},
    results::tables,
};
use plusminus_tests::pages_support::hostile;
use plusminus_tests::study_support::{folder, near, plusminus};
use plusminus_tests::{Outcome, workspace};
use serde_json::Value;

/// Imports one of the files of tests/imports.
fn imported(test: &str, arguments: &[&str]) -> (Outcome, Record) {
    let folder = folder(test);
    let from = workspace().join("tests/imports").join(arguments[1]);
    let mut all = vec!["import", arguments[0], from.to_str().unwrap(), "--output", "record.json"];
    all.extend(&arguments[2..]);
    let outcome = plusminus(&folder, &all);
    outcome.exits(0).says("record: record.json");
    let record = record::read(&folder.join("record.json")).unwrap();
    // It is a record like any other.
    plusminus(&folder, &["report", "record.json"]).exits(0);
    (outcome, record)
}

/// The time of a benchmark and its σ, in nanoseconds.
fn time(record: &Record, name: &str) -> (f64, Option<f64>) {
    for table in tables(record) {
        if let Some(row) = table.rows.iter().find(|row| row.case.name == name) {
            let estimate = row.estimate().unwrap();
            return (estimate.value, estimate.u);
        }
    }
    panic!("no {name} in {:?}", record.cases.iter().map(|c| &c.name).collect::<Vec<_>>());
}

fn file(name: &str) -> Value {
    let text = std::fs::read(workspace().join("tests/imports").join(name)).unwrap();
    serde_json::from_slice(&text).unwrap()
}

/// Whether a time lies among others.
fn within(value: f64, all: &[f64]) -> bool {
    all.iter().any(|other| *other <= value * 1.000_001)
        && all.iter().any(|other| *other >= value * 0.999_999)
}

/// Panics unless the times of calls are these.
#[track_caller]
fn same(found: &Measurement, expected: &[f64]) {
    assert_eq!(found.wall_ns.len(), expected.len(), "every sample");
    for (found, expected) in found.call_ns().zip(expected) {
        assert!((found / expected - 1.0).abs() < 1e-5, "{found} {expected}");
    }
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|n| n.as_f64().unwrap()).collect()
}

#[test]
fn what_criterion_has_written_is_read() {
    let (outcome, record) = imported("import_criterion", &["criterion", "criterion"]);
    outcome.says("imported: 2 benchmarks").says("each benchmark was measured by one process");
    let names: BTreeSet<&str> = record.cases.iter().map(|case| case.name.as_str()).collect();
    assert_eq!(names, BTreeSet::from(["parse", "sort/stable/1000"]));
    let sample = file("criterion/sort/stable/1000/new/sample.json");
    let (calls, times) = (numbers(&sample["iters"]), numbers(&sample["times"]));
    let expected: Vec<f64> = times.iter().zip(&calls).map(|(time, calls)| time / calls).collect();
    let sort = record.cases.iter().find(|case| case.name.starts_with("sort")).unwrap();
    same(&sort.measurements[0], &expected);
    let (value, u) = time(&record, "sort/stable/1000");
    assert!(within(value, &expected), "{value} {expected:?}");
    assert_eq!(u, None, "one process has no σ");
    assert_eq!(sort.instances[0].work, [("elements".to_owned(), 1000.0)]);
    let folder = folder("import_criterion_wrong");
    let from = workspace().join("tests/imports/criterion");
    let wrong =
        ["import", "criterion", from.to_str().unwrap(), "-o", "r.json", "--baseline", "never"];
    plusminus(&folder, &wrong).exits(2).complains("holds no baseline `never`");
    assert!(!folder.join("r.json").exists());
}

#[test]
fn what_hyperfine_has_written_is_read() {
    let (outcome, record) = imported("import_hyperfine", &["hyperfine", "hyperfine.json"]);
    outcome.says("imported: 2 benchmarks").says("one after the other");
    let written = file("hyperfine.json");
    for result in written["results"].as_array().unwrap() {
        let name = result["command"].as_str().unwrap();
        let times = numbers(&result["times"]);
        let mean = result["mean"].as_f64().unwrap() * 1e9;
        let (value, u) = time(&record, name);
        assert!((value / mean - 1.0).abs() < 1e-5, "{name}: {value} {mean}");
        // Each time is that of a process: σ of the mean is at least that of this number of runs.
        let deviation = result["stddev"].as_f64().unwrap() * 1e9;
        assert!(u.unwrap() >= 0.999 * deviation / (times.len() as f64).sqrt(), "{name}");
    }
}

/// The times of the calls of a benchmark.
fn calls(record: &Record, name: &str) -> Vec<f64> {
    let case = record.cases.iter().find(|case| case.name == name).unwrap();
    case.measurements[0].call_ns().collect()
}

#[test]
fn what_libtest_has_written_is_read() {
    let (outcome, record) = imported("import_libtest", &["libtest", "libtest.txt"]);
    outcome.says("imported: 3 benchmarks").says("libtest prints a median");
    near(calls(&record, "slow::million")[0], 8_705_777.0, 1e-9);
    near(calls(&record, "sum")[0], 197.38, 1e-9);
    let work =
        &record.cases.iter().find(|case| case.name == "sort_1000").unwrap().instances[0].work;
    assert!((work[0].1 - 8000.0).abs() < 25.0, "{work:?}");
    // Versions before had whole numbers.
    let folder = folder("import_libtest_old");
    let old = "test a::b ... bench:       1,234 ns/iter (+/- 56)\nnoise\ntest c ... ok\n";
    std::fs::write(folder.join("old.txt"), old).unwrap();
    plusminus(&folder, &["import", "libtest", "old.txt", "-o", "r.json"]).exits(0).says("1 bench");
    assert_eq!(calls(&record::read(&folder.join("r.json")).unwrap(), "a::b"), [1234.0]);
}

#[test]
fn what_is_no_result_is_refused() {
    let folder = folder("import_wrong");
    std::fs::write(folder.join("x.json"), "[1, 2").unwrap();
    std::fs::write(folder.join("y.json"), r#"{"results": [{"command": "a", "times": [-1.0]}]}"#)
        .unwrap();
    std::fs::write(folder.join("z.json"), r#"{"results": []}"#).unwrap();
    let import = |name: &str| plusminus(&folder, &["import", "hyperfine", name, "-o", "r.json"]);
    import("x.json").exits(2).complains("is not what hyperfine writes");
    import("y.json").exits(2).complains("a time of a command is impossible");
    import("z.json").exits(2).complains("holds no measurements");
    import("none.json").exits(2).complains("cannot read none.json");
    assert!(!folder.join("r.json").exists());
}

/// A published record in a format.
fn exported(test: &str, format: &str, record: &Path) -> String {
    let folder = folder(test);
    plusminus(&folder, &["export", format, record.to_str().unwrap(), "-o", "out"]).exits(0);
    std::fs::read_to_string(folder.join("out")).unwrap()
}

fn published(name: &str) -> std::path::PathBuf {
    workspace().join("tests/records").join(name)
}

/// Asserts that a document fits Bencher's published JSON schema.
fn assert_bmf(document: &Value) {
    for (name, measures) in document.as_object().expect("an object of benchmarks") {
        assert!(!name.is_empty() && name.chars().count() <= 1024);
        for (measure, metric) in measures.as_object().expect("an object of measures") {
            let metric = metric.as_object().unwrap_or_else(|| panic!("{measure}"));
            assert!(metric.contains_key("value"));
            for (field, value) in metric {
                assert!(["value", "lower_value", "upper_value"].contains(&field.as_str()));
                assert!(value.is_number(), "{field}: {value}");
            }
        }
    }
}

#[test]
fn every_format_is_written() {
    for format in ["bmf", "github", "csv", "jsonl", "critcmp", "openmetrics", "markdown"] {
        let text = exported(&format!("export_{format}"), format, &published("schema-1.json"));
        insta::assert_snapshot!(format!("export_{format}"), text);
    }
}

#[test]
fn exports_have_the_numbers_of_the_report() {
    let AnyRecord::Measurement(record) = record::read_any(&published("schema-1.json")).unwrap()
    else {
        panic!()
    };
    let bmf: Value =
        serde_json::from_str(&exported("export_numbers", "bmf", &published("schema-1.json")))
            .unwrap();
    assert_bmf(&bmf);
    let critcmp: Value =
        serde_json::from_str(&exported("export_numbers_2", "critcmp", &published("schema-1.json")))
            .unwrap();
    let mut seen = 0;
    for table in tables(&record) {
        for row in &table.rows {
            let Some(time) = &row.time else { continue };
            let latency = &bmf[&row.case.name]["latency"];
            near(latency["value"].as_f64().unwrap(), time.estimate.value, 1e-15);
            near(latency["upper_value"].as_f64().unwrap(), time.interval().unwrap().high, 1e-15);
            let mean = &critcmp["benchmarks"][&row.case.name]["criterion_estimates_v1"]["mean"];
            near(mean["point_estimate"].as_f64().unwrap(), time.estimate.value, 1e-15);
            near(mean["standard_error"].as_f64().unwrap(), time.estimate.u.unwrap(), 1e-15);
            seen += 1;
        }
    }
    assert_eq!(seen, 2);
}

#[test]
fn hostile_names_stay_within_their_cells() {
    let folder = folder("export_hostile");
    record::write(&hostile(), &folder.join("r.json")).unwrap();
    let text = |format: &str| {
        plusminus(&folder, &["export", format, "r.json", "-o", "out"]).exits(0);
        std::fs::read_to_string(folder.join("out")).unwrap()
    };
    assert_bmf(&serde_json::from_str(&text("bmf")).unwrap());
    for line in text("jsonl").lines() {
        serde_json::from_str::<Value>(line).unwrap();
    }
    // Seven benchmarks of three runs of five samples, each on a line of thirteen cells.
    let csv = text("csv");
    assert_eq!(csv.lines().count(), 1 + 7 * 15);
    assert!(!csv.contains("\n=HYPERLINK") && csv.contains("'=HYPERLINK"), "{csv}");
    assert!(!text("markdown").contains("<script"));
    let metrics = text("openmetrics");
    for line in metrics.lines().filter(|line| !line.starts_with('#')) {
        let (labels, value) = line.rsplit_once("} ").unwrap();
        assert!(value.parse::<f64>().is_ok(), "{line}");
        assert_eq!(
            labels.replace("\\\\", "").replace("\\\"", "").matches('"').count(),
            4,
            "{line}"
        );
    }
}

/// The program of another tool; `None`, with a line, where it is not there.
fn tool(name: &str) -> Option<Command> {
    let there =
        Command::new(name).arg("--version").output().is_ok_and(|output| output.status.success());
    if !there {
        assert!(
            std::env::var_os("PLUSMINUS_TEST_TOOLS").is_none(),
            "PLUSMINUS_TEST_TOOLS is set, and there is no {name}"
        );
        eprintln!("skipped: there is no {name}");
    }
    there.then(|| Command::new(name))
}

#[test]
fn promtool_accepts_the_metrics() {
    let Some(mut promtool) = tool("promtool") else { return };
    let folder = folder("export_promtool");
    record::write(&hostile(), &folder.join("r.json")).unwrap();
    plusminus(&folder, &["export", "openmetrics", "r.json", "-o", "metrics.txt"]).exits(0);
    let metrics = std::fs::File::open(folder.join("metrics.txt")).unwrap();
    let output = promtool.args(["check", "metrics"]).stdin(metrics).output().unwrap();
    Outcome::of(&output).exits(0);
}

#[test]
fn critcmp_compares_two_exports() {
    let Some(mut critcmp) = tool("critcmp") else { return };
    let folder = folder("export_critcmp");
    let record = published("schema-1.json");
    for name in ["before", "after"] {
        let to = format!("{name}.json");
        plusminus(
            &folder,
            &["export", "critcmp", record.to_str().unwrap(), "--name", name, "-o", &to],
        )
        .exits(0);
    }
    let output = critcmp.current_dir(&folder).args(["before.json", "after.json"]).output().unwrap();
    Outcome::of(&output).exits(0).says("sssp::kla::rmat-14").says("before").says("after");
}
