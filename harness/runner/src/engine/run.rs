//! One run of one table: a worker is started, asked for samples in rounds of random order, and let go.

use super::{
    Random,
    asking::{About, CaseError, Stop},
    cells::{Cell, Cells},
    configuration::Configuration,
    machine::{Machine, Program},
    plan::{Kind, Plan},
    sampling::{Sampler, Taken},
    sizes::{Design, Sizes},
    table::Table,
    workers::{NotStarted, Workers},
};
use crate::record::{Failure, InstanceRecord, Record, Step};
use plusminus_worker::protocol::{CaseDescription, Request};

/// Passes over the variants within the samples of one instance, each in an order of its own.
const ROUNDS: u32 = 4;

/// The same in quick mode, where each pass begins with a sample that does not count.
const GLANCES: u32 = 2;

#[derive(Clone, Copy)]
pub(super) struct Setting<'a> {
    pub(super) machine: &'a dyn Machine,
    pub(super) program: &'a Program,
    pub(super) configuration: &'a Configuration,
}

pub(super) struct Run<'a, 'm> {
    pub(super) setting: Setting<'m>,
    pub(super) table: &'a mut Table,
    pub(super) run: u32,
    pub(super) random: &'a mut Random,
    pub(super) record: &'a mut Record,
    /// Workers that another table of this run has left, where tables share them.
    pub(super) idle: &'a mut Option<Workers<'m>>,
    /// The cells that this run has measured already.
    pub(super) done: Cells<()>,
    /// Whether the present worker has measured other tables before.
    pub(super) used: bool,
}

impl Run<'_, '_> {
    /// Positions in the table of the cases that have not failed.
    pub(super) fn healthy(&self) -> Vec<usize> {
        (0..self.table.cases.len()).filter(|&position| self.is_healthy(position)).collect()
    }

    fn is_healthy(&self, position: usize) -> bool {
        self.record.cases[self.table.cases[position].0].failures.is_empty()
    }

    /// Records a failure: for its culprit, or for all that were loaded.
    fn note(&mut self, error: &CaseError, loaded: &[usize]) {
        for &position in error.culprits(loaded) {
            self.record.cases[self.table.cases[position].0].failures.push(Failure {
                run: self.run,
                instance: error.about.instance,
                cause: self.setting.configuration.explained(error),
                output: error.output.clone(),
            });
        }
    }

    /// Starts a worker and measures all that is left, or as much as the worker survives. Returns whether anything is
    /// left for another worker; the error is the signal by which the user wants to stop.
    pub(super) fn with_fresh_worker(&mut self) -> Result<bool, i32> {
        let loaded = self.healthy();
        if loaded.is_empty() {
            return Ok(false);
        }
        match self.measure(&loaded) {
            Ok(()) => Ok(false),
            Err(Stop::Interrupted(signal)) => Err(signal),
            Err(Stop::Failed(error)) => {
                if !self.deserves_another_try(&error) {
                    self.note(&error, &loaded);
                }
                Ok(true)
            }
        }
    }

    /// Returns whether a failure may come from earlier measurements of its process, so that a fresh one has to show
    /// it.
    fn deserves_another_try(&self, error: &CaseError) -> bool {
        self.used && error.may_be_of_others()
    }

    fn measure(&mut self, loaded: &[usize]) -> Result<(), Stop> {
        let Setting { machine, program, configuration } = self.setting;
        let cases: Vec<CaseDescription> =
            loaded.iter().map(|&position| self.table.cases[position].1.clone()).collect();
        let plan = Plan {
            machine,
            programs: &[program],
            run: self.run,
            cases: vec![cases.iter().collect()],
            timeouts: cases.iter().map(|case| configuration.timeout_of(case)).collect(),
            placed: !configuration.any_processor && !configuration.once,
            fixed_addresses: false,
            padding_bytes: if configuration.settings.in_process {
                0
            } else {
                self.random.below(4096)
            },
        };
        let kind = Kind::of(&cases[0]);
        let idle = self.idle.take();
        let idle = idle.and_then(|mut idle| {
            let fits = idle.fit(&kind);
            // Before others are started: these keep the runner on their processor.
            if !fits {
                idle.let_go();
            }
            fits.then_some(idle)
        });
        self.used = idle.is_some();
        let (mut workers, instances) = match Workers::start(&plan, idle, self.random) {
            Ok(started) => started,
            Err(NotStarted { stop, facts }) => {
                self.record.workers.extend(facts);
                return Err(stop);
            }
        };
        let measured = self.measure_loaded(&mut workers, loaded, &instances[0]);
        self.record.workers.extend(workers.facts());
        if measured.is_ok() && configuration.shares_workers() {
            *self.idle = Some(workers);
        } else if measured.is_ok() {
            workers.let_go();
        }
        measured
    }

    fn measure_loaded(
        &mut self,
        workers: &mut Workers<'_>,
        loaded: &[usize],
        instances: &[InstanceRecord],
    ) -> Result<(), Stop> {
        self.note_instances(loaded, instances)?;
        let mut order: Vec<usize> = (0..instances.len()).collect();
        self.random.shuffle(&mut order);
        for instance in order {
            self.measure_instance(workers, loaded, instance)?;
        }
        workers.note_usage()?;
        // After all that is timed, and after the memory was asked for: counting disturbs neither.
        self.tally(workers, loaded, instances.len())?;
        workers.release(&Request::Finish)
    }

    /// Records the instances, or rejects them if they differ from earlier ones.
    fn note_instances(&mut self, loaded: &[usize], found: &[InstanceRecord]) -> Result<(), Stop> {
        for &position in loaded {
            let case = &mut self.record.cases[self.table.cases[position].0];
            if case.instances.is_empty() {
                case.instances = found.to_vec();
            } else if case.instances != found {
                return Err(About::default().misuse(
                    "the input or its instances differ between processes; they must depend on the point alone (is there \
                     a seed from the clock, or the order of a hash map?)",
                ));
            }
        }
        Ok(())
    }

    /// Warms up and samples all healthy cases on one instance, in rounds of random order.
    fn measure_instance(
        &mut self,
        workers: &mut Workers<'_>,
        loaded: &[usize],
        instance: usize,
    ) -> Result<(), Stop> {
        // A wrong answer on an earlier instance has not ended the worker, but it has ended its case.
        let mut open: Vec<usize> = (0..loaded.len())
            .filter(|&case| self.is_healthy(loaded[case]))
            .filter(|&case| self.done.get((loaded[case], instance)).is_none())
            .collect();
        self.random.shuffle(&mut open);
        let mut taken: Vec<Option<Vec<Taken>>> = loaded.iter().map(|_| None).collect();
        for &case in &open {
            match self.prepare(workers, loaded, (case, instance)) {
                Ok(prepared) => taken[case] = Some(prepared),
                Err(stop) => self.go_on_after(stop, loaded)?,
            }
        }
        let mut sampled = Vec::new();
        for round in 0..ROUNDS {
            self.random.shuffle(&mut open);
            for &case in &open {
                let cell = (case, instance);
                let Some(so_far) = &mut taken[case] else { continue };
                match self.sample_round(workers, loaded, cell, round, so_far) {
                    Ok(false) => {}
                    Ok(true) => sampled.push(self.table.cases[loaded[case]].0),
                    Err(stop) => {
                        taken[case] = None;
                        self.go_on_after(stop, loaded)?;
                    }
                }
            }
        }
        for (case, taken) in taken.into_iter().enumerate() {
            let Some(taken) = taken else { continue };
            let cell = (case, instance);
            // Measurements are kept before anything else is asked: counting may end the worker.
            self.keep(loaded, cell, taken);
            self.count(workers, loaded, cell)?;
        }
        self.record.order.push(Step { run: self.run, instance, cases: sampled });
        Ok(())
    }

    /// A wrong answer ends its case only; everything else ends the worker.
    fn go_on_after(&mut self, stop: Stop, loaded: &[usize]) -> Result<(), Stop> {
        match stop {
            Stop::Failed(error) if error.alive && !self.deserves_another_try(&error) => {
                self.note(&error, loaded);
                Ok(())
            }
            stop => Err(stop),
        }
    }

    fn prepare(
        &mut self,
        workers: &mut Workers<'_>,
        loaded: &[usize],
        (case, instance): Cell,
    ) -> Result<Vec<Taken>, Stop> {
        let key = (loaded[case], instance);
        if self.setting.configuration.once {
            self.table.sizes.insert(key, Sizes::ONCE);
        }
        let described = &self.table.cases[key.0].1;
        let mut sampler = self.setting.sampler(workers, described, (case, instance), self.random);
        sampler.prepare(&mut self.table.sizes, key, 0)
    }

    /// Takes the share of a round in the samples of a cell. Returns whether there was any.
    fn sample_round(
        &mut self,
        workers: &mut Workers<'_>,
        loaded: &[usize],
        (case, instance): Cell,
        round: u32,
        taken: &mut [Taken],
    ) -> Result<bool, Stop> {
        let key = (loaded[case], instance);
        let sizes = self.table.sizes[key];
        let rounds = if self.setting.configuration.settings.glance { GLANCES } else { ROUNDS };
        let count = share(sizes.samples, round, rounds);
        if count == 0 {
            return Ok(false);
        }
        let described = &self.table.cases[key.0].1;
        let mut sampler = self.setting.sampler(workers, described, (case, instance), self.random);
        sampler.workers.look_at_core();
        let order = sampler.sides();
        sampler.take_turn(&order, sizes, (count, round == 0), taken)?;
        sampler.workers.look_at_core();
        if !described.phases.is_empty() && !self.setting.configuration.once {
            sampler.take_phases(sizes, count, taken)?;
        }
        Ok(true)
    }

    fn keep(&mut self, loaded: &[usize], (case, instance): Cell, taken: Vec<Taken>) {
        let key = (loaded[case], instance);
        let (index, described) = &self.table.cases[key.0];
        let worker = self.record.workers.len();
        let (sizes, case) = (self.table.sizes[key], &mut self.record.cases[*index]);
        // A kernel with one processor by its attribute or point may have a pool of one thread.
        if sizes.several && !described.names_processors && case.processors == 1 {
            case.processors = self.setting.machine.processors();
        }
        for side in taken {
            let metrics = case.metrics.len();
            let measurement = side.measurement((self.run, instance), worker, sizes, metrics);
            case.measurements.push(measurement);
        }
        self.done.insert(key, ());
    }
}

impl Setting<'_> {
    fn sampler<'a, 'm>(
        &self,
        workers: &'a mut Workers<'m>,
        case: &'a CaseDescription,
        cell: Cell,
        random: &'a mut Random,
    ) -> Sampler<'a, 'm> {
        let design = match self.configuration.settings.glance {
            true => Design::Glance,
            false => Design::Run,
        };
        let wishes = self.configuration.wishes.or(case.wishes);
        Sampler { workers, random, cell, case, wishes, design }
    }
}

/// Returns how many of a run's samples fall into one of its rounds: equal shares, and the first rounds take the remainder.
fn share(samples: u32, round: u32, rounds: u32) -> u32 {
    if round < rounds { samples / rounds + u32::from(round < samples % rounds) } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_share_all_samples() {
        for (samples, rounds) in
            (0..100).flat_map(|samples| [(samples, GLANCES), (samples, ROUNDS)])
        {
            let shares = (0..ROUNDS).map(|round| share(samples, round, rounds));
            assert_eq!(shares.sum::<u32>(), samples);
        }
        let shares = |rounds| [0, 1, 2, 3].map(|round| share(5, round, rounds));
        assert_eq!((shares(ROUNDS), shares(GLANCES)), ([2, 1, 1, 1], [3, 2, 0, 0]));
    }
}
