//! Speedups of `--quick` and of a full measurement, on the kernels of this program. Ten of them sort, search and
//! parse, and their speed depends on how well their branches are predicted.

use std::fs;

use cargo_plusminus::error::{Result, error};
use plusminus::{
    analysis::{Confidence, Interval, speedup::Kind},
    exit,
    record::Record,
    results::{self, Pairing, Time},
};

use crate::peers::{measured, output_folder};

/// Kernels that fit into a few milliseconds.
const KERNELS: [&str; 6] = [
    "selftest::",
    "slowdowns::kernels",
    "tiny::",
    "--skip=chase64m",
    "--skip=parsum1m",
    "--skip=empty",
];

/// Options of `glances`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Invocations of each kind, in turns.
    #[arg(default_value_t = 4)]
    rounds: usize,
}

/// S of a kernel over the one before it, with its 95 % interval.
struct Ratio {
    kernel: String,
    speedup: f64,
    interval: Interval,
}

/// Measures both ways in turns, and prints how well they agree.
pub(crate) fn run(arguments: &Arguments) -> Result<i32> {
    let output = output_folder("glances");
    let (mut seconds, mut worst, mut counts) = (0.0, (0.0, String::new()), [0_usize; 3]);
    for _ in 0..arguments.rounds {
        let (record, spent) = measured(&output, &[&KERNELS[..], &["--quick"]].concat())?;
        seconds += spent / arguments.rounds as f64;
        let quick = ratios(&record, Pairing::Paired);
        let (record, _) = measured(&output, &KERNELS)?;
        let usual = ratios(&record, Pairing::Apart);
        if quick.is_empty() || quick.len() != usual.len() {
            return error("not every kernel has a time".to_owned());
        }
        for (quick, usual) in quick.iter().zip(&usual) {
            let off = (quick.speedup / usual.speedup).ln().abs();
            if off > worst.0 {
                worst = (off, quick.kernel.clone());
            }
            let meet = quick.interval.low <= usual.interval.high
                && usual.interval.low <= quick.interval.high;
            counts[0] += 1;
            counts[1] += usize::from(quick.interval.contains(usual.speedup));
            counts[2] += usize::from(meet);
        }
    }
    let _ = fs::remove_dir_all(&output);
    let [all, inside, meet] = counts;
    println!(
        "--quick: {seconds:.2} s, mean of {}, for {} ratios",
        arguments.rounds,
        all / arguments.rounds.max(1)
    );
    println!("S of a measurement inside the interval of --quick: {inside} of {all}");
    println!("intervals that meet: {meet} of {all}");
    println!("farthest: {:.1} % ({})", 100.0 * worst.0.exp_m1(), worst.1);
    Ok(exit::FINE)
}

/// The ratio of each kernel to the one before it.
fn ratios(record: &Record, pairing: Pairing) -> Vec<Ratio> {
    let tables = results::tables(record);
    let rows = tables.iter().flat_map(|table| &table.rows);
    let times: Vec<(&str, &Time)> =
        rows.filter_map(|row| Some((row.case.name.as_str(), row.time.as_ref()?))).collect();
    let ratio = |pair: &[(&str, &Time)]| {
        let found = pair[1].1.speedup_over(pair[0].1, Kind::BetweenVariants, pairing)?;
        let interval = found.log_interval(Confidence::P95)?;
        Some(Ratio { kernel: pair[1].0.to_owned(), speedup: found.speedup, interval })
    };
    times.windows(2).filter_map(ratio).collect()
}
