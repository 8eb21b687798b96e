//! One run of one table: a worker is started, asked for samples in rounds of random order, and let go.

use std::time::{Duration, Instant};

use super::{
    Configuration,
    asked::Asked,
    cells::{Cell, Cells},
    child::{Silence, Worker},
    plan::{Sizes, halved, next_trial},
    random::Random,
    table::Table,
};
use crate::{
    record::{
        Cause, Clock, ENOUGH_CLEAN, Failure, InstanceRecord, InstanceTally, Measurement, Record,
        Resources, Step, WorkerRecord, clean,
    },
    registry::Case,
    worker::{
        RawSample,
        protocol::{Answer, Extras, Failed, Load, Request, Sampling},
    },
};

/// Passes over the variants within the samples of one instance, each in an order of its own.
const ROUNDS: u32 = 4;

/// The end of a worker: what it was asked about, and why it is over.
pub(super) struct Trouble {
    /// Position of the case in the table; `None` if it concerns all of them.
    case: Option<usize>,
    instance: Option<usize>,
    cause: Cause,
    output: String,
    /// Whether the process can go on.
    alive: bool,
}

/// Why a pass over a table stopped.
pub(super) enum Stop {
    Trouble(Trouble),
    Interrupted(i32),
}

/// What a cell has given so far in this run.
#[derive(Default)]
struct Taken {
    warm_up_ns: Vec<u64>,
    samples: Vec<RawSample>,
}

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
        let mut worker = self.start()?;
        let instances = self.load(&mut worker, &healthy)?;
        let mut order: Vec<usize> = (0..instances).collect();
        self.random.shuffle(&mut order);
        for instance in order {
            self.measure_instance(&mut worker, &healthy, instance)?;
        }
        let allowed = self.timeout(healthy[0]);
        if let Answer::Usage { peak_rss_bytes } =
            self.ask(&mut worker, &Request::Usage, None, None, allowed)?
            && let Some(worker) = self.record.workers.last_mut()
        {
            worker.peak_rss_bytes = peak_rss_bytes;
        }
        // After all that is timed, and after the memory was asked for: counting disturbs neither.
        self.tally(&mut worker, &healthy, instances)?;
        match self.ask(&mut worker, &Request::Finish, None, None, allowed)? {
            Answer::Finished => worker.let_go(),
            other => return Err(unexpected(&other)),
        }
        Ok(())
    }

    fn start(&mut self) -> Result<Worker, Stop> {
        let padding = self.random.below(4096);
        let processors = self.table.cases[0].1.processors;
        let worker = Worker::start_with(
            &self.configuration.binary,
            processors,
            padding,
            self.configuration.show_output,
            |command| self.configuration.prepare(command),
        )
        .map_err(|silence| trouble_of(silence, None, None, String::new()))?;
        self.record.workers.push(WorkerRecord {
            run: self.run,
            clock: Some(worker.clock()),
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

    /// Warms up and samples all healthy cases on one instance, in rounds of random order.
    fn measure_instance(
        &mut self,
        worker: &mut Worker,
        healthy: &[usize],
        instance: usize,
    ) -> Result<(), Stop> {
        // A wrong answer on an earlier instance has not ended the worker, but it has ended its case.
        let still_healthy = self.healthy();
        let open = |position: &usize| {
            still_healthy.contains(position) && !self.done.contains(&(*position, instance))
        };
        let mut positions: Vec<usize> = healthy.iter().copied().filter(open).collect();
        self.random.shuffle(&mut positions);
        let mut taken = Cells::new();
        for &position in &positions {
            match self.prepare(worker, (position, instance)) {
                Ok(warm_up_ns) => {
                    taken.insert((position, instance), Taken { warm_up_ns, samples: Vec::new() });
                }
                Err(stop) => self.go_on_after(stop)?,
            }
        }
        let mut sampled = Vec::new();
        for round in 0..ROUNDS {
            self.random.shuffle(&mut positions);
            for &position in &positions {
                let Some(cell) = taken.get_mut((position, instance)) else { continue };
                match self.sample_round(worker, (position, instance), round) {
                    Ok(new) => {
                        if !new.is_empty() {
                            sampled.push(self.table.cases[position].0);
                        }
                        cell.samples.extend(new);
                    }
                    Err(stop) => {
                        taken.remove((position, instance));
                        self.go_on_after(stop)?;
                    }
                }
            }
        }
        for (cell, taken) in taken.into_all() {
            // What is measured is kept before anything else is asked: counting may end the worker.
            self.keep(cell, &taken);
            self.count(worker, cell)?;
        }
        self.record.order.push(Step { run: self.run, instance, cases: sampled });
        Ok(())
    }

    /// Counts, in the first run, what a call of a cell uses besides time.
    fn count(&mut self, worker: &mut Worker, (position, instance): Cell) -> Result<(), Stop> {
        let sizes = self.table.sizes[(position, instance)];
        if self.run > 0 || self.configuration.once || sizes.warm_up == 0 {
            return Ok(());
        }
        let Some(case) = self.loaded.iter().position(|&loaded| loaded == position) else {
            return Ok(());
        };
        let calls = sizes.calls;
        let ask = Sampling { case, instance, calls, samples: 1, check: false };
        let allowed = self.timeout(position) + sizes.expected.saturating_mul(10);
        match self.ask(worker, &Request::Count(ask), Some(position), Some(instance), allowed)? {
            Answer::Counted { resources } => {
                let index = self.table.cases[position].0;
                if let Some(measurement) = self.record.cases[index].measurements.last_mut() {
                    measurement.resources =
                        Some(resources).filter(|found| *found != Resources::default());
                }
                Ok(())
            }
            other => Err(unexpected(&other)),
        }
    }

    /// Has one solution of every instance counted, in the first run, by the variants that can, if that is wanted.
    fn tally(
        &mut self,
        worker: &mut Worker,
        healthy: &[usize],
        instances: usize,
    ) -> Result<(), Stop> {
        if !self.configuration.tallies || self.run > 0 || self.configuration.once {
            return Ok(());
        }
        // A wrong answer has not ended the worker, but what a wrong program does is of no interest.
        let still_healthy = self.healthy();
        for (case, &position) in healthy.iter().enumerate() {
            let (index, ref named) = self.table.cases[position];
            if !named.has_tally() || !still_healthy.contains(&position) {
                continue;
            }
            for instance in 0..instances {
                // An earlier worker may have counted some before it died of another variant.
                if self.record.cases[index].tallies.iter().any(|of| of.instance == instance) {
                    continue;
                }
                let ask = Sampling { case, instance, calls: 1, samples: 1, check: false };
                let expected = self
                    .table
                    .sizes
                    .get((position, instance))
                    .map_or(Duration::ZERO, |s| s.expected);
                let allowed = self.timeout(position) + expected.saturating_mul(10);
                let request = Request::Tally(ask);
                match self.ask(worker, &request, Some(position), Some(instance), allowed)? {
                    Answer::Tallied { tallies } => {
                        self.record.cases[index].tallies.push(InstanceTally { instance, tallies });
                    }
                    other => return Err(unexpected(&other)),
                }
            }
        }
        Ok(())
    }

    /// A wrong answer ends its case only; everything else ends the worker.
    fn go_on_after(&mut self, stop: Stop) -> Result<(), Stop> {
        match stop {
            Stop::Trouble(trouble) if trouble.alive => {
                self.note(trouble);
                Ok(())
            }
            stop => Err(stop),
        }
    }

    /// Finds the sizes of a cell, if they are not known from an earlier run, and warms it up. Answers the times of the
    /// warm-up samples.
    fn prepare(&mut self, worker: &mut Worker, cell: Cell) -> Result<Vec<u64>, Stop> {
        self.extras.remove(cell);
        if self.configuration.once {
            self.table.sizes.insert(cell, Sizes::ONCE);
        }
        let Some(sizes) = self.table.sizes.get(cell).copied() else {
            return self.find_sizes(worker, cell);
        };
        if sizes.warm_up == 0 {
            return Ok(Vec::new());
        }
        // The output is checked here, so that the check does not disturb the caches before a sample.
        let warm = self.sample(worker, cell, sizes.calls, sizes.warm_up, true, sizes.expected)?;
        Ok(warm.iter().map(|sample| sample.wall_ns).collect())
    }

    /// Tries with more and more calls. The first call is checked: nothing is measured of a wrong program.
    fn find_sizes(&mut self, worker: &mut Worker, cell: Cell) -> Result<Vec<u64>, Stop> {
        let asked = Asked::of(&self.table.cases[cell.0].1, self.configuration);
        let first = asked.iterations.unwrap_or(1);
        let (mut calls, mut expected) = (first, Duration::ZERO);
        let last = loop {
            let samples = self.sample(worker, cell, calls, 1, calls == first, expected)?;
            let Some(&sample) = samples.last() else {
                return Err(unexpected(&Answer::Sampled { samples }));
            };
            let next = next_trial(calls, sample.wall_ns, sample.outside_ns);
            match next.filter(|_| asked.iterations.is_none()) {
                Some(next) => {
                    expected =
                        Duration::from_nanos((sample.wall_ns + sample.outside_ns) * next / calls);
                    calls = next;
                }
                None => break sample,
            }
        };
        let case = &self.table.cases[cell.0].1;
        let parallel = case.processors > 1 || case.threads > 1;
        let sizes_for = |calls, sample: RawSample, target_ns| {
            asked.sizes(calls, sample.wall_ns, sample.outside_ns, target_ns)
        };
        let mut target_ns = super::plan::SAMPLE_NS;
        let mut sizes = sizes_for(calls, last, target_ns);
        // The trials warm up less than later runs do, so the rest is made up for.
        let warm = loop {
            if sizes.warm_up <= 1 {
                break Vec::new();
            }
            let warm =
                self.sample(worker, cell, sizes.calls, sizes.warm_up, false, sizes.expected)?;
            // Shorter samples fit between the interruptions of a busy machine.
            let disturbed = !parallel
                && asked.iterations.is_none()
                && clean_fraction(&warm).is_some_and(|f| f < ENOUGH_CLEAN);
            match halved(target_ns, sizes.calls, self.clock()).filter(|_| disturbed) {
                Some(shorter) => {
                    target_ns = shorter;
                    sizes = sizes_for(calls, last, target_ns);
                }
                None => break warm,
            }
        };
        self.table.sizes.insert(cell, sizes);
        Ok(warm.iter().map(|sample| sample.wall_ns).collect())
    }

    /// The share of a round in the samples of a cell.
    fn sample_round(
        &mut self,
        worker: &mut Worker,
        cell: Cell,
        round: u32,
    ) -> Result<Vec<RawSample>, Stop> {
        let sizes = self.table.sizes[cell];
        let count = share(sizes.samples, round);
        if count == 0 {
            return Ok(Vec::new());
        }
        // A kernel that is too long to be warmed up is checked on its only call.
        let check = sizes.warm_up == 0 && round == 0;
        let samples = self.sample(worker, cell, sizes.calls, count, check, sizes.expected)?;
        self.fetch_extras(worker, cell)?;
        Ok(samples)
    }

    /// Asks for what was measured besides time, where there is anything.
    fn fetch_extras(&mut self, worker: &mut Worker, cell: Cell) -> Result<(), Stop> {
        let case = &self.table.cases[cell.0].1;
        if case.threads == 1 && case.options.metrics.0.is_empty() {
            return Ok(());
        }
        let allowed = self.timeout(cell.0);
        match self.ask(worker, &Request::Extras, Some(cell.0), Some(cell.1), allowed)? {
            Answer::Extras(new) => {
                match self.extras.get_mut(cell) {
                    Some(all) => {
                        all.threads_ns.extend(new.threads_ns);
                        all.metrics.extend(new.metrics);
                    }
                    None => self.extras.insert(cell, new),
                }
                Ok(())
            }
            other => Err(unexpected(&other)),
        }
    }

    fn sample(
        &mut self,
        worker: &mut Worker,
        cell: Cell,
        calls: u64,
        samples: u32,
        check: bool,
        expected: Duration,
    ) -> Result<Vec<RawSample>, Stop> {
        let (position, instance) = cell;
        let Some(case) = self.loaded.iter().position(|&loaded| loaded == position) else {
            return Err(unexpected(&Answer::Finished));
        };
        let request = Request::Sample(Sampling { case, instance, calls, samples, check });
        // The time-out is for one call; what is known to take long gets that, many times over, on top.
        let allowed = self.timeout(position) + expected.saturating_mul(samples.saturating_mul(10));
        let asked = Instant::now();
        match self.ask(worker, &request, Some(position), Some(instance), allowed)? {
            Answer::Sampled { samples } => {
                if let Some(worker) = self.record.workers.last_mut() {
                    let spent = u64::try_from(asked.elapsed().as_nanos()).unwrap_or(u64::MAX);
                    let theirs = samples.iter().map(|sample| sample.wall_ns + sample.outside_ns);
                    worker.samples += samples.len() as u64;
                    worker.protocol_ns += spent.saturating_sub(theirs.sum());
                }
                Ok(samples)
            }
            other => Err(unexpected(&other)),
        }
    }

    /// Asks the worker; silence and failures become trouble with a name.
    fn ask(
        &self,
        worker: &mut Worker,
        request: &Request,
        case: Option<usize>,
        instance: Option<usize>,
        allowed: Duration,
    ) -> Result<Answer, Stop> {
        match worker.ask(request, allowed) {
            Ok(Answer::Failed(failed)) => {
                let alive = matches!(failed, Failed::WrongAnswer { .. });
                // The message of a panic says it all; what else was printed helps with the rest.
                let told = matches!(failed, Failed::WrongAnswer { .. } | Failed::Panicked { .. });
                let output = if told { String::new() } else { worker.output() };
                let cause = match failed {
                    Failed::Panicked { message } => Cause::Panicked { message },
                    Failed::WrongAnswer { message } => Cause::WrongAnswer { message },
                    Failed::Misuse { message } => Cause::Misuse { message },
                };
                Err(Stop::Trouble(Trouble { case, instance, cause, output, alive }))
            }
            Ok(answer) => Ok(answer),
            Err(silence) => {
                let output = if matches!(silence, Silence::Interrupted(_)) {
                    String::new()
                } else {
                    worker.output()
                };
                Err(trouble_of(self.explained(silence, &output), case, instance, output))
            }
        }
    }

    /// Names the limit of memory where a worker has died of it.
    fn explained(&self, silence: Silence, output: &str) -> Silence {
        match (silence, self.configuration.memory_limit) {
            (Silence::Died(how), Some(limit)) if output.contains("memory allocation of") => {
                Silence::Died(format!(
                    "{how}: it needed more than the {limit} bytes that `--memory-limit` allows"
                ))
            }
            (silence, _) => silence,
        }
    }

    fn timeout(&self, position: usize) -> Duration {
        self.configuration.timeout_of(&self.table.cases[position].1)
    }

    /// Writes the samples of a cell into the record.
    fn keep(&mut self, cell: Cell, taken: &Taken) {
        let (position, instance) = cell;
        let samples = &taken.samples;
        let column = |value: fn(&RawSample) -> Option<u64>| {
            // A column is whole or empty.
            samples.iter().map(value).collect::<Option<Vec<u64>>>().unwrap_or_default()
        };
        let extras = self.extras.remove(cell).unwrap_or_default();
        let metrics = self.record.cases[self.table.cases[position].0].metrics.len();
        let measurement = Measurement {
            run: self.run,
            instance,
            worker: self.record.workers.len().checked_sub(1),
            calls: self.table.sizes[cell].calls,
            windows: samples.first().map_or(1, |sample| sample.windows),
            warm_up_ns: taken.warm_up_ns.clone(),
            wall_ns: samples.iter().map(|sample| sample.wall_ns).collect(),
            cpu_ns: column(|sample| sample.cpu_ns),
            switches: column(|sample| sample.switches),
            threads_ns: extras.threads_ns,
            // From one row for each sample to one column for each metric.
            metrics: (0..metrics)
                .map(|metric| extras.metrics.iter().map(|row| row[metric]).collect())
                .collect(),
            resources: None,
        };
        self.record.cases[self.table.cases[position].0].measurements.push(measurement);
        self.done.push(cell);
    }
}

/// The fraction of samples during which nobody else had the processor, if that can be known.
fn clean_fraction(samples: &[RawSample]) -> Option<f64> {
    let wall_ns: Vec<u64> = samples.iter().map(|sample| sample.wall_ns).collect();
    let cpu_ns: Vec<u64> = samples.iter().filter_map(|sample| sample.cpu_ns).collect();
    let clean = clean(&wall_ns, &cpu_ns)?;
    Some(clean.iter().filter(|&&clean| clean).count() as f64 / clean.len() as f64)
}

/// How many of a run's samples fall into a round: equal shares, the first rounds taking what is left over.
fn share(samples: u32, round: u32) -> u32 {
    samples / ROUNDS + u32::from(round < samples % ROUNDS)
}

fn trouble_of(
    silence: Silence,
    case: Option<usize>,
    instance: Option<usize>,
    output: String,
) -> Stop {
    let cause = match silence {
        Silence::Interrupted(signal) => return Stop::Interrupted(signal),
        Silence::Died(how) => Cause::Died { how },
        Silence::TimedOut(allowed) => Cause::TimedOut { seconds: allowed.as_secs_f64() },
        Silence::Broken(message) => Cause::Worker { message },
    };
    Stop::Trouble(Trouble { case, instance, cause, output, alive: false })
}

fn unexpected(answer: &Answer) -> Stop {
    let message = format!("it answered another question: {answer:?}");
    let cause = Cause::Worker { message };
    Stop::Trouble(Trouble {
        case: None,
        instance: None,
        cause,
        output: String::new(),
        alive: false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_share_all_samples() {
        for samples in 0..100 {
            assert_eq!((0..ROUNDS).map(|round| share(samples, round)).sum::<u32>(), samples);
        }
        assert_eq!((0..ROUNDS).map(|round| share(5, round)).collect::<Vec<_>>(), [2, 1, 1, 1]);
    }
}
