//! One table: the variants that are compared with each other, measured together by one worker in each run.

use std::{collections::BTreeMap, time::Duration};

use super::{
    Configuration,
    child::{Silence, Worker},
    plan::{Sizes, next_trial},
    random::Random,
};
use crate::{
    record::{Cause, Failure, InstanceRecord, Measurement, Record, Step},
    registry::Case,
    worker::{
        RawSample,
        protocol::{Answer, Failed, Load, Request, Sampling},
    },
};

/// Passes over the variants within the samples of one instance, each in an order of its own.
const ROUNDS: u32 = 4;

/// Cases that share an input, with what is known about them so far.
pub(crate) struct Table {
    /// Each with its index in the record.
    cases: Vec<(usize, Case)>,
    /// How each case is sampled on each instance, once known: (position in `cases`, instance).
    sizes: BTreeMap<(usize, usize), Sizes>,
}

/// One instance to be solved by one case.
type Cell = (usize, usize);

/// The end of a worker: what it was asked about, and why it is over.
struct Trouble {
    /// Position of the case in the table; `None` if it concerns all of them.
    case: Option<usize>,
    instance: Option<usize>,
    cause: Cause,
    output: String,
    /// Whether the process can go on.
    alive: bool,
}

/// Why a pass over a table stopped.
enum Stop {
    Trouble(Trouble),
    Interrupted(i32),
}

impl Table {
    /// Groups cases into tables, in the order of the cases.
    pub(crate) fn all(cases: &[Case]) -> Vec<Table> {
        let mut tables: Vec<Table> = Vec::new();
        for (index, case) in cases.iter().enumerate() {
            match tables.iter_mut().find(|table| table.cases[0].1.same_table(case)) {
                Some(table) => table.cases.push((index, case.clone())),
                None => tables
                    .push(Table { cases: vec![(index, case.clone())], sizes: BTreeMap::new() }),
            }
        }
        tables
    }

    /// The name of the problem and point, or of the function.
    pub(crate) fn title(&self) -> String {
        let case = &self.cases[0].1;
        match case.problem() {
            Some(problem) => format!("{problem} {}", case.point_name),
            None => case.name.clone(),
        }
    }

    /// Runs that the table needs: as many as its most demanding case.
    pub(crate) fn runs(&self, configuration: &Configuration) -> u32 {
        self.cases.iter().map(|(_, case)| configuration.runs_of(case)).max().unwrap_or(0)
    }

    /// Measures everything in the table once through, and writes it into the record.
    ///
    /// # Errors
    /// The signal by which the user wants to stop.
    pub(crate) fn run(
        &mut self,
        run: u32,
        configuration: &Configuration,
        random: &mut Random,
        record: &mut Record,
    ) -> Result<(), i32> {
        let mut pass = Pass {
            table: self,
            run,
            configuration,
            random,
            record,
            done: Vec::new(),
            loaded: Vec::new(),
        };
        loop {
            match pass.with_fresh_worker() {
                Ok(()) => return Ok(()),
                Err(Stop::Interrupted(signal)) => return Err(signal),
                // The worker is gone, and the culprit is marked: a new worker measures what is left.
                Err(Stop::Trouble(trouble)) => pass.note(trouble),
            }
        }
    }
}

/// One run of one table.
struct Pass<'a> {
    table: &'a mut Table,
    run: u32,
    configuration: &'a Configuration,
    random: &'a mut Random,
    record: &'a mut Record,
    /// What this run has measured already.
    done: Vec<Cell>,
    /// Positions of the cases that the present worker has loaded, in the order of its list.
    loaded: Vec<usize>,
}

impl Pass<'_> {
    /// Positions of the cases that have not failed.
    fn healthy(&self) -> Vec<usize> {
        let failed = |&(index, _): &(usize, Case)| !self.record.cases[index].failures.is_empty();
        (0..self.table.cases.len())
            .filter(|&position| !failed(&self.table.cases[position]))
            .collect()
    }

    fn note(&mut self, trouble: Trouble) {
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
    fn with_fresh_worker(&mut self) -> Result<(), Stop> {
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
        match self.ask(&mut worker, &Request::Finish, None, None, allowed)? {
            Answer::Finished => Ok(()),
            other => Err(unexpected(&other)),
        }
    }

    fn start(&mut self) -> Result<Worker, Stop> {
        let padding = self.random.below(4096);
        let processors = self.table.cases[0].1.processors;
        Worker::start(
            &self.configuration.binary,
            processors,
            padding,
            self.configuration.show_output,
        )
        .map_err(|silence| trouble_of(silence, None, None, String::new()))
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
        let mut taken: BTreeMap<usize, Vec<RawSample>> = BTreeMap::new();
        for &position in &positions {
            match self.prepare(worker, (position, instance)) {
                Ok(()) => drop(taken.insert(position, Vec::new())),
                Err(stop) => self.go_on_after(stop)?,
            }
        }
        let mut sampled = Vec::new();
        for round in 0..ROUNDS {
            self.random.shuffle(&mut positions);
            for &position in &positions {
                let Some(samples) = taken.get_mut(&position) else { continue };
                match self.sample_round(worker, (position, instance), round) {
                    Ok(new) => {
                        if !new.is_empty() {
                            sampled.push(self.table.cases[position].0);
                        }
                        samples.extend(new);
                    }
                    Err(stop) => {
                        taken.remove(&position);
                        self.go_on_after(stop)?;
                    }
                }
            }
        }
        for (position, samples) in taken {
            self.keep((position, instance), &samples);
        }
        self.record.order.push(Step { run: self.run, instance, cases: sampled });
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

    /// Finds the sizes of a cell, if they are not known from an earlier run, and warms it up.
    fn prepare(&mut self, worker: &mut Worker, cell: Cell) -> Result<(), Stop> {
        if self.configuration.once {
            self.table.sizes.insert(cell, Sizes::ONCE);
        }
        let Some(sizes) = self.table.sizes.get(&cell).copied() else {
            return self.find_sizes(worker, cell);
        };
        if sizes.warm_up > 0 {
            // The output is checked here, so that the check does not disturb the caches before a sample.
            self.sample(worker, cell, sizes.calls, sizes.warm_up, true, sizes.expected)?;
        }
        Ok(())
    }

    /// Tries with more and more calls. The first call is checked: nothing is measured of a wrong program.
    fn find_sizes(&mut self, worker: &mut Worker, cell: Cell) -> Result<(), Stop> {
        let (mut calls, mut expected) = (1, Duration::ZERO);
        let last = loop {
            let samples = self.sample(worker, cell, calls, 1, calls == 1, expected)?;
            let Some(&sample) = samples.last() else {
                return Err(unexpected(&Answer::Sampled { samples }));
            };
            match next_trial(calls, sample.wall_ns, sample.outside_ns) {
                Some(next) => {
                    expected =
                        Duration::from_nanos((sample.wall_ns + sample.outside_ns) * next / calls);
                    calls = next;
                }
                None => break sample,
            }
        };
        let case = &self.table.cases[cell.0].1;
        let samples = self.configuration.samples.or(case.options.samples);
        let max_time = self.configuration.max_time.or(case.options.max_time);
        let sizes = Sizes::of(calls, last.wall_ns, last.outside_ns, samples, max_time);
        self.table.sizes.insert(cell, sizes);
        // The trials warm up less than later runs do, so the rest is made up for.
        if sizes.warm_up > 1 {
            self.sample(worker, cell, sizes.calls, sizes.warm_up, false, sizes.expected)?;
        }
        Ok(())
    }

    /// The share of a round in the samples of a cell.
    fn sample_round(
        &mut self,
        worker: &mut Worker,
        cell: Cell,
        round: u32,
    ) -> Result<Vec<RawSample>, Stop> {
        let sizes = self.table.sizes[&cell];
        let count = share(sizes.samples, round);
        if count == 0 {
            return Ok(Vec::new());
        }
        // A kernel that is too long to be warmed up is checked on its only call.
        let check = sizes.warm_up == 0 && round == 0;
        self.sample(worker, cell, sizes.calls, count, check, sizes.expected)
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
        match self.ask(worker, &request, Some(position), Some(instance), allowed)? {
            Answer::Sampled { samples } => Ok(samples),
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
                Err(trouble_of(silence, case, instance, output))
            }
        }
    }

    fn timeout(&self, position: usize) -> Duration {
        self.configuration.timeout_of(&self.table.cases[position].1)
    }

    /// Writes the samples of a cell into the record.
    fn keep(&mut self, cell: Cell, samples: &[RawSample]) {
        let (position, instance) = cell;
        let column = |value: fn(&RawSample) -> Option<u64>| {
            // A column is whole or empty.
            samples.iter().map(value).collect::<Option<Vec<u64>>>().unwrap_or_default()
        };
        let measurement = Measurement {
            run: self.run,
            instance,
            calls: self.table.sizes[&cell].calls,
            wall_ns: samples.iter().map(|sample| sample.wall_ns).collect(),
            cpu_ns: column(|sample| sample.cpu_ns),
            switches: column(|sample| sample.switches),
        };
        self.record.cases[self.table.cases[position].0].measurements.push(measurement);
        self.done.push(cell);
    }
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
