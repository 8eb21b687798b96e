//! Comparisons whose truth is known: a program with itself or with copies of it, with or without a slowdown of known
//! size. `selftest` and the developers' `truth` measure through this interface alone.

use std::{fs, path::Path, time::Duration};

use plusminus::{
    engine::{
        self, CommonCase, Program, RealMachine, Subject, Versions, WorkerError,
        compare_until_decided,
    },
    record::{ComparisonRecord, ComparisonSettings, Manifest, SideRecord},
    report::case_failure,
    results::CaseResult,
    system::interrupt,
};
use plusminus_analysis::verdict::Verdict;

use super::{DEFAULT_STEPS, KERNELS, STEPS, VerdictCounts};
use crate::{
    error::{Error, Result, at},
    progress::Progress,
    report,
};

/// The kernel whose time is proportional to a number.
const CHAIN: &str = "chain";

/// A comparison whose truth is known.
#[derive(Debug)]
pub struct Trial {
    subject: Subject,
    truth: f64,
}

/// Limits and thresholds of one trial.
#[derive(Debug, Clone)]
pub struct Limits {
    /// Changes up to this fraction are ignored.
    pub margin: f64,
    /// Accepted probability of a wrong claim.
    pub alpha: f64,
    /// Blocks that a benchmark may take; `None` for as many as users get.
    pub maximum_blocks: Option<u32>,
    /// Time after which no block is begun.
    pub budget: Duration,
    /// The seed of every random order.
    pub seed: u64,
}

/// Results of one trial.
#[derive(Debug)]
pub struct TrialResult {
    /// The verdict on each benchmark as a whole, by its name; counts of nothing where the budget allowed no verdict.
    pub benchmarks: Vec<(String, VerdictCounts)>,
    /// The A/A control was called faster or slower.
    pub control_alarmed: bool,
    /// Rows that could have raised an alarm.
    pub rows: usize,
    /// The budget ended measuring.
    pub out_of_time: bool,
    /// Wall time of all of it.
    pub seconds: f64,
    /// Of this, pilots.
    pub pilot_seconds: f64,
    /// Of this, inside the windows of samples that count.
    pub window_seconds: f64,
}

impl Trial {
    /// All kernels of the self-test in a program, compared with themselves.
    ///
    /// # Errors
    /// When the program does not list its benchmarks.
    pub fn identical(program: &Path) -> Result<Self> {
        Self::new(program, Program::of(program), None, 0.0, |name| name.starts_with(KERNELS))
    }

    /// Compares the chain in a program with one that has this percentage more steps.
    pub fn slower_chain(program: &Path, percent: u64) -> Result<Self> {
        let steps = (DEFAULT_STEPS + DEFAULT_STEPS * percent / 100).to_string();
        let truth = percent as f64 / 100.0;
        Self::slower(program, (STEPS, &steps), truth, |name| {
            name.strip_prefix(KERNELS) == Some(CHAIN)
        })
    }

    /// Benchmarks of a program, compared with themselves where a variable has another value, by which their time grows
    /// by a fraction.
    ///
    /// # Errors
    /// When the program does not list its benchmarks.
    pub fn slower(
        program: &Path,
        (variable, value): (&str, &str),
        truth: f64,
        wanted: impl Fn(&str) -> bool,
    ) -> Result<Self> {
        let new = Program::of(program).with_variable(variable, value.to_owned());
        Self::new(program, new, None, truth, wanted)
    }

    /// Compares a program with a copy of it, and with a second copy as control: all its benchmarks, or the kernels of
    /// the self-test that are not sized by a variable. Both copies are written to `folder`.
    ///
    /// # Errors
    /// When the program cannot be copied, or does not list its benchmarks.
    pub fn against_copy(program: &Path, folder: &Path, all: bool) -> Result<Self> {
        let copy = |name: &str| {
            let copy = folder.join(name);
            fs::copy(program, &copy).map_err(at("copy", program))?;
            Ok::<_, Error>(Program::of(&copy))
        };
        let (new, control) = (copy("new")?, copy("control")?);
        let wanted = |name: &str| all || name.starts_with(KERNELS) && short(name) != CHAIN;
        Self::new(program, new, Some(control), 0.0, wanted)
    }

    fn new(
        program: &Path,
        new: Program,
        control: Option<Program>,
        truth: f64,
        wanted: impl Fn(&str) -> bool,
    ) -> Result<Self> {
        let base = Program::of(program);
        let cases = engine::list(&RealMachine::new(), &base).map_err(|error| match error {
            WorkerError::Interrupted(signal) => Error::Interrupted(signal),
            error => Error::Message(format!("{} cannot be measured: {error}", program.display())),
        })?;
        let common = cases
            .into_iter()
            .filter(|case| wanted(&case.name) && case.ignore.is_none())
            .map(|case| CommonCase { base: case.clone(), new: case, margin: 0.0, later: false })
            .collect();
        let versions = Versions { base, new, control };
        Ok(Self {
            subject: Subject { name: String::new(), versions, layouts: None, common },
            truth,
        })
    }

    /// Measures until everything is decided or a limit is reached.
    ///
    /// # Errors
    /// When the user interrupts it, or a kernel fails.
    pub fn measure(&self, limits: &Limits, progress: &mut Progress) -> Result<TrialResult> {
        let mut subject = self.subject.clone();
        subject.common.iter_mut().for_each(|case| case.margin = limits.margin);
        let settings = ComparisonSettings {
            seed: limits.seed,
            margin: limits.margin,
            alpha: limits.alpha,
            max_seconds: Some(limits.budget.as_secs_f64()),
            ..ComparisonSettings::of_blocks(limits.maximum_blocks)
        };
        let side =
            |name: &str| SideRecord { name: name.to_owned(), manifest: Manifest::of_machine() };
        let record = ComparisonRecord::new(settings, side("base"), side("new"));
        let record = compare_until_decided(&RealMachine::new(), &[subject], record, progress);
        let comparison = report::of_record(&record);
        let outcome = &comparison.outcome;
        if let Some(signal) = outcome.interrupted.or_else(interrupt) {
            return Err(Error::Interrupted(signal));
        }
        if let Some(failure) = outcome.cases.iter().find_map(case_failure) {
            return Err(Error::Message(failure));
        }
        let counted = |case: &CaseResult| {
            let mut counts = VerdictCounts::default();
            // The last row is that of all instances together.
            counts.count(case.rows.last()?, self.truth);
            Some((short(&case.name).to_owned(), counts))
        };
        let control = outcome.control.as_ref().and_then(|case| case.rows.last());
        Ok(TrialResult {
            benchmarks: outcome.cases.iter().filter_map(counted).collect(),
            control_alarmed: control.is_some_and(|row| {
                matches!(row.judgement.verdict, Verdict::Slower | Verdict::Faster)
            }),
            rows: outcome.rows,
            out_of_time: outcome.out_of_time,
            seconds: outcome.seconds,
            pilot_seconds: outcome.pilot_seconds,
            window_seconds: outcome.window_seconds,
        })
    }
}

/// The name of a benchmark without the module of the kernels.
fn short(name: &str) -> &str {
    name.strip_prefix(KERNELS).unwrap_or(name)
}
