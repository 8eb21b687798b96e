//! The lines of text that `go test -bench` and libtest print.

use std::{collections::BTreeMap, fs, path::Path};

use plusminus::text::visible;

use super::{Imported, LARGEST, ONE_PROCESS, case, of_one_process};
use crate::error::{Result, at, error};

/// The text of a file.
pub(super) fn text(path: &Path, tool: &str) -> Result<String> {
    let meta = fs::metadata(path).map_err(at("read", path))?;
    if meta.len() > LARGEST || !meta.is_file() {
        return error(format!("{} is no result of {tool}", path.display()));
    }
    let bytes = fs::read(path).map_err(at("read", path))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The lines of one benchmark.
#[derive(Default)]
struct Lines {
    /// Calls and nanoseconds.
    samples: Vec<(f64, f64)>,
    work: Vec<(String, f64)>,
}

/// Reads what `go test -bench` prints; each line of a benchmark (`-count`) is a sample.
pub(super) fn go(path: &Path) -> Result<Imported> {
    let text = text(path, "go test -bench")?;
    let mut order: Vec<String> = Vec::new();
    let mut found: BTreeMap<String, Lines> = BTreeMap::new();
    let (mut system, mut cpu, mut package) = (String::new(), None, String::new());
    let mut cores = 1;
    for line in text.lines() {
        match line.split_once(": ") {
            Some(("goos", os)) => system = os.trim().to_owned(),
            Some(("cpu", name)) => cpu = Some(name.trim().to_owned()),
            Some(("pkg", name)) => package = name.trim().to_owned(),
            _ => {}
        }
        let mut words = line.split_whitespace();
        let (Some(name), Some(calls)) = (words.next(), words.next()) else { continue };
        let Ok(calls) = calls.parse::<f64>() else { continue };
        if !name.starts_with("Benchmark") {
            continue;
        }
        // The rest are pairs of a number and its unit.
        let rest: Vec<&str> = words.collect();
        let value = |unit: &str| {
            let pair = rest.chunks(2).find(|pair| pair.get(1) == Some(&unit))?;
            pair[0].parse::<f64>().ok()
        };
        let Some(ns) = value("ns/op") else { continue };
        let (name, processors) = without_processors(name);
        cores = cores.max(processors);
        let name = if package.is_empty() { name.to_owned() } else { format!("{package}.{name}") };
        if !found.contains_key(&name) {
            order.push(name.clone());
        }
        let lines = found.entry(name).or_default();
        lines.samples.push((calls, ns * calls));
        if lines.work.is_empty() {
            // A rate is rounded to two places: what it is of is a whole number.
            let bytes = value("MB/s").map(|rate| (rate * 1e6 * ns / 1e9).round());
            lines.work = bytes.map(|bytes| ("bytes".to_owned(), bytes)).into_iter().collect();
        }
    }
    Ok(Imported {
        source: "go test -bench".to_owned(),
        started: String::new(),
        system,
        cpu,
        cores,
        cases: cases(path, order, found)?,
        limits: vec![
            ONE_PROCESS,
            "each line of a benchmark is the mean of its calls: it is a sample here, and with -count 1 there is one sample",
        ],
    })
}

/// `BenchmarkSort/n=100-8` as its name and GOMAXPROCS, which is left out where it is 1.
fn without_processors(name: &str) -> (&str, usize) {
    match name.rsplit_once('-') {
        Some((begin, number)) if number.bytes().all(|byte| byte.is_ascii_digit()) => {
            number.parse().map_or((name, 1), |number| (begin, number))
        }
        _ => (name, 1),
    }
}

/// Reads the lines `test NAME ... bench: …` of libtest: a median, and nothing that could tell how sure it is.
pub(super) fn libtest(path: &Path) -> Result<Imported> {
    let text = text(path, "cargo bench with libtest")?;
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
        started: String::new(),
        system: String::new(),
        cpu: None,
        cores: 1,
        cases: cases(path, order, found)?,
        limits: vec![
            ONE_PROCESS,
            "libtest prints a median: it is the only sample of its benchmark, unless the file holds several runs; what it prints \
             behind +/- is the range of its samples, which tells no σ, and is left out",
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
        cases.push(case(&name, lines.work, 1, vec![measurement]));
    }
    Ok(cases)
}

#[cfg(test)]
mod tests {
    use super::without_processors;

    #[test]
    fn the_number_of_processors_is_no_part_of_a_name() {
        assert_eq!(without_processors("BenchmarkSort/n=100-8"), ("BenchmarkSort/n=100", 8));
        assert_eq!(without_processors("BenchmarkUTF-x"), ("BenchmarkUTF-x", 1));
        assert_eq!(without_processors("BenchmarkSum"), ("BenchmarkSum", 1));
    }
}
