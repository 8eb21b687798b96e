//! `cargo plusminus import`: results of other tools as records, with the same analysis. Unknown facts remain unknown.

mod criterion;
mod hyperfine;
mod libtest;

use std::{
    fs,
    path::{Path, PathBuf},
};

use plusminus::{
    exit,
    output::{print, try_file},
    record::{
        self, CaseRecord, InstanceRecord, Manifest, Measurement, Record, Role, SCHEMA, Settings,
    },
    text::{number::counted, visible},
};
use serde::de::DeserializeOwned;

use crate::error::{Error, Result, at, error};

/// Makes a record from the results of another tool.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
`report`, `study` and `export` accept the record. It contains only facts that the tool has written.
Examples:
  cargo plusminus import criterion target/criterion --output before.json
  hyperfine --export-json times.json './a' './b' && cargo plusminus import hyperfine times.json -o times-record.json")]
pub(crate) struct ImportArguments {
    /// The tool.
    #[arg(value_enum)]
    tool: Tool,
    /// The result of the tool: a file, or for criterion its folder.
    path: PathBuf,
    /// The record to write.
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    /// The baseline of criterion to read.
    #[arg(long, value_name = "NAME", default_value = "new")]
    baseline: String,
}

/// Whose results are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Tool {
    /// The folder `target/criterion`.
    Criterion,
    /// The file of `--export-json`.
    Hyperfine,
    /// The output of `cargo bench` for libtest's benchmarks.
    Libtest,
}

struct Imported {
    /// The tool and its version.
    source: String,
    cases: Vec<CaseRecord>,
    limits: Vec<&'static str>,
}

/// The limit of measurements in one process.
const ONE_PROCESS: &str = "each benchmark was measured by one process: how much processes differ is not in the data, so times have \
                           no σ and no interval, and comparisons no verdict";

pub(crate) fn import(arguments: &ImportArguments) -> Result<i32> {
    try_file(&arguments.output).map_err(at("write", &arguments.output))?;
    let imported = match arguments.tool {
        Tool::Criterion => criterion::read(&arguments.path, &arguments.baseline)?,
        Tool::Hyperfine => hyperfine::read(&arguments.path)?,
        Tool::Libtest => libtest::read(&arguments.path)?,
    };
    if imported.cases.is_empty() {
        return error(format!("{} holds no measurements", arguments.path.display()));
    }
    let mut text = format!(
        "imported: {} from {}\n",
        counted(imported.cases.len(), "benchmark"),
        visible(&imported.source)
    );
    for limit in &imported.limits {
        text.push_str(&format!("note: {limit}\n"));
    }
    text.push_str(&format!("record: {}\n", arguments.output.display()));
    record::write(&record_of(imported), &arguments.output)?;
    print(&text).map_err(Error::Message)?;
    Ok(exit::FINE)
}

/// Returns the record, with only the facts that the tool has written.
fn record_of(imported: Imported) -> Record {
    let mut cases = imported.cases;
    unique(&mut cases);
    Record {
        schema: SCHEMA,
        manifest: Manifest {
            plusminus: format!("{} (imported)", env!("CARGO_PKG_VERSION")),
            bench: imported.source,
            cores: 1,
            // Known to be over: a record without it is one of a measurement that was killed.
            seconds: Some(0.0),
            ..Manifest::default()
        },
        settings: Settings {
            runs: cases.iter().map(runs).max().unwrap_or(1),
            margin: 0.02,
            alpha: 0.05,
            ..Settings::default()
        },
        cases,
        ..Record::default()
    }
}

fn runs(case: &CaseRecord) -> u32 {
    case.measurements.iter().map(|cell| cell.run + 1).max().unwrap_or(0)
}

/// Gives benchmarks of the same name a number, as names are unique in a record.
fn unique(cases: &mut [CaseRecord]) {
    let mut seen = std::collections::BTreeMap::new();
    for case in cases {
        let count = seen.entry(case.name.clone()).or_insert(0_u32);
        *count += 1;
        if *count > 1 {
            case.name = format!("{} #{count}", case.name);
        }
    }
}

fn case(name: &str, work: Vec<(String, f64)>, measurements: Vec<Measurement>) -> CaseRecord {
    CaseRecord {
        name: name.to_owned(),
        function: name.to_owned(),
        role: Role::Contender,
        processors: 1,
        threads: 1,
        instances: vec![InstanceRecord { name: String::new(), work }],
        measurements,
        ..CaseRecord::default()
    }
}

/// Converts samples of one process with different numbers of calls to samples with equal numbers. That number is the
/// largest one. If it gives too few whole nanoseconds, it is a thousand times that.
fn of_one_process(samples: &[(f64, f64)]) -> Option<Measurement> {
    let largest = samples.iter().map(|(calls, _)| *calls).fold(0.0, f64::max);
    let shortest = samples.iter().map(|(calls, ns)| ns / calls).fold(f64::MAX, f64::min);
    let calls = if largest * shortest < 1e6 { largest * 1e3 } else { largest };
    let is_sample = |(calls, ns): &(f64, f64)| *calls >= 1.0 && *ns >= 0.0 && ns.is_finite();
    if samples.is_empty() || !samples.iter().all(is_sample) || calls >= 1e18 {
        return None;
    }
    let wall = |(own, ns): &(f64, f64)| (ns / own * calls.round()).round() as u64;
    Some(Measurement {
        calls: calls.round() as u64,
        windows: 1,
        wall_ns: samples.iter().map(wall).collect(),
        ..Measurement::default()
    })
}

/// The largest file that is read.
const LARGEST: u64 = 256 << 20;

fn json<T: DeserializeOwned>(path: &Path, tool: &str) -> Result<T> {
    let size = fs::metadata(path).map_err(at("read", path))?.len();
    if size > LARGEST {
        return error(format!(
            "{} has more than {LARGEST} bytes: it is no result of {tool}",
            path.display()
        ));
    }
    let text = fs::read(path).map_err(at("read", path))?;
    serde_json::from_slice(&text).map_err(|reason| {
        Error::Message(format!("{} is not what {tool} writes: {reason}", path.display()))
    })
}

#[cfg(test)]
mod tests {
    use super::of_one_process;

    #[test]
    fn samples_keep_the_time_of_a_call() {
        // 5.5 ns each, with 10, 20 and 30 calls.
        let found = of_one_process(&[(10.0, 55.0), (20.0, 110.0), (30.0, 165.0)]).unwrap();
        let calls: Vec<f64> = found.call_ns().collect();
        assert_eq!(calls, [5.5, 5.5, 5.5]);
        for wrong in [vec![], vec![(0.0, 1.0)], vec![(1.0, -1.0)], vec![(1.0, f64::NAN)]] {
            assert!(of_one_process(&wrong).is_none(), "{wrong:?}");
        }
    }
}
