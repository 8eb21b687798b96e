//! Prints how plusminus compares with a loop written by hand, and with its peers.
//!
//! `cargo run --release -p plusminus-peers -- accuracy [ROUNDS]` prints the accuracy on tiny kernels.
//! `cargo run --release -p plusminus-peers -- placement [TIMES]` prints what it is worth to keep workers on one processor.
//! `cargo run --release -p plusminus-peers -- beside [OURS [CRITERION [DIVAN]]]` repeats the ten kernels so often under
//! each harness, and prints what each took, and how often the 95 % intervals of two repetitions exclude each other.

use std::{
    collections::BTreeMap,
    env,
    error::Error,
    path::{Path, PathBuf},
    process::{Command, ExitCode, Stdio},
    time::Instant,
};

use plusminus::{
    __runner::Placement,
    analysis::{Interval, summary},
    record::{self, Record},
    results,
};
use plusminus_peers::tiny;

type Outcome<T> = Result<T, Box<dyn Error>>;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let number = |index: usize, default: usize| {
        arguments.get(index).and_then(|text| text.parse().ok()).unwrap_or(default)
    };
    let outcome = match arguments.first().map(String::as_str) {
        Some("by-hand") => by_hand(arguments.get(1).map_or("", String::as_str)),
        Some("accuracy") => accuracy(number(1, 10)),
        Some("beside") => beside(number(1, 10), number(2, 1), number(3, 1)),
        Some("placement") => placement(number(1, 10)),
        _ => Err(
            "say `placement [TIMES]`, `accuracy [ROUNDS]` or `beside [OURS [CRITERION [DIVAN]]]`"
                .into(),
        ),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("peers: {error}");
            ExitCode::from(2)
        }
    }
}

/// In a fresh process: one kernel under the loop written by hand.
fn by_hand(name: &str) -> Outcome<()> {
    let ns =
        tiny::by_hand(name).ok_or("there is no such kernel, or no counter on this processor")?;
    println!("{ns}");
    Ok(())
}

/// Builds a bench target, and answers where the program is.
fn built(bench: &str) -> Outcome<PathBuf> {
    let output = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["bench", "-p", "plusminus-peers", "--no-run", "--message-format=json", "--bench"])
        .arg(bench)
        .stderr(Stdio::inherit())
        .output()?;
    let text = String::from_utf8(output.stdout)?;
    let mut found = text.lines().filter_map(|line| {
        let message: serde_json::Value = serde_json::from_str(line).ok()?;
        let is_it = message["target"]["name"] == bench;
        message["executable"].as_str().filter(|_| is_it).map(PathBuf::from)
    });
    found.next_back().ok_or_else(|| format!("cargo did not build the bench target {bench}").into())
}

/// Runs a program of ours and reads the record that it leaves.
fn ours(binary: &Path, output: &Path, arguments: &[&str]) -> Outcome<Record> {
    let folder = output.join(binary.file_stem().ok_or("a program has a name")?);
    let _ = std::fs::remove_dir_all(output);
    let done = Command::new(binary)
        .arg("--bench")
        .args(arguments)
        .env("PLUSMINUS_OUTPUT", output)
        .stdout(Stdio::null())
        .status()?;
    if !done.success() {
        return Err(format!("{} ended with {done}", folder.display()).into());
    }
    let records = std::fs::read_dir(output)?
        .flatten()
        .flat_map(|bench| std::fs::read_dir(bench.path().join("records")))
        .flatten()
        .flatten();
    let path = records.last().ok_or("no record was written")?.path();
    Ok(record::read(&path)?)
}

fn output_folder(name: &str) -> PathBuf {
    env::temp_dir().join(format!("plusminus-peers-{}-{name}", std::process::id()))
}

/// Rounds of fresh processes, alternately under the loop written by hand and under plusminus.
fn accuracy(rounds: usize) -> Outcome<()> {
    let binary = built("tiny")?;
    let this = env::current_exe()?;
    let output = output_folder("accuracy");
    let mut by_hand: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    let mut by_us: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    let (mut loops, mut protocol) = (Vec::new(), Vec::new());
    for _ in 0..rounds.max(2) {
        // Both on one processor, which is the same for both.
        let _placement = Placement::here();
        for name in tiny::NAMES {
            let printed = Command::new(&this).args(["by-hand", name]).output()?;
            by_hand
                .entry(name)
                .or_default()
                .push(String::from_utf8(printed.stdout)?.trim().parse()?);
        }
        let record = ours(&binary, &output, &["--runs", "1"])?;
        for name in tiny::NAMES {
            let case = record.cases.iter().find(|case| case.name == name).ok_or("it is there")?;
            let runs = record.complete_runs(case);
            let (_, cells) = runs.first().ok_or("it was measured")?;
            by_us.entry(name).or_default().push(cells[0].call_ns);
        }
        loops.extend(record.workers.iter().filter_map(|worker| Some(worker.clock?.loop_ns)));
        let per_sample = |worker: &record::WorkerRecord| {
            worker.protocol_ns as f64 / worker.samples.max(1) as f64 / 1000.0
        };
        protocol.extend(record.workers.iter().map(per_sample));
    }
    let _ = std::fs::remove_dir_all(&output);
    println!("ns a call, means of {} processes ± standard uncertainty", rounds.max(2));
    println!(
        "{:<9} {:>18} {:>18} {:>18} {:>8}  within",
        "kernel", "by hand", "plusminus", "difference", "%"
    );
    for name in tiny::NAMES {
        let (hand, us) = (summary::summarize(&by_hand[name])?, summary::summarize(&by_us[name])?);
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
    println!("loop around an empty kernel: {:.4} ns", summary::quantile(&loops, 0.5)?);
    println!(
        "protocol, outside of every window: {:.2} µs a sample (median of {} workers)",
        summary::quantile(&protocol, 0.5)?,
        protocol.len()
    );
    Ok(())
}

/// What one repetition of a harness has said: an interval for each kernel.
type Said = BTreeMap<String, Interval>;

/// The ten kernels under each harness.
fn beside(ours_times: usize, criterion_times: usize, divan_times: usize) -> Outcome<()> {
    let binary = built("ours")?;
    let output = output_folder("beside");
    let (mut seconds, mut said) = (Vec::new(), Vec::new());
    for _ in 0..ours_times {
        let begin = Instant::now();
        let record = ours(&binary, &output, &[])?;
        seconds.push(begin.elapsed().as_secs_f64());
        said.push(intervals(&record));
    }
    let _ = std::fs::remove_dir_all(&output);
    print("plusminus", &seconds, &said);
    if divan_times > 0 {
        let binary = built("by_divan")?;
        let seconds: Outcome<Vec<f64>> =
            (0..divan_times).map(|_| timed(Command::new(&binary).arg("--bench"))).collect();
        print("divan", &seconds?, &[]);
    }
    if criterion_times > 0 {
        let binary = built("by_criterion")?;
        let home = output_folder("criterion");
        let (mut seconds, mut said) = (Vec::new(), Vec::new());
        for _ in 0..criterion_times {
            seconds.push(timed(Command::new(&binary).arg("--bench").env("CRITERION_HOME", &home))?);
            said.push(estimates(&home)?);
        }
        let _ = std::fs::remove_dir_all(&home);
        print("criterion", &seconds, &said);
    }
    Ok(())
}

/// The ten kernels again and again, in turns with workers on the processor of the runner and on any.
fn placement(times: usize) -> Outcome<()> {
    let binary = built("ours")?;
    let output = output_folder("placement");
    let kinds: [(&str, &[&str]); 2] =
        [("on the runner's processor", &[]), ("on any", &["--any-processor"])];
    let mut found = [(); 2].map(|()| (Vec::new(), Vec::new()));
    for _ in 0..times {
        for ((_, arguments), (seconds, said)) in kinds.iter().zip(&mut found) {
            let begin = Instant::now();
            let record = ours(&binary, &output, arguments)?;
            seconds.push(begin.elapsed().as_secs_f64());
            said.push(intervals(&record));
        }
    }
    let _ = std::fs::remove_dir_all(&output);
    for ((name, _), (seconds, said)) in kinds.iter().zip(&found) {
        print(name, seconds, said);
    }
    Ok(())
}

/// Runs a command without its output, and answers the seconds that it took.
fn timed(command: &mut Command) -> Outcome<f64> {
    let begin = Instant::now();
    let done = command.stdout(Stdio::null()).stderr(Stdio::null()).status()?;
    let seconds = begin.elapsed().as_secs_f64();
    if done.success() { Ok(seconds) } else { Err(format!("{command:?} ended with {done}").into()) }
}

/// The 95 % intervals of times in a record of ours.
fn intervals(record: &Record) -> Said {
    let tables = results::tables(record);
    let rows = tables.iter().flat_map(|table| &table.rows);
    rows.filter_map(|row| Some((row.case.name.clone(), row.time.as_ref()?.interval()?))).collect()
}

/// The 95 % intervals of means that criterion has left.
fn estimates(home: &Path) -> Outcome<Said> {
    let mut said = Said::new();
    for kernel in std::fs::read_dir(home)?.flatten() {
        let Ok(text) = std::fs::read_to_string(kernel.path().join("new/estimates.json")) else {
            continue;
        };
        let all: serde_json::Value = serde_json::from_str(&text)?;
        let ends = &all["mean"]["confidence_interval"];
        let end = |name: &str| ends[name].as_f64().ok_or("an estimate has two ends");
        let interval = Interval { low: end("lower_bound")?, high: end("upper_bound")? };
        said.insert(kernel.file_name().to_string_lossy().into_owned(), interval);
    }
    Ok(said)
}

/// Prints what a harness took, and how often its intervals contradict each other.
fn print(harness: &str, seconds: &[f64], said: &[Said]) {
    let mean = seconds.iter().sum::<f64>() / seconds.len().max(1) as f64;
    println!("{harness}: {mean:.2} s for the ten kernels, mean of {}", seconds.len());
    if said.len() < 2 {
        return;
    }
    let mut names: Vec<&String> = said.iter().flat_map(BTreeMap::keys).collect();
    names.sort();
    names.dedup();
    println!(
        "  {:<14} {:>12} {:>12}  intervals that exclude each other",
        "kernel", "typical ns", "half width"
    );
    let (mut all_pairs, mut all_disjoint) = (0, 0);
    for name in names {
        let found: Vec<&Interval> = said.iter().filter_map(|said| said.get(name)).collect();
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
