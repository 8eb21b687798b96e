//! From a record to the tables of its report: benchmarks side by side, each with its time and ratios.

use std::collections::BTreeMap;

use super::{
    Parts, RealSpeedup, Support, Time, Typical, metrics, parts,
    speedups::{self, Compared, Placed},
    time::{Allowances, mean_of_cells},
};
use crate::{
    analysis::{Estimate, serial, speedup::Speedup, summary, summary::Summary},
    record::{CaseRecord, Record, Settings},
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
    /// The recorded case.
    pub case: &'a CaseRecord,
    /// How the row is called within its table: without the module that all its variants share.
    pub label: &'a str,
    /// Time of one call in nanoseconds for each complete run and each instance: the median of the samples.
    pub cells: Vec<Vec<f64>>,
    /// The runs that are complete.
    pub runs: Vec<u32>,
    /// How each of the cells came about, run by run.
    pub quality: Vec<Typical>,
    /// The time of a call, averaged over the instances; `None` where nothing was measured, something failed, or the clock
    /// does not support a time.
    pub time: Option<Time>,
    /// The factor by which the uncertainty of the time was widened because neighboring runs of this record resemble each
    /// other; at least 1. See [`serial::inflation`].
    pub widened: f64,
    /// Standard deviation of single cells (run × instance), in nanoseconds; `None` for a single cell.
    pub spread: Option<f64>,
    /// Unit and amount of work per second.
    pub rate: Option<(String, f64)>,
    /// The metrics of the case, per call or per second, summarized over runs.
    pub metrics: Vec<Summary>,
    /// The phases of the kernel, where it declares any, and their sum against the whole.
    pub parts: Option<Parts>,
    /// Against the baseline variant of the table.
    pub speedup: Option<Compared>,
    /// Against the fastest sequential variant at the same point, for problems that have a reference or are solved in
    /// parallel.
    pub real: Option<RealSpeedup>,
    /// T(n, 1) over T(n, p) of the same variant.
    pub relative: Option<Speedup>,
    allowances: Allowances,
}

impl Row<'_> {
    /// The time of a call with its uncertainty, in nanoseconds.
    pub fn estimate(&self) -> Option<Estimate> {
        self.time.as_ref().map(|time| time.estimate)
    }

    /// The time of a call on one instance, with the same allowances as the time over all of them. `None` where the row has
    /// no time, and for an unknown instance.
    pub fn instance_time(&self, instance: usize) -> Option<Time> {
        self.time.as_ref()?;
        let count = self.case.instances.len();
        let of_run = |run: &Vec<f64>| run.get(instance).copied();
        let times: Vec<f64> = self.cells.iter().map(of_run).collect::<Option<_>>()?;
        let cells = self.quality.iter().skip(instance).step_by(count);
        let clock_u_ns = cells.map(|cell| cell.clock_u_ns).fold(0.0, f64::max);
        Time::new(self.case, &self.runs, times, clock_u_ns, self.allowances)
    }
}

/// All tables of a record.
///
/// Takes time in proportion to n log n of its cases, instances, runs and samples.
pub fn tables(record: &Record) -> Vec<TableResults<'_>> {
    let rows: Vec<Row<'_>> = record.cases.iter().map(|case| row(case, record)).collect();
    let mut tables = grouped(rows);
    allow_for_drift(&mut tables, &record.settings);
    for row in rows_mut(&mut tables) {
        row.parts = parts::parts(row, record, row.allowances);
    }
    for table in &mut tables {
        label(table);
        let found = speedups::with_baseline(&table.rows, record);
        for (row, compared) in table.rows.iter_mut().zip(found) {
            row.speedup = compared;
        }
    }
    compare_across_tables(&mut tables);
    tables
}

/// The properties that cases of one table have in common.
type TableKey<'a> = Option<(&'a str, &'a str, usize, usize)>;

fn key<'a>(row: &Row<'a>) -> TableKey<'a> {
    let case = row.case;
    Some((case.problem.as_deref()?, &case.point, case.processors, case.threads))
}

fn grouped(rows: Vec<Row<'_>>) -> Vec<TableResults<'_>> {
    let mut table_of = BTreeMap::new();
    let mut tables: Vec<TableResults<'_>> = Vec::new();
    for row in rows {
        let at = *table_of.entry(key(&row)).or_insert(tables.len());
        if at == tables.len() {
            let case = row.case;
            let problem = case.problem.as_deref();
            tables.push(TableResults {
                problem,
                point: if problem.is_some() { &case.point } else { "" },
                processors: case.processors,
                threads: case.threads,
                rows: Vec::new(),
            });
        }
        tables[at].rows.push(row);
    }
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

pub(crate) fn rows<'t, 'a>(tables: &'t [TableResults<'a>]) -> Vec<&'t Row<'a>> {
    tables.iter().flat_map(|table| &table.rows).collect()
}

fn row<'a>(case: &'a CaseRecord, record: &Record) -> Row<'a> {
    let (runs, typical): (Vec<u32>, Vec<Vec<Typical>>) =
        record.complete_runs(case).into_iter().unzip();
    let times = |cells: &Vec<Typical>| cells.iter().map(|cell| cell.call_ns).collect();
    let cells: Vec<Vec<f64>> = typical.iter().map(times).collect();
    let means = typical.iter().map(|cells| mean_of_cells(cells)).collect();
    let quality: Vec<Typical> = typical.into_iter().flatten().collect();
    let supported = quality.iter().all(|cell| cell.support == Support::Full);
    let clock_u_ns = quality.iter().map(|cell| cell.clock_u_ns).fold(0.0, f64::max);
    let allowances = Allowances { inflation: 1.0, precision: None, glance: false };
    let time = Time::new(case, &runs, means, clock_u_ns, allowances)
        .filter(|_| case.failures.is_empty() && supported);
    let spread = summary::summarize(&cells.concat()).ok().and_then(|all| all.spread);
    let rate = time.as_ref().and_then(|time| metrics::rate(case, time.estimate.value));
    let metrics = if time.is_some() { metrics::metrics(case, &runs) } else { Vec::new() };
    Row {
        case,
        label: &case.name,
        cells,
        runs,
        quality,
        time,
        widened: 1.0,
        spread,
        rate,
        metrics,
        parts: None,
        speedup: None,
        real: None,
        relative: None,
        allowances,
    }
}

/// Gives every row its estimate, widened by what all rows together tell of the resemblance of neighboring runs.
fn allow_for_drift(tables: &mut [TableResults<'_>], settings: &Settings) {
    let all = rows(tables);
    let times = all.iter().filter_map(|row| row.time.as_ref());
    let logs = times.map(|time| time.run_means_ns.iter().map(|mean| mean.ln()).collect());
    let inflation = serial::inflation(&logs.collect::<Vec<_>>());
    let Settings { precision, glance, .. } = *settings;
    let allowances = Allowances { inflation, precision, glance };
    for row in rows_mut(tables) {
        row.allowances = allowances;
        row.widened = allowances.widened(row.runs.len());
        let Some(time) = row.time.take() else { continue };
        let clock_u_ns = row.quality.iter().map(|cell| cell.clock_u_ns).fold(0.0, f64::max);
        row.time = Time::new(row.case, &row.runs, time.run_means_ns, clock_u_ns, allowances);
    }
}

fn rows_mut<'t, 'a>(tables: &'t mut [TableResults<'a>]) -> impl Iterator<Item = &'t mut Row<'a>> {
    tables.iter_mut().flat_map(|table| &mut table.rows)
}

fn compare_across_tables(tables: &mut [TableResults<'_>]) {
    let mut placed = Vec::new();
    for (index, table) in tables.iter().enumerate() {
        for row in &table.rows {
            let time = row.time.as_ref();
            placed.push(Placed { case: row.case, time, record: 0, table: index });
        }
    }
    let found = speedups::across(&placed);
    for (row, against) in rows_mut(tables).zip(found) {
        row.real = against.real;
        row.relative = against.relative;
    }
}
