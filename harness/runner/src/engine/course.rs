//! The course of `cargo bench`: runs of tables in random order, more of them where the first ones are not precise enough,
//! until all is done, decided, out of time, or interrupted.

mod repeats;

use std::time::Duration;

use super::{
    Random, allocation,
    configuration::Configuration,
    machine::{Machine, Program},
    plan::by_kind,
    run::Setting,
    table::Table,
    valgrind,
    workers::Workers,
};
use crate::{
    analysis::serial,
    record::{CaseRecord, Manifest, Record, SCHEMA},
};
use plusminus_worker::{json::FromJson, protocol::CaseDescription};

/// The most runs of a table that is measured until its comparisons are decided.
const MOST_LOOKS: u32 = 60;

/// The least runs of such a table: no rule decides earlier.
const LEAST_LOOKS: u32 = 6;

/// Where measuring stands, before a table is measured.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Position<'a> {
    /// The run that the table is measured in, from 0.
    pub(crate) run: u32,
    pub(crate) runs: u32,
    pub(crate) table: &'a str,
    pub(crate) spent: Duration,
    /// The time that is left, as far as it can be known; `None` before anything is known.
    pub(crate) left: Option<Duration>,
}

pub(crate) trait Watcher {
    fn begin(&mut self, _: Position<'_>) {}
    /// A whole run is finished: the record holds it.
    fn finished_run(&mut self, _: &Record) {}
}

/// A record of these cases in which nothing is measured yet.
pub(crate) fn nothing_yet(
    cases: &[CaseDescription],
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

fn empty_record(case: &CaseDescription) -> CaseRecord {
    CaseRecord {
        name: case.name.clone(),
        function: case.function.clone(),
        problem: case.problem.clone(),
        point: case.point.clone(),
        size: case.size,
        models: case.models.clone(),
        role: case.role,
        processors: case.processors,
        threads: case.threads,
        metrics: case.metrics.clone(),
        phases: case.phases.clone(),
        ..CaseRecord::blank()
    }
}

/// Measures cases into a record of them: every run passes over all tables once, each in a fresh process, in random
/// order.
///
/// The first runs show how much runs differ. If their number is not fixed, tables that are not precise enough get
/// more, and the record contains that.
pub(crate) fn measure(
    cases: &[CaseDescription],
    (machine, program): (&dyn Machine, &Program),
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
        setting: Setting { machine, program, configuration },
        random: Random::new(configuration.settings.seed),
        record,
        watcher,
        begin: machine.now(),
        idle: None,
        outlook: None,
        probed: None,
        repeated: Duration::ZERO,
    };
    course.mark_until_decided();
    course.probe(Duration::ZERO);
    let outcome = course.everything();
    course.probe(Duration::ZERO);
    let mut record = course.record;
    let mut signal = match outcome {
        Err(End::Interrupted(signal)) => Some(signal),
        _ => None,
    };
    if configuration.instructions && signal.is_none() {
        // After everything that is timed, and in processes of their own.
        let setting = Setting { machine, program, configuration };
        signal = valgrind::count_instructions(cases, setting, &mut record).err();
    }
    record.interrupted = signal;
    record
}

/// Time between two looks at the probes: they take about a hundredth of it.
const BETWEEN_PROBES: Duration = Duration::from_secs(2);

/// The time that the runs of a table may take in quick mode, for each of its benchmarks. A first run is always taken,
/// and a second one if it takes no more than this.
const GLANCE: Duration = Duration::from_millis(60);

/// How often each probe is taken then, so that the shortest measurement knows how much they scatter.
const PROBES: usize = 3;

/// How long an estimate of the time that is left serves.
const OUTLOOK: Duration = Duration::from_millis(100);

#[derive(Clone, Copy)]
struct Outlook {
    at: Duration,
    runs: u32,
    left: Option<Duration>,
}

/// Why measuring ends before all runs are done.
enum End {
    Interrupted(i32),
    OutOfTime,
    /// A kernel has failed in this process, and there is no other one.
    Failed,
}

struct Course<'a> {
    tables: Vec<Table>,
    done: Vec<u32>,
    planned: Vec<u32>,
    setting: Setting<'a>,
    random: Random,
    record: Record,
    watcher: &'a mut dyn Watcher,
    begin: Duration,
    /// Workers that a table has left to the next one.
    idle: Option<Workers<'a>>,
    outlook: Option<Outlook>,
    probed: Option<Duration>,
    repeated: Duration,
}

impl Course<'_> {
    /// Takes the probes, unless they were taken a moment ago. Quick mode has none: they take as long as it does.
    fn probe(&mut self, between: Duration) {
        let configuration = self.setting.configuration;
        if configuration.once
            || configuration.settings.glance
            || self.probed.is_some_and(|last| self.spent() < last + between)
        {
            return;
        }
        for _ in 0..PROBES {
            let probed = self.setting.machine.probe();
            let times = probed.iter().map(|probed| (probed.name, probed.ns));
            self.record.manifest.note_probes(times);
        }
        self.probed = Some(self.spent());
    }

    /// Does the pilot, and the runs that it shows to be needed.
    fn everything(&mut self) -> Result<(), End> {
        self.runs()?;
        self.improve_all()?;
        self.add_runs();
        self.runs()?;
        self.improve_all()
    }

    fn run(&mut self, index: usize, run: u32) -> Result<bool, End> {
        let healthy = self.tables[index]
            .run(run, self.setting, &mut self.random, &mut self.record, &mut self.idle)
            .map_err(End::Interrupted)?;
        match healthy || !self.setting.configuration.settings.in_process {
            true => Ok(healthy),
            false => Err(End::Failed),
        }
    }

    /// Does all planned runs, one of each table after the other.
    fn runs(&mut self) -> Result<(), End> {
        loop {
            let mut order: Vec<usize> = (0..self.tables.len()).collect();
            order.retain(|&index| self.done[index] < self.planned[index]);
            if order.is_empty() {
                return Ok(());
            }
            self.setting.machine.begin_run();
            self.random.shuffle(&mut order);
            if self.setting.configuration.shares_workers() {
                let kinds = by_kind(&order, |index| self.tables[index].kind());
                order = kinds.into_iter().flat_map(|(_, alike)| alike).collect();
            }
            while let Some(index) = order.pop() {
                let run = self.done[index];
                self.tell(index);
                if self.time_left().is_some_and(|left| left.is_zero()) {
                    return Err(End::OutOfTime);
                }
                self.run(index, run)?;
                self.done[index] += 1;
                self.improve(index, run)?;
                self.look(index);
                self.shorten(index);
                self.probe(BETWEEN_PROBES);
            }
            // Every run is in fresh processes.
            if let Some(mut idle) = self.idle.take() {
                idle.let_go();
            }
            self.watcher.finished_run(&self.record);
        }
    }

    /// Takes further runs away from a table that would take too long for quick mode, such as one with a slow input.
    fn shorten(&mut self, index: usize) {
        let configuration = self.setting.configuration;
        let table = &self.tables[index];
        if !configuration.settings.glance || table.is_fixed(configuration) {
            return;
        }
        let Some(cost) = table.cost() else { return };
        let allowed = GLANCE * u32::try_from(table.cases.len()).unwrap_or(1);
        let runs = self.done[index];
        let affordable = cost * (runs + 1) <= allowed || runs < 2 && cost <= allowed;
        if !affordable {
            self.planned[index] = self.planned[index].min(runs);
        }
    }

    fn tell(&mut self, index: usize) {
        let spent = self.spent();
        // Looking at all tables takes a while where there are thousands.
        if self.outlook.is_none_or(|known| spent >= known.at + OUTLOOK) {
            let runs = self.planned.iter().copied().max().unwrap_or(0);
            self.outlook = Some(Outlook { at: spent, runs, left: self.left() });
        }
        let Some(outlook) = self.outlook else { return };
        self.watcher.begin(Position {
            run: self.done[index],
            runs: outlook.runs,
            table: &self.tables[index].title(),
            spent,
            left: outlook.left.map(|left| (left + outlook.at).saturating_sub(spent)),
        });
    }

    fn spent(&self) -> Duration {
        self.setting.machine.now().saturating_sub(self.begin)
    }

    fn left(&self) -> Option<Duration> {
        let known: Vec<Duration> = self.tables.iter().filter_map(Table::cost).collect();
        let usual = known.iter().sum::<Duration>().checked_div(u32::try_from(known.len()).ok()?)?;
        let cost = |index: usize| self.tables[index].cost().unwrap_or(usual);
        let rest = |index: usize| self.planned[index].saturating_sub(self.done[index]);
        let all = (0..self.tables.len()).map(|index| cost(index) * rest(index)).sum::<Duration>();
        Some(self.time_left().map_or(all, |limit| limit.min(all)))
    }

    fn time_left(&self) -> Option<Duration> {
        let limit = self.setting.configuration.max_time?;
        Some(limit.saturating_sub(self.spent()))
    }

    /// Returns the time that a table may take beyond its pilot when the whole has no limit.
    fn beyond(&self, index: usize) -> Duration {
        allocation::BEYOND_PILOT * u32::try_from(self.tables[index].cases.len()).unwrap_or(1)
    }

    fn until_decided(&self, index: usize) -> bool {
        let table = &self.tables[index];
        self.setting.configuration.until_decided
            && !table.is_fixed(self.setting.configuration)
            && table.compares()
    }

    /// Writes down which intervals have to allow for looks: before the first look.
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
        let pilot = table.runs(self.setting.configuration);
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
        let Some(precision) = self.setting.configuration.settings.precision else { return };
        let pilots = |(index, table): (usize, &Table)| {
            table.all_pilot_logs(&self.record, self.planned[index])
        };
        let logs: Vec<Vec<f64>> = self.tables.iter().enumerate().flat_map(pilots).collect();
        let widened = serial::inflation(&logs).sqrt();
        let need = |(index, table): (usize, &Table)| {
            let pilot = self.planned[index];
            let open = !table.is_fixed(self.setting.configuration)
                && pilot >= 2
                && !self.until_decided(index);
            open.then(|| table.need(&self.record, pilot, precision, widened))?
        };
        let needs: Vec<_> = self.tables.iter().enumerate().map(need).collect();
        let runs = allocation::plan(&needs, self.time_left(), |index| self.beyond(index));
        for (index, need) in needs.iter().enumerate() {
            let Some(need) = need else { continue };
            for &(case, _) in &self.tables[index].cases {
                self.record.cases[case].pilot_runs = Some(need.pilot);
            }
            if !self.setting.configuration.settings.glance {
                self.planned[index] = runs[index];
            }
        }
    }
}
