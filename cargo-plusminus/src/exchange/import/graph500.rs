//! The block of results that Graph500 prints: statistics of 64 searches, of which none is there by itself.

use std::{collections::BTreeMap, path::Path};

use super::{Imported, case, lines, of_one_process};
use crate::error::{Result, error};

/// The five numbers of each kernel's times; each stands for a sample.
const QUARTILES: [&str; 5] = ["min", "firstquartile", "median", "thirdquartile", "max"];

/// Reads the times of both kernels.
pub(super) fn read(path: &Path) -> Result<Imported> {
    let text = lines::text(path, "Graph500")?;
    // `bfs  median_time: 0.1`, with blanks as each version likes them.
    let fields: BTreeMap<String, f64> = text
        .lines()
        .filter_map(|line| {
            let (name, value) = line.split_once(':')?;
            let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
            Some((name, value.trim().trim_start_matches('!').trim().parse().ok()?))
        })
        .collect();
    let field = |name: &str| fields.get(name).copied();
    let Some(scale) = field("SCALE") else {
        return error(format!("{} is not what Graph500 prints: it has no SCALE", path.display()));
    };
    let edges = field("median_nedge").or_else(|| field("mean_nedge"));
    let mut cases = Vec::new();
    // Version 2 has one kernel and says no name; version 3 has two.
    for (kernel, prefix) in [("bfs", "bfs "), ("sssp", "sssp "), ("bfs", "")] {
        let times: Vec<f64> =
            QUARTILES.iter().filter_map(|of| field(&format!("{prefix}{of}_time"))).collect();
        if times.len() < QUARTILES.len() {
            continue;
        }
        let samples: Vec<(f64, f64)> = times.iter().map(|seconds| (1.0, seconds * 1e9)).collect();
        let Some(measurement) = of_one_process(&samples) else {
            return error(format!("{}: the times of {kernel} are impossible", path.display()));
        };
        let name = format!("graph500::{kernel}::scale-{scale}");
        let work = edges.map(|edges| ("edges".to_owned(), edges)).into_iter().collect();
        cases.push(case(&name, work, 1, vec![measurement]));
    }
    Ok(Imported {
        source: "Graph500".to_owned(),
        started: String::new(),
        system: String::new(),
        cpu: None,
        cores: field("num_mpi_processes").map_or(1, |count| count.clamp(1.0, 1e6) as usize),
        cases,
        limits: vec![
            "the block has no times of single searches: least, greatest and quartiles are the samples here, so that the median and \
             the range are those of the block, and its mean is not",
            "the roots are instances of one process: how much processes differ is not in the data, so times have no σ and no \
             interval, and comparisons no verdict",
        ],
    })
}
