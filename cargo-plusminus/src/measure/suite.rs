//! The suite: what is compared, what may be spent on it, and what has come out.

use std::time::{Duration, Instant};

use plusminus::__runner::{Listed, Random};
use plusminus_analysis::verdict::{Doubt, Verdict};

use super::{block::Which, group::groups, plan::Clock, rounds::Suite, row::RowResult, side::Side};

/// Base and new of one bench target.
#[derive(Debug, Clone)]
pub(crate) struct Version {
    pub(crate) base: Side,
    pub(crate) new: Side,
}

/// One bench target with the benchmarks that both sides have.
#[derive(Debug)]
pub(crate) struct Subject {
    /// What stands before the names of its benchmarks; empty if there is only one target.
    pub(crate) name: String,
    /// The programs: one version, or several re-links of it.
    pub(crate) versions: Vec<Version>,
    /// A copy of base for the A/A control.
    pub(crate) control: Option<Side>,
    /// The benchmarks: as base and as new list them.
    pub(crate) common: Vec<(Listed, Listed)>,
}

/// What decides, and what may be spent.
#[derive(Debug, Clone)]
pub(crate) struct Settings {
    /// Margin of benchmarks whose attribute gives none, as a fraction.
    pub(crate) margin: f64,
    /// The margin counts more than that of attributes.
    pub(crate) margin_for_all: bool,
    pub(crate) alpha: f64,
    /// Blocks after which a benchmark is left undecided.
    pub(crate) maximum_blocks: u32,
    /// Time after which no block is begun.
    pub(crate) budget: Duration,
    pub(crate) seed: u64,
}

/// Why a benchmark has no verdict.
#[derive(Debug, Clone)]
pub(crate) struct Failure {
    /// The side; `None` if it lies between them.
    pub(crate) which: Option<Which>,
    pub(crate) message: String,
}

/// A benchmark with its verdicts: one for each instance, and then one for all if there are several.
#[derive(Debug, Clone)]
pub(crate) struct CaseResult {
    /// Its name, with the target in front where there are several.
    pub(crate) name: String,
    /// As new lists it.
    pub(crate) listed: Listed,
    pub(crate) rows: Vec<RowResult>,
    pub(crate) failure: Option<Failure>,
    /// Time that its blocks took, on average.
    pub(crate) block_seconds: Option<f64>,
}

/// Everything that was found.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    pub(crate) cases: Vec<CaseResult>,
    /// The A/A control.
    pub(crate) control: Option<CaseResult>,
    /// M: rows that could have raised an alarm.
    pub(crate) rows: usize,
    pub(crate) interrupted: Option<i32>,
    /// The time budget ended measuring.
    pub(crate) out_of_time: bool,
    /// Wall time of all of it.
    pub(crate) seconds: f64,
    /// Of this, the pilots.
    pub(crate) pilot_seconds: f64,
    /// Of this, inside the windows of samples that count.
    pub(crate) window_seconds: f64,
}

/// Is told what goes on.
pub(crate) trait Watcher {
    /// Something is about to be measured.
    fn begin(&mut self, what: &str);
}

/// Measures until everything is decided, or nothing more may be spent.
pub(crate) fn measure(
    subjects: &[Subject],
    settings: &Settings,
    watcher: &mut dyn Watcher,
) -> Outcome {
    let mut suite = Suite {
        subjects,
        settings,
        random: Random::new(settings.seed),
        clock: Clock::measured(),
        begin: Instant::now(),
        window_ns: 0,
        out_of_time: false,
    };
    let mut groups = groups(subjects, settings);
    let mut interrupted = suite.pilots(&mut groups, watcher).err();
    let pilot_seconds = suite.begin.elapsed().as_secs_f64();
    let rows = groups.iter().flat_map(|group| &group.cases).map(|case| case.rows.len()).sum();
    groups.extend(suite.control(&groups));
    let layouts = subjects.iter().map(|subject| subject.versions.len()).max().unwrap_or(1);
    if interrupted.is_none() {
        interrupted = suite.rounds(&mut groups, rows, layouts, watcher).err();
    }
    let mut cases: Vec<(usize, CaseResult)> = Vec::new();
    let mut control = None;
    for group in groups {
        // The control is two copies of one binary: there is no layout to average over.
        let layouts = if group.control { 1 } else { layouts };
        let seconds = (group.blocks > 0).then(|| group.seconds / f64::from(group.blocks));
        for case in group.cases {
            let result = case.conclude(rows, layouts, settings.alpha, seconds);
            if group.control {
                control = Some(result);
            } else {
                cases.push((group.subject, result));
            }
        }
    }
    if let Some(verdict) = control.as_ref().and_then(alarm_of) {
        let all = cases.iter_mut().flat_map(|(_, case)| &mut case.rows);
        all.for_each(|row| row.doubts.insert(0, Doubt::ControlDiffers { verdict }));
    }
    Outcome {
        cases: cases.into_iter().map(|(_, case)| case).collect(),
        control,
        rows,
        interrupted,
        out_of_time: suite.out_of_time,
        seconds: suite.begin.elapsed().as_secs_f64(),
        pilot_seconds,
        window_seconds: suite.window_ns as f64 / 1e9,
    }
}

/// Faster or slower, if the benchmark as a whole is said to be.
fn alarm_of(case: &CaseResult) -> Option<Verdict> {
    let verdict = case.rows.last()?.judgement.verdict;
    matches!(verdict, Verdict::Faster | Verdict::Slower).then_some(verdict)
}
