//! The lines of text that libtest prints.

use std::{collections::BTreeMap, fs, path::Path};

use plusminus::text::visible;

use super::{Imported, LARGEST, ONE_PROCESS, case, of_one_process};
use crate::error::{Result, at, error};

fn text(path: &Path) -> Result<String> {
    let meta = fs::metadata(path).map_err(at("read", path))?;
    if meta.len() > LARGEST || !meta.is_file() {
        return error(format!("{} is no result of cargo bench with libtest", path.display()));
    }
    let bytes = fs::read(path).map_err(at("read", path))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

#[derive(Default)]
struct Lines {
    /// Calls and nanoseconds.
    samples: Vec<(f64, f64)>,
    work: Vec<(String, f64)>,
}

/// Reads the lines `test NAME ... bench: …` of libtest: a median, and nothing that could tell how sure it is.
pub(super) fn read(path: &Path) -> Result<Imported> {
    let text = text(path)?;
    let mut order: Vec<String> = Vec::new();
    let mut found: BTreeMap<String, Lines> = BTreeMap::new();
    for line in text.lines() {
        let line = line.trim();
        let Some((name, rest)) =
            line.strip_prefix("test ").and_then(|l| l.split_once(" ... bench:"))
        else {
            continue;
        };
        let name = name.trim().to_owned();
        let number = |text: &str| text.trim().replace(',', "").parse::<f64>().ok();
        let Some(ns) = rest.split_once("ns/iter").and_then(|(ns, _)| number(ns)) else { continue };
        let rate = rest.rsplit_once("= ").and_then(|(_, rate)| number(rate.strip_suffix(" MB/s")?));
        let bytes = rate.map(|rate| ("bytes".to_owned(), (rate * 1e6 * ns / 1e9).round()));
        if !found.contains_key(&name) {
            order.push(name.clone());
        }
        let lines = found.entry(name).or_default();
        lines.samples.push((1.0, ns));
        lines.work = bytes.into_iter().collect();
    }
    Ok(Imported {
        source: "libtest".to_owned(),
        cases: cases(path, order, found)?,
        limits: vec![
            ONE_PROCESS,
            "libtest prints a median, which is the only sample of its benchmark unless the file holds several runs. The number \
             after +/- is the range of its samples, which is not σ, and is ignored",
            "MB/s is a rounded number: the bytes of a call are as many as it allows",
        ],
    })
}

fn cases(
    path: &Path,
    order: Vec<String>,
    mut found: BTreeMap<String, Lines>,
) -> Result<Vec<plusminus::record::CaseRecord>> {
    let mut cases = Vec::new();
    for name in order {
        let Some(lines) = found.remove(&name) else { continue };
        let Some(measurement) = of_one_process(&lines.samples) else {
            let name = visible(&name);
            return error(format!("{}: the times of `{name}` are impossible", path.display()));
        };
        cases.push(case(&name, lines.work, vec![measurement]));
    }
    Ok(cases)
}
