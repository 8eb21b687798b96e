//! The JSON file of google/benchmark.

use std::{collections::BTreeMap, path::Path};

use serde::Deserialize;

use super::{Imported, ONE_PROCESS, case, json, of_one_process};
use crate::error::{Result, error};

#[derive(Deserialize)]
struct File {
    context: Context,
    benchmarks: Vec<Benchmark>,
}

#[derive(Deserialize)]
struct Context {
    #[serde(default)]
    date: String,
    num_cpus: Option<usize>,
    mhz_per_cpu: Option<f64>,
}

#[derive(Deserialize)]
struct Benchmark {
    name: String,
    #[serde(default)]
    run_name: String,
    /// `iteration`, or `aggregate` for what is computed from others; older files have none.
    #[serde(default)]
    run_type: String,
    iterations: Option<f64>,
    real_time: Option<f64>,
    cpu_time: Option<f64>,
    #[serde(default)]
    time_unit: String,
    threads: Option<usize>,
    #[serde(default)]
    error_occurred: bool,
    items_per_second: Option<f64>,
    bytes_per_second: Option<f64>,
}

/// The repetitions of one benchmark.
#[derive(Default)]
struct Repetitions {
    samples: Vec<(f64, f64)>,
    threads: usize,
    /// Items and bytes of a call.
    work: Vec<(String, f64)>,
}

/// Reads all benchmarks; each repetition is a sample.
pub(super) fn read(path: &Path) -> Result<Imported> {
    let file: File = json(path, "google/benchmark")?;
    let mut order: Vec<String> = Vec::new();
    let mut found: BTreeMap<String, Repetitions> = BTreeMap::new();
    for one in &file.benchmarks {
        if one.run_type == "aggregate" || one.error_occurred {
            continue;
        }
        let (Some(calls), Some(time)) = (one.iterations, one.real_time) else { continue };
        let Some(unit_ns) = unit_ns(&one.time_unit) else {
            return error(format!("{}: unknown unit of time", path.display()));
        };
        let name = if one.run_name.is_empty() { &one.name } else { &one.run_name };
        if !found.contains_key(name) {
            order.push(name.clone());
        }
        let repetitions = found.entry(name.clone()).or_default();
        let call_ns = time * unit_ns;
        repetitions.samples.push((calls, call_ns * calls));
        repetitions.threads = one.threads.unwrap_or(1).max(1);
        if repetitions.work.is_empty() {
            // Rates are over CPU time, unless the benchmark asks for real time.
            let of_cpu = one.cpu_time.filter(|_| !name.contains("/real_time"));
            let rate_ns = of_cpu.map_or(call_ns, |cpu| cpu * unit_ns);
            let rates = [("items", one.items_per_second), ("bytes", one.bytes_per_second)];
            let work =
                rates.into_iter().filter_map(|(unit, rate)| Some((unit, rate? * rate_ns / 1e9)));
            repetitions.work = work.map(|(unit, amount)| (unit.to_owned(), amount)).collect();
        }
    }
    let mut cases = Vec::new();
    for name in order {
        let Some(repetitions) = found.remove(&name) else { continue };
        let Some(measurement) = of_one_process(&repetitions.samples) else {
            return error(format!(
                "{}: the times of `{}` are impossible",
                path.display(),
                plusminus::text::visible(&name)
            ));
        };
        cases.push(case(&name, repetitions.work, repetitions.threads, vec![measurement]));
    }
    let cpu = file.context.mhz_per_cpu.map(|mhz| format!("a processor of {mhz} MHz"));
    Ok(Imported {
        source: "google/benchmark".to_owned(),
        started: file.context.date,
        system: String::new(),
        cpu,
        cores: file.context.num_cpus.unwrap_or(1),
        cases,
        limits: vec![
            ONE_PROCESS,
            "each repetition is the mean of its iterations: it is a sample here; with one repetition there is one sample",
        ],
    })
}

fn unit_ns(unit: &str) -> Option<f64> {
    match unit {
        "ns" | "" => Some(1.0),
        "us" => Some(1e3),
        "ms" => Some(1e6),
        "s" => Some(1e9),
        _ => None,
    }
}
