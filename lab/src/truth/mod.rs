//! Verdicts and known truths, quiet and next to a noise generator, with criterion's saved baselines on the same
//! kernels. Runs unattended within a time budget, and prints every cell.

pub(crate) mod criterion;
mod noise;
mod tables;

use std::{
    env,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use cargo_plusminus::{
    error::{Result, at},
    progress::Progress,
    selftest::{Limits, Trial, VerdictCounts, this_program},
};
pub(crate) use noise::{Noise, NoiseArguments, make_noise};
use plusminus::system::load_average;

/// Slowdowns that are injected, in percent by number of instructions.
const SLOWDOWNS: [u64; 5] = [1, 2, 3, 5, 10];

/// Options of `truth`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Seconds to spend in all.
    #[arg(long, default_value_t = 3000, value_name = "SECONDS")]
    max_time: u64,
    /// Verdicts on identical code in each condition.
    #[arg(long, default_value_t = 100, value_name = "N")]
    verdicts: usize,
    /// Verdicts on each true slowdown in each condition.
    #[arg(long, default_value_t = 20, value_name = "N")]
    repeats: usize,
    /// Passes of criterion over all kernels in each condition; 0 leaves criterion out.
    #[arg(long, default_value_t = 4, value_name = "N")]
    criterion_passes: usize,
    /// A bench program under criterion, instead of building that of lab/peers.
    #[arg(long, value_name = "PROGRAM")]
    criterion: Option<PathBuf>,
    /// A bench program under plusminus whose benchmarks are measured against a copy of it, instead of our own.
    #[arg(long, value_name = "PROGRAM")]
    binary: Option<PathBuf>,
    /// Only this condition.
    #[arg(long, value_enum)]
    condition: Option<Condition>,
    /// The seed of every random order.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// No progress.
    #[arg(long, short)]
    quiet: bool,
}

/// Load during the measurement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Condition {
    /// Nothing that we start.
    Quiet,
    /// A bursty neighbor on every processor.
    Noisy,
}

/// Verdicts on true slowdowns, at one margin.
#[derive(Debug)]
struct Power {
    margin_percent: u32,
    maximum_blocks: u32,
    slowdowns: Vec<Slowdown>,
}

/// Verdicts on one true slowdown, and their wall time.
#[derive(Debug)]
struct Slowdown {
    percent: u64,
    verdicts: VerdictCounts,
    seconds: f64,
}

/// Results of one condition.
#[derive(Debug, Default)]
struct Findings {
    load: (Option<f64>, Option<f64>),
    /// By kernel.
    identical: Vec<(String, VerdictCounts)>,
    /// Comparisons of the whole suite, their wall time, and how much of it was spent in windows.
    suites: usize,
    suite_verdicts: usize,
    suite_seconds: f64,
    window_seconds: f64,
    pilot_seconds: f64,
    control_alarms: usize,
    /// By margin.
    power: Vec<Power>,
    criterion: criterion::Findings,
}

/// Runs everything.
pub(crate) fn run(arguments: &Arguments) -> Result<i32> {
    let program = this_program()?;
    let copies = tempfile::tempdir().map_err(at("write to", &env::temp_dir()))?;
    let criterion = match (arguments.criterion_passes, &arguments.criterion) {
        (0, _) => None,
        (_, Some(program)) => Some(program.clone()),
        (_, None) => Some(crate::built("peers", "by_criterion")?),
    };
    let conditions = match arguments.condition {
        Some(one) => vec![one],
        None => vec![Condition::Quiet, Condition::Noisy],
    };
    let each = Duration::from_secs(arguments.max_time) / conditions.len() as u32;
    let mut progress = Progress::new(arguments.quiet);
    println!("{}", tables::heading());
    for condition in conditions {
        let noise = match condition {
            Condition::Noisy => Some(noise::Noise::start(&program)?),
            Condition::Quiet => None,
        };
        let bench = Bench {
            arguments,
            program: &program,
            copies: copies.path(),
            criterion: criterion.as_deref(),
        };
        let findings = bench.condition(each, &mut progress);
        progress.end();
        // The noise has ended before anything is printed, and also if something went wrong.
        drop(noise);
        // Cells are printed as soon as they are known: an interrupted night has shown something.
        println!("{}", tables::of_condition(condition, &findings?));
    }
    Ok(plusminus::exit::FINE)
}

struct Bench<'a> {
    arguments: &'a Arguments,
    program: &'a Path,
    copies: &'a Path,
    criterion: Option<&'a Path>,
}

impl Bench<'_> {
    /// A third of the time for identical code, a third for the power, a third for criterion (if there is one).
    fn condition(&self, budget: Duration, progress: &mut Progress) -> Result<Findings> {
        let mut findings = Findings { load: (load_average(), None), ..Findings::default() };
        let shares = if self.criterion.is_some() { 3 } else { 2 };
        let begin = Instant::now();
        self.identical(begin + budget / shares, &mut findings, progress)?;
        self.power(begin + budget / shares * 2, &mut findings, progress)?;
        if let Some(program) = self.criterion {
            let wanted = criterion::Wanted {
                passes: self.arguments.criterion_passes,
                repeats: self.arguments.repeats.div_ceil(5),
                slowdowns: &SLOWDOWNS,
            };
            findings.criterion = criterion::measure(program, &wanted, begin + budget, progress)?;
        }
        findings.load.1 = load_average();
        Ok(findings)
    }

    fn limits(&self, margin: f64, maximum_blocks: u32, seed: u64, until: Instant) -> Limits {
        Limits {
            margin,
            alpha: 0.05,
            maximum_blocks: Some(maximum_blocks),
            budget: until.saturating_duration_since(Instant::now()),
            seed: self.arguments.seed + seed,
        }
    }

    /// Verdicts on a program against a copy of it, all kernels as one suite.
    fn identical(
        &self,
        until: Instant,
        findings: &mut Findings,
        progress: &mut Progress,
    ) -> Result<()> {
        let other = self.arguments.binary.as_deref();
        let program = other.unwrap_or(self.program);
        let trial = Trial::against_copy(program, self.copies, other.is_some())?;
        let mut seed = 0;
        let total = |findings: &Findings| -> usize {
            findings.identical.iter().map(|(_, counts)| counts.judged).sum()
        };
        while total(findings) < self.arguments.verdicts && Instant::now() < until {
            seed += 1;
            let result = trial.measure(&self.limits(0.02, 60, seed, until), progress)?;
            findings.suites += 1;
            findings.suite_verdicts += result.rows;
            findings.suite_seconds += result.seconds;
            findings.window_seconds += result.window_seconds;
            findings.pilot_seconds += result.pilot_seconds;
            findings.control_alarms += usize::from(result.control_alarmed);
            for (name, counts) in result.benchmarks {
                match findings.identical.iter_mut().find(|(known, _)| *known == name) {
                    Some((_, all)) => all.merge(&counts),
                    None => findings.identical.push((name, counts)),
                }
            }
        }
        Ok(())
    }

    /// Verdicts on slowdowns of known size: at the default margin, and at half of it with twice the blocks.
    fn power(
        &self,
        until: Instant,
        findings: &mut Findings,
        progress: &mut Progress,
    ) -> Result<()> {
        for (margin_percent, maximum_blocks) in [(2, 60), (1, 120)] {
            let none =
                |percent| Slowdown { percent, verdicts: VerdictCounts::default(), seconds: 0.0 };
            let slowdowns = SLOWDOWNS.map(none).into();
            findings.power.push(Power { margin_percent, maximum_blocks, slowdowns });
        }
        let mut seed = 1000;
        for _ in 0..self.arguments.repeats {
            for power in &mut findings.power {
                let margin = f64::from(power.margin_percent) / 100.0;
                for slowdown in &mut power.slowdowns {
                    if Instant::now() >= until {
                        return Ok(());
                    }
                    seed += 1;
                    let trial = Trial::slower_chain(self.program, slowdown.percent)?;
                    let limits = self.limits(margin, power.maximum_blocks, seed, until);
                    let result = trial.measure(&limits, progress)?;
                    // A budget that ends in the middle of a comparison would make it look inconclusive.
                    if result.out_of_time {
                        return Ok(());
                    }
                    slowdown.seconds += result.seconds;
                    result.benchmarks.iter().for_each(|(_, one)| slowdown.verdicts.merge(one));
                }
            }
        }
        Ok(())
    }
}
