//! From a record to the numbers of its tables.

use super::looks;
use crate::{
    MetricKind,
    analysis::{
        Confidence, Estimate, Interval, serial,
        speedup::{self, Kind, Speedup},
        summary::{self, Summary},
        two_stage,
        verdict::{self, Judgement, Margin},
    },
    record::{CaseRecord, Measurement, MetricRecord, Record, Role, Support, Typical},
};

/// The variants of a problem at one point with one number of processors, or all functions that solve no problem.
#[derive(Debug)]
pub struct TableResults<'a> {
    /// The problem; `None` for functions on their own.
    pub problem: Option<&'a str>,
    /// The name of the point; empty for functions.
    pub point: &'a str,
    /// Processors given to the kernels.
    pub processors: usize,
    /// Callers of the kernels at once.
    pub threads: usize,
    /// One row for each benchmark, in the order of the source.
    pub rows: Vec<Row<'a>>,
}

/// One benchmark of a table.
#[derive(Debug)]
pub struct Row<'a> {
    /// What was recorded.
    pub case: &'a CaseRecord,
    /// How the row is called within its table: without the module that all its variants share.
    pub label: &'a str,
    /// Time of one call in nanoseconds for each complete run and each instance: the median of the samples.
    pub cells: Vec<Vec<f64>>,
    /// The runs that are complete.
    pub runs: Vec<u32>,
    /// How each of the cells came about.
    pub quality: Vec<Typical>,
    /// The mean with the uncertainty that belongs to it: that of the clock is part of it, and so are, where there was
    /// one, the choice of the number of runs by a pilot, the likeness of neighbouring runs, and what a single invocation
    /// cannot see.
    pub estimate: Option<Estimate>,
    /// The same with what the runs themselves tell of its uncertainty, and nothing more.
    pub by_runs: Option<Estimate>,
    /// The factor by which that uncertainty was widened because neighbouring runs of this record resemble each other;
    /// at least 1. See [`serial::inflation`].
    pub widened: f64,
    /// Mean over the instances, summarised over runs; `None` where nothing was measured.
    pub time: Option<Summary>,
    /// Standard deviation of single cells (run × instance), in nanoseconds; `None` for a single cell.
    pub spread: Option<f64>,
    /// Unit and amount of work per second.
    pub rate: Option<(String, f64)>,
    /// The metrics of the case, each for one call or for a second as it says, summarised over runs.
    pub metrics: Vec<Summary>,
    /// Against the baseline variant of the table.
    pub speedup: Option<Compared>,
    /// Against the sequential reference of the problem at the same point.
    pub real: Option<Speedup>,
    /// T(n, 1) over T(n, p) of the same variant.
    pub relative: Option<Speedup>,
}

/// A speedup with its interval and verdict.
#[derive(Debug)]
pub struct Compared {
    /// S ± σ.
    pub speedup: Speedup,
    /// The 95 % interval on the log scale.
    pub interval: Option<Interval>,
    /// What it proves.
    pub judgement: Judgement,
}

/// All tables of a record.
pub fn tables(record: &Record) -> Vec<TableResults<'_>> {
    let mut tables: Vec<TableResults<'_>> = Vec::new();
    for case in &record.cases {
        let problem = case.problem.as_deref();
        let fits = |table: &TableResults<'_>| {
            table.problem == problem
                && (problem.is_none()
                    || (table.point == case.point
                        && table.processors == case.processors
                        && table.threads == case.threads))
        };
        let row = row(case, record);
        match tables.iter_mut().find(|table| fits(table)) {
            Some(table) => table.rows.push(row),
            None => {
                let point = if problem.is_some() { case.point.as_str() } else { "" };
                tables.push(TableResults {
                    problem,
                    point,
                    processors: case.processors,
                    threads: case.threads,
                    rows: vec![row],
                });
            }
        }
    }
    allow_for_drift(&mut tables, record.settings.precision);
    for table in &mut tables {
        label(table);
        compare_with_baseline(table, record);
    }
    compare_across_tables(&mut tables);
    tables
}

/// Calls the variants of a problem by their functions, without the modules that all of them stand in.
fn label(table: &mut TableResults<'_>) {
    if table.problem.is_none() {
        return;
    }
    let first = table.rows[0].case.function.as_str();
    let module = first.rsplit_once("::").map_or("", |(module, _)| module);
    // The longest leading part of the first one's module that every row has.
    let shared = std::iter::successors(Some(module), |module| {
        module.rsplit_once("::").map(|(outer, _)| outer)
    })
    .find(|module| {
        let inside = |row: &Row<'_>| {
            row.case.function.strip_prefix(module).is_some_and(|rest| rest.starts_with("::"))
        };
        !module.is_empty() && table.rows.iter().all(inside)
    })
    .map_or(0, |module| module.len() + 2);
    for row in &mut table.rows {
        row.label = row.case.function.get(shared..).unwrap_or(&row.case.function);
    }
}

/// The rows of all tables.
pub(super) fn rows<'t, 'a>(tables: &'t [TableResults<'a>]) -> Vec<&'t Row<'a>> {
    let mut all = Vec::new();
    for table in tables {
        all.extend(&table.rows);
    }
    all
}

fn row<'a>(case: &'a CaseRecord, record: &Record) -> Row<'a> {
    let (runs, typical): (Vec<u32>, Vec<Vec<Typical>>) =
        record.complete_runs(case).into_iter().unzip();
    let times = |cells: &Vec<Typical>| cells.iter().map(|cell| cell.call_ns).collect();
    let cells: Vec<Vec<f64>> = typical.iter().map(times).collect();
    let quality: Vec<Typical> = typical.into_iter().flatten().collect();
    let supported = quality.iter().all(|cell| cell.support == Support::Full);
    let means: Vec<f64> =
        cells.iter().map(|run| run.iter().sum::<f64>() / run.len() as f64).collect();
    let time = summary::summarize(&means).ok().filter(|_| case.failures.is_empty() && supported);
    let flat = cells.concat();
    let spread = summary::summarize(&flat).ok().and_then(|all| all.spread);
    let rate = time.as_ref().and_then(|time| rate(case, time.mean));
    let metrics = if time.is_some() { metrics(case, &runs) } else { Vec::new() };
    Row {
        case,
        label: &case.name,
        cells,
        runs,
        quality,
        estimate: None,
        by_runs: None,
        widened: 1.0,
        time,
        spread,
        rate,
        metrics,
        speedup: None,
        real: None,
        relative: None,
    }
}

/// The time of each run of a row: the mean over its instances.
fn run_means(row: &Row<'_>) -> Vec<f64> {
    row.cells.iter().map(|run| run.iter().sum::<f64>() / run.len() as f64).collect()
}

/// Gives every row its estimate, widened by what all rows together tell of the likeness of neighbouring runs.
///
/// Where runs were added until the time was known to a `precision`, nobody has asked whether it is known better, and an
/// invocation of seconds does not see what the machine does in other minutes: the time may lie anywhere within that
/// precision, which is a type B evaluation with a rectangular distribution (GUM 4.3.7).
fn allow_for_drift(tables: &mut [TableResults<'_>], precision: Option<f64>) {
    let all: Vec<&Row<'_>> = rows(tables).into_iter().filter(|row| row.time.is_some()).collect();
    let logs = |row: &&Row<'_>| run_means(row).iter().map(|mean| mean.ln()).collect();
    let inflation = serial::inflation(&all.iter().map(logs).collect::<Vec<Vec<f64>>>());
    for row in tables.iter_mut().flat_map(|table| &mut table.rows) {
        // No mean is known less well than a single run of it.
        row.widened = inflation.min(row.runs.len().max(1) as f64).sqrt();
        let means = run_means(row);
        let Some(time) = &mut row.time else { continue };
        let clock_u_ns = row.quality.iter().map(|cell| cell.clock_u_ns).fold(0.0, f64::max);
        let estimate = after_pilot(&means, row.case).unwrap_or_else(|| time.estimate());
        let widened = estimate.widened(row.widened).unwrap_or(estimate);
        let unseen = precision.filter(|_| row.case.pilot_runs.is_some()).unwrap_or(0.0);
        let u_b_ns = clock_u_ns.hypot(unseen * time.mean / 3_f64.sqrt());
        let estimate = widened.with_type_b(u_b_ns).unwrap_or(widened);
        row.by_runs = Some(widened);
        (time.u, time.rsu) = (estimate.u, estimate.rsu());
        row.estimate = Some(estimate);
    }
}

/// The mean of values of one case, run by run, if more runs than its pilot were measured.
fn after_pilot(values: &[f64], case: &CaseRecord) -> Option<Estimate> {
    let pilot = case.pilot_runs.map(|runs| runs as usize).filter(|&pilot| pilot < values.len())?;
    two_stage::estimate(values, pilot, Confidence::P95).ok()
}

/// Each metric: the median over samples, averaged over instances, summarised over runs.
fn metrics(case: &CaseRecord, runs: &[u32]) -> Vec<Summary> {
    let one = |(index, metric): (usize, &MetricRecord)| {
        let of_measurement = |measurement: &Measurement| {
            let values: Vec<f64> = measurement
                .metrics
                .get(index)?
                .iter()
                .zip(&measurement.wall_ns)
                .map(|(&value, &wall_ns)| match metric.kind {
                    MetricKind::Cost => value / (measurement.calls as f64 * case.threads as f64),
                    MetricKind::Rate => value / (wall_ns.max(1) as f64 * 1e-9),
                })
                .collect();
            summary::quantile(&values, 0.5).ok()
        };
        let of_run = |run: &u32| {
            let found: Vec<f64> = case
                .measurements
                .iter()
                .filter(|measurement| measurement.run == *run)
                .filter_map(of_measurement)
                .collect();
            (!found.is_empty()).then(|| found.iter().sum::<f64>() / found.len() as f64)
        };
        let means: Vec<f64> = runs.iter().filter_map(of_run).collect();
        summary::summarize(&means).ok()
    };
    case.metrics.iter().enumerate().map_while(one).collect()
}

/// The first kind of work, per second: all instances' work over the time of all instances.
fn rate(case: &CaseRecord, mean_ns: f64) -> Option<(String, f64)> {
    let (unit, _) = case.instances.first()?.work.first()?;
    let total: f64 =
        case.instances.iter().filter_map(|instance| Some(instance.work.first()?.1)).sum();
    let mean_work = total / case.instances.len() as f64;
    // Every caller does the work of its calls.
    Some((unit.clone(), case.threads as f64 * mean_work / (mean_ns * 1e-9)))
}

/// Mean over instances of the runs that both rows have.
fn common_runs(one: &Row<'_>, other: &Row<'_>) -> (Vec<f64>, Vec<f64>) {
    let mean = |row: &Row<'_>, run: u32| {
        let index = row.runs.iter().position(|&r| r == run)?;
        Some(row.cells[index].iter().sum::<f64>() / row.cells[index].len() as f64)
    };
    one.runs.iter().filter_map(|&run| Some((mean(one, run)?, mean(other, run)?))).unzip()
}

/// Speedup of a row over a base that the same processes measured: its runs are pairs.
fn paired(base: &Row<'_>, new: &Row<'_>, kind: Kind) -> Option<Speedup> {
    (base.time.is_some() && new.time.is_some()).then_some(())?;
    let case = new.case;
    let (base, new) = common_runs(base, new);
    let mut speedup = speedup::paired(&base, &new, kind).ok()?;
    let logs: Vec<f64> = base.iter().zip(&new).map(|(base, new)| (base / new).ln()).collect();
    if let Some(estimate) = after_pilot(&logs, case) {
        speedup.sigma = estimate.u.map(|u| u * speedup.speedup);
        speedup.degrees_of_freedom = estimate.degrees_of_freedom;
    }
    Some(speedup)
}

/// Speedup of a row over a base that other processes measured.
fn unpaired(base: &Row<'_>, new: &Row<'_>, kind: Kind) -> Option<Speedup> {
    Speedup::from_estimates(base.estimate?, new.estimate?, kind).ok()
}

fn compare_with_baseline(table: &mut TableResults<'_>, record: &Record) {
    let Some(base) = table.rows.iter().position(|row| row.case.role == Role::Baseline) else {
        return;
    };
    let comparisons = table.rows.len().saturating_sub(1).max(1);
    // One wrong claim anywhere in the table is what alpha limits.
    let (Ok(margin), Ok(confidence)) = (
        Margin::new(record.settings.margin),
        Confidence::new(1.0 - record.settings.alpha / comparisons as f64),
    ) else {
        return;
    };
    let found: Vec<Option<Compared>> = (0..table.rows.len())
        .map(|index| {
            let speedup = (index != base)
                .then(|| paired(&table.rows[base], &table.rows[index], Kind::BetweenVariants))??;
            let case = table.rows[index].case;
            if case.until_decided {
                // Whoever has looked after each run needs intervals that hold after each of them.
                let seen = looks::decided(record, table.rows[base].case, case, comparisons)?;
                let judgement = seen.conclude().judgement;
                return Some(Compared { speedup, interval: judgement.interval, judgement });
            }
            let judgement = verdict::fixed(&speedup, margin, confidence);
            let interval = speedup.log_interval(Confidence::P95);
            Some(Compared { speedup, interval, judgement })
        })
        .collect();
    for (row, compared) in table.rows.iter_mut().zip(found) {
        row.speedup = compared;
    }
}

/// Real speedups against the reference of the same problem and point, and relative ones against one processor.
fn compare_across_tables(tables: &mut [TableResults<'_>]) {
    let mut found = Vec::new();
    for (t, table) in tables.iter().enumerate() {
        if table.problem.is_none() {
            continue;
        }
        let same_point = || {
            tables.iter().enumerate().filter(|(_, other)| {
                other.problem == table.problem
                    && other.point == table.point
                    && other.threads == table.threads
            })
        };
        // A reference in the same table was measured by the same processes, so its runs are pairs.
        let reference = |t: usize| {
            let of = |(index, table): (usize, &'_ TableResults<'_>)| {
                table
                    .rows
                    .iter()
                    .position(|row| row.case.role == Role::Reference)
                    .map(|row| (index, row))
            };
            of((t, table)).or_else(|| same_point().find_map(of))
        };
        for (r, row) in table.rows.iter().enumerate() {
            let real = reference(t).filter(|&at| at != (t, r)).and_then(|(other, base)| {
                let base = &tables[other].rows[base];
                if other == t {
                    paired(base, row, Kind::Real)
                } else {
                    unpaired(base, row, Kind::Real)
                }
            });
            let relative = (table.processors > 1).then(|| {
                let (_, one) = same_point().find(|(_, other)| other.processors == 1)?;
                let base = one.rows.iter().find(|base| base.case.function == row.case.function)?;
                unpaired(base, row, Kind::Relative)
            });
            found.push((t, r, real, relative.flatten()));
        }
    }
    for (t, r, real, relative) in found {
        tables[t].rows[r].real = real;
        tables[t].rows[r].relative = relative;
    }
}
