//! The time of one benchmark: what its runs say, and the one estimate that every report, ratio and model takes it from.

use super::{Typical, speedups::Pairing};
use crate::{
    analysis::{
        Confidence, Estimate, Interval,
        speedup::{self, Kind, Speedup},
        summary, two_stage,
        verdict::sequence_factor,
    },
    record::CaseRecord,
};

/// The time of a call of one benchmark, from runs that are complete.
#[derive(Debug, Clone, PartialEq)]
pub struct Time {
    /// The runs, in order.
    pub runs: Vec<u32>,
    /// The mean over the instances in each of these runs, in nanoseconds.
    pub run_means_ns: Vec<f64>,
    /// The mean over the runs with its uncertainty, in nanoseconds. The uncertainty includes that of the clock. If
    /// they occurred, it also includes the choice of the number of runs by a pilot, the resemblance of neighboring
    /// runs, and effects that a single invocation cannot see.
    pub estimate: Estimate,
    /// The same with what the runs themselves tell of its uncertainty, and nothing more.
    pub by_runs: Estimate,
    /// Runs after which their spread decided how many more there were, if that was decided.
    pilot_runs: Option<u32>,
    /// Whether runs were added for as long as a comparison was open.
    until_decided: bool,
    /// The relative standard uncertainty of effects that quick mode does not see, which ratios of its times also
    /// have; 0 for other records.
    unseen: f64,
}

/// Effects that widen the uncertainty of all times of an invocation alike.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Allowances {
    /// The factor by which the variance of a mean exceeds that of independent runs
    /// ([`crate::analysis::serial::inflation`]).
    pub(super) inflation: f64,
    /// Half width of a 95 % interval, as a fraction of the time, for which runs were added.
    pub(super) precision: Option<f64>,
    /// Whether it was quick mode, which sees a fraction of a second only, and may have a single run.
    pub(super) glance: bool,
}

/// The assumed relative standard uncertainty of a time that quick mode has measured in one process. It is wide,
/// because benchmarks that take long to prepare are mostly bound by memory. How often such results exclude each other
/// is measured (docs/evidence/accuracy.md).
pub(crate) const LONE_RUN: f64 = 0.2;

impl Time {
    /// The mean over runs of one value for each, with the allowances. `clock_u_ns` is what the clock alone gives.
    ///
    /// If runs were added until the time was known to a `precision`, nothing is known about a finer one. An invocation of
    /// seconds does not see how the machine behaves in other minutes. So the time may lie anywhere within that precision,
    /// which is a type B evaluation with a rectangular distribution (GUM 4.3.7). Quick mode sees even less of other minutes.
    /// With one run, the difference between processes is also an assumption ([`LONE_RUN`]).
    pub(super) fn new(
        case: &CaseRecord,
        runs: &[u32],
        run_means_ns: Vec<f64>,
        clock_u_ns: f64,
        allowances: Allowances,
    ) -> Option<Self> {
        let plain = summary::summarize(&run_means_ns).ok()?.estimate();
        let chosen = after_pilot(&run_means_ns, case.pilot_runs).unwrap_or(plain);
        let by_runs = chosen.widened(allowances.widened(runs.len())).unwrap_or(chosen);
        let applies = allowances.glance || case.pilot_runs.is_some();
        let unseen = allowances.precision.filter(|_| applies).unwrap_or(0.0);
        let unseen = unseen / 3_f64.sqrt();
        let type_b = clock_u_ns.hypot(unseen * by_runs.value);
        let known = match by_runs.u {
            None if allowances.glance => Estimate::known(by_runs.value, LONE_RUN * by_runs.value),
            _ => by_runs,
        };
        Some(Self {
            runs: runs.to_vec(),
            run_means_ns,
            estimate: known.with_type_b(type_b).unwrap_or(known),
            by_runs,
            pilot_runs: case.pilot_runs,
            until_decided: case.until_decided,
            unseen: if allowances.glance { unseen } else { 0.0 },
        })
    }

    /// The time of runs in nanoseconds, numbered from 0, with nothing but the clock's uncertainty added to what they tell.
    ///
    /// ```
    /// use plusminus::results::Time;
    ///
    /// let time = Time::of_runs(&[99.0, 100.0, 101.0], 0.0).unwrap();
    /// assert_eq!(time.estimate.value, 100.0);
    /// assert!(time.interval().unwrap().contains(97.6));
    /// assert!(Time::of_runs(&[], 0.0).is_none());
    /// ```
    pub fn of_runs(run_means_ns: &[f64], clock_u_ns: f64) -> Option<Self> {
        let by_runs = summary::summarize(run_means_ns).ok()?.estimate();
        Some(Self {
            runs: (0..).take(run_means_ns.len()).collect(),
            run_means_ns: run_means_ns.to_vec(),
            estimate: by_runs.with_type_b(clock_u_ns).ok()?,
            by_runs,
            pilot_runs: None,
            until_decided: false,
            unseen: 0.0,
        })
    }

    /// The time by a factor, with the same relative uncertainty.
    pub(super) fn scaled(mut self, factor: f64) -> Self {
        let scale = |of: &mut Estimate| {
            of.value *= factor;
            of.u = of.u.map(|u| u * factor);
        };
        scale(&mut self.estimate);
        scale(&mut self.by_runs);
        self.run_means_ns.iter_mut().for_each(|mean| *mean *= factor);
        self
    }

    /// The 95 % interval of the time; `None` for a single run.
    ///
    /// Where the number of runs was decided by what they showed, it is that of a confidence sequence
    /// ([`sequence_factor`]), which holds after any number of runs.
    pub fn interval(&self) -> Option<Interval> {
        let Estimate { value, u, .. } = self.estimate;
        if !self.until_decided {
            return self.estimate.interval(Confidence::P95);
        }
        let reach = u? * sequence_factor(self.runs.len(), 1.0 - Confidence::P95.level(), 1.0)?;
        let interval = Interval { low: value - reach, high: value + reach };
        (interval.low.is_finite() && interval.high.is_finite()).then_some(interval)
    }

    /// Half the width of [`Self::interval`].
    pub fn half_width(&self) -> Option<f64> {
        self.interval().map(|interval| interval.width() / 2.0)
    }

    /// By how much runs differ, as a standard deviation over the mean, where that is more than the 3 % which are a lot for
    /// repeated measurements of one program (Foster, DBPP 3.5.2).
    pub fn poor_repeatability(&self) -> Option<f64> {
        let summary = summary::summarize(&self.run_means_ns).ok()?;
        summary.cv.filter(|_| summary.has_repeatability_warning())
    }

    /// The speedup over a base. In pairs, the runs with the same number count as pairs, and the others not at all.
    pub fn speedup_over(&self, base: &Self, kind: Kind, pairing: Pairing) -> Option<Speedup> {
        match pairing {
            Pairing::Apart => Speedup::from_estimates(base.estimate, self.estimate, kind).ok(),
            Pairing::Paired => self.paired_with(base, kind),
        }
    }

    /// Pairs of runs cancel common effects. Effects that quick mode does not see remain: how young its processes are
    /// differs from kernel to kernel, so it is taken as independent (VoV 8, without covariance).
    fn paired_with(&self, base: &Self, kind: Kind) -> Option<Speedup> {
        let unseen = self.unseen.hypot(base.unseen);
        let (base, new) = self.common_runs(base);
        let mut speedup = speedup::paired(&base, &new, kind).ok()?;
        let logs: Vec<f64> = base.iter().zip(&new).map(|(base, new)| (base / new).ln()).collect();
        if let Some(estimate) = after_pilot(&logs, self.pilot_runs) {
            speedup.sigma = estimate.u.map(|u| u * speedup.speedup);
            speedup.degrees_of_freedom = estimate.degrees_of_freedom;
        }
        if unseen > 0.0 {
            let seen = speedup.estimate();
            let wide = seen.with_type_b(unseen * speedup.speedup).unwrap_or(seen);
            speedup.sigma = wide.u;
            speedup.degrees_of_freedom = wide.degrees_of_freedom;
        }
        Some(speedup)
    }

    /// The means of base and of this one in the runs that both have. Both lists of runs are in order.
    pub(super) fn common_runs(&self, base: &Self) -> (Vec<f64>, Vec<f64>) {
        let own = self.runs.iter().zip(&self.run_means_ns);
        own.filter_map(|(run, &mean)| {
            let at = base.runs.binary_search(run).ok()?;
            Some((base.run_means_ns[at], mean))
        })
        .unzip()
    }
}

impl Allowances {
    /// Returns the factor of the uncertainty of a mean of this number of runs. No mean is known less well than a
    /// single run of it.
    pub(super) fn widened(&self, runs: usize) -> f64 {
        self.inflation.min(runs.max(1) as f64).sqrt()
    }
}

/// The mean of values, run by run, if more runs than a pilot were measured.
fn after_pilot(values: &[f64], pilot_runs: Option<u32>) -> Option<Estimate> {
    let pilot = pilot_runs.map(|runs| runs as usize).filter(|&pilot| pilot < values.len())?;
    two_stage::estimate(values, pilot, Confidence::P95).ok()
}

/// The mean over instances of the typical times of a run.
pub(crate) fn mean_of_cells(cells: &[Typical]) -> f64 {
    cells.iter().map(|cell| cell.call_ns).sum::<f64>() / cells.len() as f64
}
