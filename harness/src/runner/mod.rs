//! The planning side: which worker runs what, in which order and for how long; what goes wrong is written down.
//! It computes no statistics and prints nothing but progress.

pub(crate) mod child;
mod plan;
pub(crate) mod random;
mod table;

use std::{path::PathBuf, time::Duration};

pub(crate) use child::WORKER_FLAG;
pub(crate) use table::Table;

use crate::{
    record::{CaseRecord, Manifest, Record, Role, SCHEMA, Settings},
    registry::{self, Case},
};
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
    pub(crate) max_time: Option<Duration>,
    /// Time-out of a call, if the command line decides.
    pub(crate) timeout: Option<Duration>,
    /// Show what kernels print instead of keeping it for failures.
    pub(crate) show_output: bool,
    /// Call everything once and check it, without measuring.
    pub(crate) once: bool,
    /// What is recorded of all this.
    pub(crate) settings: Settings,
}

/// The time that a call may take where nobody says otherwise.
pub(crate) const DEFAULT_TIMEOUT: Duration = Duration::from_secs(120);

impl Configuration {
    /// Runs of a case: flag, else attribute, else default.
    fn runs_of(&self, case: &Case) -> u32 {
        if self.once {
            return 1;
        }
        self.runs.or(case.options.runs).unwrap_or(self.settings.runs).max(1)
    }

    /// Time-out of a case: flag, else attribute, else default.
    fn timeout_of(&self, case: &Case) -> Duration {
        self.timeout.or(case.options.timeout).unwrap_or(DEFAULT_TIMEOUT)
    }
}

/// What is told while measuring goes on.
pub(crate) trait Watcher {
    /// A run of a table begins.
    fn begin(&mut self, run: u32, runs: u32, table: &str);
    /// A whole run is finished: the record holds it.
    fn finished_run(&mut self, record: &Record);
}

/// Measures cases: every run passes over all tables once, each in a fresh process, in random order.
pub(crate) fn measure(
    cases: Vec<Case>,
    configuration: &Configuration,
    manifest: Manifest,
    watcher: &mut dyn Watcher,
) -> Record {
    let mut random = Random::new(configuration.settings.seed);
    let mut record = Record {
        schema: SCHEMA,
        manifest,
        settings: configuration.settings.clone(),
        interrupted: None,
        order: Vec::new(),
        cases: cases.iter().map(empty_record).collect(),
    };
    let mut tables = Table::all(&cases);
    let runs = tables.iter().map(|table| table.runs(configuration)).max().unwrap_or(0);
    for run in 0..runs {
        let mut order: Vec<usize> = (0..tables.len()).collect();
        random.shuffle(&mut order);
        for index in order {
            let table = &mut tables[index];
            if run >= table.runs(configuration) {
                continue;
            }
            watcher.begin(run, runs, &table.title());
            if let Err(signal) = table.run(run, configuration, &mut random, &mut record) {
                record.interrupted = Some(signal);
                return record;
            }
        }
        watcher.finished_run(&record);
    }
    record
}

fn empty_record(case: &Case) -> CaseRecord {
    CaseRecord {
        name: case.name.clone(),
        function: case.entry.path(),
        problem: case.problem(),
        point: case.point_name.clone(),
        role: match case.role() {
            registry::Role::Contender => Role::Contender,
            registry::Role::Baseline => Role::Baseline,
            registry::Role::Reference => Role::Reference,
        },
        processors: case.processors,
        instances: Vec::new(),
        measurements: Vec::new(),
        failures: Vec::new(),
    }
}
