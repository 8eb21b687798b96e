//! From raw samples to the typical time of a call: which samples count, and why others do not.
//!
//! All rules are the same for every variant of a table, and what they leave out is counted and reported.

use super::clean::{CLEAN_SAMPLES, ENOUGH_CLEAN, clean_samples, fraction};
use crate::{
    analysis::{
        ageing,
        steady::{self, Steadiness},
        summary,
    },
    record::{CaseRecord, Clock, Measurement, Record},
};

/// The cost of the windows is subtracted where it is more than this part of a sample.
const SUBTRACTED_FROM: f64 = 0.001;

/// Fewer ticks of the clock than these in a sample are not enough to measure with.
const TICKS: f64 = 100.0;

/// A call that lasts less than this factor of an empty loop is indistinguishable from one that does nothing.
const LOOP_FACTOR: f64 = 1.1;

/// The typical time of one call, and how it came about.
#[derive(Debug, Clone, PartialEq)]
pub struct Typical {
    /// The median of the samples that count, for one call, in nanoseconds.
    pub call_ns: f64,
    /// Standard uncertainty that the clock alone gives to it: by its step, tick/(√6·calls), and where it is a counter,
    /// by the uncertainty of its frequency.
    pub clock_u_ns: f64,
    /// Samples that were taken.
    pub samples: usize,
    /// Samples dropped from the beginning because the kernel had not settled yet.
    pub unsettled: usize,
    /// ln of the time at the end of the process over that at its beginning, once it has warmed up; `None` with few samples.
    pub ageing: Option<f64>,
    /// The fraction of clean samples; `None` where it cannot be known: on systems without CPU time, for parallel
    /// kernels, and for kernels that wait or work in other threads.
    pub clean: Option<f64>,
    /// Whether only clean samples count.
    pub only_clean: bool,
    /// Nanoseconds subtracted from each sample for the reading of the clock; 0 where it does not matter.
    pub subtracted_ns: f64,
    /// Whether the clock can tell the kernel from nothing.
    pub support: Support,
}

/// The properties of a kernel that the clocks show.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Support {
    /// The time is a time.
    Full,
    /// A sample lasts too few ticks of the clock.
    TooFewTicks {
        /// How many.
        ticks: f64,
    },
    /// A call lasts as long as the loop around it.
    Indistinguishable {
        /// The time of an empty call, in nanoseconds.
        loop_ns: f64,
    },
}

impl Record {
    /// The runs in which every instance of a case was measured, in order, with the typical time of each instance.
    ///
    /// Takes time in proportion to n log n of the measurements of the case.
    pub fn complete_runs(&self, case: &CaseRecord) -> Vec<(u32, Vec<Typical>)> {
        let mut cells: Vec<&Measurement> = case.measurements.iter().collect();
        // Stable: of two measurements of the same cell the first one counts.
        cells.sort_by_key(|cell| (cell.run, cell.instance));
        cells.dedup_by_key(|cell| (cell.run, cell.instance));
        let complete = |run: &[&Measurement]| {
            let whole = Some(run).filter(|run| run.len() == case.instances.len())?;
            let typical: Option<Vec<Typical>> =
                whole.iter().map(|cell| self.typical_of(case, cell)).collect();
            Some((run[0].run, typical?))
        };
        cells.chunk_by(|a, b| a.run == b.run).filter_map(complete).collect()
    }

    /// The typical time of one measurement of a case; `None` without samples, and where it is not above 0.
    fn typical_of(&self, case: &CaseRecord, cell: &Measurement) -> Option<Typical> {
        let worker = cell.worker.and_then(|worker| self.workers.get(worker));
        let clock = worker.and_then(|worker| worker.clock);
        let mut found = cell.typical(clock.as_ref(), case.processors.max(case.threads))?;
        // A counter is as good as its frequency is known.
        let u_relative = worker.and_then(|worker| worker.counting).map_or(0.0, |c| c.u_relative);
        found.clock_u_ns = found.clock_u_ns.hypot(u_relative * found.call_ns);
        Some(found).filter(|found| found.call_ns > 0.0)
    }
}

impl Measurement {
    /// The typical time of a call; `None` without samples.
    ///
    /// The samples before the steady state do not count. Of the others, the clean ones alone count where they are
    /// too few to outvote the disturbed ones in a median, and enough to make a median of their own.
    pub fn typical(&self, clock: Option<&Clock>, processors: usize) -> Option<Typical> {
        let calls = self.calls as f64;
        let raw: Vec<f64> = self.wall_ns.iter().map(|&wall| wall as f64).collect();
        let middle = summary::quantile(&raw, 0.5).ok()?;
        let window_ns = clock.map_or(0.0, |clock| clock.window_ns * self.windows as f64);
        let subtracted_ns = if window_ns > SUBTRACTED_FROM * middle { window_ns } else { 0.0 };
        let (unsettled, ageing) = self.settled(processors > 1);
        let clean = clean_samples(&self.wall_ns, &self.cpu_ns, processors > 1);
        let fraction = clean.as_deref().map(fraction);
        let settled = unsettled..raw.len();
        let chosen: Vec<f64> = match (&clean, fraction) {
            (Some(clean), Some(fraction)) if fraction < ENOUGH_CLEAN => {
                settled.clone().filter(|&index| clean[index]).map(|index| raw[index]).collect()
            }
            _ => Vec::new(),
        };
        let only_clean = chosen.len() >= CLEAN_SAMPLES;
        let chosen = if only_clean { &chosen[..] } else { &raw[settled] };
        let sample_ns = (summary::quantile(chosen, 0.5).ok()? - subtracted_ns).max(0.0);
        let call_ns = sample_ns / calls;
        let support = match clock {
            Some(clock) if sample_ns < TICKS * clock.tick_ns => {
                Support::TooFewTicks { ticks: sample_ns / clock.tick_ns }
            }
            Some(clock) if call_ns < LOOP_FACTOR * clock.loop_ns => {
                Support::Indistinguishable { loop_ns: clock.loop_ns }
            }
            _ => Support::Full,
        };
        Some(Typical {
            call_ns,
            clock_u_ns: clock.map_or(0.0, |clock| clock.tick_ns / 6_f64.sqrt() / calls),
            samples: raw.len(),
            unsettled,
            ageing,
            clean: fraction,
            only_clean,
            subtracted_ns,
            support,
        })
    }

    /// Returns how many of the samples are dropped because the kernel had not reached a steady state, and how its
    /// time changes after that.
    ///
    /// The end of the warm-up is looked at with the samples, and no more of it than a third of their number. All of a
    /// long one would outweigh them. Its samples follow each other, while the later samples take turns with other
    /// kernels, some hundredths of a second apart. That difference would pass for a missing steady state.
    fn settled(&self, parallel: bool) -> (usize, Option<f64>) {
        let (warm_up, samples) = self.series(parallel);
        let warm_up = &warm_up[warm_up.len() - warm_up.len().min(samples.len() / 3)..];
        let series: Vec<f64> = warm_up.iter().chain(samples).map(|&ns| ns as f64).collect();
        let found = steady::classify(&series).ok();
        let from = found.as_ref().and_then(|found| found.steady_from).unwrap_or(0);
        let unsettled = from.saturating_sub(warm_up.len());
        let warmed_up = found.is_some_and(|found| found.steadiness == Steadiness::WarmUp);
        (unsettled, self.ageing(parallel, if warmed_up { unsettled } else { 0 }))
    }

    /// How the time changes from the sample `from` on: ln of the last third over the first.
    pub(super) fn ageing(&self, parallel: bool, from: usize) -> Option<f64> {
        let samples: Vec<f64> =
            self.series(parallel).1[from..].iter().map(|&ns| ns as f64).collect();
        ageing::within(&samples)
    }

    /// The times of the warm-up and of the samples in which a change of the kernel shows: CPU time where that is the time of the
    /// kernel, as interruptions are no change of it.
    fn series(&self, parallel: bool) -> (&[u64], &[u64]) {
        let tells = self.warm_up_cpu_ns.len() == self.warm_up_ns.len()
            && clean_samples(&self.wall_ns, &self.cpu_ns, parallel).is_some();
        match tells {
            true => (&self.warm_up_cpu_ns, &self.cpu_ns),
            false => (&self.warm_up_ns, &self.wall_ns),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLOCK: Clock = Clock { tick_ns: 1.0, window_ns: 20.0, loop_ns: 0.25 };

    fn measurement(wall_ns: Vec<u64>, cpu_ns: Vec<u64>) -> Measurement {
        Measurement { calls: 1000, windows: 1, wall_ns, cpu_ns, ..Measurement::default() }
    }

    fn typical(measurement: &Measurement) -> Typical {
        measurement.typical(Some(&CLOCK), 1).unwrap()
    }

    #[test]
    fn a_quiet_series_counts_whole() {
        let wall: Vec<u64> = (0..32).map(|i| 500_000 + i * 37 % 101).collect();
        let found = typical(&measurement(wall.clone(), wall));
        assert!(found.ageing.unwrap().abs() < 1e-3 && found.unsettled == 0, "{found:?}");
        assert_eq!((found.clean, found.only_clean), (Some(1.0), false));
        assert_eq!((found.subtracted_ns, found.support), (0.0, Support::Full));
        assert!((found.call_ns - 500.05).abs() < 0.06, "{found:?}");
        assert!((found.clock_u_ns - 1.0 / 6_f64.sqrt() / 1000.0).abs() < 1e-12);
    }

    #[test]
    fn clean_samples_count_alone_where_the_others_would_outvote_them() {
        // Twelve of 32 samples ran undisturbed; the others waited for the processor for as long again.
        let cpu: Vec<u64> = (0..32).map(|i| 500_000 + i * 37 % 101).collect();
        let wall: Vec<u64> =
            cpu.iter().enumerate().map(|(i, c)| if i % 8 < 3 { *c } else { c * 19 / 10 }).collect();
        let found = typical(&measurement(wall.clone(), cpu.clone()));
        assert_eq!((found.clean, found.only_clean), (Some(0.375), true));
        assert!((found.call_ns - 500.0).abs() < 1.0, "{found:?}");
        // Six clean samples are too few for a median of their own.
        let few = measurement(wall[..16].to_vec(), cpu[..16].to_vec());
        assert!(!typical(&few).only_clean);
        // With four processors, CPU time does not show interruptions.
        assert_eq!(few.typical(Some(&CLOCK), 4).unwrap().clean, None);
    }

    #[test]
    fn a_kernel_that_waits_is_not_called_disturbed() {
        let found = typical(&measurement(vec![500_000; 10], vec![3_000; 10]));
        assert_eq!((found.clean, found.only_clean), (None, false));
        assert_eq!(found.call_ns, 500.0);
    }

    #[test]
    fn interruptions_do_not_unsettle_a_kernel_whose_cpu_time_is_known() {
        let cpu: Vec<u64> = (0..32).map(|i| 500_000 + i * 37 % 101).collect();
        let wall = (0..32).map(|i| cpu[i] + if i >= 22 { 4_000_000 } else { 0 }).collect();
        let mut late = measurement(wall, cpu);
        assert!(typical(&late).ageing.unwrap().abs() < 1e-3);
        late.cpu_ns.clear();
        assert!(typical(&late).ageing.unwrap() > 1.0);
    }

    #[test]
    fn samples_before_the_steady_state_do_not_count() {
        let mut slow = measurement((0..32).map(|i| 400_000 + i * 37 % 101).collect(), vec![]);
        slow.wall_ns.splice(0..4, [900_000; 4]);
        slow.warm_up_ns = vec![900_100; 6];
        let found = typical(&slow);
        assert_eq!(found.unsettled, 4);
        assert!(found.ageing.unwrap().abs() < 1e-3, "{found:?}");
    }

    #[test]
    fn a_long_warm_up_at_another_speed_takes_no_sample_away() {
        let samples: Vec<u64> = (0..32).map(|i| 500_000 + i * 37 % 101).collect();
        for alone in [460_000, 540_000] {
            let mut warm = measurement(samples.clone(), samples.clone());
            warm.warm_up_ns = (0..333).map(|i| alone + i * 37 % 101).collect();
            warm.warm_up_cpu_ns = warm.warm_up_ns.clone();
            let found = typical(&warm);
            assert!(found.unsettled == 0 && found.ageing.unwrap().abs() < 1e-3, "{found:?}");
        }
    }

    #[test]
    fn the_clock_is_subtracted_where_it_matters_and_never_below_zero() {
        let short = Measurement { calls: 1, ..measurement(vec![5_000; 9], vec![]) };
        assert_eq!((typical(&short).subtracted_ns, typical(&short).call_ns), (20.0, 4_980.0));
        let long = Measurement { calls: 1, ..measurement(vec![20_001; 9], vec![]) };
        assert_eq!((typical(&long).subtracted_ns, typical(&long).call_ns), (0.0, 20_001.0));
        let nothing = Measurement { calls: 1, ..measurement(vec![10; 9], vec![]) };
        assert_eq!(typical(&nothing).call_ns, 0.0);
        let halves = Measurement { windows: 50, ..measurement(vec![500_000; 9], vec![]) };
        assert_eq!(typical(&halves).subtracted_ns, 1_000.0);
    }

    #[test]
    fn what_the_clock_cannot_support_is_named() {
        let loops = |ns: u64| typical(&measurement(vec![ns; 9], vec![])).support;
        assert_eq!(loops(260), Support::Indistinguishable { loop_ns: 0.25 });
        assert_eq!(loops(1_000), Support::Full);
        let once = Measurement { calls: 1, ..measurement(vec![90; 9], vec![]) };
        assert_eq!(typical(&once).support, Support::TooFewTicks { ticks: 70.0 });
        assert_eq!(once.typical(None, 1).unwrap().support, Support::Full, "nothing is known");
    }
}
