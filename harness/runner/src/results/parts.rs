//! The parts of a kernel and the whole: two measurements of the same thing. If they agree, both can be trusted
//! (Foster, DBPP 3.5.2).

use super::{Pairing, Row, Time, mean, time::Allowances};
use crate::{
    analysis::{
        Confidence, Estimate, Interval,
        speedup::{Kind, Speedup},
        summary,
        verdict::{self, Margin, Verdict},
    },
    record::{CaseRecord, Measurement, PhaseTimes, Record},
};

/// By how much reading the clock in the middle of a kernel may differ from reading it around nothing, as a part of that.
const CLOCK_UNSURE: f64 = 0.5;

/// The phases of a kernel and what they sum up to.
#[derive(Debug, Clone, PartialEq)]
pub struct Parts {
    /// The phases, in the order in which the benchmark declares them.
    pub parts: Vec<Part>,
    /// The sum of their times.
    pub sum: Time,
    /// The sum over the time of the whole, which other samples of the same processes gave; S > 1: the parts take longer.
    pub over_whole: Option<Speedup>,
    /// Whether the two agree.
    pub agreement: Agreement,
    /// By how much a call takes longer while its phases are timed, in nanoseconds.
    pub cost_ns: Option<Estimate>,
    /// The nanoseconds per call that were subtracted from the sum for reading the clock.
    pub subtracted_ns: f64,
    /// The most phases that ran at once: more than 1, and they overlap.
    pub at_once: u64,
}

/// One phase.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    /// Its name.
    pub name: String,
    /// Its time in a call.
    pub time: Time,
    /// How often a call enters it.
    pub entries: f64,
}

/// How the sum of the parts compares with the whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Agreement {
    /// They are the same within the margin (95 %).
    Agree,
    /// The sum is proven to be more.
    More,
    /// The sum is proven to be less: some of the whole is in no phase.
    Less,
    /// The runs cannot tell.
    Inconclusive,
}

/// The values of one run in nanoseconds per call, averaged over the instances.
struct OfRun {
    own_ns: Vec<f64>,
    entries: Vec<f64>,
    wall_ns: f64,
    subtracted_ns: f64,
}

/// The parts of the benchmark of a row, if it has any that were timed.
pub(super) fn parts(row: &Row<'_>, record: &Record, allowances: Allowances) -> Option<Parts> {
    let (case, whole) = (row.case, row.time.as_ref()?);
    if case.phases.is_empty() {
        return None;
    }
    let mut found = Vec::new();
    let (mut runs, mut differences) = (Vec::new(), Vec::new());
    for (&run, whole_ns) in whole.runs.iter().zip(&whole.run_means_ns) {
        if let Some(one) = of_run(case, record, run) {
            runs.push(run);
            differences.push(one.wall_ns - whole_ns);
            found.push(one);
        }
    }
    let subtracted_ns = mean_of(found.iter().map(|run| run.subtracted_ns));
    let clock_u_ns = CLOCK_UNSURE * subtracted_ns / 3_f64.sqrt();
    let time = |value: &dyn Fn(&OfRun) -> f64, clock_u_ns| {
        let means = found.iter().map(value).collect();
        Time::new(case, &runs, means, clock_u_ns, allowances)
    };
    let entered = |index: usize| mean_of(found.iter().map(|run| run.entries[index]));
    let all: f64 = (0..case.phases.len()).map(entered).sum();
    let part = |(index, name): (usize, &String)| {
        let entries = entered(index);
        let own_u_ns = if all > 0.0 { clock_u_ns * entries / all } else { 0.0 };
        let time = time(&|run| run.own_ns[index], own_u_ns)?;
        Some(Part { name: name.clone(), time, entries })
    };
    let parts = case.phases.iter().enumerate().map(part).collect::<Option<_>>()?;
    let sum = time(&|run| run.own_ns.iter().sum(), clock_u_ns)?;
    let cost_ns = summary::summarize(&differences).ok().map(|all| all.estimate());
    let (over_whole, agreement) = compared(&sum, whole, subtracted_ns, record);
    let at_once = times_of(case).map(|(_, times)| times.at_once).max().unwrap_or(0);
    Some(Parts { parts, sum, over_whole, agreement, cost_ns, subtracted_ns, at_once })
}

/// Compares the sum with the whole, by pairs of runs. The cost of reading the clock is known only roughly, so a
/// difference that it could explain proves nothing.
fn compared(
    sum: &Time,
    whole: &Time,
    subtracted_ns: f64,
    record: &Record,
) -> (Option<Speedup>, Agreement) {
    let ratio = whole.speedup_over(sum, Kind::BetweenVariants, Pairing::Paired);
    let Some(mut ratio) = ratio else { return (None, Agreement::Inconclusive) };
    let unsure = CLOCK_UNSURE * subtracted_ns / sum.estimate.value;
    let Ok(margin) = Margin::new(record.settings.margin) else {
        return (Some(ratio), Agreement::Inconclusive);
    };
    let reach = unsure.ln_1p();
    let systematic = Interval { low: -reach, high: reach };
    let judgement = verdict::fixed_beside(&ratio, margin, Confidence::P95, systematic);
    ratio.sigma = ratio.sigma.map(|sigma| sigma.hypot(ratio.speedup * unsure / 3_f64.sqrt()));
    let agreement = match judgement.verdict {
        Verdict::WithinMargin => Agreement::Agree,
        Verdict::Faster => Agreement::More,
        Verdict::Slower => Agreement::Less,
        _ => Agreement::Inconclusive,
    };
    (Some(ratio), agreement)
}

/// The mean of values; 0 if there are none.
fn mean_of(values: impl Iterator<Item = f64>) -> f64 {
    mean(values).unwrap_or(0.0)
}

/// All measurements of a case that have times of phases.
fn times_of(case: &CaseRecord) -> impl Iterator<Item = (&Measurement, &PhaseTimes)> {
    case.measurements.iter().filter_map(|one| Some((one, one.phases.as_ref()?)))
}

/// The means over the instances of one run, in which every instance has times of phases.
fn of_run(case: &CaseRecord, record: &Record, run: u32) -> Option<OfRun> {
    let own: Vec<_> = times_of(case).filter(|(one, _)| one.run == run).collect();
    if own.is_empty() || own.len() != case.instances.len() {
        return None;
    }
    let cells: Option<Vec<OfRun>> =
        own.into_iter().map(|(one, times)| of_cell(case, record, one, times)).collect();
    let cells = cells?;
    let columns = |value: &dyn Fn(&OfRun) -> &[f64]| {
        (0..case.phases.len()).map(|index| mean_of(cells.iter().map(|c| value(c)[index]))).collect()
    };
    Some(OfRun {
        own_ns: columns(&|cell| &cell.own_ns),
        entries: columns(&|cell| &cell.entries),
        wall_ns: mean_of(cells.iter().map(|cell| cell.wall_ns)),
        subtracted_ns: mean_of(cells.iter().map(|cell| cell.subtracted_ns)),
    })
}

/// The medians over the samples of one instance in one run.
fn of_cell(
    case: &CaseRecord,
    record: &Record,
    measurement: &Measurement,
    times: &PhaseTimes,
) -> Option<OfRun> {
    let samples = times.wall_ns.len();
    let whole = times.own_ns.len() == case.phases.len()
        && times.entries.len() == case.phases.len()
        && times.own_ns.iter().all(|own| own.len() == samples);
    if !whole || samples == 0 || measurement.calls == 0 {
        return None;
    }
    let calls = measurement.calls as f64;
    let callers = case.threads.max(1) as f64;
    let median = |values: &[u64]| {
        let values: Vec<f64> = values.iter().map(|&ns| ns as f64 / calls).collect();
        summary::quantile(&values, 0.5).ok()
    };
    let clock = measurement.worker.and_then(|worker| record.workers.get(worker)?.clock);
    let reading_ns = clock.map_or(0.0, |clock| clock.window_ns);
    let entries: Vec<f64> =
        times.entries.iter().map(|&all| all as f64 / (samples as f64 * calls * callers)).collect();
    let mut subtracted_ns = 0.0;
    let mut own_ns = Vec::with_capacity(entries.len());
    for (own, entries) in times.own_ns.iter().zip(&entries) {
        let raw = median(own)? / callers;
        // An empty phase lasts as long as it takes to read the clock.
        let reading = (entries * reading_ns).min(raw);
        subtracted_ns += reading;
        own_ns.push(raw - reading);
    }
    let windows_ns = reading_ns * measurement.windows as f64 / calls;
    let wall_ns = (median(&times.wall_ns)? - windows_ns).max(0.0);
    Some(OfRun { own_ns, entries, wall_ns, subtracted_ns })
}
