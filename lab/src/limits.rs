//! The largest inputs: 5,000 benchmarks in 15 seconds, 100,000 instances, a million samples. Each line prints the
//! allowance.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    time::{Duration, Instant},
};

use cargo_plusminus::{
    error::{Error, Result, at, error},
    selftest::this_program,
};
use plusminus::{
    exit,
    record::{self, Measurement, Record},
};

use crate::built;

/// The subcommand of `cargo plusminus` that this program also has.
pub(crate) const STUDY: &str = "study";

/// Samples of the large record: cases × runs × instances × samples of each.
const CASES: usize = 100;
const RUNS: u32 = 10;
const INSTANCES: usize = 10;
const SAMPLES: usize = 100;

/// Memory that reading the large record may take.
const MEMORY_BYTES: u64 = 1 << 30;

/// Measures all of them, and prints a line for each. Returns whether all were within what is allowed.
pub(crate) fn run() -> Result<i32> {
    let folder = tempfile::tempdir().map_err(at("write to", &std::env::temp_dir()))?;
    let all =
        [many_cases(folder.path())?, many_instances(folder.path())?, many_samples(folder.path())?];
    Ok(if all.iter().all(|fine| *fine) { exit::FINE } else { exit::FAILED })
}

/// Prints a line; true if the time was within what is allowed.
fn line(what: &str, took: Duration, allowed: u64, more: &str) -> bool {
    let fine = took <= Duration::from_secs(allowed);
    let verdict = if fine { "within" } else { "MISSED:" };
    println!("{what:<44} {:>7.2} s   {verdict} {allowed} s   {more}", took.as_secs_f64());
    fine
}

/// Runs a program to its end; returns what it printed and how long it took.
fn timed(command: &mut Command) -> Result<(Output, Duration)> {
    let program = command.get_program().to_owned();
    let begin = Instant::now();
    let output = command.stdin(Stdio::null()).output().map_err(at("run", Path::new(&program)))?;
    Ok((output, begin.elapsed()))
}

/// The largest record in a folder.
///
/// # Errors
/// That there is none.
fn largest_record(records: &Path) -> Result<PathBuf> {
    let entries = fs::read_dir(records).map_err(at("read", records))?;
    let size = |path: &PathBuf| fs::metadata(path).map_or(0, |meta| meta.len());
    let largest = entries.flatten().map(|entry| entry.path()).max_by_key(size);
    largest.ok_or_else(|| Error::Message(format!("no record in {}", records.display())))
}

fn many_cases(folder: &Path) -> Result<bool> {
    let program = built("limits", "many_cases")?;
    let mut command = Command::new(program);
    command.args(["--bench", "--quiet", "--max-time", "15"]).env("PLUSMINUS_OUTPUT", folder);
    let (output, took) = timed(&mut command)?;
    let record = read(&largest_record(&folder.join("many_cases/records"))?)?;
    let measured = record.cases.iter().filter(|case| !case.measurements.is_empty()).count();
    let text = String::from_utf8_lossy(&output.stdout);
    let named = text.lines().find(|line| line.contains("not measured"));
    let said = named.map_or_else(
        || "what is missing is NOT NAMED".to_owned(),
        |line| line.trim().chars().take(90).collect(),
    );
    let more = format!("{measured} of {} measured; {said}", record.cases.len());
    Ok(line("5,000 benchmarks with --max-time 15", took, 20, &more)
        && (named.is_some() || measured == record.cases.len()))
}

fn many_instances(folder: &Path) -> Result<bool> {
    let program = built("limits", "many_instances")?;
    let (tested, took) = timed(&mut Command::new(&program))?;
    let fine = tested.status.success();
    let first = line("100,000 instances, two variants: --test", took, 10, status(fine));
    let mut command = Command::new(&program);
    let line_of = ["--bench", "--quiet", "--runs", "2", "--samples", "2", "--iterations", "100"];
    command.args(line_of).args(["--warm-up", "0"]).env("PLUSMINUS_OUTPUT", folder);
    let (_, took) = timed(&mut command)?;
    let path = largest_record(&folder.join("many_instances/records"))?;
    let megabytes = fs::metadata(&path).map_err(at("read", &path))?.len() >> 20;
    println!(
        "{:<44} {:>7.2} s   ({megabytes} MB of record)",
        "  their measurement in two runs",
        took.as_secs_f64()
    );
    let mut study = Command::new(this_program()?);
    let (studied, took) = timed(study.arg(STUDY).arg(&path))?;
    let fine = studied.status.success();
    Ok(first & line("  study of their record", took, 5, status(fine)) & fine)
}

fn status(fine: bool) -> &'static str {
    if fine { "fine" } else { "FAILED" }
}

fn many_samples(folder: &Path) -> Result<bool> {
    let path = folder.join("samples.json");
    let samples = large_record(&path)?;
    let (output, _) = timed(Command::new(this_program()?).arg("load").arg(&path))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let numbers: Vec<f64> = text.split_whitespace().flat_map(str::parse).collect();
    let [seconds, bytes] = numbers[..] else {
        return error(format!(
            "the record is not read: {}",
            String::from_utf8_lossy(&output.stderr)
        ));
    };
    let megabytes = fs::metadata(&path).map_err(at("read", &path))?.len() >> 20;
    let more = format!(
        "{samples} samples, {megabytes} MB of record; {:.0} MB of memory, {} 1024 MB",
        bytes / f64::from(1 << 20),
        if bytes <= MEMORY_BYTES as f64 { "within" } else { "MISSED:" }
    );
    let took = Duration::from_secs_f64(seconds);
    Ok(line("reading a record of a million samples", took, 3, &more)
        & (bytes <= MEMORY_BYTES as f64))
}

/// Writes a record with a million samples, of whatever else the smallest real one has. Returns how many it has.
fn large_record(path: &Path) -> Result<usize> {
    let small = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/records/schema-1.json");
    let mut record = read(Path::new(small))?;
    record.order.clear();
    let mut model = record.cases[0].clone();
    model.instances.truncate(1);
    model.instances = vec![model.instances[0].clone(); INSTANCES];
    for (index, instance) in model.instances.iter_mut().enumerate() {
        instance.name = format!("instance-{index}");
    }
    let first = Measurement { worker: None, ..model.measurements[0].clone() };
    let one = |run: u32, instance: usize| {
        let ns = |sample: usize| 1_000_000 + (7919 * sample as u64 + u64::from(run)) % 1000;
        Measurement {
            run,
            instance,
            wall_ns: (0..SAMPLES).map(ns).collect(),
            cpu_ns: (0..SAMPLES).map(ns).collect(),
            switches: vec![0; SAMPLES],
            metrics: Vec::new(),
            ..first.clone()
        }
    };
    model.metrics.clear();
    model.failures.clear();
    model.tallies.clear();
    model.measurements = (0..RUNS)
        .flat_map(|run| (0..INSTANCES).map(move |index| (run, index)))
        .map(|(run, index)| one(run, index))
        .collect();
    record.cases = (0..CASES)
        .map(|index| {
            let mut case = model.clone();
            case.name = format!("case-{index}");
            case.point = format!("point-{index}");
            case
        })
        .collect();
    record::write(&record, path).map_err(|error| Error::Message(error.to_string()))?;
    Ok(record.cases.iter().flat_map(|case| &case.measurements).map(|one| one.wall_ns.len()).sum())
}

fn read(path: &Path) -> Result<Record> {
    record::read(path).map_err(|error| Error::Message(error.to_string()))
}

/// Reads a record, and prints the seconds that it took and the most memory that this process has had.
pub(crate) fn load(path: &Path) -> Result<i32> {
    let begin = Instant::now();
    let record = read(path)?;
    let seconds = begin.elapsed().as_secs_f64();
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let peak = peak.and_then(|text| text.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok());
    let Some(kilobytes) = peak else {
        return error("this system does not say how much memory was used");
    };
    println!("{seconds} {}", kilobytes * 1024);
    drop(record);
    Ok(exit::FINE)
}
