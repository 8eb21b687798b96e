//! The folder `target/criterion`: every benchmark of a baseline, with its raw samples.

use std::{
    fs,
    path::{Path, PathBuf},
};

use serde::Deserialize;

use super::{Imported, ONE_PROCESS, case, json, of_one_process};
use crate::error::{Result, at, error};

/// `benchmark.json`.
#[derive(Deserialize)]
struct Benchmark {
    full_id: String,
    throughput: Option<serde_json::Map<String, serde_json::Value>>,
}

/// `sample.json`: calls and nanoseconds of each sample.
#[derive(Deserialize)]
struct Sample {
    iters: Vec<f64>,
    times: Vec<f64>,
}

/// Folders below each other at most: groups, functions and values are three.
const DEEPEST: usize = 8;

pub(super) fn read(folder: &Path, baseline: &str) -> Result<Imported> {
    let mut found = Vec::new();
    search(folder, baseline, 0, &mut found)?;
    found.sort();
    if found.is_empty() {
        return error(format!(
            "{} holds no baseline `{}` of criterion: name the folder `target/criterion`, and one of its baselines with --baseline",
            folder.display(),
            plusminus::text::visible(baseline)
        ));
    }
    let mut cases = Vec::new();
    for place in found {
        let benchmark: Benchmark = json(&place.join("benchmark.json"), "criterion")?;
        let path = place.join("sample.json");
        let sample: Sample = json(&path, "criterion")?;
        let pairs: Vec<(f64, f64)> =
            sample.iters.iter().copied().zip(sample.times.iter().copied()).collect();
        let Some(measurement) =
            of_one_process(&pairs).filter(|_| sample.iters.len() == sample.times.len())
        else {
            return error(format!("{} contradicts itself", path.display()));
        };
        let work = benchmark.throughput.iter().flatten();
        let work = work.filter_map(|(unit, amount)| Some((unit.to_lowercase(), amount.as_f64()?)));
        cases.push(case(&benchmark.full_id, work.collect(), vec![measurement]));
    }
    Ok(Imported {
        source: format!("criterion, baseline {baseline}"),
        cases,
        limits: vec![
            ONE_PROCESS,
            "the time is the median of the samples; criterion prints a slope or a mean",
            "samples of different numbers of calls are scaled to the same number",
        ],
    })
}

fn search(folder: &Path, baseline: &str, depth: usize, found: &mut Vec<PathBuf>) -> Result<()> {
    if depth > DEEPEST {
        return Ok(());
    }
    for entry in fs::read_dir(folder).map_err(at("read", folder))? {
        let entry = entry.map_err(at("read", folder))?;
        let path = entry.path();
        // Links are not followed: they may lead round in a circle.
        if !entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            continue;
        }
        if entry.file_name() == baseline && path.join("sample.json").is_file() {
            found.push(path);
        } else {
            search(&path, baseline, depth + 1, found)?;
        }
    }
    Ok(())
}
