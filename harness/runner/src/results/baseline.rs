//! A measurement compared with a baseline: with its program, measured in turns, or with its record, whose comparison
//! has limits.

use super::{
    CaseResult, Compared, Outcome, RowResult,
    tables::{rows, tables},
};
use crate::{
    analysis::{
        Confidence, Interval,
        speedup::{Kind, Speedup},
        summary::{quantile, summarize},
        verdict::{self, Margin, Verdict},
    },
    record::{ComparisonRecord, Manifest, ProbeRecord, Record},
};
use plusminus_worker::{exit, order::sorted};

/// The baseline of a measurement, and the way of comparing.
#[derive(Debug)]
pub enum BaselineComparison {
    /// With a record that was kept: both sides belong to different times.
    Record(RecordComparison),
    /// With a program that was kept: both were measured in turns.
    Program(Box<ProgramComparison>),
}

/// Two programs that were measured in turns.
#[derive(Debug)]
pub struct ProgramComparison {
    /// Everything that was measured.
    pub record: ComparisonRecord,
    /// The proven outcome.
    pub outcome: Outcome,
}

impl BaselineComparison {
    /// The exit code: 1 where something is proven to be slower, as [`Outcome::exit_code`] has it.
    pub fn exit_code(&self) -> i32 {
        let slower = |verdict| verdict == Verdict::Slower;
        match self {
            Self::Record(record) if record.has_regression() => exit::REGRESSION,
            Self::Record(_) => exit::FINE,
            Self::Program(program) => {
                program.outcome.exit_code(|_| true, |_, row| slower(row.judgement.verdict))
            }
        }
    }

    /// The signal that ended the comparison early.
    pub fn interrupted(&self) -> Option<i32> {
        match self {
            Self::Record(_) => None,
            Self::Program(program) => program.outcome.interrupted,
        }
    }

    /// The row of a benchmark that was compared in turns: of all instances together.
    pub(crate) fn program_row(&self, name: &str) -> Option<&RowResult> {
        let Self::Program(program) = self else { return None };
        let of_name = |case: &&CaseResult| case.name == name;
        program.outcome.cases.iter().find(of_name)?.rows.last()
    }
}

/// A comparison with the record of a baseline, which was measured before.
#[derive(Debug)]
pub struct RecordComparison {
    /// The name of the baseline.
    pub baseline: String,
    /// Benchmarks that both sides have measured.
    pub rows: Vec<RecordRow>,
    /// Benchmarks that could not be compared, each with the reason.
    pub missing: Vec<(String, String)>,
    /// How much the machine may have changed, by the probes of both records: the logarithm of the factor of all times lies
    /// within. `None` where a record has no probes, so that nothing is known.
    pub machine: Option<Interval>,
    /// How the circumstances differ.
    pub differences: Vec<String>,
    /// When the baseline was measured, in UTC.
    pub measured: String,
    /// The commit that it was measured on.
    pub commit: Option<String>,
}

/// One benchmark of a [`RecordComparison`].
#[derive(Debug)]
pub struct RecordRow {
    /// Its full name.
    pub name: String,
    /// Speedup of now over then, with its interval and verdict.
    pub compared: Compared,
    /// The change that is ignored, as a fraction.
    pub margin: f64,
}

impl RecordComparison {
    /// Whether any benchmark is proven to be slower.
    pub fn has_regression(&self) -> bool {
        self.rows.iter().any(|row| row.compared.judgement.verdict == Verdict::Slower)
    }
}

/// Compares a record with a baseline. `margin` is asked for each benchmark, as a fraction.
///
/// The runs of the two sides belong to different times, so they are no pairs: σ is that of independent means (VoV 8).
/// The accepted probability of a wrong claim is shared by all benchmarks. The possible effect of the machine on all
/// times, by the probes of both records, is part of the interval, and a difference that it could explain is
/// inconclusive.
pub fn compare_records(
    record: &Record,
    name: &str,
    baseline: &Record,
    margin: impl Fn(&str) -> f64,
) -> RecordComparison {
    let (old, new) = (tables(baseline), tables(record));
    let (old, new) = (rows(&old), rows(&new));
    let old = sorted(&old, &|a, b| a.case.name.cmp(&b.case.name));
    let mut comparison = RecordComparison {
        baseline: name.to_owned(),
        rows: Vec::new(),
        missing: Vec::new(),
        machine: machine(&baseline.manifest, &record.manifest),
        differences: differences(&baseline.manifest, &record.manifest),
        measured: baseline.manifest.started.clone(),
        commit: baseline.manifest.commit.clone(),
    };
    if baseline.is_unfinished() || baseline.interrupted.is_some() {
        let what = "the baseline was interrupted: its results are those of the finished runs";
        comparison.differences.push(what.to_owned());
    }
    let looked = |record: &Record| record.cases.iter().any(|case| case.until_decided);
    if looked(baseline) || looked(record) {
        let what = "runs were added until variants were decided, by what these runs showed; the intervals here assume a \
                    number of runs that did not depend on it";
        comparison.differences.push(what.to_owned());
    }
    let confidence = Confidence::new(1.0 - record.settings.alpha / new.len().max(1) as f64);
    for row in new {
        let name = &row.case.name;
        let base = old.binary_search_by(|old| old.case.name.cmp(name)).ok().map(|at| old[at]);
        let compared = match (base, base.and_then(|base| base.estimate()), row.estimate()) {
            (None, ..) => Err("it is not in the baseline: is it new, or was it renamed?"),
            (Some(base), None, _) if base.case.has_failed() => {
                Err("it failed when the baseline was measured")
            }
            (_, None, _) => Err("the baseline has no result of it"),
            (.., None) => Err("it has no result now"),
            (_, Some(base), Some(new)) => Speedup::from_estimates(base, new, Kind::BetweenVariants)
                .map_err(|_| "its times allow no speedup"),
        };
        let margin = margin(name);
        match (compared, Margin::new(margin), &confidence) {
            (Ok(speedup), Ok(limit), Ok(confidence)) => {
                let machine = comparison.machine.unwrap_or(UNKNOWN);
                let judgement = verdict::fixed_beside(&speedup, limit, *confidence, machine);
                let interval = speedup.log_interval(Confidence::P95).map(|s| Interval {
                    low: s.low * machine.low.exp(),
                    high: s.high * machine.high.exp(),
                });
                let interval = interval.filter(|s| s.high.is_finite());
                let compared = Compared { speedup, interval, judgement };
                comparison.rows.push(RecordRow { name: name.clone(), compared, margin });
            }
            (compared, ..) => {
                let no_margin =
                    "a margin of 0 proves nothing to be the same; give a margin above 0";
                let reason = compared.err().unwrap_or(no_margin);
                comparison.missing.push((name.clone(), reason.to_owned()));
            }
        }
    }
    comparison
}

/// The factor of all times if nothing is known of it.
const UNKNOWN: Interval = Interval { low: f64::NEG_INFINITY, high: f64::INFINITY };

/// The shares of the times of a probe below and above which they count as disturbances of single moments.
const LOWEST: f64 = 0.05;
const HIGHEST: f64 = 0.95;

/// Returns the possible effect of the machine on all times between two records. It ranges from the largest possible
/// gain of any probe to the largest possible loss, by the range of its times on both sides. Contains 0.
///
/// It is not known which of the probes a benchmark resembles, so all of them contribute.
fn machine(old: &Manifest, new: &Manifest) -> Option<Interval> {
    let mut found: Option<Interval> = None;
    for probe in &new.probes {
        let Some(before) = old.probes.iter().find(|before| before.name == probe.name) else {
            continue;
        };
        let ((old_low, old_high), (new_low, new_high)) = (range(before)?, range(probe)?);
        let known = found.unwrap_or(Interval { low: 0.0, high: 0.0 });
        found = Some(Interval {
            low: known.low.min(new_low - old_high),
            high: known.high.max(new_high - old_low),
        });
    }
    found
}

/// The range of the logarithms of the times of a probe, and a standard deviation on both sides of it: few times do not
/// show all that a machine does.
fn range(probe: &ProbeRecord) -> Option<(f64, f64)> {
    let logs: Vec<f64> = probe.ns.iter().map(|ns| ns.ln()).collect();
    let deviation = summarize(&logs).ok()?.spread.unwrap_or(0.0);
    let at = |share| quantile(&logs, share).ok();
    Some((at(LOWEST)? - deviation, at(HIGHEST)? + deviation))
}

/// Returns the differences between the circumstances of two records that matter for times.
fn differences(old: &Manifest, new: &Manifest) -> Vec<String> {
    let text = |value: &Option<String>| value.clone().unwrap_or_else(|| "unknown".to_owned());
    // There was no choice before the clock was recorded.
    let clock = |manifest: &Manifest| manifest.clock.clone().unwrap_or_else(|| "os".to_owned());
    let pairs = [
        ("the processor", text(&old.cpu), text(&new.cpu)),
        ("the number of cores", old.cores.to_string(), new.cores.to_string()),
        ("the compiler", old.rustc.clone(), new.rustc.clone()),
        ("the compiler's flags", old.flags.clone(), new.flags.clone()),
        ("the optimisation level", old.opt_level.clone(), new.opt_level.clone()),
        ("the clock", clock(old), clock(new)),
        ("the system", old.system.clone(), new.system.clone()),
        ("the frequency governor", text(&old.governor), text(&new.governor)),
        ("the lock file", text(&old.lock_hash), text(&new.lock_hash)),
    ];
    let differing = pairs.into_iter().filter(|(_, old, new)| old != new);
    differing.map(|(what, old, new)| format!("{what} was `{old}` and is `{new}`")).collect()
}
