//! One run of one table: a worker is started, asked for samples in rounds of random order, and let go.

mod ask;
mod count;
mod sample;

use std::time::Duration;

use super::{
    Configuration,
    cells::{Cell, Cells},
    child::Worker,
    random::Random,
    table::Table,
};
use crate::{
    record::{Cause, Clock, Failure, InstanceRecord, Record, WorkerRecord},
    registry::Case,
    sys::Placement,
    worker::protocol::{Answer, Extras, Load, Request},
};
pub(super) use ask::{Stop, Trouble};
use ask::{trouble_of, unexpected};

/// One run of one table.
pub(super) struct Pass<'a> {
    table: &'a mut Table,
    run: u32,
    configuration: &'a Configuration,
    random: &'a mut Random,
    record: &'a mut Record,
    /// What this run has measured already.
    done: Vec<Cell>,
    /// Positions of the cases that the present worker has loaded, in the order of its list.
    loaded: Vec<usize>,
    /// What was measured besides time of the cells that are being sampled.
    extras: Cells<Extras>,
}

impl<'a> Pass<'a> {
    pub(super) fn new(
        table: &'a mut Table,
        run: u32,
        configuration: &'a Configuration,
        random: &'a mut Random,
        record: &'a mut Record,
    ) -> Self {
        Self {
            table,
            run,
            configuration,
            random,
            record,
            done: Vec::new(),
            loaded: Vec::new(),
            extras: Cells::new(),
        }
    }

    /// Positions of the cases that have not failed.
    fn healthy(&self) -> Vec<usize> {
        let failed = |&(index, _): &(usize, Case)| !self.record.cases[index].failures.is_empty();
        (0..self.table.cases.len())
            .filter(|&position| !failed(&self.table.cases[position]))
            .collect()
    }

    /// Writes down what went wrong, for its culprit or for everybody.
    pub(super) fn note(&mut self, trouble: Trouble) {
        let culprits = match trouble.case {
            Some(position) => vec![position],
            None => self.healthy(),
        };
        for position in culprits {
            self.record.cases[self.table.cases[position].0].failures.push(Failure {
                run: self.run,
                instance: trouble.instance,
                cause: trouble.cause.clone(),
                output: trouble.output.clone(),
            });
        }
    }

    /// Starts a worker and measures all that is left, or as much as the worker survives.
    pub(super) fn with_fresh_worker(&mut self) -> Result<(), Stop> {
        let healthy = self.healthy();
        if healthy.is_empty() {
            return Ok(());
        }
        let placement = self.placement();
        let mut worker = self.start(placement.processor())?;
        let instances = self.load(&mut worker, &healthy)?;
        let mut order: Vec<usize> = (0..instances).collect();
        self.random.shuffle(&mut order);
        for instance in order {
            self.measure_instance(&mut worker, &healthy, instance)?;
        }
        let allowed = self.timeout(healthy[0]);
        if let Answer::Usage { peak_rss_bytes, counting, beside } =
            self.ask(&mut worker, &Request::Usage, None, None, allowed)?
            && let Some(worker) = self.record.workers.last_mut()
        {
            worker.peak_rss_bytes = peak_rss_bytes;
            worker.counting = counting;
            let asked = !self.table.cases[0].1.names_processors;
            worker.beside = beside.filter(|_| asked);
        }
        // After all that is timed, and after the memory was asked for: counting disturbs neither.
        self.tally(&mut worker, &healthy, instances)?;
        match self.ask(&mut worker, &Request::Finish, None, None, allowed)? {
            Answer::Finished => worker.let_go(),
            other => return Err(unexpected(&other)),
        }
        Ok(())
    }

    /// Where the worker runs: beside the runner, on the same processor, if it is to use one only.
    fn placement(&self) -> Placement {
        let case = &self.table.cases[0].1;
        let configuration = self.configuration;
        let elsewhere =
            configuration.here.is_some() || configuration.any_processor || configuration.once;
        if case.processors > 1 || case.threads > 1 || elsewhere {
            Placement::anywhere()
        } else {
            Placement::here()
        }
    }

    fn start(&mut self, processor: Option<u32>) -> Result<Worker, Stop> {
        let here = self.configuration.here.is_some();
        let padding = if here { 0 } else { self.random.below(4096) };
        let processors = self.table.cases[0].1.processors;
        let worker = self
            .configuration
            .worker(processors, padding)
            .map_err(|silence| trouble_of(silence, None, None, String::new()))?;
        self.record.workers.push(WorkerRecord {
            run: self.run,
            clock: Some(worker.clock()),
            counting: None,
            processor,
            beside: None,
            padding_bytes: padding,
            peak_rss_bytes: None,
            samples: 0,
            protocol_ns: 0,
        });
        Ok(worker)
    }

    /// The clock of the present worker.
    fn clock(&self) -> Option<Clock> {
        self.record.workers.last()?.clock
    }

    /// Has the input built, and notes the instances. Answers how many there are.
    fn load(&mut self, worker: &mut Worker, healthy: &[usize]) -> Result<usize, Stop> {
        self.loaded = healthy.to_vec();
        let cases =
            healthy.iter().map(|&position| self.table.cases[position].1.name.clone()).collect();
        let allowed = self.timeout(healthy[0]);
        let answer = self.ask(worker, &Request::Load(Load { cases }), None, None, allowed)?;
        let Answer::Loaded { instances } = answer else { return Err(unexpected(&answer)) };
        let described: Vec<InstanceRecord> = instances
            .into_iter()
            .map(|instance| InstanceRecord { name: instance.name, work: instance.work })
            .collect();
        for &position in healthy {
            let case = &mut self.record.cases[self.table.cases[position].0];
            if case.instances.is_empty() {
                case.instances.clone_from(&described);
            } else if case.instances != described {
                let message = "the input or its instances differ between processes; they must depend on the point \
                               alone (is there a seed from the clock, or the order of a hash map?)"
                    .to_owned();
                let cause = Cause::Misuse { message };
                return Err(Stop::Trouble(Trouble {
                    case: None,
                    instance: None,
                    cause,
                    output: String::new(),
                    alive: false,
                }));
            }
        }
        Ok(described.len())
    }

    fn timeout(&self, position: usize) -> Duration {
        self.configuration.timeout_of(&self.table.cases[position].1)
    }
}
