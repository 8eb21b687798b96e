//! The samples of one cell: sizes found by trial, warm-up, and turns of the sides.

use std::time::Duration;

use super::{
    Random,
    asking::{About, Stop},
    cells::{Cell, Cells},
    seen::Seen,
    sizes::{Cost, Design, SHARED_NS, Sizes, halved, next_trial, sample_ns},
    workers::{Workers, shuffled},
};
use crate::{
    analysis::steady,
    record::{Measurement, PhaseTimes},
    results::{self, ENOUGH_CLEAN},
};
use plusminus_worker::protocol::{
    Answer, CaseDescription, Extras, RawSample, Request, Sampling, Wishes,
};

/// The fewest samples of each side with which the sizes of pairs are tried, where time allows, and the most of them. Short ones last
/// long enough to see a kernel settle.
const TRIED: f64 = 24.0;
const TRIED_NS: f64 = 12_000_000.0;
const MOST_TRIED: f64 = 96.0;

/// The time that trying them may take.
const TRYING_NS: f64 = 100_000_000.0;

/// The most times that sizes are tried: each trial halves the samples, or finds that they were too short.
const MOST_TRIALS: usize = 8;

/// The fewest samples by which a kernel that warms up is judged to use one processor, unless one is so long that it tells enough.
/// Of a thread that still runs on another processor, the system counts what it did up to the last tick of its clock.
const LOOKED_AT: u32 = 3;
const LOOKED_AT_NS: u128 = 20_000_000;

/// Shorter samples take longer right after another kernel, by some 5 % in sorts and maps. Quick mode takes few of them, and begins
/// with one that does not count.
const SHORT: Duration = Duration::from_millis(2);

/// The samples of a warm-up that both sides take in turns.
const WARM_UP_TURNS: u32 = 4;

/// The most samples of a warm-up that lasts until a kernel has settled.
const LONGEST_WARM_UP: usize = 200;

#[derive(Debug, Default)]
pub(crate) struct Taken {
    warm_up: Vec<RawSample>,
    samples: Vec<RawSample>,
    extras: Extras,
    /// The times of the phases, in samples of their own.
    phases: Option<PhaseTimes>,
}

pub(crate) struct Sampler<'a, 'm> {
    pub(crate) workers: &'a mut Workers<'m>,
    pub(crate) random: &'a mut Random,
    /// Position among the loaded cases, and instance.
    pub(crate) cell: Cell,
    pub(crate) case: &'a CaseDescription,
    pub(crate) wishes: Wishes,
    pub(crate) design: Design,
}

impl Sampler<'_, '_> {
    fn request(&self, calls: u64, samples: u32, check: bool) -> Sampling {
        let (case, instance) = self.cell;
        Sampling { case, instance, calls, samples, check, stay: false }
    }

    pub(crate) fn sides(&mut self) -> Vec<usize> {
        shuffled(self.workers.count(), self.random)
    }

    /// Finds the sizes of the cell, if they are not known from an earlier run or block, and warms all sides up. `made` are
    /// samples of the warm-up that it has had.
    ///
    /// `key` is the cell in the table, whatever the workers have loaded.
    pub(crate) fn prepare(
        &mut self,
        sizes: &mut Cells<Sizes>,
        key: Cell,
        made: u32,
    ) -> Result<Vec<Taken>, Stop> {
        let mut taken: Vec<Taken> = (0..self.workers.count()).map(|_| Taken::default()).collect();
        let Some(known) = sizes.get(key).copied() else {
            let found = self.calibrate(&mut taken)?;
            sizes.insert(key, Sizes { rests: self.workers.rests, ..found });
            return Ok(taken);
        };
        if known.rests {
            self.workers.rest();
        }
        let warm_up = known.warm_up.saturating_sub(made);
        if warm_up > 0 {
            let turns = warm_up_turns(self.design, warm_up);
            for side in self.sides() {
                // The output is checked here, so that the check does not disturb the caches before a sample; and every
                // process checks one, so that no fast wrong answer wins.
                let request = self.request(known.calls, warm_up - turns, true);
                taken[side].warm_up = self.workers.sample(side, request, known.expected)?;
            }
            for _ in 0..turns {
                for side in self.sides() {
                    let request = self.request(known.calls, 1, false);
                    let samples = self.workers.sample(side, request, known.expected)?;
                    taken[side].warm_up.extend(samples);
                }
            }
        }
        Ok(taken)
    }

    /// Takes `count` samples of each side, in this order. `first` are the first ones of the cell.
    pub(crate) fn take_turn(
        &mut self,
        order: &[usize],
        sizes: Sizes,
        (count, first): (u32, bool),
        taken: &mut [Taken],
    ) -> Result<(), Stop> {
        for &side in order {
            if self.design == Design::Glance && sizes.warm_up > 0 && sizes.expected < SHORT {
                let request = self.request(sizes.calls, 1, false);
                self.workers.sample(side, request, sizes.expected)?;
            }
            // A kernel that is too long to be warmed up is checked on its only call.
            let request = self.request(sizes.calls, count, sizes.warm_up == 0 && first);
            let samples = self.workers.sample(side, request, sizes.expected)?;
            taken[side].samples.extend(samples);
            self.take_extras(side, taken)?;
        }
        Ok(())
    }

    /// Takes `count` samples of both sides at once on one processor, which makes their times processor times. The side that
    /// `leads` is asked first. `first` are the first ones of the cell.
    pub(crate) fn take_at_once(
        &mut self,
        leads: usize,
        sizes: Sizes,
        (count, first): (u32, bool),
        taken: &mut [Taken],
    ) -> Result<(), Stop> {
        let request = self.request(sizes.calls, count, sizes.warm_up == 0 && first);
        let request = Sampling { stay: true, ..request };
        let both = self.workers.sample_both(leads, request, sizes.expected)?;
        for (side, mut samples) in both.into_iter().enumerate() {
            for sample in &mut samples {
                sample.wall_ns = sample.cpu_ns.unwrap_or(sample.wall_ns);
            }
            taken[side].samples.extend(samples);
            self.take_extras(side, taken)?;
        }
        Ok(())
    }

    /// Takes what one side has measured besides time, if that is anything.
    fn take_extras(&mut self, side: usize, taken: &mut [Taken]) -> Result<(), Stop> {
        if self.case.threads > 1 || self.workers.launched || !self.case.metrics.is_empty() {
            let new = self.workers.extras(side, self.cell)?;
            let all = &mut taken[side].extras;
            all.threads_ns.extend(new.threads_ns);
            all.late_ns.extend(new.late_ns);
            all.metrics.extend(new.metrics);
        }
        Ok(())
    }

    /// Times the phases of a kernel in as many samples, in turns with those of the whole, so that changes of the machine
    /// affect both.
    pub(crate) fn take_phases(
        &mut self,
        sizes: Sizes,
        count: u32,
        taken: &mut [Taken],
    ) -> Result<(), Stop> {
        for (side, taken) in taken.iter_mut().enumerate() {
            let request = Request::Phases(self.request(sizes.calls, count, false));
            let expected = sizes.expected.saturating_mul(count);
            match self.workers.ask(side, &request, self.cell, expected)? {
                Answer::Phased { times } => taken.phases.get_or_insert_default().extend(times),
                other => return Err(About::side(side).unexpected(&other)),
            }
        }
        Ok(())
    }

    /// Finds sizes by trials with more and more calls, and warms up with them.
    fn calibrate(&mut self, taken: &mut [Taken]) -> Result<Sizes, Stop> {
        let (wishes, design, threads) = (self.wishes, self.design, self.case.threads);
        let mut cost = Cost { call_ns: 0.0, outside_ns: 0.0 };
        let mut seen: Vec<Seen> = (0..self.workers.count()).map(|_| Seen::default()).collect();
        for side in self.sides() {
            cost = cost.max(self.try_side(side, &mut seen[side])?);
        }
        let named = self.case.processors > 1;
        let looks = !named && threads == 1 && self.workers.processors() > 1;
        let several =
            |seen: &[Seen]| named || looks && seen.iter().any(|&of_side| of_side.several());
        let one_processor = self.workers.share_one_processor() && threads == 1;
        let sizes_for = |cost: Cost, target_ns, seen: &[Seen]| {
            let several = several(seen);
            let sizes = Sizes::of(cost, target_ns, wishes, design);
            let is_long = sizes.calls as f64 * cost.call_ns >= SHARED_NS;
            let computes = one_processor && !several && seen.iter().all(|side| side.computes());
            let time_shared = design == Design::Pairs && is_long && computes;
            Sizes { several, time_shared, ..sizes }
        };
        let mut target_ns = sample_ns(design, self.workers.clock());
        let mut sizes = sizes_for(cost, target_ns, &seen);
        for _ in 0..MOST_TRIALS {
            // The trials warm up less than later runs do, so the rest is made up for.
            let mut count = trial_samples(sizes, design);
            if looks && count > 0 && sizes.expected.as_nanos() < LOOKED_AT_NS {
                count = count.max(LOOKED_AT);
            }
            if count <= 1 {
                return Ok(sizes);
            }
            for side in self.sides() {
                let request = self.request(sizes.calls, count, false);
                taken[side].warm_up = self.workers.sample(side, request, sizes.expected)?;
                seen[side].look(&taken[side].warm_up);
            }
            // Shorter samples fit between the interruptions of a busy machine.
            let disturbed = design != Design::Glance
                && threads == 1
                && !several(&seen)
                && wishes.iterations.is_none()
                && taken
                    .iter()
                    .any(|side| clean_fraction(&side.warm_up).is_some_and(|f| f < ENOUGH_CLEAN));
            let shorter =
                halved(target_ns, sizes.calls, self.workers.clock()).filter(|_| disturbed);
            target_ns = shorter.unwrap_or(target_ns);
            // The kernel is warm now, and the fastest sample was not disturbed: it gives the best number of calls.
            let tried = sizes.calls;
            if let Some(fastest) = fastest(taken, tried).filter(|_| threads == 1) {
                cost = fastest;
            }
            sizes = sizes_for(cost, target_ns, &seen);
            // Where the first trial was disturbed itself, its samples were too short to see it.
            let too_short = sizes.calls / 2 > tried;
            if shorter.is_none() && !too_short {
                break;
            }
        }
        if design == Design::Pairs && wishes.warm_up_seconds.is_none() {
            let settled = taken.iter().map(|side| settled_after(&side.warm_up)).max().unwrap_or(0);
            sizes.warm_up = sizes.warm_up.max(settled.min(LONGEST_WARM_UP) as u32);
        }
        Ok(sizes)
    }

    /// The cost of a call on one side. The first call is checked: no wrong program is measured.
    fn try_side(&mut self, side: usize, seen: &mut Seen) -> Result<Cost, Stop> {
        // One call, whatever is wished for: the time-out is that of a call.
        let (mut calls, mut expected) = (1, Duration::ZERO);
        loop {
            let request = self.request(calls, 1, calls == 1);
            let samples = self.workers.sample(side, request, expected)?;
            seen.look(&samples);
            let Some(&sample) = samples.last() else { return Ok(Cost::of(1, 1, 0)) };
            let sample = self.without_skew(side, sample)?;
            let next = match self.wishes.iterations {
                Some(wished) => (calls < wished).then_some(wished),
                None => next_trial(calls, sample.wall_ns, sample.outside_ns),
            };
            match next {
                Some(next) => {
                    let whole_ns = sample.wall_ns.saturating_add(sample.outside_ns);
                    let growth = next / calls;
                    expected = Duration::from_nanos(whole_ns.saturating_mul(growth));
                    calls = next;
                }
                None => return Ok(Cost::of(calls, sample.wall_ns, sample.outside_ns)),
            }
        }
    }

    /// Returns a trial as its slowest caller has seen it. Waiting for a late caller is not part of the kernel, and would
    /// make samples so short that they consist of it.
    fn without_skew(&mut self, side: usize, trial: RawSample) -> Result<RawSample, Stop> {
        if self.case.threads == 1 {
            return Ok(trial);
        }
        let extras = self.workers.extras(side, self.cell)?;
        let slowest = extras.threads_ns.last().and_then(|own| own.iter().max());
        Ok(RawSample { wall_ns: slowest.copied().unwrap_or(trial.wall_ns), ..trial })
    }
}

impl Taken {
    /// Whether the kernel did not wait in its samples.
    pub(crate) fn computes(&self) -> bool {
        let mut seen = Seen::default();
        seen.look(&self.samples);
        seen.computes()
    }

    /// Returns the part that a record keeps.
    pub(crate) fn measurement(
        self,
        (run, instance): (u32, usize),
        worker: usize,
        Sizes { calls, several, .. }: Sizes,
        metrics: usize,
    ) -> Measurement {
        let Self { warm_up, samples, extras, phases } = self;
        // A column is whole or empty.
        let column = |value: fn(&RawSample) -> Option<u64>| {
            samples.iter().map(value).collect::<Option<Vec<u64>>>().unwrap_or_default()
        };
        let warm_up_ns = warm_up.iter().map(|sample| sample.wall_ns).collect();
        // From one row for each sample to one column for each metric.
        let metric = |metric: usize| -> Vec<f64> {
            extras.metrics.iter().filter_map(|row| row.get(metric).copied()).collect()
        };
        Measurement {
            run,
            instance,
            worker: Some(worker),
            calls,
            windows: samples.first().map_or(1, |sample| sample.windows),
            warm_up_ns,
            warm_up_cpu_ns: cpu_ns(&warm_up, several),
            wall_ns: samples.iter().map(|sample| sample.wall_ns).collect(),
            cpu_ns: cpu_ns(&samples, several),
            switches: column(|sample| sample.switches),
            metrics: (0..metrics).map(metric).collect(),
            threads_ns: extras.threads_ns,
            late_ns: extras.late_ns,
            phases,
            resources: None,
        }
    }
}

/// How many samples of a warm-up both sides take in turns, as they take pairs: while one side warms up, the other gets cold again.
pub(super) fn warm_up_turns(design: Design, warm_up: u32) -> u32 {
    if design == Design::Pairs { WARM_UP_TURNS.min(warm_up.saturating_sub(1)) } else { 0 }
}

/// The cost of a call in the fastest sample of each side: that of the slower side.
fn fastest(taken: &[Taken], calls: u64) -> Option<Cost> {
    let of_side = |side: &Taken| {
        let sample = side.warm_up.iter().min_by_key(|sample| sample.wall_ns)?;
        Some(Cost::of(calls, sample.wall_ns, sample.outside_ns))
    };
    taken.iter().filter_map(of_side).reduce(Cost::max)
}

fn trial_samples(sizes: Sizes, design: Design) -> u32 {
    let whole_ns = sizes.expected.as_nanos() as f64;
    match design {
        Design::Run | Design::Glance => sizes.warm_up,
        // A block has too few of long samples to choose among them.
        Design::Pairs if whole_ns > TRYING_NS => 0,
        Design::Pairs => {
            let wanted = (TRIED_NS / whole_ns).clamp(TRIED, MOST_TRIED);
            let affordable = (TRYING_NS / (2.0 * whole_ns)).clamp(1.0, wanted) as u32;
            affordable.max(sizes.warm_up)
        }
    }
}

/// CPU times of samples, of all threads where several work; empty where the system does not tell.
fn cpu_ns(samples: &[RawSample], several: bool) -> Vec<u64> {
    let of_one = |sample: &RawSample| match several {
        true => Some(sample.cpu_ns?.saturating_add(sample.others_ns?)),
        false => sample.cpu_ns,
    };
    samples.iter().map(of_one).collect::<Option<Vec<u64>>>().unwrap_or_default()
}

/// The fraction of samples without interruption, if that can be known.
fn clean_fraction(samples: &[RawSample]) -> Option<f64> {
    let (wall_ns, cpu_ns) = times(samples);
    results::clean_fraction(&wall_ns, &cpu_ns, false)
}

fn times(samples: &[RawSample]) -> (Vec<u64>, Vec<u64>) {
    let wall_ns = samples.iter().map(|sample| sample.wall_ns).collect();
    (wall_ns, samples.iter().filter_map(|sample| sample.cpu_ns).collect())
}

/// The number of samples after which a process is steady, as far as these samples tell. CPU time is looked at where it is
/// the time of the kernel: interruptions are no change of the program.
fn settled_after(samples: &[RawSample]) -> usize {
    let (wall_ns, cpu_ns) = times(samples);
    let waits = cpu_ns.len() != wall_ns.len() || results::waits(&wall_ns, &cpu_ns);
    let series = if waits { wall_ns } else { cpu_ns };
    let series: Vec<f64> = series.iter().map(|&ns| ns.max(1) as f64).collect();
    steady::classify(&series).ok().and_then(|found| found.steady_from).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_warm_up_ends_in_turns_and_checks_before() {
        assert_eq!([0, 1, 2, 5, 24].map(|n| warm_up_turns(Design::Pairs, n)), [0, 0, 1, 4, 4]);
        assert_eq!(warm_up_turns(Design::Run, 24), 0, "there is one side");
    }

    #[test]
    fn trials_last_as_long_for_short_samples_and_have_a_limit() {
        let of = |micros_tenths: u64| {
            let expected = Duration::from_nanos(100 * micros_tenths);
            trial_samples(Sizes { expected, ..Sizes::ONCE }, Design::Pairs)
        };
        assert_eq!([1250, 2500, 5000, 50_000].map(of), [96, 48, 24, 10]);
        // A sample of one call of a fast kernel, as its user wishes.
        assert_eq!((of(1), of(0)), (96, 96));
        assert_eq!(of(2_000_000), 0, "long samples are not tried");
    }
}
