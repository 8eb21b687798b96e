//! Speedups of runs that hold many samples each. The run is the unit of replication: samples of one process
//! share its luck, and pooling them claims far too much.

use super::{Kind, Speedup, paired, unpaired};
use crate::decomposition::{Cells, Component};
use crate::error::{Error, Result, check_count, check_positive};
use crate::sums;

/// Do base and new share their runs?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pairing {
    /// Runs of base and runs of new have nothing in common.
    Unpaired,
    /// Run r of base and run r of new were measured together.
    Paired,
}

/// What the samples of one side say on each level.
#[derive(Debug, Clone, PartialEq)]
pub struct Levels {
    /// Mean time of each run: what σ comes from.
    pub run_means: Vec<f64>,
    /// Variance of a run mean that the samples within the run account for; `None` without repeats.
    pub within_runs: Option<f64>,
    /// Variance between runs beyond that (T₂² of Kalibera & Jones 2013); `None` for one run or without repeats.
    pub between_runs: Option<Component>,
    /// The standard error that pooling all samples would claim: shown to warn, never used. `None` without
    /// repeats.
    pub pooled_u: Option<f64>,
}

/// A speedup from run means, with the levels below.
#[derive(Debug, Clone, PartialEq)]
pub struct HierarchicalSpeedup {
    /// S ± σ with run-level uncertainty.
    pub speedup: Speedup,
    /// Levels of base.
    pub base: Levels,
    /// Levels of new.
    pub new: Levels,
}

/// Speedup of runs × samples. Runs may differ in their number of samples; each run counts the same.
///
/// For the interval of Kalibera & Jones use [`Speedup::fieller_set_with`] and runs − 1 degrees of freedom.
///
/// ```
/// use plusminus_analysis::speedup::{hierarchical, Kind, Pairing};
///
/// let base = [vec![10.1, 10.3, 10.2], vec![10.6, 10.5, 10.7], vec![10.0, 9.9, 10.1]];
/// let new = [vec![9.1, 9.2, 9.0], vec![9.4, 9.5, 9.3], vec![8.9, 9.0, 9.1]];
/// let s = hierarchical(&base, &new, Pairing::Unpaired, Kind::BetweenVariants).unwrap();
/// assert!(s.base.pooled_u.unwrap() < s.speedup.base.u.unwrap());
/// ```
///
/// # Errors
/// When a side or a run is empty, a time is not positive, or paired sides differ in their number of runs.
pub fn hierarchical(
    base: &[Vec<f64>],
    new: &[Vec<f64>],
    pairing: Pairing,
    kind: Kind,
) -> Result<HierarchicalSpeedup> {
    from_levels(levels(base)?, levels(new)?, pairing, kind)
}

/// Speedup of runs × instances × repeats, for exactly these instances: σ holds what differs between runs.
///
/// For instances that stand for others, see [`crate::decomposition`].
///
/// # Errors
/// When a time is not positive, the sides differ in their number of instances (their sums would not compare),
/// or paired sides differ in their number of runs.
pub fn hierarchical_cells(
    base: &Cells<'_>,
    new: &Cells<'_>,
    pairing: Pairing,
    kind: Kind,
) -> Result<HierarchicalSpeedup> {
    crate::error::check_shape("instances of new", base.instances(), new.instances())?;
    from_levels(cell_levels(base)?, cell_levels(new)?, pairing, kind)
}

/// Samples per run that give the narrowest interval for the time spent, ⌈√((c_run/c_sample)·(σ_w²/σ_b²))⌉.
///
/// Costs in any common unit; variances within and between runs (Kalibera & Jones 2013).
///
/// # Errors
/// When a number is not positive and finite, or the answer is more than 10⁹ samples.
pub fn samples_per_run(
    cost_of_run: f64,
    cost_of_sample: f64,
    variance_within: f64,
    variance_between: f64,
) -> Result<usize> {
    check_positive(&[cost_of_run, cost_of_sample, variance_within, variance_between])?;
    let count = (cost_of_run / cost_of_sample).sqrt() * (variance_within / variance_between).sqrt();
    if count > 1e9 {
        return Err(Error::Undefined { what: "more samples per run than anybody can take" });
    }
    Ok(count.ceil().max(1.0) as usize)
}

fn from_levels(
    base: Levels,
    new: Levels,
    pairing: Pairing,
    kind: Kind,
) -> Result<HierarchicalSpeedup> {
    let speedup = match pairing {
        Pairing::Unpaired => unpaired(&base.run_means, &new.run_means, kind)?,
        Pairing::Paired => paired(&base.run_means, &new.run_means, kind)?,
    };
    Ok(HierarchicalSpeedup { speedup, base, new })
}

/// Mean and, from two values on, variance of a sample of times.
fn moments(samples: &[f64]) -> Result<(f64, Option<f64>)> {
    check_count("samples of a run", samples.len(), 1)?;
    check_positive(samples)?;
    let (mean, spread) = sums::mean_and_spread(samples);
    Ok((mean, (samples.len() >= 2).then_some(spread * spread)))
}

fn levels(runs: &[Vec<f64>]) -> Result<Levels> {
    check_count("runs", runs.len(), 1)?;
    let mut run_means = Vec::with_capacity(runs.len());
    let mut within = Vec::with_capacity(runs.len());
    for run in runs {
        let (mean, variance) = moments(run)?;
        run_means.push(mean);
        within.push(variance.map(|v| v / run.len() as f64));
    }
    let pooled: Vec<f64> = runs.concat();
    let pooled_u = sums::mean_and_spread(&pooled).1 / (pooled.len() as f64).sqrt();
    Ok(split(run_means, &within, pooled_u))
}

fn cell_levels(cells: &Cells<'_>) -> Result<Levels> {
    let (instances, repeats) = (cells.instances(), cells.repeats());
    let mut run_means = Vec::with_capacity(cells.runs());
    let mut within = Vec::with_capacity(cells.runs());
    for run in cells.values().chunks_exact(instances * repeats) {
        let mut means = Vec::with_capacity(instances);
        let mut variance = Some(0.0);
        for cell in run.chunks_exact(repeats) {
            let (mean, v) = moments(cell)?;
            means.push(mean);
            variance = variance.zip(v).map(|(sum, v)| sum + v / repeats as f64);
        }
        run_means.push(sums::mean_and_spread(&means).0);
        // The mean over the instances is what varies: each contributes 1/I of its own mean.
        within.push(variance.map(|v| v / (instances * instances) as f64));
    }
    let all = cells.values();
    let pooled_u = sums::mean_and_spread(all).1 / (all.len() as f64).sqrt();
    Ok(split(run_means, &within, pooled_u))
}

/// Takes the variance of run means apart.
fn split(run_means: Vec<f64>, within: &[Option<f64>], pooled_u: f64) -> Levels {
    let known: Option<Vec<f64>> = within.iter().copied().collect();
    let within_runs =
        known.map(|v| sums::mean_and_spread(&v).0).filter(|within| within.is_finite());
    let between = sums::mean_and_spread(&run_means).1.powi(2);
    let several = run_means.len() >= 2 && between.is_finite();
    Levels {
        within_runs,
        between_runs: within_runs.filter(|_| several).map(|w| Component::new(between - w)),
        pooled_u: within_runs.map(|_| pooled_u).filter(|u| u.is_finite()),
        run_means,
    }
}
