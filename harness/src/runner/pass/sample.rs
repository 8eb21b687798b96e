//! The samples of one instance: sizes found by trial, warm-up, rounds of random order.

use std::time::{Duration, Instant};

use super::{
    super::{
        asked::Asked,
        cells::{Cell, Cells},
        child::Worker,
        plan::{SAMPLE_NS, Sizes, halved, next_trial},
    },
    Pass, Stop, unexpected,
};
use crate::{
    record::{Measurement, Step},
    results::{self, ENOUGH_CLEAN},
    worker::{
        RawSample,
        protocol::{Answer, Request, Sampling},
    },
};

/// Passes over the variants within the samples of one instance, each in an order of its own.
const ROUNDS: u32 = 4;

/// What a cell has given so far in this run.
#[derive(Default)]
struct Taken {
    warm_up_ns: Vec<u64>,
    samples: Vec<RawSample>,
}

impl Pass<'_> {
    /// Warms up and samples all healthy cases on one instance, in rounds of random order.
    pub(super) fn measure_instance(
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
            let sample = self.without_skew(worker, cell, sample)?;
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
        let single = case.threads == 1;
        let parallel = case.processors > 1 || !single;
        let sizes_for = |calls, sample: RawSample, target_ns| {
            asked.sizes(calls, sample.wall_ns, sample.outside_ns, target_ns)
        };
        let mut target_ns = SAMPLE_NS;
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
        // The kernel is warm now, and nobody disturbed the fastest sample: it says best how many calls are needed.
        let fastest = warm.iter().min_by_key(|sample| sample.wall_ns);
        if let Some(&fastest) = fastest.filter(|_| single) {
            sizes = sizes_for(sizes.calls, fastest, target_ns);
        }
        self.table.sizes.insert(cell, sizes);
        Ok(warm.iter().map(|sample| sample.wall_ns).collect())
    }

    /// A trial as its slowest caller has seen it: waiting for a caller that came late says nothing about the kernel, and
    /// would make samples so short that they consist of it.
    fn without_skew(
        &mut self,
        worker: &mut Worker,
        cell: Cell,
        trial: RawSample,
    ) -> Result<RawSample, Stop> {
        if self.table.cases[cell.0].1.threads == 1 {
            return Ok(trial);
        }
        self.fetch_extras(worker, cell)?;
        let extras = self.extras.remove(cell).unwrap_or_default();
        let slowest = extras.threads_ns.last().and_then(|own| own.iter().max());
        Ok(RawSample { wall_ns: slowest.copied().unwrap_or(trial.wall_ns), ..trial })
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
                        all.late_ns.extend(new.late_ns);
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
            warm_up_cpu_ns: Vec::new(),
            wall_ns: samples.iter().map(|sample| sample.wall_ns).collect(),
            cpu_ns: column(|sample| sample.cpu_ns),
            switches: column(|sample| sample.switches),
            threads_ns: extras.threads_ns,
            late_ns: extras.late_ns,
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
    results::clean_fraction(&wall_ns, &cpu_ns, false)
}

/// How many of a run's samples fall into a round: equal shares, the first rounds taking what is left over.
fn share(samples: u32, round: u32) -> u32 {
    samples / ROUNDS + u32::from(round < samples % ROUNDS)
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
