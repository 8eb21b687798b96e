//! The subcommand on files of a test's own, and records whose answer is known.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

use crate::{Outcome, program, workspace};
use plusminus::record::{self, Record, Role};
use serde_json::{Value, json};

/// An empty folder of a test's own.
pub fn folder(test: &str) -> PathBuf {
    let folder = workspace().join("target/fixtures/outputs").join(test);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Runs the subcommand in a folder.
pub fn plusminus(folder: &Path, arguments: &[&str]) -> Outcome {
    in_columns("80", folder, arguments)
}

/// Runs the subcommand in a folder, as a terminal of this width would show it.
pub fn in_columns(columns: &str, folder: &Path, arguments: &[&str]) -> Outcome {
    let mut command = Command::new(program());
    command.current_dir(folder).args(arguments).env("COLUMNS", columns);
    Outcome::of(&command.output().expect("the program starts"))
}

/// A record without benchmarks.
pub fn empty() -> Record {
    let path = workspace().join("tests/records/schema-1.json");
    Record { cases: Vec::new(), order: Vec::new(), ..record::read(&path).unwrap() }
}

/// One configuration of a variant: its times in nanoseconds, one for each run.
pub struct Case<'a> {
    /// The name of the variant.
    pub function: &'a str,
    /// The role of the variant.
    pub role: Role,
    /// The name of the point.
    pub point: String,
    /// The size of the point, if it has one.
    pub size: Option<f64>,
    /// Processors of the variant.
    pub processors: usize,
    /// Work of a call, in edges.
    pub edges: Option<f64>,
    /// One time for each run.
    pub times_ns: Vec<f64>,
}

impl<'a> Case<'a> {
    /// A contender at a size on one processor; three runs around a time, whose mean it is.
    pub fn of(function: &'a str, size: f64, time_ns: f64) -> Self {
        Self {
            function,
            role: Role::Contender,
            point: format!("n{size}"),
            size: Some(size),
            processors: 1,
            edges: None,
            times_ns: vec![time_ns * 0.998, time_ns, time_ns * 1.002],
        }
    }

    /// Returns the same on this number of processors.
    pub fn on(self, processors: usize) -> Self {
        Self { processors, ..self }
    }

    /// The same in another role.
    pub fn role(self, role: Role) -> Self {
        Self { role, ..self }
    }
}

/// A record of these configurations of one problem.
pub fn record_of(models: &[&str], cases: Vec<Case<'_>>) -> Record {
    // Through the format rather than the types, whose fields grow: what is absent has its default.
    let case = |case: Case<'_>| {
        let measured = |(run, time): (usize, &f64)| {
            let wall_ns = [time.round() as u64];
            json!({"run": run, "instance": 0, "calls": 1, "wall_ns": wall_ns, "cpu_ns": [], "switches": []})
        };
        let measurements: Vec<Value> = case.times_ns.iter().enumerate().map(measured).collect();
        let work: Vec<(&str, f64)> = case.edges.map(|edges| ("edges", edges)).into_iter().collect();
        json!({
            "name": format!("{}::{}@{}", case.function, case.point, case.processors),
            "function": case.function,
            "problem": "Known",
            "point": case.point,
            "size": case.size,
            "models": models,
            "role": match case.role {
                Role::Contender => "contender",
                Role::Baseline => "baseline",
                Role::Reference => "reference",
            },
            "processors": case.processors,
            "instances": [{"name": "only", "work": work}],
            "measurements": measurements,
            "failures": [],
        })
    };
    let path = workspace().join("tests/records/schema-1.json");
    let mut whole = document(&path);
    whole["order"] = json!([]);
    whole["cases"] = cases.into_iter().map(case).collect();
    record::parse(whole.to_string().as_bytes(), &path).expect("the format of a record")
}

/// Studies a record in a folder: what is printed, and the document.
pub fn study(test: &str, record: &Record) -> (Outcome, Value) {
    let folder = folder(test);
    record::write(record, &folder.join("record.json")).unwrap();
    let outcome = plusminus(&folder, &["study", "record.json", "--json", "study.json"]);
    outcome.exits(0);
    (outcome, document(&folder.join("study.json")))
}

/// Reads a document.
pub fn document(path: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

/// A number of a document.
#[track_caller]
pub fn number(value: &Value, pointer: &str) -> f64 {
    let found = value.pointer(pointer).and_then(Value::as_f64);
    found.unwrap_or_else(|| panic!("no number at {pointer} of {value:#}"))
}

/// Panics unless two numbers agree to a relative difference.
#[track_caller]
pub fn near(found: f64, expected: f64, relative: f64) {
    assert!((found / expected - 1.0).abs() <= relative, "{found} instead of {expected}");
}
