//! Time and memory that ten million samples take: `cargo run --release -p plusminus-analysis --example large`.
//!
//! Prints one line per function; memory is the peak of the process so far, of which the samples are 80 MB per
//! side. Another number of samples may be given as argument.

use std::time::Instant;

use plusminus_analysis::random::Random;
use plusminus_analysis::speedup::{Kind, unpaired};
use plusminus_analysis::summary::{quantile, summarize};
use plusminus_analysis::verdict::ConfidenceSequence;

fn main() {
    let n: usize = match std::env::args().nth(1).map(|a| a.parse()) {
        None => 10_000_000,
        Some(Ok(n)) if n >= 3 => n,
        Some(_) => {
            eprintln!("usage: large [SAMPLES], at least 3");
            std::process::exit(2);
        }
    };
    let mut random = Random::new(101);
    let mut draw =
        |mean: f64| -> Vec<f64> { (0..n).map(|_| mean * (0.05 * random.normal()).exp()).collect() };
    let (base, new) = (draw(2.0), draw(1.0));
    report("samples drawn", Instant::now());
    let start = Instant::now();
    let summary = summarize(&base).expect("samples are finite");
    report(&format!("summarize: mean {:.6}", summary.mean), start);
    let start = Instant::now();
    let p99 = quantile(&base, 0.99).expect("samples are finite");
    report(&format!("quantile: p99 {p99:.6}"), start);
    let start = Instant::now();
    let s = unpaired(&base, &new, Kind::BetweenVariants).expect("samples are positive");
    report(&format!("unpaired: S {:.6}", s.speedup), start);
    let start = Instant::now();
    let mut sequence = ConfidenceSequence::new(0.05).expect("a probability");
    for (a, b) in base.iter().zip(&new) {
        sequence.push((b / a).ln()).expect("finite");
    }
    report(&format!("ConfidenceSequence: p {:.1e}", sequence.p_value()), start);
}

fn report(what: &str, start: Instant) {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|l| l.strip_prefix("VmHWM:")).map_or("unknown", str::trim);
    println!("{:8.3} s  peak {peak:>12}  {what}", start.elapsed().as_secs_f64());
}
