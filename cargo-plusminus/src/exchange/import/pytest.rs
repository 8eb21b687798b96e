//! The JSON file of pytest-benchmark.

use std::path::Path;

use plusminus::text::visible;
use serde::Deserialize;

use super::{Imported, ONE_PROCESS, case, json, of_one_process};
use crate::error::{Result, error};

#[derive(Deserialize)]
struct File {
    #[serde(default)]
    machine_info: Machine,
    #[serde(default)]
    datetime: String,
    benchmarks: Vec<Benchmark>,
}

#[derive(Deserialize, Default)]
struct Machine {
    #[serde(default)]
    system: String,
    #[serde(default)]
    release: String,
    #[serde(default)]
    cpu: Cpu,
}

#[derive(Deserialize, Default)]
struct Cpu {
    brand_raw: Option<String>,
    count: Option<usize>,
}

#[derive(Deserialize)]
struct Benchmark {
    fullname: String,
    stats: Stats,
}

#[derive(Deserialize)]
struct Stats {
    iterations: f64,
    mean: f64,
    /// Seconds of a call in each round; absent without `--benchmark-save-data`.
    #[serde(default)]
    data: Vec<f64>,
}

/// Reads all benchmarks; each round is a sample.
pub(super) fn read(path: &Path) -> Result<Imported> {
    let file: File = json(path, "pytest-benchmark")?;
    let mut cases = Vec::new();
    let mut without_data = 0;
    for one in &file.benchmarks {
        let calls = one.stats.iterations;
        let rounds = match &one.stats.data[..] {
            [] => {
                without_data += 1;
                &[one.stats.mean][..]
            }
            rounds => rounds,
        };
        let samples: Vec<(f64, f64)> =
            rounds.iter().map(|seconds| (calls, seconds * calls * 1e9)).collect();
        let Some(measurement) = of_one_process(&samples) else {
            return error(format!(
                "{}: the times of `{}` are impossible",
                path.display(),
                visible(&one.fullname)
            ));
        };
        cases.push(case(&one.fullname, Vec::new(), 1, vec![measurement]));
    }
    let mut limits = vec![ONE_PROCESS];
    if without_data > 0 {
        limits.push(
            "some benchmarks have no data of their rounds, only a mean, which is their only sample: --benchmark-save-data keeps \
             them",
        );
    }
    let machine = file.machine_info;
    Ok(Imported {
        source: "pytest-benchmark".to_owned(),
        started: file.datetime,
        system: format!("{} {}", machine.system, machine.release).trim().to_owned(),
        cpu: machine.cpu.brand_raw,
        cores: machine.cpu.count.unwrap_or(1),
        cases,
        limits,
    })
}
