//! Times next to a loop by hand, and the same eleven kernels under plusminus, divan and criterion.

use std::{
    collections::BTreeMap,
    env, fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Instant,
};

use cargo_plusminus::{
    error::{Error, Result, at, error},
    selftest::{KERNELS, this_program},
};
use plusminus::{
    analysis::{Interval, summary},
    exit,
    record::{self, Record},
    results,
    system::{Placement, interrupt},
};

use crate::{built, tiny};

/// Comparisons with others.
#[derive(Debug, clap::Subcommand)]
pub(crate) enum Task {
    /// Compare tiny kernels with a loop by hand.
    Accuracy {
        /// Pairs of fresh processes.
        #[arg(default_value_t = 10, value_parser = clap::value_parser!(u32).range(2..))]
        rounds: u32,
    },
    /// Compare intervals and times of repeated invocations with divan and criterion.
    Beside {
        /// Invocations of plusminus.
        #[arg(default_value_t = 10)]
        plusminus: usize,
        /// Invocations of criterion.
        #[arg(default_value_t = 1)]
        criterion: usize,
        /// Invocations of divan.
        #[arg(default_value_t = 1)]
        divan: usize,
        /// Measure with plusminus in quick mode, `--quick`.
        #[arg(long)]
        quick: bool,
        /// Leave a kernel out, under plusminus and divan; criterion has no way to.
        #[arg(long)]
        skip: Option<String>,
    },
    /// The same intervals with workers on the runner's processor, and on any.
    Placement {
        /// Invocations of each kind.
        #[arg(default_value_t = 10)]
        times: usize,
    },
}

/// Runs one of them.
pub(crate) fn run(task: &Task) -> Result<i32> {
    match task {
        Task::Accuracy { rounds } => accuracy(*rounds),
        Task::Beside { plusminus, criterion, divan, quick, skip } => {
            beside((*plusminus, *criterion, *divan), *quick, skip.as_deref())
        }
        Task::Placement { times } => placement(*times),
    }
}

/// Times one kernel by hand in this fresh process.
pub(crate) fn by_hand(name: &str) -> Result<i32> {
    match tiny::by_hand(name) {
        Some(ns) => println!("{ns}"),
        None => return error(format!("no kernel {name}, or no counter on this processor")),
    }
    Ok(exit::FINE)
}

/// The module of the tiny ones.
const TINY: &str = "tiny::";

/// An error of another library, in its words.
fn other(error: impl std::fmt::Display) -> Error {
    Error::Message(error.to_string())
}

/// Measures benchmarks of this program; returns the record and the seconds that it took.
pub(crate) fn measured(output: &Path, arguments: &[&str]) -> Result<(Record, f64)> {
    let _ = fs::remove_dir_all(output);
    let mut command = Command::new(this_program()?);
    command.arg("--bench").args(arguments).env("PLUSMINUS_OUTPUT", output);
    let seconds = timed(&mut command)?;
    let benches = fs::read_dir(output).map_err(at("read", output))?.flatten();
    let records = benches.flat_map(|bench| fs::read_dir(bench.path().join("records")));
    match records.flatten().flatten().last() {
        Some(file) => Ok((record::read(&file.path()).map_err(other)?, seconds)),
        None => error(format!("no record was written to {}", output.display())),
    }
}

pub(crate) fn output_folder(name: &str) -> PathBuf {
    env::temp_dir().join(format!("plusminus-peers-{}-{name}", std::process::id()))
}

/// Compares tiny kernels in fresh processes, alternately under the loop by hand and under plusminus.
fn accuracy(rounds: u32) -> Result<i32> {
    let this = this_program()?;
    let output = output_folder("accuracy");
    let mut by_hand: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    let mut by_us: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    let (mut loops, mut protocol) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        // Both on one processor, which is the same for both.
        let _placement = Placement::here();
        for name in tiny::NAMES {
            let printed = Command::new(&this).args(["by-hand", name]).output();
            let printed = printed.map_err(at("run", &this))?;
            let text = String::from_utf8_lossy(&printed.stdout);
            let Ok(ns) = text.trim().parse() else {
                return error(String::from_utf8_lossy(&printed.stderr).trim());
            };
            by_hand.entry(name).or_default().push(ns);
        }
        let (record, _) = measured(&output, &["--runs", "1", TINY])?;
        for name in tiny::NAMES {
            let case = record.cases.iter().find(|case| case.name.strip_prefix(TINY) == Some(name));
            let runs = case.map(|case| record.complete_runs(case)).unwrap_or_default();
            let Some((_, cells)) = runs.first() else {
                return error(format!("{name} was not measured"));
            };
            by_us.entry(name).or_default().push(cells[0].call_ns);
        }
        loops.extend(record.workers.iter().filter_map(|worker| Some(worker.clock?.loop_ns)));
        let per_sample = |worker: &record::WorkerRecord| {
            worker.protocol_ns as f64 / worker.samples.max(1) as f64 / 1000.0
        };
        protocol.extend(record.workers.iter().map(per_sample));
    }
    let _ = fs::remove_dir_all(&output);
    println!("ns a call, means of {} processes ± standard uncertainty", rounds);
    println!(
        "{:<9} {:>18} {:>18} {:>18} {:>8}  within",
        "kernel", "by hand", "plusminus", "difference", "%"
    );
    for name in tiny::NAMES {
        let hand = summary::summarize(&by_hand[name]).map_err(other)?;
        let us = summary::summarize(&by_us[name]).map_err(other)?;
        let difference = us.mean - hand.mean;
        let u = hand.u.unwrap_or(0.0).hypot(us.u.unwrap_or(0.0));
        let percent = 100.0 * difference / hand.mean;
        let sigmas = difference.abs() / u;
        let verdict = match (sigmas, percent.abs()) {
            (sigmas, _) if sigmas <= 2.0 => format!("{sigmas:.1} σ"),
            (_, percent) if percent <= 2.0 => "2 %".to_owned(),
            (sigmas, _) => format!("neither 2 σ ({sigmas:.1}) nor 2 %"),
        };
        let cell = |mean: f64, u: f64| format!("{mean:.4} ± {u:.4}");
        println!(
            "{name:<9} {:>18} {:>18} {:>18} {percent:>8.2}  {verdict}",
            cell(hand.mean, hand.u.unwrap_or(0.0)),
            cell(us.mean, us.u.unwrap_or(0.0)),
            cell(difference, u),
        );
    }
    let median = |values: &[f64]| summary::quantile(values, 0.5).map_err(other);
    println!("loop around an empty kernel: {:.4} ns", median(&loops)?);
    println!(
        "protocol, outside of every window: {:.2} µs a sample (median of {} workers)",
        median(&protocol)?,
        protocol.len()
    );
    Ok(exit::FINE)
}

/// Intervals that one invocation of a harness printed, by kernel.
type Intervals = BTreeMap<String, Interval>;

/// Measures the kernels under each harness.
fn beside(
    (ours_times, criterion_times, divan_times): (usize, usize, usize),
    quick: bool,
    skip: Option<&str>,
) -> Result<i32> {
    let left_out: Vec<&str> = skip.iter().flat_map(|kernel| ["--skip", kernel]).collect();
    let glance: &[&str] = if quick { &["--quick"] } else { &[] };
    let arguments = [&[KERNELS], glance, &left_out].concat();
    let output = output_folder("beside");
    let (mut seconds, mut found) = (Vec::new(), Vec::new());
    for _ in 0..ours_times {
        let (record, spent) = measured(&output, &arguments)?;
        seconds.push(spent);
        found.push(intervals(&record));
    }
    let _ = fs::remove_dir_all(&output);
    print(if quick { "plusminus --quick" } else { "plusminus" }, &seconds, &found);
    if divan_times > 0 {
        let binary = built("peers", "by_divan")?;
        let once = |_| timed(Command::new(&binary).arg("--bench").args(&left_out));
        let seconds: Result<Vec<f64>> = (0..divan_times).map(once).collect();
        print("divan", &seconds?, &[]);
    }
    if criterion_times > 0 {
        let binary = built("peers", "by_criterion")?;
        let home = output_folder("criterion");
        let (mut seconds, mut found) = (Vec::new(), Vec::new());
        for _ in 0..criterion_times {
            seconds.push(timed(Command::new(&binary).arg("--bench").env("CRITERION_HOME", &home))?);
            found.push(estimates(&home)?);
        }
        let _ = fs::remove_dir_all(&home);
        print("criterion", &seconds, &found);
    }
    Ok(exit::FINE)
}

/// Measures the kernels again and again, in turns with workers on the processor of the runner and on any.
fn placement(times: usize) -> Result<i32> {
    let output = output_folder("placement");
    let kinds: [(&str, &[&str]); 2] =
        [("on the runner's processor", &[KERNELS]), ("on any", &[KERNELS, "--any-processor"])];
    let mut found = [(); 2].map(|()| (Vec::new(), Vec::new()));
    for _ in 0..times {
        for ((_, arguments), (seconds, found)) in kinds.iter().zip(&mut found) {
            let (record, spent) = measured(&output, arguments)?;
            seconds.push(spent);
            found.push(intervals(&record));
        }
    }
    let _ = fs::remove_dir_all(&output);
    for ((name, _), (seconds, found)) in kinds.iter().zip(&found) {
        print(name, seconds, found);
    }
    Ok(exit::FINE)
}

/// Runs a command without its output; returns the seconds that it took.
fn timed(command: &mut Command) -> Result<f64> {
    let begin = Instant::now();
    let program = PathBuf::from(command.get_program());
    let done = command.stdout(Stdio::null()).status().map_err(at("run", &program))?;
    let seconds = begin.elapsed().as_secs_f64();
    match interrupt() {
        Some(signal) => Err(Error::Interrupted(signal)),
        None if done.success() => Ok(seconds),
        None => error(format!("{} ended with {done}", program.display())),
    }
}

/// The 95 % intervals of times in a record of ours.
fn intervals(record: &Record) -> Intervals {
    let tables = results::tables(record);
    let rows = tables.iter().flat_map(|table| &table.rows);
    rows.filter_map(|row| {
        let name = row.case.name.strip_prefix(KERNELS)?.to_owned();
        Some((name, row.time.as_ref()?.interval()?))
    })
    .collect()
}

/// The 95 % intervals of means in the files of criterion.
fn estimates(home: &Path) -> Result<Intervals> {
    let mut found = Intervals::new();
    for kernel in fs::read_dir(home).map_err(at("read", home))?.flatten() {
        let path = kernel.path().join("new/estimates.json");
        let Ok(text) = fs::read_to_string(&path) else { continue };
        let all: serde_json::Value = serde_json::from_str(&text).map_err(other)?;
        let ends = &all["mean"]["confidence_interval"];
        let (Some(low), Some(high)) = (ends["lower_bound"].as_f64(), ends["upper_bound"].as_f64())
        else {
            return error(format!("{}: no interval of the mean", path.display()));
        };
        found.insert(kernel.file_name().to_string_lossy().into_owned(), Interval { low, high });
    }
    Ok(found)
}

/// Prints the mean time of an invocation, and how often intervals of two invocations exclude each other.
fn print(harness: &str, seconds: &[f64], invocations: &[Intervals]) {
    let mean = seconds.iter().sum::<f64>() / seconds.len().max(1) as f64;
    println!("{harness}: {mean:.2} s for all kernels, mean of {}", seconds.len());
    if invocations.len() < 2 {
        return;
    }
    let mut names: Vec<&String> = invocations.iter().flat_map(BTreeMap::keys).collect();
    names.sort();
    names.dedup();
    println!(
        "  {:<14} {:>12} {:>12}  intervals that exclude each other",
        "kernel", "typical ns", "half width"
    );
    let (mut all_pairs, mut all_disjoint) = (0, 0);
    for name in names {
        let found: Vec<&Interval> =
            invocations.iter().filter_map(|intervals| intervals.get(name)).collect();
        let (mut pairs, mut disjoint) = (0, 0);
        for (index, one) in found.iter().enumerate() {
            for other in &found[index + 1..] {
                pairs += 1;
                disjoint += usize::from(one.high < other.low || other.high < one.low);
            }
        }
        let middle = |interval: &&Interval| (interval.low + interval.high) / 2.0;
        let typical = found.iter().map(middle).sum::<f64>() / found.len() as f64;
        let half =
            found.iter().map(|interval| interval.width() / 2.0).sum::<f64>() / found.len() as f64;
        println!(
            "  {name:<14} {typical:>12.2} {:>10.2} %  {disjoint} of {pairs}",
            100.0 * half / typical
        );
        all_pairs += pairs;
        all_disjoint += disjoint;
    }
    let share = 100.0 * all_disjoint as f64 / all_pairs.max(1) as f64;
    println!("  all: {all_disjoint} of {all_pairs} pairs exclude each other ({share:.1} %)");
}
