//! `cargo plusminus truth`: verdicts against known truths, quiet and beside a noise generator, with criterion's saved
//! baselines on the same kernels beside them. Runs unattended within a time budget, and prints every cell.

mod criterion;
mod noise;
mod tables;

use std::{
    env, fs,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

pub(crate) use noise::{NoiseArguments, make_noise};
use plusminus::__runner::{Listed, load_average};

use crate::{
    error::{Error, Result, at},
    measure::{self, Outcome, Problem, Settings, Side, Subject, Version},
    progress::Progress,
    selftest::{CHAIN, Tally, is_ours, measured, rows, subject},
};

/// Slowdowns that are injected, in percent by number of instructions.
const SLOWDOWNS: [u64; 5] = [1, 2, 3, 5, 10];

/// What to check, and what to spend on it.
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
    /// A bench program under criterion, instead of building the one in tests/fixtures/criterion.
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

/// What happens on the machine meanwhile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Condition {
    /// Nothing that we start.
    Quiet,
    /// A bursty neighbour on every processor.
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
    tally: Tally,
    seconds: f64,
}

/// What one condition has shown.
#[derive(Debug, Default)]
struct Findings {
    load: (Option<f64>, Option<f64>),
    /// By kernel.
    identical: Vec<(String, Tally)>,
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
    let program = env::current_exe().map_err(at("find", Path::new("this program")))?;
    let copies = tempfile::tempdir().map_err(at("write to", &env::temp_dir()))?;
    let criterion = match (arguments.criterion_passes, &arguments.criterion) {
        (0, _) => None,
        (_, Some(program)) => Some(program.clone()),
        (_, None) => Some(criterion::build()?),
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
        let work = Work {
            arguments,
            program: &program,
            copies: copies.path(),
            criterion: criterion.as_deref(),
        };
        let findings = work.condition(each, &mut progress);
        progress.end();
        // The neighbour is gone before anything is said, and also if something went wrong.
        drop(noise);
        // Cells are printed as soon as they are known: an interrupted night has shown something.
        println!("{}", tables::of_condition(condition, &findings?));
    }
    Ok(plusminus::exit::FINE)
}

struct Work<'a> {
    arguments: &'a Arguments,
    program: &'a Path,
    copies: &'a Path,
    criterion: Option<&'a Path>,
}

impl Work<'_> {
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

    fn settings(&self, margin: f64, maximum_blocks: u32, seed: u64, until: Instant) -> Settings {
        Settings {
            margin,
            margin_for_all: true,
            alpha: 0.05,
            maximum_blocks,
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
        let program = self.arguments.binary.as_deref().unwrap_or(self.program);
        let subject = self.against_copies(program)?;
        let mut seed = 0;
        let total = |findings: &Findings| -> usize {
            findings.identical.iter().map(|(_, tally)| tally.judged).sum()
        };
        while total(findings) < self.arguments.verdicts && Instant::now() < until {
            seed += 1;
            let settings = self.settings(0.02, 60, seed, until);
            let outcome = measured(&subject, &settings, progress)?;
            findings.suites += 1;
            findings.suite_verdicts += outcome.rows;
            findings.suite_seconds += outcome.seconds;
            findings.window_seconds += outcome.window_seconds;
            findings.pilot_seconds += outcome.pilot_seconds;
            findings.control_alarms += usize::from(control_alarmed(&outcome));
            for case in &outcome.cases {
                let Some(row) = case.rows.last() else { continue };
                let index = findings.identical.iter().position(|(name, _)| *name == case.name);
                let index = index.unwrap_or_else(|| {
                    findings.identical.push((case.name.clone(), Tally::default()));
                    findings.identical.len() - 1
                });
                findings.identical[index].1.count(row, 0.0);
            }
        }
        Ok(())
    }

    fn against_copies(&self, program: &Path) -> Result<Subject> {
        let copy = |name: &str| {
            let copy = self.copies.join(name);
            fs::copy(program, &copy).map_err(at("copy", program))?;
            Ok(Side::of(&copy))
        };
        let base = Side::of(program);
        let cases = measure::list(&base).map_err(|problem| match problem {
            Problem::Interrupted(signal) => Error::Interrupted(signal),
            Problem::Failed(message) => {
                Error::Message(format!("{} cannot be measured: {message}", program.display()))
            }
        })?;
        let others = self.arguments.binary.is_some();
        let wanted = |case: &Listed| others || is_ours(case) && case.name != CHAIN;
        let kernels = cases.into_iter().filter(|case| wanted(case) && case.ignore.is_none());
        Ok(Subject {
            name: String::new(),
            versions: vec![Version { base, new: copy("new")? }],
            control: Some(copy("control")?),
            common: kernels.map(|case| (case.clone(), case)).collect(),
        })
    }

    /// Verdicts on slowdowns of known size: at the default margin, and at half of it with twice the blocks.
    fn power(
        &self,
        until: Instant,
        findings: &mut Findings,
        progress: &mut Progress,
    ) -> Result<()> {
        for (margin_percent, maximum_blocks) in [(2, 60), (1, 120)] {
            let none = |percent| Slowdown { percent, tally: Tally::default(), seconds: 0.0 };
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
                    let slower =
                        subject(self.program, Some(slowdown.percent), |case| case.name == CHAIN)?;
                    let settings = self.settings(margin, power.maximum_blocks, seed, until);
                    let outcome = measured(&slower, &settings, progress)?;
                    // A budget that ends in the middle of a comparison would make it look undecided.
                    if outcome.out_of_time {
                        return Ok(());
                    }
                    slowdown.seconds += outcome.seconds;
                    let truth = slowdown.percent as f64 / 100.0;
                    rows(&outcome).for_each(|row| slowdown.tally.count(row, truth));
                }
            }
        }
        Ok(())
    }
}

fn control_alarmed(outcome: &Outcome) -> bool {
    use plusminus_analysis::verdict::Verdict;
    let verdict = outcome.control.as_ref().and_then(|case| case.rows.last());
    verdict.is_some_and(|row| matches!(row.judgement.verdict, Verdict::Slower | Verdict::Faster))
}
