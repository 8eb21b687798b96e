//! The planning side: which worker runs what, in which order and for how long; what goes wrong is written down.
//! It computes no statistics and prints nothing but progress.

mod asked;
mod cells;
pub(crate) mod child;
mod here;
mod pass;
mod plan;
mod profile;
pub(crate) mod random;
mod schedule;
mod table;
mod valgrind;

use std::{
    path::PathBuf,
    process::Command,
    time::{Duration, Instant},
};

pub(crate) use child::WORKER_FLAG;
pub(crate) use here::{Here, host, take_processors};
pub(crate) use profile::profile;
pub(crate) use table::Table;

use crate::{
    analysis::serial,
    record::{CaseRecord, Manifest, MetricRecord, Record, Role, SCHEMA, Settings},
    registry::{self, Case},
    worker::protocol::{CLOCK_VARIABLE, MEMORY_VARIABLE},
};
use child::{Silence, Worker};
use random::Random;

/// How to measure, from the command line.
#[derive(Debug, Clone)]
pub(crate) struct Configuration {
    /// The program whose workers measure: this one.
    pub(crate) binary: PathBuf,
    /// Runs, if the command line decides.
    pub(crate) runs: Option<u32>,
    /// Samples of an instance in a run, if the command line decides.
    pub(crate) samples: Option<u32>,
    /// Time for the samples of an instance in a run, if the command line decides.
    pub(crate) sample_time: Option<Duration>,
    /// Time for everything, if the command line limits it.
    pub(crate) max_time: Option<Duration>,
    /// Memory that a worker may use, if the command line limits it.
    pub(crate) memory_limit: Option<u64>,
    /// Time that the samples of an instance in a run last at least, if the command line decides.
    pub(crate) min_time: Option<Duration>,
    /// Calls in a sample, if the command line decides.
    pub(crate) iterations: Option<u64>,
    /// Time to warm up before the samples, if the command line decides.
    pub(crate) warm_up: Option<Duration>,
    /// Time-out of a call, if the command line decides.
    pub(crate) timeout: Option<Duration>,
    /// Time windows with the processor's counter instead of the clock of the operating system.
    pub(crate) counter: bool,
    /// Let workers for one processor use any, instead of confining them to that of the runner.
    pub(crate) any_processor: bool,
    /// Show what kernels print instead of keeping it for failures.
    pub(crate) show_output: bool,
    /// Have every variant that can tell count one solution of each instance, in the first run.
    pub(crate) tallies: bool,
    /// Have the instructions of each benchmark counted under valgrind, after all runs.
    pub(crate) instructions: bool,
    /// Call everything once and check it, without measuring.
    pub(crate) once: bool,
    /// The session of this process, if kernels are to run here instead of in workers.
    pub(crate) here: Option<Here>,
    /// Measure variants until it is decided how they compare with the baseline, instead of until their times are precise.
    pub(crate) until_decided: bool,
    /// What is recorded of all this.
    pub(crate) settings: Settings,
}

/// The most runs of a table that is measured until its comparisons are decided.
const MOST_LOOKS: u32 = 60;

/// The least runs of such a table: no rule decides earlier.
const LEAST_LOOKS: u32 = 6;

/// The time that a call may take where nobody says otherwise.
pub(crate) const DEFAULT_TIMEOUT: Duration = Duration::from_secs(120);

impl Configuration {
    /// Runs of a case that somebody has fixed: flag, else attribute.
    fn fixed_runs_of(&self, case: &Case) -> Option<u32> {
        if self.once { Some(1) } else { self.runs.or(case.options.runs) }
    }

    /// Runs of a case to begin with: as fixed, else the default.
    fn runs_of(&self, case: &Case) -> u32 {
        self.fixed_runs_of(case).unwrap_or(self.settings.runs).max(1)
    }

    /// A worker for a number of processors, or the session of this process.
    fn worker(&self, processors: usize, padding: usize) -> Result<Worker, Silence> {
        match &self.here {
            Some(here) => Worker::here(here),
            None => {
                Worker::start_with(&self.binary, processors, padding, self.show_output, |command| {
                    self.prepare(command)
                })
            }
        }
    }

    /// The last word on the command that starts a worker.
    fn prepare(&self, command: &mut Command) {
        if let Some(bytes) = self.memory_limit {
            command.env(MEMORY_VARIABLE, bytes.to_string());
        }
        if self.counter {
            command.env(CLOCK_VARIABLE, "tsc");
        }
    }

    /// Time-out of a case: flag, else attribute, else default.
    fn timeout_of(&self, case: &Case) -> Duration {
        self.timeout.or(case.options.timeout).unwrap_or(DEFAULT_TIMEOUT)
    }
}

/// Where measuring stands, before a table is measured.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Position<'a> {
    /// The run that the table is measured in, from 0.
    pub(crate) run: u32,
    /// The runs that are planned so far.
    pub(crate) runs: u32,
    /// What is measured next.
    pub(crate) table: &'a str,
    /// The time that measuring has taken so far.
    pub(crate) spent: Duration,
    /// The time that is left, as far as it can be known; `None` before anything is known.
    pub(crate) left: Option<Duration>,
}

/// What is told while measuring goes on, always between samples.
pub(crate) trait Watcher {
    /// A run of a table begins.
    fn begin(&mut self, position: Position<'_>);
    /// A whole run is finished: the record holds it.
    fn finished_run(&mut self, record: &Record);
}

/// A record of these cases in which nothing is measured yet.
pub(crate) fn nothing_yet(
    cases: &[Case],
    configuration: &Configuration,
    manifest: Manifest,
) -> Record {
    Record {
        schema: SCHEMA,
        manifest,
        settings: configuration.settings.clone(),
        interrupted: None,
        order: Vec::new(),
        workers: Vec::new(),
        cases: cases.iter().map(empty_record).collect(),
    }
}

/// Measures cases into a record of them: every run passes over all tables once, each in a fresh process, in random
/// order.
///
/// The first runs show how much runs differ; where nobody has fixed their number, tables that are not precise enough
/// get more, and the record says so.
pub(crate) fn measure(
    cases: &[Case],
    configuration: &Configuration,
    record: Record,
    watcher: &mut dyn Watcher,
) -> Record {
    let tables = Table::all(cases);
    let planned = tables.iter().map(|table| table.runs(configuration)).collect();
    let mut course = Course {
        done: vec![0; tables.len()],
        tables,
        planned,
        configuration,
        random: Random::new(configuration.settings.seed),
        record,
        watcher,
        begin: Instant::now(),
    };
    course.mark_until_decided();
    let outcome = course.runs().and_then(|()| {
        course.add_runs();
        course.runs()
    });
    let mut record = course.record;
    let mut signal = match outcome {
        Err(End::Interrupted(signal)) => Some(signal),
        _ => None,
    };
    if configuration.instructions && signal.is_none() {
        // After everything that is timed, and in processes of their own.
        signal = valgrind::count_instructions(cases, configuration, &mut record).err();
    }
    record.interrupted = signal;
    record
}

/// Why measuring ends before all runs are done.
enum End {
    Interrupted(i32),
    OutOfTime,
    /// A kernel has failed in this process, and there is no other one.
    Failed,
}

/// Measuring, as far as it has come.
struct Course<'a> {
    tables: Vec<Table>,
    /// Runs that each table has had.
    done: Vec<u32>,
    /// Runs that each table is to have.
    planned: Vec<u32>,
    configuration: &'a Configuration,
    random: Random,
    record: Record,
    watcher: &'a mut dyn Watcher,
    begin: Instant,
}

impl Course<'_> {
    /// Does all planned runs, one of each table after the other.
    fn runs(&mut self) -> Result<(), End> {
        loop {
            let mut order: Vec<usize> = (0..self.tables.len()).collect();
            order.retain(|&index| self.done[index] < self.planned[index]);
            if order.is_empty() {
                return Ok(());
            }
            self.random.shuffle(&mut order);
            while let Some(index) = order.pop() {
                let run = self.done[index];
                self.watcher.begin(Position {
                    run,
                    runs: self.planned.iter().copied().max().unwrap_or(0),
                    table: &self.tables[index].title(),
                    spent: self.begin.elapsed(),
                    left: self.left(),
                });
                // Two runs are the least that has an uncertainty; they are worth more than the limit.
                let limit = self.configuration.max_time.filter(|_| run >= 2);
                if limit.is_some_and(|limit| self.begin.elapsed() >= limit) {
                    return Err(End::OutOfTime);
                }
                let table = &mut self.tables[index];
                table.run(run, self.configuration, &mut self.random, &mut self.record)?;
                self.done[index] += 1;
                self.look(index);
            }
            self.watcher.finished_run(&self.record);
        }
    }

    /// What is left to do, in time.
    fn left(&self) -> Option<Duration> {
        let known: Vec<Duration> = self.tables.iter().filter_map(Table::cost).collect();
        let usual = known.iter().sum::<Duration>().checked_div(u32::try_from(known.len()).ok()?)?;
        let cost = |index: usize| self.tables[index].cost().unwrap_or(usual);
        let rest = |index: usize| self.planned[index].saturating_sub(self.done[index]);
        let all = (0..self.tables.len()).map(|index| cost(index) * rest(index)).sum::<Duration>();
        Some(self.time_left().map_or(all, |limit| limit.min(all)))
    }

    /// The time that is left of what measuring may take, if that is limited.
    fn time_left(&self) -> Option<Duration> {
        self.configuration.max_time.map(|limit| limit.saturating_sub(self.begin.elapsed()))
    }

    /// What a table may take beyond its pilot where nobody limits the whole.
    fn beyond(&self, index: usize) -> Duration {
        schedule::BEYOND_PILOT * u32::try_from(self.tables[index].cases.len()).unwrap_or(1)
    }

    /// Whether a table is measured until its comparisons are decided.
    fn until_decided(&self, index: usize) -> bool {
        let table = &self.tables[index];
        self.configuration.until_decided && !table.is_fixed(self.configuration) && table.compares()
    }

    /// Writes down which intervals have to allow for looks: before anybody has looked.
    fn mark_until_decided(&mut self) {
        for index in 0..self.tables.len() {
            if !self.until_decided(index) {
                continue;
            }
            for &(case, _) in &self.tables[index].cases {
                self.record.cases[case].until_decided = true;
            }
        }
    }

    /// Gives one more run to a table that has had all of its runs, and whose comparisons are not decided.
    fn look(&mut self, index: usize) {
        let runs = self.done[index];
        if runs < self.planned[index] || runs >= MOST_LOOKS || !self.until_decided(index) {
            return;
        }
        let table = &self.tables[index];
        let pilot = table.runs(self.configuration);
        let affordable = table.cost().is_some_and(|cost| match self.time_left() {
            Some(left) => cost <= left,
            None => cost * (runs + 1).saturating_sub(pilot) <= self.beyond(index),
        });
        // At least as many runs as a decision takes, whatever they cost.
        let enough = runs >= LEAST_LOOKS;
        if table.is_undecided(&self.record) && (affordable || !enough) {
            self.planned[index] += 1;
        }
    }

    /// Gives more runs to tables whose pilot is not precise enough.
    fn add_runs(&mut self) {
        let Some(precision) = self.configuration.settings.precision else { return };
        let pilots = |(index, table): (usize, &Table)| {
            table.all_pilot_logs(&self.record, self.planned[index])
        };
        let logs: Vec<Vec<f64>> = self.tables.iter().enumerate().flat_map(pilots).collect();
        let widened = serial::inflation(&logs).sqrt();
        let need = |(index, table): (usize, &Table)| {
            let pilot = self.planned[index];
            let open =
                !table.is_fixed(self.configuration) && pilot >= 2 && !self.until_decided(index);
            open.then(|| table.need(&self.record, pilot, precision, widened))?
        };
        let needs: Vec<_> = self.tables.iter().enumerate().map(need).collect();
        let runs = schedule::plan(&needs, self.time_left(), |index| self.beyond(index));
        for (index, need) in needs.iter().enumerate() {
            let Some(need) = need else { continue };
            for &(case, _) in &self.tables[index].cases {
                self.record.cases[case].pilot_runs = Some(need.pilot);
            }
            self.planned[index] = runs[index];
        }
    }
}

fn empty_record(case: &Case) -> CaseRecord {
    CaseRecord {
        name: case.name.clone(),
        function: case.function.clone(),
        problem: case.problem(),
        point: case.point_name.clone(),
        size: case.size,
        models: case.models().iter().map(|&name| name.to_owned()).collect(),
        role: match case.role() {
            registry::Role::Contender => Role::Contender,
            registry::Role::Baseline => Role::Baseline,
            registry::Role::Reference => Role::Reference,
        },
        processors: case.processors,
        threads: case.threads,
        metrics: case
            .options
            .metrics
            .0
            .iter()
            .map(|metric| MetricRecord {
                name: metric.name().to_owned(),
                unit: metric.unit().to_owned(),
                kind: metric.kind(),
            })
            .collect(),
        instances: Vec::new(),
        pilot_runs: None,
        until_decided: false,
        measurements: Vec::new(),
        tallies: Vec::new(),
        failures: Vec::new(),
    }
}
