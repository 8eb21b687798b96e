//! True slowdowns of kernels of different kinds, by more of the same data, and the verdicts on them. Verdicts are
//! appended to a file, so that several short sessions make one table.

mod kernels;

use std::{
    collections::BTreeMap,
    fs::{self, OpenOptions},
    io::Write,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use cargo_plusminus::{
    error::{Result, at},
    progress::Progress,
    report::table::plain,
    selftest::{Limits, Trial, TrialResult, VerdictCounts, this_program},
};
use plusminus::text::number::{change, duration, percent};
use serde_json::{Value, json};

use crate::truth::{Condition, Noise};

/// Options of `slowdowns`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The additional work of the slower side, in percent; 0 is identical code.
    #[arg(long, value_delimiter = ',', default_value = "0,2,3,5")]
    percents: Vec<u64>,
    /// Comparisons of all kernels for each of them.
    #[arg(long, default_value_t = 20, value_name = "N")]
    rounds: u64,
    /// Only kernels whose name contains one of these.
    #[arg(long, value_delimiter = ',', value_name = "TEXT")]
    kernels: Vec<String>,
    /// Load during the measurement.
    #[arg(long, value_enum, default_value = "quiet")]
    condition: Condition,
    /// Seconds after which no comparison is begun; the table is of what there is then.
    #[arg(long, default_value_t = 3000, value_name = "SECONDS")]
    max_time: u64,
    /// The seed of every random order.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// A file to which verdicts are appended; the table is of all that it holds for this condition.
    #[arg(long, value_name = "FILE")]
    keep: Option<PathBuf>,
    /// No progress.
    #[arg(long, short)]
    quiet: bool,
}

/// Runs as many comparisons as the time allows, and prints the table.
pub(crate) fn run(arguments: &Arguments) -> Result<i32> {
    let program = this_program()?;
    let end = Instant::now() + Duration::from_secs(arguments.max_time);
    let mut progress = Progress::new(arguments.quiet);
    let noise = match arguments.condition {
        Condition::Noisy => Some(Noise::start(&program)?),
        Condition::Quiet => None,
    };
    let mut verdicts = kept(arguments)?;
    'all: for round in 0..arguments.rounds {
        for &more in &arguments.percents {
            if Instant::now() >= end {
                break 'all;
            }
            let seed = arguments.seed + 1000 * round + more;
            let found = compared(arguments, &program, more, seed, &mut progress)?;
            keep(arguments, &found)?;
            verdicts.extend(found);
        }
    }
    progress.end();
    drop(noise);
    println!("{}", table(&verdicts));
    Ok(plusminus::exit::FINE)
}

/// Compares all kernels with versions that do this percentage more; returns one object for each verdict.
fn compared(
    arguments: &Arguments,
    program: &Path,
    more: u64,
    seed: u64,
    progress: &mut Progress,
) -> Result<Vec<Value>> {
    let wanted = |name: &str| {
        let kernel = name.strip_prefix("slowdowns::kernels::");
        kernel.is_some_and(|kernel| {
            arguments.kernels.is_empty()
                || arguments.kernels.iter().any(|text| kernel.contains(text))
        })
    };
    let work = (100 + more).to_string();
    let trial = Trial::slower(program, (kernels::WORK, &work), more as f64 / 100.0, wanted)?;
    let budget = Duration::from_secs(600);
    let limits = Limits { margin: 0.02, alpha: 0.05, maximum_blocks: None, budget, seed };
    let result = trial.measure(&limits, progress)?;
    Ok(result
        .benchmarks
        .iter()
        .map(|(name, counts)| verdict(&result, name, counts, arguments, more))
        .collect())
}

/// One verdict as it is kept.
fn verdict(
    result: &TrialResult,
    name: &str,
    counts: &VerdictCounts,
    arguments: &Arguments,
    more: u64,
) -> Value {
    let words = [
        (counts.slower, "slower"),
        (counts.faster, "faster"),
        (counts.within_margin, "within_margin"),
        (counts.inconclusive, "inconclusive"),
    ];
    json!({
        "condition": format!("{:?}", arguments.condition),
        "more": more,
        "kernel": name.rsplit("::").next(),
        "verdict": words.iter().find(|(count, _)| *count > 0).map_or("none", |(_, word)| word),
        "in_interval": counts.covered == counts.intervals,
        "unreliable": counts.unreliable > 0,
        "error": counts.errors.first(),
        "blocks": counts.blocks,
        // Shares of one comparison, so that sums over verdicts are right.
        "seconds": result.seconds / result.rows.max(1) as f64,
        "window_seconds": result.window_seconds / result.rows.max(1) as f64,
        "control_alarm": result.control_alarmed,
    })
}

/// Returns the verdicts of earlier sessions in the same condition.
fn kept(arguments: &Arguments) -> Result<Vec<Value>> {
    let Some(path) = arguments.keep.as_deref().filter(|path| path.exists()) else {
        return Ok(Vec::new());
    };
    let text = fs::read_to_string(path).map_err(at("read", path))?;
    let verdicts = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let condition = format!("{:?}", arguments.condition);
    Ok(verdicts.filter(|verdict| verdict["condition"] == condition.as_str()).collect())
}

fn keep(arguments: &Arguments, verdicts: &[Value]) -> Result<()> {
    let Some(path) = arguments.keep.as_deref() else { return Ok(()) };
    let mut file =
        OpenOptions::new().create(true).append(true).open(path).map_err(at("write", path))?;
    let lines: String = verdicts.iter().map(|verdict| format!("{verdict}\n")).collect();
    file.write_all(lines.as_bytes()).map_err(at("write", path))
}

/// A line for each slowdown and kernel, and one for all kernels of each slowdown.
fn table(verdicts: &[Value]) -> String {
    let titles = [
        "true change",
        "kernel",
        "verdicts",
        "slower",
        "within margin",
        "inconclusive",
        "faster",
        "check failed",
        "truth in interval",
        "mean error",
        "largest error",
        "blocks",
        "seconds each",
        "outside windows",
    ];
    let mut groups: BTreeMap<(u64, bool, &str), Vec<&Value>> = BTreeMap::new();
    for verdict in verdicts {
        let more = verdict["more"].as_u64().unwrap_or_default();
        let kernel = verdict["kernel"].as_str().unwrap_or_default();
        groups.entry((more, false, kernel)).or_default().push(verdict);
        groups.entry((more, true, "all")).or_default().push(verdict);
    }
    let lines: Vec<Vec<String>> =
        groups.iter().map(|((more, _, kernel), group)| line(*more, kernel, group)).collect();
    plain(&titles, &lines)
}

fn line(more: u64, kernel: &str, verdicts: &[&Value]) -> Vec<String> {
    let count = |of: &dyn Fn(&Value) -> bool| verdicts.iter().filter(|verdict| of(verdict)).count();
    let word = |word: &str| count(&|verdict| verdict["verdict"] == word).to_string();
    let sum = |key: &str| verdicts.iter().filter_map(|verdict| verdict[key].as_f64()).sum::<f64>();
    let errors: Vec<f64> =
        verdicts.iter().filter_map(|verdict| verdict["error"].as_f64()).collect();
    let number = verdicts.len();
    let largest = errors.iter().copied().max_by(|a, b| a.abs().total_cmp(&b.abs()));
    vec![
        change(more as f64 / 100.0),
        kernel.to_owned(),
        number.to_string(),
        word("slower"),
        word("within_margin"),
        word("inconclusive"),
        word("faster"),
        count(&|verdict| verdict["unreliable"] == true).to_string(),
        format!("{}/{number}", count(&|verdict| verdict["in_interval"] == true)),
        format!("{:+.3}", 100.0 * sum("error") / errors.len().max(1) as f64),
        largest.map_or("–".to_owned(), |error| format!("{:+.3}", 100.0 * error)),
        format!("{:.1}", sum("blocks") / number as f64),
        duration(sum("seconds") / number as f64),
        percent(1.0 - sum("window_seconds") / sum("seconds").max(1e-9)),
    ]
}
